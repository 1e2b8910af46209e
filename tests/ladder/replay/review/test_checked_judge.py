"""Judges that raise, or say what cannot be: each costs its match one clear line, and nothing is stored."""

import json
import shutil
from math import inf, nan
from pathlib import Path

import pytest
from support import ladders
from support.command_line import run_here

import ladder
from engines import GAMES
from engines.judge import Prospects

GAME = "stella-quest"


class SoundJudge:
    """Knows nothing, and says so; each test makes one thing of it unsound."""

    name = "unknowing-1"
    worlds = 2
    width = 2

    def prospects(self, position, rng):
        return Prospects([0.5, 0.5], [1.0, 0])

    def promising(self, position):
        return position.options()

    def answer(self, position, rng):
        return position.options()[0]

    def redraw(self, position, rng):
        return position.copy()


@pytest.fixture(scope="module")
def played_once(tmp_path_factory):
    settings = f'[run]\ngames = ["{GAME}"]\nseats = [2]\n[sandbox]\ntier = "none"\n'
    home = ladders.a_home(tmp_path_factory.mktemp("judged") / "home", {"a": {}, "b": {}}, settings)
    ladders.play(home, matches=2)
    return home.path


@pytest.fixture
def home(played_once, tmp_path):
    return Path(shutil.copytree(played_once, tmp_path / "home"))


def use_judge(monkeypatch, judge):
    monkeypatch.setattr(type(GAMES[GAME]), "judge", lambda self, seats, options=(): judge)


def raise_error(*_):
    raise RuntimeError("no idea")


NONSENSE = "expected results from 0 to 1 and points for each of 2 seats, got"
CASES = {
    "it raises": ("prospects", raise_error, "RuntimeError: no idea"),
    "nan": ("prospects", lambda *_: Prospects([nan, nan], [0.0, 0.0]), NONSENSE),
    "points without end": ("prospects", lambda *_: Prospects([0.5, 0.5], [inf, 0.0]), NONSENSE),
    "beyond 1": ("prospects", lambda *_: Prospects([1.5, -0.5], [0.0, 0.0]), NONSENSE),
    "too few": ("prospects", lambda *_: Prospects([1.0], [0.0]), NONSENSE),
    "too many": ("prospects", lambda *_: Prospects([0.5, 0.5, 0.5], [0.0, 0.0]), NONSENSE),
    "texts": ("prospects", lambda *_: Prospects(["much", "little"], [0.0, 0.0]), NONSENSE),
    "nothing": ("prospects", lambda *_: None, NONSENSE),
    "no option": ("promising", lambda *_: [], "expected some of the options that are offered, got []"),
    "foreign options": ("promising", lambda *_: [10**6], "expected some of the options that are offered"),
    "one option": ("promising", lambda *_: 3, "expected some of the options that are offered, got 3"),
    "the position itself": ("redraw", lambda _, position, rng: position, "expected a copy that is drawn"),
    "no position": ("redraw", lambda *_: None, "expected a copy that is drawn again, got None"),
    "hope without end": ("optimism", lambda *_: inf, "expected log odds as optimism, got inf"),
    "hope in words": ("optimism", lambda *_: "much", "expected log odds as optimism, got 'much'"),
    "no redraw": ("redraw", None, "expected a method redraw, without which there is no account"),
    "replies in words": ("replies", "yes", "expected replies to be True or False, got 'yes'"),
    "another unit": ("tells", "coins", "expected tells as points or result, got 'coins'"),
    "one redraw": ("redraws", 1, "expected redraws of at least 2, got 1"),
    "no worlds": ("worlds", 0, "expected worlds of at least 1, got 0"),
    "worlds in words": ("worlds", "many", "expected worlds of at least 1, got 'many'"),
    "no width": ("width", 1, "expected width of at least 2, got 1"),
    "a name of two lines": ("name", "a\nb", "expected a name of one line, got 'a\\nb'"),
}


@pytest.mark.parametrize("case", CASES)
def test_a_judge_that_fails_is_named_with_what_it_said(home, monkeypatch, case):
    what, wrong, said = CASES[case]
    use_judge(monkeypatch, type("Judge", (SoundJudge,), {what: wrong})())
    told = run_here("review", "last", "--home", home)
    assert (1, "") == (told.code, told.out)
    assert f"ladder: the judge of {GAME} failed: {said}" in told.err
    assert "  next: " in told.err
    assert "Traceback" not in told.err
    many = run_here("review", "--bot", "a", "--full", "-j", "1", "--home", home)
    assert 0 == many.code
    assert f"left out: the judge of {GAME} failed: {said}" in many.err
    assert 0 == len(ladder.open_home(home).reviews())


def test_a_game_that_cannot_say_which_judge_it_has_stops_no_review(home, monkeypatch):
    monkeypatch.setattr(type(GAMES[GAME]), "judge", raise_error)
    told = run_here("review", "last", "--home", home)
    assert f"the judge of {GAME} failed: RuntimeError: no idea" in told.err
    assert 0 == run_here("replay", "last", "--html", home / "page.html", "--home", home).code


@pytest.mark.parametrize("kind_of", [raise_error, lambda *_: None, lambda *_: " "])
def test_a_game_that_cannot_name_a_kind_of_decision_loses_no_review(home, monkeypatch, kind_of):
    use_judge(monkeypatch, SoundJudge())
    monkeypatch.setattr(type(GAMES[GAME]), "kind_of", kind_of)
    told = run_here("review", "last", "--json", "--home", home)
    assert (0, "") == (told.code, told.err)
    assert {None} == {row["decision_kind"] for row in json.loads(told.out)}


def test_a_sound_judge_is_believed(home, monkeypatch):
    use_judge(monkeypatch, SoundJudge())
    told = run_here("review", "last", "--json", "--home", home)
    assert (0, "") == (told.code, told.err)
    assert {"unknowing-1"} == {row["judge"] for row in json.loads(told.out)}
    assert {0.5} == {row["chance_seen"] for row in json.loads(told.out)[:-2]}
