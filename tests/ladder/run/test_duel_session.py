"""Duels and unrated runs from end to end: where they are kept, and that they end alike however played."""

import contextlib
import json
import os
import signal
import subprocess
import sys
from contextlib import closing, nullcontext
from random import Random
from types import SimpleNamespace

import msgspec
import pytest
from support import ladders
from support.command_line import ENVIRONMENT, run_apart, run_here
from support.commands import process_group
from support.here import HERE, Here, play_commands_here
from support.scripted_tables import ScriptedTables
from support.submitting import submit
from support.taken_in import make_unfit

from engines.contract.texts import wide_lines
from engines.stellar import Stellar, draws
from ladder.admission.submit import keep_for_duel
from ladder.cli.signature import complete_duels, complete_matches
from ladder.errors import LadderError, NotFound, RefusedBot, RunStopped, TooBusy, UsageProblem, whose
from ladder.home.season import begin_season
from ladder.run import coordinator, duel_request, session
from ladder.run.duel_options import DuelRequest, MarginRange
from ladder.run.duel_request import plan_duel, question_of
from ladder.run.duel_session import AskedDuel
from ladder.run.option import WrongOption
from ladder.run.playing import Means
from ladder.run.run_events import OperatorNote, Planned, Progress
from ladder.worker.worker_messages import Unplayed
from protocol.faults import ABSENT
from results.rating.duel_question import Verdict
from results.record import DuelTerms
from results.reports.digest import digest
from results.reports.duel_report import verdict_of
from results.storage.store import Store
from results.storage.unrated import make_unrated, unrated_store, unrated_stores

DEALS = 48
SEED = 3


def shuffled(setup, seed=0):
    return closing(Here(setup, Random(seed)))


def play(home, new="first", old="mixed", executor=HERE.open_executor, /, tell=lambda event: None, **asked):
    terms = {"new_bot": new, "old_bot": old, "games": 2 * DEALS, "seed": SEED} | asked
    means = Means(open_executor=executor)
    duel = AskedDuel(DuelRequest(**terms), keep_for_duel)
    return session.play(nullcontext(home), duel, means, lambda *_: None, tell)


def digests(home):
    return {name: digest(store.contents()).hex for name, store in unrated_stores(home.results).items()}


def test_a_duel_has_a_store_of_its_own_and_does_not_count(home):
    played = play(home, games=16)
    assert (["d1"], ()) == ([*unrated_stores(home.results)], Store(home.results).runs())
    (run,) = unrated_store(home.results, "d1").runs()
    assert run.finished
    assert run.settings.duel.alpha == 0.05
    assert played.duel.end == run.blocks
    assert {} == ladders.ratings(home.path)
    assert played.duel.results()[0].tally.blocks == run.blocks


@pytest.mark.parametrize("seal", [10_000, 16])
@pytest.mark.slow
def test_a_duel_that_was_stopped_is_continued_by_the_same_command_to_the_same_end(home, monkeypatch, seal):
    """From its journal and from segments."""
    monkeypatch.setattr(coordinator, "SEAL_MATCHES", seal)
    play(home, "mixed", "plain", shuffled)
    before = digests(home)["d1"]
    with pytest.raises(RunStopped) as stopped:
        play(home, "mixed", "plain", shuffled, tell=stop_after(40))
    assert 130 == stopped.value.exit_code
    assert "matches of duel d2 are kept" in str(stopped.value)
    assert unrated_store(home.results, "d2").unfinished_run()
    play(home, "mixed", "plain")
    assert {"d1": before, "d2": before} == digests(home)
    assert unrated_store(home.results, "d2").unfinished_run() is None


def begun(home, *names, **asked):
    """Return the run of a duel that ends before its first match."""
    planned = []

    def stop(event):
        if isinstance(event, Planned):
            planned.append(event.run)
            raise LadderError("stop here")

    with contextlib.suppress(LadderError):
        play(home, *names, tell=stop, **asked)
    return planned[0]


def test_another_command_or_new_begins_another_duel(home):
    for asked in ({}, {"terms": ("alpha=1",)}, {"margin": 10.0}, {"new_bot": "last"}, {"new": True}):
        begun(home, **asked)
    assert ["d1", "d2", "d3", "d4", "d5"] == [*unrated_stores(home.results)]
    assert all(store.unfinished_run() for store in unrated_stores(home.results).values())


def test_a_duel_is_played_beside_a_run(home):
    with Store(home.results).lock():
        play(home, games=4)
    assert 1 == len(unrated_stores(home.results))


def test_a_rated_duel_is_a_run_of_the_ladder(home):
    play(home, rated=True, games=8)
    (run,) = Store(home.results).runs()
    assert run.settings.duel
    assert {8} == {matches for matches, *_ in ladders.ratings(home.path).values()}
    assert {} == unrated_stores(home.results)


def test_a_rated_duel_does_not_follow_an_unfinished_run(home):
    ladders.start_run(home)
    with pytest.raises(UsageProblem, match="run 1 is not finished"):
        play(home, rated=True)


# -- an undecided duel that goes on


def notes(events):
    return [event.text for event in events if isinstance(event, OperatorNote)]


def stop_after(matches):
    """Return a listener that stops the first run after this number of *matches* has come."""
    stops = []

    def stop(event):
        if isinstance(event, Progress) and event.status.came > matches and not stops:
            stops.append(event)
            os.kill(os.getpid(), signal.SIGINT)

    return stop


def test_more_matches_continue_an_undecided_duel_as_if_asked_for_from_the_start(home):
    """Not only at multiples of the 16 blocks between looks; also in several steps."""
    first = play(home, "mixed", "plain", games=12)
    assert "undecided" == verdict_of(first.duel.results())
    for matches in (20, 40):
        events = []
        played = play(home, "mixed", "plain", shuffled, games=matches, tell=events.append)
        assert any("duel d1 continues" in note for note in notes(events))
    whole = play(home, "mixed", "plain", games=40, new=True)
    assert whole.duel.results()[0].tally.counts == played.duel.results()[0].tally.counts
    assert whole.duel.results()[0].interval == played.duel.results()[0].interval
    assert 1 == len({*digests(home).values()})
    (run,) = unrated_store(home.results, "d1").runs()
    assert [6, 10] == [part.end for part in run.settings.duel.parts]
    assert (40, 20) == (run.settings.asked.games, run.blocks)


@pytest.mark.slow
@pytest.mark.parametrize("stops", [(10**6, 20), (10,)])
def test_a_duel_that_goes_on_can_be_stopped_and_continued(home, stops):
    for matches, stop in zip((36, 2 * DEALS), stops, strict=False):
        with contextlib.suppress(RunStopped):
            play(home, "mixed", "plain", shuffled, games=matches, tell=stop_after(stop))
    assert unrated_store(home.results, "d1").unfinished_run()
    play(home, "mixed", "plain")
    play(home, "mixed", "plain", new=True)
    assert 1 == len({*digests(home).values()})
    assert 2 == len(digests(home))


@pytest.mark.slow
def test_of_several_games_those_go_on_that_are_undecided(home):
    """`first` is better than `mixed` at stellar after few deals."""
    asked = {"game": ("stellar", "stella-quest"), "seats": (2,), "terms": ("alpha=20",)}
    one = play(home, **asked, games=48)
    longer = play(home, **asked, games=64)
    stellar, quest = one.duel.results()
    assert ("better", "undecided") == (stellar.verdict, quest.verdict)
    assert stellar.tally.counts == longer.duel.results()[0].tally.counts
    assert (24, 32) == (quest.tally.blocks, longer.duel.results()[1].tally.blocks)
    play(home, "first", "mixed", shuffled, **asked, games=48, new=True)
    with pytest.raises(RunStopped):
        play(home, "first", "mixed", shuffled, **asked, games=64, tell=stop_after(5))
    play(home, **asked, games=64)
    assert ["d1", "d2"] == [*digests(home)]
    assert 1 == len({*digests(home).values()})


def test_a_decided_duel_and_one_with_as_many_matches_do_not_go_on(home):
    events = []
    for _ in range(2):
        play(home, "mixed", "plain", games=4, tell=events.append)
    (said,) = [note for note in notes(events) if "d1" in note]
    assert "d1, the same duel, ended undecided; this is another one" in said
    events.clear()
    for matches in (40, 60):
        played = play(home, "first", "last", games=matches, tell=events.append)
        assert "better" == verdict_of(played.duel.results())
    assert [] == [note for note in notes(events) if "duel" in note]
    assert ["d1", "d2", "d3", "d4"] == [*unrated_stores(home.results)]


@pytest.mark.slow
def test_a_rated_duel_goes_on_and_counts_once(home):
    """As long as it is the newest run of its season: matches of an earlier one are history."""
    ladders.play(home, matches=24, schedule="round-robin")
    play(home, "mixed", "plain", rated=True, games=36)
    before = ladders.ratings(home.path)
    play(home, "mixed", "plain", rated=True, games=64)
    counts = {bot: count for (bot, _), (count, *_) in ladders.ratings(home.path).items()}
    assert 28 == counts["mixed"] - {bot: count for (bot, _), (count, *_) in before.items()}["mixed"]
    assert 0 == run_here("home", "verify", "--home", home.path, "-j", "1").code
    ladders.play(home, matches=24, schedule="round-robin")
    played = play(home, "mixed", "plain", rated=True, games=2 * DEALS)
    assert "undecided" == verdict_of(played.duel.results())
    begin_season(home, "spring")
    play(home, "mixed", "plain", rated=True, games=2 * DEALS + 4)
    duels = [run.settings.duel is not None for run in Store(home.results).runs()]
    assert [False, True, False, True, True] == duels
    assert [2 * DEALS, 2 * DEALS + 4] == [len(ladders.rows(home.path, run)) for run in (4, 5)]
    assert {2 * DEALS + 4} == {matches for matches, *_ in ladders.ratings(home.path).values()}


# -- faults of the two

CHEAT = {"good": {}, "cheat": {"sin": "cheat"}, "slip": {"sin": "cheat", "one_in": 5}}


@pytest.fixture
def failing(tmp_path):
    """A home with bots that make faults."""
    return ladders.a_home(tmp_path / "home", CHEAT)


def question_of_before(request):
    """Return what a duel asked before there were rules: its margin was in percent."""
    return DuelTerms(alpha=request.chosen.alpha / 100, margin=request.margin and request.margin / 100)


@pytest.fixture
def rule_of_before(monkeypatch):
    """Let duels begin as they did before there were rules for margins and for faults."""
    monkeypatch.setattr(duel_request, "question_of", question_of_before)
    yield
    monkeypatch.undo()


def test_where_faults_ended_every_match_nothing_is_sure_and_the_answer_says_why(failing):
    played = play(failing, "cheat", "good", games=64)
    (result,) = played.duel.results()
    assert (Verdict.UNDECIDED, 32, 64, 0) == (
        result.verdict,
        result.tally.blocks,
        result.faulted,
        result.without.tally.blocks,
    )
    at = ("--home", failing.path)
    shown = run_here("duel", "d1", *at).out
    assert "; its faults cost it the answer: 64 matches (64 illegal)" in shown
    assert "no deal" in shown
    assert "undecided: faults" in run_here("duel", *at).out
    (row,) = json.loads(run_here("duel", "--format", "json", *at).out)
    told = ("verdict", "faulted", "verdict_with_faults", "verdict_without_faults")
    assert ["undecided", 64, "worse", "undecided"] == [row[key] for key in told]
    play(failing, "slip", "good", games=20)
    assert 1 == run_here("duel", *at).out.count("undecided: faults")


def test_an_undecided_duel_with_faults_goes_on_by_the_same_rule(failing):
    for matches in (20, 48):
        played = play(failing, "slip", "good", games=matches)
    play(failing, "slip", "good", shuffled, games=48, new=True)
    (result,) = played.duel.results()
    assert 24 == result.tally.blocks
    assert 0 < result.without.tally.blocks < 24
    assert ["d1", "d2"] == [*digests(failing)]
    assert {"agree"} == {
        store.runs()[0].settings.duel.faults for store in unrated_stores(failing.results).values()
    }
    assert 1 == len({*digests(failing).values()})


@pytest.mark.usefixtures("rule_of_before")
def test_an_undecided_duel_of_an_old_rule_stays_as_it_is_and_another_one_begins(failing, monkeypatch):
    old = play(failing, "cheat", "good", games=6)
    before = digests(failing)["d1"]
    monkeypatch.undo()
    again = play(failing, "cheat", "good", games=64)
    assert ("count", "agree") == (old.run.settings.duel.faults, again.run.settings.duel.faults)
    assert (Verdict.UNDECIDED, before) == (verdict_of(again.duel.results()), digests(failing)["d1"])
    assert 0 == run_here("home", "duels", "d1", "--home", failing.path).code


@pytest.mark.usefixtures("rule_of_before")
def test_an_unfinished_duel_of_an_old_rule_is_ended_as_it_is_with_a_sentence(home, monkeypatch):
    with pytest.raises(RunStopped):
        play(home, "mixed", "plain", tell=stop_after(8))
    monkeypatch.undo()
    events = []
    play(home, "mixed", "plain", games=8, tell=events.append)
    said = "duel d1 began by the rules of an earlier ladder: it is ended as it is"
    assert 1 == notes(events).count(said)
    stores = unrated_stores(home.results)
    assert ["d1", "d2"] == [*stores]
    assert stores["d1"].unfinished_run() is None
    assert len(stores["d1"].matches(["number"])) >= 8


def no_worse_up_to_0_6(request):
    """Return what --no-worse asked up to 0.6: it ended with "worse" below 50."""
    return msgspec.structs.replace(question_of(request), rule="no worse")


def test_a_duel_keeps_what_no_worse_asked_up_to_0_6_and_an_unfinished_one_is_ended(home, monkeypatch):
    asked = {"new_bot": "last", "old_bot": "first", "no_worse": 45.0}
    with monkeypatch.context() as then:
        then.setattr(duel_request, "question_of", no_worse_up_to_0_6)
        old = play(home, **asked)
        with pytest.raises(RunStopped):
            play(home, **asked, new=True, tell=stop_after(8))
    events = []
    play(home, **asked, games=32, tell=events.append)
    assert "duel d2 began by the rules of an earlier ladder: it is ended as it is" in notes(events)
    stores = unrated_stores(home.results)
    rules = [store.runs()[0].settings.duel.rule for store in stores.values()]
    assert ["no worse", "no worse", "not much worse"] == rules
    assert not any(store.unfinished_run() for store in stores.values())
    assert (Verdict.WORSE, 32) == (verdict_of(old.duel.results()), sum(old.duel.results()[0].tally.matches))
    at = ("--home", home.path)
    assert "last is worse than first at stellar: wins 3" in run_here("duel", "d1", *at).out
    assert 0 == run_here("home", "verify", *at, "-j", "1").code


def test_a_duel_that_another_process_has_ended_meanwhile_is_refused(home):
    with pytest.raises(RunStopped):
        play(home, "mixed", "plain", tell=stop_after(8))

    class Late(AskedDuel):
        looks = 0

        def look(self, home):
            found = super().look(home)
            self.looks += 1
            if self.looks == 2:
                with found.store.lock() as store:
                    store.abandon(1)
            return found

    request = DuelRequest(new_bot="mixed", old_bot="plain", games=2 * DEALS, seed=SEED)
    means = Means(open_executor=HERE.open_executor)
    with pytest.raises(LadderError, match="another process has ended this meanwhile"):
        session.play(nullcontext(home), Late(request, keep_for_duel), means, None, lambda event: None)
    assert ["d1"] == [*unrated_stores(home.results)]


# -- the questions of a duel


@pytest.mark.parametrize(
    ("asked", "terms"),
    [
        ({}, ("apart", 0.03, None)),
        ({"terms": ("apart=1",)}, ("apart", 0.02, None)),
        ({"margin": 2.5}, ("margin", 0.05, None)),
        ({"margin": MarginRange(0.0, 1.0)}, ("margin", 0.02, 0.0)),
        ({"no_worse": 2.0}, ("not much worse", 0.04, None)),
    ],
)
def test_a_duel_keeps_what_it_was_asked_as_scores_under_the_name_of_its_rule(asked, terms):
    found = duel_request.question_of(DuelRequest(new_bot="a", old_bot="b", **asked))
    assert terms == (found.rule, found.margin, found.least)
    assert ("agree", 0.05) == (found.faults, found.alpha)


def test_a_duel_asks_one_question():
    with pytest.raises(WrongOption, match="give --margin or --no-worse"):
        DuelRequest(new_bot="a", old_bot="b", margin=2.0, no_worse=2.0)


# -- a field without one of its bots


def test_a_bot_can_be_left_out_of_the_field(tmp_path):
    home = ladders.a_home(tmp_path / "home", {name: {} for name in "abcde"})
    asked = {"game": ("stella",), "seats": (4,), "games": 8}
    played = play(home, "a", "b", without=("c",), **asked)
    assert ["a", "b", "d", "e"] == [bot["name"] for bot in played.run.bots]
    with pytest.raises(UsageProblem, match=r"a@\w+ plays the duel, so it cannot be left out"):
        play(home, "a", "b", without=("a",), **asked)
    with pytest.raises(UsageProblem, match="stella needs 4 bots, but those that play it are: a, b, e"):
        play(home, "a", "b", without=("c", "d"), **asked)


@pytest.mark.slow
def test_a_duel_goes_on_without_a_bot_of_its_field(tmp_path):
    """Its later deals are planned without it; the end does not depend on the order of blocks."""
    home = ladders.a_home(tmp_path / "home", {name: {} for name in "abcde"})
    asked = {"game": ("stella",), "seats": (4,), "games": 80}
    for _ in range(2):
        with pytest.raises(RunStopped):
            play(home, "a", "b", **asked, new=True, tell=stop_after(20))
    for executor in (HERE.open_executor, shuffled):
        play(home, "a", "b", executor, without=("c",), **asked)
    assert ["d1", "d2"] == [*unrated_stores(home.results)]
    for name, store in unrated_stores(home.results).items():
        (run,) = store.runs()
        (left,) = run.settings.without
        rows = store.matches(["block", "seats.bot"]).to_pylist()
        assert all("c" not in [s["bot"] for s in row["seats"]] for row in rows if row["block"] >= left.since)
        assert 80 == len(rows), name
        later = [s["bot"] for row in rows for s in row["seats"] if row["block"] >= left.since]
        assert later.count("a") == later.count("b") == len(later) // 4
        assert abs(later.count("d") - later.count("e")) <= 4
    assert 0 == run_here("home", "verify", "--home", home.path, "-j", "1").code
    with pytest.raises(RunStopped):
        play(home, "a", "b", seed=8, **asked, tell=stop_after(20))
    for name in "fg":
        ladders.enlist(home, name, {})  # a new duel could have them
    with pytest.raises(UsageProblem, match=r"the field is too small without c@\w+, d@"):
        play(home, "a", "b", seed=8, without=("c", "d"), **asked)


# -- whom it is between


def a_folder(path, name, game):
    """Return a folder with a bot that was not submitted."""
    folder = path / name
    folder.mkdir()
    (folder / "bot.py").write_text(ladders.PLAYER)
    manifest = f'name = "{name}"\nrun = ["{{python}}", "-S", "bot.py"]\ngames = ["{game}"]\n'
    (folder / "bot.toml").write_text(manifest)
    return folder


@pytest.mark.process
def test_a_path_that_duels_is_kept_as_a_version_that_is_never_active(home, tmp_path):
    folder = a_folder(tmp_path, "newcomer", "stellar")
    active = {bot.id for bot in home.roster.active()}
    one = play(home, str(folder), "first", games=8)
    two = play(home, str(folder), "last", games=8)
    assert "newcomer" == one.run.bots[0]["name"]
    assert one.run.bots[0] == two.run.bots[0]
    assert active == {bot.id for bot in home.roster.active()}
    (kept,) = home.roster.versions_of("newcomer")
    assert kept.retired
    assert 0 == run_here("replay", "d1/0", "--home", home.path).code


@pytest.mark.process
def test_a_bot_that_has_dueled_is_submitted_as_if_it_had_not(home, tmp_path):
    folder = a_folder(tmp_path, "newcomer", "stellar")
    one = play(home, str(folder), "first", games=4)
    version = submit(home, folder)
    assert one.run.bots[0]["version"] == version.version
    assert "newcomer" in [bot.bot for bot in home.roster.active()]
    assert [str(folder)] == home.roster.origins()["newcomer"]
    (folder / "bot.py").write_text(ladders.PLAYER + "# better\n")
    assert 2 == submit(home, folder).number
    assert version.version == play(home, "newcomer@1", "newcomer", games=4).run.bots[0]["version"]


@pytest.mark.process
def test_a_path_with_the_name_of_a_bot_takes_nothing_from_it_and_gives_no_right_to_it(home, tmp_path):
    folder = a_folder(tmp_path, "first", "stellar")
    old = home.roster.find("first")
    played = play(home, str(folder), "first", games=8)
    assert ["first", "first"] == [bot["name"] for bot in played.run.bots]
    assert old == home.roster.find("first")
    assert old.id in [bot.id for bot in home.roster.active()]
    with pytest.raises(UsageProblem, match="there is a bot 'first' already"):
        submit(home, folder)


@pytest.mark.parametrize(
    ("asked", "problem", "what"),
    [
        ({"new_bot": "first", "old_bot": "first"}, UsageProblem, r"first@\w+ is named twice"),
        ({"new_bot": "first", "old_bot": "first@1"}, UsageProblem, r"first@\w+ is named twice"),
        ({"old_bot": "nobody"}, NotFound, "there is no bot 'nobody'"),
        ({"game": ("chess",)}, UsageProblem, "there is no game 'chess'"),
        (
            {"game": ("stellar",), "seats": (4,)},
            UsageProblem,
            "stellar is for 2 seats, not for 4",
        ),
        ({"game": ("stella",), "seats": (6,)}, UsageProblem, "stella needs 6 bots, but those that play"),
        ({"game": ("stella",), "field": ("first",)}, UsageProblem, r"first@\w+ is named twice"),
        (
            {"game": ("stella",), "seats": (4,), "field": ("last",)},
            UsageProblem,
            "stella needs 4 bots, but those that play it are: first, mixed, last",
        ),
        ({"seats": (5,)}, UsageProblem, "there is no game that both play at tables of 5"),
        (
            {"terms": ("adjusted",), "game": ("stella",)},
            UsageProblem,
            "tell the luck of .* and stella cannot",
        ),
        ({"terms": ("adjusted",), "seats": (4,)}, UsageProblem, "--terms adjusted is for tables of two"),
    ],
)
def test_a_duel_that_cannot_be_played_is_refused_in_a_clear_line_and_leaves_nothing(
    home, asked, problem, what
):
    with pytest.raises(problem, match=what) as refused:
        play(home, **asked)
    assert refused.value.hint
    assert {} == unrated_stores(home.results)


def test_a_duel_is_at_sizes_that_both_play(home):
    make_unfit(home.roster, "first", "stella-quest/2")
    make_unfit(home.roster, "last", "stella-quest/3")

    def sizes(**asked):
        request = DuelRequest(new_bot="first", old_bot="last", games=4, **asked)
        contests = plan_duel(home, request, lambda *_: None).settings.contests
        return {(contest.game, contest.seats) for contest in contests}

    assert {("stella-quest", 4)} == sizes(game=["stella-quest"], field=["plain", "mixed"])
    with pytest.raises(UsageProblem, match=r"first@\w+ plays stella-quest at tables of 3, 4, not of 2"):
        sizes(game=["stella-quest"], seats=[2])
    make_unfit(home.roster, "mixed", "stella-quest/4")
    with pytest.raises(UsageProblem, match=r"stella-quest needs 4 bots, .* are: first, last, plain"):
        sizes(game=["stella-quest"], field=["plain", "mixed"])


def test_a_bot_that_does_not_play_the_game_is_named(home, tmp_path):
    folder = a_folder(tmp_path, "only", "stella")
    with pytest.raises(UsageProblem, match=r"only@\w+ does not play stellar"):
        play(home, str(folder), "first", game=("stellar",))
    with pytest.raises(UsageProblem, match=r"there is no game that both play: only@.* plays stella; first@"):
        play(home, str(folder), "first")


def test_the_field_is_that_of_the_nearest_bots_by_rating(tmp_path):
    bots = {
        name: {"style": style} for name, style in zip("abcdefg", ["first", "last", *[""] * 5], strict=True)
    }
    home = ladders.a_home(tmp_path / "home", bots, ladders.STELLAR.replace("stellar", "stella"))
    planned = begun(home, "a", "b", seats=(4,))
    assert ["a", "b", "c", "d", "e", "f"] == [bot["name"] for bot in planned.bots]
    ladders.play(home, matches=24, seats=(3,), bots=("a", "b", "e", "f", "g"), schedule="round-robin")
    rating = {bot: float.fromhex(mu) for (bot, _), (_, mu, _) in ladders.ratings(home.path).items()}
    nearest = sorted("efg", key=lambda bot: abs(rating[bot] - rating["a"]) + abs(rating[bot] - rating["b"]))
    assert ["a", "b", *nearest[:2]] == [bot["name"] for bot in begun(home, "a", "b", seats=(3,)).bots]
    named = begun(home, "a", "b", seats=(4,), field=("c", "d", "g"))
    assert ["a", "b", "c", "d", "g"] == [bot["name"] for bot in named.bots]


# -- the commands


@pytest.fixture
def dueled(home):
    play(home, games=8)
    return home


def test_a_match_of_a_duel_is_called_by_its_store(dueled):
    at = ("--home", dueled.path)
    shown = run_here("replay", "d1/3", *at)
    assert (0, "match d1/3: stellar, block 1, rotation 1") == (shown.code, shown.out.splitlines()[1])
    assert '"run": "d1"' in run_here("replay", "d1/3", "--json", *at).out
    assert "match d1/7:" in run_here("replay", "d1/last", *at).out
    told = unrated_store(dueled.results, "d1").matches().to_pylist()[5]["seats"][0]["name"]
    assert "match d1/5:" in run_here("replay", told, *at).out
    listed = json.loads(run_here("matches", "--in", "d1", "--format", "json", *at).out)
    assert [f"d1/{number}" for number in range(7, -1, -1)] == [row["match"] for row in listed]


def test_duels_and_unrated_runs_are_listed(dueled):
    at = ("--home", dueled.path)
    play(dueled, "first@1", "last", games=8, game=("stellar",))
    listed = run_here("duel", *at)
    assert (0, ["d2", "d1"]) == (listed.code, [line[:2] for line in listed.out.splitlines()[2:]])
    assert "first - mixed" in listed.out
    assert [] == wide_lines(listed.out.splitlines(), 80)
    assert "ladder duel" in listed.err
    newest, oldest = json.loads(run_here("duel", "--format", "json", *at).out)
    found = [newest[key] for key in ("duel", "kind", "game", "seats", "finished", "matches")]
    assert ["d2", "duel", "stellar", 2, True, 8] == found
    assert "undecided" == oldest["verdict"]
    assert oldest["low"] <= oldest["mean"] <= oldest["high"]


def test_the_answer_of_a_duel_is_shown_again(dueled):
    answer = run_here("duel", "d1", "--home", dueled.path)
    assert 0 == answer.code
    assert answer.out.startswith("undecided at stellar: ")
    line, _, heading, _, details = answer.out.splitlines()
    assert "lost of 8; to tell 51.5 from 50 takes" in line
    assert ["game", "deals", "sure", "%"] == heading.split()[:4]
    assert ["stellar", "4", "95"] == details.split()[:3]
    missing = run_here("duel", "d7", "--home", dueled.path)
    assert (3, True) == (missing.code, "which lists them: d1" in missing.err)


def test_the_shell_completes_duels_and_their_matches(dueled):
    context = SimpleNamespace(params={"home": dueled.path})
    assert ["d1"] == [*complete_duels(context)]
    assert ["d1/7", "d1/6"] == complete_matches(context, "d1/")[:2]
    assert ["d1/3"] == complete_matches(context, "d1/3")
    assert [] == complete_matches(context, "d2/")


@pytest.mark.parametrize("command", [("matches", "--in", "d7"), ("faults", "--in", "x"), ("replay", "d7/0")])
def test_a_duel_that_is_not_there_is_refused(dueled, command):
    result = run_here(*command, "--home", dueled.path)
    assert 3 == result.code
    assert "there is no duel, no tournament and no unrated run" in result.err
    assert "which lists them: d1" in result.err


def test_the_faults_of_a_duel_name_its_matches(failing):
    played = play(failing, "cheat", "good", games=4)
    assert {"illegal": 4} == played.duel.results()[0].faults[0]
    told = run_here("faults", "--in", "d1", "--home", failing.path)
    assert "of match d1/3, seat" in told.out
    assert "replay" in told.out
    assert "d1/3" in told.out
    assert "no matches yet" in run_here("faults", "--home", failing.path).err


def test_the_digest_of_a_duel_is_its_own_and_not_part_of_that_of_the_ladder(dueled):
    at = ("--home", dueled.path)
    empty = run_here("home", "digest", *at).out
    assert digests(dueled)["d1"] == run_here("home", "digest", "--in", "d1", *at).out.strip()
    play(dueled, games=8, seed=9)
    assert empty == run_here("home", "digest", *at).out
    assert 2 == len({*digests(dueled).values()})


def test_verify_checks_duels_and_names_what_is_wrong(dueled):
    at = ("--home", dueled.path, "-j", "1")
    sound = run_here("home", "verify", *at)
    assert 0 == sound.code, sound.err
    assert "8" in sound.out
    (segment,) = (dueled.results / "unrated" / "d1" / "matches").iterdir()
    data = bytearray(segment.read_bytes())
    data[len(data) // 2] ^= 1
    segment.write_bytes(bytes(data))
    damaged = run_here("home", "verify", *at)
    assert 4 == damaged.code
    assert f"wrong: unrated/d1/matches/{segment.name}:" in damaged.out


def test_a_folder_that_was_only_made_harms_nothing(home):
    """A process was killed before its duel was stored."""
    make_unrated(home.results)
    at = ("--home", home.path)
    listed = run_here("duel", *at)
    assert (0, True) == (listed.code, "no duels and no unrated runs yet" in listed.err)
    assert 0 == run_here("home", "verify", *at).code
    assert 0 == run_here("matches", "--in", "d1", *at).code
    play(home, games=4)
    assert ["d1", "d2"] == [*unrated_stores(home.results)]


# -- less luck


@pytest.fixture
def quick(monkeypatch):
    """Make estimates of luck quick, and therefore rough."""
    monkeypatch.setattr(draws, "SAMPLES", 1)


def lucks(home, name):
    store = unrated_store(home.results, name)
    return store.contents().matches(["luck"]).column("luck").to_pylist()


@pytest.mark.usefixtures("quick")
def test_an_adjusted_duel_counts_with_luck_until_it_has_learnt_what_share_to_take(home):
    played = play(home, "mixed", "plain", terms=("adjusted",), games=80)
    tally = played.duel.results()[0].tally
    assert ("learnt", 40) == (played.run.settings.duel.luck, tally.blocks)
    first, *_ = tally.lots()
    assert (1.0, True) == (first.bound, sum(count for _, count in first.rows) >= 32)
    assert len(lucks(home, "d1")) == 80
    play(home, games=4)
    assert [None] * 4 == lucks(home, "d2"), "it was not asked for"


@pytest.mark.usefixtures("quick", "rule_of_before")
def test_an_adjusted_duel_of_before_keeps_the_luck_of_each_match_and_counts_less_all_of_it(home):
    played = play(home, terms=("adjusted",), games=32)
    found = lucks(home, "d1")
    assert 15 == played.run.settings.duel.most_luck
    assert 32 == len(found)
    assert 5 < len({*found})
    assert max(map(abs, found)) <= 15
    tally = played.duel.results()[0].tally
    matches = unrated_store(home.results, "d1").contents().blocks(played.run.run)
    new = played.run.bots[0]["name"]
    sums = [sum(m.luck if m.seats[0].bot == new else -m.luck for m in block.matches) for block in matches]
    assert sum(sums) / 10 / 32 == pytest.approx(tally.matches.score - tally.mean)
    assert 0 == run_here("home", "verify", "--home", home.path, "-j", "1").code


@pytest.mark.usefixtures("quick")
def test_verify_knows_luck_as_it_was_computed_before_equal_cards_were_told_apart(home, monkeypatch):
    with monkeypatch.context() as then:
        then.setattr(Stellar, "luck", Stellar.luck_before)
        play(home, terms=("adjusted",), games=8)
    verified = run_here("home", "verify", "--home", home.path, "-j", "1")
    assert (0, "") == (verified.code, verified.err)


@pytest.mark.usefixtures("quick")
def test_verify_names_luck_that_does_not_follow(home, monkeypatch):
    play(home, terms=("adjusted",), games=4)
    monkeypatch.setattr(draws, "SAMPLES", 2)
    verified = run_here("home", "verify", "--home", home.path, "-j", "1")
    assert 4 == verified.code
    assert "its luck is stored as" in verified.out


@pytest.mark.slow
@pytest.mark.usefixtures("quick")
def test_an_adjusted_duel_ends_alike_in_any_order_and_stopped_and_continued(home):
    play(home, "mixed", "plain", terms=("adjusted",))
    play(home, "mixed", "plain", shuffled, terms=("adjusted",), new=True)
    with pytest.raises(RunStopped):
        play(home, "mixed", "plain", terms=("adjusted",), new=True, tell=stop_after(40))
    with pytest.raises(UsageProblem, match="duel d3 is this duel with --terms adjusted, and is not finished"):
        play(home, "mixed", "plain")
    play(home, "mixed", "plain", terms=("adjusted",))
    assert ["d1", "d2", "d3"] == [*digests(home)]
    assert 1 == len({*digests(home).values()})
    assert lucks(home, "d1") == lucks(home, "d3")


@pytest.mark.slow
def test_the_command_ends_alike_with_any_number_of_workers_killed_and_continued(home):
    expected = play(home)
    command = ("duel", "first", "mixed", "--seed", SEED, "--games", 2 * DEALS, "--home", home.path, "-j")
    ends = [run_apart(*command, jobs, cwd=home.path) for jobs in ("1", "2", "7")]
    killed = [sys.executable, "-m", "ladder", *map(str, command), "2"]
    streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "env": ENVIRONMENT}
    with process_group(killed, **streams) as process:
        journal = home.results / "unrated" / "d5" / "journal"
        ladders.wait_until(lambda: sum(f.stat().st_size for f in journal.glob("*.log")) >= 40_000, process)
    assert unrated_store(home.results, "d5").unfinished_run()
    ends.append(run_apart(*command, "1", cwd=home.path))
    code = {"better": 0, "worse": 5, "not apart": 6, "undecided": 6}[verdict_of(expected.duel.results())]
    assert [code] * 4 == [end.code for end in ends], ends[0].err
    assert 1 == len({end.out for end in ends})
    assert 1 == len({*digests(home).values()})
    assert 5 == len(digests(home))


@pytest.mark.parametrize(
    ("new", "old", "code", "said_first"),
    [
        (
            "first",
            "last",
            0,
            "first is better than last at stellar: wins 97 of 100 (64 to 100), Elo +597; 31",
        ),
        ("last", "first", 5, "last is worse than first at stellar: wins 3 of 100 (0 to 36), Elo -597; 1 won"),
        ("mixed", "plain", 6, "undecided at stellar: mixed wins 44 of 100 (22 to 67), Elo -44; 14 won, 0 "),
    ],
)
def test_the_exit_code_and_the_answer_say_who_is_better(home, monkeypatch, new, old, code, said_first):
    play_commands_here(monkeypatch)
    done = run_here("duel", new, old, "--home", home.path, "--games", "32", "--seed", "1")
    assert code == done.code, done.err
    assert done.out.startswith(said_first)
    assert 1 == len(done.out.splitlines())
    assert "ladder duel d1" in done.err


def test_an_unrated_run_is_kept_replayed_and_does_not_count(home, monkeypatch):
    play_commands_here(monkeypatch)
    command = ("run", "--games", "20", "--seed", "1", "--unrated", "--home", home.path)
    done = run_here(*command)
    assert 0 == done.code, done.err
    assert "run d1: 20 of 20 matches" in done.err
    assert "these matches do not count" in done.err
    assert "bots could know the cards of stellar in run d1" in done.err
    assert () == Store(home.results).runs()
    assert 0 == run_here("replay", "d1/19", "--home", home.path).code
    assert 0 == run_here(*command).code
    assert ["d1", "d2"] == [*unrated_stores(home.results)]
    assert 1 == len({*digests(home).values()})


def test_a_path_that_is_refused_is_so_before_house_bots_take_part(home, tmp_path):
    home.roster.expect(["greedy"])
    (tmp_path / "broken.py").write_text("1 / 0")
    joined = []

    def take_path(at, path):
        if at.coming is None:  # not only to check
            raise RefusedBot("it fails", "correct it")
        return home.roster.find("plain")

    request = DuelRequest(new_bot=str(tmp_path / "broken.py"), old_bot="greedy", game="stellar")
    means = Means(open_executor=HERE.open_executor)
    admission = SimpleNamespace(let_in=lambda *said: joined.append(said))
    duel = AskedDuel(request, take_path)
    with pytest.raises(RefusedBot, match="it fails"):
        session.play(nullcontext(home), duel, means, admission, lambda event: None)
    assert [] == joined


def test_a_duel_of_a_bot_whose_service_is_down_is_not_judged_and_goes_on_later(home):
    def is_down(setup):
        return nullcontext(
            ScriptedTables(setup, fault=lambda bot, match: "transport" if match == 6 else None)
        )

    with pytest.raises(TooBusy, match=r"@\w+ is not judged: ") as caught:
        play(home, "first", "mixed", is_down)
    assert 8 == caught.value.exit_code
    assert "machine" == whose(caught.value)
    assert unrated_store(home.results, "d1").unfinished_run()
    play(home, "first", "mixed", lambda setup: nullcontext(ScriptedTables(setup)))
    assert ["d1"] == [*unrated_stores(home.results)]
    assert unrated_store(home.results, "d1").unfinished_run() is None


def test_a_duel_of_a_bot_for_which_nobody_is_there_is_not_judged(home):
    def is_absent(setup):
        gone = (setup.bots[0].id,)
        return nullcontext(
            ScriptedTables(setup, delay=lambda play: Unplayed(play.block, ABSENT, absent=gone))
        )

    with pytest.raises(TooBusy, match=rf"@\w+ is not judged: {ABSENT}") as caught:
        play(home, "first", "mixed", is_absent)
    assert (8, "type the same command when it is back") == (caught.value.exit_code, caught.value.hint)
    play(home, "first", "mixed", lambda setup: nullcontext(ScriptedTables(setup)))
    assert unrated_store(home.results, "d1").unfinished_run() is None
