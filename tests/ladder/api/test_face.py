"""The commands as functions: the rows of the command, and options that are read in one place."""

import csv
import inspect
import io
import json
import pydoc
import shutil
import subprocess
import sys
import textwrap
from importlib.util import find_spec

import msgspec
import pytest
from support import ladders
from support.bot_threads import in_threads
from support.command_line import ENVIRONMENT, run_here
from support.rated_homes import a_replayable_home

import ladder
from ladder.admission.check import FailedChecks
from ladder.errors import LadderError, NotFound, UsageProblem
from ladder.reference import reference_result
from ladder.replay import seat

pytestmark = pytest.mark.usefixtures("threads")
NAMES = {
    *(
        "Bot",
        "LadderError",
        "PlayedRun",
        "check",
        "duel",
        "export",
        "leaderboard",
        "matches",
        "open_home",
        "play",
    ),
    *("reference", "replay", "review", "submit", "tournament", "try_change"),
}
ASKED = {"game": "stellar", "games": 8, "seed": 5}


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """Return a home with a run, a duel and a tournament."""
    made = ladders.a_home(tmp_path_factory.mktemp("face") / "home").path
    with in_threads():
        ladder.play(["mixed", "plain"], home=made, **ASKED)
        ladder.duel("mixed", "plain", home=made, **ASKED)
        of_cup = ("--game", "stellar", "--blocks", "1", "--seed", "5", "--stages", "knockout:2")
        assert 0 == run_here("tournament", "new", "cup", *of_cup, "--home", made).code
        assert 0 == run_here("tournament", "run", "cup", "--home", made).code
    return made


def rows(home, *words):
    """Return what a command prints as JSON."""
    told = run_here(*words, "--format", "json", "--home", home)
    assert told.code in (0, 5, 6), told.err
    return json.loads(told.out)


# -- the face


def test_the_face_is_all_that_the_package_shows():
    assert ladder.__name__  # rooms are loaded by now
    assert {*NAMES, "__version__"} == {*dir(ladder)}
    shown = pydoc.plain(pydoc.render_doc(ladder))
    functions = shown.partition("\nFUNCTIONS\n")[2].partition("\nDATA\n")[0]
    assert {name for name in NAMES if name[0].islower()} == {
        line.strip().partition("(")[0]
        for line in functions.splitlines()
        if line[4:5].islower() and "(" in line
    }
    assert not {"ROOT", "TYPE_CHECKING"} & {*shown.split()}


def test_a_function_with_the_name_of_a_room_stays_one_whatever_is_loaded():
    assert "ladder.replay" in sys.modules
    assert "ladder.reference" in sys.modules
    assert ["replay", "reference"] == [ladder.replay.__name__, ladder.reference.__name__]
    assert inspect.isfunction(ladder.replay)
    assert seat.__name__ == "ladder.replay.seat"
    assert reference_result.__name__ == "ladder.reference.reference_result"


def test_each_function_is_short():
    lines = {name: inspect.getsource(inspect.unwrap(getattr(ladder, name))) for name in NAMES - {"play"}}
    bodies = {
        name: text.rpartition('"""\n')[2].splitlines() for name, text in lines.items() if name[0].islower()
    }
    assert {} == {name: body for name, body in bodies.items() if len(body) > 10}


# -- each function beside its command


@pytest.mark.parametrize("options", [{}, {"bot": "mixed", "lost": True}, {"within": "d1", "top": 3}], ids=str)
def test_matches_are_those_of_the_command(home, options):
    words = [f"--{'in' if name == 'within' else name}" for name in options]
    typed = [each for word, value in zip(words, options.values(), strict=True) for each in (word, str(value))]
    typed = [each for each in typed if each != "True"]
    assert rows(home, "matches", *typed) == ladder.matches(home=home, **options).to_pylist()


@pytest.mark.parametrize(
    ("options", "typed"),
    [
        ({}, ()),
        ({"game": "stellar", "top": "2", "all_versions": True}, ("--top", "2", "--all-versions")),
        (
            {"columns": "rating,clean,cost_usd", "clean": True},
            ("--columns", "rating,clean,cost_usd", "--clean"),
        ),
        ({"limits": "current", "bar": "plain", "seats": 2}, ("--limits", "current", "--pass", "plain")),
    ],
)
def test_a_leaderboard_is_that_of_the_command(home, options, typed):
    assert rows(home, "leaderboard", *typed) == ladder.leaderboard(home=home, **options).to_pylist()


def test_a_replay_is_that_of_the_command_and_a_seat_sees_no_more(home):
    assert (
        rows(home, "replay", "last", "--no-notes") == ladder.replay("last", no_notes=True, home=home).record
    )
    of_seat = ladder.replay("1/0", seat=1, home=home)
    assert rows(home, "replay", "1/0", "--seat", "1") == msgspec.to_builtins(of_seat.record)
    steps, whole = of_seat.steps(), ladder.replay("1/0", home=home).steps()
    assert len(whole) == len(steps)
    assert {1} == {made.seat for step in steps for made in step.decisions}
    assert (1, 2) == (len(steps[0].views), len(whole[0].views))
    assert "deal" not in of_seat.record
    assert "_whole" not in repr(of_seat)


def test_a_review_has_the_rows_of_the_command_and_of_the_home(home, tmp_path):
    copy = shutil.copytree(home, tmp_path / "home")
    made = ladder.review("last", home=copy)
    told = rows(copy, "review", "last")
    assert [row["loss"] for row in told] == made.column("loss").to_pylist()
    assert made.num_rows == ladder.open_home(copy).reviews().num_rows > 0
    of_bot = ladder.review(bot="mixed", matches=2, jobs=1, home=copy)
    assert {"mixed"} == {*of_bot.column("bot").to_pylist()}
    assert 2 == len({*of_bot.column("number").to_pylist()})
    with pytest.raises(NotFound, match="has no seat 7"):
        ladder.review("last", seat=7, home=copy)
    no_judge = a_replayable_home(tmp_path / "stella", "stella", 3, matches=1).path
    with pytest.raises(ladder.LadderError, match="the game has no judge at a table of 3"):
        ladder.review("last", home=no_judge)
    assert "the game has no judge at a table of 3" in run_here("review", "last", "--home", no_judge).err


def test_an_export_writes_the_file_of_the_command(home, tmp_path):
    files = tmp_path / "python.csv", tmp_path / "typed.csv"
    done = ladder.export(files[0], home=home)
    assert 0 == run_here("export", files[1], "--home", home).code
    assert files[0].read_bytes() == files[1].read_bytes()
    assert (files[0], 16) == (done.path, done.rows)
    decisions = ladder.export(tmp_path / "made.parquet", per="decision", jobs=1, home=home)
    assert decisions.rows == ladder.export(decisions.path, check=True, jobs=1, home=home).rows > 0


def test_a_tournament_is_that_of_the_command(home):
    cup = ladder.tournament("cup", home=home)
    assert rows(home, "tournament", "cup") == json.loads(json.dumps(cup.details))
    assert rows(home, "tournament", "cup")["standing"] == cup.standing.to_pylist()
    typed = run_here("tournament", "cup", "--rounds", "--format", "csv", "--home", home).out
    assert [row["bot"] for row in csv.DictReader(io.StringIO(typed))] == cup.tables.column("bot").to_pylist()


def test_a_duel_is_that_of_the_command_also_when_it_is_asked_for_again(home):
    told = rows(home, "duel", "d1")
    again = ladder.duel("mixed", "plain", home=home, **ASKED)
    assert told == [row | {"duel": "d1", "started": told[0]["started"]} for row in again.contests.to_pylist()]
    assert {"verdict", "contests", "duel", "new"} <= again.details.keys()
    typed = run_here(
        "duel", "mixed", "plain", "--new", "--game", "stellar", "-g", "8", "--seed", "5", "--home", home
    )
    assert typed.code == again.exit_code


def test_a_bot_is_submitted_checked_and_tried(tmp_path):
    made, file = ladders.a_home(tmp_path / "home").path, tmp_path / "ann.py"
    file.write_text(ladders.PLAYER)
    said = [ladder.submit(file, home=made, game="stellar", message="the first") for _ in range(2)]
    assert ["new bot", "unchanged"] == [each.result for each in said]
    assert ("ann", 1) == (said[0].bot, said[0].version.number)
    assert "the first" in run_here("bots", "ann", "--home", made).out
    with pytest.raises(UsageProblem, match="nothing has changed since ann@1"):
        ladder.try_change(file, game=["stellar"], games=8, home=made)
    file.write_text(ladders.PLAYER + "# a change\n")
    tried = ladder.try_change(file, game=["stellar"], games="8", message="a note", home=made)
    assert ("undecided", 6) == (tried.verdict, tried.exit_code)
    assert ["a note"] == [row["note"] for row in rows(made, "try")]


@pytest.mark.process
def test_a_check_returns_its_findings_and_raises_where_one_is_a_failure(tmp_path):
    made, file = ladders.a_home(tmp_path / "home").path, tmp_path / "ann.py"
    file.write_text(ladders.PLAYER)
    found = ladder.check(file, game=["stellar"], home=made)
    told = rows(made, "check", file, "--game", "stellar")["findings"]
    assert [each["check"] for each in told] == found.column("check").to_pylist()
    assert ["check", "verdict", "what", "advice"] == found.column_names
    file.write_text("import sys; sys.exit(3)\n")
    with pytest.raises(FailedChecks, match="checks failed") as failed:
        ladder.check(file, game=["stellar"], home=made)
    assert "failure" in [each.verdict for each in failed.value.findings]
    assert f"ladder check {file}" in failed.value.hint


# -- options


@pytest.mark.parametrize(
    ("function", "arguments", "said"),
    [
        ("play", {"gmae": "stellar"}, "play: there is no option 'gmae' (did you mean 'game'?)"),
        ("duel", {"new_bot": "mixed"}, "duel: missing a required argument: 'old_bot'"),
        ("duel", {"new_bot": "a", "old_bot": "b", "games": "ten"}, "games: expected a whole number"),
        ("duel", {"new_bot": "a", "old_bot": "b", "seed": 24 * "x" + "!"}, ""),
        ("duel", {"new_bot": "a", "old_bot": "b", "game": 3}, "game: expected str | Sequence[str], got: 3"),
        ("duel", {"new_bot": "a", "old_bot": "b", "margin": 1, "no_worse": 2}, "--no-worse: each is a"),
        ("duel", {"new_bot": "a", "old_bot": "b", "format": "json"}, "duel: there is no option 'format'"),
        ("leaderboard", {"game": "stelar"}, "there is no game 'stelar' (did you mean 'stellar'?)"),
        ("leaderboard", {"season": "none"}, "there is no season"),
        ("matches", {"lost": True}, "--lost: needs --bot"),
        ("matches", {"lost": "yes"}, "lost: expected bool, got: 'yes'"),
        ("matches", {"within": "d99"}, "there is no duel"),
        ("replay", {"match": 5}, "match: expected str, got: 5"),
        ("replay", {"match": "9/9"}, "there is no match '9/9'"),
        ("review", {}, "MATCH: expected a match"),
        ("review", {"match": "last", "bot": "mixed"}, "MATCH: expected a match"),
        ("export", {}, "expected a FILE"),
        ("export", {"path": "x.txt"}, "expected a file that ends in"),
        ("export", {"path": "x.csv", "game": "stellar"}, "--game: it goes with --per decision"),
        ("tournament", {"name": "none"}, "there is no tournament 'none'"),
        ("reference", {"bot": "mixed", "game": ["go"]}, "there is no game 'go'"),
        ("check", {"bot": "nobody"}, "there is no file and no bot 'nobody'"),
        ("submit", {"path": "nowhere.py"}, "nowhere.py"),
        ("try_change", {"bot": "nowhere.py"}, "there is no file or folder 'nowhere.py'"),
    ],
    ids=str,
)
def test_what_is_wrong_is_a_ladder_error_that_names_it_and_says_what_to_type(home, function, arguments, said):
    with pytest.raises(LadderError) as refused:
        getattr(ladder, function)(**arguments, home=home)
    assert said in str(refused.value)
    assert refused.value.hint
    assert [f"next: {refused.value.hint}"] == refused.value.__notes__, "a traceback shows it"


def test_reading_needs_a_home_and_makes_none(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("LADDER_HOME", raising=False)
    for call in (ladder.matches, ladder.leaderboard, lambda: ladder.replay("last")):
        with pytest.raises(UsageProblem, match="there is no ladder here"):
            call()
    assert [] == [*tmp_path.iterdir()]


# -- functions in several processes


PROGRAM = """
import functools, sys, warnings
import ladder

def leading(act):
    return act.choice.options[0]

def broken(act):
    raise RuntimeError("no idea")

class Drawing:
    def act(self, act):
        return act.rng.choice(act.choice.options)

bots = [leading, ladder.Bot(Drawing, "drawing", version="1"), broken]
run = ladder.play(bots, game="stellar", games=24, seed=3, home=sys.argv[1], jobs=int(sys.argv[2]))
print(run.matches(["number", "moves", "seats.rank", "seats.score", "sandbox"]).to_pylist())
"""


@pytest.mark.process
def test_functions_of_a_program_play_in_several_processes_with_the_same_rows_and_digest(tmp_path):
    if not find_spec("cloudpickle"):
        pytest.skip("only cloudpickle carries functions of the main program")
    (tmp_path / "program.py").write_text(textwrap.dedent(PROGRAM))
    homes = [ladders.a_home(tmp_path / str(jobs)).path for jobs in (1, 2)]
    typed = [
        [sys.executable, tmp_path / "program.py", home, jobs] for jobs, home in zip("12", homes, strict=True)
    ]
    told = [subprocess.run(each, env=ENVIRONMENT, capture_output=True, check=True).stdout for each in typed]
    assert told[0] == told[1]
    digests = [run_here("home", "digest", "--home", each).out for each in homes]
    assert digests[0] == digests[1] != ""
    assert "RuntimeError: no idea" in run_here("faults", "--home", homes[1]).out


class Keeping:
    def act(self, act):
        return act.choice.options[0]


def test_what_cannot_be_carried_plays_in_one_process_and_says_why(tmp_path, monkeypatch):
    asked = {**ASKED, "home": ladders.a_home(tmp_path / "home").path, "jobs": 2}
    with pytest.warns(
        UserWarning, match=r"jobs=2: keeping@1 keeps values.*so one process plays. Next: jobs=1"
    ):
        ladder.play({"keeping@1": Keeping(), "other@1": Keeping}, **asked)
    local = type("Local", (), {"act": lambda self, act: act.choice.options[0]})  # of no module
    monkeypatch.setattr("ladder.process.carried.find_spec", lambda name: None)
    with pytest.warns(UserWarning, match=r"jobs=2: they cannot be carried .*pip install cloudpickle"):
        ladder.play({"local@1": local, "other@1": Keeping}, **{**asked, "seed": 6})
