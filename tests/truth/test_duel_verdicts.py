"""What duels say of bots whose order is known, deal after deal in this process."""

from itertools import count, islice
from random import Random

import pytest
from support.house_play import RANDOM, copy_results, ranks_of_block, recorded_copies

from ladder.contest.keys import Keys, secret_of_seed
from ladder.run.duel import Duel
from results.rating.betting import LOOK_BLOCKS, find_interval
from results.rating.duel_question import DuelQuestion, Verdict, judge
from results.rating.duel_tally import BlockResult, Tally
from results.record import Contest, DuelTerms
from results.reports.duel_report import verdict_of
from results.storage.finishes import Finish

pytestmark = pytest.mark.slow

SEEDS = range(1, 21)
DEALS = 2_000
"""The most deals of a duel between a bot and its copy."""


def played(game, styles, seed, deals, margin=None):
    """Return a duel of the first two *styles* to its end; the others are the field."""
    keys, seats = Keys(secret_of_seed(seed)), len(styles)
    bots = [(f"{style}-{i}", "v") for i, style in enumerate(styles)]
    contest = Contest(game, seats, {}, tuple(range(seats)))
    duel = Duel([contest], bots, DuelTerms(alpha=0.05, margin=margin), [deals])
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


def copies(digits, margin=None):
    """Return a duel of a bot and its copy to its end; *digits* are the results of its blocks."""
    contest = Contest("stellar", 2, {}, (0, 1))
    bots = [("bot", "v"), ("copy", "v")]
    duel = Duel([contest], bots, DuelTerms(alpha=0.05, margin=margin), [min(DEALS, len(digits))])
    for block, digit in enumerate(digits):
        wins, losses = divmod(int(digit), 3)
        ends = [(1, 2)] * wins + [(2, 1)] * losses + [(1, 1)] * (2 - wins - losses)
        duel.hear(
            Finish(block, 2 * block + i, "stellar", bot, rank, None)
            for i, ranks in enumerate(ends)
            for bot, rank in zip(bots, ranks, strict=True)
        )
        if duel.end is not None:
            return duel
    raise AssertionError


def test_a_bot_and_its_copy_are_not_told_apart_in_19_of_20_duels():
    """`ladder duel` exits with 6."""
    found = [verdict(copies(digits)) for digits in recorded_copies().values()]
    assert (20, True) == (len(found), found.count(Verdict.UNDECIDED) >= 19)


def test_with_a_margin_of_5_percent_a_copy_is_no_more_than_that_better_or_it_is_undecided():
    """`ladder duel --margin 5` exits with 5 or 6.  Of such duels, 57 % end by 2,000 deals."""
    found = [verdict(copies(digits, 0.05)) for digits in recorded_copies().values()]
    assert found.count(Verdict.NOT_BETTER) + found.count(Verdict.UNDECIDED) >= 19
    assert found.count(Verdict.NOT_BETTER) >= 8


def test_with_the_default_of_20_000_deals_that_margin_ends_every_duel_of_copies():
    """The deals of all seeds, one after another and in ten orders."""
    digits = [*"".join(recorded_copies().values())]
    found = []
    for order in range(10):
        Random(order).shuffle(digits)
        tally, blocks, question = Tally(2), iter(digits), DuelQuestion("before", 0.05)
        while tally.blocks < 20_000 and judge(find_interval(tally, 0.05), question) is Verdict.UNDECIDED:
            for digit in islice(blocks, 16 * LOOK_BLOCKS):
                wins, losses = divmod(int(digit), 3)
                result = BlockResult(wins, 2 - wins - losses, losses)
                tally.counts[result] = tally.counts.get(result, 0) + 1
        found.append(judge(find_interval(tally, 0.05), question))
    assert 10 == found.count(Verdict.NOT_BETTER)


def test_recorded_copies_are_what_such_bots_play():
    recorded = recorded_copies()
    assert [*SEEDS] == [*recorded]
    assert {DEALS} == {len(digits) for digits in recorded.values()}
    for seed in (1, 11, 20):
        assert recorded[seed].startswith(copy_results(seed, 8))


def test_copies_of_the_two_would_turn_the_verdict_round():
    """Greedy is better than bold at a mixed table of Stella; copies of bold guess each other's pictures."""
    mixed = played("stella", ("bold", "greedy", "careful", "rival"), 1, 320)
    copies = played("stella", ("bold", "greedy", "bold", "greedy"), 1, 320)
    assert [Verdict.WORSE, Verdict.BETTER] == [verdict(mixed), verdict(copies)]
