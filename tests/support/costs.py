"""What a session of pytest costs: CPU and wall time of each test, children that were waited for included.

`pytest --cost` prints it.  With a folder in the variable LADDER_COSTS the session writes it there, too, for
`tests/programs/cost_table.py`, which adds up several sessions.
"""

import os
import time
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from programs.cost_table import FOLDER, Session, TestCost, narrate, write


class Costs:
    """The plugin of pytest: measures in the process that runs the tests, adds up in the one that reports."""

    def __init__(self, config: pytest.Config, marks: Iterable[str]) -> None:
        self._config = config
        self._marks = tuple(marks)
        self._began = time.monotonic()
        self._before = os.times()
        self._tests: dict[str, TestCost] = {}
        self._folder = os.environ.pop(FOLDER, None)  # a pytest that a test starts would be counted twice

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
            for line in narrate([session]):
                terminalreporter.write_line(line)
        if self._folder:
            write(session, self._folder)

    def _session(self) -> Session:
        took = os.times()  # of this process and its workers, which have ended
        return Session(
            step=" ".join(["pytest", *map(str, self._config.invocation_params.args)]),
            user=took.user + took.children_user,
            system=took.system + took.children_system,
            wall=time.monotonic() - self._began,
            tests=list(self._tests.values()),
        )
