"""The program that measures all: tests/programs/bench.py, which prints as `ladder bench` does."""

import json
import subprocess
import sys
from datetime import date

import pytest
from programs import bench
from support.command_line import run_here
from support.places import ROOT

from ladder.dev.benchmark.figure import Figure, at_least, at_most
from ladder.errors import LadderError
from ladder.machine.build import version_line

FIGURES = (
    Figure("speed", 1234.5, "matches/s"),
    at_least("ratio", 0.5, "", 0.7),
    at_most("start", 0.25, "s", 1.5),
)


@pytest.fixture
def measured(monkeypatch):
    """Let the parts of `ladder bench`, and a home with records, have FIGURES, and no other part any."""
    for part in ("confinement_cost.confinement", "crowds.crowd", "page_speed.page", "rule_speed.engine"):
        monkeypatch.setattr(f"programs.benchmark.{part}_figures", lambda *_: iter(()))
    monkeypatch.setattr("ladder.dev.benchmark.measure", lambda *_: iter(FIGURES))
    monkeypatch.setattr("programs.benchmark.store_speed.record_figures", lambda *_: iter(FIGURES))


def test_it_prints_what_the_command_prints(measured, capsys):
    for word, words in {"": (), "--json": ("--json",), "--markdown": ("--format", "md")}.items():
        expected = run_here("bench", *words)
        assert 0 == expected.code
        for more in ((), ("--records", "20000")):
            bench.main([*([word] if word else ()), *more])
            assert (expected.out, expected.err) == capsys.readouterr()
        assert "1 of the aims missed" in expected.err


def test_it_ends_with_a_table_of_the_figures_that_miss_their_aims(measured, monkeypatch):
    figures, missed = run_here("bench").out.split("\n\n")
    assert ["MISSED" in line for line in figures.split("\n")] == [False, True, False]
    assert [["ratio", "0.50", "at", "least", "0.7"]] == [
        line.split() for line in missed.split("\n")[2:] if line
    ]
    monkeypatch.setattr("ladder.dev.benchmark.measure", lambda *_: iter(FIGURES[::2]))
    met = run_here("bench")
    assert "\n\n" not in met.out
    assert "all aims met: 1\n" == met.err.splitlines(keepends=True)[0]


def test_in_json_there_are_all_figures_and_in_markdown_those_with_an_aim_and_the_machine(measured):
    assert [figure._asdict() for figure in FIGURES] == json.loads(run_here("bench", "--json").out)
    machine, table = run_here("bench", "--format", "md").out.split("\n\n")
    assert machine.startswith(f"Measured on {date.today()}, on ")
    assert version_line() in machine
    assert ["|ratio|0.50 |at least 0.7|missed", "|start|0.25 s|at most 1.5|"] == table.splitlines()[2:]


def test_the_costs_of_records_are_printed_and_written_from_a_million_on(monkeypatch, capsys):
    def record_figures(matches, table):
        for size in (matches // 10, matches):
            table.sizes.append(size)
            yield table.add("reading", size / 1e5, "s", grows=True)

    written = []
    monkeypatch.setattr("programs.benchmark.store_speed.record_figures", record_figures)
    monkeypatch.setattr(
        "programs.benchmark.cost_page.CostTable.write", lambda table: written.append(table.sizes)
    )
    bench.main(["--records", "999999"])
    assert "\n\n| | 99,999 | 999,999 | 1 million |" in capsys.readouterr().out
    assert not written
    bench.main(["--records", "1000000", "--json"])
    assert 2 == len(json.loads(capsys.readouterr().out))
    assert [[100_000, 1_000_000]] == written


@pytest.mark.parametrize(
    ("words", "least"),
    [("--matches 99", "100"), ("--rounds 0", "1"), ("--records 5", "20,000"), ("--records 0", "20,000")],
)
def test_too_small_a_number_is_refused(words, least, capsys):
    with pytest.raises(SystemExit, match="2"):
        bench.main(words.split())
    assert f"expected a whole number of at least {least}, got: {words.split()[1]}" in capsys.readouterr().err


def test_a_part_that_fails_is_told_with_what_to_type(measured, monkeypatch):
    def fail(*_):
        raise LadderError("a command failed", "measure again")

    monkeypatch.setattr("ladder.dev.benchmark.measure", fail)
    with pytest.raises(SystemExit, match=r"^bench.py: a command failed\n  next: measure again$"):
        bench.main([])


@pytest.mark.process
def test_it_is_run_by_its_path_and_loads_nothing_of_the_ladder_before_it_measures():
    program = ROOT / "tests" / "programs" / "bench.py"
    done = subprocess.run(
        [sys.executable, "-X", "importtime", program, "--help"], capture_output=True, text=True
    )
    assert 0 == done.returncode
    assert "--records N" in done.stdout
    assert "| ladder" not in done.stderr
    assert "argparse" in done.stderr
