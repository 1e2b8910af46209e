"""A ladder that never ends: links that go on where others ended, newcomers first, and one after a kill."""

import signal
import time
from contextlib import nullcontext
from contextvars import copy_context

import msgspec
import pytest
from support import ladders
from support.here import HERE
from support.records import a_match, a_run

from ladder.errors import RunStopped
from ladder.run import link_chain, link_plan
from ladder.run.link_chain import LastMatch, play_chain
from ladder.run.option import WrongOption
from ladder.run.playing import Played
from ladder.run.run_events import Event, Planned, Progress
from ladder.run.run_options import RunRequest
from ladder.run.session import Admission
from ladder.run.status import Status
from results.errors import DamagedResults
from results.record import Block, ChainLink, RunSettings, encode_block
from results.storage.store import Store


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setattr(link_plan, "FIRST_MATCHES", 200)
    monkeypatch.setattr(link_plan, "MOST", 1000.0)  # no clock ends a link here, however slow the machine
    return ladders.a_home(tmp_path / "home")


def begin_link(home, link=2.0):
    return ladders.start_run(home, None, None, game="stellar", forever=link)


def of(run):
    assert run.settings.link is not None
    link: ChainLink = run.settings.link
    return link


def test_the_first_link_is_planned_as_a_run_of_its_own(home):
    run = begin_link(home)
    assert of(run).owed is None
    assert sorted(ladders.FOUR) == [bot.name for bot in of(run).joined]
    assert (100,) == run.settings.blocks
    assert 2000.0 == run.settings.for_s, "a clock ends it, after some times its time"


def test_a_link_goes_on_where_others_ended_and_newcomers_have_their_minimum_first(home):
    ladders.play(home, matches=None, seed=None, game="stellar", forever=0.5)
    ladders.enlist(home, "newcomer", {"style": "first"}, mark="x")
    seconds_of_one = Store(home.results).contents().seconds_played(1) / len(ladders.rows(home.path, 1))
    run = begin_link(home, 120 * seconds_of_one)  # machines are fast or busy
    (bot,) = of(run).joined
    assert "newcomer" == bot.name
    assert bot.submitted.startswith("20")
    index = run.bot_keys.index((bot.name, bot.version))
    assert (((index, 25),),) == of(run).owed, "50 matches, 25 blocks of two"
    assert run.settings.blocks[0] == pytest.approx(60, abs=2)
    ladders.play(home)
    rows = ladders.rows(home.path, 2)[: 2 * run.settings.epochs[0]]
    tables = [{seat["bot"] for seat in row["seats"]} for row in rows]
    assert min(25, run.settings.epochs[0]) * 2 <= sum("newcomer" in table for table in tables)
    assert len(set.union(*(table for table in tables if "newcomer" in table))) >= 3, "it meets several"


def test_the_last_segments_of_a_run_tell_its_speed_and_no_other_file_is_read(tmp_path):
    store = Store(tmp_path / "results")
    with store.lock():
        store.begin(a_run())
        for block in range(6):
            start, took = block * 100_000_000, 1_000_000 * (1 if block >= 4 else 10)  # 10 s a block, then 1 s
            matches = [a_match(2 * block + i, started=start, duration_us=took) for i in range(2)]
            store.append(block, encode_block(Block(block, matches, [])))
            store.seal()
        store.finish(1, 6)
    first, *_, last = (store.folder.segment(each)[0][0] for each in store.contents().segments(1))
    first.unlink()
    assert 240 == link_plan._length(Store(tmp_path / "results").contents(), 120.0)
    last.unlink()
    with pytest.raises(DamagedResults):
        link_plan._length(Store(tmp_path / "results").contents(), 120.0)


def test_links_keep_who_was_there_in_the_store(home):
    run = begin_link(home)
    stored = Store(home.results).contents().runs[-1].settings
    assert run.settings.link == stored.link
    old = msgspec.json.decode(b'{"contests":[]}', type=RunSettings)
    assert None is old.link, "an old run has none"


@pytest.mark.parametrize(
    ("asked", "flag"),
    [
        ({"games": 10}, "--games"),
        ({"seconds": 9.0}, "--for"),
        ({"seed": 1}, "--seed"),
        ({"bots": ("ann",)}, "BOT"),
        ({"unrated": True}, "--unrated"),
        ({"resume": True}, "--resume"),
        ({"forever": 7200.0}, "--forever"),
    ],
)
def test_what_ends_a_run_does_not_go_with_forever(asked, flag):
    with pytest.raises(WrongOption) as caught:
        RunRequest(**({"forever": 300.0} | asked))
    assert flag in str(caught.value)


def test_links_keep_their_length_when_the_time_of_the_day_jumps(monkeypatch):
    heard: list[Event] = []
    last = LastMatch(heard.append)
    event = Progress(Status(done=3), None)
    last.hear(event)
    passed = time.monotonic() + 7
    monkeypatch.setattr(time, "monotonic", lambda: passed)
    monkeypatch.setattr(time, "time", lambda: 0.0)
    last.hear(event)
    assert [event, event] == heard
    assert 6 < last.seconds_since() < 8, "no match was played since"


def test_a_link_that_was_left_for_a_service_goes_on_before_the_next_one_begins(home, monkeypatch):
    monkeypatch.setattr(link_chain, "FREE_SECONDS", 0.0)
    links = iter([a_run(finished=None), a_run(finished=7)])
    ended = []

    def play(*_):
        if (run := next(links, None)) is None:
            raise KeyboardInterrupt
        return Played(home, run, {}, Store(home.results))

    monkeypatch.setattr(link_chain, "play", play)
    asked = RunRequest(forever=5.0), HERE, Admission(print, print), print, ended.append
    with pytest.raises(KeyboardInterrupt):
        copy_context().run(play_chain, lambda: nullcontext(home), *asked)
    assert [7] == [each.run.finished for each in ended]


def test_a_signal_during_the_last_matches_of_a_link_ends_the_chain(home, monkeypatch):
    monkeypatch.setattr(link_plan, "FIRST_MATCHES", 20)

    def hear(event):
        if isinstance(event, Progress) and event.status.done == event.status.total:
            signal.raise_signal(signal.SIGTERM)

    ended = []
    request = RunRequest(forever=0.2, game="stellar", seats=(2,))
    asked = request, HERE, Admission(lambda *_: None, lambda *_: None), hear, ended.append
    with pytest.raises(RunStopped) as stopped:
        copy_context().run(play_chain, lambda: nullcontext(home), *asked)
    assert (143, 1) == (stopped.value.exit_code, len(ended))


def test_a_chain_takes_in_newcomers_with_its_next_link(home, monkeypatch):
    monkeypatch.setattr(link_plan, "FIRST_MATCHES", 20)
    monkeypatch.setattr(link_chain, "FREE_SECONDS", 0.0)
    joined: list[list[str]] = []
    ended: list[Played] = []

    class Enough(Exception):
        pass

    def hear(event):
        if isinstance(event, Planned):
            joined.append([bot.name for bot in of(event.run).joined])
            if len(joined) == 2:
                raise Enough
            ladders.enlist(home, "newcomer", {})

    request = RunRequest(forever=0.2, game="stellar", seats=(2,))
    admission = Admission(lambda *_: None, lambda *_: None)
    with pytest.raises(Enough):  # in a context of its own, since a chain waits for locks from then on
        copy_context().run(
            play_chain, lambda: nullcontext(home), request, HERE, admission, hear, ended.append
        )
    assert [sorted(ladders.FOUR), ["newcomer"]] == joined
    assert [1] == [each.run.run for each in ended]
