"""A process pool.  Tasks go in; results come out in the same order, or as they are ready.

Each process has its own pipe, so all of them end when this process ends, even if it is killed.  They import
only the modules that the work needs.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import partial
from multiprocessing.connection import Connection, wait
from multiprocessing.reduction import ForkingPickler
from types import TracebackType
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

from ladder.errors import REPORT, LadderError, Told, TooBusy, Whose, tell, whose
from ladder.machine.capacity import RESERVE_BYTES, available_bytes
from ladder.machine.exits import describe_exit
from ladder.machine.interrupts import undisturbed_starts
from ladder.machine.unexpected import summarize
from ladder.machine.without_pandas import leave_out_pandas

STOP_SECONDS = 5.0
"""How long a pool that ends by an error waits for its processes."""

KILLED = "`dmesg` shows if memory ran out; free some, or run the same command again with fewer --jobs"
"""What to do about a process that was killed with SIGKILL, as the kernel does when memory runs out."""

T = TypeVar("T")
R = TypeVar("R")
Tell: TypeAlias = Callable[[str, bool], object]
"""Tells the process of the pool's owner how a task proceeds, and whether it waits and needs no core."""


class Pool:
    """A pool of *jobs* processes, started by the first task; with one job, this process does the work."""

    def __init__(self, jobs: int, most: int = 0) -> None:
        """Have *jobs* processes at work, and up to *most* while some tell that they only wait."""
        self._jobs = jobs
        self._most = max(jobs, most)
        self._members: list[_Process] = []

    def __enter__(self) -> Pool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Kill all processes at once; after an error, those at work first have time to remove their files."""
        try:
            if kind is not None:
                self._stop()
        finally:
            # all are killed before any is joined, so that they end at the same time
            for member in self._members:
                member.process.kill()
            for member in self._members:
                member.end()
            self._members.clear()

    def _stop(self) -> None:
        """Let all processes leave what they do, as far as they can in STOP_SECONDS."""
        deadline = time.monotonic() + STOP_SECONDS
        for member in self._members:
            member.process.terminate()
        for member in self._members:
            member.process.join(max(0.0, deadline - time.monotonic()))

    def each(self, work: Callable[[T], R], tasks: Iterable[T]) -> Iterator[tuple[T, R]]:
        """Yield each of *tasks* with the result of *work*, in order.

        Each process has one task, and one more is read ahead.  Raises LadderError if a process fails or ends
        before its work is done.
        """
        if self._jobs == 1:
            for task in tasks:
                yield task, work(task)
            return
        while len(self._members) < self._jobs:
            self._add()
        idle = list(self._members)
        begun: deque[tuple[T, _Process]] = deque()
        for task in tasks:
            done = None
            if idle:
                member = idle.pop()
            else:
                first, member = begun.popleft()
                done = first, member.answer()
            member.begin(work, task)  # so it has work before the caller looks at the result
            begun.append((task, member))
            if done:
                yield done
        for task, member in begun:
            yield task, member.answer()

    def as_done(
        self, work: Callable[[T, Tell], R], next_task: Callable[[], T | None], hear: Callable[[T, str], None]
    ) -> Iterator[tuple[T, R | Exception]]:
        """Yield each task with the result of *work* when it is ready, or with the error that ended it.

        *next_task* returns a task that may begin now, or None if there is none now; it is asked again after
        each result.  *work* may tell how it proceeds: *hear* gets that, and another task may begin beside one
        that waits.  A process that dies is replaced, and its task done once more at the end, alone: what was
        beside it may have taken the memory.
        """
        begun: dict[Connection, tuple[T, _Process]] = {}
        waiting: set[Connection] = set()
        lost: list[T] = []
        alone = False
        """Whether what is begun is a lost task."""
        while True:
            while not alone and self._has_room(begun, waiting) and (task := next_task()) is not None:
                if self._begin(work, task, begun):
                    lost.append(task)
            if not begun and not lost:
                return
            if not begun:
                alone, task = True, lost.pop(0)
                # a task that no process takes, though it is alone, is given up: it has had its second chance
                if error := self._begin(work, task, begun):
                    yield task, error
            for pipe in wait(list(begun)):
                assert isinstance(pipe, Connection)
                task, member = begun[pipe]
                try:
                    answer = member.answer()
                except LadderError as error:
                    answer = error
                    # else the task has failed in a process that is sound, and its error is the answer
                    if not member.process.is_alive():
                        self._drop(member)
                        if not alone:
                            del begun[pipe]
                            lost.append(task)
                            continue
                waiting.discard(pipe)
                if isinstance(answer, _News):
                    waiting |= {pipe} if answer.waits else set()
                    hear(task, answer.text)
                else:
                    del begun[pipe]
                    yield task, answer
            alone = alone and bool(begun)

    def _has_room(self, begun: Collection[Connection], waiting: Collection[Connection]) -> bool:
        """Return whether another task may begin beside those *begun*, of which some are *waiting*."""
        if len(begun) < self._jobs:
            return True
        if len(begun) >= min(self._most, self._jobs + len(waiting)):
            return False
        free = available_bytes()
        return free is None or free >= RESERVE_BYTES

    def _begin(
        self, work: Callable[[T, Tell], R], task: T, begun: dict[Connection, tuple[T, _Process]]
    ) -> Exception | None:
        """Let an idle process, or a new one, do *work*; return why that cannot be, None if it can."""
        busy = {id(member) for _, member in begun.values()}
        idle = [member for member in self._members if id(member) not in busy]
        try:
            member = idle[0] if idle else self._add()
        except OSError as error:
            return error
        try:
            member.begin(work, task, telling=True)
        except Told as error:
            self._drop(member)
            return error
        begun[member.pipe] = task, member
        return None

    def _drop(self, member: _Process) -> None:
        self._members.remove(member)
        member.end()

    def _add(self) -> _Process:
        with undisturbed_starts():
            self._members.append(_Process())
        return self._members[-1]


class Aside(Generic[R]):
    """One task in a process of its own, with low priority, while this process goes on."""

    def __init__(self, work: Callable[[T], R], task: T, *, starts_others: bool = False) -> None:
        """Start *work* on *task*.  If it *starts_others*, this process must not end before end()."""
        with undisturbed_starts():
            self._member = _Process(daemon=not starts_others)
        self._member.begin(_work_aside, (work, task))

    def answer(self) -> R | None:
        """Return the result once, None until then.  Raises LadderError if the process fails or ends early."""
        if not self._member.pipe.poll():
            return None
        answer: R = self._member.answer()
        return answer

    def end(self) -> None:
        """Kill the process, whatever it does."""
        self._member.process.kill()
        self._member.end()


def _work_aside(task: tuple[Callable[[T], R], T]) -> R:
    os.nice(10)
    work, of = task
    return work(of)


class _News(NamedTuple):
    """How a task proceeds."""

    text: str
    waits: bool


class _Failed(NamedTuple):
    """The error of a task, a hint, whose it is, and the exit code."""

    what: str
    hint: str
    whose: Whose
    exit_code: int


class _Process:
    """A process of the pool."""

    def __init__(self, *, daemon: bool = True) -> None:
        # not fork: threads and open files of this process would be copied as well
        context = multiprocessing.get_context("spawn")
        self.pipe, other = context.Pipe()
        self.process = context.Process(target=_serve, args=(other,), daemon=daemon)
        self.process.start()
        other.close()

    def begin(self, work: Callable[..., R], task: T, *, telling: bool = False) -> None:
        """Let the process do *work*; its second argument is a Tell if it is *telling*."""
        with self._alive():
            self.pipe.send((work, task, telling))

    def answer(self) -> Any:
        """Return the result of the oldest task without an answer."""
        with self._alive():
            answer = self.pipe.recv()
        if isinstance(answer, _Failed):
            raise Told(*answer)
        return answer

    def end(self) -> None:
        self.process.join()
        self.pipe.close()

    @contextlib.contextmanager
    def _alive(self) -> Iterator[None]:
        try:
            yield
        except (EOFError, OSError):
            self.process.join()
            code = self.process.exitcode
            raise Told(
                f"a worker process died: {describe_exit(code)}",
                KILLED if code == -signal.SIGKILL else "run the same command again",
                "machine",
                TooBusy.exit_code,
            ) from None


def _serve(pipe: Connection) -> None:
    """Do the tasks that come over the pipe, until its other end closes."""
    leave_out_pandas()
    with contextlib.suppress(EOFError, BrokenPipeError, ConnectionResetError):
        while True:
            pipe.send_bytes(_answer(pipe, pipe.recv_bytes()))


@contextlib.contextmanager
def _leaving() -> Iterator[None]:
    """Let SIGTERM raise SystemExit, so that a task can remove its files and end its bots.

    Elsewhere it kills the process at once: between two tasks nothing is to be put away, and Python ignores an
    exception that a signal raises inside a callback of an import, and prints it.
    """
    signal.signal(signal.SIGTERM, _leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _leave(*_: object) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # a second one would interrupt what ends the bots
    sys.exit()


def _answer(pipe: Connection, data: bytes) -> memoryview:
    """Do the task in *data*; return its result or error, pickled; what cannot be pickled is an error, too."""
    try:
        work, task, telling = ForkingPickler.loads(data)
        with _leaving():
            result = work(task, partial(_tell, pipe)) if telling else work(task)
        return ForkingPickler.dumps(result)
    except Exception as error:
        what, hint = tell(error) or (f"a worker process failed: {summarize(error)}", REPORT)
        return ForkingPickler.dumps(_Failed(what, hint, whose(error), getattr(error, "exit_code", 1)))


def _tell(pipe: Connection, text: str, waits: bool) -> None:
    with contextlib.suppress(OSError):  # the parent no longer reads, and this process will end
        pipe.send(_News(text, waits))
