"""What decisions cost: each is judged by what its seat could know, in worlds that look alike to it.

effort        how many worlds a review is worth
loss_names    from which loss on a decision is named; loss_words: a loss in words
worlds        worlds that look like a view, from seeds that follow from it
estimate      the loss of one decision: what the best option promises more than the one that was played
walk          a match step by step: what each seat knew, and what it chose
account       what made the result of each seat, as terms that add up
match_review  the review of one match, by step and seat, and what surely differs after the best option
summary       error rates, losses by kind of decision, the decisions that cost most
reviewing     stored matches, in parallel, and their stored reviews
bot_review    how much a bot errs, over many matches; board_reviews: beside the ratings of all bots
decisions_document  what is told of that; review_document: of a match, and of judges
checked_judge the judge of a game, whose answers are looked at
foretelling   what judges expected, beside what happened
"""
