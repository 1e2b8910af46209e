"""How near the runner comes to what the bare pipes can do: everything measured in one run, in ratios.

The bare ping-pong sends the very bytes that the runner sent, to the same bots, pinned in the same way, and
reads the answers without looking at them.  Rounds of both alternate; figures are medians.
"""

from __future__ import annotations

import os
import resource
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import msgspec

from engines import GAMES, playout
from engines.game import Game
from ladder.fixture import Block, Contest
from ladder.home import house_bots
from ladder.keys import secret_of_seed
from ladder.process import BotProcess
from ladder.roster import Version, read_manifest
from ladder.worker import Setup, Worker, run_on, spare_collections, usable_cores
from protocol.messages import Limits

__all__ = ["Figure", "engine_figures", "pipe_figures", "run_figures"]

DECISIONS = 4_500
"""About so many are in one round of matches."""
ROUNDS = 7
PLAYOUTS = 60
"""Matches of one round of the engine alone."""

_encode = msgspec.json.Encoder().encode


class Figure(NamedTuple):
    """One measured number, and what it should be."""

    what: str
    value: float
    unit: str
    aim: str = ""
    ok: bool | None = None


def _at_most(what: str, value: float, unit: str, aim: float) -> Figure:
    return Figure(what, value, unit, f"at most {aim:g}", value <= aim)


def _at_least(what: str, value: float, unit: str, aim: float) -> Figure:
    return Figure(what, value, unit, f"at least {aim:g}", value >= aim)


# -- the engine alone


def engine_figures(rounds: int = ROUNDS) -> Iterator[Figure]:
    """Measure random playouts of every game: the rules alone, and with views, choices and events encoded.

    A game's figure is the median over its table sizes and rounds; then come the medians over the games.
    """
    of_all: list[tuple[float, float]] = []
    for name, game in GAMES.items():
        alone: list[float] = []
        told: list[float] = []
        sizes: list[int] = []
        for _ in range(rounds):
            for seats in game.seats:
                alone.append(_playouts(game, seats, None))
                told.append(_playouts(game, seats, sizes))
        of_all.append((statistics.median(alone), statistics.median(told)))
        for what, us in zip(("rules", "rules, view and encoding"), of_all[-1], strict=True):
            yield Figure(f"{name}: {what}", us, "us/decision")
            yield Figure(f"{name}: {what}", 1e6 / us, "decisions/s")
        yield Figure(f"{name}: an act line, median", statistics.median(sizes), "bytes")
    rules, with_view = (statistics.median(column) for column in zip(*of_all, strict=True))
    yield _at_most("median of the games: rules", rules, "us/decision", 6)
    yield _at_most("median of the games: rules, view and encoding", with_view, "us/decision", 12)


def _playouts(game: Game[Any], seats: int, sizes: list[int] | None) -> float:
    """Return the microseconds per decision of random playouts; with *sizes*, encode and collect sizes."""
    rng = Random(7)
    starts = [game.start(game.deal(seats, rng), seats).state for _ in range(PLAYOUTS)]
    decisions = 0
    began = time.process_time_ns()
    for state in starts:
        while choices := game.choices(state):
            decisions += len(choices)
            if sizes is not None:
                for seat, choice in choices.items():
                    sizes.append(170 + len(_encode(choice.to_json())) + len(_encode(game.view(state, seat))))
            state, events = game.play(state, {seat: choice.sample(rng) for seat, choice in choices.items()})
            if sizes is not None:
                for event in events:
                    _encode(event.seen_by(None))
    return (time.process_time_ns() - began) / 1000 / decisions


# -- the referee and the pipes


class _Tee:
    """A bot process whose every write is kept."""

    def __init__(self, process: BotProcess, sent: list[tuple[int, bytes]], index: int) -> None:
        self._process = process
        self._sent = sent
        self._index = index

    def __getattr__(self, name: str) -> Any:
        return getattr(self._process, name)

    def send(self, data: bytes) -> bool:
        self._sent.append((self._index, data))
        return self._process.send(data)


class _Cost(NamedTuple):
    """What a round took: wall time and CPU time per decision, in microseconds."""

    wall: float
    cpu: float
    own: float
    """The share of this process in the CPU time."""


def pipe_figures(rounds: int = ROUNDS) -> Iterator[Figure]:
    """Compare matches through the runner with the bare ping-pong, at the smallest table of every game.

    Stellar is the one that is measured with 32 matches in progress, too.
    """
    plans: list[tuple[str, int, float | None]] = [(name, 1, 0.55) for name in GAMES if name != "stellar"]
    plans += [("stellar", 1, 0.65), ("stellar", 32, None)]
    with _pinned():
        for game, in_progress, aim in plans:
            bare, through, decisions = _compare(game, in_progress, rounds)
            name = f"{game}, {in_progress} in progress"
            ratio = statistics.median(b.wall / t.wall for b, t in zip(bare, through, strict=True))
            wall = statistics.median(t.wall for t in through)
            yield Figure(
                f"{name}: bare ping-pong", 1e6 / statistics.median(b.wall for b in bare), "decisions/s"
            )
            yield Figure(f"{name}: through the runner", 1e6 / wall, "decisions/s")
            yield Figure(f"{name}: matches, one core", 1e6 / wall / decisions, "matches/s")
            what = f"{name}: runner / bare"
            yield _at_least(what, ratio, "", aim) if aim else Figure(what, ratio, "")
            cpu = statistics.median(t.cpu / b.cpu for b, t in zip(bare, through, strict=True))
            yield Figure(f"{name}: CPU of all, runner / bare", cpu, "")
            own = [statistics.median(cost.own for cost in costs) for costs in (bare, through)]
            yield Figure(f"{name}: bare referee's CPU", own[0], "us/decision")
            yield Figure(f"{name}: referee's CPU", own[1], "us/decision")


@contextmanager
def _pinned() -> Iterator[None]:
    run_on(0, usable_cores()[-1:])
    try:
        yield
    finally:
        run_on(0, usable_cores())


def _compare(game: str, in_progress: int, rounds: int) -> tuple[list[_Cost], list[_Cost], float]:
    """Return the costs of the bare rounds and of the runner's, and the decisions of a match."""
    with closing(_Stand(game, in_progress)) as stand:
        decisions = stand.record()
        bare, through = [], []
        for _ in range(rounds):
            bare.append(stand.bare())
            through.append(stand.play())
        return bare, through, decisions / stand.matches


class _Stand:
    """Random bots at the smallest table of a game, a process each in every lane, and what they are sent."""

    def __init__(self, game: str, in_progress: int) -> None:
        seats = GAMES[game].seats[0]
        self._bots = _random_bots(seats)
        self._in_progress = in_progress
        self._worker = Worker(_setup(game, self._bots, in_progress))
        spare_collections()
        self._sent: list[tuple[int, bytes]] = []
        per_match = sum(1 for _ in playout(GAMES[game], GAMES[game].deal(seats, Random(7)), seats, Random(7)))
        count = max(2, round(DECISIONS / per_match / seats))
        self._blocks = [Block(i, seats * i, 0, tuple(range(seats))) for i in range(count)]

    @property
    def matches(self) -> int:
        """How many matches a round has."""
        return len(self._blocks) * len(self._bots)

    def close(self) -> None:
        self._worker.lanes.close()

    def record(self) -> int:
        """Play once, keeping what is sent; return the number of decisions."""
        self._play(self._blocks[:2])
        for index, player in enumerate(self._players()):
            player.process = _Tee(player.process, self._sent, index)
        self._play(self._blocks)
        for player in self._players():
            player.process = player.process._process
        return sum(data.count(b'{"type":"act"') for _, data in self._sent)

    def play(self) -> _Cost:
        """Return what the same matches cost through the runner."""
        return self._cost(lambda: self._play(self._blocks))

    def bare(self) -> _Cost:
        """Return what the same bytes cost without a referee."""
        fds = [(p.process.stdin_fd, p.process.stdout_fd) for p in self._players() if p.process]
        for fd in (fd for pair in fds for fd in pair):
            os.set_blocking(fd, True)
        try:
            turns = self._turns()
            return self._cost(lambda: _ping_pong(fds, turns))
        finally:
            for fd in (fd for pair in fds for fd in pair):
                os.set_blocking(fd, False)

    def _turns(self) -> list[list[tuple[int, bytes, int]]]:
        """Return what is written before anything is read: who gets what, and how many answers it brings."""
        if self._in_progress == 1:
            return [[(index, data, data.count(b'{"type":"act"'))] for index, data in self._sent]
        lines: dict[int, list[bytes]] = {}
        for index, data in self._sent:
            acts = [line for line in data.splitlines(keepends=True) if line.startswith(b'{"type":"act"')]
            lines.setdefault(index, []).extend(acts)
        size = self._in_progress
        turns: list[list[tuple[int, bytes, int]]] = []
        for lane in range(len(self._bots)):  # whose bots are at work at the same time
            players = [lane * len(self._bots) + seat for seat in range(len(self._bots))]
            for at in range(0, max(len(lines[index]) for index in players), size):
                batches = [(index, lines[index][at : at + size]) for index in players]
                turns.append([(index, b"".join(batch), len(batch)) for index, batch in batches if batch])
        return turns

    def _players(self) -> list[Any]:
        lanes = range(len(self._bots))
        return [player for lane in lanes for player in self._worker.lanes.seat(self._bots, lane)]

    def _play(self, blocks: Sequence[Block]) -> None:
        if self._in_progress > 1:
            self._worker.play(blocks)
        else:
            for block in blocks:
                self._worker.play([block])

    def _cost(self, work: Callable[[], object]) -> _Cost:
        decisions = sum(data.count(b'{"type":"act"') for _, data in self._sent)
        bots = [player.process for player in self._players()]
        before = sum(bot.cpu_us() or 0 for bot in bots)
        own, wall = time.process_time_ns(), time.perf_counter_ns()
        work()
        wall, own = time.perf_counter_ns() - wall, time.process_time_ns() - own
        spent = sum(bot.cpu_us() or 0 for bot in bots) - before
        return _Cost(wall / 1000 / decisions, (own / 1000 + spent) / decisions, own / 1000 / decisions)


def _ping_pong(fds: Sequence[tuple[int, int]], turns: Sequence[Sequence[tuple[int, bytes, int]]]) -> None:
    write, read = os.write, os.read
    for turn in turns:
        for index, data, _ in turn:
            write(fds[index][0], data)
        for index, _, answers in turn:
            while answers > 0:
                answers -= read(fds[index][1], 65536).count(b"\n")


def _random_bots(count: int) -> list[Version]:
    file = house_bots()["random"]
    manifest = read_manifest(file, GAMES)
    return [Version("random", str(i), str(file.parent), manifest) for i in range(count)]


def _setup(game: str, bots: Sequence[Version], in_progress: int) -> Setup:
    return Setup(
        run=0,
        secret=secret_of_seed(0),
        contests=(Contest(game, len(bots), {}, tuple(range(len(bots)))),),
        bots=tuple(bots),
        passed={},
        limits=Limits(),
        sandbox="none",
        processes=64,
        in_progress=in_progress,
        at_once=False,
    )


# -- a whole run


def run_figures(matches: int = 10_000) -> Iterator[Figure]:
    """Measure a run of Stellar, random against random, in a home of its own: from the start to Parquet."""
    import logging

    from ladder.executors import LocalExecutor
    from ladder.home import create_home
    from ladder.request import Request, begin, setup_of
    from ladder.run import Running, Stop
    from ladder.submission import submit
    from results.store import Store

    jobs = len(usable_cores())
    with tempfile.TemporaryDirectory() as folder:
        home = create_home(Path(folder, "home"))
        for name in ("one", "other"):
            submit(home, house_bots()["random"], name)
        for in_progress in (1, 32):
            began = time.perf_counter()
            with Store(home.results).lock() as store:
                run = begin(home, store, Request(games=("stellar",), matches=matches, seed=1))
                setup = setup_of(home, run, in_progress, pinned=True)
                running = Running(store, run, setup, lambda status: None)
                parent = time.process_time()
                with closing(
                    LocalExecutor(setup, jobs, "on", logging.NullHandler(), logging.ERROR)
                ) as executor:
                    running.play(executor, Stop())
                    memory = max(map(_peak_mb, executor.pids()))
                parent = time.process_time() - parent
            seconds = time.perf_counter() - began
            name = f"{matches:,} matches, {jobs} workers, {in_progress} in progress"
            yield _at_most(name, seconds * 10_000 / matches, "s/10,000", 20)
            yield Figure(f"{name}: CPU of the parent", parent / (jobs * seconds), "of all")
            yield _at_most(f"{name}: memory of a worker", memory, "MB", 60)


def _peak_mb(pid: int) -> float:
    """Return the largest resident size that process *pid* has had, in MB; without /proc this one's."""
    try:
        status = Path(f"/proc/{pid}/status").read_text("ascii")
    except OSError:
        return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024
