"""Rules that end a run before the last block of its schedule: a file each.

rule        the interface, and the rule of a run that has several
time_limit  --for
budget      --until cost=USD, --until tokens=N
max_faults  --until faults=N
order       --until order, --until order=P
decided     the end of a duel, and of a tournament
by_name     finds the rules that --until can name

A file here whose rule has a `name` is an answer to `--until`; nothing else need be told of it.
"""
