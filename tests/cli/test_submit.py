"""`ladder submit`: whose name it is, and how to say that a bot has moved."""

import csv
import io
import json

import pytest
from support.command_line import on_a_terminal, run_here, without_colour

from ladder.errors import LESS_LOAD, TooBusy

pytestmark = pytest.mark.usefixtures("threads", "here")

BOT = 'name = "rat"\nrun = ["{python}", "bot.py"]\nauthor = "Ann"\n'


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def a_bot(folder, text="pass"):
    """Write a bot called rat into *folder*; return it."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "bot.py").write_text(text)
    (folder / "bot.toml").write_text(BOT)
    return folder


def submit(place, *arguments):
    """Submit without a match, to the home in *place*."""
    return run_here("submit", "--check", "none", "--home", place / "home", *arguments)


@pytest.mark.parametrize(("answer", "code", "number"), [("y", 0, 2), ("n", 2, 1), ("", 2, 1)])
def test_submit_asks_on_a_terminal(tmp_path, answer, code, number):
    assert 0 == submit(tmp_path, a_bot(tmp_path / "ann/rat")).code
    a_bot(tmp_path / "zoe/rat", "pass  # zoe")
    command = ("submit", "--check", "none", "--home", f"{tmp_path}/home", f"{tmp_path}/zoe/rat")
    said = "".join(without_colour(on_a_terminal(*command, code=code, answers=f"{answer}\n")))
    assert f"make this bot from {tmp_path}/zoe/rat its next version? [y/N]" in said
    assert ("new version of rat: rat@2" in said) == (code == 0)
    listed = run_here("bots", "--format", "json", "--home", tmp_path / "home")
    assert [number] == [bot["number"] for bot in json.loads(listed.out)]


def test_a_class_has_a_place_and_its_bots_move_by_name(tmp_path):
    a_bot(tmp_path / "monday/s01")
    a_bot(tmp_path / "tuesday/s01", "pass  # 2")
    a_bot(tmp_path / "wednesday/s02", "pass  # 3")
    assert 0 == submit(tmp_path, "--all", "monday", "--place", "A").code
    assert 0 == submit(tmp_path, "--all", "tuesday", "--place", "A").code
    refused = submit(tmp_path, "--all", "wednesday", "--place", "A")
    assert 0 == refused.code, "each entry has its answer"
    assert 2 == submit(tmp_path, "--all", "wednesday", "--place", "A", "--strict").code
    assert "for bots that have moved: --replace rat;" in refused.err
    (tmp_path / "rat").mkdir(exist_ok=True)  # with --all, a word behind --replace is a name
    moved = submit(tmp_path, "--all", "wednesday", "--place", "A", "--replace", "rat")
    assert (0, True) == (moved.code, "rat@3" in moved.out)


def test_a_page_is_written_as_soon_as_its_answer_is_there(tmp_path, monkeypatch):
    pages, there = tmp_path / "pages", []

    def play_itself(home, version, *_, **__):
        there.append(len([*pages.glob("*.md")]))
        return {}

    monkeypatch.setattr("ladder.admission.submit.play_itself", play_itself)
    for name in ("one", "two"):
        (a_bot(tmp_path / "class" / name, name) / "bot.toml").write_text(BOT.replace('"rat"', f'"{name}"'))
    run_here("submit", "--all", tmp_path / "class", "--home", tmp_path / "home", "--pages", pages)
    assert [0, 1] == there


# -- on a machine that is too busy


@pytest.fixture
def busy(monkeypatch):
    """Let the machine be too busy for the bot called late, and fail no other."""

    def play_itself(home, version, *_, **__):
        if version.bot == "late":
            raise TooBusy("late@1-0: no ready; but it waited", judged="late")
        return {}

    monkeypatch.setattr("ladder.admission.submit.play_itself", play_itself)


def submit_class(folder, *names, form="table"):
    for name in names:
        (folder / name).mkdir(parents=True)
        (folder / name / "bot.py").write_text(f"pass  # {name}")
        text = BOT.replace('"rat"', f'"{name}"') if name != "broken" else ""
        (folder / name / "bot.toml").write_text(text)
    return run_here("submit", "--all", folder, "--home", folder.parent / "home", "--format", form)


@pytest.mark.usefixtures("busy")
def test_one_bot_that_is_not_judged_ends_with_exit_code_8(tmp_path):
    bot = a_bot(tmp_path / "late")
    (bot / "bot.toml").write_text(BOT.replace('"rat"', '"late"'))
    answer = run_here("submit", bot, "--home", tmp_path / "home")
    assert (8, "") == (answer.code, answer.out)
    assert "late is not judged: this machine is too busy: late@1-0: no ready; but it waited" in answer.err
    assert LESS_LOAD in " ".join(answer.err.split())


@pytest.mark.usefixtures("busy")
def test_of_many_those_that_are_not_judged_are_told_from_those_refused(tmp_path):
    answer = submit_class(tmp_path / "class", "early", "late")
    assert 8 == answer.code
    assert "not judged: this machine is too busy: late@1-0: no ready; but it waited" in answer.out
    assert "1 of 2 accepted, 1 not judged, because this machine is too busy\n" in answer.err
    assert f"next: {LESS_LOAD}" in " ".join(answer.err.split())


@pytest.mark.usefixtures("busy")
@pytest.mark.parametrize("form", ["json", "csv"])
def test_rows_have_a_result_of_its_own_and_one_that_is_not_judged_gives_the_exit_code(tmp_path, form):
    answer = submit_class(tmp_path / "class", "early", "late", "broken", form=form)
    assert 8 == answer.code
    rows = json.loads(answer.out) if form == "json" else [*csv.DictReader(io.StringIO(answer.out))]
    assert ["refused", "new bot", "not judged"] == [row["result"] for row in rows]
    assert ["number", "result", "why"] == list(rows[0])[2:5]
    assert (LESS_LOAD, "this machine is too busy: late@1-0: no ready; but it waited") == (
        rows[2]["hint"],
        rows[2]["why"],
    )
    assert "1 of 3 accepted, 1 not judged, because this machine is too busy" in answer.err
    assert "correct the others" in answer.err


SLOW = """\
import time
from protocol.client import serve
def choose(act):
    time.sleep(0.3 if act.step == 0 else 0)
    return act.choice.options[0] if act.choice.kind == "one" else act.choice.options[: act.choice.low]
serve(choose)
"""


def test_a_slow_bot_is_taken_in_under_another_limit(tmp_path):
    (tmp_path / "home").mkdir()
    (tmp_path / "home/ladder.toml").write_text("[limits]\nmove_ms = 1\nbank_ms = 0\n")
    command = (
        "submit",
        a_bot(tmp_path / "rat", SLOW),
        "--check",
        "quick",
        "--game",
        "stellar",
        "--home",
        "home",
    )
    code, _, err = run_here(*command)
    assert 1 == code
    assert "answer sooner: a decision has 1 ms (move_ms)" in err
    assert "below [limits.bots.rat] in ladder.toml" in err
    assert 0 == run_here(*command, "--limit", "move_ms=60000").code
