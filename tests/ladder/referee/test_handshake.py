"""Hello and ready."""

from collections import Counter
from functools import partial
from pathlib import Path

import pytest
from support.scripted import CloseStdout, Exit, Say, ScriptedBot, Timeline
from support.scripts import SCRIPTS, Manners
from support.seating import bot

from ladder.process.bot import BotProcess
from ladder.referee.handshake import await_ready, ending
from ladder.referee.player import Player, start_player
from ladder.registry.bot_build import command_of
from ladder.sandbox import confine
from protocol import encode
from protocol.messages import Limits, Ready

ENOUGH = Limits(start_ms=30_000)
LINE_BYTES = 65_536
READY = b'{"type":"ready","protocol":1}\n'


@pytest.fixture
def timeline():
    return Timeline()


def hello(program, config):
    return encode.hello("0", program, ["stellar"], config, Limits())


def seated(timeline, program, cast=None, **config):
    """Return a scripted player that has been sent hello; *cast*, if its script is not in SCRIPTS."""
    script = (cast or SCRIPTS[program])(timeline.now)
    player = Player(bot(program), ScriptedBot(timeline, script, LINE_BYTES), clock=timeline.clock)
    assert player.process
    player.process.send(hello(program, config))
    return player


def answering(*deeds):
    """Return the script of a bot that does this in answer to hello."""

    class AnswersHello(Manners):
        def hello(self, message):
            return deeds

    return AnswersHello


def greet(players, limits, *more, **named):
    """Await that *players* are ready, under these *limits*."""
    for player in players:
        player.limits = limits
    await_ready(players, *more, **named)


@pytest.mark.process
def test_a_hello_longer_than_the_pipe_arrives():
    version, config = bot("manners"), {"padding": "x" * 300_000, "ready": {"name": "x", "parallel": 4}}
    confined = confine("none", command_of(version), Path(version.folder), {})
    player = start_player(version, partial(BotProcess.start, confined, LINE_BYTES), hello("manners", config))
    try:
        greet([player], ENOUGH)
    finally:
        player.kill()
    assert Ready(1, "x", 4) == player.ready


@pytest.mark.process
def test_a_process_that_was_absent_is_started_again_and_leaves_nothing_open(tmp_path):
    told = '\'{"type":"absent","after_ms":1}\''
    ready = '\'{"type":"ready","protocol":1}\''
    text = f"read hello; if mkdir was 2>/dev/null; then echo {told}; sleep 60; fi; echo {ready}; read bye"
    confined = confine("none", ("sh", "-c", text), tmp_path, {})
    player = start_player(bot("manners"), partial(BotProcess.start, confined, LINE_BYTES), hello("x", {}))
    player.outage_s = 300
    first = player.process
    try:
        greet([player], ENOUGH)
        assert (Ready(1), "", False) == (player.ready, player.failure, player.lost)
        assert first is not player.process
        assert first.exit_status() is not None
        assert first.exit_fd is None
    finally:
        player.kill()


# --- what they say, and when


@pytest.mark.parametrize(
    ("said", "ready"),
    [
        ({}, Ready(1, "", 1, "full", False)),
        ({"name": "x", "parallel": 4, "view": "none", "text": True}, Ready(1, "x", 4, "none", True)),
    ],
)
def test_ready_tells_what_the_bot_wants(timeline, said, ready):
    player = seated(timeline, "manners", ready=said)
    greet([player], ENOUGH, clock=timeline.clock)
    assert (ready, "", False) == (player.ready, player.failure, player.lost)


@pytest.mark.parametrize(
    ("cast", "reason"),
    [
        (SCRIPTS["exits_at_start"], "the process ended before it was ready (exit status 3)"),
        (SCRIPTS["speaks_protocol_2"], "expected protocol 1, got: 2: "),
        (
            answering(Say(b"Bot 3000 (c) 1999\n"), Say(READY)),
            "expected a JSON object, got: 'Bot 3000 (c) 1999' (log to stderr",
        ),
        (answering(Say(2 * READY)), "expected one line in answer to hello, got 2: "),
        (answering(CloseStdout()), "the process closed its stdout before it was ready"),
        (
            answering(Say(b"x" * 70_000)),
            "expected lines of at most 65,536 bytes, newline included, got a longer one",
        ),
    ],
)
def test_who_is_not_properly_ready_is_ended_and_told_why(timeline, cast, reason):
    player = seated(timeline, "sinner", cast)
    greet([player], ENOUGH, clock=timeline.clock)
    assert reason == player.failure[: len(reason)]
    assert (None, True) == (player.ready, player.lost)
    assert player.process
    assert player.process.exit_status() is not None


@pytest.mark.parametrize(
    ("after_ms", "failure"),
    [(199, ""), (300, "no ready within 200 ms of its start"), (10**6, "no ready within 200 ms of its start")],
)
def test_who_is_ready_too_late_is_ended_when_the_time_is_over(timeline, after_ms, failure):
    player = seated(timeline, "slow", answering(Say(READY, after_ms)))
    greet([player], Limits(start_ms=200), clock=timeline.clock)
    assert (failure, bool(failure)) == (player.failure, player.lost)
    waited_ms = (timeline.now() - player.started_ns) / 1_000_000
    assert waited_ms == pytest.approx(min(after_ms, 200), abs=1.5)  # a wait may end a millisecond late


def test_a_process_that_has_ended_is_not_awaited_though_a_child_holds_its_stdout_open(timeline, monkeypatch):
    def read_nothing():
        reads.append(timeline.now())
        assert len(reads) == 1, "the end is noticed at once"

    reads: list[int] = []
    player = seated(timeline, "sinner", answering(Exit(3, after_ms=20)))
    link = player.process
    assert isinstance(link, ScriptedBot)
    monkeypatch.setattr(link, "receive", read_nothing)
    greet([player], ENOUGH, clock=timeline.clock)
    assert "the process ended before it was ready (exit status 3)" == player.failure


def test_a_ready_in_parts_is_one(timeline):
    player = seated(timeline, "slow", answering(Say(READY[:9]), Say(READY[9:], 120)))
    greet([player], ENOUGH, clock=timeline.clock)
    assert (Ready(1), 120_000_000) == (player.ready, player.start_ns)


def test_one_failure_is_nobody_elses(timeline):
    players = [
        seated(timeline, "exits_at_start"),
        seated(timeline, "manners"),
        seated(timeline, "ready_twice", answering(Say(2 * READY))),
        seated(timeline, "starts_slowly"),
    ]
    greet(players, ENOUGH, clock=timeline.clock)
    assert [True, False, True, False] == [player.lost for player in players]
    assert [None, Ready(1), None, Ready(1)] == [player.ready for player in players]
    assert [0, 500_000_000] == [players[1].start_ns, players[3].start_ns]


def test_who_is_ready_is_not_awaited_again(timeline):
    player = seated(timeline, "manners")
    greet([player], ENOUGH, clock=timeline.clock)
    ready, began = player.ready, timeline.now()
    greet([player], Limits(start_ms=0), clock=timeline.clock)
    assert player.ready is ready
    assert not player.lost
    assert began == timeline.now()


def test_other_processes_are_looked_at_while_one_starts(timeline):
    looks: list[int] = []
    player = seated(timeline, "starts_slowly")
    greet([player], ENOUGH, lambda: looks.append(timeline.now()), timeline.clock)
    assert 9 <= len(looks) <= 10, "every 50 ms or so, of 500"


def test_an_ending_of_which_nothing_is_known_is_told_so():
    assert "its exit status is unknown" == ending(None)


def test_a_player_without_a_clock_may_take_any_time(timeline):
    late = answering(Say(READY, after_ms=90_000))
    player = seated(timeline, "late", late)
    player.has_clock = False
    other = seated(timeline, "late", late)
    greet([player, other], ENOUGH, clock=timeline.clock)
    assert "" == player.failure
    assert player.ready
    assert "no ready within 30000 ms of its start" == other.failure


def test_a_bot_whose_time_in_a_run_is_over_takes_none_from_another(timeline):
    starts: Counter[str] = Counter()

    def opening(name):
        starts[name] += 1
        says = READY if starts[name] > 3 else b'{"type":"absent"}\n'
        return ScriptedBot(timeline, answering(Say(says))(timeline.now), LINE_BYTES)

    over, waits = (
        start_player(bot(name), partial(opening, name), hello("x", {}), clock=timeline.clock)
        for name in ("over", "waits")
    )
    over.outage_s = waits.outage_s = 20
    over.outages.ns = 6 * 20 * 10**9
    greet([over, waits], ENOUGH, clock=timeline.clock)
    assert "nobody was there to play, for longer than 120 s in this run" == over.failure
    assert (Ready(1), "", 4) == (waits.ready, waits.failure, starts["waits"])
