"""The matrix of a game."""

from results.reports.document import GAME
from results.reports.intervals import interval_of_share
from results.reports.matrix import MATRIX, grid, matrix
from results.reports.render import render
from results.reports.survey import Meetings

A, B, C = (("a", "a-1"), ("b", "b-1"), ("c", "c-1"))
MET = [
    Meetings(*A, *B, 4, 2, 1, 1, 0.5),
    Meetings(*A, *C, 10, 10, 0, 0, None),
    Meetings(*B, *A, 4, 1, 1, 2, -0.5),
    Meetings(*C, *A, 10, 0, 0, 10, None),
]


def test_a_matrix_has_a_row_for_each_pair_in_the_order_of_the_leaderboard():
    rows = matrix(MET, "stellar", [C, A, B], 1.0)
    assert [("c", "a"), ("a", "c"), ("a", "b"), ("b", "a")] == [(row["bot"], row["rival"]) for row in rows]
    assert {column.key for column in (GAME, *MATRIX)} == rows[0].keys()
    assert "-0.5" in render(rows, MATRIX, "csv")


def test_only_wanted_bots_are_in_the_matrix():
    assert [("a", "b"), ("b", "a")] == [
        (row["bot"], row["rival"]) for row in matrix(MET, "stellar", [A, B], 1.0)
    ]


def test_a_share_has_its_interval_and_a_draw_is_half_a_win():
    row, *_ = matrix(MET, "stellar", [A, B, C], 1.0)
    assert 0.625 == row["win_rate"]
    assert interval_of_share(0.625, 4) == (row["win_rate_low"], row["win_rate_high"])
    row, *_ = matrix(MET, "stellar", [A, B, C], 2.0)  # a match is worth half an independent one
    assert interval_of_share(0.625, 2) == (row["win_rate_low"], row["win_rate_high"])


def test_a_grid_has_a_row_and_a_column_for_each_bot():
    order = [A, B, C]
    shown = grid(matrix(MET, "stellar", order, 1.0), order, "")
    lines = [line.split() for line in render(shown.rows, shown.columns, "table").splitlines()]
    assert ["#", "bot", "1", "2", "3"] == lines[0]
    assert ["1", "a", "-", "62", "22-91", "100", "72-100"] == lines[2]
    assert [["2", "b", "38", "9-78", "-"], ["3", "c", "0", "0-28", "-"]] == lines[3:]
