"""Brackets of all sizes play to an end."""
# the expected value stands on the left, in every test

from collections import Counter
from random import Random

import pytest
from support.tournaments import begin, by_chance, by_seed, play

from ladder.pairing.bracket import Unfillable, plan_double, plan_knockout

GAMES = [((2,), 2), ((2, 3), 3), ((3,), 3), ((2, 3, 4), 4), ((4,), 4), (range(2, 7), 6), ((6,), 6)]


def sizes_of_fields(sizes, seats):
    """Return all fields from the smallest table to 40."""
    return range(2 if seats == 2 else min(sizes), 41)


def events(stage, sizes, seats):
    """Yield an event of each field that can be, with its entrants: a single table leaves no second life."""
    for entrants in sizes_of_fields(sizes, seats):
        if not (stage == "double-knockout" and len(sizes) == 1 and seats > 2 and entrants == seats):
            yield begin(f"{stage}:{entrants}", entrants, sizes, seats, series_blocks=1), entrants


@pytest.mark.parametrize(("sizes", "seats"), GAMES, ids=str)
@pytest.mark.parametrize("plan", [plan_knockout, plan_double])
def test_every_seat_is_fed_once(plan, sizes, seats):
    refused = []
    for entrants in [*sizes_of_fields(sizes, seats), 63, 64, 65]:
        try:
            bracket = plan(entrants, sizes, seats)
        except Unfillable:
            refused.append(entrants)
            continue
        feeds = Counter(feed for table in bracket.tables for feed in table.feeds)
        assert {1} == set(feeds.values())
        assert set(range(entrants)) == {feed.place for feed in feeds if feed.table is None}
        for number, table in enumerate(bracket.tables):
            assert len(table.feeds) in ((2,) if seats == 2 else sizes)
            assert 0 < table.go_on < len(table.feeds)
            assert all(feed.table is None or feed.table < number for feed in table.feeds)
    # a table that is the only one, of the only size, leaves too few for a second life
    assert ([min(sizes)] if plan is plan_double and len(sizes) == 1 and seats > 2 else []) == refused


def test_more_of_a_table_never_go_on_than_fit():
    with pytest.raises(Unfillable):
        plan_knockout(3, (4,), 4)


@pytest.mark.parametrize(("sizes", "seats"), GAMES, ids=str)
@pytest.mark.parametrize("stage", ["knockout", "double-knockout"])
def test_a_bracket_ends_with_every_entrant_placed_once(stage, sizes, seats):
    for event, entrants in events(stage, sizes, seats):
        play(event, by_chance, entrants)
        places = event.standing()
        assert list(range(entrants)) == sorted(place.entrant for place in places)
        assert [1, 2] == [place.place for place in places[:2]]
        for played in event.report()[0].rounds:
            seen = [entrant for table in played.tables for entrant in table.entrants]
            assert len(seen) == len(set(seen))
            assert None not in seen


@pytest.mark.parametrize(("sizes", "seats"), GAMES, ids=str)
@pytest.mark.parametrize("stage", ["knockout", "double-knockout"])
def test_the_best_seed_wins_if_the_better_seed_always_wins(stage, sizes, seats):
    for event, _ in events(stage, sizes, seats):
        play(event, by_seed)
        assert 0 == event.standing()[0].entrant
        if seats == 2:
            assert [0, 1] == [place.entrant for place in event.standing()[:2]]


def test_the_order_of_seeds_at_two_seats():
    event = begin("knockout:8", 8)
    assert [(0, 7), (3, 4), (1, 6), (2, 5)] == [table.entrants for table in event.due()]
    assert "knockout/quarter/1" == event.due()[0].table
    play(event)
    names = [table.name for played in event.report()[0].rounds for table in played.tables]
    assert ["knockout/semifinal/1", "knockout/semifinal/2", "knockout/final"] == names[4:]


@pytest.mark.parametrize("entrants", [3, 5, 6, 7, 9, 33])
def test_the_best_seeds_sit_out_where_the_number_is_no_power_of_two(entrants):
    event = begin(f"knockout:{entrants}", entrants)
    slots = 1 << (entrants - 1).bit_length()
    byes = event.report()[0].rounds[0].byes
    assert tuple(range(slots - entrants)) == byes


@pytest.mark.parametrize("entrants", [2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 24, 33, 64])
def test_nobody_is_out_of_a_double_knockout_before_two_lost_series(entrants):
    resets = 0
    for seed in range(4):
        event = begin(f"double-knockout:{entrants}", entrants, series_blocks=1)
        play(event, by_chance, seed)
        lost = Counter(table.ranking[1] for played in event.report()[0].rounds for table in played.tables)
        winner = event.standing()[0].entrant
        assert dict.fromkeys(set(range(entrants)) - {winner}, 2) == {
            entrant: count for entrant, count in lost.items() if entrant != winner
        }
        assert lost[winner] < 2
        resets += any(table.name == "reset" for table in event.report()[0].rounds)
    assert resets == 0  # its name begins with that of its stage


def test_the_final_is_played_again_if_the_second_life_wins():
    event = begin("double-knockout:4", 4, series_blocks=1)
    while event.due()[0].table != "double-knockout/final":
        for table in event.due():
            event.hear(table.table, by_seed(table.entrants, Random(1)))
    assert (0, 1) == event.due()[0].entrants
    event.hear("double-knockout/final", [[2, 1], [2, 1]])
    assert ["double-knockout/reset"] == [table.table for table in event.due()]
    event.hear("double-knockout/reset", [[2, 1], [2, 1]])
    assert event.over
    assert [1, 0, 2, 3] == [place.entrant for place in event.standing()]


def test_half_of_a_larger_table_goes_on():
    event = begin("knockout:24", 24, (2, 3, 4), 4)
    play(event)
    rounds = event.report()[0].rounds
    assert [24, 12, 6, 4] == [sum(len(table.entrants) for table in played.tables) for played in rounds]
    assert ["knockout/round-1", "knockout/round-2", "knockout/round-3", "knockout/final"] == [
        played.name for played in rounds
    ]


def test_those_of_one_table_are_parted_in_the_next_round():
    bracket = plan_knockout(64, (4,), 4)
    second = [bracket.tables[number] for number in bracket.rounds[1].tables]
    assert all(4 == len({feed.table for feed in table.feeds}) for table in second)
