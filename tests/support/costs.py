"""What a session of pytest costs: CPU and wall time of each test, children that were waited for included.

`pytest --cost` prints it.  With a folder in the variable LADDER_COSTS the session writes it there, too, for
`tests/programs/cost_table.py`, which adds up several sessions.
"""

from __future__ import annotations

import json
import os
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TypedDict

import pytest

__all__ = ["Costs", "Session", "TestCost", "narrate"]

FOLDER = "LADDER_COSTS"
DEAREST = 20
HEAD = f"{'tests':>7} {'skipped':>8} {'user s':>8} {'system s':>9} {'wall s':>8}  step, and its tests by mark"


class TestCost(TypedDict):
    """One test, all of its phases; times in seconds."""

    test: str
    marks: list[str]
    outcome: str
    why: str
    user: float
    system: float
    wall: float


class Session(TypedDict):
    """One session of pytest, or one other step of the gate; times in seconds.

    Its CPU time is more than that of its tests: collection, workers, bots whose spawner ended last.
    """

    step: str
    user: float
    system: float
    wall: float
    tests: list[TestCost]


class Costs:
    """The plugin of pytest: measures in the process that runs the tests, adds up in the one that reports."""

    def __init__(self, config: pytest.Config, marks: Iterable[str]) -> None:
        self._config = config
        self._marks = tuple(marks)
        self._began = time.monotonic()
        self._before = os.times()
        self._tests: dict[str, TestCost] = {}

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self) -> Iterator[None]:
        self._before = os.times()
        return (yield)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_makereport(self, item: pytest.Item) -> Iterator[None]:
        report: Any = yield
        now, before = os.times(), self._before
        self._before = now
        report.cpu = (
            now.user + now.children_user - before.user - before.children_user,
            now.system + now.children_system - before.system - before.children_system,
        )
        report.marks = [mark for mark in self._marks if item.get_closest_marker(mark)]
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        new = TestCost(test=report.nodeid, marks=[], outcome="passed", why="", user=0, system=0, wall=0)
        cost = self._tests.setdefault(report.nodeid, new)
        user, system = getattr(report, "cpu", (0.0, 0.0))  # a worker that died reports without
        cost["marks"] = getattr(report, "marks", [])
        cost["user"] += user
        cost["system"] += system
        cost["wall"] += report.duration
        if report.outcome != "passed":
            cost["outcome"] = report.outcome
        if report.skipped and isinstance(report.longrepr, tuple):
            cost["why"] = report.longrepr[2].removeprefix("Skipped: ")

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if hasattr(self._config, "workerinput"):
            return
        session = self._session()
        if self._config.option.cost:
            terminalreporter.section("what it costs")
            for line in narrate([session], self._marks):
                terminalreporter.write_line(line)
        if folder := os.environ.get(FOLDER):
            Path(folder, f"{time.time_ns()}.json").write_text(json.dumps(session), "utf-8")

    def _session(self) -> Session:
        took = os.times()  # of this process and its workers, which have ended
        return Session(
            step=" ".join(["pytest", *map(str, self._config.invocation_params.args)]),
            user=took.user + took.children_user,
            system=took.system + took.children_system,
            wall=time.monotonic() - self._began,
            tests=list(self._tests.values()),
        )


def narrate(sessions: Iterable[Session], marks: Iterable[str]) -> Iterator[str]:
    """Yield the lines of a table: each step, and the marks of its tests; the dearest; what was skipped."""
    sessions = list(sessions)
    yield HEAD
    for session in sessions:
        yield _row(session, session["tests"], session["step"])
        groups: dict[str, list[TestCost]] = defaultdict(list)
        for test in session["tests"]:
            groups[" ".join(test["marks"]) or "fast"].append(test)
        for name, tests in sorted(groups.items()):
            yield _row(_sum(tests), tests, f"    {name}")
    tests = [test for session in sessions for test in session["tests"]]
    if dearest := sorted(tests, key=lambda test: -test["user"] - test["system"])[:DEAREST]:
        yield f"{'CPU s':>7}  the dearest tests"
    for test in dearest:
        yield f"{test['user'] + test['system']:7.2f}  {test['test']}"
    if reasons := Counter(test["why"] for test in tests if test["outcome"] == "skipped"):
        yield f"{'tests':>7}  skipped because"
    for why, count in reasons.most_common():
        yield f"{count:>7}  {why}"


def _sum(tests: Iterable[TestCost]) -> dict[str, float]:
    tests = list(tests)
    return {key: sum(float(test[key]) for test in tests) for key in ("user", "system", "wall")}  # type: ignore[literal-required] # keys of floats


def _row(took: Any, tests: list[TestCost], name: str) -> str:
    skipped = sum(test["outcome"] == "skipped" for test in tests)
    times = f"{took['user']:8.1f} {took['system']:9.1f} {took['wall']:8.1f}"
    return f"{len(tests) or '':>7} {skipped or '':>8} {times}  {name}"
