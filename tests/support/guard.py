"""Holds each test to its mark: one without a mark starts no program, none connects beyond this machine.

What a test may use, by mark, stands in tests/README.md.  The guard raises where the call happens, and fails
the test or the module afterwards, since the code under test may swallow the error.
"""

from collections.abc import Iterator
from typing import Any

import pytest

from support.ears import CannotHear, is_here, listen

MARKS = ("process", "tools", "slow")
"""With one of them a test may start programs."""
ADVICE = 'mark it "process", or "tools" if that is no Python'


class Guard:
    """The plugin of pytest.  Raises UsageError where this Python does not let it hear everything."""

    def __init__(self) -> None:
        self._who: pytest.Item | pytest.Collector | None = None
        self._calls: list[str] = []
        self._faults: list[str] = []
        self._fixtures: dict[Any, str] = {}
        """What the set-up of a shared fixture has started: a later test that finds it there uses it, too."""
        try:
            listen(self._hear_start, self._hear_host)
        except CannotHear as why:
            raise pytest.UsageError(f"{why}: tests cannot be held to their marks") from None

    def _hear_start(self, call: str) -> None:
        self._calls.append(call)
        if isinstance(self._who, pytest.Collector):
            self._fail(f"this module starts a program while it is collected ({call}): start it in a fixture")
        elif self._who and not is_marked(self._who):
            self._fail(f"this test starts a program ({call}): {ADVICE}")

    def _hear_host(self, event: str, host: Any) -> None:
        if self._who and not is_here(host):
            self._fail(f"this test connects beyond this machine ({event}: {host})")

    def _fail(self, why: str) -> None:
        self._faults.append(why)
        raise AssertionError(why)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self._who, self._faults = item, []
        try:
            return (yield)
        finally:
            self._who = None

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(self, collector: pytest.Collector) -> Iterator[None]:
        self._who, self._faults = collector, []
        try:
            return self._charge((yield))
        finally:
            self._who = None

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Iterator[None]:
        before = len(self._calls)
        try:
            return (yield)
        finally:
            if fixturedef.scope != "function" and len(self._calls) > before:
                self._fixtures[fixturedef] = self._calls[before]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: Any) -> Iterator[None]:
        result = yield
        for used in item._request._fixture_defs.values():  # also those that it asked for by name while it ran
            if (call := self._fixtures.get(used)) and not is_marked(item):
                self._fail(f"a fixture of this test starts a program ({call}): {ADVICE}")
        return result

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Iterator[None]:
        return self._charge((yield))

    def _charge(self, report: Any) -> Any:
        if self._faults and not report.failed:
            report.outcome, report.longrepr = "failed", self._faults[0]
        self._faults = []
        return report


def is_marked(item: pytest.Item) -> bool:
    """Return whether *item* may start programs."""
    return any(item.get_closest_marker(mark) for mark in MARKS)
