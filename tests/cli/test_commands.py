"""Every command in ordinary use."""

import csv
import inspect
import io
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from itertools import takewhile
from pathlib import Path

import pyarrow.csv
import pyarrow.parquet as pq
import pytest
from support import ladders
from support.bot_threads import in_threads
from support.command_line import (
    ENVIRONMENT,
    PlayedHome,
    on_a_terminal,
    on_a_terminal_apart,
    run_apart,
    run_here,
    without_colour,
)
from support.commands import process_group
from support.documents import PAGES
from support.here import play_commands_here
from support.places import ROOT
from support.taken_in import take_in
from typer import Context

from engines import GAMES
from engines.contract.texts import wide_lines
from ladder import __version__
from ladder.cli import run_command_line
from ladder.cli.commands import ALIASES, COMMANDS, UNLISTED, load_command
from ladder.cli.program import make_program
from ladder.registry.bot_manifest import BotManifest

pytestmark = pytest.mark.usefixtures("threads")
LEADERBOARD = (
    "game rank rank_low rank_high bot version mu margin sigma score matches matches_worth wins draws losses "
    "win_rate win_rate_low win_rate_high mean_rank mean_rank_low mean_rank_high mean_score faults "
    "faults_by_kind ms_per_move mu_low mu_high misfit turned_pairs author display_name rating plus_minus "
    "win_percent passes beaten beaten_low beaten_high"
)
LISTS = [["leaderboard"], ["bots"], ["matches"], ["matrix"], ["games"], ["doctor"]]


def at(played, *arguments):
    """Return *arguments* with the home, for a command that takes it."""
    return [*arguments, *([] if arguments[0] in ("games", "doctor") else ["--home", str(played.home)])]


def answer(played, *arguments):
    """Return what a command that goes well prints on stdout."""
    result = run_here(*at(played, *arguments))
    assert 0 == result.code, result.err
    return result.out


def from_json(played, *arguments):
    return json.loads(answer(played, *arguments))


# -- help


def test_the_version_is_printed():
    assert (0, f"ladder {__version__} (interpreted)\n", "") == run_here("--version")


def test_ladder_alone_prints_the_help():
    assert run_here("--help").out.strip() == run_here().out.strip()
    assert "ladder run --games 1000" in run_here().out


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_has_help_in_80_columns_that_ends_in_an_example(name):
    doc = inspect.cleandoc(load_command(name).__doc__ or "").splitlines()
    assert doc[0].endswith("."), "the first line says what it does"
    assert "" == doc[1]
    assert doc[-1].startswith(f"Example: ladder {name}")
    code, shown, _ = run_here(*name.split(), "--help")
    assert 0 == code
    assert doc[-1] == shown.splitlines()[-1]
    assert [] == wide_lines(shown, 80)
    assert [] == re.findall(r"<\w+>|\b(?:list|dict|tuple)\[|\b(?:None|True|False)\b", shown)
    assert [] == [line for line in shown.splitlines() if line.endswith("|") or line.lstrip().startswith("|")]
    choices = r"table\|json(\|csv\|md\|xlsx)?"
    assert (", --format " in shown) == bool(re.search(rf", --format {choices}\s", shown)), "no choice is cut"


def test_the_help_of_a_run_shows_its_options_in_sections_that_are_quickly_read():
    sections: dict[str, list[str]] = {}
    options = run_here("run", "--help").out.partition("\nArguments\n")[2].rpartition("\nExample: ")[0]
    for line in options.splitlines():
        if line and line[0] != " ":
            sections[line] = []
        elif found := re.match(r" {2}(?:-\w, | {4})--([\w-]+)", line):
            [*sections.values()][-1].append(found[1])
    assert {
        "What is played": "game seats option limit games for schedule until unrated forever",
        "Deals": "seed",
        "Unfinished run": "resume without new",
        "Workers": "jobs shard on transcript",
        "Sandbox": "sandbox",
        "Options": "wait quiet report site verbose home format help",
    } == {section: " ".join(names) for section, names in sections.items()}
    assert " [default: a new secret]\n" in options, "a short default stays in one line"


def test_the_help_of_the_program_fits_a_screen_and_names_every_command_once():
    lines = without_colour(on_a_terminal("--help"))
    assert len(lines) <= 40
    assert [] == wide_lines(lines, 80)
    shown = [line[11:].split()[0] for line in lines if line.startswith("  ") and line[11] != " "]
    assert [name for name in COMMANDS if " " not in name] == shown


def test_the_help_of_the_program_fits_a_screen_when_more_commands_come(monkeypatch):
    """Then its sections stand close together."""
    program = make_program()
    more = {"Soon": ["run"] * 4}
    monkeypatch.setattr(type(program), "sections", {**program.sections, **more})
    shown = program.get_help(Context(program, info_name="ladder"))
    assert 4 == shown.count("Play matches in parallel and rate the bots.") - 1
    assert len(shown.splitlines()) <= 40


def test_a_group_lists_its_commands_in_its_help_and_in_that_of_the_program():
    for group in ("bots", "games", "home"):
        names = [name.split()[1] for name in COMMANDS if name.startswith(f"{group} ")]
        shown = run_here(group, "--help").out.partition("\nCommands\n")[2].partition("\n\n")[0]
        assert names == [line.split()[0] for line in shown.splitlines() if line[2] != " "]
        assert f"{': ' + ', '.join(names)}" in " ".join(run_here("--help").out.split())


@pytest.mark.parametrize("name", ALIASES)
def test_a_command_can_still_be_typed_as_before_there_were_groups(played, name):
    old, new = (run_here(*typed_as.split(), "--help") for typed_as in (name, ALIASES[name]))
    assert old.code == new.code == 0
    assert old.out.splitlines()[2:] == new.out.splitlines()[2:]
    assert f"\n  {name} " not in run_here("--help").out


def test_commands_are_no_more_than_anybody_needs():
    assert len(COMMANDS) <= 56, "50, and for uploads and remote seats push, connect and four of people"
    for command in UNLISTED:
        assert command.replace(" ", ", ") not in " ".join(run_here("--help").out.split())
        group, name = command.split()
        assert not re.search(rf"^  {name} ", run_here(group, "--help").out, re.MULTILINE)


def test_a_bot_that_is_called_like_a_command_is_shown_by_a_word_that_no_help_shows(tmp_path):
    home = ladders.a_home(tmp_path / "home", {"ban": {}, "info": {}}).path
    for bot in ("ban", "info"):
        shown = run_here("bots", "info", bot, "--home", home)
        assert 0 == shown.code
        assert re.match(rf"bot +{bot}@1 ", shown.out)
        history = run_here("bots", "info", bot, "--history", "--home", home)
        assert f"{bot}@1 has not played" in history.err or f"{bot} has not played" in history.err
    usage = run_here("bots", "info", "--help").out
    assert usage.startswith("Usage: ladder bots BOT [OPTIONS]\n")
    assert "  next: ladder bots --help\n" in run_here("bots", "info", "ban", "--nonsense").err


def test_the_rows_of_a_bot_are_those_of_its_history(played):
    refused = run_here(*at(played, "bots", "greedy", "--format", "csv"))
    assert (2, "") == refused[:2]
    assert "--format: expected one of table, json, md; csv is for --history" in refused.err
    assert "bot,version," in answer(played, "bots", "greedy", "--history", "--format", "csv").splitlines()[0]


def test_the_files_of_a_game_stand_below_its_rules():
    summary, _, files = run_here("games", "stellar").out.partition("\n\nFiles for authors of bots")
    assert GAMES["stellar"].summary.rstrip() == summary
    assert {"README.md", "schema.json"} <= {Path(line).name for line in files.splitlines()[1:]}


def test_a_group_takes_its_options_before_and_behind_the_name_of_a_command(played):
    home = ["--home", str(played.home)]
    answers = {
        run_here("home", *home, "digest").out,
        run_here("home", "digest", *home).out,
        run_here("digest", *home).out,
    }
    assert 1 == len(answers)
    assert re.fullmatch(r"[0-9a-f]{64}\n", answers.pop())


def test_a_word_that_is_no_command_of_a_group_is_the_name_of_a_bot_or_a_game(played):
    assert run_here("games", "info", "stellar") == run_here("games", "stellar")
    assert run_here("games", "stellar").out.startswith("STELLAR")
    home = ["--home", str(played.home)]
    assert run_here("bots", "info", "greedy", *home) == run_here("bots", *home, "greedy")
    assert 3 == run_here("bots", "nobody", *home).code
    assert "ladder: there is no command 'nothing'\n" in run_here("home", "nothing").err


@pytest.mark.parametrize(
    ("line", "completed"),
    [
        ("ladder run gr", ["greedy"]),
        ("ladder run greedy ", ["greedy", "random", "stumbler"]),
        ("ladder matches --bot s", ["stumbler"]),
        ("ladder faults stumbler@", ["stumbler@1"]),
        ("ladder leaderboard --game star", ["starry-sky"]),
        ("ladder ma", ["matches", "matrix"]),
        ("ladder replay ", sorted(["last", *(f"1/{number}" for number in range(182, 202))])),
        ("ladder replay 1/19", sorted(["1/19", *(f"1/{number}" for number in range(190, 200))])),
        ("ladder replay l", ["last"]),
    ],
)
def test_the_shell_completes_names(played, line, completed, monkeypatch, capsys):
    words = str(len(line.split(" ")) - 1)
    env = {"_LADDER_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": words}
    monkeypatch.chdir(played.home)
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(SystemExit):
        run_command_line([])
    assert completed == sorted(set(capsys.readouterr().out.split()))


@pytest.mark.process
def test_the_shell_does_not_wait_for_parquet_before_it_completes_a_match(played):
    code = (
        "import sys; from types import SimpleNamespace; from ladder.cli.signature import complete_matches\n"
        "print(complete_matches(SimpleNamespace(params={}), '1/20'), 'pyarrow' in sys.modules)"
    )
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=played.home, env=ENVIRONMENT, capture_output=True, text=True)
    assert ("['last', '1/201', '1/200', '1/20'] False\n", "") == (done.stdout, done.stderr)


# -- run


def test_a_run_says_what_it_does_on_stderr_and_the_leaderboard_on_stdout(played):
    code, out, err = played.run
    assert 0 == code, err
    assert ["#", "bot", "rating", "+-", "matches", "beaten", "%"] == out.splitlines()[2].split()[:7]
    assert "--games 201 is rounded up to 202: every deal is played from all seats\n" in err
    assert re.search(r"^run 1: 202 of 202 matches, \d+ faults \(\d+ illegal\) in [\d.]+ s", err, re.MULTILINE)
    assert f"results: {played.home}/results\n  next: " in err
    assert err.splitlines()[-2].endswith(" PATH           a bot of yours")


@pytest.mark.slow
def test_the_first_run_makes_a_home_and_lets_the_house_bots_play(tmp_path):
    code, out, err = run_apart("run", "--games", "4", "--json", cwd=tmp_path)
    assert 0 == code, err
    told = json.loads(out)
    assert (1, "ladder-home") == (told["run"], told["home"])
    assert set(GAMES) == told["leaderboards"].keys()
    bots = {row["bot"] for board in told["leaderboards"].values() for row in board}
    assert {"greedy", "bold", "dreamer", "random"} <= bots
    named = "bold, careful, dreamer, greedy, random"
    assert re.search(rf"^added \d+ house bots: {named} and \d more$", err, re.MULTILINE)
    assert "made a new ladder in ladder-home\n" in err
    assert "running uncompiled sources: installed with -e, or run from a clone\n" in err
    assert {"ladder.toml", "bots", "results"} == {path.name for path in (tmp_path / "ladder-home").iterdir()}


def test_a_run_warns_of_bots_that_ask_for_what_is_not_allowed(tmp_path):
    home = ladders.a_home(tmp_path / "home", {"good": {}})
    manifest = BotManifest(name="llm", run=("{python}", "player.py"), network=True)
    take_in(home.roster, tmp_path / "player.py", manifest)
    done = run_here("run", "--games", "2", "--home", home.path)
    assert 0 == done.code, done.err
    assert "warning: llm asks for the network, which it may not use\n  next: write in " in done.err


def test_only_the_first_run_says_how_the_ladder_is_built(tmp_path, monkeypatch):
    play_commands_here(monkeypatch)
    home = ladders.a_home(tmp_path / "home").path
    said = [run_here("run", "--games", "2", "--home", home).err for _ in range(2)]
    assert [True, False] == ["running uncompiled sources: " in err for err in said]


# -- submit and bots


ANY = """\
from protocol.client import serve
serve(lambda act: act.rng.choice(act.choice.options) if act.choice.kind == "one"
    else act.rng.sample(act.choice.options, act.choice.low))
"""


def test_a_submitted_script_is_a_bot_from_then_on_and_may_have_a_note(tmp_path):
    (tmp_path / "first.py").write_text(ANY)
    home = ("--home", tmp_path / "home")
    command = ("submit", tmp_path / "first.py", "--name", "one", "-m", "tries \x1b[31mendgames", *home)
    code, out, err = run_here(*command)
    assert 0 == code, err
    assert re.fullmatch(r"one@[0-9a-f]{12}\n", out)
    version = out.strip().partition("@")[2]
    assert f"new bot one@1 ({version})\n" in err
    assert "  next: ladder run --games 1000\n" in err.replace(f" --home {tmp_path}/home", "")
    again = run_here(*command)
    assert (0, out) == again[:2]
    assert f"one@1 ({version}) is already the newest version; nothing has changed\n" in again.err
    (row,) = json.loads(run_here("bots", *home, "--format", "json").out)
    told = (row["bot"], row["version"], row["number"], row["note"])
    assert ("one", version, 1, "tries \x1b[31mendgames") == told
    assert r"tries \x1b[31mendgames" in run_here("bots", *home).out


def test_in_a_terminal_the_answer_to_a_submission_is_printed_once(tmp_path):
    home = tmp_path / "home"
    for text, said_first in ((ANY, "new bot rat@"), (ANY + "#", "new version of rat: rat@")):
        (tmp_path / "rat.py").write_text(text)
        shown = on_a_terminal("submit", tmp_path / "rat.py", "--home", home)
        lines = without_colour(shown.rpartition("\r\x1b[K")[2])  # what stays when the live line is gone
        assert 1 == sum("rat@" in line for line in lines), lines
        assert lines[0].startswith(said_first) or lines[1].startswith(said_first)


def test_several_bots_are_submitted_with_a_line_and_a_page_for_each(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "subs").mkdir()
    for name, text in (("one", ANY), ("two", "import sys; sys.exit(3)"), ("three", ANY)):
        (tmp_path / f"subs/{name}.py").write_text(text)
    command = (
        "submit",
        "--all",
        "subs",
        "ghost.py",
        "--check",
        "quick",
        "--pages",
        "pages",
        "--home",
        "home",
    )
    code, out, err = run_here(*command)
    assert 2 == code
    lines = out.splitlines()[2:]  # how a process ended is seen by its pipe or by its exit, whichever is first
    assert [
        ["ghost.py", "refused: there is no file or folder 'ghost.py'"],
        ["one.py", "new bot one@1"],
        ["three.py", "new bot three@1"],
        ["two.py", "refused: stella-quest: start: the process "],
    ] == [re.split(r"  +", line.partition("ended")[0].partition("closed")[0])[:2] for line in lines]
    assert ["three", "one"] == [lines[i].split()[-1] for i in (1, 2)], "their programs are the same"
    assert "2 of 4 accepted; a page for each author is in pages\n" in err
    pages = {file.name: file.read_text() for file in (tmp_path / "pages").iterdir()}
    assert ["ghost.py.md", "one.py.md", "three.py.md", "two.py.md"] == sorted(pages)
    hint = "it ended at once, and says no error: does it call serve(choose), or read lines until bye?"
    assert hint in pages["two.py.md"]
    done = run_here("submit", "subs/one.py", "subs/two.py", "--format", "csv", "--home", "home")
    assert 1 == done.code
    one, two = csv.DictReader(io.StringIO(done.out))
    assert ("unchanged", "") == (one["result"], one["hint"])
    assert ("refused", hint) == (two["result"], two["hint"])
    assert "two failed its match against itself at stella-quest: start" in two["details"]


def exists(group):
    """Return whether a process of the process group is there."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.slow
def test_submissions_that_are_stopped_keep_what_was_accepted_and_leave_nothing_else(tmp_path):
    (tmp_path / "one.py").write_text(ANY)
    (tmp_path / "two.py").write_text("import time; time.sleep(600)")
    program = Path(sys.executable).with_name("ladder")
    command = [program, "submit", "one.py", "two.py", "--check", "quick", "--home", "home"]
    with process_group(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as process:
        while not list(tmp_path.glob("home/bots/one/*")):
            time.sleep(0.05)
            assert process.poll() is None
        time.sleep(0.2)  # the answer is on its way
        os.killpg(process.pid, signal.SIGINT)
        out, _ = process.communicate(timeout=60)
        deadline = time.monotonic() + 30
        while (left := exists(process.pid)) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert not left
    assert 130 == process.returncode
    assert ["one.py"] == [line.split()[0] for line in out.splitlines()[2:]]
    assert ["one"] == [path.name for path in (tmp_path / "home/bots").glob("[!.]*")]
    assert [] == list((tmp_path / "home/bots").glob(".staging-*"))


def test_on_a_terminal_each_submission_has_one_line(tmp_path):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "bot.toml").write_text(f"name = '{name}'\nrunner = 3\n{'#' * 99}\n")
    paths = [str(tmp_path / name) for name in ("one", "two")]
    shown = on_a_terminal("submit", *paths, "--home", tmp_path / "home", code=2)
    lines = without_colour(shown.rpartition("\r\x1b[K")[2])
    assert [] == wide_lines(lines, 80)
    assert 1 == sum(line.startswith("one ") and "unknown key 'runner'" in line for line in lines), lines


@pytest.fixture(scope="module")
def two_versions(tmp_path_factory):
    """Return a home where two versions of one bot have met, and what `ladder run` said."""
    home = ladders.a_home(tmp_path_factory.mktemp("two") / "home", {"mine": {"style": "first"}})
    ladders.enlist(home, "mine", {"style": "last"})
    command = ("run", "mine@1", "mine@2", "--games", "4", "--seed", "1", "--home", home.path)
    with in_threads():
        return PlayedHome(home.path, run_here(*command))


def test_two_versions_of_a_bot_are_told_apart_wherever_people_read(two_versions):
    assert 0 == two_versions.run.code, two_versions.run.err
    assert {"mine@1", "mine@2"} <= set(two_versions.run.out.split())
    assert "\nfew matches (4 a bot): differences are exaggerated" in two_versions.run.err
    for command in (["matches"], ["replay", "last"], ["leaderboard", "--all-versions"]):
        assert {"mine@1", "mine@2"} <= set(re.findall(r"mine@[12]\b", answer(two_versions, *command))), (
            command
        )
    assert ["mine@1", "mine@2"] == sorted(
        re.findall(r"mine@[12]", answer(two_versions, "matrix", "--all-versions"))
    )
    versions = from_json(two_versions, "bots", "--all-versions", "--format", "json")
    told = answer(two_versions, "replay", "last").splitlines()
    for seat in from_json(two_versions, "replay", "last", "--json")["seats"]:
        (number,) = [row["number"] for row in versions if row["version"] == seat["version"]]
        assert any(
            line.endswith(f"mine@{seat['version']} (mine@{number}), told {seat['name']}") for line in told
        )
        assert f"mine@{number}" in told[0], "who won"


def test_numbers_stand_in_no_row_for_programs(two_versions):
    for command in ("matches", "leaderboard", "matrix", "faults"):
        for form in ("json", "csv"):
            assert not re.search("mine@[12]\\b", answer(two_versions, command, "--format", form))
    hashes = [
        row["version"][:6] for row in from_json(two_versions, "bots", "--all-versions", "--format", "json")
    ]
    listed = csv.DictReader(io.StringIO(answer(two_versions, "matches", "--format", "csv")))
    assert {*hashes} == {found[:6] for row in listed for found in re.findall(r"@(\w+)", row["seats"])}


def test_a_version_is_meant_by_its_number_wherever_a_bot_is_named(two_versions):
    lost = [
        len(from_json(two_versions, "matches", "--bot", f"mine@{n}", "--lost", "--format", "json"))
        for n in (1, 2)
    ]
    assert 4 >= sum(lost)
    assert "no faults" in run_here(*at(two_versions, "faults", "mine@1")).err
    assert (3, "") == run_here(*at(two_versions, "faults", "mine@3"))[:2]


def test_bots_are_listed(played):
    rows = from_json(played, "bots", "--format", "json")
    assert ["greedy", "random", "stumbler"] == [row["bot"] for row in rows]
    assert [sorted(GAMES), [], []] == [row["games"] for row in rows]
    assert all(row["active"] for row in rows)


# -- lists


@pytest.mark.parametrize("command", LISTS, ids=lambda command: command[0])
@pytest.mark.slow
def test_a_list_is_a_table_json_csv_or_markdown(played, command):
    rows = from_json(played, *command, "--format", "json")
    assert rows
    assert all(isinstance(row, dict) for row in rows)
    table = list(csv.reader(io.StringIO(answer(played, *command, "--format", "csv"))))
    assert list(rows[0]) == table[0]
    assert len(rows) + 1 == len(table)
    assert {len(table[0])} == {len(row) for row in table}
    titled = 2 if command[0] in ("leaderboard", "matrix") else 0
    assert [
        line for line in answer(played, *command, "--format", "md").splitlines() if line[:2] in ("|-", "|:")
    ]
    assert set(answer(played, *command).splitlines()[titled + 1]) <= {"-", " "}


@pytest.mark.parametrize("command", ["leaderboard", "matches", "matrix", "faults"])
@pytest.mark.parametrize("form", ["json", "csv"])
def test_a_row_for_programs_always_says_its_game(played, command, form):
    text = (
        answer(played, command, "--game", "stellar", "--format", form)
        if command != "faults"
        else (answer(played, command, "--format", form))
    )
    rows = json.loads(text) if form == "json" else list(csv.DictReader(io.StringIO(text)))
    assert {"stellar"} == {row["game"] for row in rows}


def test_the_leaderboard_has_its_columns(played):
    rows = from_json(played, "leaderboard", "--format", "json")
    assert {LEADERBOARD} == {" ".join(row) for row in rows}
    assert [1, 2, 3] == [row["rank"] for row in rows]
    assert "greedy" == rows[0]["bot"]
    assert 2 * 202 == sum(row["matches"] for row in rows)
    assert {"illegal"} == {kind for row in rows for kind in row["faults_by_kind"]}
    for row in rows:
        assert pytest.approx(row["mu"] - 3 * row["sigma"]) == row["score"]
        assert row["matches"] == row["wins"] + row["draws"] + row["losses"]
    assert rows == from_json(played, "leaderboard", "--game", "stellar", "--format", "json")


def test_matches_are_listed_newest_first(played):
    rows = from_json(played, "matches", "--format", "json")
    assert [f"1/{number}" for number in range(201, 181, -1)] == [row["match"] for row in rows]
    assert "20 of 202, newest first; --top N shows more\n" in run_here(*at(played, "matches")).err
    assert 202 == len(from_json(played, "matches", "-n", "1000", "--in", "1", "--format", "json"))


def test_matches_can_be_chosen_by_bot_loss_and_fault(played):
    lost = from_json(played, "matches", "--bot", "greedy", "--lost", "-n", "999", "--format", "json")
    board = from_json(played, "leaderboard", "--format", "json")
    assert board[0]["losses"] == len(lost)
    assert all(seat["rank"] == 2 for row in lost for seat in row["seats"] if seat["bot"] == "greedy")
    faulted = from_json(played, "matches", "--fault", "-n", "999", "--format", "json")
    assert sum(row["faults"] for row in board) == len(faulted)
    (stumbler,) = [row for row in board if row["bot"] == "stumbler"]
    version = f"stumbler@{stumbler['version'][:6]}"
    assert faulted == from_json(
        played, "matches", "--bot", version, "--fault", "-n", "999", "--format", "json"
    )


def test_faults_are_shown_with_all_that_an_author_needs(played):
    shown = run_here("faults", "stumbler", "--top", "2", "--home", played.home)
    assert 2 == sum(line.startswith("stumbler@") for line in shown.out.splitlines())
    assert 2 == shown.out.count("\n  see it    ladder replay 1/")
    assert "why       expected one of" in shown.out
    assert re.search(r"2 of \d+, newest first; --top N shows more", shown.err)
    rows = from_json(played, "faults", "--top", "1000", "--format", "json")
    assert {"stumbler"} == {row["bot"] for row in rows}
    assert {"illegal"} == {row["kind"] for row in rows}
    assert {"stellar"} == {row["game"] for row in rows}
    assert "no faults" in run_here("faults", "greedy", "--home", played.home).err


# -- replay


def test_a_replay_tells_the_match_step_by_step(played):
    told = answer(played, "replay", "1/7")
    moves = answer(played, "replay", "1/7", "--moves")
    assert moves.startswith("match 1/7: stellar, block 3, rotation 1\n")
    assert re.search(r"^   1  \w+ +take [1-5]$", moves, re.MULTILINE)
    assert re.search(r"^   1  \w+ takes .+ from place [1-5]$", told, re.MULTILINE)
    assert re.search(r"^  1\. \w+ \(seat [01]\)", moves, re.MULTILINE)
    assert re.search(r"^(\w+ beat \w+, \d+ : \d+)\nmatch 1/7: [^$]+\n\1\n$", told)
    assert told == answer(played, "replay", from_json(played, "replay", "1/7", "--json")["seats"][0]["name"])
    assert answer(played, "replay", "last") == answer(played, "replay", "1/201")


def test_a_replay_as_json_is_the_whole_record(played):
    (fault, *_) = from_json(played, "matches", "--fault", "--format", "json")
    record = from_json(played, "replay", fault["match"], "--json")
    wanted = "game version options deal seats moves ranks scores faults"
    assert set(wanted.split()) <= set(record)
    assert [seat["rank"] for seat in fault["seats"]] == record["ranks"]
    assert [("illegal", "stumbler")] == [(found["kind"], found["bot"]) for found in record["faults"]]
    assert "why       expected one of" in answer(played, "replay", fault["match"])


# -- export


@pytest.mark.parametrize("per", ["seat", "match"])
def test_an_export_can_be_read_and_has_the_documented_columns(played, per, tmp_path):
    parquet, text = tmp_path / "all.parquet", tmp_path / "all.csv"
    for path in (parquet, text):
        result = run_here(*at(played, "export", str(path), "--per", per))
        assert (0, "") == result[:2]
        assert f" rows in {path}, one per {per}\n" in result.err
    table = pq.read_table(str(parquet))
    assert 202 * (2 if per == "seat" else 1) == table.num_rows
    assert table.column_names == pyarrow.csv.read_csv(str(text)).column_names
    page = PAGES["results/README.md"]
    (documented,) = re.findall(rf"^- `--per {per}`.*?:\s+`([^`]+)`", page, re.MULTILINE)
    assert documented.split() == table.column_names


# -- the ladder itself


@pytest.mark.parametrize("name", [*COMMANDS, *UNLISTED])
def test_the_help_of_h_fits_a_screen_and_says_where_the_rest_is(name):
    brief, whole = (run_here(*name.split(), flag).out for flag in ("-h", "--help"))
    assert 24 >= len(brief.splitlines())
    if brief != whole:
        options = re.findall(r"^  (?:-\w, |    )(--[\w-]+)", whole, re.MULTILINE)
        assert brief.endswith(f"\n--help shows all {len(options) - 1} options\n")


def test_the_help_of_h_has_the_options_that_the_readme_uses():
    lines = re.findall(r"^ladder .*", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE)
    assert len(lines) > 5
    for line in lines:
        brief = run_here(line.split()[1], "-h").out
        assert [] == [option for option in re.findall(r" (--[a-z-]+)", line) if option not in brief], line


@pytest.mark.parametrize("command", ["run", "bots info", "home", "home init", ""])
def test_help_is_also_a_word(command):
    shown = run_here(*command.split(), "--help")
    assert shown == run_here("help", *command.split())
    assert (0, "Usage: ladder") == (shown.code, shown.out[shown.out.index("Usage") :][:13])
    assert run_here("home", "--help") == run_here("home", "help")


def test_the_rules_of_a_game_in_another_format_are_its_row_in_the_list():
    rows = json.loads(run_here("games", "--format", "json").out)
    for words in (
        ["stella", "--format", "json"],
        ["--format", "json", "stella"],
        ["info", "stella", "-f", "json"],
    ):
        assert [row for row in rows if row["game"] == "stella"] == json.loads(run_here("games", *words).out)


ANSWERS = (
    *("leaderboard", "bots", "bots greedy", "bots ask greedy last 3", "matches", "matrix", "faults"),
    *("home", "home season", "replay last", "review last --worlds 4", "tournament", "check greedy"),
)


@pytest.mark.parametrize("line", ANSWERS)
def test_json_is_also_asked_for_by_a_word_that_no_help_shows(played, line):
    wanted = json.loads(answer(played, *line.split(), "--format", "json"))
    told = json.loads(answer(played, *line.split(), "--json"))
    if line.startswith(("check", "bots ask")):  # they measure times
        wanted, told = wanted.keys(), told.keys()
    assert wanted == told
    assert "--json" not in run_here(*line.split()[: 1 + line.startswith("bots ask")], "--help").out


def test_an_answer_without_rows_says_what_there_is_instead_of_csv(played):
    for line in ("replay last", "bots ask greedy last 3", "review last"):
        said = run_here(*at(played, *line.split(), "--format", "csv"))
        assert (2, "") == said[:2]
        assert "ladder: --format: expected one of table, json, got: 'csv'" in said.err


def test_a_run_and_a_check_have_rows_in_each_format(tmp_path, monkeypatch):
    play_commands_here(monkeypatch)
    home = ladders.a_home(tmp_path / "home", {"good": {}, "other": {}}).path
    for words, column in ((("run", "--games", "2"), "bot"), (("check", "good"), "verdict")):
        rows = list(csv.DictReader(io.StringIO(run_here(*words, "--format", "csv", "--home", home).out)))
        assert rows
        assert column in rows[0]
        assert run_here(*words, "--format", "md", "--home", home).out.count("|") > 5
    duel = ("duel", "good", "other", "--games", "4", "--home", home)
    (row,) = csv.DictReader(io.StringIO(run_here(*duel, "--format", "csv").out))
    assert ("d1", "duel", "undecided") == (row["duel"], row["kind"], row["verdict"])


@pytest.mark.parametrize("words", [["init", "--home", "a b"], ["--home", "a b", "init"]])
def test_init_takes_its_folder_as_other_commands_take_a_home(tmp_path, words, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert "  next: ladder run --games 1000 --home 'a b'\n" in run_here("home", *words).err
    assert (tmp_path / "a b/ladder.toml").is_file()


def test_init_makes_a_home_once(tmp_path):
    first = run_here("init", tmp_path / "my ladder")
    assert (0, "") == first[:2]
    assert f"  next: ladder run --games 1000 --home '{tmp_path}/my ladder'\n" in first.err
    assert "is already a ladder; nothing has changed" in run_here("init", tmp_path / "my ladder").err


@pytest.mark.parametrize("command", [*LISTS[:4], ["export", "x.csv"]], ids=lambda command: command[0])
def test_an_empty_home_says_what_to_do(tmp_path, command, monkeypatch):
    run_here("init", tmp_path)
    monkeypatch.chdir(tmp_path)
    result = run_here(*command)
    assert 0 == result.code
    assert "  next: " in result.err
    if command[0] != "export":
        assert [] == json.loads(run_here(*command, "--format", "json").out)


@pytest.mark.process
def test_the_doctor_looks_for_interpreters_and_compilers(played):
    found = {row["what"]: row["ok"] for row in from_json(played, "doctor", "--format", "json")}
    assert found["python"]
    assert {"node", "cc", "tier none", "cores"} <= set(found)


@pytest.mark.process
def test_what_the_doctor_found_fits_a_line_where_there_is_no_terminal():
    lines = run_here("doctor").out.splitlines()
    assert [] == wide_lines(lines, 80)
    assert len(lines) > 15  # long answers are folded


# -- terminals and pipes


@pytest.mark.parametrize("columns", [110, 80, pytest.param(50, marks=pytest.mark.process)])
def test_a_table_fits_the_terminal(played, columns):
    shown = on_a_terminal_apart if columns == 50 else on_a_terminal  # COLUMNS is not set there
    lines = without_colour(shown(*at(played, "leaderboard"), columns=columns))
    table = list(takewhile(lambda line: not line.startswith("not "), lines))
    assert [] == wide_lines(table, columns)
    assert 3 == sum(re.match(r" *[\d-]+ +(greedy|random|stumbler) ", line) is not None for line in table)
    if columns != 80:  # there it hangs on how wide the ratings are
        assert (columns < 80) == any(line.startswith("not shown, for lack of room:") for line in lines)


def test_a_terminal_gets_colours_unless_it_asks_for_none(played):
    colour = re.compile(r"\x1b\[[0-9;]*3[0-9]")
    assert colour.search(on_a_terminal(*at(played, "leaderboard"), NO_COLOR=""))
    assert not colour.search(on_a_terminal(*at(played, "leaderboard"), NO_COLOR="1"))
    assert "\x1b" not in played.run.out + played.run.err


def test_only_faults_are_red(played):
    shown = on_a_terminal(*at(played, "leaderboard"), columns=120, NO_COLOR="")
    red = re.findall(r"\x1b\[31m *([^\x1b]*)", shown)
    assert red
    assert all(text[0].isdigit() for text in red), red


def test_a_terminal_gets_a_bar_with_rate_and_time_left(tmp_path):
    home = ladders.a_home(tmp_path / "home", {"good": {}, "other": {}}).path
    # the line is drawn eight times a second: matches enough for a second
    shown = on_a_terminal("run", "--games", "160", "--home", home)
    lines = without_colour(shown)
    assert any(
        re.search(r"run 1 .*\d+ of 160 matches, no faults +[\d,]+(/s| a minute), \d+:\d\d left", line)
        for line in lines
    )


@pytest.mark.process
def test_advice_comes_after_the_answer_where_both_go_the_same_way(played):
    env = {name: value for name, value in ENVIRONMENT.items() if name != "PYTHONUNBUFFERED"}
    command = [sys.executable, "-m", "ladder", *at(played, "matches")]
    done = subprocess.run(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    lines = done.stdout.splitlines()
    assert "match" == lines[0].split()[0]
    assert ["  next: ladder replay 1/201", f"ladder is ladder --home {played.home} here"] == lines[-2:]


@pytest.mark.process
def test_a_reader_who_has_had_enough_is_no_error(played):
    command = shlex.join([sys.executable, "-m", "ladder", *at(played, "replay", "last", "--json")])
    line = f"{{ {command}; echo $? >&2; }} | head -n 1"
    done = subprocess.run(["sh", "-c", line], env=ENVIRONMENT, capture_output=True, text=True)
    assert ("{\n", "0\n") == (done.stdout, done.stderr)


def test_a_new_home_is_made_where_the_environment_says(tmp_path, monkeypatch):
    monkeypatch.setenv("LADDER_HOME", str(tmp_path / "mine"))
    made = run_here("home", "init")
    assert (tmp_path / "mine/ladder.toml").is_file(), made.err
    assert "--home" not in made.err
