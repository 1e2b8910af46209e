"""`ladder selftest`: which cases it tries, what it finds wrong, and how it says so."""

import json
import secrets
import sys
from dataclasses import replace

import pytest
from support.command_line import run_here
from support.commands import process_group

from ladder.dev import hostile
from ladder.dev.hostile import CASES, OK, RUNS, case_trial, select_cases, try_cases
from ladder.errors import UsageProblem

CASE = {case.id: case for case in CASES}
EXITS = CASE["B01b"]


def problems(case):
    (verdict,) = try_cases([case], "none")
    return "; ".join(verdict.problems)


# --- what it finds wrong


@pytest.mark.process
@pytest.mark.parametrize(
    ("case", "problem"),
    [
        (replace(EXITS, expected=("timeout",)), "expected timeout, found crash: the process ended"),
        (replace(EXITS, statuses=(4,)), "expected the exit status 4, found 3"),
        (replace(EXITS, reason="memory"), "expected the reason to say 'memory', found 'the process ended"),
        (replace(EXITS, opponent_expected="crash"), "the other seat: expected crash, found ok"),
        (replace(EXITS, check=lambda sinned, clean: f"{len(sinned)} and {len(clean)}"), "2 and 2"),
        (replace(CASE["B51"], opponent_expected=OK), "the other seat: expected ok, found start"),
        (replace(CASE["B51"], opponent_expected=OK), "the next match: honest start"),
        (CASE["B40b"], "open: 8 bits by the page cache"),
        (CASE["B41"], "open: set-user-id programs"),
    ],
)
def test_what_is_not_as_it_should_be_is_named(case, problem):
    assert problem in problems(case)


@pytest.mark.process
def test_what_is_left_running_is_found_by_its_mark_and_ended(monkeypatch):
    monkeypatch.setattr(case_trial, "PATIENCE", 0.0)
    mark = f"hostile-{secrets.token_hex(8)}"
    sleeper = [sys.executable, "-S", "-c", "import time; time.sleep(600)"]
    with (
        process_group([*sleeper, mark]) as by_argument,
        process_group(sleeper, env={"MARK": f"{mark}-runner"}) as by_environment,
        process_group(sleeper) as bystander,
    ):
        assert [by_environment.pid] == case_trial.survivors(f"{mark}-runner")
        assert -9 == by_environment.wait()
        assert [by_argument.pid] == case_trial.survivors(mark)
        assert -9 == by_argument.wait()
        assert [] == case_trial.survivors(mark)
        assert bystander.poll() is None


def test_what_is_left_behind_in_files_is_found_and_removed(monkeypatch, tmp_path):
    monkeypatch.setattr(case_trial, "WRITABLE", (str(tmp_path),))
    (tmp_path / "somebody's").touch()
    (tmp_path / "mark-1").touch()
    (tmp_path / "mark-2").symlink_to(tmp_path / "nothing")
    (tmp_path / "mark-3").mkdir()
    left = {tmp_path / f"mark-{number}" for number in (1, 2, 3)}
    assert left == set(case_trial.litter("mark", tmp_path))
    assert [tmp_path / "somebody's"] == list(tmp_path.iterdir())


# --- which cases it tries


def test_a_case_is_named_with_or_without_its_variants():
    assert ["B02b", "L13", "L13b"] == select_cases(["B02b", "L13"], full=False)
    assert ["B60"] == select_cases(["B60", "B60"], full=False)


def test_without_names_it_is_a_telling_part_or_all():
    some, every = select_cases([], full=False), select_cases([], full=True)
    assert 15 <= len(some) <= 30
    assert [case.id for case in CASES] + list(RUNS) == every
    assert set(some) < set(every)


@pytest.mark.parametrize("name", ["B99", "B54", "B55", "kills"])  # the last three were cases once
def test_a_case_that_is_not_there_is_refused_with_a_suggestion(name):
    with pytest.raises(UsageProblem, match=f"there is no case '{name}'"):
        select_cases([name], full=False)


# --- the command


@pytest.mark.process
def test_the_command_lists_what_was_tried_and_what_was_found():
    result = run_here("selftest", "B01b", "L13", "--sandbox", "none", "--format", "json")
    assert 0 == result.code, result.err
    rows = json.loads(result.out)
    assert ["L13", "L13b", "B01b"] == [row["case"] for row in rows]
    assert {"none"} == {row["tier"] for row in rows}
    assert (
        ["protocol", "protocol", "crash"] == [row["found"] for row in rows] == [r["expected"] for r in rows]
    )
    assert [True] * 3 == [row["ok"] for row in rows]
    assert [None] * 3 == [row["problems"] for row in rows]


@pytest.mark.process
def test_it_fails_if_anything_did_and_says_how_to_see_it_again(monkeypatch):
    monkeypatch.setattr(hostile, "CASES", (EXITS, replace(EXITS, id="B01c", expected=("timeout",))))
    result = run_here("selftest", "B01", "--sandbox", "none")
    assert 1 == result.code
    assert "FAILED" in result.out
    assert "expected timeout, found crash" in result.out
    assert "1 of 2 cases failed" in result.err
    assert "next: ladder selftest B01c --sandbox none" in result.err


@pytest.mark.process
def test_a_verdict_that_comes_too_late_is_a_failure(monkeypatch):
    monkeypatch.setattr(case_trial, "LATE_MS", -EXITS.limit_ms - 1)
    result = run_here("selftest", "B01b", "--sandbox", "none")
    assert 1 == result.code
    assert "expected an end within -1 ms" in result.out
