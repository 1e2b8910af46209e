"""What duels say of bots whose order is known, deal after deal in this process."""

from __future__ import annotations

import os
from itertools import count

import pytest
from support.house_play import RANDOM, ranks_of_block

from ladder.contest.blocks import Contest
from ladder.contest.keys import Keys, secret_of_seed
from ladder.run.duel import Duel
from results.rating.betting import Verdict
from results.record import DuelTerms
from results.reports.duel import verdict_of
from results.storage.finishes import Finish

pytestmark = pytest.mark.slow

SEEDS = range(1, 21)
DEALS = 2_000 if os.environ.get("LADDER_TRUTH") == "full" else 480
"""The most deals of a duel between equals.  To tell 5 % apart takes some 2,100."""


def played(game, styles, seed, deals, margin=None):
    """Return a duel of the first two *styles* to its end; the others are the field."""
    keys, seats = Keys(secret_of_seed(seed)), len(styles)
    bots = [(f"{style}-{i}", "v") for i, style in enumerate(styles)]
    contest = Contest(game, seats, {}, tuple(range(seats)))
    duel = Duel([contest], bots, keys, DuelTerms(alpha=0.05, margin=margin), [deals])
    for block in count():
        matches = enumerate(ranks_of_block(game, styles, keys, block), block * seats)
        duel.hear(
            Finish(block, number, game, bot, rank, None)
            for number, ranks in matches
            for rank, bot in sorted(zip(ranks, bots, strict=True))
        )
        if duel.end is not None:
            return duel
    raise AssertionError


def verdict(duel):
    return verdict_of(duel.results())


@pytest.mark.parametrize(
    ("new", "old", "expected"),
    [(RANDOM, "greedy", Verdict.WORSE), ("greedy", RANDOM, Verdict.BETTER)],
)
def test_greedy_and_random_are_told_apart_in_less_than_a_hundred_deals(new, old, expected):
    for seed in SEEDS:
        duel = played("stellar", (new, old), seed, 2_000)
        assert expected is verdict(duel)
        assert duel.end < 100


def test_a_bot_and_its_copy_are_not_told_apart_in_19_of_20_duels():
    found = [verdict(played("stellar", (RANDOM, RANDOM), seed, DEALS)) for seed in SEEDS]
    assert found.count(Verdict.UNDECIDED) >= 19


def test_with_a_margin_a_copy_is_no_more_than_that_better():
    """A wide margin, for few deals; 5 % takes 2,000."""
    found = [verdict(played("stellar", (RANDOM, RANDOM), seed, 2_000, margin=0.2)) for seed in SEEDS]
    assert found.count(Verdict.NOT_BETTER) >= 19


def test_copies_of_the_two_would_turn_the_verdict_round():
    """Greedy is better than bold at a mixed table of Stella; copies of bold guess each other's pictures."""
    mixed = played("stella", ("bold", "greedy", "careful", "rival"), 1, 320)
    copies = played("stella", ("bold", "greedy", "bold", "greedy"), 1, 320)
    assert [Verdict.WORSE, Verdict.BETTER] == [verdict(mixed), verdict(copies)]
