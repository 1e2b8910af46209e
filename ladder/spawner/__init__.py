"""Start bots from a small process beside each worker: plans come in, process ids and exit statuses go out.

It ends its bots if the worker dies.  It runs without site-packages and loads only the modules that it needs.
The worker's side is ladder/process/spawn.py.
"""
