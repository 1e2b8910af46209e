"""Practice matches of one worker: one after another, or side by side while the bots wait for something."""

import sys
from collections.abc import Callable, Container, Mapping
from threading import Condition, Thread
from types import TracebackType
from typing import Generic, Self, TypeVar

from ladder.worker.concurrency import SWITCH_SECONDS
from ladder.worker.table_count import LOOK_SECONDS, TableCount
from ladder.worker.worker import Worker

T = TypeVar("T")
IDLE = 0.9
"""A trial counts as waiting if its tables need no core for this part of the time."""


class SideBySide(Generic[T]):
    """Tasks that play matches.  Results are asked for in order; what is begun meanwhile depends on the bots.

    Bots that compute have one task after another, by the same processes: starts are what these cost.
    """

    def __init__(
        self, worker: Worker, tasks: Mapping[int, Callable[[], T]], tell: Callable[[int, bool], object]
    ) -> None:
        """Play *tasks* in order by *worker*, with no other tables; *tell* hears how many, and of waits."""
        self._tasks = tasks
        self._tell = tell
        self._left = list(tasks)
        """The tasks that were not begun."""
        self._threads: dict[int, Thread] = {}
        """Those in progress."""
        self._done: dict[int, T | Exception] = {}
        self._changed = Condition()
        worker.watch_tables()
        self._held = TableCount(worker)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Wait for what is in progress, unless this process is to end at once."""
        self._tell(0, False)
        if kind is None or issubclass(kind, Exception | GeneratorExit):
            for thread in list(self._threads.values()):
                thread.join()

    def result(self, number: int) -> T:
        """Return the result of task *number* when it is there; raises what the task has raised."""
        while number not in self._done:
            self._begin_next(number)
            with self._changed:
                self._changed.wait_for(lambda: number in self._done, LOOK_SECONDS)
            if self._held.is_due:
                self._held.look(len(self._threads))
                self._tell(len(self._threads), self._held.waits >= IDLE)
        found = self._done[number]
        if isinstance(found, Exception):
            raise found
        return found

    def drop(self, numbers: Container[int]) -> None:
        """Begin none of the tasks *numbers*: their results are not wanted."""
        self._left = [number for number in self._left if number not in numbers]

    def _begin_next(self, wanted: int) -> None:
        """Begin *wanted*, and those after it while tables are free."""
        if self._held.now > 1:
            sys.setswitchinterval(SWITCH_SECONDS)
        room = max(0, self._held.now - len(self._threads))
        self._left.sort(key=lambda number: number != wanted)
        for number in self._left[:room]:
            self._left.remove(number)
            self._threads[number] = Thread(target=self._run, args=(number,), daemon=True)
            self._threads[number].start()

    def _run(self, number: int) -> None:
        found: T | Exception
        try:
            found = self._tasks[number]()
        except Exception as error:
            found = error
        with self._changed:
            del self._threads[number]  # first: who sees the result may begin the next one
            self._done[number] = found
            self._changed.notify_all()
