"""Outcomes and their counts."""

import random

from support.counted import add_block
from support.records import a_seat, outcome_of

from results.rating.outcomes import Counts, FinishOrder

A, B, C, D = (("a", "1"), ("b", "1"), ("c", "1"), ("d", "1"))


def _seat(bot, rank):
    return a_seat(bot=bot, version="1", rank=rank)


def test_an_outcome_lists_bots_by_rank_and_tied_ones_by_name():
    seats = [_seat("d", 1), _seat("c", 2), _seat("a", 4), _seat("b", 2)]
    assert FinishOrder((D, B, C, A), (False, True, False)) == outcome_of(seats)
    assert outcome_of(seats) == outcome_of(seats[::-1])


def test_counts_of_the_same_blocks_are_equal_in_any_order_and_any_split():
    rng = random.Random(1)
    blocks = [
        [FinishOrder(tuple(rng.sample((A, B, C, D), size)), (False,) * (size - 1)) for _ in range(size)]
        for size in rng.choices((2, 3), k=100)
    ]
    whole = Counts()
    for block in blocks:
        add_block(whole, block)
    parts = [Counts(), Counts(), Counts()]
    for block in rng.sample(blocks, len(blocks)):
        add_block(rng.choice(parts), rng.sample(block, len(block)))
    joined = Counts()
    for part in parts:
        joined.update(part)
    assert whole == joined
    assert whole.checksum() == joined.checksum()
    assert sum(map(len, blocks)) == whole.matches
    assert [A, B, C, D] == whole.bots
    assert [2, 3] == whole.sizes
    assert len(blocks) == sum(whole.blocks.values())


def test_tables_of_one_size_are_counted_alone():
    two, three = FinishOrder((A, B), (False,)), FinishOrder((A, B, C), (False, True))
    counts = Counts()
    add_block(counts, [two, two])
    add_block(counts, [three])
    assert Counts({two: 2}, {(two, two): 1}) == counts.at_tables_of(2)
    assert Counts({three: 1}, {(three,): 1}) == counts.at_tables_of(3)
    assert Counts() == counts.at_tables_of(4)


def test_a_block_of_several_deals_counts_its_matches_alone():
    two = FinishOrder((A, B), (False,))
    counts = Counts()
    add_block(counts, [two, two], paired=False)
    add_block(counts, [])
    assert Counts({two: 2}, {}) == counts


def test_the_checksum_tells_as_many_other_matches_apart():
    won, lost, tied = (
        FinishOrder((A, B), (False,)),
        FinishOrder((B, A), (False,)),
        FinishOrder((A, B), (True,)),
    )
    other_version = FinishOrder((A, ("b", "2")), (False,))
    together = {(won, lost): 1}
    found = {
        Counts(outcomes, blocks).checksum()
        for outcomes, blocks in [
            ({won: 2}, {}),
            ({lost: 2}, {}),
            ({tied: 2}, {}),
            ({other_version: 2}, {}),
            ({won: 1, lost: 1}, {}),
            ({won: 1, lost: 1}, together),
            ({won: 1, lost: 1}, {(won,): 1, (lost,): 1}),
        ]
    }
    assert 7 == len(found)
    assert max(found) < 2**64
    assert 0 == Counts().checksum()
