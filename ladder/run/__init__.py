"""One `ladder run`: a request comes in, a stored and rated run goes out.

option, match_options, run_options, duel_options   options, declared once for commands and for Python
who_plays      the one check of bots, games and table sizes that are asked for
request, duel_request   what a command asks for: a run, a duel
session        one command that plays: it begins what is asked for, or continues it
duel_session   what differs for a duel: which stored one goes on, and how far
stored_run     a run is stored; what has changed since; it goes on without a bot
playing, setup, signals   a stored run is played to its end; what its workers must know
coordinator    the parent: hands out blocks, journals, rates and seals them in number order
run_plan, planner   a schedule and a rule that ends it; the plan as it grows, epoch by epoch
schedule, run_schedule, tournament_schedule
               which bots meet, in which seats: a pure function of what is known
adaptive       the tables of an epoch, and whose bots do not meet
belief, discipline, duel, ratings   what is known of the bots; of those that fail; of a duel; the ratings
until          rules that end a run, a file each
executors      where matches are played: this machine, this process, a cluster
delayed, left_out   blocks that wait for the machine; blocks of bots that are left out
shard, merge   parts of a run on separate machines, and the whole again
guests         bots that are Python functions or objects
run_events, status   what is told meanwhile
"""
