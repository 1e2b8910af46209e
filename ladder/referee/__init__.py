"""One table: a scheduled match and the players come in, a record with its faults goes out.

handshake     wait for the `ready` of new processes; how long one may take outside of every match
table         the loop: begin matches, wait, look; what comes beside answers, and what does not in time
decisions     the way of a decision: ask, send, wait, read, check, play; what is rare leaves it
channels      the pipes: what is sent together, what waits for which handler
clocks        open requests: deadlines, the time and the CPU time of decisions
matches       how matches begin and end; table_events: what is told of them at once, to show or to measure it
attribution   whose fault it was; verdicts: what follows from it
resources     what the bots use, measured by limits and pondering
match, player, rules, records    what these work with: a match and its seats, a process, the rules, the store
lapses        what a bot is forgiven, counted over a run
"""
