"""Tournaments with an end and a winner: stages, pairings, brackets, as pure functions of seeds and results.

stages         read and write swiss:5+knockout:8
tournament     folds the results of blocks: which tables are due, who has which place
event_report   rounds and tables as values, to draw and to print
round_stages   swiss, round robin, groups
bracket_stage  a bracket in play
bracket        plan a bracket: a graph of tables, and the order of seeds
pairing        who sits at one table in a round, and who sits out; what a cut into tables costs
rounds_to_come whether later rounds can be filled without second meetings
table_sizes    mixed table sizes, so that as few as possible sit out
score_rows     the standing after rounds, what decides ties, and what all stages share
event_table    one table: its blocks, scores, who left it, when its series is decided
notes          byes, second meetings, forfeits and more, as values and as sentences

Nothing here knows homes, processes or clocks.  All is exact: integers and fractions, no floats.
"""
