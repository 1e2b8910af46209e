"""The table of results/COST.md: costs at two sizes of a home, those of more matches, and their growth."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date
from math import log, log10
from pathlib import Path
from textwrap import wrap

from ladder.dev.benchmark.figure import Figure, at_most
from ladder.machine.build import read_build

PAGE = Path(__file__).parents[3] / "results" / "COST.md"
PAGE_FROM = 1_000_000
"""The page takes the figures of this many matches or more; fewer are for a quick look."""
MEASURED = re.compile(r"(<!-- measured -->\n).*(<!-- end -->\n)", re.DOTALL)
"""What stands between the marks of the page is replaced."""
COLUMNS = (1_000_000, 10_000_000, 100_000_000)
"""The numbers of matches that have a column, measured or not..."""
FARTHEST = 100
"""...unless they are more than this many times what was measured."""
TOO_FAST = 1.5
"""What grows more than this many times as fast as it should is named: times on a busy machine differ."""
WIDTH = 110
"""The width of a page."""
NOISE = {"s": 0.1, "MB": 20.0}
"""Smaller differences say nothing."""


@dataclass
class Row:
    """One cost: seconds of CPU time, or MB of the disk or of memory."""

    what: str
    unit: str
    grows: bool
    """Whether it may grow with the matches; else it should stay the same."""
    aim: float | None = None
    """The most that it should be."""
    values: list[float] = field(default_factory=list)
    """By size of the home."""


class CostTable:
    """Costs by size of the home, from the smaller to the larger."""

    def __init__(self, asked: int) -> None:
        """Begin without a cost; *asked* is the number of matches that were asked for."""
        self._asked = asked
        self.sizes: list[int] = []
        self._rows: dict[tuple[str, str], Row] = {}

    def add(
        self, what: str, value: float, unit: str, *, grows: bool = False, aim: float | None = None
    ) -> Figure:
        """Add a cost at the newest of the sizes; return it as a figure."""
        self._rows.setdefault((what, unit), Row(what, unit, grows, aim)).values.append(value)
        name = f"{what}: {'time' if unit == 's' else 'size' if grows else 'memory'}"
        return at_most(name, value, unit, aim) if aim else Figure(name, value, unit)

    def lines(self) -> Iterator[str]:
        """Yield the lines of Markdown: where it was measured, the table, and what it shows."""
        larger = (size for size in COLUMNS if self.sizes[-1] < size <= FARTHEST * self.sizes[-1])
        columns = [*self.sizes, *larger]
        said = f"`python tests/programs/bench.py --records {self._asked}` measured this on {date.today()}: "
        said += (
            f"{describe_machine()}. `~` is extrapolated on a line, which is too high where growth slows down."
        )
        if self.sizes[-1] < self._asked:
            said += f" The disk had room for {_matches(self.sizes[-1])} matches."
        yield from wrap(said, WIDTH, break_on_hyphens=False)
        yield ""
        growth = f"growth from {_matches(self.sizes[0])} on"
        yield f"| | {' | '.join(map(_matches, columns))} | {growth} | aim |"
        yield "|---|" + "---|" * (len(columns) + 2)
        for what in dict.fromkeys(row.what for row in self._rows.values()):
            rows = [row for row in self._rows.values() if row.what == what]
            cells = [", ".join(self._cell(row, size) for row in rows) for size in columns]
            cells.append(", ".join(f"x{row.values[-1] / row.values[0]:.2g}" for row in rows))
            cells.append(", ".join(f"{row.aim:g} s" for row in rows if row.aim and row.unit == "s"))
            yield f"| {what} | {' | '.join(cells)} |"
        yield ""
        rows = self._rows.values()
        yield from _list("Grows faster than it should", filter(self._is_fast, rows))
        yield ""
        yield from _list("Above its aim", (row for row in rows if row.aim and row.values[-1] > row.aim))

    def write(self) -> None:
        """Replace the figures of the page by these."""
        text = PAGE.read_text("utf-8")
        measured = "\n".join(["", *self.lines(), "", ""])
        PAGE.write_text(MEASURED.sub(lambda found: f"{found[1]}{measured}{found[2]}", text), "utf-8")

    def _cell(self, row: Row, size: int) -> str:
        if size in self.sizes:
            return _amount(row.values[self.sizes.index(size)], row.unit)
        return f"~{_amount(self._extrapolate(row, size), row.unit)}"

    def _extrapolate(self, row: Row, size: int) -> float:
        """Return a cost at a larger *size*: along the line through both points, or above it along a power."""
        (small, large), (low, high) = self.sizes, row.values
        if high - low <= NOISE[row.unit]:
            return high
        power = log(high / low) / log(large / small)
        if power > 1:
            return high * (size / large) ** power
        return high + (high - low) / (large - small) * (size - large)

    def _is_fast(self, row: Row) -> bool:
        """Return whether *row* grows faster than the matches, or at all if it should not."""
        low, high = row.values
        most = low * (self.sizes[1] / self.sizes[0] if row.grows else 1)
        return high > TOO_FAST * most and high - most > NOISE[row.unit]


def describe_machine() -> str:
    """Return the cores, the processor, Python and the build, in words."""
    found = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text("ascii", "replace"))
    processor = found[1] if found else platform.machine()
    python = f"Python {platform.python_version()}"
    return f"{os.cpu_count()} cores of {processor}, {python}, {read_build().word} build"


def _list(what: str, rows: Iterable[Row]) -> Iterator[str]:
    """Yield the lines of a list of costs."""
    names = [f"- {row.what}: {'time' if row.unit == 's' else 'memory'}" for row in rows]
    yield f"{what}:" if names else f"{what}: nothing."
    if names:
        yield from ("", *names)


def _matches(number: int) -> str:
    return f"{number / 1e6:,.10g} million" if number >= 1_000_000 else f"{number:,}"


def _amount(value: float, unit: str) -> str:
    """Return a cost with two digits that count, in the unit that suits it."""
    units = (("h", 3600), ("min", 60), ("s", 1)) if unit == "s" else (("TB", 1e6), ("GB", 1e3), ("MB", 1))
    name, size = next((each for each in units if value >= 2 * each[1]), units[-1])
    digits = max(0, 1 - int(log10(max(value / size, 0.01)) // 1))
    return f"{value / size:,.{digits}f} {name}"
