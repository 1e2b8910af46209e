"""The keeper: a process beside each worker that starts its bots, and ends them should the worker die.

It runs without site-packages and loads what it needs and no more; the worker's side is ladder/keeper.py.
"""
