"""The pairs of a leaderboard."""

import json
from itertools import combinations

import pytest
from support.boards import rate_results, record_draws, record_wins

from results.reports.board_document import pairs_section
from results.reports.document import GAME
from results.reports.doubts import PAIRS, pairs
from results.reports.leaderboard import GameBoard
from results.reports.render import render


@pytest.fixture(scope="module")
def board():
    field = [
        result for a, b in combinations("abcd", 2) for result in record_wins(a, b, 30) + record_wins(b, a, 15)
    ]
    return GameBoard(rate_results(field))


def test_a_pair_has_its_better_bot_first_and_what_the_fit_knows_of_both(board):
    rows = pairs(board)
    assert [*combinations("abcd", 2)] == [(row["bot"], row["rival"]) for row in rows]
    bots = board.fit.bots
    for row in rows:
        i, j = bots.index((row["bot"], row["version"])), bots.index((row["rival"], row["rival_version"]))
        assert board.fit.difference(i, j) == (row["difference"], row["se"])
        assert board.fit.interval_of_difference(i, j) == (row["low"], row["high"])
        assert row["difference"] >= 0
        assert pytest.approx(1.96 * row["se"]) == row["margin"]
        assert board.fit.p_above(i, j) == row["p_above"] >= 0.5
        assert row["told_apart"] == (row["difference"] > row["margin"]) == (row["low"] > 0)


def test_a_row_has_exactly_the_columns_for_programs(board):
    rows = pairs(board)
    assert [column.key for column in (GAME, *PAIRS)] == list(rows[0])
    assert rows == json.loads(render(rows, [GAME, *PAIRS], "json"))


def test_only_the_first_bots_are_paired_if_so_wanted(board):
    assert [("a", "b")] == [(row["bot"], row["rival"]) for row in pairs(board, 2)]
    assert 6 == len(pairs(board, 100))


def test_a_table_begins_with_the_pairs_that_are_least_sure(board):
    (table,) = pairs_section("stellar", pairs(board)).parts
    assert sorted(row["p_above"] for row in pairs(board)) == [row["p_above"] for row in table.rows]
    (words,) = lines_of((record_wins("a", "b") + record_wins("b", "a")) * 30)
    assert ["a", "b", "0.0", "50.0", "%", "open"] == [*words[:3], *words[4:]]
    (words,) = lines_of(record_wins("a", "b", 200))
    assert ["a", "b", ">=", ">99.9", "%", "told", "apart"] == [*words[:3], *words[4:]]


def test_nobody_is_likely_above_another_in_a_cycle_or_where_all_was_drawn(board):
    (words,) = lines_of(record_draws("a", "b", 60))
    assert ["a", "b", "0.0", "open"] == [*words[:3], *words[4:]]
    results = [each for a, b in ("ab", "bc", "ca") for each in record_wins(a, b, 4) + record_wins(b, a)] * 20
    chances = [row["p_above"] for row in pairs(GameBoard(rate_results(results + record_wins("a", "d", 60))))]
    assert 3 == chances.count(None)
    assert 3 == len([chance for chance in chances if chance])


def test_where_matches_are_few_one_note_stands_in_place_of_likelihoods(board):
    table, note = pairs_section("stellar", pairs(board), "few matches").parts
    assert "p_above" not in [column.key for column in table.columns]
    assert "few matches" == note.text


def lines_of(results):
    (table,) = pairs_section("stellar", pairs(GameBoard(rate_results(results)))).parts
    return [line.split() for line in render(table.rows, table.columns, "table").splitlines()[2:]]


def test_of_pairs_that_never_met_a_line_says_how_many_and_the_table_has_none():
    board = GameBoard(rate_results(record_wins("a", "b", 90) + record_wins("c", "d", 80)))
    rows = pairs(board)
    for row in rows:
        met = (row["bot"], row["rival"]) in (("a", "b"), ("c", "d"))
        assert met == row["told_apart"] == (row["low"] is not None)
        assert [met, met] == [row[key] is not None for key in ("difference", "p_above")]
        assert row["margin"] is row["se"] is row["high"] is None
    table, line = pairs_section("stellar", rows).parts
    assert [("c", "d"), ("a", "b")] == [
        (row["bot"], row["rival"]) for row in table.rows
    ]  # the less sure first
    assert line.text.startswith("4 more pairs never compared")


def test_within_a_pair_the_higher_rated_is_first_also_if_it_has_too_few_matches_for_a_place():
    field = [result for a, b in combinations("abcd", 2) for result in record_wins(a, b, 90)]
    board = GameBoard(rate_results([*field, *record_wins("new", "a", 9)]))
    assert "new" == pairs(board)[3]["bot"]
    assert all(row["difference"] >= 0 for row in pairs(board))


@pytest.mark.parametrize("wins", [5, 6, 60])
def test_a_bound_is_told_with_the_end_alone(wins):
    (row,) = pairs(GameBoard(rate_results(record_wins("a", "b", wins))))
    assert row["high"] is row["margin"] is row["se"] is None
    assert row["told_apart"] == (row["low"] > 0) == (wins > 5)
    (words,) = lines_of(record_wins("a", "b", wins))
    assert [">=", f"{row['low']:.1f}"] == words[2:4]
