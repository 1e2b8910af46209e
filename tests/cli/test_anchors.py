"""What commands say of an anchor in ladder.toml that does nothing, or does not count yet."""

import pytest
from msgspec.structs import replace
from support import ladders
from support.command_line import run_here
from support.here import play_commands_here

from ladder.home.home import open_home
from results.storage.store import Store

pytestmark = pytest.mark.usefixtures("threads")

VOID = "shifts no rating: "
OTHER = "write ann@1 there, or another bot that plays stellar"
ONCE = ("leaderboard", "leaderboard --show notes", "home rate", "run --games 4")


@pytest.fixture
def home(tmp_path, monkeypatch):
    """Return a home in which `ann` and `bob` have met; `cid`, `dan` and `eve` have met no bot."""
    play_commands_here(monkeypatch)
    home = ladders.a_home(tmp_path / "home", {name: {} for name in ("ann", "bob", "cid", "dan", "eve")})
    assert 0 == run_here("run", "ann", "bob", "--games", "12", "--seed", "1", "--home", home.path).code
    home.roster.rewrite(replace(home.roster.find("dan"), unfit=("stellar",)))
    home.roster.retire([home.roster.find("eve")])
    return home


def anchored(home, line):
    """Write *line* into the table of stellar's ratings."""
    (home.path / "ladder.toml").write_text(f"{ladders.STELLAR}[ratings.stellar]\n{line}\n")
    return open_home(home.path)


def said(home, command="leaderboard"):
    """Return what *command* says of anchors, with what to type, in one line each."""
    answer = run_here(*command.split(), "--home", home.path)
    assert 0 == answer.code, answer.err
    assert "WARNING" not in answer.err
    found = answer.err.replace("\n  next: ", " -> ").splitlines()
    return [note for note in found if any(of in note for of in ("the anchor ", "next run"))]


@pytest.mark.parametrize(
    ("wanted", "what", "hint"),
    [
        ("nosuch@1", VOID + "there is no bot 'nosuch'", OTHER),
        ("bobb@1", VOID + "there is no bot 'bobb' (did you mean 'bob'?)", OTHER),
        ("ann@7", VOID + "ann has no version '7'", OTHER),
        ("", VOID + "there is no bot ''", OTHER),
        ("dan@1", VOID + "it does not play stellar", OTHER),
        ("cid@1", VOID + "it has met no bot in stellar", "ladder run cid@1 ann@1 --game stellar"),
        (
            "eve@1",
            VOID + "it is retired and has met no bot in stellar",
            "ladder run eve@1 ann@1 --game stellar",
        ),
        ("bob", "names no version: with a new one of it all ratings move", "write bob@1 there"),
        ("cid", "names no version: with a new one of it all ratings move", "write cid@1 there"),
    ],
)
def test_what_is_wrong_with_an_anchor_is_said_with_what_to_type(home, wanted, what, hint):
    home = anchored(home, f'anchor = "{wanted}"')
    assert [f"the anchor of stellar in ladder.toml, {wanted or repr(wanted)}, {what} -> {hint}"] == said(home)


@pytest.mark.parametrize("command", ONCE)
def test_each_command_that_shows_or_stores_ratings_says_it_once(home, command):
    home = anchored(home, 'anchor = "nosuch@1"')
    told = f"the anchor of stellar in ladder.toml, nosuch@1, {VOID}there is no bot 'nosuch' -> write "
    (found,) = said(home, command)
    assert found.startswith(told)


def test_a_retired_or_banned_anchor_that_has_met_others_is_said(home):
    home = anchored(home, 'anchor = "bob@1"')
    assert [] == said(home, "run ann bob --games 4")
    home.roster.retire([home.roster.find("bob")])
    told = "the anchor of stellar in ladder.toml, bob@1, is {}: it meets no bot that comes from now on -> {}"
    assert [told.format("retired", "ladder bots activate bob@1")] == said(home)
    assert 0 == run_here("bots", "ban", "bob", "--why", "it cheats", "--home", home.path).code
    assert [told.format("banned", OTHER)] == said(home)
    home = anchored(home, 'anchor = "eve@1"')
    assert 0 == run_here("bots", "ban", "eve", "--why", "it cheats", "--home", home.path).code
    told = (
        f"{VOID}it is banned and has not played stellar; until the next run the ratings rest on bob@1 at 25"
    )
    assert [f"the anchor of stellar in ladder.toml, eve@1, {told} -> {OTHER}"] == said(home)


def test_a_renamed_anchor_is_said_under_its_new_name(home):
    home = anchored(home, 'anchor = "bob@1"')
    assert 0 == run_here("bots", "rename", "bob", "zoe", "--home", home.path).code
    told = (
        f"the anchor of stellar in ladder.toml, bob@1, {VOID}'bob' is called 'zoe' now -> write zoe@1 there"
    )
    assert [told] == said(home)


def test_an_anchor_counts_from_the_next_run_on(home):
    """Neither `leaderboard` nor `home rate` moves ratings that rest on what the last run began with."""
    assert [] == said(home)
    home = anchored(home, 'anchor = "bob@1"\nanchor_rating = 12.5')
    told = "bob@1 at 12.5, the anchor of stellar in ladder.toml, counts from the next run on; until then the"
    before = Store(home.results).folder.ratings.read_bytes()
    for command in ("leaderboard", "home rate"):
        assert [f"{told} ratings rest on no anchor -> ladder run --game stellar"] == said(home, command)
    assert before == Store(home.results).folder.ratings.read_bytes()
    assert [] == said(home, "run ann bob --games 4")
    assert [] == said(home)
    home = anchored(home, 'anchor = "bob@1"')
    told = told.replace("12.5", "25")
    assert [f"{told} ratings rest on bob@1 at 12.5 -> ladder run --game stellar"] == said(home)
    home = anchored(home, "")
    told = (
        "the ratings of stellar rest on the anchor bob@1 at 12.5 until the next run: ladder.toml has none now"
    )
    assert [f"{told} -> ladder run --game stellar"] == said(home)
    assert [] == said(home, "run ann bob --games 4")


def test_nothing_is_said_where_the_ratings_are_others(home):
    home = anchored(home, 'anchor = "nosuch@1"')
    assert [] == said(home, "leaderboard --seats 2")
    assert [] == said(home, "leaderboard --show pairs")
    assert [] == said(home, "home rate --engine fold")
    assert [] == said(home, "run ann bob --games 4 --unrated")


def test_programs_are_told_as_well(home):
    home = anchored(home, 'anchor = "nosuch@1"')
    assert 1 == len(said(home, "leaderboard --format json"))
    assert 1 == len(said(home, "run --games 4 --format json"))
