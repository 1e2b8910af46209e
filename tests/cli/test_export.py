"""`ladder export --per decision`, --to and --check."""

import pyarrow.parquet as pq
import pytest
from support.command_line import check_refused, run_here
from support.decisions import rewrite
from support.rated_homes import a_replayable_home


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    return a_replayable_home(tmp_path_factory.mktemp("home") / "home").path


@pytest.fixture(scope="module")
def file(tmp_path_factory, home):
    path = tmp_path_factory.mktemp("decisions") / "all.parquet"
    told = run_here("export", path, "--per", "decision", "--home", home, "-j", "1")
    assert (0, "") == told[:2]
    assert f"rows in {path}, one per decision\n" in told.err
    assert f"ladder export --check {path}" in told.err
    return path


def test_decisions_of_a_home_are_sound_with_it_and_without(file, home, monkeypatch):
    rows = f"{pq.read_metadata(str(file)).num_rows:,} rows"
    told = run_here("export", "--check", file, "--home", home, "-j", "1")
    assert (0, "", f"{rows} checked: nothing is wrong\n") == told
    monkeypatch.chdir(file.parent)
    told = run_here("export", "--check", file, "-j", "1")
    assert (0, "") == told[:2]
    assert f"{rows} not compared with their matches, which are not here\n" in told.err


def test_a_wrong_row_is_named_and_the_exit_code_is_4(file, home, tmp_path):
    (path := tmp_path / "x.parquet").write_bytes(file.read_bytes())
    rewrite(path, 77, view="{}")
    row = pq.read_table(str(path)).slice(77, 1).to_pylist()[0]
    told = run_here("export", "--check", path, "--home", home, "-j", "1")
    assert told.out.startswith("wrong: {run}/{number} step {step} seat {seat}: ".format(**row))
    assert 4 == told.code
    assert "ladder: 1 found wrong in" in told.err


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ("x.csv --per decision", 2, "expected a file that ends in .parquet, got: 'x.csv'"),
        ("x.parquet --numbers", 2, "--numbers: it goes with --per decision"),
        ("x.parquet --game stellar", 2, "--game: it goes with --per decision"),
        ("x.parquet --to all", 2, "expected a FILE, or --to FOLDER"),
        ("", 2, "expected a FILE, or --to FOLDER"),
        ("--to all --per match", 2, "--to: it goes with --per decision"),
        ("--to none/all", 2, "there is no folder 'none'"),
        ("x.parquet --per decision --game chess", 3, "there is no game 'chess'"),
        ("x.parquet --per decision --seats 7", 3, "there are no decisions to export"),
        ("--check none.parquet", 3, "there are no decisions in 'none.parquet'"),
    ],
)
def test_what_cannot_be_is_refused(home, tmp_path, monkeypatch, arguments, code, said):
    monkeypatch.chdir(tmp_path)
    told = run_here("export", *arguments.split(), "--home", home, "-j", "1")
    check_refused(told, code, f"ladder: {said}")
    assert [] == [*tmp_path.iterdir()]
