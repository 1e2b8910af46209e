"""What is played: the blocks of a contest, the keys of its random choices, the ranks of the seats.

blocks      a contest is a game at one table size; a block is one deal, played once from every seat
keys        every random choice of a run follows from its secret, by a keyed hash with a label
seed        `--seed`: a number, which anyone can guess, or a secret text
bot_limits  what a bot may use in a run, with what is set apart for it
custom_options   data of the user's own, such as a deck, stored once
ranking     the ranks at the end of a match, where faults come after all who played by the rules
match_luck  how much of a result was the luck of the draws, where a game has an estimate

Nothing here knows processes, clocks or files.  So the parent, the workers and `verify` compute the same
deals, ids and ranks, each by itself, and only the numbers of blocks travel between them.
"""
