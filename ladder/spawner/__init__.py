"""Start bots from a small process beside each worker: plans come in, process ids and exit statuses go out.

main        the loop: start, kill, report; end all bots when the worker is gone
restrict    what a process gives up before it becomes a bot: its user, files, limits, system calls
wire        the messages between worker and spawner

Bots are its children, so it can end them however the worker ends, also by kill -9; and it adopts what bots
leave behind.  It runs without site-packages and loads only the modules that it needs, so its forks are cheap
and have no threads.  The worker's side is ladder/process/spawn.py; what a plan holds is decided in
ladder/sandbox.
"""
