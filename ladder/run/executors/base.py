"""What all executors have in common: they take chunks of blocks and return their results."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from ladder.contest.blocks import PlannedBlock
from ladder.referee.lapses import Count
from ladder.worker.spending import Outlay
from ladder.worker.worker_messages import Bound, Unplayed

QUEUED = 2
"""The most chunks of a worker: one in progress, and one waiting so that the worker never idles."""


class FinishedBlock(NamedTuple):
    """A finished block: its number, and its record as encode_block made it."""

    number: int
    payload: bytes


Result: TypeAlias = FinishedBlock | Unplayed
"""What becomes of a block: its record, or why the machine could not play it."""


STARVED = 0.1
"""If tables wait for a core for more than this part of the time, more runs than there are cores for."""


class Waiting(NamedTuple):
    """What the tables in progress wait for."""

    tables: int
    """How many tables are in progress."""
    share: float
    """The part of the time, from 0 to 1, in which these tables need no core: their bots wait."""
    bound: Bound
    """What keeps the workers from more tables."""
    starved: float = 0.0
    """The part of the time in which they are ready to run and have no core."""
    others: float | None = None
    """The part of the cores that programs use which are not of the run, while they wait; None: not known."""


class WorkerSpeed(NamedTuple):
    """What a worker of a cluster has played, and how fast."""

    worker: str
    """Its address."""
    host: str
    processes: int
    matches: int
    per_s: float
    """Matches a second while all its processes play."""
    from_mean: float | None
    """How much faster it is than the mean of all workers at the same games: -0.3 is 30 % slower.

    None: there is no other worker.
    """
    delayed: int
    """How many blocks it could not play because its machine was too busy."""


class Executor(ABC):
    """A place where blocks are played.  What is not abstract suits one without workers of its own."""

    chunk_s = 0.25
    """How long a chunk should take: long keeps bots warm, short shares out the end of a run evenly."""

    def __init__(self) -> None:
        """Begin with nothing played."""
        self._parallel: dict[tuple[int, tuple[int, ...]], int] = {}
        """How many matches a seating has had in progress."""
        self._outlays: list[dict[str, Outlay]] = []

    @abstractmethod
    def room(self) -> int:
        """Return the number of chunks that can be submitted now."""

    @abstractmethod
    def submit(self, blocks: Sequence[PlannedBlock], *, alone: bool = False, charge: str = "") -> None:
        """Queue *blocks* of one seating, one after another; *alone*, *charge*: as a Chunk of messages."""

    @abstractmethod
    def results(self, timeout: float) -> Sequence[Result]:
        """Return what has become of blocks; wait up to *timeout* seconds for the first."""

    def choose(self, blocks: Iterable[PlannedBlock]) -> int:
        """Return the index of the first of *blocks* for which the fewest processes must be started."""
        return 0

    def parallel(self, block: PlannedBlock) -> int:
        """Return how many matches the seating of *block* has had in progress; 1 until that is known."""
        return self._parallel.get(block.seating, 1)

    def waiting(self) -> Waiting | None:
        """Return how many tables are in progress, and how much they wait; None if that is not known."""
        return None

    def speeds(self) -> Sequence[WorkerSpeed]:
        """Return how fast each worker has played, slowest first; empty where all are on this machine."""
        return []

    def unpin(self) -> None:  # noqa: B027  # some have nothing to do
        """Let workers and bots use any core from now on."""

    def hurry(self) -> None:  # noqa: B027
        """Wait for no table from now on that stands for a bot which the machine delays."""

    def tell(self, lapses: Mapping[str, Count]) -> None:  # noqa: B027
        """Send all workers the number of lapses of each bot in the whole run."""

    def outlays(self) -> list[dict[str, Outlay]]:
        """Return the outlays reported since the last call; after `close`, the last ones."""
        outlays, self._outlays = self._outlays, []
        return outlays

    def drain(self) -> Iterator[Sequence[Result]]:
        """Let each worker finish its current block; yield the results several times a second."""
        yield []

    def close(self) -> None:  # noqa: B027
        """End all workers and all their bot processes."""
