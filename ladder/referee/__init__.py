"""One table: a scheduled match and the players come in, a record with its faults goes out.

table         the loop: wait, hear, expire, look
channels      the pipes: what is sent together, what waits for which handler
clocks        open requests: deadlines, the time and the CPU time of decisions
matches       matches in progress: begin, ask, play on, end
attribution   whose fault it was; verdicts: what follows from it
resources     what the bots use, measured by limits and pondering
match, player, rules, records    what these work with: a match and its seats, a process, the rules, the store
"""
