"""Rows for the eye and for other programs."""

import csv
import json

import pyarrow.parquet as pq
import pytest
import tabulate
from hypothesis import given
from hypothesis.strategies import booleans, characters, data, lists, text
from support.records import a_block, a_match, a_seat
from support.stores import begin_run, put, stored

from engines.contract.texts import wide_lines
from results.reports import export
from results.reports.document import Column, Divider
from results.reports.render import _lay_out, escape_json, render
from results.reports.row_sets import (
    FAULTS_NEED,
    MATCHES,
    MATCHES_NEED,
    faults,
    label_matches,
    matches,
    select_after,
)
from results.reports.values_as_text import UNSEEN, escape
from results.storage import schema
from results.storage.store import Store


def headings(text):
    return [heading.strip() for heading in text.splitlines()[0].split("  ") if heading.strip()]


# --- rendering

COLUMNS = [Column("name", "name"), Column("count", "count", right=True, always=False)]


def test_prose_is_folded_between_words_where_no_terminal_says_how_much_room_there_is():
    prose = "a-long-word " * 20
    columns = [Column("name", "name"), Column("text", "text", fold=True)]
    lines = render([{"name": "x", "text": prose.strip()}], columns, "table").splitlines()
    assert [] == wide_lines(lines, 80)
    assert len(lines) > 5
    assert {"a-long-word"} == set(" ".join(lines[2:]).split()) - {"x"}
    for form in ("csv", "md"):
        assert prose.strip() in render([{"name": "x", "text": prose.strip()}], columns, form)


@pytest.mark.parametrize("begin", ["=", "+", "-", "@", "\t", "\r", "\uff1d", "\uff0d"])
def test_text_that_a_spreadsheet_would_compute_begins_with_an_apostrophe_in_csv(begin):
    name = f'{begin}HYPERLINK("http://x","y")'
    (_, cells) = csv.reader(render([{"name": name, "count": -1.5}], COLUMNS, "csv").splitlines())
    assert [f"'{escape(name)}", "-1.5"] == cells
    assert name in json.loads(render([{"name": name, "count": 1}], COLUMNS, "json"))[0]["name"]
    (_, cells) = csv.reader(render([{"name": f"a{name}", "count": -2}], COLUMNS, "csv").splitlines())
    assert [escape(f"a{name}"), "-2"] == cells


def test_json_shows_nothing_that_cannot_be_seen_and_means_the_same():
    text = "".join(map(chr, (*range(0xD800), *range(0xE000, 0x110000))))
    unseen = [*"\x1b\x7f\x9b\xad\u061c\u202e\u2066\ufe0f\ufeff\U000e0100"]
    assert set(unseen) <= set(UNSEEN.findall(text))
    for whole in (json.dumps(text), json.dumps(text, ensure_ascii=False)):
        assert [] == UNSEEN.findall(escape_json(whole))
        assert text == json.loads(escape_json(whole))
    for form in ("json", "csv"):
        assert [] == UNSEEN.findall(render([{"name": "".join(unseen), "count": unseen}], COLUMNS, form))


def test_a_name_that_looks_like_a_number_stays_as_it_is():
    rows = [{"name": "1e5", "count": 1}, {"name": "007", "count": 22}]
    assert "name  count\n----  -----\n1e5       1\n007      22\n" == render(rows, COLUMNS, "table")


def test_names_in_any_script_line_up():
    rows = [{"name": "名前", "count": 1}, {"name": "ab", "count": 2}]
    assert ["名前      1", "ab        2"] == render(rows, COLUMNS, "table").splitlines()[2:]


SIMPLE = text(characters(codec="ascii", categories=["L", "N", "P", "S", "Zs"]), max_size=12)


@given(data())
def test_a_simple_table_has_the_lines_that_tabulate_would_make(drawn):
    columns = [
        Column("", title, right=drawn.draw(booleans())) for title in drawn.draw(lists(SIMPLE, min_size=1))
    ]
    row = lists(SIMPLE, min_size=len(columns), max_size=len(columns))
    cells = drawn.draw(lists(row, min_size=1, max_size=4))
    tabulate.MIN_PADDING = 0
    expected = tabulate.tabulate(
        cells,
        headers=[column.title for column in columns],
        tablefmt="simple",
        disable_numparse=True,
        preserve_whitespace=True,
        colalign=["right" if column.right else "left" for column in columns],
    )
    assert [line.rstrip() for line in expected.splitlines()] == _lay_out(cells, columns)


def test_a_divider_stands_before_its_row_in_a_table_and_in_no_other_form():
    rows = [{"name": name, "count": None} for name in "abc"]
    shown = render(rows, COLUMNS, "table", [Divider(2, "the rest")])
    assert ["name", "----", "a", "b", "the rest", "c"] == shown.splitlines()
    assert ["the rest"] == render([], COLUMNS, "table", [Divider(0, "the rest")]).splitlines()[2:]
    assert "the rest" not in render(rows, COLUMNS, "md", [Divider(2, "the rest")])


def test_an_extra_column_is_for_wide_terminals_and_programs():
    columns = [*COLUMNS, Column("more", "more", extra=True)]
    rows = [{"name": "a", "count": 1, "more": 2}]
    assert "more" not in render(rows, columns, "table") + render(rows, columns, "md")
    assert "more" in render(rows, columns, "csv")


def test_a_drawn_column_is_drawn_at_once():
    column = Column("x", "x", draw=lambda values, width: [f"{x}/{max(values)}/{width}" for x in values])
    assert ["1/2/40", "2/2/40"] == render([{"x": 1}, {"x": 2}], [column], "table").splitlines()[2:]


@pytest.mark.parametrize(
    ("name", "cell"),
    [("a|b\nc", "a\\|b\\\\nc"), ("![x](y) <b onclick=z>", "!\\[x](y) \\<b onclick=z>")],
    ids=["what would end it", "a link, an image, HTML"],
)
def test_a_markdown_cell_holds_plain_text_alone(name, cell):
    assert [f"| {cell} |     1 |"] == render([{"name": name, "count": 1}], COLUMNS, "md").splitlines()[2:]


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


def test_csv_quotes_what_needs_it_has_every_column_and_nested_values_as_json():
    rows = [{"name": 'a,"b"', "count": None}, {"name": {"late": 2, "crash": 1}, "count": [1]}]
    cells = list(csv.reader(render(rows, COLUMNS, "csv").splitlines()))
    assert [["name", "count"], ['a,"b"', ""], ['{"late": 2, "crash": 1}', "[1]"]] == cells


def test_a_column_that_is_empty_for_everybody_is_left_out_of_tables():
    assert ["name"] == headings(render([{"name": "a", "count": None}], COLUMNS, "table"))
    assert ["name", "count"] == headings(render([{"name": "a", "count": 0}], COLUMNS, "table"))


@pytest.mark.parametrize(("form", "lines"), [("table", 2), ("md", 2), ("csv", 1), ("json", 1)])
def test_no_rows_are_a_table_too(form, lines):
    assert lines == len(render([], COLUMNS, form).splitlines())


# --- matches and faults


def table_of(*rows):
    return schema.matches_table(rows, schema.select_columns(MATCHES_NEED))


def test_a_match_is_told_by_its_places():
    seats = [a_seat(rank=2, score=None, fault="timeout"), a_seat("beta", 1, score=12)]
    (row,) = matches(table_of(a_match(5, seats=seats)))
    assert ("1/5", "stellar", 2, 6, 12.345) == tuple(
        row[key] for key in ("match", "game", "block", "decisions", "ms")
    )
    assert ["alpha", "beta"] == [seat["bot"] for seat in row["seats"]]
    assert "beta wins: alpha timed out" in render([row], MATCHES, "table")


def after(contents, run, number, limit=100):
    rows = select_after(contents, run, number, limit)
    return [*zip(rows.column("run").to_pylist(), rows.column("number").to_pylist(), strict=True)]


def test_matches_after_one_come_in_order_and_from_the_runs_behind_it(tmp_path):
    stored(tmp_path, *map(a_block, range(3)))
    stored(tmp_path, *(a_block(number, run=2) for number in range(2)), run=2)
    contents, everything = (
        Store(tmp_path).contents(),
        [*((1, n) for n in range(6)), *((2, n) for n in range(4))],
    )
    assert everything == after(contents, 0, 0)
    for place, (run, number) in enumerate(everything):
        assert everything[place + 1 :] == after(contents, run, number)
        assert everything[place + 1 :][:2] == after(contents, run, number, 2)
    assert [] == after(contents, 9, 0)


def test_matches_behind_a_missing_block_wait_for_it(tmp_path):
    with begin_run(Store(tmp_path), 0, 2) as store:
        assert [(1, 0), (1, 1)] == after(store.contents(), 0, 0)
        put(store, 1)
        assert [(1, n) for n in range(2, 6)] == after(store.contents(), 1, 1)


def test_a_fault_has_the_game_of_its_match():
    played = schema.matches_table([a_match(5), a_match(6)], schema.select_columns(FAULTS_NEED))
    rows = faults([{"run": 1, "number": 6, "bot": "a"}, {"run": 1, "number": 7, "bot": "b"}], played)
    assert [("stellar", "a"), (None, "b")] == [(row["game"], row["bot"]) for row in rows]


def test_rows_for_people_have_labels_and_those_for_programs_stay():
    seats = [a_seat("alpha", version="v1"), a_seat("alpha", 2, version="v2")]
    rows = matches(table_of(a_match(5, seats=seats)))
    shown = label_matches(rows, {("alpha", "v1"): 1, ("alpha", "v2"): 2})
    assert "alpha@1 beat alpha@2, 10 : 9" in render(shown, MATCHES, "table")
    assert "alpha beat alpha, 10 : 9" in render(rows, MATCHES, "table")


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


def test_an_export_marks_remote_bots_in_a_last_column_where_one_played():
    table, (key, *_) = schema.matches_table(PLAYED), [(seat.bot, seat.version) for seat in PLAYED[0].seats]
    for per in ("match", "seat"):
        before = export.flatten(table, per)
        assert before.equals(export.flatten(table, per, {("other", key[1])}))
        marked = export.flatten(table, per, {key})
        assert [*before.column_names, "remote"] == marked.column_names
        assert before.equals(marked.drop_columns("remote"))
    assert {key} == {(row["bot"], row["version"]) for row in marked.to_pylist() if row["remote"]}
    assert "True False" == export.flatten(table, "match", {key}).column("remote")[0].as_py()


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
    with pytest.raises(ValueError, match=r"\.parquet, \.csv, \.xlsx, got: 'out\.ods'"):
        export.write(export.flatten(schema.matches_table(PLAYED), "match"), tmp_path / "out.ods")


def test_nothing_exports_to_no_rows():
    assert 0 == len(export.flatten(schema.matches_table([]), "match"))
    assert 0 == len(export.flatten(schema.matches_table([]), "seat"))
