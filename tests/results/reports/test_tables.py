"""Rows for the eye and for other programs."""

import csv
import json

import pyarrow.parquet as pq
import pytest
from support.records import a_match, a_seat

from results.rating.standings import Standing
from results.rating.tally import Tally
from results.record import Block
from results.reports import export
from results.reports.head_to_head import Meetings
from results.reports.render import Column, escape, render
from results.reports.tables import (
    FAULTS_NEED,
    GAME,
    LEADERBOARD,
    MATCHES,
    MATCHES_NEED,
    MATRIX,
    faults,
    grid,
    label_matches,
    label_rows,
    leaderboard,
    matches,
    matrix,
)
from results.storage import schema


def standing(bot, mu=25.0, sigma=1.0, **fields):
    return Standing("stellar", bot, f"{bot}-1", mu, sigma, **{"matches": 2, "wins": 1, "losses": 1, **fields})


LARGE = {"matches": 2, "wins": 0, "losses": 0, "rank_sum": 5}


def headings(text):
    return [heading.strip() for heading in text.splitlines()[0].split("  ") if heading.strip()]


# --- rendering

COLUMNS = [Column("name", "name"), Column("count", "count", right=True, always=False)]


def test_a_name_that_looks_like_a_number_stays_as_it_is():
    rows = [{"name": "1e5", "count": 1}, {"name": "007", "count": 22}]
    assert "name      count\n------  -------\n1e5           1\n007          22\n" == render(
        rows, COLUMNS, "table"
    )


def test_markdown_cells_cannot_break_their_table():
    text = render([{"name": "a|b\nc", "count": 1}], COLUMNS, "md")
    assert ["| a\\|b\\\\nc |       1 |"] == text.splitlines()[2:]


@pytest.mark.parametrize("form", ["table", "md", "csv", "json"])
def test_control_characters_are_shown_escaped(form):
    hostile = "\x1b[31m\x9b2Jred\r\n\u202e\x00"
    text = render([{"name": hostile, "count": 1}], COLUMNS, form)
    assert text.replace("\n", "").isprintable()


def test_plain_text_stays_as_it_is():
    assert "Ünï ★ 名前" == escape("Ünï ★ 名前")


def test_json_is_a_list_of_rows_with_every_column():
    rows = [{"name": "a", "count": None}]
    assert rows == json.loads(render(rows, COLUMNS, "json"))


def test_csv_quotes_what_needs_it_and_has_every_column():
    rows = [{"name": 'a,"b"', "count": None}]
    text = render(rows, COLUMNS, "csv")
    assert [["name", "count"], ['a,"b"', ""]] == list(csv.reader(text.splitlines()))


def test_a_column_that_is_empty_for_everybody_is_left_out_of_tables():
    assert ["name"] == headings(render([{"name": "a", "count": None}], COLUMNS, "table"))
    assert ["name", "count"] == headings(render([{"name": "a", "count": 0}], COLUMNS, "table"))


@pytest.mark.parametrize(("form", "lines"), [("table", 2), ("md", 2), ("csv", 1), ("json", 1)])
def test_no_rows_are_a_table_too(form, lines):
    assert lines == len(render([], COLUMNS, form).splitlines())


# --- leaderboard


def test_a_leaderboard_is_sorted_by_score_and_then_by_name():
    rows = leaderboard(
        [standing("c", 25), standing("b", 25), standing("a", 30, 3.0), standing("d", 26)], "stellar"
    )
    assert ["d", "b", "c", "a"] == [row["bot"] for row in rows]
    assert [1, 2, 3, 4] == [row["rank"] for row in rows]
    assert [23.0, 22.0, 22.0, 21.0] == [row["score"] for row in rows]


def test_a_leaderboard_row_has_exactly_these_keys():
    keys = "game rank bot version score mu sigma matches wins draws losses mean_rank mean_score faults"
    keys += " ms_per_move"
    (row,) = leaderboard([standing("a")], "stellar")
    assert keys.split() == list(row)
    columns = [GAME, *LEADERBOARD]
    assert keys.split() == [column.key for column in columns]
    assert keys.split() == list(json.loads(render([row], columns, "json"))[0])


def test_other_games_are_not_on_the_leaderboard():
    assert [] == leaderboard([standing("a")], "stella")


def test_means_are_per_match_and_per_decision():
    fields = {"scored": 2, "score_sum": 15, "decisions": 4, "think_us": 10_000}
    (row,) = leaderboard([standing("a", **fields)], "stellar")
    assert (7.5, 2.5, None) == (row["mean_score"], row["ms_per_move"], row["mean_rank"])


def test_wins_are_for_tables_of_two_and_mean_ranks_for_larger_ones():
    two, four = (leaderboard([standing("a", **fields)], "stellar") for fields in ({}, LARGE))
    assert (1, 0, 1, None) == tuple(two[0][key] for key in ("wins", "draws", "losses", "mean_rank"))
    assert (None, None, None, 2.5) == tuple(four[0][key] for key in ("wins", "draws", "losses", "mean_rank"))
    assert "mean rank" not in headings(render(two, LEADERBOARD, "table"))
    assert "wins" not in headings(render(four, LEADERBOARD, "table"))
    assert {"mean rank", "wins"} <= set(headings(render([*two, *four], LEADERBOARD, "table")))


def test_faults_are_counts_in_json_and_words_in_tables():
    rows = leaderboard([standing("a", faults={"crash": 1, "timeout": 2}), standing("b", 20)], "stellar")
    assert [{"crash": 1, "timeout": 2}, {}] == [
        row["faults"] for row in json.loads(render(rows, LEADERBOARD, "json"))
    ]
    assert "2 timeout, 1 crash" in render(rows, LEADERBOARD, "table")
    assert "2 timeout, 1 crash" in render(rows, LEADERBOARD, "csv")
    assert "-" in render(rows, LEADERBOARD, "table").splitlines()[-1].split()


# --- matches and meetings


def table_of(*rows):
    return schema.matches_table(rows, schema.select_columns(MATCHES_NEED))


def test_a_match_is_told_by_its_places():
    seats = [a_seat(rank=2, score=None, fault="timeout"), a_seat("beta", 1, score=12)]
    (row,) = matches(table_of(a_match(5, seats=seats)))
    assert ("1/5", "stellar", 2, 6, 12.345) == tuple(
        row[key] for key in ("match", "game", "block", "decisions", "ms")
    )
    assert ["alpha", "beta"] == [seat["bot"] for seat in row["seats"]]
    assert "1. beta 12, 2. alpha (timeout)" in render([row], MATCHES, "table")


def test_a_fault_has_the_game_of_its_match():
    played = schema.matches_table([a_match(5), a_match(6)], schema.select_columns(FAULTS_NEED))
    rows = faults([{"run": 1, "number": 6, "bot": "a"}, {"run": 1, "number": 7, "bot": "b"}], played)
    assert [("stellar", "a"), (None, "b")] == [(row["game"], row["bot"]) for row in rows]


MET = [
    Meetings("a", "a-1", "b", "b-1", 4, 2, 1, 1, 0.5),
    Meetings("b", "b-1", "a", "a-1", 4, 1, 1, 2, -0.5),
]


def test_a_matrix_has_a_row_for_each_pair():
    rows = matrix(MET, "stellar")
    assert [column.key for column in (GAME, *MATRIX)] == list(rows[0])
    assert {"stellar"} == {row["game"] for row in rows}
    assert "-0.50" in render(rows, MATRIX, "table")


def test_a_grid_has_a_row_and_a_column_for_each_bot():
    lines = [line.split() for line in render(*grid(MET, {}), "table").splitlines()]
    assert [["a", "b"], ["a", "2-1-1"], ["b", "1-1-2"]] == [lines[0], *lines[2:]]


BOTH = [
    Meetings("a", "a-1", "a", "a-2", 1, 1, 0, 0, None),
    Meetings("a", "a-2", "a", "a-1", 1, 0, 0, 1, None),
]


def test_a_grid_names_versions_where_a_bot_has_two():
    assert ["a@a-1", "a@a-2"] == [row[""] for row in grid(BOTH, {})[0]]
    rows, columns = grid(BOTH, {("a", "a-1"): 2, ("a", "a-2"): 1})
    assert ["a@1", "a@2"] == [row[""] for row in rows]
    assert ["", "a@1", "a@2"] == [column.title for column in columns]


def test_rows_for_people_have_labels_and_those_for_programs_stay():
    seats = [a_seat("alpha", version="v1"), a_seat("alpha", 2, version="v2")]
    rows = matches(table_of(a_match(5, seats=seats)))
    shown = label_matches(rows, {("alpha", "v1"): 1, ("alpha", "v2"): 2})
    assert "1. alpha@1 10, 2. alpha@2 9" in render(shown, MATCHES, "table")
    assert "1. alpha 10, 2. alpha 9" in render(rows, MATCHES, "table")
    board = label_rows([{"bot": "a", "version": "v1"}, {"bot": "a", "version": "v2"}], {("a", "v2"): 7})
    assert ["a@v1", "a@7"] == [row["bot"] for row in board]


# --- export

PLAYED = [
    a_match(0),
    a_match(1, ("b", "a", "c"), (1, 2, 2)),
    a_match(2, seats=[a_seat(score=None, fault="crash", cpu_us=None, think_us=[]), a_seat("beta", 2)]),
]


def test_an_export_per_match_has_one_flat_row_a_match():
    rows = export.flatten(schema.matches_table(PLAYED), "match").to_pylist()
    assert 3 == len(rows)
    assert ("b a c", "1 2 2", "10 9 9", 9) == tuple(
        rows[1][key] for key in ("bots", "ranks", "scores", "decisions")
    )
    assert "crash -" == rows[2]["faults"]


def test_an_export_per_seat_has_one_flat_row_a_seat():
    rows = export.flatten(schema.matches_table(PLAYED), "seat").to_pylist()
    assert [(0, 0), (0, 1), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1)] == [
        (row["number"], row["seat"]) for row in rows
    ]
    assert ("a", 2, "b c", 0.42, 0.4) == tuple(
        rows[3][key] for key in ("bot", "rank", "opponents", "think_ms", "cpu_ms")
    )
    assert (None, "crash", 0.0, None, 2) == tuple(
        rows[5][key] for key in ("score", "fault", "think_ms", "cpu_ms", "seats")
    )


def test_an_export_of_a_slice_tells_the_times_of_the_slice():
    rows = export.flatten(
        schema.matches_table([a_match(0, seats=[a_seat(think_us=[9])]), *PLAYED]).slice(1), "seat"
    ).to_pylist()
    assert [0.42] * 5 + [0.0, 0.42] == [row["think_ms"] for row in rows]


@pytest.mark.parametrize("per", ["match", "seat"])
@pytest.mark.parametrize("suffix", [".parquet", ".csv"])
def test_an_export_is_a_file_of_its_suffix(tmp_path, per, suffix):
    table = export.flatten(schema.matches_table(PLAYED), per)
    path = tmp_path / f"out{suffix}"
    export.write(table, path)
    if suffix == ".csv":
        assert [table.column_names] == list(csv.reader(path.read_text().splitlines()))[:1]
    else:
        assert table.equals(pq.read_table(path))
    assert [path] == list(tmp_path.iterdir())


def test_an_export_of_another_suffix_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"\.parquet or \.csv, got: 'out\.xlsx'"):
        export.write(export.flatten(schema.matches_table(PLAYED), "match"), tmp_path / "out.xlsx")


def test_nothing_exports_to_no_rows():
    assert 0 == len(export.flatten(schema.matches_table([]), "match"))
    assert 0 == len(export.flatten(schema.matches_table([]), "seat"))


def test_a_leaderboard_follows_from_matches():
    tally = Tally()
    tally.add(Block(0, [a_match()], []))
    standings = tally.total().standings().values()
    assert ["alpha", "beta"] == [row["bot"] for row in leaderboard(standings, "stellar")]
