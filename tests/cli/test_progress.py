"""Slow checks of bots say how far they have come; quick ones say nothing."""

import sys
import time
from collections import Counter
from types import SimpleNamespace
from typing import Any

import pytest
from support import ladders
from support.submitting import submit

from ladder.cli import progress as display
from ladder.cli.progress import SessionPrinter, Watching
from ladder.home.home import open_home
from ladder.referee.table_events import BotStarted
from ladder.run.run_events import Ended, Progress
from ladder.run.status import Status
from ladder.worker.check_progress import CheckProgress

pytestmark = pytest.mark.usefixtures("threads")

RAT = 'name = "rat"\nrun = ["{python}", "-S", "rat.py"]\ngames = ["stellar"]\n'


def a_start(matches, lines):
    player: Any = SimpleNamespace(matches=matches, ready=True, process=SimpleNamespace(lines=lines))
    return BotStarted(player)


def test_progress_counts_matches_and_decisions_of_what_is_being_played():
    progress = CheckProgress()
    progress.begin("copying and building")
    assert "copying and building" == str(progress)
    progress.play("rat against itself: stellar", 2, 2)
    assert "rat against itself: stellar, match 1 of 2, 0 decisions" == str(progress)
    progress.hear(a_start(1, 8))
    progress.hear(a_start(1, 8))
    assert "rat against itself: stellar, match 1 of 2, 14 decisions" == str(progress)
    progress.hear(a_start(1, 3))
    progress.hear(a_start(1, 3))
    assert "rat against itself: stellar, match 2 of 2, 18 decisions" == str(progress)
    progress.play("stellar for 2", 2, 2)
    assert "stellar for 2, match 1 of 2, 0 decisions" == str(progress)


def test_a_submission_tells_what_it_has_played(tmp_path):
    home = ladders.a_home(tmp_path / "home", {})
    (tmp_path / "rat.py").write_text(ladders.PLAYER)
    (tmp_path / "rat.toml").write_text(RAT)
    progress = CheckProgress()
    submit(open_home(home.path), tmp_path / "rat.toml", progress=progress)
    said, _, decisions = str(progress).removesuffix(" decisions").rpartition(", ")
    assert "rat against itself: stellar for 2, match 1 of 1" == said
    assert 20 < int(decisions)


class Screen:
    """A stderr that remembers what is written."""

    def __init__(self, live):
        self.text = ""
        self._live = live

    def isatty(self):
        return self._live

    def write(self, text):
        self.text += text
        return len(text)

    def flush(self):
        pass

    def await_text(self, text):
        deadline = time.monotonic() + 30
        while text not in self.text and time.monotonic() < deadline:
            time.sleep(0.005)
        assert text in self.text


def a_screen(monkeypatch, live):
    """Make stderr a screen: in the test itself, for pytest has one for each of its phases."""
    made = Screen(live)
    monkeypatch.setattr(sys, "stderr", made)
    return made


def soon(monkeypatch):
    for name in ("SLOW_SECONDS", "GLANCE_SECONDS", "LINE_SECONDS"):
        monkeypatch.setattr(display, name, 0.01)


@pytest.mark.parametrize("live", [False, True])
def test_what_is_over_soon_shows_nothing(live, monkeypatch):
    screen = a_screen(monkeypatch, live)
    with Watching(CheckProgress()) as watching, watching.aside():
        pass
    assert "" == screen.text


def test_lines_of_a_run_are_ten_seconds_apart_also_where_its_parts_take_less(monkeypatch):
    clock, told = SimpleNamespace(now=100.0), []
    monkeypatch.setattr(display, "time", SimpleNamespace(monotonic=lambda: clock.now))
    screen = a_screen(monkeypatch, live=False)
    shown = SessionPrinter(1)
    for second in range(41):
        clock.now, before = 100.0 + second, screen.text
        shown(Progress(Status(done=second, total=40), None))
        told += [second] if screen.text != before else []
    assert [0, 10, 20, 30, 40] == told


def test_elsewhere_than_in_a_terminal_there_are_whole_lines(monkeypatch):
    screen = a_screen(monkeypatch, live=False)
    soon(monkeypatch)
    progress = CheckProgress()
    progress.begin("building")
    with Watching(progress):
        screen.await_text("0:00  building\n0:00  building\n")
    assert {"0:00  building", ""} >= {line for line in screen.text.split("\n") if "0:00" in line or not line}
    assert "\x1b" not in screen.text


def a_status(part):
    return SimpleNamespace(
        part=part, total=None, done=round(100 * (part or 0)), faults=Counter(), came=True, pace=None,
        left_s=None, wait="", seconds=1.0, rate=1.0,
    )  # fmt: skip


def test_a_run_prints_a_line_at_the_start_at_each_tenth_part_and_at_the_end(monkeypatch):
    screen = a_screen(monkeypatch, live=False)
    monkeypatch.setattr(display, "LINE_SECONDS", 0.0)
    printer = SessionPrinter(1)
    for percent in range(100):
        printer(Progress(a_status(percent / 100), None))
    printer(Ended(a_status(1.0)))
    said = [int(line.split()[2]) for line in screen.text.splitlines()]
    assert [*range(0, 100, 10), 100] == said


def test_a_quick_run_prints_its_start_and_its_end(monkeypatch):
    screen = a_screen(monkeypatch, live=False)
    printer = SessionPrinter(1)
    for percent in range(101):
        printer(Progress(a_status(percent / 100), None))
    printer(Ended(a_status(1.0)))
    assert [0, 100] == [int(line.split()[2]) for line in screen.text.splitlines()]


def test_a_quiet_run_shows_nothing(monkeypatch):
    screen = a_screen(monkeypatch, live=False)
    printer = SessionPrinter(1, quiet=True)
    printer(Progress(a_status(0.0), None))
    printer(Ended(a_status(1.0)))
    assert "" == screen.text


def test_a_live_line_is_one_line_and_gives_way(monkeypatch):
    screen = a_screen(monkeypatch, live=True)
    soon(monkeypatch)
    monkeypatch.setenv("COLUMNS", "20")
    progress = CheckProgress()
    progress.begin("building something long")
    with Watching(progress) as watching:
        screen.await_text("\r\x1b[K0:00  building som…")
        with watching.aside():
            assert screen.text.endswith("\r\x1b[K")
            print("said", file=screen)
    assert "\n" not in screen.text.replace("said\n", "")
    assert screen.text.endswith(("said\n", "\r\x1b[K"))
