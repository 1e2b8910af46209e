"""What a fit believes of a bot's skill before any match: hardly anything.

TrueSkill's own start, (25, 25/3), is results.rating.parameters.NEW.  A single pass over the matches begins
there, as the trueskill package does.  A fit of all matches does not, because a prior for each bot is also one
for the mean of each group of bots: with 25/3 the mean of 20 bots would be known to 1.9 before they played.
Two such groups that met in two blocks had 95 % intervals between them that held in 10 %; with 25 they hold in
89 %.  Skills that spread by 20 were held in 50 %, and are in 96 %.  A spread that is measured first and then
taken for true was tried as well.  It says what the inside of the groups is like, and nothing between them.
"""

MEAN, SD = 25.0, 25.0
"""The prior of every fit.  A bot that is better by 25 wins all but one of 90,000 matches without draws."""
PRECISION = 1.0 / (SD * SD)
"""The inverse of its variance."""
