"""Bots without a process, and the time that passes only while a test waits for them."""

import select

import pytest
from support.scripted import Exit, Log, Say, ScriptedBot, Timeline


def begun(timeline, *deeds):
    """Return a bot that begins to do this now."""
    bot = ScriptedBot(timeline, lambda lines: deeds)
    bot.send(b"go\n")
    return bot


def wait(timeline, *fds, ms=1_000):
    """Wait for *fds*; return those that are ready, and how many milliseconds have passed."""
    poll = timeline.clock.poll()
    for fd in fds:
        if fd is not None:
            poll.register(fd, select.POLLIN)
    began = timeline.now()
    ready = poll.poll(ms)
    assert {select.POLLIN} >= {event for _, event in ready}
    return [fd for fd, _ in ready], (timeline.now() - began) / 1_000_000


# --- time


def test_time_passes_only_while_something_waits():
    timeline = Timeline()
    bot = begun(timeline, Say(b"at once\n"), Say(b"later\n", after_ms=20))
    assert ([bot.stdout_fd], 0) == wait(timeline, bot.stdout_fd)
    assert [b"at once"] == bot.receive()
    assert [None, None] == [bot.receive(), bot.receive()]
    assert ([bot.stdout_fd], 20) == wait(timeline, bot.stdout_fd)
    assert [b"later"] == bot.receive()


@pytest.mark.parametrize(
    ("oversleep_ms", "said_ms", "waited_ms"),
    [(0, None, 50), (200, None, 250), (200, 30, 30), (200, 100, 250)],
    ids=["nothing happens", "nothing happens and it oversleeps", "in time", "while it oversleeps"],
)
def test_a_wait_ends_when_something_happens_in_time_else_when_the_timeline_says(
    oversleep_ms, said_ms, waited_ms
):
    timeline = Timeline(oversleep_ms)
    bot = begun(timeline, *([Say(b"news\n", after_ms=said_ms)] if said_ms else []))
    fds = bot.stdin_fd, bot.stdout_fd, bot.stderr_fd, bot.exit_fd
    assert ([bot.stdout_fd] if said_ms else [], waited_ms) == wait(timeline, *fds, ms=50)


def test_a_wait_that_is_suspended_ends_later():
    timeline = Timeline()
    bot = begun(timeline, Say(b"long before\n", after_ms=40))
    timeline.suspend(30, for_ms=500)
    assert ([bot.stdout_fd], 530) == wait(timeline, bot.stdout_fd, ms=50)


# --- pausing


def test_what_it_does_while_it_is_paused_happens_when_it_goes_on():
    timeline = Timeline()
    bot = begun(timeline, Say(b"one\n", after_ms=10), Exit(5, after_ms=20))
    bot.pause()
    assert bot.paused
    assert ([], 50) == wait(timeline, bot.stdout_fd, bot.exit_fd, ms=50)
    assert bot.exit_status() is None
    bot.resume()
    assert not bot.paused
    assert ([bot.stdout_fd, bot.exit_fd], 0) == wait(timeline, bot.stdout_fd, bot.exit_fd)
    assert [b"one"] == bot.receive()
    assert 5 == bot.exit_status()


# --- ending


@pytest.mark.parametrize(("deeds", "status"), [((), -9), ((Exit(3),), 3)])
def test_killing_ends_it_for_good(deeds, status):
    timeline = Timeline()
    bot = begun(timeline, Log(b"busy\n"), *deeds, Say(b"never\n", after_ms=10))
    fds = bot.stdin_fd, bot.stdout_fd, bot.stderr_fd, bot.exit_fd
    wait(timeline, bot.stderr_fd)
    for _ in range(2):
        bot.kill()
        assert status == bot.exit_status()
        assert (None, False, False) == (bot.exit_fd, bot.stdout_open, bot.stderr_open)
    assert "busy\n" == bot.stderr_text()
    assert ([], 20) == wait(timeline, *fds, ms=20)
    assert bot.receive() is None
