"""Measure how long a user waits before anything happens: at the first run, and at every command.

Commands are measured in CPU time, user and system, and compared with a Python that does nothing: so the
ratios say how much a command loads, on any machine.
"""

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from ladder.dev.benchmark.figure import Figure, at_most
from ladder.errors import LadderError

EMPTY: Final = ("-c", "pass")
PROGRAM: Final = ("-c", "from ladder.__main__ import main; main()")
"""The program, as its script starts it."""
COMMANDS: Final[dict[tuple[str, ...], int]] = {
    ("--version",): 6,
    ("--help",): 14,
    ("bots",): 14,
    ("leaderboard",): 21,
}
"""The most that each may cost, in CPU times of an empty Python: 80 to 300 ms where that needs 14 ms."""
FIRST_RUN: Final = ("run", "--game", "stellar", "--games", "2", "--jobs", "1")
UNSET: Final = ("LADDER_HOME", "PYTHONDONTWRITEBYTECODE")
"""Variables that are not passed on: a program whose bytecode is not kept is compiled at every start."""
PATIENCE: Final = 0.005
"""Seconds between two looks for the first match."""


class CommandCost(NamedTuple):
    """What a process has taken until its end."""

    cpu: float
    """CPU time in seconds, of it and all its descendants."""
    wall: float
    """Seconds from its start to its end."""
    first: float | None
    """Seconds until the file that was waited for had grown; None if it did not."""


def start_figures(rounds: int) -> Iterator[Figure]:
    """Measure a first run, and the start of commands.  Raises LadderError if one of them fails."""
    with tempfile.TemporaryDirectory(prefix="ladder-bench-") as folder:
        homes = [Path(folder, str(number)) for number in range(min(rounds, 3))]
        first = [spend((*PROGRAM, *FIRST_RUN, "--home", str(home)), home) for home in homes]
        empty = [spend(EMPTY).cpu for _ in range(rounds)]
        waits = [each.first for each in first if each.first is not None]
        yield at_most("first run: from the command to the first match", statistics.median(waits), "s", 3)
        cpu = statistics.median(each.cpu for each in first)
        yield Figure("first run of 2 matches: CPU of all processes", cpu, "s")
        yield Figure("first run of 2 matches: CPU / empty Python", cpu / statistics.median(empty), "")
        page = Path(folder, "match.html")
        spend((*PROGRAM, "replay", "1/0", "--html", str(page), "--home", str(homes[0])))
        yield at_most("page of a match of stellar, as it lies", page.stat().st_size / 1000, "kB", 250)
        yield from _command_figures(homes[0], rounds)


def _command_figures(home: Path, rounds: int) -> Iterator[Figure]:
    """Measure the start of commands in *home*; rounds of an empty Python alternate with theirs."""
    spent: dict[tuple[str, ...], list[float]] = {words: [] for words in COMMANDS}
    ratios: dict[tuple[str, ...], list[float]] = {words: [] for words in COMMANDS}
    for number in range(rounds + 1):
        empty = spend(EMPTY).cpu
        for words in COMMANDS:
            where = () if words[0].startswith("-") else ("--home", str(home))
            cpu = spend((*PROGRAM, *words, *where)).cpu
            if number:  # the first round writes the bytecode
                spent[words].append(cpu)
                ratios[words].append(cpu / empty)
    for words, aim in COMMANDS.items():
        name = f"start-up: ladder {' '.join(words)}"
        yield Figure(f"{name}: CPU", 1000 * statistics.median(spent[words]), "ms")
        yield at_most(f"{name} / empty Python", statistics.median(ratios[words]), "", aim)


def spend(arguments: Sequence[str], home: Path | None = None) -> CommandCost:
    """Run Python; return what it took, and when the first match of *home* was kept.  Raises LadderError."""
    quiet = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in (0, 1, 2)]
    environment = {name: value for name, value in os.environ.items() if name not in UNSET}
    began, first = time.perf_counter(), None
    pid = os.posix_spawn(sys.executable, [sys.executable, *arguments], environment, file_actions=quiet)
    while home:
        if first is None and _has_match(home):
            first = time.perf_counter() - began
        ended, status, usage = os.wait4(pid, os.WNOHANG)
        if ended:
            break
        time.sleep(PATIENCE)
    else:
        _, status, usage = os.wait4(pid, 0)
    if status:
        words = " ".join(arguments[2:])
        raise LadderError(f"ladder {words} failed: exit code {status >> 8}", "the same command, to see why")
    return CommandCost(usage.ru_utime + usage.ru_stime, time.perf_counter() - began, first)


def _has_match(home: Path) -> bool:
    """Return whether a match of *home* is kept: its journal has more than a head, or a segment is there."""
    journals = (home / "results" / "journal").glob("*.log")
    return any(file.stat().st_size > 100 for file in journals) or any(home.glob("results/matches/*.parquet"))
