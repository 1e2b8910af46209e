"""House bots come into every new home, and go out and in again; nobody else's bot is touched by that."""

import json

import msgspec
import pytest
from support import ladders
from support.command_line import check_refused, run_here
from support.places import ROOT
from support.submitting import submit

from engines import GAMES
from engines.games import BUILT_IN
from ladder.admission.house import add
from ladder.errors import NotFound, TooBusy, UsageProblem
from ladder.home import house_bots as house
from ladder.home.home import SEARCH, create_home, first_house_bots, house_bots, open_home
from ladder.registry.bot_manifest import read_manifest
from ladder.registry.snapshot import identity_in
from ladder.run.request import AskedRun
from ladder.run.run_options import RunRequest

pytestmark = pytest.mark.usefixtures("threads")

Heard = list[str]


@pytest.fixture
def known(tmp_path, monkeypatch):
    """Have three house bots that play Stellar: one of them needs a program that is missing."""
    folder = tmp_path / "house"
    folder.mkdir()
    (folder / "player.py").write_text(ladders.PLAYER)
    runs = {
        "ann": '"{python}", "-S", "player.py"',
        "bob": '"{python}", "-S", "player.py"',
        "sick": '"no-such"',
    }
    for name, run in runs.items():
        text = f'name = "{name}"\nrun = [{run}]\nauthor = "ladder"\ngames = ["stellar"]\n'
        (folder / f"{name}.toml").write_text(text)
    manifests = {name: folder / f"{name}.toml" for name in runs}
    monkeypatch.setattr(house, "house_bots", lambda: manifests)
    monkeypatch.setattr(house, "first_house_bots", lambda: [*manifests])
    return manifests


@pytest.fixture
def home(tmp_path, known):
    create_home(tmp_path / "home", known)
    (tmp_path / "home" / "ladder.toml").write_text(ladders.STELLAR)
    return open_home(tmp_path / "home")


def playing(home):
    return [version.bot for version in home.roster.active()]


def all_in(home):
    heard: Heard = []
    add(home, house.pending(home), heard.append)
    return heard


def test_a_new_home_expects_them_and_they_come_in_once(home):
    assert ["ann", "bob", "sick"] == house.pending(home)
    heard = all_in(home)
    assert "added 2 house bots: ann, bob" == heard[-1]
    assert heard[0].startswith(
        "skipping bundled bot sick: sick: the program 'no-such' is not on this machine"
    )
    assert ["ann", "bob"] == playing(home)
    assert [] == house.pending(home), "a bot that was skipped is not tried again at every run"


def test_a_run_of_some_bots_brings_in_those_alone(home):
    found = AskedRun(RunRequest(bots=("bob@1", "ann"))).look(house.expecting(home, house.pending(home)))
    assert ["ann", "bob"] == found.coming(home)
    add(home, ["bob"], lambda text: None)
    assert ["bob"] == playing(home)


# -- those that the tests of the release have tried


@pytest.fixture
def played(monkeypatch):
    """Return what bots would play against themselves from now on: bot, game, whether one match only."""
    found: list[tuple[str, str, bool]] = []

    def play_itself(home, version, games, *_, one_match=False):
        found.extend((version.bot, game, one_match) for game in games)
        return {}

    monkeypatch.setattr("ladder.admission.submit.play_itself", play_itself)
    return found


def version_of(file):
    return identity_in(file.parent, read_manifest(file, GAMES))


@pytest.fixture
def tried(known, monkeypatch):
    """Let the first house bot be as it was tried, and the second another than that."""
    versions = {"ann": version_of(known["ann"]), "bob": version_of(known["ann"])}
    monkeypatch.setattr(house, "tried_versions", lambda: versions)


def test_a_house_bot_that_was_tried_for_the_release_comes_in_at_once(home, tried, played):
    all_in(home)
    assert [("bob", "stellar", False)] == played
    assert ["ann", "bob"] == playing(home)


@pytest.mark.parametrize(
    "settings", ["[limits]\nmove_ms = 5\n", "[games.stellar.options]\nface_down_number = 'three'\n"]
)
def test_it_is_tried_where_it_is_held_to_something_else(home, tried, played, settings):
    (home.path / "ladder.toml").write_text(ladders.STELLAR + settings)
    all_in(open_home(home.path))
    assert ("ann", "stellar", False) in played


def test_it_is_tried_at_games_that_came_with_another_package(home, tried, played, monkeypatch):
    monkeypatch.delitem(BUILT_IN, "stellar")
    all_in(home)
    assert ("ann", "stellar", False) in played


def test_if_a_program_of_the_machine_runs_it_one_match_shows_that_it_starts(home, known, played, monkeypatch):
    known["ann"].write_text('name = "ann"\nrun = ["cat"]\nauthor = "ladder"\ngames = ["stellar", "stella"]\n')
    monkeypatch.setattr(house, "tried_versions", lambda: {"ann": version_of(known["ann"])})
    add(home, ["ann"], lambda text: None)
    assert [("ann", "stellar", True)] == played


def test_a_copy_that_somebody_submits_is_tried(home, known, tried, played):
    home.roster.expect([])
    submit(home, known["ann"])
    assert [("ann", "stellar", False)] == played


@pytest.mark.parametrize("name", first_house_bots())
def test_each_house_bot_is_as_it_was_tried(name):
    what = "tests/README.md, House bots, says how to try it and write that down"
    assert version_of(house_bots()[name]) == house.tried_versions().get(name), what


# -- in, out, and in again


def test_bots_that_search_come_when_they_are_named_and_not_into_a_new_home(tmp_path):
    searching = {name for name in house_bots() if name.startswith(SEARCH)}
    assert {"search", "search-deep", "search-light"} == searching == {*house_bots()} - {*first_house_bots()}
    home = create_home(tmp_path / "home")
    assert {*first_house_bots()} == {*house.pending(home)}
    house.check_names(searching)


def test_if_none_can_come_in_they_are_expected_again(home):
    home.roster.expect(["sick"])
    all_in(home)
    assert ["sick"] == house.pending(home)


@pytest.mark.process
def test_those_that_are_out_stay_with_all_that_they_played_and_come_in_again(home):
    all_in(home)
    ladders.play(home, jobs=1, matches=4)
    before = ladders.rows(home.path)
    (ann,) = (version for version in home.roster.versions() if version.bot == "ann")
    assert ["ann"] == house.remove(home, ["ann"])
    assert ["bob"] == playing(home)
    assert ann.id == home.roster.find("ann").id, "it still plays where it is named"
    assert before == ladders.rows(home.path)
    assert [] == house.remove(home, ["ann"])
    heard: Heard = []
    assert [ann.id] == [version.id for version in add(home, ["ann"], heard.append)]
    assert ["ann", "bob"] == playing(home)
    assert 1 == home.roster.find("ann").number


def test_those_that_are_kept_out_before_the_first_run_never_come(home):
    assert ["bob", "sick"] == house.remove(home, ["bob", "sick"])
    assert ["ann"] == house.pending(home)
    house.remove(home, ["ann"])
    assert [] == house.pending(home)
    assert [] == playing(home)


def test_a_bot_of_yours_with_the_name_of_one_is_left_alone(home, known):
    """Also if it is a copy that still names the ladder as its author."""
    mine = submit(home, known["ann"])
    assert [] == house.remove(home, ["ann"])
    home.roster.expect(known)
    heard = all_in(home)
    assert "skipping bundled bot ann: there is another bot of that name" == heard[0]
    assert mine == home.roster.find("ann")
    assert ["bob"] == house.remove(home, ["ann", "bob"])
    assert ["ann"] == playing(home)
    assert [] == house.pending(home)


def test_nobody_takes_over_the_name_of_a_house_bot_unawares(home, known):
    all_in(home)
    known["ann"].with_name("player.py").write_text(ladders.PLAYER + "#")
    with pytest.raises(UsageProblem, match="'ann' is a house bot"):
        submit(home, known["ann"])
    house.remove(home, ["ann"])
    with pytest.raises(UsageProblem, match="'ann' is a house bot"):
        submit(home, known["ann"])
    assert 2 == submit(home, known["ann"], replace=True).number
    assert not home.roster.find("ann").of_house


def test_the_name_of_a_house_bot_is_not_free_whether_it_comes_or_not(home, tmp_path):
    (tmp_path / "bob.py").write_text(ladders.PLAYER)
    for _ in ("to come", "removed"):
        with pytest.raises(
            UsageProblem, match="'bob' is a house bot, and this bot did not come with"
        ) as error:
            submit(home, tmp_path / "bob.py", checks="none")
        assert error.value.hint.startswith("use another name: --name NAME; or add --replace")
        house.remove(home, ["bob"])
    submit(home, tmp_path / "bob.py", checks="none", replace=True)  # as an old home may have one
    assert "bob" == submit(home, tmp_path / "bob.py", checks="none").bot


def test_a_house_bot_of_a_later_ladder_is_its_next_version(home, known):
    all_in(home)
    known["ann"].with_name("player.py").write_text(ladders.PLAYER + "#")
    (version,) = add(home, ["ann"], lambda text: None)
    assert (2, True) == (version.number, version.of_house)
    assert version == home.roster.find("ann")


def as_it_was(home):
    """Make *home* one of an older ladder."""
    (home.roster.path / ".coming").unlink()
    for file in home.roster.path.glob("*/*/version.json"):
        record = json.loads(file.read_text())
        del record["house"], record["retired"]
        file.write_text(msgspec.json.encode(record).decode())


def test_an_older_home_gets_them_only_if_it_is_empty(home, known):
    as_it_was(home)
    assert list(known) == house.pending(home)
    ladders.enlist(home, "mine", {})
    assert [] == house.pending(home)


def test_in_an_older_home_house_bots_are_known_by_their_author(home):
    all_in(home)
    ladders.enlist(home, "mine", {})
    as_it_was(home)
    assert ["ann", "bob"] == house.remove(home, ["ann", "bob", "sick"])
    assert ["mine"] == playing(home)


def test_a_name_that_no_house_bot_has_is_refused(known):
    with pytest.raises(NotFound, match=r"there is no house bot 'anne' \(did you mean 'ann'\?\)"):
        house.check_names(["anne"])


# -- the commands


def test_a_home_that_begins_with_init_or_submit_expects_all_house_bots(tmp_path):
    run_here("init", tmp_path / "one")
    done = run_here("submit", ROOT / "bots/random", "--name", "mine", "--home", tmp_path / "two")
    assert 0 == done.code, done.err
    assert "its first run adds the house bots\n" in done.err
    for name in ("one", "two"):
        assert first_house_bots() == open_home(tmp_path / name).roster.expected_house_bots()
        listed = run_here("bots", "--home", tmp_path / name)
        assert f"the next run adds the house bots: {', '.join(first_house_bots())}\n" in listed.err
        assert "ladder bots house remove, which keeps them out" in listed.err


def test_a_run_that_cannot_be_is_refused_before_the_house_bots_are_tried(tmp_path):
    home = create_home(tmp_path / "home", first_house_bots())
    refused = run_here("run", "greedy", "--home", home.path)
    check_refused(refused, 2, "stella-quest needs 2 bots, but those that play it are: greedy")
    assert "house bot" not in refused.err.replace("let the house bots play", "")
    assert first_house_bots() == home.roster.expected_house_bots()


@pytest.mark.parametrize(
    ("here", "named", "code", "said"),
    [
        ([], ["greedy", "random"], 3, "there is no bot 'greedy'\n  next: ladder bots house add greedy\n"),
        ([], [], 2, "no bot plays it\n  next: submit one: ladder submit PATH; or let the house bots play: "),
        (
            ["ann", "bob"],
            ["ann"],
            2,
            "are: ann\n  next: submit one: ladder submit PATH; or let the house bots play: ",
        ),
    ],
)
def test_a_run_without_its_bots_says_how_to_get_them(tmp_path, here, named, code, said):
    home = ladders.a_home(tmp_path / "home", {name: {} for name in here})
    home.roster.expect([])
    check_refused(run_here("run", *named, "--home", home.path), code, said)


@pytest.mark.slow
def test_one_command_takes_them_out_and_brings_them_in(tmp_path):
    home = create_home(tmp_path / "home", house_bots())
    gone = run_here("house", "remove", "--home", home.path)
    assert (0, "") == gone[:2]
    assert f"house bots that no longer play: {', '.join(house_bots())}\n" in gone.err
    assert "nothing has changed" in run_here("house", "remove", "random", "--home", home.path).err
    done = run_here("house", "add", "random", "--home", home.path)
    assert 0 == done.code, done.err
    assert "added 1 house bot: random\nhouse bots that play: 1 of 1\n" in done.err
    assert ["random"] == playing(home)
    check_refused(run_here("house", "eject", "--home", home.path), 2)
    check_refused(run_here("house", "add", "--home", tmp_path / "nowhere"), 2)


@pytest.mark.parametrize("error", [TooBusy("late"), MemoryError(), KeyError("of the ladder")])
def test_a_house_bot_that_the_machine_keeps_out_is_let_in_later(home, monkeypatch, error):
    def fail(*_, **__):
        raise error

    monkeypatch.setattr("ladder.admission.house.submit", fail)
    with pytest.raises(type(error)):
        add(home, ["ann"], print)
    assert "ann" in home.roster.expected_house_bots()
