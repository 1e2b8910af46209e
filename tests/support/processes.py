"""What a bot process says, for tests that start one themselves."""

import select
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from textwrap import dedent

from ladder.process.bot import BotProcess
from ladder.sandbox import confine

Start = Callable[..., BotProcess]


def wait_for(fd: int | None, event: int = select.POLLIN) -> None:
    assert fd is not None
    poll = select.poll()
    poll.register(fd, event)
    assert poll.poll(300_000), "expected something within five minutes"


def lines(process: BotProcess, count: int = 1) -> list[bytes]:
    """Return the next *count* lines."""
    heard: list[bytes] = []
    while len(heard) < count:
        wait_for(process.stdout_fd)
        heard += process.receive() or []
        assert len(heard) >= count or process.stdout_open, process.stderr_text()
    return heard


@contextmanager
def starting(folder: Path) -> Iterator[Start]:
    """Yield what starts Python programs in *folder*; afterwards none of them is left."""
    started: list[BotProcess] = []

    def start(program: str, line_bytes: int = 65_536, **passed: str) -> BotProcess:
        arguments = (sys.executable, "-S", "-c", dedent(program))
        started.append(BotProcess.start(confine("none", arguments, folder, passed), line_bytes))
        return started[-1]

    yield start
    for process in started:
        process.kill()
