"""`ladder tournament`: what is printed of tournaments, and what is refused."""

import json
import os
import re
import signal
import subprocess
import sys
import time

import pytest
from support import ladders
from support.bot_threads import in_threads
from support.command_line import ENVIRONMENT, check_refused, on_a_terminal, run_apart, run_here
from support.commands import process_group
from support.ladders import FOUR
from support.reviewed import store_review
from support.tournaments import begin

from engines.contract.texts import wide_lines
from ladder.cli import tournament_run
from ladder.run.run_events import Progress
from ladder.run.status import Status
from ladder.run.tournament.stored_tournaments import find_tournament
from results.reports.digest import digest

pytestmark = pytest.mark.usefixtures("threads")
NEW = ("--game", "stellar", "--blocks", "1", "--seed", "5")


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    home = ladders.a_home(tmp_path_factory.mktemp("cup") / "home")
    with in_threads():
        for name in ("cup", "later"):
            show(home, "new", name, *NEW, "--stages", "swiss:1+knockout:4")
        assert "knockout" in show(home, "run", "cup").out
    return home


def show(home, *arguments):
    said = run_here("tournament", *arguments, "--home", home.path)
    assert 0 == said.code, said.err
    return said


def test_tournaments_are_listed_with_their_state_and_winner(home):
    rows = json.loads(show(home, "--format", "json").out)
    assert ["later", "cup"] == [row["tournament"] for row in rows]
    assert ["not begun", "over"] == [row["state"] for row in rows]
    assert 0 == rows[0]["matches"] < 6 <= rows[1]["matches"]
    assert rows[0]["winner"] is None
    assert rows[1]["winner"] in FOUR


def test_rounds_tables_and_places_are_shown_in_80_columns(home):
    out = show(home, "cup").out
    assert [] == wide_lines(out, 80)
    for words in ("swiss", "knockout", "semifinal", "final", "place", "opponents"):
        assert words in out
    standing = json.loads(show(home, "cup", "--format", "json").out)["standing"]
    assert set(FOUR) == {row["bot"] for row in standing}
    (winner,) = [row["bot"] for row in standing if row["place"] == 1]
    assert winner == json.loads(show(home, "--format", "json").out)[1]["winner"]


def test_json_has_all_of_it_and_how_sure_it_is(home):
    told = json.loads(show(home, "cup", "--format", "json").out)
    assert ("cup", "stellar", True) == (told["tournament"], told["game"], told["over"])
    swiss, knockout = told["stages"]
    assert [True, True] == [stage["over"] for stage in (swiss, knockout)]
    assert set(FOUR) == {row["bot"] for row in swiss["ranking"]}
    semifinal, final = knockout["rounds"]
    assert ["knockout/semifinal/1", "knockout/semifinal/2"] == [each["table"] for each in semifinal["tables"]]
    assert ["knockout/final", None] == semifinal["tables"][0]["leads_to"]
    (table,) = final["tables"]
    assert {"table": "knockout/semifinal/1", "place": 1} == table["seats"][0]["from"]
    assert table["ranking"][0] == told["standing"][0]["bot"]
    assert 1 == pytest.approx(sum(seat["score"] for seat in table["seats"]))
    assert told["best_of_field"]["part"] is None, "no bot is rated"
    assert 0 < told["best_of_field"]["low"] < told["best_of_field"]["high"] <= 1
    assert 0 < told["best_of_field"]["error"] < 0.1
    assert json.loads(show(home, "later", "--format", "json").out)["best_of_field"] is None


@pytest.mark.parametrize("form", ["csv", "md", "table"])
def test_each_seat_of_each_table_has_a_row(home, form):
    lines = show(home, "cup", "--rounds", "--format", form).out.splitlines()
    heads = 1 if form == "csv" else 2
    assert heads + 4 + 4 + 2 == len(lines)
    assert 2 + 2 == sum("knockout/final" in line for line in lines), "two play it, and two go on to it"
    if form == "csv":
        assert "stage,round,table,bot,score,place,blocks,goes_on,display" == lines[0]
        assert [name in FOUR for name in [line.split(",")[3] for line in lines[1:]]] == [True] * 10
        assert 2 == sum(",knockout/final," in line.partition("knockout/semifinal")[2] for line in lines)


def test_csv_without_rounds_is_the_standing(home):
    lines = show(home, "cup", "--format", "csv").out.splitlines()
    assert ["place,bot,stage,display", 4] == [lines[0], len(lines) - 1]


def test_it_says_how_sure_it_is_once_it_is_over(home):
    said = show(home, "cup").err.replace("\n", " ")
    assert re.search(
        r"the winner is the best bot with a probability of about \d+ to \d+ %, by the tables", said
    )
    assert "the best bot" not in show(home, "later").err


def test_a_title_in_any_script_stays_and_the_name_to_type_is_derived(tmp_path):
    home = ladders.a_home(tmp_path / "home")
    made = run_here("tournament", "new", "Stella-Frühlingsfest", *NEW, "--home", home.path)
    assert "ladder tournament run Stella-Fruhlingsfest" in made.err
    shown = run_here("tournament", "--home", home.path).out
    assert "Stella-Fruhlingsfest  Stella-Frühlingsfest" in shown


def test_a_new_one_says_how_long_and_how_sure(tmp_path):
    home = ladders.a_home(tmp_path / "home")
    new = ("--seed", "5", "--game", "stellar", "--blocks", "1")
    said = show(home, "new", "one", *new)
    assert "how long it takes is not known" in said.out
    assert re.search(
        r"the best wins with \d+ to \d+ %, by how far the bots are apart \(no bot is rated\); an ordinary run"
        r" of as many matches would name it with \d+ to \d+ %(, and order the others better)?: ladder run ",
        said.out.replace("\n  ", " "),
    )
    assert "some must meet again: 4 bots at tables of 2 can play 3 rounds" in said.err
    assert [] == wide_lines(said.out, 80)
    ladders.play(home, matches=20)
    told = json.loads(show(home, "new", "two", *new, "--json").out)
    assert 4 == told["rated"]
    assert 0 < told["seconds"]
    assert 0 < told["best_wins"]["part"] < 1
    assert 0 < told["run_names_best"]["part"] < 1
    said = show(home, "new", "three", *new, "--stages", "swiss:3")
    assert re.search(
        r"the best wins with \d+ % \(4 of 4 bots are rated\); an ordinary run of as many matches would name"
        r" it with \d+ %(, and order the others better)?: ladder run --game stellar --seats 2 --games 12\n",
        said.out.replace("\n  ", " "),
    )
    assert "in the last 20 matches" in said.out.replace("\n  ", " ")
    assert "meet again" not in said.err


def test_while_it_is_played_a_terminal_shows_its_tables(tmp_path):
    """They are drawn below the line of progress, and are gone from there when it is over."""
    home = ladders.a_home(tmp_path / "home")
    show(home, "new", "cup", *NEW)
    shown = on_a_terminal("tournament", "run", "cup", NO_COLOR="1", LADDER_HOME=str(home.path))
    assert "(not played yet)" in shown
    assert "being played" not in shown.split("place")[-1]
    show(home, "new", "next", *NEW)
    piped = show(home, "run", "next")
    assert "not played yet" not in piped.out + piped.err


def test_a_secret_one_shows_no_table_as_it_is_played(tmp_path):
    home = ladders.a_home(tmp_path / "home")
    show(home, "new", "cup", *NEW, "--hidden")
    shown = on_a_terminal("tournament", "run", "cup", NO_COLOR="1", LADDER_HOME=str(home.path))
    assert "matches" in shown
    assert "being played" not in shown
    told = show(home, "cup", "--format", "json")
    stages = json.loads(told.out)["stages"]
    tables = [table for stage in stages for each in stage["rounds"] for table in each["tables"]]
    assert {None} >= {seat["score"] for table in tables for seat in table["seats"]}
    assert "the best bot" not in told.err
    lines = show(home, "cup", "--rounds", "--format", "csv").out.splitlines()[1:]
    assert all(line.endswith(",,,0,") for line in lines), "no score, no place, no deal, no way on"


def test_nothing_of_results_is_shown_meanwhile_where_none_may_be():
    now = Progress(Status(), None, begin("knockout:2", 2))
    below, nothing = (
        tournament_run._Printer("cup", ["one", "two"], quiet=False, tells_results=tells).below(now)
        for tells in (True, False)
    )
    assert nothing is None
    assert ["knockout", "  final (not played yet)"] == [*below(80, 20)][:2]


def test_what_has_not_begun_is_shown_and_says_what_to_type(home):
    said = show(home, "later")
    assert "later is not over" in said.err
    assert "ladder tournament run" in said.err


def test_its_matches_are_found_like_those_of_duels(home):
    at = ("--home", home.path)
    same = [run_here("replay", f"{name}/0", *at).out for name in ("d1", "cup")]
    assert "" != same[0] == same[1]
    assert 0 == run_here("replay", "cup/last", *at).code
    store_review(home, 0, contents=find_tournament(home.results, "cup").contents)
    assert "Judged by" in run_here("review", "cup/0", *at).out
    listed = [run_here("matches", "--in", name, "--format", "json", *at).out for name in ("d1", "cup")]
    named = [[row["match"] for row in json.loads(out)] for out in listed]
    assert ["cup/0", named[1]] == [named[1][-1], [name.replace("d1/", "cup/") for name in named[0]]]
    check_refused(run_here("replay", "cap/0", *at), 3, "no tournament and no unrated run 'cap'")
    rows = json.loads(run_here("duel", "--format", "json", *at).out)
    assert {"tournament"} == {row["kind"] for row in rows}
    verified = run_here("home", "verify", *at)
    assert 0 == verified.code, verified.out


@pytest.mark.parametrize(
    ("arguments", "code", "texts"),
    [
        (["cp"], 3, ["there is no tournament 'cp' (did you mean 'cup'?)", "ladder tournament"]),
        (["run", "cup"], 2, ["tournament cup is over", "ladder tournament cup"]),
        (["run", "later", "--without", "stranger"], 3, ["stranger does not play"]),
        (["new", "cup", *NEW], 2, ["there is a tournament cup already", "take another name"]),
        (["new", "x", *NEW, "--stages", "swiss:5+"], 2, ["a + stands at the end", "swiss:5+knockout:8"]),
        (["new", "x", *NEW, "--freeze", "soon"], 2, ["expected a date such as 2027-05-01"]),
        (["new", "d7", *NEW], 2, ["take another name"]),
        (["new", "../x", *NEW], 2, ["expected a letter, then"]),
        (["new", "D\uff17", *NEW], 2, ["take another name"]),
        (["new", "x", *NEW, "--title", "\u202etac"], 2, ["expected a title"]),
    ],
)
def test_what_cannot_be_done_is_refused_with_what_to_type(home, arguments, code, texts):
    check_refused(run_here("tournament", *arguments, "--home", home.path), code, *texts)


def test_an_unrated_run_does_not_go_on_with_a_tournament(home):
    said = run_here("run", "--unrated", "--resume", "--home", home.path)
    check_refused(said, 2, "there is no unfinished run to resume")


def test_no_bot_has_a_place_before_the_first_result(home):
    shown = run_here("tournament", "later", "--home", home.path).out
    assert shown.startswith("No match has been played yet.\n\nSwiss\n\nNo result so far.\n")
    told = json.loads(run_here("tournament", "later", "--format", "json", "--home", home.path).out)
    assert [None] * 4 == [row["place"] for row in told["standing"]]


def test_a_bot_that_is_banned_meanwhile_is_left_out_by_the_command_that_is_named(tmp_path):
    home = ladders.a_home(tmp_path / "home")
    new = ("tournament", "new", "cup", *NEW, "--stages", "swiss:1")
    assert 0 == run_here(*new, "--home", home.path).code
    bot = home.roster.find("first")
    retired = run_here("bots", "retire", "last", "--home", home.path).err
    assert "tournament cup is unfinished and continues with last" in retired
    banned = run_here("bots", "ban", "first", "--why", "x", "--home", home.path).err
    assert "tournament cup is unfinished and cannot continue with first" in banned
    refused = run_here("tournament", "run", "cup", "--home", home.path)
    assert 2 == refused.code
    command = f"ladder tournament run cup --without {bot.id}"
    for said in (banned, refused.err):
        assert f"next: {command}" in said
    done = run_here(*command.split()[1:], "--home", home.path)
    assert 0 == done.code, done.err
    event = find_tournament(home.results, "cup").schedule().event
    assert event.over


@pytest.mark.slow
def test_however_often_it_is_killed_and_wherever_it_is_played_it_ends_the_same(tmp_path):
    digests = set()
    for name, kills, where in (
        ("whole", 0, ()),
        ("killed", 4, ()),
        ("elsewhere", 0, ("--on", "local-cluster:2")),
    ):
        home = ladders.a_home(tmp_path / name, FOUR)
        new = ("tournament", "new", "cup", *NEW, "--stages", "swiss:2+double-knockout:4", "--blocks", "3")
        assert 0 == run_apart(*new, "--home", home.path, cwd=tmp_path).code
        command = [sys.executable, "-m", "ladder", "tournament", "run", "cup", "--home", str(home.path)]
        for number in range(kills):
            with process_group(command, env=dict(ENVIRONMENT), stderr=subprocess.DEVNULL) as process:
                deadline = time.monotonic() + 60
                before = _matches(home)
                while _matches(home) <= before + number and process.poll() is None:
                    assert time.monotonic() < deadline
                    time.sleep(0.02)
                os.killpg(process.pid, signal.SIGKILL)
        assert 0 == run_apart(*command[3:], *where, cwd=tmp_path).code
        found = find_tournament(home.results, "cup")
        event = found.schedule().event
        digests.add((digest(found.contents, None).hex, str(event.standing()), str(event.report())))
    assert 1 == len(digests)


def _matches(home):
    return find_tournament(home.results, "cup").contents.matches(["number"]).num_rows
