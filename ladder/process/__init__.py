"""Run one bot as a process: a confined command comes in, its lines and resource use go out.

bot               a bot process over three non-blocking pipes, and its log: the interface of all kinds of bots
link              the time, and how the referee waits for bots
tree, spawn       all processes that a bot starts; they are children of the spawner, not of the worker
seat_kinds        the kinds of seats: how each is opened
function, connected   a Python function as a bot; a bot that its author has started, over a socket
unmeasured        what those two share: there is no process here to measure or to end
procfs, memory, waits   CPU time, memory, and the time that a bot waited for a core
masks             secrets in a bot's words, hidden
command           a build command, run to its end
tiers, probe      which sandbox tiers hold on this machine, tried by a hostile bot

Only starting blocks.  The referee waits for all bots of a table in one place, and calls these methods when
something is ready, so no bot can make another wait.
"""
