"""A class of 69 odd hand-ins: what can play is taken in, and each answer says what is the matter."""

import json
import re
from pathlib import Path

import pytest
from support.command_line import run_here
from support.need import need_program
from support.odd_class import ACCEPTED, REFUSED, hand_in_oddly

SETTINGS = """\
[run]
games = ["stellar"]
[limits]
move_ms = 500
bank_ms = 500
"""
NOT_FOR_AUTHORS = re.compile(r"ladder-unpacked|/staging/|pytest-of")
"""Places of the machine, which no author need know."""


@pytest.mark.tools
@pytest.mark.slow
def test_each_of_a_class_of_odd_hand_ins_gets_a_right_answer(tmp_path: Path) -> None:
    for program, package in {"node": "nodejs", "ruby": "", "jq": "", "cc": "gcc"}.items():
        need_program(program, package)
    home, entries, pages = tmp_path / "home", tmp_path / "entries", tmp_path / "pages"
    hand_in_oddly(entries)
    before = {path: path.read_bytes() for path in entries.rglob("*") if path.is_file()}
    assert 0 == run_here("home", "init", home).code
    (home / "ladder.toml").write_text(SETTINGS)
    command = ("submit", "--all", entries, "--pages", pages, "--home", home, "--quiet")
    assert 0 == run_here(*command).code, "every entry has its answer"
    wrong = []
    for entry in (*ACCEPTED, *REFUSED):
        page = (pages / f"{entry.name}.md").read_text("utf-8")
        is_in = "**Accepted as" in page
        if is_in != (entry in ACCEPTED) or entry.said not in page or NOT_FOR_AUTHORS.search(page):
            wrong.append((entry.name, page))
    assert [] == wrong
    assert before == {path: path.read_bytes() for path in entries.rglob("*") if path.is_file()}, (
        "the authors' own files are not touched"
    )

    again = run_here(*command)
    assert 0 == again.code
    assert "new version" not in again.out, "what was mended has the hash of what is kept"
    bots = json.loads(run_here("bots", "--format", "json", "--home", home).out)
    assert len(ACCEPTED) == len([bot for bot in bots if bot["author"] != "ladder"])
    assert 0 == run_here("run", "--games", "100", "--home", home).code
