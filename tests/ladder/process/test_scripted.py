"""Bots without a process, and the time that passes only while a test waits for them."""

import select
from collections.abc import Iterable

import pytest

from ladder.process import scripted
from ladder.process.link import BotLink
from ladder.process.scripted import CloseStdout, Deed, Exit, Log, Say, Script, ScriptedBot, Spend, Timeline
from protocol.lines import LineTooLong


def does(*deeds: Deed) -> Script:
    """Return the script of a bot that does the same about all lines."""
    return lambda lines: deeds


def begun(timeline: Timeline, *deeds: Deed, line_bytes: int = 65_536) -> ScriptedBot:
    """Return a bot that begins to do this now."""
    bot = ScriptedBot(timeline, does(*deeds), line_bytes)
    bot.send(b"go\n")
    return bot


def wait(timeline: Timeline, *fds: int | None, ms: float = 1_000) -> tuple[list[int], float]:
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


def test_time_passes_only_while_something_waits() -> None:
    timeline = Timeline()
    bot = begun(timeline, Say(b"at once\n"), Say(b"later\n", after_ms=20))
    assert ([bot.stdout_fd], 0) == wait(timeline, bot.stdout_fd)
    assert [b"at once"] == bot.receive()
    assert [None, None] == [bot.receive(), bot.receive()]
    assert ([bot.stdout_fd], 20) == wait(timeline, bot.stdout_fd)
    assert [b"later"] == bot.receive()


@pytest.mark.parametrize("oversleep_ms", [0, 200])
def test_a_wait_in_which_nothing_happens_lasts_as_long_as_the_timeline_says(oversleep_ms: float) -> None:
    timeline = Timeline(oversleep_ms)
    bot = ScriptedBot(timeline, does())
    fds = bot.stdin_fd, bot.stdout_fd, bot.stderr_fd, bot.exit_fd
    assert ([], 50 + oversleep_ms) == wait(timeline, *fds, ms=50)


def test_a_wait_in_which_something_happens_ends_then_though_the_timeline_oversleeps() -> None:
    timeline = Timeline(oversleep_ms=200)
    bot = begun(timeline, Say(b"in time\n", after_ms=30))
    assert ([bot.stdout_fd], 30) == wait(timeline, bot.stdout_fd, ms=50)


def test_what_happens_while_a_wait_oversleeps_is_seen_at_its_end() -> None:
    timeline = Timeline(oversleep_ms=200)
    bot = begun(timeline, Say(b"late\n", after_ms=100))
    assert ([bot.stdout_fd], 250) == wait(timeline, bot.stdout_fd, ms=50)


def test_a_wait_that_is_suspended_ends_later() -> None:
    timeline = Timeline()
    bot = begun(timeline, Say(b"long before\n", after_ms=40))
    timeline.suspend(30, for_ms=500)
    assert ([bot.stdout_fd], 530) == wait(timeline, bot.stdout_fd, ms=50)


def test_a_wait_without_an_end_is_refused() -> None:
    with pytest.raises(AssertionError, match="a wait without an end"):
        Timeline().clock.poll().poll(None)


def test_polls_without_an_end_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A descriptor that stays ready is told at every poll."""
    monkeypatch.setattr(scripted, "MOST_POLLS", 100)
    timeline = Timeline()
    bot = begun(timeline, Say(b"news\n"))
    with pytest.raises(AssertionError, match="polls without an end"):
        list(iter(lambda: wait(timeline, bot.stdout_fd), None))


def test_what_is_due_at_the_same_time_happens_in_the_order_of_the_script() -> None:
    timeline = Timeline()
    first, second, third = Say(b"1\n", after_ms=1), Say(b"2\n", after_ms=1), Say(b"3\n", after_ms=2)
    bot = begun(timeline, third, first, second)
    assert ([bot.stdout_fd], 1) == wait(timeline, bot.stdout_fd)
    assert [b"1", b"2"] == bot.receive()


def test_a_wait_tells_of_the_bots_that_it_is_for() -> None:
    timeline = Timeline()
    one, other = begun(timeline, Say(b"1\n")), begun(timeline, Say(b"2\n"))
    poll = timeline.clock.poll()
    for bot in (other, one):
        poll.register(bot.stdout_fd, select.POLLIN)
    assert [(other.stdout_fd, select.POLLIN), (one.stdout_fd, select.POLLIN)] == poll.poll(0)
    poll.unregister(other.stdout_fd)
    assert [(one.stdout_fd, select.POLLIN)] == poll.poll(0)
    assert ([], 5) == wait(timeline, one.stderr_fd, other.exit_fd, ms=5)


# --- talking


def test_the_script_reads_whole_lines_those_that_come_together_at_once() -> None:
    read: list[list[bytes]] = []

    def script(lines: list[bytes]) -> Iterable[Deed]:
        read.append(lines)
        return [Say(b"%d\n" % len(lines))]

    timeline = Timeline()
    bot: BotLink = ScriptedBot(timeline, script)
    assert bot.send(b"one\ntwo\nthr")
    assert [[b"one", b"two"]] == read
    assert bot.send(b"ee\n")
    assert [[b"one", b"two"], [b"three"]] == read
    assert not bot.unsent
    wait(timeline, bot.stdout_fd)
    assert [b"2", b"1"] == bot.receive()
    assert 2 == bot.lines


def test_a_line_may_come_in_parts() -> None:
    timeline = Timeline()
    bot = begun(timeline, Say(b"ha"), Say(b"lf\n", after_ms=10))
    wait(timeline, bot.stdout_fd)
    assert [] == bot.receive()
    assert b"ha" == bot.unfinished_line
    wait(timeline, bot.stdout_fd)
    assert [b"half"] == bot.receive()
    assert b"" == bot.unfinished_line


def test_too_long_a_line_is_refused_as_that_of_a_process_is() -> None:
    timeline = Timeline()
    bot = begun(timeline, Say(b"x" * 100), line_bytes=100)
    wait(timeline, bot.stdout_fd)
    with pytest.raises(LineTooLong):
        bot.receive()


def test_what_it_logs_is_kept_with_the_step() -> None:
    timeline = Timeline()
    bot = begun(timeline, Log(b"hm\n", after_ms=3))
    assert ([bot.stderr_fd], 3) == wait(timeline, bot.stdout_fd, bot.stderr_fd)
    bot.drain_stderr("step 7")
    assert 3 == bot.stderr.size
    assert "hm\n" == bot.stderr_text()[-3:]
    assert ([], 5) == wait(timeline, bot.stderr_fd, ms=5)


def test_what_it_spends_is_told_from_then_on() -> None:
    timeline = Timeline()
    bot = begun(timeline, Spend(cpu_us=700, after_ms=10), Spend(cpu_us=50, waited_us=9, after_ms=20))
    told = []
    for _ in range(3):
        use = bot.use()
        told.append((bot.cpu_us(), use and use.cpu_us, bot.waited_us()))
        wait(timeline, ms=10)
    assert [(0, 0, 0), (700, 700, 0), (750, 750, 9)] == told


# --- pausing


def test_what_it_does_while_it_is_paused_happens_when_it_goes_on() -> None:
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


def test_an_exit_is_seen_and_so_is_what_came_before_it() -> None:
    timeline = Timeline()
    bot = begun(
        timeline,
        Say(b"last words\n", after_ms=10),
        Log(b"why\n", after_ms=10),
        Exit(3, after_ms=10),
        Say(b"never\n", after_ms=11),
    )
    fds = [bot.stdout_fd, bot.stderr_fd, bot.exit_fd]
    assert bot.exit_status() is None
    assert (fds, 10) == wait(timeline, *fds)
    assert 3 == bot.exit_status()
    assert [b"last words"] == bot.receive()
    assert "why\n" == bot.stderr_text()
    wait(timeline, ms=10)
    assert bot.receive() is None
    assert not bot.stdout_open
    bot.drain_stderr()
    assert not bot.stderr_open
    assert [None, None] == [bot.use(), bot.cpu_us()]


def test_who_has_ended_reads_nothing() -> None:
    read: list[bytes] = []

    def script(lines: list[bytes]) -> Iterable[Deed]:
        read.extend(lines)
        return [Exit()]

    timeline = Timeline()
    bot = ScriptedBot(timeline, script)
    bot.send(b"go\n")
    assert 0 == bot.exit_status(), "also if nothing has waited for it"
    assert bot.send(b"anybody there?\n")
    assert [b"go"] == read
    assert ([bot.stderr_fd], 0) == wait(timeline, bot.stderr_fd), "its end is an end of stderr, too"


def test_closing_stdout_is_seen_and_is_not_an_exit() -> None:
    timeline = Timeline()
    bot = begun(timeline, Say(b"bye\n"), CloseStdout(after_ms=10))
    wait(timeline, bot.stdout_fd)
    assert [b"bye"] == bot.receive()
    assert bot.stdout_open
    assert ([bot.stdout_fd], 10) == wait(timeline, bot.stdout_fd, bot.stderr_fd, bot.exit_fd)
    assert bot.receive() is None
    assert not bot.stdout_open
    assert bot.exit_status() is None


def test_who_is_told_goodbye_reads_it_and_leaves_even_if_paused() -> None:
    read: list[bytes] = []

    def script(lines: list[bytes]) -> Iterable[Deed]:
        read.extend(lines)
        return [Log(b"goodbye\n")]

    timeline = Timeline()
    bot = ScriptedBot(timeline, script)
    bot.pause()
    bot.say_bye(b"bye\n")
    assert ([bot.exit_fd], 0) == wait(timeline, bot.exit_fd)
    assert ([b"bye"], "goodbye\n", 0) == (read, bot.stderr_text(), bot.exit_status())


@pytest.mark.parametrize(("deeds", "status"), [((), -9), ((Exit(3),), 3)])
def test_killing_ends_it_for_good(deeds: tuple[Deed, ...], status: int) -> None:
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
