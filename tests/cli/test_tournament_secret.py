"""Secret tournaments: no command tells a result before it is revealed."""

import json
import re
from hashlib import sha256
from inspect import signature
from itertools import takewhile
from shutil import copytree

import pyarrow.parquet as pq
import pytest
from support import ladders
from support.bot_threads import in_threads
from support.command_line import check_refused, run_here
from support.ladders import FOUR

import ladder
from ladder.cli.commands import COMMANDS, load_command
from ladder.run.tournament.revealing import reveal_tournament
from ladder.run.tournament.stored_tournaments import find_tournament, shown_event
from ladder.run.tournament_schedule import rounds_of
from ladder.web.serve.play_page import newest_played
from results.errors import SecretMatches
from results.storage.store import Store
from results.storage.unrated import contents_with, unrated_stores

pytestmark = pytest.mark.usefixtures("threads")
NEW = ("tournament", "new", "prize", "--game", "stellar", "--blocks", "1", "--seed", "5")
STAGES = ("--stages", "swiss:2+knockout:4")
SECRET = "tournament prize is secret until it is revealed"
NAMED = "d1/0"
"""The first match of the tournament, where a command is asked for it by name."""
TOLD = "TOLD"
"""Stands for what its bots were told that it is called."""
SAME = (
    ("leaderboard",),
    ("leaderboard", "--format", "json"),
    ("matches",),
    ("matches", "--format", "json"),
    ("matches", "--bot", "first"),
    ("matrix",),
    ("bots", "first", "--history"),
    ("faults",),
    ("bots",),
    ("bots", "--format", "json"),
    ("bots", "first"),
    ("bots", "feedback", "first"),
    ("bots", "diff", "first", "last"),
    ("leaderboard", "--show", "judges"),
    ("duel",),
    ("duel", "--format", "json"),
    ("home", "digest"),
    ("home", "rate"),
    ("export", "{folder}/all.csv"),
    ("export", "{folder}/all.parquet", "--per", "decision", "--jobs", "1"),
    ("tournament", "prize"),
    ("tournament", "prize", "--format", "json"),
    ("tournament", "prize", "--rounds", "--format", "csv"),
    ("site", "{folder}/site"),
)
"""Commands that print the same before and after it is played."""
REFUSED = (
    ("matches", "--in", "d1"),
    ("matches", "--in", "d1", "--format", "json"),
    ("matches", "--in", "prize"),
    ("replay", "prize/0"),
    ("faults", "--in", "d1"),
    ("export", "{folder}/d1.csv", "--in", "d1"),
    ("export", "{folder}/d1.parquet", "--in", "d1", "--per", "decision"),
    ("duel", "d1"),
    ("replay", NAMED),
    ("replay", NAMED, "--json"),
    ("replay", NAMED, "--html", "-"),
    ("replay", "d1/last"),
    ("replay", TOLD),
    ("review", NAMED),
    ("review", TOLD),
    ("bots", "ask", "first", NAMED, "0"),
    ("bots", "ask", "first", TOLD, "0"),
    ("bots", "diff", "first", "last", "--in", "d1"),
)
"""Commands that are asked for its matches."""
APART = {
    **dict.fromkeys(("tournament", "home verify", "home digest"), "a test of its own"),
    **dict.fromkeys(("home", "home archive", "home restore"), "it counts matches and files"),
    **dict.fromkeys(
        ("new", "check", "games", "doctor", "bench", "selftest", "people"),
        "it reads none",
    ),
    "try": "it plays a duel, and prints that",
    "home season": "it lists seasons",
}
"""Commands that are in neither table, with the reason."""


def at(home, arguments, told=""):
    """Return *arguments* for *home*, without what stands for something else."""
    words = [word.format(folder=home.path.parent).replace(TOLD, told) for word in arguments]
    return [*words, "--home", home.path]


def typed(home, *arguments):
    """Return what a command says that succeeds."""
    said = run_here(*at(home, arguments))
    assert 0 == said.code, said.err
    return said


def answers(home):
    """Return what each command of SAME prints on stdout, and the site."""
    said = {}
    for arguments in SAME:
        found = run_here(*at(home, arguments))
        assert found.code in (0, 3), found.err
        said[arguments] = found.out.partition(" files, ")[0]
    site = home.path.parent / "site"
    return said | {str(path.relative_to(site)): path.read_text() for path in site.rglob("*.html")}


@pytest.fixture(scope="module")
def before_and_home(tmp_path_factory):
    """Return what is said before it is played, and the home in which it was then played."""
    home = ladders.a_home(tmp_path_factory.mktemp("secret") / "home")
    with in_threads():
        typed(home, "run", "--games", "8", "--seed", "3")
        typed(home, *NEW, *STAGES, "--hidden")
        before = answers(home)
        return before, home, typed(home, "tournament", "run", "prize")


@pytest.fixture(scope="module")
def home(before_and_home):
    return before_and_home[1]


def test_no_command_says_anything_else_after_it_was_played(before_and_home):
    before, home, _ = before_and_home
    assert before == answers(home)


def test_playing_it_tells_no_result(before_and_home):
    _, home, ran = before_and_home
    assert ran.out == run_here(*at(home, ("tournament", "prize"))).out
    assert "prize is over, and secret" in ran.err
    assert "ladder tournament reveal" in ran.err
    assert not any(f"{bot} " in ran.err for bot in FOUR)


@pytest.mark.parametrize("arguments", REFUSED, ids=" ".join)
def test_its_matches_are_refused_by_every_name(home, arguments):
    told = told_name(home)
    check_refused(run_here(*at(home, arguments, told)), 3, SECRET, "ladder tournament reveal prize")


def test_an_export_of_decisions_counts_them_and_has_none(home):
    path = home.path.parent / "all.parquet"
    told = typed(home, "export", str(path), "--per", "decision", "--jobs", "1")
    secret = len(found(home).contents.matches(["number"]))
    assert f"left out: {secret} matches (secret)\n" in told.err
    assert {1} == {*pq.read_table(str(path))["run"].to_pylist()}
    assert 8 == len({*pq.read_table(str(path))["number"].to_pylist()})


def told_name(home):
    """Return what the bots were told that the first match is called."""
    seats = found(home).contents.match(1, 0).seats
    return seats[0].name


def found(home):
    return find_tournament(home.results, "prize")


def test_every_command_that_prints_matches_is_in_a_table():
    prints = {
        name
        for name in COMMANDS
        if {"match", "within", "format", "season"} & {*signature(load_command(name)).parameters}
    }
    tables = {" ".join(takewhile(str.isalpha, words)) for words in (*SAME, *REFUSED)}
    found = {name for name in prints if any(f"{table} ".startswith(f"{name} ") for table in tables)}
    assert [] == sorted(prints - found - APART.keys())


def test_the_list_says_that_it_is_secret(home):
    (row,) = json.loads(run_here(*at(home, ("tournament", "--format", "json"))).out)
    assert ("over, secret", None, None) == (row["state"], row["winner"], row["matches"])
    assert (None, found(home).run.secret_hash) == (row["secret"], row["secret_sha256"])


def test_python_finds_none_of_its_matches(home):
    assert 8 == ladder.open_home(home.path).matches().num_rows
    assert {} == unrated_stores(home.results)
    assert [] == newest_played(home)
    for name in (NAMED, told_name(home)):
        with pytest.raises(SecretMatches, match=SECRET):
            contents_with(home.results, name)


def test_it_is_verified_and_hashed_while_it_is_secret(home):
    said = run_here(*at(home, ("home", "verify", "--format", "json")))
    assert 0 == said.code, said.out
    matches = next(row for row in json.loads(said.out)["checked"] if row["what"] == "matches")
    assert 8 + Store(home.results / "unrated/d1").matches(["number"]).num_rows == matches["checked"]
    assert 0 == run_here(*at(home, ("home", "digest", "--in", "d1"))).code


def test_an_archive_keeps_what_is_shown_and_what_is_not(home, tmp_path):
    assert 0 == run_here("home", "archive", tmp_path / "it.tar.gz", "--home", home.path).code
    assert 0 == run_here("home", "restore", tmp_path / "it.tar.gz", tmp_path / "other").code
    other = ladder.open_home(tmp_path / "other")
    assert found(home).revealed == found(other).revealed
    assert {} == unrated_stores(other.results)
    reveal_tournament(other.results, "prize")
    assert ["d1"] == [*unrated_stores(other.results)]


@pytest.fixture
def copy(home, tmp_path):
    """Return a home with the tournament, to reveal."""
    return ladder.open_home(copytree(home.path, tmp_path / "copy"))


def reveal(home, *arguments):
    return run_here(*at(home, ("tournament", "reveal", "prize", *arguments)))


def test_rounds_are_revealed_one_after_another(copy):
    whole = {each.name: each for each in rounds_of(found(copy).schedule().event)}
    assert ["swiss/1", "swiss/2", "knockout/semifinal", "knockout/final"] == [*whole]
    for name, typed in (("swiss/1", "1"), ("swiss/2", "swiss/2"), ("knockout/semifinal", "semifinal")):
        said = reveal(copy, typed)
        assert 0 == said.code, said.err
        assert f"revealed up to round {name}" in said.err
        shown = {each.name: each for each in rounds_of(shown_event(found(copy)))}
        revealed = found(copy).revealed.rounds
        assert [whole[each] for each in revealed] == [shown[each] for each in revealed]
        assert name == revealed[-1]
        assert not any(table.blocks for each in shown.keys() - {*revealed} for table in shown[each].tables)
        check_refused(run_here(*at(copy, ("replay", NAMED))), 3, SECRET)
    check_refused(reveal(copy, "swiss/1"), 2, "swiss/1 of tournament prize is revealed already, and stays so")
    assert "all is revealed" in reveal(copy, "final").err
    assert shown_event(found(copy)).report() == found(copy).schedule().event.report()
    check_refused(reveal(copy), 2, "all of tournament prize is revealed already")


def test_when_all_is_revealed_its_matches_and_its_secret_are_there(copy):
    assert "all is revealed" in reveal(copy).err
    for arguments in REFUSED[:4]:
        assert 0 == run_here(*at(copy, arguments)).code
    said = run_here(*at(copy, ("tournament", "prize")))
    secret = re.search(r"its secret: ([0-9a-f]{32})", said.err)[1]
    (row,) = json.loads(run_here(*at(copy, ("tournament", "--format", "json"))).out)
    assert (secret, sha256(secret.encode()).hexdigest()) == (row["secret"], row["secret_sha256"])
    assert row["winner"] in FOUR
    told = json.loads(run_here(*at(copy, ("tournament", "prize", "--format", "json"))).out)
    assert (secret, row["secret_sha256"]) == (told["secret"], told["secret_sha256"])


@pytest.mark.parametrize(
    ("arguments", "code", "texts"),
    [
        (["prize", "swiss/3"], 3, ["prize has no round 'swiss/3' so far", "ladder tournament reveal prize"]),
        (["prise"], 3, ["there is no tournament 'prise' (did you mean 'prize'?)"]),
        (["open"], 2, ["tournament open is not secret", "ladder tournament open"]),
        (["later"], 2, ["round swiss/1 of tournament later is still to be played", "tournament run later"]),
        (["later", "swiss/1"], 2, ["swiss/1 of tournament later is still to be played"]),
        (["groups", "1"], 2, ["1 may mean several rounds: groups/a/1, groups/b/1"]),
    ],
)
def test_what_cannot_be_revealed_says_what_to_type(copy, arguments, code, texts):
    more = {"open": (), "later": ("--hidden",), "groups": ("--hidden", "--stages", "groups:2,1")}
    if (name := arguments[0]) in more:
        typed(copy, *[name if word == "prize" else word for word in NEW], *more[name])
    check_refused(run_here(*at(copy, ("tournament", "reveal", *arguments))), code, *texts)


def test_what_two_reveal_at_once_is_all_shown(copy, monkeypatch):
    stale = found(copy)
    assert reveal_tournament(copy.results, "prize").whole
    monkeypatch.setattr("ladder.run.tournament.revealing.find_tournament", lambda *_: stale)
    for each in ("swiss/2", "swiss/1"):
        assert reveal_tournament(copy.results, "prize", each).whole
    assert ("swiss/1", "swiss/2") == found(copy).revealed.rounds


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda path: path.unlink(), "it is missing"),
        (lambda path: path.write_text("{"), "truncated"),
        (lambda path: path.write_text('{"tournament":"cup","whole":true}'), "that of another tournament"),
    ],
    ids=["missing", "damaged", "foreign"],
)
def test_without_its_file_it_is_hidden_and_a_repair_hides_it_again(copy, change, what):
    assert 0 == reveal(copy, "swiss/1").code
    told = told_name(copy)
    change(unrated_stores(copy.results, hidden=True)["d1"].folder.revealed)
    for arguments in (*REFUSED, ("tournament", "prize"), ("tournament", "reveal", "prize")):
        check_refused(run_here(*at(copy, arguments, told)), 4, what, "ladder home verify --repair")
    said = run_here(*at(copy, ("home", "verify")))
    assert 4 == said.code
    assert "d1/revealed.json" in said.out
    said = run_here(*at(copy, ("home", "verify", "--repair")))
    assert "the tournament is secret again" in said.out
    assert () == found(copy).revealed.rounds
    check_refused(run_here(*at(copy, ("replay", NAMED))), 3, SECRET)
