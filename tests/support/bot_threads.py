"""Let bots in Python play in threads of this process: the same programs, with pipes in place of processes.

A program gets a `sys`, an `os` and a `protocol.client` of its own, whose stdin and stdout are its pipes.
Nothing confines, measures or ends it: it must end when its stdin does.
"""

import builtins
import os
import select
import sys
import time
import traceback
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache, partial
from pathlib import Path
from threading import Thread
from types import CodeType, ModuleType
from typing import Any

import pytest

import protocol.client
from ladder.machine.pool import Pool
from ladder.process import tiers
from ladder.process.function import STATUS, FunctionBot, _Answering
from ladder.process.seat_kinds import SeatKind
from ladder.registry.bot_build import command_of
from ladder.registry.version import Version
from ladder.run.executors.in_process import InProcessExecutor
from ladder.run.executors.local import LocalExecutor
from ladder.worker.starter import Starter


@contextmanager
def in_threads() -> Iterator[None]:
    """Start no program for bots in Python, for runs and for other work: all is done in this process.

    The sandbox is not tried either: each of its tiers seems to hold.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tiers, "examine_tier", lambda tier: [])
        patch.setattr(Starter, "_confine", _seat)
        patch.setattr(LocalExecutor, "start", lambda setup, *_: InProcessExecutor.open(setup, {}))
        patch.setattr(Pool, "each", lambda _, work, tasks: ((task, work(task)) for task in tasks))
        patch.setattr(Pool, "as_done", _one_by_one)
        yield


def _one_by_one(pool: Pool, work: Any, next_task: Any, hear: Any) -> Iterator[Any]:
    """Do what Pool.as_done does, one task after another."""
    while (task := next_task()) is not None:
        yield task, work(task, partial(hear, task))


def _seat(starter: Starter, bot: Version) -> SeatKind:
    """Return the seat of *bot*, as Starter does for programs."""
    _, *arguments = command_of(bot)
    passed = starter._setup.passed.get(bot.id, {})
    return SeatKind(partial(_start, arguments, Path(bot.folder), passed))


def _start(arguments: Sequence[str], folder: Path, passed: Mapping[str, str], line_bytes: int) -> FunctionBot:
    """Start the program that is among *arguments*, in *folder*."""
    (stdin, theirs), (stdout, mine), (stderr, log), (ended, end) = (os.pipe() for _ in range(4))
    program = _Program(folder, [word for word in arguments if word != "-S"], dict(passed), stdin, mine, log)
    Thread(target=program.run, args=(end,), daemon=True).start()
    return FunctionBot(_Answering([theirs, stdout, stderr, ended]), line_bytes)


class _Left(BaseException):
    """The program has called os._exit."""


class _Program:
    """A program that runs in a thread."""

    def __init__(
        self, folder: Path, arguments: list[str], passed: dict[str, str], stdin: int, stdout: int, stderr: int
    ) -> None:
        self._folder, self._arguments = folder, arguments
        self._fds = (stdin, stdout, stderr)
        self._streams = [
            os.fdopen(fd, mode, closefd=False) for fd, mode in zip(self._fds, "rww", strict=True)
        ]
        self._streams[2].reconfigure(line_buffering=True)  # type: ignore[union-attr]
        own_sys, own_os = _copy(sys), _copy(os)
        own_sys.stdin, own_sys.stdout, own_sys.stderr = self._streams
        own_sys.argv, own_sys.path, own_sys.modules = arguments, [str(folder)], {}
        own_os.environ = {"PATH": os.defpath, **passed}
        own_os.write = lambda fd, data: os.write(self._fds[fd] if fd < 3 else fd, data)
        own_os._exit, own_os.kill, own_os.getppid = self._leave, None, None
        self._hang_up = select.poll()
        self._hang_up.register(stdin, 0)
        self._modules = {"sys": own_sys, "os": own_os, "time": _copy(time, sleep=self._sleep)}
        self._builtins = vars(builtins) | {"__import__": self._import, "print": self._print}

    def run(self, end: int) -> None:
        """Run it; report its exit status, and close its ends of the pipes."""
        status = 0
        try:
            self._execute(self._folder / self._arguments[0], "__main__")
        except SystemExit as left:
            status = left.code if isinstance(left.code, int) else int(left.code is not None)
            self._log("" if isinstance(left.code, int) or left.code is None else f"{left.code}\n")
        except _Left as left:
            (status,) = left.args
        except BaseException:
            status = 1
            self._log(traceback.format_exc())
        for stream in self._streams:
            with suppress(OSError, ValueError):
                stream.close()
        with suppress(OSError):
            os.write(end, STATUS.pack(status))
        for fd in (*self._fds, end):
            os.close(fd)

    def _leave(self, status: int) -> None:
        raise _Left(status)

    def _sleep(self, seconds: float) -> None:
        """Sleep no longer than the referee wants to hear from it."""
        if self._hang_up.poll(1000 * seconds):
            raise SystemExit

    def _log(self, text: str) -> None:
        with suppress(OSError, ValueError):
            print(text, end="", file=self._modules["sys"].stderr, flush=True)

    def _print(self, *values: object, file: Any = None, **how: Any) -> None:
        print(*values, file=file or self._modules["sys"].stdout, **how)

    def _execute(self, path: Path, name: str) -> ModuleType:
        module = ModuleType(name)
        module.__dict__.update(__builtins__=self._builtins, __file__=str(path))
        exec(_compile(path.read_text("utf-8"), str(path)), module.__dict__)
        return module

    def _import(self, name: str, *where: Any) -> Any:
        """Import what __import__ would: its other arguments are namespaces, names wanted and a level."""
        if name == "protocol.client" and name not in self._modules:
            client = self._execute(Path(protocol.client.__file__).with_suffix(".py"), name)
            client._take_pipes = lambda: self._fds[:2]  # type: ignore[attr-defined]
            self._modules[name] = client
            self._modules["protocol"] = _copy(protocol, client=client)
        elif (own := self._folder / f"{name}.py").is_file() and name not in self._modules:
            self._modules[name] = self._execute(own, name)
        if name in self._modules:
            return self._modules[name if where[2:] and where[2] else name.partition(".")[0]]
        return __import__(name, *where)


def _copy(module: ModuleType, **own: object) -> Any:
    made = ModuleType(module.__name__)
    made.__dict__.update(vars(module) | own)
    return made


@cache
def _compile(text: str, path: str) -> CodeType:
    return compile(text, path, "exec")
