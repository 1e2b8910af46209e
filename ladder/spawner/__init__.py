"""The spawner: a process beside each worker that starts its bots, and ends them should the worker die.

It runs without site-packages and loads no more than it needs. The worker's side is ladder/process/spawn.py.
"""
