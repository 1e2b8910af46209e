"""`ladder submit`: whose name it is, and how to say that a bot has moved."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.command_line import Said, on_a_terminal, typed, without_colour

BOT = 'name = "rat"\nrun = ["{python}", "bot.py"]\nauthor = "Ann"\n'


def a_bot(folder: Path, text: str = "pass") -> Path:
    """Write a bot called rat into *folder*; return it."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "bot.py").write_text(text)
    (folder / "bot.toml").write_text(BOT)
    return folder


def submit(place: Path, *arguments: str | Path) -> Said:
    """Submit without a match, to the home in *place*."""
    return typed("submit", "--no-check", "--home", place / "home", *arguments, cwd=place)


def test_who_copies_name_and_author_is_refused_and_told_what_to_type(tmp_path: Path) -> None:
    assert 0 == submit(tmp_path, a_bot(tmp_path / "ann/rat")).code
    refused = submit(tmp_path, a_bot(tmp_path / "zoe/rat", "pass  # zoe"))
    assert (2, "") == (refused.code, refused.out)
    first = f"ladder: there is a bot 'rat' already, submitted from {tmp_path}/ann/rat\n"
    assert refused.err.startswith(first)
    line = f"{tmp_path}/zoe/rat, if it is its next version; else give it another name"
    assert f"submit --home {tmp_path}/home --replace {line}" in refused.err
    assert 0 == submit(tmp_path, "--replace", tmp_path / "zoe/rat").code


@pytest.mark.parametrize(("answer", "code", "number"), [("y", 0, 2), ("n", 2, 1), ("", 2, 1)])
def test_submit_asks_on_a_terminal(tmp_path: Path, answer: str, code: int, number: int) -> None:
    assert 0 == submit(tmp_path, a_bot(tmp_path / "ann/rat")).code
    a_bot(tmp_path / "zoe/rat", "pass  # zoe")
    command = ("submit", "--no-check", "--home", f"{tmp_path}/home", f"{tmp_path}/zoe/rat")
    said = "".join(without_colour(on_a_terminal(*command, code=code, answers=f"{answer}\n")))
    assert f"make this bot from {tmp_path}/zoe/rat its next version? [y/N]" in said
    assert ("new version of rat: rat@2" in said) == (code == 0)
    listed = typed("bots", "--format", "json", "--home", tmp_path / "home", cwd=tmp_path)
    assert [number] == [bot["number"] for bot in json.loads(listed.out)]


def test_a_class_has_a_place_and_its_bots_move_by_name(tmp_path: Path) -> None:
    a_bot(tmp_path / "monday/s01")
    a_bot(tmp_path / "tuesday/s01", "pass  # 2")
    a_bot(tmp_path / "wednesday/s02", "pass  # 3")
    assert 0 == submit(tmp_path, "--all", "monday", "--place", "A").code
    assert 0 == submit(tmp_path, "--all", "tuesday", "--place", "A").code
    refused = submit(tmp_path, "--all", "wednesday", "--place", "A")
    assert 2 == refused.code
    assert "for bots that have moved: --replace-bots rat;" in refused.err
    moved = submit(tmp_path, "--all", "wednesday", "--place", "A", "--replace-bots", "rat")
    assert (0, True) == (moved.code, "rat@3" in moved.out)


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--place", "A", "monday/s01"), 2, "--place: it names the folder of --all"),
        (("--place", "a/b", "--all", "monday"), 2, "--place: expected letters, digits, dots or dashes"),
        (
            ("--replace-bots", "rat", "monday/s01"),
            2,
            "--replace-bots: it goes with --all; for one bot: --replace",
        ),
        (("--replace-bots", "cat", "--all", "monday"), 3, "there is no bot 'cat'"),
    ],
)
def test_options_of_a_class_want_a_class(
    tmp_path: Path, words: tuple[str, ...], code: int, said: str
) -> None:
    a_bot(tmp_path / "monday/s01")
    assert 0 == typed("home", "init", "home", cwd=tmp_path).code
    refused = submit(tmp_path, *words)
    assert (code, True) == (refused.code, said in refused.err), refused.err
