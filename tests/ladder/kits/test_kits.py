"""Kits: each makes a bot that passes the check; what cannot be made is refused as a whole."""

import json
import re
import shlex
from pathlib import Path
from unittest.mock import Mock

import pytest
from support import ladders
from support.command_line import check_refused, run_apart, run_here
from support.full import FULL
from support.kits import ask_bot, build, require_tools, write_conversation

from engines import GAMES
from engines.contract.texts import wide_lines
from ladder.errors import LadderError, UsageProblem
from ladder.home.home import house_bots
from ladder.kits.create import create_bot
from ladder.kits.languages import KITS, LANGUAGES, find_language
from ladder.registry.bot_manifest import read_manifest

MAIN_LINES = 60
README_LINES = 25
TYPED = [name for name, language in LANGUAGES.items() if language.types]


def games_of(languages, language, later=0):
    """Return the games at which a kit is tried: in the gate, each of *languages* has one of them in turn."""
    turn = [*languages].index(language) + later
    return [*GAMES] if FULL else [[*GAMES][turn % len(GAMES)]]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.tools
@pytest.mark.slow
def test_a_new_bot_passes_the_check_at_every_table_of_every_game(language, tmp_path):
    bot = create_bot(require_tools(LANGUAGES[language]), "rookie", tmp_path)
    games = games_of(LANGUAGES, language)
    checked = run_apart("check", bot, *(word for game in games for word in ("--game", game)), cwd=tmp_path)
    assert 0 == checked.code, checked.out + checked.err
    for finding in ("build", "same moves", "closed stdin"):
        assert f"ok       {finding} " in checked.out


@pytest.mark.parametrize(
    ("language", "game"), [(name, game) for name in TYPED for game in games_of(TYPED, name, later=1)]
)
@pytest.mark.tools
@pytest.mark.slow
def test_a_bot_for_one_game_reads_its_views_with_types(language, game, tmp_path):
    bot = create_bot(require_tools(LANGUAGES[language]), "rookie", tmp_path, game)
    assert (game,) == read_manifest(bot, GAMES).games
    build(bot)
    lines, choices = write_conversation(game, max(GAMES[game].seats))
    ready, *answered = ask_bot(bot, lines)
    assert "ready" == ready["type"]
    assert [line["id"] for line in lines if line["type"] == "act"] == [answer["id"] for answer in answered]
    for choice, answer in zip(choices, answered, strict=True):
        choice.check(answer["move"])  # raises an error for one that was not offered


@pytest.mark.tools
@pytest.mark.slow
def test_the_commands_of_the_readme_work_in_their_order(tmp_path):
    bot = create_bot(LANGUAGES["python"], "rookie", tmp_path, "stellar")
    shown = re.findall(r"`(ladder [^`]+)`", (bot / "README.md").read_text("utf-8"))
    first = (("init", "ladder-home"), ("bots", "house", "remove"), ("submit", bot, "--name", "other"))
    assert [0, 0, 0] == [run_apart(*words, cwd=tmp_path).code for words in first]
    for command in shown:
        words = shlex.split(re.sub(r"--games \d+", "--games 4", command))[1:]
        if words[0] == "try":  # what it is about: a change
            (bot / "bot.py").write_text((bot / "bot.py").read_text("utf-8") + "# changed\n")
            words += ["--games", "4"]
        if words[0] == "play":  # it waits for a bot that a person starts
            words[2:] = ["rookie", "other"]
        done = run_apart(*words, cwd=tmp_path)
        assert done.code in ((0, 5, 6) if words[0] == "try" else (0,)), f"{command}: {done.err}"
    assert ["check", "submit", "run", "leaderboard"] == [command.split()[1] for command in shown[:4]]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_kit_is_small_and_says_how_to_go_on(language, tmp_path):
    kit = LANGUAGES[language]
    bot = create_bot(kit, "rookie", tmp_path)
    assert len((bot / kit.main).read_text("utf-8").splitlines()) <= MAIN_LINES
    readme = (bot / "README.md").read_text("utf-8")
    assert len(readme.splitlines()) <= README_LINES
    for command in ("ladder check", "ladder submit", "ladder run", "ladder replay", "ladder faults"):
        assert command in readme
    assert "rookie" == read_manifest(bot, GAMES).name
    left = r"\{\{\w+\}\}"
    assert not any(re.search(left, path.read_text("utf-8")) for path in bot.rglob("*") if path.is_file())


def test_there_is_a_kit_for_each_folder_of_kits_and_none_is_a_house_bot():
    folders = {path.name for path in KITS.iterdir() if path.is_dir()} - {"shared"}
    assert set(LANGUAGES) == folders
    assert not any(path.is_relative_to(KITS) for path in house_bots().values())


@pytest.mark.parametrize(
    ("word", "name"),
    [("Go", "go"), ("GOLANG", "go"), ("JS", "javascript"), ("C", "c"), ("C++", "cpp"), ("c#", "csharp")],
)
def test_a_language_is_found_by_its_other_names_in_any_case(word, name):
    assert name == find_language(word).name


def test_no_name_means_two_languages():
    names = [name for each in LANGUAGES.values() for name in (each.name, *each.aliases)]
    assert len(names) == len(set(names))


def test_an_unknown_language_gets_a_suggestion():
    suggested = "there is no kit for 'pyton' (did you mean 'python'?)"
    check_refused(run_here("new", "pyton", "rookie"), 2, suggested, "ladder new")


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("a b", "cannot be a bot's name"),
        ("../up", "cannot be a bot's name"),
        ("greedy", "there is a bot 'greedy' already"),
        ("here", "is there already"),
        ("linked", "is there already"),
    ],
)
def test_a_name_that_cannot_be_used_is_refused_and_nothing_is_made(name, why, tmp_path):
    (tmp_path / "here").mkdir()
    (tmp_path / "linked").symlink_to("nowhere")
    before = sorted(tmp_path.iterdir())
    check_refused(run_here("new", "python", name, "--to", tmp_path), 2, why, "next: ")
    assert before == sorted(tmp_path.iterdir())


def test_the_name_of_a_bot_of_the_home_is_taken_also_when_it_no_longer_plays_or_has_another(tmp_path):
    home = ladders.a_home(tmp_path / "home", {"ann": {}, "bob": {}}).path
    assert 0 == run_here("bots", "retire", "ann", "--home", home).code
    assert 0 == run_here("bots", "rename", "bob", "rob", "--home", home).code
    for name in ("ann", "bob", "rob"):
        refused = run_here("new", "python", name, "--to", tmp_path, "--home", home)
        check_refused(refused, 2, f"there is a bot {name!r} already", "ladder bots")
    assert {"home", "player.py"} == {path.name for path in tmp_path.iterdir()}


def test_a_name_that_is_missing_is_asked_for():
    check_refused(run_here("new", "python"), 2, "ladder new python river-rat")


def test_a_folder_that_cannot_be_written_is_refused(tmp_path):
    (tmp_path / "file").touch()
    refused = run_here("new", "python", "rookie", "--to", tmp_path / "file")
    what = "rookie cannot be made: File exists"
    check_refused(refused, 1, what, "next: choose another folder with --in")


def test_an_unknown_game_is_refused_and_nothing_is_made(tmp_path):
    check_refused(run_here("new", "python", "rookie", "--game", "stela", "--to", tmp_path), 3, "did you mean")
    assert [] == list(tmp_path.iterdir())


def test_a_bot_for_some_table_sizes_names_them_in_its_manifest(tmp_path):
    quest = ("new", "python", "rookie", "--game", "stella-quest", "--to", tmp_path, "--seats")
    check_refused(run_here(*quest, 5), 2, "stella-quest is for 2, 3, 4 seats, not for 5")
    check_refused(run_here(*quest, 7), 2, "--seats")
    check_refused(run_here("new", "python", "rookie", "--seats", 2), 2, "--seats: name the game as well")
    assert [] == list(tmp_path.iterdir())
    assert 0 == run_here(*quest, 4, "--seats", 3, "--seats", 3).code
    folder = tmp_path / "rookie"
    assert {"stella-quest": (3, 4)} == read_manifest(folder, GAMES).seats
    assert "`ladder play stella-quest greedy --connect 1 --seats 3`" in (folder / "README.md").read_text()


def test_a_kit_that_cannot_be_copied_leaves_nothing_behind(tmp_path, monkeypatch):
    monkeypatch.setattr(Path, "write_text", Mock(side_effect=OSError("no space left on device")))
    with pytest.raises(LadderError, match="rookie cannot be made: no space left on device"):
        create_bot(LANGUAGES["python"], "rookie", tmp_path)
    assert [] == list(tmp_path.iterdir())


def test_tools_that_are_missing_are_named_with_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    made = run_here("new", "go", "rookie", "--to", tmp_path)
    assert 0 == made.code
    assert "this machine has no go, which the bot needs" in made.err
    assert "apt install golang-go, or see https://go.dev/dl; then: " in made.err


def test_the_list_of_languages_says_what_each_needs_and_what_is_missing(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    listed = json.loads(run_here("new", "--format", "json").out)
    assert list(LANGUAGES) == [row["language"] for row in listed]
    (go,) = (row for row in listed if row["language"] == "go")
    assert {"main": "bot.go", "needs": ["go"], "missing": ["go"]}.items() <= go.items()
    assert "apt install golang-go, or see https://go.dev/dl" == go["to_do"]
    shown = run_here("new")
    assert "golang-go" in shown.err.partition("next: apt install ")[2]
    assert [] == wide_lines(shown.out.splitlines(), 80)


def test_a_game_without_a_schema_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(Path, "with_name", lambda self, name: tmp_path / name)
    with pytest.raises(UsageProblem, match="no schema that types can be made from"):
        create_bot(LANGUAGES["python"], "rookie", tmp_path, "stellar")
