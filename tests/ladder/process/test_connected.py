"""A bot over a socket: its lines, its end, and nothing that is left open."""

import select
import socket
from contextlib import suppress
from pathlib import Path

import pytest

from ladder.process.connected import ConnectedBot
from protocol.encode import BYE

OPEN = Path("/proc/self/fd")


@pytest.fixture
def author():
    """Yield a bot, and the other end of its socket."""
    own, other = socket.socketpair()
    bot = ConnectedBot.take(own, 1_000)
    yield bot, other
    bot.kill()
    other.close()


def readable(fd, seconds=30):
    return bool(select.select([fd], [], [], seconds)[0])


def test_lines_go_both_ways(author):
    bot, other = author
    assert bot.send(b"one\n")
    assert b"one\n" == other.recv(100)
    assert bot.receive() is None
    other.sendall(b"two\nthr")
    assert readable(bot.stdout_fd)
    assert [b"two"] == bot.receive()
    assert b"thr" == bot.unfinished_line


def test_a_closed_connection_is_the_end_of_the_bot(author):
    bot, other = author
    assert bot.exit_status() is None
    other.close()
    assert bot.exit_fd is not None
    assert not readable(bot.exit_fd, 0)
    assert bot.receive() is None
    assert not bot.stdout_open
    assert readable(bot.exit_fd)
    assert (0, None) == (bot.exit_status(), bot.known_status())


def test_after_bye_the_bot_reads_the_end_of_its_input(author):
    bot, other = author
    bot.say_bye(BYE)
    assert BYE == other.recv(100)
    assert b"" == other.recv(100)
    assert bot.exit_status() is None
    other.close()
    assert 0 == bot.exit_status(patience=300)


def test_nothing_of_it_is_measured_and_its_stderr_is_elsewhere(author):
    bot, _ = author
    assert (None, None, [], 0) == (bot.cpu_us(), bot.use(), bot.pids(), bot.waited_us())
    bot.pause()
    bot.resume()
    bot.drain_stderr()
    assert not bot.stderr_open


@pytest.mark.skipif(not OPEN.exists(), reason="open descriptors cannot be counted here")
def test_no_descriptor_stays_open():
    before = len([*OPEN.iterdir()])
    own, other = socket.socketpair()
    bot = ConnectedBot.take(own, 1_000)
    bot.say_bye(BYE)
    for _ in range(2):
        bot.kill()
    other.close()
    with suppress(OSError):
        own.close()
    assert before == len([*OPEN.iterdir()])
