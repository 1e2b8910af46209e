"""Blocks that cannot be recorded, and runs that go on without the bot that is to blame."""

import contextlib
import re
import shutil
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace
from support import ladders, scripted_tables
from support.here import Here
from support.scripted_tables import ScriptedTables, play_tables
from support.taken_in import take_in

from ladder.errors import LadderError, NotFound, RunStopped, UsageProblem
from ladder.home.home import open_home
from ladder.registry.bot_manifest import BotManifest
from ladder.replay.verify import verify
from ladder.run.coordinator import Coordinator
from ladder.run.executors import local
from ladder.run.executors.base import FinishedBlock
from ladder.run.setup import setup_of
from ladder.run.shard import Shard
from ladder.run.status import Stop
from ladder.run.stored_run import leave_out
from ladder.worker.worker_messages import Unplayed
from protocol.faults import ABSENT
from results.rating import cache
from results.rating.rated import standings_of
from results.record import WithoutBot
from results.reports.digest import digest
from results.storage.store import Store

MATCHES = 160
"""80 blocks: five epochs."""
POISON = b'"usage":{"input_tokens":0,"output_tokens":0,"cost_usd":"free"}'


class Poisoned(Here):
    """Plays in this process; what it says of matches of *bot* from block *first* on cannot be kept."""

    def __init__(self, setup, bot, first, shuffle=None):
        super().__init__(setup, shuffle)
        self.bot = bot
        self.first = first

    def results(self, timeout):
        return [self.spoilt(played) for played in super().results(timeout)]

    def spoilt(self, played):
        head, mark, tail = played.payload.partition(f'"bot":"{self.bot}"'.encode())
        if not mark or played.number < self.first:
            return played
        return FinishedBlock(played.number, head + mark + tail.replace(b'"usage":null', POISON, 1))


@contextlib.contextmanager
def taken_up(home, bot="", first=0, shuffle=None):
    """Yield the unfinished run of *home*, taken up again, and an executor for it."""
    run = ladders.start_run(home, matches=MATCHES)
    setup = setup_of(home, run, 1)
    executor = Poisoned(setup, bot, first, shuffle)
    with contextlib.closing(executor), Store(home.results).lock() as store:
        yield Coordinator.resume(store, run, setup, lambda status: None), executor


@pytest.fixture(scope="module")
def broken(tmp_path_factory):
    """Return a home whose run was ended by what `mixed` said in block 20 or the next of its blocks."""
    home = ladders.a_home(tmp_path_factory.mktemp("broken") / "home")
    with taken_up(home, "mixed", 20) as (run, executor), pytest.raises(LadderError) as caught:
        run.play(executor, Stop())
    return home, caught.value


def go_on_without(home, *names):
    store = Store(home.results)
    with store.lock():
        leave_out(home, store, ladders.start_run(home), names)


def at_tables(home):
    """Return who sat at the standing matches, by block."""
    return {row["block"]: {seat["bot"] for seat in row["seats"]} for row in ladders.rows(home.path)}


def test_a_block_that_cannot_be_recorded_is_named_with_its_bot_and_what_to_type_next(broken):
    home, error = broken
    mixed = home.roster.find("mixed").id
    assert "of run 1 cannot be recorded: expected block " in str(error)
    assert "usage.cost_usd" in str(error)
    assert str(error).endswith(f"; the bot is {mixed}")
    assert f"ladder run --resume --without {mixed}" == error.hint
    assert 1 == error.exit_code


def test_what_else_was_played_is_kept(broken):
    home, _ = broken
    kept = Store(home.results).contents().committed_blocks(1)
    assert set(range(20)) <= kept
    assert Store(home.results).unfinished_run()
    assert len(standings_of(cache.ratings_current(Store(home.results)))) == 4


def test_the_run_goes_on_without_that_bot(broken, tmp_path):
    home = open_home(shutil.copytree(broken[0].path, tmp_path / "home"))
    before = Store(home.results).contents().committed_blocks(1)
    rows = {row["number"]: row for row in ladders.rows(home.path)}
    go_on_without(home, "mixed")
    with taken_up(home, "mixed", 20) as (run, executor):  # it would do so again
        (entry,) = run.run.settings.without
        run.play(executor, Stop())
    after = at_tables(home)
    assert all("mixed" not in bots for block, bots in after.items() if block not in before)
    assert {"first", "last", "plain"} == {
        bot for block, bots in after.items() if block >= entry.since for bot in bots
    }
    assert set(range(entry.since, MATCHES // 2)) <= after.keys()  # no match is lost that was not planned
    found = {row["number"]: row for row in ladders.rows(home.path)}
    assert rows == {number: found[number] for number in rows}
    finished = Store(home.results).runs()[0]
    assert MATCHES // 2 == finished.blocks
    assert finished.finished
    verdict = verify(Store(home.results), lambda done, total: None, 1)
    assert verdict.sound
    assert len(found) == verdict.matches < MATCHES


@pytest.mark.slow
def test_a_run_without_a_bot_ends_the_same_however_often_it_is_continued(broken, tmp_path):
    ends = []
    for name, stops, seed in (("one", 0, None), ("two", 3, 5), ("three", 7, 6)):
        home = open_home(shutil.copytree(broken[0].path, tmp_path / name))
        go_on_without(home, home.roster.find("mixed").id)
        for _ in range(stops):
            with taken_up(home, shuffle=Random(seed)) as (run, executor):
                for _ in range(3):
                    run._hand_out(executor)
                    for played in executor.results(0):
                        run._arrive(*played, executor)
        with taken_up(home, shuffle=Random(seed)) as (run, executor):
            run.play(executor, Stop())
        ends.append(
            (ladders.rows(home.path), ladders.ratings(home.path), digest(Store(home.results).contents()))
        )
    assert ends[0] == ends[1] == ends[2]


def test_a_contest_that_has_too_few_bots_left_is_over(tmp_path):
    home = ladders.a_home(tmp_path / "home", {"a": {}, "b": {}})
    with taken_up(home, "b", 3) as (run, executor), pytest.raises(LadderError, match="cannot be recorded"):
        run.play(executor, Stop())
    go_on_without(home, "b")
    with taken_up(home) as (run, executor):
        ended = run.play(executor, Stop())
    kept = at_tables(home)
    assert {0, 1, 2} <= kept.keys()
    assert ended.blocks == run.run.settings.without[0].since < MATCHES // 2
    for rows in (ladders.rows(home.path, 1), Store(home.results).matches().to_pylist()):
        assert 2 * len(kept) == len(rows)


def test_a_shard_keeps_its_numbers_and_leaves_the_bot_out(tmp_path):
    home = ladders.a_home(tmp_path / "home")
    ladders.start_run(home, matches=MATCHES, schedule="round-robin", shard=Shard(2, 2))
    go_on_without(home, "mixed")
    with taken_up(home, shuffle=Random(2)) as (run, executor):
        ended = run.play(executor, Stop())
    assert MATCHES // 4 == ended.blocks
    kept = at_tables(home)
    assert {"first", "last", "plain"} == set().union(*kept.values())
    assert kept.keys() < set(range(MATCHES // 4, MATCHES // 2))
    assert run.status.done == run.status.total == 2 * len(kept)


def test_a_bot_that_is_gone_from_the_home_can_be_left_out(tmp_path):
    home = ladders.a_home(tmp_path / "home")
    run = ladders.start_run(home, matches=MATCHES)
    version = home.roster.find("plain")
    shutil.rmtree(Path(version.folder).parent)
    with pytest.raises(NotFound, match=f"{version.id} plays in run 1 and is not in this home") as caught:
        setup_of(home, run, 1)
    assert caught.value.hint.endswith(f"ladder run --resume --without {version.id}")
    go_on_without(home, version.id)
    with taken_up(home) as (running, executor):
        running.play(executor, Stop())
    assert {"first", "last", "mixed"} == set().union(*at_tables(home).values())


def test_only_bots_of_the_run_can_be_left_out(tmp_path):
    home = ladders.a_home(tmp_path / "home")
    run = ladders.start_run(home, bots=("first", "last"))
    ladders.enlist(home, "first", {"style": "last"})
    store = Store(home.results)
    with store.lock():
        for name in ("plain", "first@0000", "nobody"):
            with pytest.raises(NotFound):
                leave_out(home, store, run, [name])
        leave_out(home, store, run, ["first", "first", f"first@{run.bots[0]['version'][:6]}", "first@1"])
    assert (WithoutBot(**run.bots[0]),) == Store(home.results).runs()[0].settings.without


def test_two_versions_of_a_bot_are_told_apart(tmp_path):
    home = ladders.a_home(tmp_path / "home")
    older = home.roster.find("first")
    newer = ladders.enlist(home, "first", {"style": "last"})
    run = ladders.start_run(home, bots=(older.id, newer.id))
    store = Store(home.results)
    with store.lock():
        with pytest.raises(UsageProblem, match="first is more than one bot of run 1"):
            leave_out(home, store, run, ["first"])
        leave_out(home, store, run, [f"first@{newer.number}"])
        assert [newer.version] == [left.version for left in store.runs()[-1].settings.without]


# -- as one types it


@pytest.mark.slow
def test_the_command_ends_with_one_line_and_goes_on_without_the_bot(tmp_path):
    """A bot that kills who started it ends a run; nothing is left to see to but that bot."""
    home = ladders.a_home(tmp_path / "home", {"a": {}, "b": {}, "killer": {"sin": "kill", "one_in": 5}})
    done = ladders.run_command(home.path, "--games", "60", "--seed", "1", "-j", "1")
    assert 1 == done.returncode
    assert f"{local.DEATHS} workers died while playing block" in done.stderr
    assert re.search(r"  next: \S*ladder run .*--resume --without BOT, ", done.stderr)
    assert "Traceback" not in done.stderr
    done = ladders.run_command(home.path, "--resume", "--without", "killer")
    assert 0 == done.returncode, done.stderr
    assert f"run 1 continues without {home.roster.find('killer').id}" in done.stderr
    assert Store(home.results).unfinished_run() is None


# -- a bot whose service does not answer


def silent_from(first):
    """Return the fault of `c` in matches from *first* on: its service does not answer."""
    return lambda bot, match: "transport" if bot == "c" and match >= first else None


def play_silent(home, tables, told=None, **more):
    told = [] if told is None else told
    asked = {"matches": 200, "script": {"fault": silent_from(60)}, "say": lambda *words: told.append(words)}
    return play_tables(home, tables, **asked | more)


def with_a_service(path, settings=""):
    """Return a new home whose bot `c` may use the network."""
    home = ladders.a_home(
        path, {name: {} for name in "abd"}, f'{ladders.STELLAR}[allow]\nnetwork = ["c"]\n{settings}'
    )
    ladders.enlist(home, "c", {}, network=True)
    return home


@pytest.fixture
def four(tmp_path):
    return with_a_service(tmp_path / "home")


@pytest.mark.parametrize("schedule", ["adaptive", "round-robin"])
@pytest.mark.parametrize("tables", [1, 5])
def test_a_service_that_stays_down_costs_the_matches_in_hand_and_the_run_goes_on(four, schedule, tables):
    told = []
    running = play_silent(four, tables, told, schedule=schedule)
    rows = [row for row in ladders.rows(four.path) if not row["void"]]
    lost = [row for row in rows for seat in row["seats"] if seat["fault"] == "transport"]
    assert 1 <= len(lost) <= 2 * tables, "a table plays the two matches of a block"
    (left,) = Store(four.results).contents().run(1).settings.without
    assert "c" == left.name
    assert not [row for row in rows if row["block"] >= left.since and "c" in [s["bot"] for s in row["seats"]]]
    assert [f"left out from block {left.since} on: c"] == [text.partition(",")[0] for text, _ in told]
    assert len(rows) == 200 - running.left_out.matches
    assert schedule == "round-robin" or running.left_out.matches < 100, "what was planned by then"
    assert running.left_out.matches == running.left_out.reasons["without"]


@pytest.mark.parametrize("tables", [1, 5])
def test_a_bot_for_which_nobody_is_there_is_left_out_and_its_matches_are_void(four, tables):
    told = []
    c = four.roster.find("c").id
    why = f"{ABSENT}, for longer than 300 s"

    class Tables(ScriptedTables):
        def played(self, block, charge=""):
            is_gone = block.number >= 20 and c in [self._setup.bots[i].id for i in block.bots]
            return Unplayed(block.number, why, absent=(c,)) if is_gone else super().played(block, charge)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scripted_tables, "ScriptedTables", Tables)
        running = play_silent(four, tables, told, script={})
    rows = ladders.rows(four.path)
    (left,) = Store(four.results).contents().run(1).settings.without
    assert "c" == left.name
    assert not [row for row in rows if row["block"] >= 20 and "c" in [s["bot"] for s in row["seats"]]]
    assert {None} == {seat["fault"] for row in rows for seat in row["seats"]}
    assert [(f"left out from block {left.since} on: c, {why}", "")] == told
    assert len(rows) == 200 - running.left_out.matches < 200
    assert running.left_out.matches == running.left_out.reasons["without"]
    assert Store(four.results).runs()[0].finished


@pytest.mark.parametrize(("tables", "most"), [(2, 2), (5, 4), (1, 2)])
def test_a_service_that_stays_down_costs_no_more_matches_than_its_bot_has_seats(tmp_path, tables, most):
    home = with_a_service(tmp_path / "home", f"[limits.bots.c]\ntables = {tables}")
    play_silent(home, 8, schedule="round-robin")
    faults = [seat["fault"] for row in ladders.rows(home.path) for seat in row["seats"]]
    assert 1 <= faults.count("transport") <= most, "a block has two matches"


def test_the_others_play_as_in_a_run_without_that_bot(four, tmp_path):
    without = play_silent(four, 5, schedule="round-robin").run.settings.without
    other = with_a_service(tmp_path / "other")
    run = ladders.start_run(other, matches=200, schedule="round-robin")
    with Store(other.results).lock() as store:
        store.amend(replace(run.settings, without=without))
    play_tables(other, 5)
    played, expected = (
        [row for row in ladders.rows(home.path) if "c" not in {seat["bot"] for seat in row["seats"]}]
        for home in (four, other)
    )
    assert expected == played
    assert 100 <= len(played)


DOWN = """\
import json, os, sys

def say(message):
    print(json.dumps(message), flush=True)

for line in sys.stdin:
    message = json.loads(line)
    how = message.get("config", {}).get("how") or "fail"
    down = os.path.exists(sys.argv[1])
    if message["type"] == "hello" and down and how == "absent":
        sys.exit(say({"type": "absent", "why": "429"}))
    if message["type"] == "hello":
        say({"type": "ready", "protocol": 1})
    elif message["type"] == "act" and down:
        say({"id": message["id"], "fail": "transport", "why": "429"})
    elif message["type"] == "act":
        choice = message["choice"]
        options = choice["options"]
        move = options[0] if choice["kind"] == "one" else options[: choice["low"]]
        say({"id": message["id"], "move": move})
"""


@pytest.mark.process
@pytest.mark.parametrize("how", ["fail", "absent"])
def test_a_run_by_the_clock_does_not_wait_for_a_service_and_plays_the_match_again(tmp_path, how):
    home = ladders.a_home(tmp_path / "home", {"a": {}}, ladders.STELLAR + '[allow]\nnetwork = ["online"]\n')
    (program, down) = (tmp_path / "online.py", tmp_path / "down")
    program.write_text(DOWN)
    down.touch()
    run = ("{python}", "-S", program.name, str(down))
    take_in(home.roster, program, BotManifest("online", run=run, network=True, config={"how": how}))
    done = ladders.run_command(home.path, "--games", "20", "--for", "2s", "--seed", "1", "-j", "1")
    assert 0 == done.returncode, done.stderr
    told = {"fail": "its service did not answer: 429", "absent": "nobody was there to play: 429"}
    assert f"{home.roster.find('online').id}: {told[how]}, and the run was to stop" in done.stderr
    assert "too busy" not in done.stderr
    assert "left out" not in done.stderr
    down.unlink()
    done = ladders.run_command(home.path, "--resume", "-j", "1")
    assert 0 == done.returncode, done.stderr
    rows = ladders.rows(home.path)
    assert rows
    assert {(None, False)} == {(seat["fault"], row["void"]) for row in rows for seat in row["seats"]}
    assert Store(home.results).unfinished_run() is None


def test_a_run_that_is_killed_after_that_ends_as_one_that_is_not(four, tmp_path):
    other = with_a_service(tmp_path / "other")
    play_silent(four, 1, schedule="adaptive")
    with pytest.raises(RunStopped):
        play_silent(other, 1, schedule="adaptive", stop_after=90)
    play_silent(other, 1, schedule="adaptive")
    assert digest(Store(four.results).contents()) == digest(Store(other.results).contents())
