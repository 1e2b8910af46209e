"""An executor without processes and with a clock of its own: what is played follows from its script."""

import heapq
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from types import MappingProxyType
from typing import Any, NamedTuple

from ladder.contest.blocks import PlannedBlock, ScheduledMatch, matches_of
from ladder.home.home import Home
from ladder.run.coordinator import Coordinator
from ladder.run.executors.base import Executor, FinishedBlock
from ladder.run.setup import setup_of
from ladder.run.status import Status, Stop
from ladder.worker.worker_messages import Setup, Unplayed
from results.record import Block, Usage, encode_block
from results.storage.store import Store
from support.ladders import start_run
from support.records import a_fault, a_match, a_seat

Seconds = Callable[[ScheduledMatch], float]
Fault = Callable[[str, int], str | None]


class Play(NamedTuple):
    """A block that was played."""

    block: int
    alone: bool
    charge: str
    before: int
    """How often it was begun before."""
    at: float
    """When it was submitted."""


Delay = Callable[[Play], Unplayed | None]


def worth_by_name(bot: str, match: int) -> float:
    """Return how well *bot* does in *match*: earlier names do better, and luck follows from the number."""
    return -ord(bot[0]) + 3 * Random(f"{bot}/{match}").random()


def uneven(match: ScheduledMatch) -> float:
    """Return one to two seconds, by the number of *match*."""
    return 1 + Random(match.match).random()


class ScriptedTables(Executor):
    """*tables* tables, at which matches take as many seconds of its own clock as *seconds* says.

    A table plays the matches of a block one after another; with *side_by_side*, two tables may play them.
    *fault* says what a bot, by its name, does wrong in a match, *usage* what it says that a match cost,
    *delay* what the machine delays when a block is played.  *shuffle* draws the order in which blocks are
    submitted, and in which those that end at once are reported.
    """

    chunk_s = 0.25

    def __init__(
        self,
        setup: Setup,
        tables: int = 4,
        seconds: Seconds = lambda match: 1.0,
        fault: Fault = lambda bot, match: None,
        delay: Delay = lambda play: None,
        *,
        usage: Callable[[str, int], Usage | None] = lambda bot, match: None,
        side_by_side: bool = False,
        shuffle: Random | None = None,
    ) -> None:
        super().__init__()
        self.now = 0.0
        self.submitted: list[int] = []
        """The numbers of the blocks in the order in which they were submitted."""
        self.begun: Counter[int] = Counter()
        """How often each block was begun."""
        self.busy_s = 0.0
        self.hurried = 0
        """How often it was told to hurry."""
        self._setup = setup
        self._tables = tables
        self._seconds = seconds
        self._fault = fault
        self._delay = delay
        self._usage = usage
        self._plays: dict[int, Play] = {}
        self.plays: list[Play] = []
        """How blocks were played, in the order in which that ended."""
        self._side_by_side = side_by_side
        self._shuffle = shuffle
        self._waiting: list[int] = []
        """The numbers of the blocks of which no match was begun."""
        self._left: dict[int, deque[ScheduledMatch]] = {}
        """The matches of each block in hand that were not begun."""
        self._open: dict[int, int] = {}
        """How many matches of each block in hand are not over."""
        self._blocks: dict[int, PlannedBlock] = {}
        self._running: list[tuple[float, int]] = []
        """When each match in progress ends, and the number of its block."""

    def clock(self) -> float:
        """Return the time in seconds."""
        return self.now

    def room(self) -> int:
        return max(0, self._tables - len(self._blocks))

    def choose(self, blocks: Iterable[PlannedBlock]) -> int:
        return self._shuffle.randrange(len([*blocks])) if self._shuffle else 0

    def submit(self, blocks: Sequence[PlannedBlock], *, alone: bool = False, charge: str = "") -> None:
        for block in blocks:
            self.submitted.append(block.number)
            self._blocks[block.number] = block
            self._left[block.number] = deque(matches_of(block, self._setup.contests[block.contest]))
            self._open[block.number] = len(block.bots)
            self._waiting.append(block.number)
            self._plays[block.number] = Play(block.number, alone, charge, self.begun[block.number], self.now)
            if alone:
                assert [block.number] == [*self._blocks], "another table is in progress"

    def hurry(self) -> None:
        self.hurried += 1

    def results(self, timeout: float) -> list[Any]:
        self._begin()
        if not self._running:
            self.now += timeout
            return []
        self.now = self._running[0][0]
        done = []
        while self._running and self._running[0][0] <= self.now:
            _, number = heapq.heappop(self._running)
            self._open[number] -= 1
            if self._open[number]:
                if not self._side_by_side:
                    self._play(number)
                continue
            del self._open[number], self._left[number]
            block, play = self._blocks.pop(number), self._plays.pop(number)
            self.plays.append(play)
            done.append(self._delay(play) or self.played(block, play.charge))
        if self._shuffle:
            self._shuffle.shuffle(done)
        return done

    def _begin(self) -> None:
        """Let free tables begin the next matches, those of earlier blocks first."""
        while len(self._running) < self._tables:
            ready = self._left if self._side_by_side else self._waiting
            number = next((number for number in ready if self._left[number]), None)
            if number is None:
                return
            if number in self._waiting:
                self._waiting.remove(number)
                self.begun[number] += 1
            self._play(number)

    def _play(self, number: int) -> None:
        seconds = self._seconds(self._left[number].popleft())
        self.busy_s += seconds
        heapq.heappush(self._running, (self.now + seconds, number))

    def played(self, block: PlannedBlock, charge: str = "") -> Any:
        """Return what is reported of *block* when its matches are over; *charge* faults in all of them."""
        matches, faults = [], []
        for scheduled in matches_of(block, self._setup.contests[block.contest]):
            bots = [self._setup.bots[i] for i in scheduled.bots]
            ill = ["timeout" if bot.id == charge else self._fault(bot.bot, scheduled.match) for bot in bots]
            order = sorted(
                range(len(bots)),
                key=lambda i: (ill[i] is not None, -worth_by_name(bots[i].bot, scheduled.match)),
            )
            seats = [
                a_seat(
                    bot.bot,
                    1 + order.index(i),
                    version=bot.version,
                    fault=kind,
                    usage=self._usage(bot.bot, scheduled.match),
                )
                for i, (bot, kind) in enumerate(zip(bots, ill, strict=True))
            ]
            told: dict[str, Any] = {"run": self._setup.run, "game": scheduled.contest.game}
            where = {"block": block.number, "rotation": scheduled.rotation, "seats": seats}
            matches.append(a_match(scheduled.match, **told, **where))
            faults += [
                a_fault(
                    scheduled.match, seat, run=self._setup.run, bot=bot.bot, version=bot.version, kind=kind
                )
                for seat, (bot, kind) in enumerate(zip(bots, ill, strict=True))
                if kind is not None
            ]
        return FinishedBlock(block.number, encode_block(Block(block.number, matches, faults)))


def play_tables(
    home: Home,
    tables: int = 1,
    *,
    stop_after: int | None = None,
    say: Callable[[str, str], object] = lambda text, hint: None,
    script: Mapping[str, Any] = MappingProxyType({}),
    **asked: Any,
) -> Coordinator:
    """Play the run of *home*, or one that *asked* describes, at so many *tables*.

    It is stopped after *stop_after* rated matches.  *say* hears what the operator is told; *script* is what
    ScriptedTables takes.
    """
    run = start_run(home, **asked)
    setup, stop = setup_of(home, run, 1), Stop()

    def report(status: Status) -> None:
        stop.asked = int(stop_after is not None and status.done >= stop_after)

    seconds = uneven if tables > 1 else lambda match: 1.0
    executor = ScriptedTables(setup, tables, **{"seconds": seconds, **script})
    with Store(home.results).lock() as store:
        running = Coordinator.resume(store, run, setup, report, say, executor.clock)
        running.play(executor, stop)
    return running
