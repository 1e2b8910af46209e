"""Where games come from: this package, and packages that offer some by entry points."""

import os
import re
import subprocess
import sys

import pytest
from support.command_line import ENVIRONMENT, run_apart
from support.live import a_home
from support.places import ROOT

from engines import GAMES, GameNotLoaded
from engines.games import BUILT_IN, Games, load_game
from ladder.games.rating_defaults import rating_defaults
from ladder.run import stored_run
from results.rating.parameters import Parameters

DUELLING = """
from engines.stellar import Stellar

class Duel(Stellar):
    name = "duel"
    beta = 8.0
"""
"""A package with a game."""


def offer(folder, package="duelling", game="duel", target="duelling:Duel", code=DUELLING):
    """Install a package that offers a game, as an installer leaves it."""
    information = folder / f"{package}-1.2.dist-info"
    information.mkdir(parents=True)
    (information / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.2\n")
    (information / "entry_points.txt").write_text(f"[ladder.games]\n{game} = {target}\n")
    (folder / f"{package}.py").write_text(code)


@pytest.fixture
def packages(tmp_path, monkeypatch):
    """Return a folder in which Python finds packages."""
    monkeypatch.syspath_prepend(str(tmp_path / "packages"))
    yield tmp_path / "packages"
    for name in ("duelling", "other"):
        sys.modules.pop(name, None)


def test_the_games_of_a_package_come_after_the_built_in_ones(packages):
    offer(packages)
    games = Games()
    assert [*BUILT_IN, "duel"] == list(games)
    assert 5 == len(games)
    assert "duel" in games
    assert "Duel" == type(games["duel"]).__name__
    assert games["duel"] is games["duel"]
    assert ("duelling 1.2", "", "") == (games.package("duel"), games.package("stellar"), games.package("no"))


def test_an_unknown_game_is_a_missing_key(packages):
    games = Games()
    assert "no such game" not in games
    with pytest.raises(KeyError):
        games["no such game"]


def test_a_game_that_cannot_be_imported_is_left_out_and_names_its_package_where_it_is_asked_for(packages):
    offer(packages, code="import a_module_that_nobody_has")
    games = Games()
    assert [*BUILT_IN] == list(games) == [game.name for game in games.values()]
    assert len(BUILT_IN) == len(games)
    assert "'duel' of duelling 1.2 cannot be loaded: ModuleNotFoundError" in games.broken["duel"]
    assert "duel" in games
    with pytest.raises(
        GameNotLoaded, match=r"'duel' of duelling 1\.2 cannot be loaded: ModuleNotFound"
    ) as error:
        games["duel"]
    assert "pip uninstall duelling" in error.value.hint
    assert 1 == error.value.exit_code


@pytest.mark.process
def test_a_package_that_does_not_work_stops_only_what_needs_its_game(packages, tmp_path):
    offer(packages, code="import a_module_that_nobody_has")
    env = ENVIRONMENT | {"PYTHONPATH": os.pathsep.join([str(ROOT), str(packages)])}
    assert 0 == run_apart("games", "stellar", cwd=tmp_path, env=env).code
    duel = run_apart("games", "duel", cwd=tmp_path, env=env)
    assert 1 == duel.code
    assert duel.err.strip().endswith("remove it: pip uninstall duelling")


@pytest.mark.slow
def test_a_package_that_cannot_be_imported_is_warned_of_and_other_games_are_played(packages, tmp_path):
    offer(packages, code="raise OSError('no \\x1b[31mdisk\\u202e')")
    env = ENVIRONMENT | {"PYTHONPATH": os.pathsep.join([str(ROOT), str(packages)])}
    home = a_home(tmp_path / "home").path
    for command in (["run", "--games", "8"], ["games"], ["home", "verify"]):
        done = run_apart(*command, cwd=home, env=env)
        assert 0 == done.code, done.err
        assert "\x1b" not in done.err
        assert "\u202e" not in done.err
        told = "warning: the game 'duel' of duelling 1.2 cannot be loaded: OSError: no \\x1b[31mdisk\\u202e"
        assert told in " ".join(done.err.split())
        if command == ["home", "verify"]:
            assert re.search(r"^matches +\d+ +0$", done.out, re.MULTILINE)


@pytest.mark.slow
@pytest.mark.parametrize("where", ["deal", "begin"])
def test_a_game_that_raises_in_a_match_ends_the_run_and_is_named(packages, tmp_path, where):
    raising = f"    def {where}(self, *a, **k): raise RuntimeError('no \\x1b[31m rules')\n"
    offer(packages, code=DUELLING + raising)
    env = ENVIRONMENT | {"PYTHONPATH": os.pathsep.join([str(ROOT), str(packages)])}
    home = a_home(tmp_path / "home").path
    done = run_apart("run", "--game", "duel", "--games", "8", cwd=home, env=env)
    assert 1 == done.code
    told = " ".join(done.err.split())
    assert "the game 'duel' of duelling 1.2 has failed in a match: RuntimeError: no \\x1b[31m rules" in told
    assert "pip uninstall duelling" in told
    assert "to blame" not in told
    assert "\x1b" not in done.err


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("Duel = 5", "TypeError: expected a game, but duelling:Duel has no name, version"),
        ("", "AttributeError"),
        (DUELLING.replace('"duel"', '"fight"'), "expected a game with the name 'duel', got: 'fight'"),
        (DUELLING + "    def __init__(self): raise OSError('no disk')", "OSError: no disk"),
        (DUELLING + "    summary = None", "this has a wrong type: summary"),
        (DUELLING.replace("8.0", "'8'") + "    seats = 2", "this has a wrong type: seats, beta"),
    ],
)
def test_a_package_that_offers_no_such_game_is_named(packages, code, why):
    offer(packages, code=code)
    with pytest.raises(GameNotLoaded, match=why):
        Games()["duel"]


def test_two_packages_that_offer_the_same_game_are_both_named(packages):
    offer(packages)
    offer(packages, package="other", target="other:Duel")
    games = Games()
    assert "duel" in games
    with pytest.raises(GameNotLoaded, match=r"duelling 1\.2 and other 1\.2"):
        games["duel"]


def test_a_package_cannot_replace_a_built_in_game(packages):
    offer(packages, game="stellar")
    games = Games()
    assert [*BUILT_IN] == list(games)
    assert "engines.stellar" == type(games["stellar"]).__module__
    assert ["the game 'stellar' of duelling 1.2 is ignored: the ladder has that game"] == games.ignored


@pytest.mark.process
def test_a_bot_pays_only_for_the_game_that_it_asks_for():
    code = """
import engines
wanted = ("importlib.metadata", "engines.stellar", "engines.stella")
before = [name for name in wanted if name in sys.modules]
engines.GAMES["stellar"]
print(before, "stella" in engines.GAMES, [name for name in wanted if name in sys.modules])
"""
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r}){code}"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "[] True ['engines.stellar']" == done.stdout.strip()


def test_a_game_is_found_by_its_place():
    assert "stellar" == load_game("engines.stellar:Stellar").name
    with pytest.raises(ValueError, match=r"expected module:Class, got: 'engines\.stellar'"):
        load_game("engines.stellar")


def test_the_built_in_games_stand_under_their_names():
    assert all(name == GAMES[name].name for name in BUILT_IN)


def test_the_ratings_of_a_game_rest_on_what_it_declares(packages, monkeypatch):
    offer(packages)
    monkeypatch.setattr("ladder.games.rating_defaults.GAMES", Games())
    assert {
        "stellar": Parameters(25 / 6, {0: 0.022}),
        "duel": Parameters(8.0, {0: 0.022}),
    } == rating_defaults(["stellar", "duel"])
    draws = {
        "stella-quest": {2: 0.0005, 3: 0.07, 4: 0.07},
        "starry-sky": {0: 0.055},
        "stellar": {0: 0.022},
        "stella": {0: 0.11},
    }
    found = rating_defaults()
    assert draws == {name: found[name].draw_probability for name in BUILT_IN}


def test_a_run_says_from_which_package_a_game_came(packages, monkeypatch):
    offer(packages)
    monkeypatch.setattr(stored_run, "GAMES", Games())
    versions = stored_run._versions(["duel", "stellar", "gone"])
    assert ("1", "duelling 1.2") == (versions["game duel"], versions["package of duel"])
    assert "1" == versions["game stellar"]
    assert {"package of stellar", "game gone", "game stella"}.isdisjoint(versions)
