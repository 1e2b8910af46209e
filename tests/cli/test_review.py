"""`ladder review`: what it prints, keeps and refuses."""

import json
import re
import shutil
import time
from pathlib import Path
from threading import Thread

import pytest
from support.bot_threads import in_threads
from support.command_line import run_here

import ladder
from engines import GAMES
from engines.judge import Prospects
from engines.stella_quest.judge import RoundJudge
from ladder.replay.review import match_review, reviewing

pytestmark = pytest.mark.usefixtures("threads")


@pytest.fixture(scope="module")
def played_once(tmp_path_factory):
    """Return a home with two blocks of Stella Quest for two."""
    home = tmp_path_factory.mktemp("reviewed") / "home"
    with in_threads():
        ladder.play(["greedy", "bold"], home=home, game="stella-quest", seats=(2,), games=4, seed=1)
    return home


@pytest.fixture
def home(played_once, tmp_path):
    """Return a copy without reviews."""
    return Path(shutil.copytree(played_once, tmp_path / "home"))


def test_a_review_is_made_in_any_thread(home):
    told = []
    thread = Thread(target=lambda: told.append(run_here("review", "1/1", "--home", home)))
    thread.start()
    thread.join()
    assert [0] == [each.code for each in told], told


def test_a_review_is_made_once_and_then_read(home, monkeypatch):
    page = ("replay", "1/2", "--html", "-", "--home", home)
    assert "<figcaption><b>Chances</b>" not in run_here(*page).out
    first = run_here("review", "1/2", "--home", home)
    assert 0 == first.code
    assert 1 == run_here(*page).out.count("<figcaption><b>Chances</b>")
    assert first.err.endswith("  next: ladder replay 1/2 --html\n")
    assert [] == [line for line in first.out.splitlines() if len(line) > 80]
    assert "Judged by round-1" in first.out
    assert " % a decision, " in first.out
    assert "Losses surely above 3, 6, 12 % are named" in " ".join(first.out.split())
    assert "ladder bots ask " in first.out
    monkeypatch.setattr(RoundJudge, "prospects", None)  # nothing is judged again
    assert first.out == run_here("review", "1/2", "--home", home).out


@pytest.mark.slow
def test_one_seat_is_shown_what_it_knew(home):
    whole = json.loads(run_here("review", "last", "--json", "--home", home).out)
    alone = json.loads(run_here("review", "last", "--seat", "1", "--json", "--home", home).out)
    terms = ("luck", "luck_se", "own", "own_se", "others", "hidden", "given", "rest")
    hidden = dict.fromkeys(("chance_open", "account", *terms))
    assert [row | hidden for row in whole if row["seat"] == 1] == alone
    told = run_here("review", "last", "--seat", "1", "--home", home).out
    assert "luck" not in told
    assert "ladder bots ask" in told
    assert "seat 0" not in told


def test_other_worlds_are_tried_and_not_kept(home):
    told = run_here("review", "1/0", "--worlds", "2", "--home", home)
    assert 0 == told.code
    assert 0 == len(ladder.open_home(home).reviews())


def reviewed_in(home):
    return {*ladder.open_home(home).reviews(["number"]).column("number").to_pylist()}


def test_reviews_by_a_judge_that_no_game_has_any_more_go_with_the_next_one(home, monkeypatch):
    with monkeypatch.context() as before:
        before.setattr(RoundJudge, "name", "round-0")
        run_here("review", "1/0", "--home", home)
    with monkeypatch.context() as broken:  # as long as not all judges are known
        broken.setattr(type(GAMES["stella"]), "judge", None)
        run_here("review", "1/1", "--home", home)
    assert {0, 1} == reviewed_in(home)
    run_here("review", "1/2", "--home", home)
    assert {1, 2} == reviewed_in(home)


def test_a_bot_is_reviewed_over_its_matches(home):
    told = run_here("review", "--bot", "greedy", "--matches", "3", "-j", "1", "--home", home)
    assert 0 == told.code
    assert told.out.startswith("greedy: what its decisions cost\n\nIn 3 reviewed matches: ")
    found = json.loads(run_here("review", "--bot", "greedy", "--worst", "2", "--json", "--home", home).out)
    assert 4 == found["matches"]
    assert 2 == len(found["worst"])
    assert ["blunder", "mistake", "inaccuracy"] == [*found["named"]]
    assert sum(each["decisions"] for each in found["kinds"]) == found["rates"][0]["decisions"]
    assert "\nkind of decision  " in told.out
    rates = next(line for line in told.out.splitlines() if line.startswith("stella-quest, 2 seats"))
    assert "3" == rates.split()[3]
    assert "one decision in 3 was judged in 3 matches\n" in told.err
    assert "--full, which judges all of them" in told.err
    (rate,) = found["rates"]
    assert 4 == rate["matches"] == found["quick"]
    ranks = ladder.open_home(home).matches(["seats.bot", "seats.rank"]).to_pylist()
    won = [min(match["seats"], key=lambda seat: seat["rank"])["bot"] == "greedy" for match in ranks]
    assert sum(won) / 4 == rate["beaten"]
    assert [] == [line for line in told.out.splitlines() if len(line) > 80]
    rows = ladder.open_home(home).reviews(["run", "number", "quick"]).to_pylist()
    assert {(1, 0), (1, 1), (1, 2), (1, 3)} == {(row["run"], row["number"]) for row in rows}
    assert all(row["quick"] for row in rows)


@pytest.mark.slow
def test_verify_makes_reviews_again_and_finds_one_that_is_another(home, monkeypatch):
    run_here("review", "--bot", "greedy", "-j", "1", "--home", home)
    assert (
        "made 2 reviews again: none differ"
        in run_here("home", "verify", "--reviews", "2", "--home", home).err
    )
    prospects = RoundJudge.prospects

    def other(self, position, rng):
        results, points = prospects(self, position, rng)
        return Prospects([*reversed(results)], points)

    monkeypatch.setattr(RoundJudge, "prospects", other)
    told = run_here("home", "verify", "--reviews", "2", "-j", "1", "--home", home)
    assert 4 == told.code
    assert "2 reviews found wrong\n  next: ladder review --drop" in told.err
    monkeypatch.setattr(RoundJudge, "name", "round-0")
    told = run_here("home", "verify", "--reviews", "2", "-j", "1", "--home", home)
    assert 0 == told.code
    assert "made 0 reviews again: none differ\n" in told.err
    assert "since an older ladder estimated otherwise: 2\n" in told.err


def test_a_review_of_an_older_ladder_keeps_its_losses_and_has_no_account_until_it_is_made_again(
    home, monkeypatch
):
    with monkeypatch.context() as before:
        before.setattr(match_review, "ACCOUNT", None)
        run_here("review", "1/0", "--home", home)
    told = run_here("home", "verify", "--reviews", "1", "-j", "1", "--home", home)
    assert 0 == told.code
    assert "made 0 reviews again: none differ\n" in told.err

    def board():
        told = run_here("leaderboard", "--columns", "error,luck", "--format", "json", "--home", home).out
        return [(row["error"] is not None, row["luck"] is not None) for row in json.loads(told)]

    assert [(True, False)] * 2 == board()
    page = run_here("replay", "1/0", "--html", "-", "--home", home).out
    assert " a decision, " in page
    assert "at the start" not in page
    run_here("review", "--bot", "greedy", "--matches", "4", "-j", "1", "--home", home)
    assert (True, False) in board(), "a quick review changes nothing of it"
    assert " at the start + " in " ".join(run_here("review", "1/0", "--home", home).out.split())
    assert [(True, True)] * 2 == board()
    assert "at the start" in run_here("replay", "1/0", "--html", "-", "--home", home).out


def test_where_nothing_may_be_written_a_review_is_shown_and_not_stored(home, monkeypatch):
    def refuse(path):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr("results.storage.reviews.await_briefly", refuse)
    told = run_here("review", "1/0", "--home", home)
    assert 0 == told.code
    assert "Judged by round-1" in told.out
    assert "the review is not stored: this user may write nothing in the home\n" == told.err
    told = run_here("review", "--bot", "greedy", "-j", "1", "--home", home)
    assert 1 == told.code
    assert "  next: run it as a user that may write there" in told.err


@pytest.mark.slow
def test_a_judge_that_never_ends_costs_its_match_and_no_other(home, monkeypatch):
    def hang(self, position, rng):
        while True:
            rng.random()

    monkeypatch.setattr(RoundJudge, "prospects", hang)
    monkeypatch.setattr(reviewing, "MOST_CPU_S", 0.2)
    told = run_here("review", "--bot", "greedy", "--matches", "2", "-j", "1", "--home", home)
    assert 0 == told.code
    assert "left out: a review of this match takes more than 0 s, so it was stopped" in told.err

    monkeypatch.setattr(RoundJudge, "prospects", lambda *given: time.sleep(600))
    monkeypatch.setattr(reviewing, "MOST_CPU_S", 300.0)
    monkeypatch.setattr(reviewing, "MOST_SLEEP_S", 0.5)
    told = run_here("review", "--bot", "greedy", "--matches", "2", "-j", "1", "--home", home)
    assert 0 == told.code
    assert "left out: a review has done nothing for 0 s: it was stopped" in told.err


@pytest.mark.parametrize(
    ("arguments", "wrong"),
    [
        ((), "expected a match, --bot BOT or --drop"),
        (("last", "--bot", "greedy"), "expected a match, --bot BOT or --drop"),
        (("last", "--matches", "3"), "--matches: --matches, --worst, --game and --full need --bot"),
        (("--bot", "greedy", "--seat", "0"), "--seat and --worlds are for one match"),
        (("--drop", "--seat", "0"), "--seat and --worlds are for one match"),
        (("last", "--worlds", "0"), "--worlds"),
        (("last", "--seat", "2"), "seat"),
        (("1/99",), "there is no match '1/99'"),
        (("--bot", "nobody"), "nobody"),
    ],
)
def test_what_makes_no_sense_is_refused_with_a_next_step(home, arguments, wrong):
    told = run_here("review", *arguments, "--home", home)
    assert 0 != told.code
    assert wrong in told.err
    assert "next: " in told.err


def test_feedback_tells_what_decisions_cost_once_they_are_reviewed(home):
    assert "What its decisions cost" not in run_here("bots", "feedback", "greedy", "--home", home).out
    run_here("review", "--bot", "greedy", "--matches", "4", "-j", "1", "--home", home)
    told = run_here("bots", "feedback", "greedy", "--home", home).out
    assert "## What its decisions cost\n\nIn 4 reviewed matches" in told
    assert "ladder bots ask greedy 1/" in told
    assert told.startswith("<!-- ladder bots feedback -->\n\n# `greedy@1`\n\n## What cost most\n\n")
    worst = told[: told.index("## What its decisions cost")]
    assert 5 == worst.count("\n### `stella-quest`: match 1/") == worst.count("ladder bots ask")
    assert 5 == worst.count("```text\nSTELLA QUEST, 2 seats") == worst.count("- played: `")
    for seat, seen in re.findall(r"step \d+, seat (\d).*?You are seat (\d)", worst, re.DOTALL):
        assert seat == seen
    assert "### By kind of decision\n" in told
    assert "| `lead a round` " in told


@pytest.mark.slow
def test_calibration_holds_what_was_expected_against_what_happened(home):
    assert "no match has a whole review" in run_here("leaderboard", "--show", "judges", "--home", home).err
    for match in ("1/0", "1/1"):
        run_here("review", match, "--home", home)
    told = run_here("leaderboard", "--show", "judges", "--home", home).out
    assert told.startswith("stella-quest, 2 seats: round-1 in 2 matches, Brier 0.")
    (found,) = json.loads(run_here("leaderboard", "--show", "judges", "--format", "json", "--home", home).out)
    rows = ladder.open_home(home).reviews(["run", "number", "step", "seat"]).to_pylist()
    assert sum(tenth["chances"] for tenth in found["tenths"]) == len(rows) - 4  # all but the results
    expected = [tenth["expected"] for tenth in found["tenths"]]
    assert sorted(expected) == expected
    assert all(0 <= tenth["happened"] <= 1 for tenth in found["tenths"])
