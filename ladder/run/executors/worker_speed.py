"""How fast each worker of a cluster has played; it needs no Dask."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from ladder.contest.blocks import PlannedBlock
from ladder.run.executors.base import Result, WorkerSpeed
from ladder.worker.worker_messages import Unplayed


@dataclass
class _Work:
    """What a worker has played."""

    host: str
    processes: int
    matches: Counter[int] = field(default_factory=Counter)
    """By contest, as are the seconds of its processes."""
    seconds: defaultdict[int, float] = field(default_factory=lambda: defaultdict(float))
    delayed: int = 0


class WorkerSpeeds:
    """Counts what workers play, and how long they take."""

    def __init__(self) -> None:
        self._work: dict[str, _Work] = {}

    def add(
        self,
        worker: tuple[str, str, int],
        blocks: Sequence[PlannedBlock],
        results: Sequence[Result],
        seconds: float,
    ) -> None:
        """Count the *results* of *blocks*, of one contest, which took a process of *worker* some *seconds*.

        A worker is its address, its host and the number of its processes.
        """
        address, host, processes = worker
        work = self._work.setdefault(address, _Work(host, processes))
        delayed = sum(isinstance(result, Unplayed) for result in results)
        contest, seats = blocks[0].contest, len(blocks[0].bots)
        work.matches[contest] += seats * (len(results) - delayed)
        work.seconds[contest] += seconds
        work.delayed += delayed

    def speeds(self) -> list[WorkerSpeed]:
        """Return the speed of each worker, slowest first.

        Games and table sizes take different times, so a worker is compared with the time that all workers
        together take for matches like its own.
        """
        matches: Counter[int] = Counter()
        seconds: defaultdict[int, float] = defaultdict(float)
        for work in self._work.values():
            matches.update(work.matches)
            for contest, spent in work.seconds.items():
                seconds[contest] += spent
        found = []
        for address, work in self._work.items():
            played, spent = work.matches.total(), sum(work.seconds.values())
            usual = sum(n * seconds[c] / matches[c] for c, n in work.matches.items() if n)
            found.append(
                WorkerSpeed(
                    address,
                    work.host,
                    work.processes,
                    played,
                    played / spent * work.processes if spent else 0.0,
                    usual / spent - 1 if spent and len(self._work) > 1 else None,
                    work.delayed,
                )
            )
        return sorted(found, key=lambda speed: (speed.from_mean or 0.0, speed.worker))
