"""Seat bots at tables, through real pipes, for tests of everything that plays.

`hall` is a worker in this process; its matches use everything except the pipe from worker to parent.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from engines import GAMES, Step, replay
from ladder.contest.blocks import PlannedBlock
from ladder.process.link import SYSTEM_CLOCK, TimeSource
from ladder.process.seat_kinds import SeatKind
from ladder.referee.player import Player
from ladder.referee.table_events import BotStarted, Event
from ladder.registry.bot_manifest import BotManifest
from ladder.registry.version import Version
from ladder.replay.replay import deal_of
from ladder.sandbox.confinement import Confinement
from ladder.worker.practice import practice_setup
from ladder.worker.starter import NO_SEATS
from ladder.worker.worker import Worker
from ladder.worker.worker_messages import Setup
from protocol.messages import Limits
from results import record
from results.record import Contest
from support.places import BAD_BOTS

PATIENT = Limits(start_ms=30_000, move_ms=30_000, bank_ms=0)
"""Limits for tests that are not about time: no clock runs out, even on a busy machine."""
SECRET = bytes(range(16))
MOST_PLAYERS = 1_000
"""No test needs as many."""
TIMES = {"think_us", "busy_us", "outside_us", "cpu_us", "started", "duration_us", "elapsed_us"}
MEASURED = TIMES | {"memory_bytes", "attempt", "notes"}
"""What may differ when a match is played again; `notes` because bots here note their process ids."""


def bot(program: str, name: str = "", **manifest: Any) -> Version:
    """Return the bot *program* of tests/bad_bots or scripts.py; `manners` is the one without a sin."""
    run = ("{python}", "-S", f"{program}.py")  # -S: a third of the time to start
    return Version(
        name or program, "1", str(BAD_BOTS), BotManifest(name or program, **{"run": run, **manifest})
    )


def good(name: str = "good", **manifest: Any) -> Version:
    """Return a bot without a sin; its notes are its process ids."""
    return bot("manners", name, **manifest)


class Hall(Worker):
    """A worker that records every player it has started."""

    def __init__(
        self, setup: Setup, clock: TimeSource = SYSTEM_CLOCK, seats: Mapping[str, SeatKind] = NO_SEATS
    ) -> None:
        super().__init__(setup, clock=clock, seats=seats, on_event=self._note, practice=True)
        self.players: list[Player] = []
        self.contest = setup.contests[0]

    def _note(self, event: Event) -> None:
        if isinstance(event, BotStarted):
            self.players.append(event.player)
            assert len(self.players) < MOST_PLAYERS, "matches are begun again without an end"

    def hold_to(self, **settings: Any) -> None:
        """Play on under other *settings*."""
        changed = msgspec.structs.replace(self.rules.settings, **settings)
        self.rules = self.rules._replace(settings=changed)

    def block(self, number: int) -> PlannedBlock:
        """Return the block of that number: all bots at one table."""
        return PlannedBlock(number, number * self.contest.seats, 0, self.contest.bots)

    def record(self, *numbers: int) -> list[record.Block]:
        """Play the blocks of these numbers as one chunk."""
        return sorted(self.play([self.block(number) for number in numbers]), key=lambda block: block.number)

    def matches(self, *numbers: int) -> list[record.Match]:
        """Play the blocks of these numbers as one chunk; return their matches, block after block."""
        return [match for block in self.record(*numbers) for match in block.matches]


@contextmanager
def hall(
    *bots: Version, tier: str = "none", clock: TimeSource = SYSTEM_CLOCK, **changes: Any
) -> Iterator[Hall]:
    """Yield a worker for one table of *bots*; afterwards no process of it may be left.  See `setup_for`."""
    hall = Hall(setup_for(*bots, tier=tier, **changes), clock=clock)
    try:
        yield hall
    finally:
        hall.close()
        left = [player.bot.bot for player in hall.players if player.process and alive(player.process.pid)]
    assert [] == left


def setup_for(
    *bots: Version,
    game: str = "stellar",
    options: Mapping[str, Any] | None = None,
    limits: Limits = PATIENT,
    in_progress: int = 1,
    processes: int = 64,
    cores: int = 64,
    tier: str = "none",
    apart: record.LimitsApart | None = None,
    outage_s: int = 300,
) -> Setup:
    """Return the setup of a worker for one table of *bots*."""
    contest = Contest(game, len(bots), dict(options or {}), tuple(range(len(bots))))
    settings = record.RunSettings(limits=msgspec.to_builtins(limits), apart=apart, outage_s=outage_s)
    setup = practice_setup(
        (contest,), bots, settings, Confinement(tier), secret=SECRET, in_progress=in_progress, cores=cores
    )
    return msgspec.structs.replace(setup, run=1, processes=processes)


def alive(pid: int) -> bool:
    """Return whether there is a process *pid* that has not ended."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    try:  # a zombie has ended too; containers without an init do not reap them
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return not Path("/proc/self").exists()


def has_ended(pid: int) -> bool:
    """Return whether process *pid* ends within five minutes: the machine may be busy."""
    deadline = time.monotonic() + 300
    while alive(pid) and time.monotonic() < deadline:
        time.sleep(0.01)
    return not alive(pid)


def facts(value: Any) -> Any:
    """Return a record, or several, as plain values without what was measured."""
    return _without(msgspec.to_builtins(value))


def _without(plain: Any) -> Any:
    if isinstance(plain, dict):
        return {key: _without(item) for key, item in plain.items() if key not in MEASURED}
    return [_without(item) for item in plain] if isinstance(plain, list) else plain


def moves_of(match: record.Match) -> list[list[list[Any]]]:
    """Return the steps of *match* as they were stored."""
    return json.loads(match.moves)


def seat_of(match: record.Match, name: str) -> int:
    """Return the seat of the bot *name*."""
    return next(i for i, seat in enumerate(match.seats) if seat.bot == name)


def replay_match(match: record.Match) -> list[Step[Any]]:
    """Replay *match* from its record; return every step."""
    made = [
        {seat: tuple(move) if isinstance(move, list) else move for seat, move, *_ in step}
        for step in moves_of(match)
    ]
    return list(replay(GAMES[match.game], deal_of(match), len(match.seats), made))


def pids(match: record.Match, seat: int) -> set[str]:
    """Return the process ids that the bot in *seat* noted."""
    return {note.text for note in match.seats[seat].notes}


def lines_of(folder: Path) -> list[list[str]]:
    """Return the lines that recording bots received, one list per process."""
    return [file.read_text().splitlines() for file in sorted(folder.glob("*.jsonl"))]
