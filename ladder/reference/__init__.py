"""A frozen set of bots, and what a bot is worth beside them.

reference_set        the set R1: its bots, deals, results among each other, and the hash of all that
reference_request    what is asked for; reference_session plays it as an unrated run
reference_result     the rating, the table, and the line to quote
record_set           the program that makes the set: copies, results, recorded decisions, tables of pages

The files of R1 are in bots/reference/r1.
"""
