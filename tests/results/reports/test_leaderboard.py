"""The leaderboard of a game: order, places, intervals."""

import csv
import io
import json
import re
from dataclasses import replace
from itertools import combinations
from math import sqrt
from random import Random

import pytest
from support.boards import rate_results, record_draws, record_wins

from results.rating.fit import fit
from results.rating.outcomes import Counts
from results.reports.board_document import ShownBoard, alike_rows, board_table
from results.reports.board_notes import board_notes
from results.reports.document import GAME
from results.reports.intervals import (
    interval_of_beaten,
    interval_of_mean,
    interval_of_share,
    span_of,
    value_of,
)
from results.reports.leaderboard import (
    LATER,
    LEADERBOARD,
    SHOWN,
    GameBoard,
    leaderboard,
    leaderboard_table,
    legend,
    title,
)
from results.reports.render import render

ROUND = [
    result for a, b in combinations("abcd", 2) for result in record_wins(a, b, 30) + record_wins(b, a, 10)
]
"""a beats b, c and d three times as often as they beat it; and so on: all are told apart or nearly."""
ENDS = ("", "_low", "_high")

RATING = value_of("mu", "mu_")


def board_of(results):
    return GameBoard(rate_results(results))


def rows_of(results):
    return leaderboard(board_of(results))


def by_bot(results):
    return {row["bot"]: row for row in rows_of(results)}


# --- order and places


def test_the_order_is_that_of_the_ratings_and_then_of_the_names():
    assert ["a", "b", "c", "d"] == [row["bot"] for row in rows_of(ROUND)]
    assert [1, 2, 3, 4] == [row["rank"] for row in rows_of(ROUND)]
    assert ["a", "b"] == [row["bot"] for row in rows_of(record_draws("b", "a", 60))]


def test_a_place_counts_the_bots_that_are_surely_above_and_surely_below():
    board = board_of(ROUND)
    for row in leaderboard(board):
        i = board.fit.bots.index((row["bot"], row["version"]))
        others = [j for j in board.ranked if j != i]
        assert 1 + sum(board.fit.surely_above(j, i) for j in others) == row["rank_low"]
        assert 4 - sum(board.fit.surely_above(i, j) for j in others) == row["rank_high"]
    table = leaderboard(board_of(record_wins("a", "b", 60)))
    assert ["1", "2"] == [line.split()[0] for line in render(table, SHOWN, "table").splitlines()[2:]]
    table = leaderboard(board_of(record_draws("a", "b", 60)))
    assert ["1-2", "1-2"] == [line.split()[0] for line in render(table, SHOWN, "table").splitlines()[2:]]


def test_two_bots_are_told_apart_by_the_interval_of_their_difference_and_by_nothing_else():
    """Their own intervals may overlap, and their own intervals may not: only the covariance says it."""
    known = rate_results(record_wins("a", "b", 55) + record_wins("b", "a", 45))
    fit = replace(known.fit, mu=(26.0, 25.0))
    together = ((1.0, 0.9), (0.9, 1.0))  # the difference has a variance of 0.2: 1 / 0.447 = 2.24
    against = ((0.15, -0.15), (-0.15, 0.15))  # 0.6: 1 / 0.775 = 1.29, though 1.96 sigma is 0.76
    for covariance, told in ((together, True), (against, False)):
        board = GameBoard(replace(known, fit=replace(fit, covariance=covariance)))
        assert told != board.is_open(0, 1)
        assert [(1, 1), (2, 2)] == [*board.places.values()] if told else [(1, 2), (1, 2)]
        assert told != any("not separated" in note.text for note in board_notes(board, {}))


def test_the_margin_is_a_95_percent_interval():
    board = board_of(ROUND)
    for row in leaderboard(board):
        assert pytest.approx(1.96 * row["sigma"]) == row["margin"]
        assert pytest.approx(row["mu"] - 3 * row["sigma"]) == row["score"]


# --- who is ranked


def test_a_bot_with_fewer_matches_than_50_stands_below_a_line():
    results = ROUND * 2 + record_wins("new", "a", 49)
    *ranked, new = rows_of(results)
    assert ["a", "b", "c", "d"] == [row["bot"] for row in ranked]
    assert ("new", None, None, None) == (new["bot"], new["rank"], new["rank_low"], new["rank_high"])
    assert new["mu"] > ranked[0]["mu"]
    assert [4, 4] == [ranked[-1]["rank"], ranked[-1]["rank_high"]]  # the newcomer counts in no place
    assert "new" == rows_of([*results, *record_wins("new", "a")])[0]["bot"]


def test_in_a_young_ladder_half_the_mean_number_of_matches_is_enough():
    results = record_wins("a", "b", 10) + record_wins("b", "c", 10) + record_wins("c", "d", 4)
    assert 6 == board_of(results).floor  # 48 seats of 4 bots: 12 on average
    assert ["a", "b", "c", "d"] == [row["bot"] for row in rows_of(results)]
    assert [1, 2, 3, None] == [row["rank"] for row in rows_of(results)]


# --- intervals of win rates and mean places


def test_the_interval_of_a_share_is_wilsons():
    # Newcombe, Two-sided confidence intervals for the single proportion, 1998, table I, method 3
    assert pytest.approx((0.2553, 0.3662), abs=1e-4) == interval_of_share(81 / 263, 263)
    assert pytest.approx((0.0624, 0.1605), abs=1e-4) == interval_of_share(15 / 148, 148)
    assert pytest.approx((0, 0.1611), abs=1e-4) == interval_of_share(0.0, 20)


def test_a_draw_is_half_a_win():
    row = by_bot(record_wins("a", "b", 30) + record_draws("a", "b", 20) + record_wins("b", "a", 10))["a"]
    assert (30, 20, 10, 40 / 60) == tuple(row[key] for key in ("wins", "draws", "losses", "win_rate"))
    low, high = interval_of_share(40 / 60, 60 * row["matches_worth"] / row["matches"])
    assert (low, high) == (row["win_rate_low"], row["win_rate_high"])
    assert (None, None, None) == (row["mean_rank"], row["mean_rank_low"], row["mean_rank_high"])


def test_of_two_the_share_of_seats_that_a_bot_beat_is_that_of_its_wins():
    for row in rows_of(record_wins("a", "b", 30) + record_draws("a", "b", 20) + record_wins("b", "a", 10)):
        assert tuple(row["win_rate" + end] for end in ENDS) == tuple(row["beaten" + end] for end in ENDS)


def test_of_more_each_other_seat_weighs_the_same_and_a_tie_half():
    rows = by_bot([(("a", "b", "c", "d"), (1, 2, 2, 4)), (("b", "a"), (1, 2)), (("b", "a"), (1, 2))])
    # a beat 3 of 3, 0 of 1 and 0 of 1; b beat 1.5 of 3, and 1 of 1 twice
    assert {"a": 3 / 5, "b": 3.5 / 5, "c": 1.5 / 3, "d": 0} == {
        bot: row["beaten"] for bot, row in rows.items()
    }
    assert all(0 <= row["beaten_low"] < row["beaten_high"] <= 1 for row in rows.values())


def test_at_tables_of_one_size_its_interval_is_that_of_a_mean_place():
    ordered = [(("a", "b", "c", "d"), (1, 2, 3, 4)), (("b", "a", "d", "c"), (1, 2, 3, 4))] * 40
    for row in rows_of(ordered):
        ends = [(4 - row["mean_rank" + end]) / 3 for end in ("_high", "", "_low")]
        assert pytest.approx(ends) == [row["beaten" + end] for end in ("_low", "", "_high")]


@pytest.mark.parametrize("sizes", [(2, 4), (3, 5)])
def test_the_interval_of_beaten_seats_holds_over_table_sizes(sizes):
    random, hits, worlds = Random(sum(sizes)), 0, 400
    for _ in range(worlds):
        matches = [(size, random.randint(0, size - 1)) for _ in range(30) for size in sizes]
        beaten, rivals = sum(beat for _, beat in matches), sum(size - 1 for size, _ in matches)
        residual = sum((beat - beaten / rivals * (size - 1)) ** 2 for size, beat in matches)
        low, high = interval_of_beaten(beaten / rivals, residual, rivals, max(sizes), 1.0)
        hits += low <= 0.5 <= high
    assert 0.93 < hits / worlds < 0.975


def test_a_mean_place_has_an_interval_that_narrows_with_matches():
    few = [(("a", "b", "c", "d"), (1, 2, 3, 3)), (("b", "a", "d", "c"), (1, 2, 3, 4))]
    rows = by_bot(few * 50)
    assert (1.5, None, None) == (rows["a"]["mean_rank"], rows["a"]["wins"], rows["a"]["win_rate"])
    low, high = rows["a"]["mean_rank_low"], rows["a"]["mean_rank_high"]
    assert 1.38 < low < 1.42 < 1.58 < high < 1.62  # 1.5 +- 1.96 * 0.5 / 10, and a little more
    low, high = interval_of_mean(1, 1, 1, 4, 1.0)  # one match says little
    assert 1.0 == low < 3 < high < 4
    wide = interval_of_mean(250, 750, 100, 4, 1.0)
    wider = interval_of_mean(250, 750, 100, 4, 4.0)
    assert pytest.approx(2 * (wide[1] - 2.5)) == wider[1] - 2.5
    assert pytest.approx(1.96 * sqrt((125 + 1.25) / 100) / 10) == wide[1] - 2.5


# --- extreme results


@pytest.mark.parametrize(
    "results",
    [
        record_wins("a", "b"),
        record_draws("a", "b"),
        record_draws("a", "b", 500),
        record_wins("a", "b", 500),
        [(("a", "b", "c"), (1, 1, 1))] * 100,
        record_wins("a", "b", 60) + [(("c", "d", "e"), (1, 2, 3))] * 60,
    ],
    ids=["one match", "one draw", "all draws", "all won", "all tied", "one table size each"],
)
@pytest.mark.parametrize("form", ["table", "md", "csv", "json"])
def test_every_ladder_has_a_table(results, form):
    board = board_of(results)
    rows = leaderboard(board)
    for row in rows:
        assert row["rank_low"] <= row["rank"] <= row["rank_high"]
        ends = [row["mu_low"], row["mu_high"]]
        assert (row["margin"] is None) == (None in ends)
        assert row["margin"] is None or 0 <= row["margin"] < 50  # at most 1.96 times the sd of the prior
        assert (row["score"] is None) == (ends[0] is None)
    text = render(rows, [GAME, *LEADERBOARD] if form in ("csv", "json") else SHOWN, form)
    assert all(row["bot"] in text for row in rows)
    assert all(note.text for note in board_notes(board, {}))


def test_who_won_or_lost_all_has_only_the_end_that_matches_set():
    board = board_of(record_wins("a", "b", 40) + record_wins("b", "c", 30) + record_wins("c", "b", 28))
    best, second, _ = leaderboard(board)
    assert ("a", None, None) == (best["bot"], best["mu_high"], best["margin"])
    assert best["mu"] - 1.96 * best["sigma"] == pytest.approx(best["mu_low"])
    assert best["mu"] - 3 * best["sigma"] == pytest.approx(best["score"])
    assert (best["mu_low"], ">= ") == (RATING(best).number, RATING(best).sign)
    assert (second["mu"], "") == (RATING(second).number, RATING(second).sign)
    line = render([best, second], SHOWN, "table").splitlines()[2]
    assert ["1", "a", ">=", f"{best['mu_low']:.1f}", "40"] == line.split()[:5]
    assert "+- and places (#) are 95 % intervals; >= and <= are the only end of one" == legend([best, second])
    lost = leaderboard(board_of(record_wins("a", "c", 40) + ROUND))[-1]
    assert None not in (lost["mu_low"], lost["mu_high"])
    last = rows_of(record_wins("a", "c", 40) + record_wins("b", "c", 40) + ROUND[:40])[-1]
    assert ("<= ", None) == (RATING(last).sign, last["score"])


def test_of_two_bots_the_one_that_ratings_are_measured_from_has_no_margin():
    rows = rows_of(record_wins("a", "b", 40))
    assert [rows[0]["mu"]] * 2 == [rows[0]["mu_low"], rows[0]["mu_high"]]
    first, second = render(rows, SHOWN, "table").splitlines()[2:]
    assert ["1", "a", f"{rows[0]['mu']:.1f}", "40"] == first.split()[:4]
    assert ["2", "b", "<=", f"{rows[1]['mu_high']:.1f}", "40"] == second.split()[:5]
    assert "places (#) are 95 % intervals; >= and <= are the only end of one" == legend(rows)


def test_the_rows_that_a_page_marks_beside_one_are_those_that_its_place_leaves_open():
    board = board_of([*ROUND, *record_wins("a", "new", 2), *record_draws("x", "y", 60)])
    rows = leaderboard(board)
    marked = [{at for at in range(len(rows)) if alike >> at & 1} for alike in alike_rows(board, rows)]
    ranked = {at for at, row in enumerate(rows) if row["rank"]}
    assert 2 == sum(row["rank"] == 1 for row in rows), "two groups, of which neither marks the other"
    for at, row in enumerate(rows):
        assert at in marked[at]
        assert all(at in marked[other] for other in marked[at])
        if at in ranked:
            assert row["rank_high"] - row["rank_low"] + 1 == len(marked[at] & ranked)
    assert 1 < len(marked[[row["bot"] for row in rows].index("new")])


def test_groups_that_never_met_are_listed_apart_with_places_and_intervals_of_their_own():
    def even(bots):
        return [
            each for a, b in combinations(bots, 2) for each in record_wins(a, b, 60) + record_wins(b, a, 60)
        ]

    board = board_of(even("abc") + even("de") + record_wins("a", "new", 2))
    rows = leaderboard(board)
    assert [*"abcde", "new"] == [row["bot"] for row in rows]
    assert [1, 2, 3, 1, 2, None] == [row["rank"] for row in rows]
    assert [(1, 3)] * 3 + [(1, 2)] * 2 == [(row["rank_low"], row["rank_high"]) for row in rows[:5]]
    assert max(row["margin"] for row in rows[:5]) < 2.0
    table = board_table(ShownBoard(board, rows))
    assert [(3, "never met thos"), (5, "not yet ranked")] == [
        (each.row, each.text.split(":")[0].strip()[:14]) for each in table.dividers
    ]
    assert ["apart", "", "", "apart", "", "unranked"] == [*table.tones]
    assert [] == [*board_table(ShownBoard(board, rows[:3])).dividers]
    lines = render(rows, SHOWN, "table", table.dividers).splitlines()
    assert "never met" in lines[5]
    assert "not yet ranked" in lines[8]


def test_the_title_says_what_was_played():
    assert "stellar  2 seats, 60 matches, 2 bots" == title(board_of(record_wins("a", "b", 60)))
    mixed = board_of([*record_wins("a", "b", 1), (("a", "b", "c", "d"), (1, 2, 3, 4))])
    assert "stellar  2 to 4 seats, 2 matches, 4 bots" == title(mixed)


# --- forms


def test_a_row_has_exactly_the_columns_for_programs():
    (row, _) = rows_of(record_wins("a", "b", 60))
    assert [column.key for column in (GAME, *LEADERBOARD, *LATER)] == list(row)


def test_csv_and_json_carry_numbers_and_no_text_made_for_eyes():
    rows = rows_of(record_wins("a", "b", 55) + record_wins("b", "a", 45))
    text = render(rows, [GAME, *LEADERBOARD], "csv")
    for line in csv.DictReader(io.StringIO(text)):
        assert {} == json.loads(line.pop("faults_by_kind"))
        assert ("stellar", f"{line['bot']}-1") == (line.pop("game"), line.pop("version"))
        del line["bot"]
        assert all(value == "" or float(value) is not None for value in line.values())
    for row in json.loads(render(rows, [GAME, *LEADERBOARD, *LATER], "json")):
        assert {str, int, float, dict, type(None)} >= {type(value) for value in row.values()}


def test_a_leaderboard_is_a_pyarrow_table_too():
    rows = rows_of([*ROUND, (("a", "b", "c", "d"), (1, 2, 3, 4))])
    table = leaderboard_table(rows)
    assert [row["mu"] for row in rows] == table.column("mu").to_pylist()
    assert [1, 2, 3, 4] == table.column("rank").to_pylist()
    assert [column.key for column in (GAME, *LEADERBOARD, *LATER)] == table.column_names


def test_one_column_tells_the_success_at_all_table_sizes():
    for results in (record_wins("a", "b", 60), [(("a", "b", "c"), (1, 2, 3))] * 60):
        title = render(rows_of(results), SHOWN, "table").splitlines()[0]
        assert ["beaten % (95 %)"] == re.findall(r"beaten.*?\)|win %|mean place", title)


def test_a_version_is_shown_where_a_name_stands_twice():
    rows = rows_of(record_wins("a", "b", 60))
    again = [rows[0], {**rows[1], "bot": "a", "version": "v2"}]
    for shown, names in ((again, ["a@3", "a@v2"]), (rows, ["a", "b"])):
        lines = render(shown, SHOWN, "table", numbers={("a", "a-1"): 3}).splitlines()[2:]
        assert names == [line.split()[1] for line in lines]


def test_the_interval_of_a_bot_that_is_alone_is_unknown():
    """Ratings are differences, and it differs from none."""
    two = rate_results(record_wins("alpha", "beta", 5))
    before = two.fit.quadratic().marginal([("alpha", "alpha-1")])
    alone = GameBoard(replace(two, fit=fit(Counts(), two.parameters, before)))
    (row,) = leaderboard(alone)
    assert (25.0, None, None, None) == (row["mu"], row["margin"], row["sigma"], row["score"])
    assert None is span_of("mu", "mu_")(row)
    (stored,) = leaderboard_table([row]).to_pylist()
    assert None is stored["sigma"]
