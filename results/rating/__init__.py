"""Rate the bots: matches in number order come in, ratings go out.

counting, outcomes   matches become counts of outcomes and of blocks: sums, in any order and in any parts
segment_counts       the counts of each segment, known by its hash; tally: those of a season
fit, likelihood      the likeliest skills of all bots at once, and how sure their differences are
field_parts          which differences have a lower and an upper end, and what ratings are distances to
chain, linear        what one outcome says of its table; systems of equations, in a fixed order of sums
block_factor         what the matches of a block say together, beside independent ones
pairs                a fit by pairs only, which takes equally long at any number of matches: for schedules
cache, rated         the ratings of a store, stored with their origin; one game's, with its counts
betting              the bets that decide duels, valid at every look; duel_question: what they decide
reference_score      one bot against others whose ratings are fixed, and how sure those are
calibration          whether the ratings foretell what they have not seen
fold, update         one pass over the matches by TrueSkill, for comparison with the package

All is plain Python floats in a fixed order, so the same matches give the same bits on any machine and in both
builds.
"""
