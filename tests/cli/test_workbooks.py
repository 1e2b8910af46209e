"""`--format xlsx` and `ladder export FILE.xlsx`: marks in a file that no country's settings change."""

import csv
import io
import re
import sys
from contextlib import redirect_stderr, redirect_stdout

import pytest
from support.command_line import check_refused, on_a_terminal, run_here
from support.need import need
from support.workbooks import cells_of

from ladder.cli import run_command_line

LISTS = [
    "bots --all-versions",
    "leaderboard",
    "leaderboard --show pairs",
    "matches",
    "matrix",
    "faults",
    "bots greedy --history",
]


@pytest.fixture
def xlsxwriter():
    return need("xlsxwriter")


def bytes_of(*words):
    """Return the bytes that a command prints."""
    out = io.TextIOWrapper(io.BytesIO(), "utf-8")
    with redirect_stdout(out), redirect_stderr(io.StringIO()):
        assert 0 == run_command_line([str(word) for word in words])
        out.flush()
    return out.buffer.getvalue()


@pytest.mark.tools
@pytest.mark.usefixtures("xlsxwriter")
@pytest.mark.parametrize("command", LISTS)
def test_a_list_has_the_same_cells_as_its_csv(played, command):
    words = [*command.split(), "--home", played.home, "--format"]
    table = list(csv.reader(io.StringIO(run_here(*words, "csv").out)))
    cells = cells_of(bytes_of(*words, "xlsx"))
    assert table[0] == cells[0]
    assert len(table) == len(cells)
    for texts, values in zip(table, cells, strict=True):
        for text, value in zip(texts, [*values, *[None] * (len(texts) - len(values))], strict=True):
            match value:
                case float():
                    assert value == pytest.approx(float(text))
                case None:
                    assert text == ""
                case _:
                    assert text.removeprefix("'") == str(value)


@pytest.mark.tools
@pytest.mark.usefixtures("xlsxwriter")
def test_an_export_has_the_rows_of_its_csv(played, tmp_path):
    for suffix in ("csv", "xlsx"):
        said = run_here("export", tmp_path / f"all.{suffix}", "--home", played.home)
        assert (0, "") == said[:2]
    assert f"404 rows in {tmp_path}/all.xlsx, one per seat\n  next: pandas.read_excel(" in said.err
    rows = list(csv.reader(io.StringIO((tmp_path / "all.csv").read_text())))
    cells = cells_of((tmp_path / "all.xlsx").read_bytes())
    assert (rows[0], len(rows)) == (cells[0], len(cells))
    started = rows[0].index("started")
    assert [row[started] for row in rows] == [row[started] for row in cells]
    assert {"all.csv", "all.xlsx"} == {path.name for path in tmp_path.iterdir()}


def test_a_terminal_gets_no_workbook_and_the_line_to_type(played):
    said = on_a_terminal("bots", "--format", "xlsx", "--home", played.home, code=2)
    assert "--format xlsx makes a workbook, which a terminal cannot show" in said
    assert "> marks.xlsx" in said


@pytest.mark.parametrize(
    "command", ["matches --format xlsx", "submit ghost.py --format xlsx", "export all.xlsx"]
)
def test_without_its_package_a_workbook_is_refused_with_the_command_that_installs_it(
    played, monkeypatch, tmp_path, command
):
    monkeypatch.setitem(sys.modules, "xlsxwriter", None)
    monkeypatch.chdir(tmp_path)
    said = run_here(*command.split(), "--home", played.home)
    check_refused(said, 1, "needs xlsxwriter, which is not installed\n  next: pip install ")
    assert [] == [*tmp_path.iterdir()]


def test_matches_in_csv_have_no_json_and_say_run_and_number_last(played):
    rows = list(
        csv.DictReader(io.StringIO(run_here("matches", "--home", played.home, "--format", "csv").out))
    )
    columns = "match game block seats decisions ms tokens cost_usd run number"
    assert columns.split() == [*rows[0]]
    for row in rows:
        assert row["match"] == f"{row['run']}/{row['number']}"
        assert re.fullmatch(r"([12]\. \w+@\w+( \d+| \(illegal\)|)(, |$)){2}", row["seats"])
        assert not set('{}[]"') & set("".join(row.values()))
