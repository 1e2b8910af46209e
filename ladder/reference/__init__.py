"""A frozen set of bots, and what a bot is worth beside them.

reference_set        the set R1: its bots, deals, results among each other, and the hash of all that
reference_request    what is asked for; reference_session plays it as an unrated run
reference_result     the rating and the line to quote, and the page that tells them to people
set_match            matches of its bots in this process: how fast this machine is, what they decide; what
                     deals say of a bot: the share it beats, and whether it does worse on new ones

The files of R1 are in bots/reference/r1; tests/programs/record_set.py has made them.
"""
