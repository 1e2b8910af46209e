"""Show the progress of a run: a live bar in a terminal, a line now and then elsewhere."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, TypeAlias, assert_never

from ladder.cli.options import note
from results.words import count, pace

if TYPE_CHECKING:
    from ladder.admission.batch import BatchProgress
    from ladder.run.run_events import Event as SessionEvent
    from ladder.run.run_events import Progress
    from ladder.run.status import Status
    from ladder.worker.check_progress import CheckProgress

LINE_SECONDS = 10.0
"""How often a line is printed at most where there is no terminal."""
PARTS = 10
"""Where the length of a task is known, the number of lines that it prints: the log of a night stays short."""
SLOW_SECONDS = 3.0
"""The progress of a check is shown only if it takes longer."""
GLANCE_SECONDS = 0.5
"""How often a live line changes."""


Below: TypeAlias = Callable[[int, int], Sequence[str]]
"""Returns lines to show below the progress: how wide they may be, and how many there may be."""


class _Parts:
    """Says when a line is due: at each tenth part of what is slow, or every ten seconds."""

    def __init__(self) -> None:
        self._told = 0
        self._last = time.monotonic()

    def is_due(self, part: float | None) -> bool:
        """Return whether a line is due when *part* of the whole is over; None if that is not known."""
        reached = self._told + 1 if part is None else int(part * PARTS)
        if reached <= self._told or time.monotonic() - self._last < LINE_SECONDS:
            return False
        self._told, self._last = reached, time.monotonic()
        return True


class _Lines:
    """A plain line at the start, at each tenth part, and at the end."""

    def __init__(self, run: int | str) -> None:
        self._run = run
        self._parts: _Parts | None = None

    def show(self, status: Status, below: Below | None = None) -> None:
        begins = self._parts is None
        self._parts = self._parts or _Parts()
        if begins or self._parts.is_due(status.part):
            told = ", ".join(filter(None, [_counts(status), _pace(status)]))
            told = "; ".join(filter(None, [told, status.wait]))
            print(f"run {self._run}: {told}", file=sys.stderr, flush=True)

    def close(self, status: Status) -> None:
        print(f"run {self._run}: {_counts(status)} {_describe_spent(status)}", file=sys.stderr, flush=True)


class _Bar:
    """One live line, and below it what else there is to show, redrawn in place."""

    def __init__(self, run: int | str) -> None:
        from rich.console import Console
        from rich.live import Live
        from rich.progress import BarColumn, Progress, TextColumn

        self._drawn: float | None = None
        """When was drawn what stands below the line."""
        self._progress = Progress(
            TextColumn("run {task.fields[run]}"),
            BarColumn(bar_width=28),
            TextColumn("{task.fields[counts]}"),
            TextColumn("[dim]{task.fields[pace]}"),
        )
        self._task = self._progress.add_task("", total=None, run=run, counts="", pace="starting")
        self._live = Live(self._progress, console=Console(stderr=True), refresh_per_second=8)
        self._live.start()

    def show(self, status: Status, below: Below | None = None) -> None:
        if below:
            self._draw(below)
        self._progress.update(
            self._task,
            total=None if status.part is None else 1.0,
            completed=status.part or 0.0,
            counts=_counts(status),
            pace=_pace(status),
        )

    def _draw(self, below: Below) -> None:
        """Draw what stands below the line, but not again at once."""
        from rich.console import Group
        from rich.text import Text

        now = time.monotonic()
        if self._drawn is None or now - self._drawn >= GLANCE_SECONDS:
            self._drawn = now
            width, height = self._live.console.size
            # what is higher than the window cannot be redrawn: 2 rows for the line above, 1 for the cursor
            text = "\n".join(below(width - 1, max(0, height - 3)))
            shown = Group(self._progress, Text(text, no_wrap=True, overflow="crop"))
            self._live.update(shown, refresh=True)

    def close(self, status: Status) -> None:
        self.show(status)
        self._progress.update(self._task, pace=_describe_spent(status))
        self._live.update(self._progress)
        self._live.stop()


def _counts(status: Status) -> str:
    faults = sum(status.faults.values())
    kinds = ", ".join(f"{number:,} {kind}" for kind, number in status.faults.most_common())
    matches = count(status.done, "match", status.total or None)
    return matches + (f", {count(faults, 'fault')} ({kinds})" if faults else ", no faults")


def _pace(status: Status) -> str:
    """Return the speed of the run and its remaining time, as far as they are known."""
    told = []
    if status.pace is not None:
        told.append(pace(status.pace))
    if status.left_s is not None:
        told.append(f"{_clock(status.left_s)} left")
    return ", ".join(told) or ("starting" if not status.came else "")


def _describe_spent(status: Status) -> str:
    return f"in {status.seconds:.1f} s, {pace(status.rate)}" if status.rate else f"in {status.seconds:.1f} s"


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


class SessionPrinter:
    """Prints the notes of a session, and shows its progress where stderr goes, unless it is to be *quiet*."""

    def __init__(self, name: int | str = 0, *, quiet: bool = False) -> None:
        self.name = name
        """What is played is called this."""
        self._quiet = quiet
        self._display: _Lines | _Bar | None = None

    def __call__(self, event: SessionEvent) -> None:
        from ladder.run.run_events import Ended, OperatorNote, Planned, Progress

        match event:
            case OperatorNote(text, hint):
                note(text, hint)
            case Progress() if not self._quiet:
                if self._display is None:
                    self._display = (_Bar if sys.stderr.isatty() else _Lines)(self.name)
                self._display.show(event.status, self.below(event))
            case Ended(status, _):
                if self._display:
                    self._display.close(status)
                    self._display = None
            case Planned() | Progress():
                pass
            case _:
                assert_never(event)

    def below(self, progress: Progress) -> Below | None:
        """Return what stands below the progress, if anything does."""
        return None


class Watching:
    """Show a slow check on stderr: a live line in a terminal, else some lines; of a batch, each tenth."""

    def __init__(self, progress: CheckProgress | BatchProgress) -> None:
        self._progress = progress
        self._live = sys.stderr.isatty()
        self._parts = _Parts()
        self._shown = False
        self._over = Event()
        self._lock = Lock()
        self._began = time.monotonic()
        self._thread = Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Watching:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Keep the live line out of the way while something else is printed."""
        with self._lock:
            self._erase()
            yield

    def note(self, text: str) -> None:
        """Print *text* above the live line."""
        with self.aside():
            note(text)

    def _watch(self) -> None:
        # Nothing at first: a check that is quick shows its result only.
        pause = SLOW_SECONDS if self._live else GLANCE_SECONDS
        while not self._over.wait(pause):
            with self._lock:
                if self._live or self._parts.is_due(self._progress.part):
                    self._show(f"{_clock(time.monotonic() - self._began)}  {self._progress}")
            pause = GLANCE_SECONDS
        self._erase()

    def _show(self, text: str) -> None:
        if self._live:
            self._shown = True
            room = shutil.get_terminal_size().columns - 1
            text = "\r\x1b[K" + (text if len(text) <= room else f"{text[: room - 1]}…")
        print(text, end="" if self._live else "\n", file=sys.stderr, flush=True)

    def _erase(self) -> None:
        if self._shown:
            self._shown = False
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
