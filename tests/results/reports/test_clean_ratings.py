"""Ratings without faults find the order of skill, and a sentence says where faults surely turned it."""

from itertools import permutations

import pytest
from support.faulty_fields import a_field
from support.records import a_match, a_run, a_seat
from support.stores import keep_run

from results.rating.cache import ratings_of
from results.rating.rated import rate
from results.rating.tally import MatchTotals
from results.record import Block, RunSettings
from results.reports.clean_ratings import BothRated, add_clean, clean_notes
from results.reports.leaderboard import GameBoard, leaderboard
from results.reports.limit_sets import rated_under
from results.storage.store import Store

FIELD = {name: 40 - 3.0 * i for i, name in enumerate("abcdefgh")}
"""The skills of eight bots."""
UNRELIABLE = dict.fromkeys("ace", 0.3)
"""The share of matches in which a bot is charged with a fault."""


def rated(blocks):
    tally = MatchTotals()
    tally.begin(a_run())
    for block in blocks:
        tally.add(block)
    return rate(tally)


def both_of(blocks):
    clean = [
        Block(block.number, [m for m in block.matches if not any(s.fault for s in m.seats)], [])
        for block in blocks
    ]
    return BothRated(rated(blocks), rated([block for block in clean if block.matches]))


def said(both, options=""):
    board = GameBoard(both.clean["stellar"])
    return [(note.text, note.command) for note in clean_notes(both, board, {}, options)]


def order(rated):
    board = GameBoard(rated["stellar"])
    return "".join(board.fit.bots[i][0] for i in board.by_rating)


def kept(path, blocks, ends=True):
    bots = [{"name": name, "version": f"{name}-1"} for name in FIELD]
    with Store(path).lock() as store:
        keep_run(store, blocks, settings=RunSettings(), bots=bots, ends=ends)
    return store.contents()


def test_without_faults_the_order_is_that_of_the_skills_and_with_them_it_is_not(tmp_path):
    blocks = a_field(FIELD, UNRELIABLE, 10)
    contents = kept(tmp_path, blocks)
    every, (clean, left_out) = ratings_of(contents), rated_under(contents, None, clean=True)
    assert [*FIELD] == [*order(clean)], "tau 1"
    assert [*FIELD] != [*order(every)]
    faulty = sum(any(seat.fault for seat in match.seats) for block in blocks for match in block.matches)
    assert (faulty, 560 - faulty) == (left_out, clean["stellar"].tables[2])


@pytest.mark.parametrize("ends", [True, False])
def test_matches_are_left_out_one_by_one_wherever_they_are_stored(tmp_path, ends):
    def a_pair(number, *faults):
        seats = [a_seat(bot, rank, fault=f) for bot, rank, f in zip("ab", (1, 2), faults, strict=True)]
        return a_match(number, seats=seats)

    blocks = [
        Block(0, [a_pair(0, None, "crash"), a_pair(1, None, None)], []),
        Block(1, [a_pair(2, None, None), a_pair(3, "illegal", "crash")], []),
    ]
    contents = kept(tmp_path, blocks, ends)
    found, left_out = rated_under(contents, None, clean=True)
    assert (2, {2: 2}) == (left_out, found["stellar"].tables)
    (a, b) = add_clean(leaderboard(GameBoard(found["stellar"])), BothRated(ratings_of(contents), found))
    assert ("a", 0.75, "b", 0.5) == (a["bot"], a["played"], b["bot"], b["played"])
    assert [a["mu"], b["mu"]] == [a["clean"], b["clean"]]
    assert b["clean_low"] is None, "it never came before the other"


def test_without_a_fault_they_are_the_ratings_of_all_matches(tmp_path):
    contents = kept(tmp_path, a_field(FIELD, {}, 1))
    assert (ratings_of(contents), 0) == rated_under(contents, None, clean=True)


def test_a_bot_without_a_match_without_a_fault_has_no_clean_rating():
    both = both_of(a_field({"a": 30, "b": 25, "c": 20}, {"a": 1.0}, 4))
    rows = add_clean(leaderboard(GameBoard(both.every["stellar"])), both)
    assert {"a": (None, 0.0), "b": (True, 1.0), "c": (True, 1.0)} == {
        row["bot"]: (row["clean"] and True, row["played"]) for row in rows
    }
    assert [] == said(both)


@pytest.mark.parametrize(
    ("skills", "faults", "rounds"),
    [
        pytest.param({"a": 28, "b": 25}, {"a": 0.4}, 3, id="few matches"),
        pytest.param({"a": 28, "b": 25}, {"a": 0.05}, 60, id="the same order"),
        pytest.param({"a": 25, "b": 25}, {"a": 0.4}, 100, id="alike without faults"),
        pytest.param({"a": 27, "b": 25}, {"a": 0.22}, 60, id="alike with them"),
    ],
)
def test_an_order_that_is_not_sure_both_ways_is_not_told(skills, faults, rounds):
    assert [] == said(both_of(a_field(skills, faults, rounds)))


def test_of_bots_that_are_alike_some_seem_turned_by_chance_and_none_is_told():
    skills = {"a": 25, "b": 25, "c": 25, "d": 25, "e": 31, "f": 19}
    both = both_of(a_field(skills, {"a": 0.4, "c": 0.4}, 12, seed=26))
    every, clean = (GameBoard(of["stellar"]) for of in both)
    seems = [
        (above[0], below[0])
        for above, below in permutations(clean.fit.bots, 2)
        if not clean.is_open(*map(clean.fit.bots.index, (above, below)))
        and not every.is_open(*map(every.fit.bots.index, (below, above)))
    ]
    assert [("a", "b"), ("a", "d"), ("c", "b")] == seems
    assert [] == said(both)


def test_an_order_that_faults_have_surely_turned_is_told_with_the_command_that_shows_it():
    both = both_of(a_field({"a": 29, "b": 25, "c": 20}, {"a": 0.4}, 40))
    text = "without faults a is above b; with them it is below"
    command = "ladder leaderboard --game stellar --columns mu,clean,played --seats 2"
    assert [(text, command)] == said(both, " --seats 2 --clean")
    board = GameBoard(both.clean["stellar"], {("a", "a-1")})
    assert [] == clean_notes(both, board, {}, ""), "a bot that is not on the board has no place below it"
