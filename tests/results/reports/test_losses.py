"""The matches that bots lost most clearly."""

from support.records import a_match, a_seat
from support.stores import keep_run, put_blocks

from results.record import Block
from results.reports.losses import worst_losses

ALPHA = ("alpha", "alpha-1")


def play(store, *played):
    blocks = [Block(number, matches, []) for number, matches in enumerate(played)]
    with store.lock():
        keep_run(store, blocks[:2], ends=False)
        store.seal()
        put_blocks(store, blocks[2:])


def pair(number, ours, theirs, block=None, fault=None):
    """Return a match of alpha, in seat 1 if *number* is odd, against beta, with these points."""
    alpha = a_seat("alpha", 1 + (ours < theirs), score=None if fault else ours, fault=fault)
    if fault:
        alpha = a_seat("alpha", 2, score=None, fault=fault, fault_step=1)
    seats = [alpha, a_seat("beta", 1 + (theirs < ours), score=theirs)]
    return a_match(number, block=number if block is None else block, seats=seats[:: -1 if number % 2 else 1])


def found(store, most=9):
    losses = worst_losses(store.contents(), {ALPHA}, most)
    assert losses.keys() <= {("stellar", ALPHA)}
    return [
        (f"{loss.match[0]}/{loss.match[1]}", loss.seat, loss.rank, loss.behind)
        for loss in losses.get(("stellar", ALPHA), [])
    ]


def test_the_largest_distance_comes_first_and_of_equal_ones_the_newest(store):
    play(store, [pair(0, 5, 9)], [pair(1, 0, 30)], [pair(2, 9, 5)], [pair(3, 1, 5)], [pair(4, 5, 5)])
    assert [("1/1", 1, 2, 30), ("1/3", 1, 2, 4), ("1/0", 0, 2, 4)] == found(store)
    assert [("1/1", 1, 2, 30), ("1/3", 1, 2, 4)] == found(store, 2)


def test_a_match_that_the_bot_lost_by_its_fault_is_none_of_them(store):
    play(store, [pair(0, 0, 50, fault="crash")], [pair(1, 3, 5)])
    assert [("1/1", 1, 2, 2)] == found(store)


def test_a_block_has_one_of_them(store):
    play(store, [pair(0, 0, 20, 0), pair(1, 0, 25, 0)], [pair(2, 0, 5, 1), pair(3, 9, 5, 1)])
    assert ["1/1", "1/2"] == [name for name, *_ in found(store)]


def test_the_last_place_is_worse_than_a_larger_distance_from_a_better_one(store):
    def table(number, place, points):
        seats = [
            a_seat("beta", 1, score=40),
            a_seat("alpha", place, score=points),
            a_seat("cid", 2, score=30),
        ]
        return a_match(number, block=number, seats=seats)

    play(store, [table(0, 2, 0)], [table(1, 3, 25)])
    assert [("1/1", 1, 3, 15), ("1/0", 1, 2, 40)] == found(store)


def test_a_bot_that_never_lost_has_none(store):
    play(store, [pair(0, 9, 1)])
    assert [] == found(store)
