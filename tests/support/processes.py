"""What a bot process says, for tests that start one themselves."""

import select

from ladder.process.bot import BotProcess


def wait_for(fd: int | None, event: int = select.POLLIN) -> None:
    assert fd is not None
    poll = select.poll()
    poll.register(fd, event)
    assert poll.poll(300_000), "expected something within five minutes"


def lines(process: BotProcess, count: int) -> list[bytes]:
    """Return the next *count* lines."""
    heard: list[bytes] = []
    while len(heard) < count:
        wait_for(process.stdout_fd)
        heard += process.receive() or []
        assert process.stdout_open
    return heard
