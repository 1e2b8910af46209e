"""Live matches: who sits where, what a person is told, what is kept, and that nothing is left behind."""

import json
import socket
import time
from contextlib import contextmanager, suppress
from dataclasses import replace
from multiprocessing.context import SpawnProcess
from pathlib import Path
from threading import Thread
from typing import Any
from unittest.mock import Mock

import msgspec
import pytest
from support import ladders
from support.live import a_home, all_news, going_on, plan_live_match
from support.served import wait_until
from support.taken_in import make_unfit

from engines import GAMES
from ladder.cli import run_command_line
from ladder.contest.match_luck import moves_of
from ladder.contest.seed import Seed
from ladder.errors import LadderError, UsageProblem
from ladder.home.home import open_home
from ladder.home.settings import settings_from
from ladder.live.keep import keep_match
from ladder.live.live_match import LiveMatch
from ladder.live.live_messages import Asked, LiveFailed, Over, Remark, Seen
from ladder.live.live_request import CONNECTED, PERSON
from ladder.replay.replay import record_of
from ladder.web.serve.play_page import offer_of, offers, request_of
from protocol.client import serve_pipes
from results.record import decode_block
from results.reports.digest import digest
from results.storage.store import Store
from results.storage.unrated import contents_with, unrated_stores

LARGE = [("stellar", 2), ("starry-sky", 3), ("stella", 4)]


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    return a_home(tmp_path_factory.mktemp("live") / "home")


# -- the end


def test_threads_may_close_a_match_at_the_same_time():
    """A descriptor that is closed twice may be another one by then."""

    class Pipe:
        closing = 0
        most = 0

        def close(self):
            self.closing += 1
            self.most = max(self.most, self.closing)
            time.sleep(0.05)
            self.closing -= 1

    process: Any = Mock(SpawnProcess)
    news: Any = Pipe()
    seat: Any = Pipe()
    match = LiveMatch(process, news, seat)
    threads = [Thread(target=match.close) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (1, 1) == (news.most, seat.most)


# -- the table


def test_bots_take_the_seats_that_the_person_leaves_and_repeat_and_are_named_for_people(home):
    plan = plan_live_match(home, "stella", "first", "mixed", human=1, seats=5)
    assert ["first", "person", "mixed", "first", "mixed"] == [bot.bot for bot in plan.bots]
    assert PERSON == plan.bots[1]
    assert 5 == len({bot.id for bot in plan.bots}), "no version sits there twice"
    assert ["first", "you", "mixed", "first", "mixed"] == plan.names({})


@pytest.mark.parametrize(
    ("game", "bots", "more", "seats"),
    [
        ("stellar", 1, {"human": 0}, 2),
        ("stella", 1, {"human": 0}, 3),
        ("stella", 1, {"human": 4}, 5),
        ("stella-quest", 2, {"human": 0}, 3),
        ("starry-sky", 2, {}, 3),
        ("starry-sky", 1, {"seats": 5}, 5),
    ],
)
def test_the_table_is_the_smallest_with_room_for_all(home, game, bots, more, seats):
    assert seats == len(plan_live_match(home, game, *["first", "mixed"][:bots], **more).bots)


@pytest.mark.parametrize(
    ("arguments", "more", "said"),
    [
        (("chess", "first"), {}, "there is no game 'chess'"),
        (("stellar",), {"human": 0}, "no bot is named"),
        (("stellar", "ghost"), {"human": 0}, "ghost"),
        (("stellar", "first"), {"human": 2}, "expected a seat from 0 to 1 at a table of 2, got: seat 2"),
        (("stellar", "first"), {"connect": 2}, "expected a seat from 0 to 1 at a table of 2, got: seat 2"),
        (
            ("stellar", "first"),
            {"human": 1, "connect": 1},
            "seat 1 is for you and for a bot that connects",
        ),
        (
            ("stellar", "first"),
            {"human": 1, "connect": 0},
            "1 bot and a person and a bot that connects need",
        ),
        (("stella",), {"human": 1, "connect": 0}, "no bot is named"),
        (("stellar", "first"), {"seats": 3}, "stellar is for 2 seats, not for 3"),
        (("stellar", "first", "mixed"), {"human": 0}, "2 bots and a person need 3 seats"),
        (("stellar", "first"), {"deal": {"cards": []}}, "this is not a deal of stellar for 2"),
        (("stellar", "first"), {"deal": 7}, "this is not a deal of stellar for 2"),
        (("stella", "first"), {"deal": [None]}, "this is not a deal of stella for 3"),
    ],
)
def test_a_match_that_cannot_be_played_is_refused(home, arguments, more, said):
    with pytest.raises(LadderError) as caught:
        plan_live_match(home, *arguments, **more)
    assert said in str(caught.value)
    assert caught.value.hint


def test_the_clock_of_the_bots_can_be_lifted(home):
    limits = plan_live_match(home, "stellar", "first", human=0, no_clock=True).settings.limits
    assert [86_400_000] * 3 == [limits[name] for name in ("start_ms", "move_ms", "bank_ms")]
    assert 1_000 == plan_live_match(home, "stellar", "first", human=0).settings.limits["move_ms"]


@pytest.mark.process
def test_the_clock_is_lifted_for_bots_and_games_with_one_of_their_own(home):
    own = {"bots": {"first": {"move_ms": 5, "memory_mb": 99}}, "games": {"stellar": {"bank_ms": 5}}}
    home = replace(home, settings=settings_from({"limits": {"match_s": 9, **own}}, Path("ladder.toml")))
    settings = plan_live_match(home, "stellar", "first", human=0, no_clock=True).settings
    held = settings.limits_at("first", "stellar")
    assert (86_400_000, 86_400_000, 99) == (held["move_ms"], held["bank_ms"], held["memory_mb"])
    assert "match_s" not in held


# -- a whole match


def end_of(plan):
    """Play the match of *plan*; return its last news."""
    with going_on(plan) as match:
        return all_news(match)[-1]


@pytest.mark.process
@pytest.mark.parametrize(
    ("game", "seats"), [("stella-quest", 3), *(pytest.param(*each, marks=pytest.mark.slow) for each in LARGE)]
)
def test_a_person_is_told_what_their_seat_sees_and_no_more(home, game, seats):
    """News are compared with the views and events of the stored match, step by step."""
    person = seats - 1
    before = digest(Store(home.results).contents())
    plan = plan_live_match(home, game, *("mixed", "first")[: seats - 1], human=person, seats=seats)
    with going_on(plan) as match:
        news = all_news(match)
    over = news[-1]
    name, _ = keep_match(home, plan, over)
    assert [name] == [*unrated_stores(home.results)][-1:]
    assert before == digest(Store(home.results).contents()), "it does not count"
    record = record_of(*contents_with(home.results, f"{name}/0"))
    assert [bot.bot for bot in plan.bots] == [seat["bot"] for seat in record["seats"]]
    assert [None] * seats == [seat["fault"] for seat in record["seats"]]
    rules = GAMES[game]
    step = rules.start(record["deal"], seats)
    asked = {news.step: news for news in news if isinstance(news, Asked)}
    seen = [item for item in news if isinstance(item, Seen)]
    expected = []
    for number, moves in enumerate([*map(moves_of, record["moves"]), {}]):
        choices = rules.choices(step.state)
        told = [event.seen_by(person) for event in step.events]
        expected.append(Seen(number - 1, told, rules.view(step.state, person), tuple(choices)))
        if person in choices:
            assert choices[person] == asked.pop(number).choice
        if moves:
            step = rules.play(step.state, moves)
    assert msgspec.to_builtins(expected) == msgspec.to_builtins(seen)
    assert {} == asked
    assert set(map(type, news)) == {Seen, Asked, Over}


@pytest.mark.slow
def test_a_stored_match_can_be_replayed_listed_and_verified(home, capsys):
    plan = plan_live_match(home, "stellar", "first", human=0, seed=Seed(7, None))
    over = end_of(plan)
    name, _ = keep_match(home, plan, over)
    for command in (["replay", f"{name}/0"], ["matches", "--in", name], ["home", "verify"], ["home"]):
        assert 0 == run_command_line([*command, "--home", str(home.path)])
    assert "person" in capsys.readouterr().out


@pytest.mark.slow
def test_a_deal_that_is_given_is_played_and_kept(home):
    rules = GAMES["stellar"]
    from random import Random

    deal = rules.deal(2, Random(5))
    plan = plan_live_match(home, "stellar", "first", "mixed", deal=deal)
    over = end_of(plan)
    name, block = keep_match(home, plan, over)
    assert deal == record_of(*contents_with(home.results, f"{name}/0"))["deal"]
    assert not block.matches[0].paired


@pytest.mark.slow
def test_the_same_seed_is_the_same_match(home):
    def moves():
        with going_on(plan_live_match(home, "stellar", "first", "mixed", seed=Seed(3, None))) as match:
            over = all_news(match)[-1]
            return decode_block(over.block.encode()).matches[0].moves

    assert moves() == moves()


@pytest.mark.process
def test_a_spectator_sees_what_all_may_know(home):
    with going_on(plan_live_match(home, "stella-quest", "first", "mixed")) as match:
        news = all_news(match)
    seen = [item for item in news if isinstance(item, Seen)]
    assert not any("hand" in event for item in seen for event in item.events)
    assert {Seen, Over} == set(map(type, news))
    assert () == seen[-1].asked


# -- the end


@pytest.mark.process
def test_a_match_that_is_left_leaves_no_process_and_nothing_in_the_home(tmp_path):
    mark = f"mark-{tmp_path.name}"
    home = a_home(tmp_path / "home", mark)
    with going_on(plan_live_match(home, "stellar", "first", human=0)) as match:
        while not any(isinstance(news, Asked) for news in match.read(60)):
            pass
        assert ladders.processes(mark)
    wait_until(lambda: not ladders.processes(mark))
    assert [] == [*home.results.rglob("*")]


@pytest.mark.slow
def test_a_bot_that_ends_loses_and_the_match_is_over_at_once(tmp_path):
    home = ladders.a_home(tmp_path / "home", {"ends": {"sin": "exit"}}, '[sandbox]\ntier = "none"\n')
    plan = plan_live_match(home, "stellar", "ends", human=0)
    over = end_of(plan)
    _, block = keep_match(home, plan, over)
    assert [(1, None), (2, "crash")] == [(seat.rank, seat.fault) for seat in block.matches[0].seats]
    assert ["crash"] == [fault.kind for fault in block.faults]


@pytest.mark.process
def test_a_process_that_is_killed_is_reported(home):
    with going_on(plan_live_match(home, "stellar", "first", human=0)) as match:
        match._process.kill()
        news = all_news(match)
    assert isinstance(news[-1], LiveFailed)
    assert "killed" in news[-1].what


@pytest.mark.process
def test_a_store_that_cannot_be_written_leaves_nothing(home, monkeypatch):
    over = end_of(plan_live_match(home, "stella-quest", "first", "mixed"))
    names = sorted(path.name for path in (home.results / "unrated").glob("*"))
    monkeypatch.setattr(Store, "finish", lambda *_: (_ for _ in ()).throw(OSError("no space left")))
    with pytest.raises(OSError, match="no space left"):
        keep_match(home, plan_live_match(home, "stella-quest", "first", "mixed"), over)
    assert names == sorted(path.name for path in (home.results / "unrated").glob("*"))
    assert json.loads(over.block)["matches"]


# -- a bot that its author starts


def first_option(act):
    return act.choice.options[0] if act.choice.kind == "one" else act.choice.options[: act.choice.low]


@contextmanager
def connected(bot):
    """Yield the ladder's end of a connection at whose other end *bot* plays, in a thread."""
    own, other = socket.socketpair()

    def serve():
        with other, suppress(SystemExit):
            serve_pipes(bot, other.fileno(), other.fileno())

    playing = Thread(target=serve)
    playing.start()
    yield own
    playing.join(60)
    assert not playing.is_alive()


def test_a_bot_that_connects_and_a_person_need_no_other_at_a_table_for_two(home):
    plan = plan_live_match(home, "stellar", human=0, connect=1)
    assert (PERSON, CONNECTED) == plan.bots
    assert ["you", "your bot"] == plan.names({})


@pytest.mark.process
def test_a_bot_that_connects_plays_its_seat_and_has_no_clock(home):
    file = home.path / "ladder.toml"
    before = file.read_text()
    file.write_text(before + "[limits]\nstart_ms = 100\nmove_ms = 100\nbank_ms = 0\n")
    calls = []

    def choose(act):
        if not calls:
            time.sleep(0.4)
        calls.append(act.seat)
        return first_option(act)

    try:
        plan = plan_live_match(open_home(home.path), "stella-quest", human=0, connect=1)
    finally:
        file.write_text(before)
    with connected(choose) as connection, going_on(plan, connection) as match:
        over = all_news(match)[-1]
    assert {1} == set(calls)
    name, block = keep_match(home, plan, over)
    assert [] == [fault.kind for fault in block.faults if fault.seat == 1]
    assert ["person", "connected"] == [seat.bot for seat in block.matches[0].seats]
    record = record_of(*contents_with(home.results, f"{name}/0"))
    assert "author" == record["seats"][1]["version"]


@pytest.mark.slow
def test_a_bot_that_closes_its_connection_loses_and_that_is_said(home):
    class Leaves:
        decisions = 0

        def act(self, act):
            self.decisions += 1
            if self.decisions > 2:
                raise SystemExit
            return first_option(act)

    plan = plan_live_match(home, "stellar", "first", connect=0)
    with connected(Leaves()) as connection, going_on(plan, connection) as match:
        news = all_news(match)
    assert Remark("the bot that had connected has closed its connection") in news
    over = news[-1]
    (played,) = decode_block(over.block.encode()).matches
    assert ["crash", None] == [seat.fault for seat in played.seats]


def test_no_bot_is_seated_at_a_size_that_it_does_not_play(tmp_path):
    home = a_home(tmp_path / "home")
    make_unfit(home.roster, "first", "stella/3")
    with pytest.raises(UsageProblem, match=r"first@\w+ plays stella at tables of 4, 5, 6, not of 3"):
        plan_live_match(home, "stella", "first", "mixed", human=0, seats=3)
    offered = {offer.seats: offer.bots for offer in offers(home) if offer.game == "stella"}
    assert [("mixed",), ("first", "mixed")] == [offered[3], offered[4]]
    assert 4 == len(plan_live_match(home, "stella", "first", "mixed", human=0).bots), "which all play"
    found = offers(home)
    form = {"seat": ["0"], "bot": ["mixed", "first"]}
    with pytest.raises(UsageProblem, match="first plays stella at tables of 4, 5, 6, not of 3"):
        request_of(found, offer_of(found, "stella", "3"), form)
