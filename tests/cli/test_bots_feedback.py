"""`ladder bots feedback`: one bot on stdout, all bots as files."""

import shutil

import msgspec
import pytest
from support import ladders
from support.bot_threads import in_threads
from support.command_line import check_refused, run_here
from support.rated_homes import rate
from support.records import a_fault, a_lone_match, a_seat
from support.stores import stored

from ladder.home.home import open_home

pytestmark = pytest.mark.usefixtures("threads")


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """Return a home with two bots, one of which has a second version that has not played."""
    folder = tmp_path_factory.mktemp("feedback")
    home = ladders.a_home(folder / "home", {"ann": {"style": "first"}, "bob": {}})
    with in_threads():
        ladders.play(home, matches=4)
    ladders.enlist(home, "ann", {"style": "last"})
    return home


def make_house_bots(home, *names):
    for name in names:
        home.roster.rewrite(msgspec.structs.replace(home.roster.find(name), house=True))


def test_feedback_goes_to_stdout(played):
    result = run_here("bots", "feedback", "greedy", "--home", played.home)
    assert (0, "") == (result.code, result.err)
    assert result.out.startswith("<!-- ladder bots feedback -->\n\n# `greedy@1`\n")
    for heading in (
        "## `stellar`",
        "### Against each opponent, a draw as half a win",
        "### Use of the limits",
        "## Faults",
    ):
        assert f"\n{heading}\n" in result.out
    assert str(played.home) not in result.out


def test_a_name_means_the_newest_version_that_has_played(home):
    text = run_here("bots", "feedback", "ann", "--home", home.path).out
    assert "# `ann@1`\n" in text
    assert "There is a newer version, `ann@2`, which has not played yet.\n" in text
    named = run_here("bots", "feedback", "ann@2", "--home", home.path).out
    assert "# `ann@2`\n" in named
    assert "## `stellar`" not in named


def test_all_writes_a_file_for_each_submitted_bot_and_none_for_house_bots(tmp_path, played, home):
    home = open_home(shutil.copytree(home.path, tmp_path / "home"))
    shutil.copytree(played.home / "bots" / "greedy", home.path / "bots" / "greedy")
    make_house_bots(home, "greedy")
    folder = tmp_path / "a" / "feedback"
    for _ in range(2):  # its own files may be written again
        result = run_here("bots", "feedback", "--all", folder, "--home", home.path)
        assert (0, "") == (result.code, result.out)
        assert f"wrote feedback for 2 bots: {folder}\n" in result.err
        assert ["ann.md", "bob.md"] == sorted(path.name for path in folder.iterdir())
    for name in ("ann", "bob"):
        assert (
            run_here("bots", "feedback", name, "--home", home.path).out == (folder / f"{name}.md").read_text()
        )


def test_if_one_file_is_not_ours_none_is_written(tmp_path, home):
    folder = tmp_path / "feedback"
    folder.mkdir()
    (folder / "bob.md").write_text("my notes on bob")
    said = run_here("bots", "feedback", "--all", folder, "--home", home.path)
    check_refused(said, 2, f"'{folder}/bob.md' exists, and this command did not write it")
    said = run_here("bots", "feedback", "--all", folder / "bob.md", "--home", home.path)
    check_refused(said, 2, f"'{folder}/bob.md' is not a folder")
    assert ["bob.md"] == [path.name for path in folder.iterdir()]
    assert "my notes on bob" == (folder / "bob.md").read_text()


def test_a_home_without_submitted_bots_says_how_to_submit_one(tmp_path, played):
    shutil.copytree(played.home, tmp_path / "home")
    shutil.rmtree(tmp_path / "home" / "bots" / "stumbler")
    make_house_bots(open_home(tmp_path / "home"), "greedy", "random")
    result = run_here("bots", "feedback", "--all", tmp_path / "x", "--home", tmp_path / "home")
    assert (0, "") == (result.code, result.out)
    assert "no feedback: no bot was submitted\n  next: ladder submit PATH\n" in result.err
    assert not (tmp_path / "x").exists()


def test_the_trace_of_a_crash_names_no_path_of_this_machine(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", "/home/operator")
    home = ladders.a_home(tmp_path / "home", {"ann": {}})
    ann = home.roster.find("ann")
    trace = f'File "{ann.folder}/player.py", line 6; {home.path}/x; /home/operator/y'
    fault = a_fault(bot="ann", version=ann.version, kind="crash", stderr=trace)
    seats = [a_seat("ann", 2, version=ann.version), a_seat("bob", 1)]
    stored(home.results, a_lone_match(0, fault, seats=seats))
    text = run_here("bots", "feedback", "ann", "--home", home.path).out
    assert 'File "player.py", line 6; ' in text
    assert str(tmp_path) not in text
    assert "operator" not in text


def test_a_season_has_its_own_matches(tmp_path, home):
    folder = shutil.copytree(home.path, tmp_path / "home")
    assert 0 == run_here("home", "season", "spring", "--home", folder).code
    now = run_here("bots", "feedback", "bob", "--home", folder).out
    assert "It has not played in season `spring` yet." in now
    assert "## `stellar`" not in now
    then = run_here("bots", "feedback", "bob", "--season", "first", "--home", folder).out
    before = run_here("bots", "feedback", "bob", "--home", home.path).out
    assert before.partition("### Against")[2] == then.partition("### Against")[2] != ""
    assert "against" in run_here("bots", "bob", "--season", "first", "--home", folder).out


@pytest.mark.parametrize("command", ["bots bob@1", "bots feedback bob", "bots bob --history"])
def test_a_bot_that_played_in_another_season_is_said_to_have_played_there(tmp_path, home, command):
    folder = shutil.copytree(home.path, tmp_path / "home")
    assert 0 == run_here("home", "season", "spring", "--home", folder).code
    assert 0 == run_here("bots", "ban", "bob", "--why", "it cheats", "--home", folder).code
    told = run_here(*command.split(), "--home", folder).err
    assert " has not played in season spring yet\n" in told
    assert f"  next: ladder {command} --season first\n" in told
    assert " run" not in told.replace(str(tmp_path), "")
    rate(folder, [("cid", "cid-1"), ("dan", "dan-1")], 1)
    assert 0 == run_here("home", "season", "autumn", "--home", folder).code
    then = run_here(*command.split(), "--season", "spring", "--home", folder).err
    assert " has not played in season spring\n" in then
    assert f"  next: ladder {command} --season first\n" in then
