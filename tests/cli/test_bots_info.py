"""`ladder bots BOT`: what is known of a bot."""

import json
import shlex
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from support import ladders
from support.command_line import on_a_terminal, run_here, without_colour
from support.places import ROOT
from support.taken_in import make_unfit

from engines import GAMES
from engines.contract.texts import wide_lines
from results.reports.board_marks import MARKS
from results.reports.row_sets import FAULTS

pytestmark = pytest.mark.usefixtures("threads")


def facts(home, bot, *more):
    """Return what `ladder bots BOT` says of *bot*."""
    result = run_here("bots", bot, "--json", "--home", home, *more)
    assert 0 == result.code, result.err
    found: dict[str, Any] = json.loads(result.out)
    return found


def rows(command, home, *more):
    found: list[dict[str, Any]] = json.loads(run_here(command, *more, "--format", "json", "--home", home).out)
    return found


def test_the_table_sizes_of_a_bot_are_shown_where_they_are_not_all(home):
    assert {} == facts(home.path, "ann")["seats"]
    make_unfit(home.roster, "ann", "stella-quest/4", "stella/3")
    assert {"stella-quest": [2, 3], "stella": [4, 5, 6]} == facts(home.path, "ann")["seats"]
    shown = run_here("bots", "ann", "--home", home.path).out
    assert "\nseats      stella-quest at 2, 3; stella at 4, 5, 6\n" in shown
    listed = {row["bot"]: row["seats"] for row in rows("bots", home.path)}
    assert {"stella-quest": [2, 3], "stella": [4, 5, 6]} == listed.pop("ann")
    assert [None] * len(listed) == [*listed.values()]
    assert "  stella-quest at 2, 3; stella at 4, 5, 6\n" in run_here("bots", "--home", home.path).out


def test_a_bot_is_shown_with_what_it_runs_and_where_it_is_stored(home):
    old, new = (home.roster.find(f"ann@{number}") for number in (1, 2))
    found = facts(home.path, "ann")
    assert ("ann", 2, new.version) == (found["bot"], found["number"], found["version"])
    assert f"{shlex.quote(sys.executable)} -S player.py" == found["runs"]
    assert sorted(GAMES) == sorted(found["games"])
    assert new.folder == found["files"]
    assert Path(new.folder, "player.py").is_file()
    assert [(1, old.version, False), (2, new.version, True)] == [
        (row["number"], row["version"], row["plays"]) for row in found["versions"]
    ]
    assert [] == found["ratings"] == found["played"]
    shown = run_here("bots", "ann", "--home", home.path)
    assert shown.out.startswith(f"bot        ann@2 ({new.version})\n")
    assert "author" not in shown.out, "what is empty is not shown"
    assert "ann@2 has not played yet\n  next: ladder run\n" in shown.err
    assert old.version == facts(home.path, "ann@1")["version"]
    older = run_here("bots", "ann@1", "--game", "stella", "--home", home.path)
    again = "next: ladder run --schedule gauntlet ann@1 --game stella\n"
    assert "ann@1 has not played stella yet\n" in older.err
    assert again in older.err
    assert 0 == run_here("bots", "ban", "ann", "--why", "it cheats", "--home", home.path).code
    assert "next" not in run_here("bots", "ann", "--home", home.path).err, "no run takes it"


def test_versions_are_shown_with_their_notes_and_dates(home):
    first = home.roster.find("ann@1")
    home.roster.rewrite(msgspec.structs.replace(first, note="looks ahead\x1b[2J", retired=True))
    row, _ = facts(home.path, "ann")["versions"]
    assert ("looks ahead\x1b[2J", True, first.submitted) == (row["note"], row["retired"], row["submitted"])
    assert "looks ahead\\x1b[2J" in run_here("bots", "ann", "--home", home.path).out


def test_the_facts_are_those_of_the_other_commands(played):
    found = facts(played.home, "greedy")
    (row,) = [row for row in rows("leaderboard", played.home) if row["bot"] == "greedy"]
    for column in MARKS:  # a board alone has them, for spreadsheets
        row.pop(column.key)
    assert [row] == found["ratings"]
    (game,) = found["played"]
    assert "stellar" == game["game"]
    assert rows("bots", played.home, "greedy", "--history") == game["history"]
    against = rows("matrix", played.home, "--bot", "greedy")
    assert sorted(against, key=lambda row: row["rival"]) == sorted(
        game["opponents"], key=lambda row: row["rival"]
    )
    assert [(2, 0), (2, 1)] == [(place["seats"], place["seat"]) for place in game["seats"]]
    assert 0 < game["headroom"]["p50_us"] <= game["headroom"]["p99_us"] <= game["headroom"]["most_us"]
    assert 1 << 20 < game["headroom"]["memory_bytes"] < game["headroom"]["memory_mb"] << 20
    assert str(ROOT) not in found["files"], "the home's copy plays, not the source"


def test_faults_are_listed_as_another_command_lists_them(played):
    listed = rows("faults", played.home, "stumbler", "-n", "50")
    keys = [column.key for column in FAULTS]
    found = facts(played.home, "stumbler")["faults"]["newest"]
    assert [[row[key] for key in keys] for row in listed] == [[row[key] for key in keys] for row in found]
    shown = run_here("bots", "stumbler", "--home", played.home)
    newest = listed[0]
    first = next(line for line in shown.out.splitlines() if line.startswith("match "))
    row = shown.out.splitlines()[shown.out.splitlines().index(first) + 2].split()
    assert [f"{newest['run']}/{newest['number']}", f"{newest['step']}", newest["kind"]] == row[:3]
    assert "  next: ladder faults stumbler@1" in shown.err


def test_only_one_game_is_shown_if_it_is_asked_for(played):
    assert (
        facts(played.home, "greedy")["played"] == facts(played.home, "greedy", "--game", "stellar")["played"]
    )
    assert [] == facts(played.home, "greedy", "--game", "stella")["played"]
    assert 3 == run_here("bots", "greedy", "--game", "stelar", "--home", played.home).code


def test_a_terminal_of_80_columns_shows_every_part_with_a_chart(played):
    lines = without_colour(on_a_terminal("bots", "greedy", "--home", played.home))
    assert [] == [line for line in lines if len(line.rstrip()) > 80 and not line.startswith(("runs", "f"))]
    for part in (
        "stellar: rating over its matches",
        "stellar: against each opponent",
        "stellar: by table size and seat",
        "stellar: use of the limits",
        "Faults",
    ):
        assert any(line.startswith(part) for line in lines), part
    bars = [line for line in lines if "├" in line]
    assert 2 <= len(bars) <= 7
    assert all("●" in bar for bar in bars)


@pytest.mark.slow
def test_a_terminal_of_80_columns_shows_versions_and_whole_notes(home):
    text = "looks ahead two moves, and gives up the row when the last card of a colour is gone for good"
    for version in home.roster.versions():
        manifest = msgspec.structs.replace(
            version.manifest,
            games=("starry-sky", "stella", "stella-quest", "stellar"),
            author="somebody",
            description="A bot that is described in more words than fit.",
        )
        home.roster.rewrite(msgspec.structs.replace(version, note=text, manifest=manifest))
    for command in (["bots", "--all-versions"], ["bots", "ann"]):
        lines = without_colour(on_a_terminal(*command, NO_COLOR="1", LADDER_HOME=str(home.path)))
        told = " ".join(" ".join(lines).split())
        assert all(version.version in told for version in home.roster.versions_of("ann"))
        assert all(word in told for word in text.split())
        table = [line for line in lines if not line.startswith(("runs", "files", "from", "note  "))]
        assert [] == wide_lines(table, 80)


@pytest.mark.slow
def test_a_version_without_a_match_says_which_one_has_some(tmp_path):
    home = ladders.a_home(tmp_path / "home", {"ann": {"style": "first"}, "bob": {}})
    ladders.play(home, matches=2, jobs=1)
    ladders.enlist(home, "ann", {"style": "last"})
    code, out, err = run_here("bots", "ann", "--home", home.path)
    assert 0 == code
    assert "ann@2 has not played yet\n  next: ladder bots ann@1\n" in err
    assert "stellar" in out, "the ratings of its other versions"
    assert "against each opponent" not in out


@pytest.mark.slow
def test_opponents_that_do_not_play_any_more_are_left_out_unless_they_are_asked_for(tmp_path):
    home = ladders.a_home(tmp_path / "home", {"ann": {"style": "first"}, "bob": {}, "cid": {}})
    ladders.play(home, matches=6, jobs=1)
    assert 0 == run_here("bots", "retire", "cid", "--home", home.path).code
    shown = run_here("bots", "ann", "--home", home.path)
    assert "\nbob " in shown.out
    assert "\ncid " not in shown.out
    assert "1 opponent no longer plays\n  next: --all-versions shows them" in shown.err
    assert "\ncid " in run_here("bots", "ann", "--all-versions", "--home", home.path).out
    (game,) = facts(home.path, "ann")["played"]
    assert {"bob", "cid"} == {row["rival"] for row in game["opponents"]}
    assert [None] == [row["rank"] for row in facts(home.path, "cid")["ratings"]]
