"""`ladder bots ask` and `diff`: bots and decisions of stored matches, as people and programs read them."""

import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support.command_line import (
    ENVIRONMENT,
    check_refused,
    listing,
    on_a_terminal,
    run_here,
    without_colour,
)
from support.commands import process_group

from engines.contract.texts import wide_lines

pytestmark = pytest.mark.usefixtures("threads")

LAST = """\
import sys
from protocol.client import serve

def choose(act):
    print("step", act.step, file=sys.stderr)
    return act.choice.options[-1], "because \\x1b[31m"

serve(choose)
"""


@pytest.fixture
def last(tmp_path):
    """Return a bot that takes the last option, with a note and a line in its log."""
    path = tmp_path / "last.py"
    path.write_text(LAST)
    return path


def as_json(played, *arguments):
    found = run_here("bots", "ask", *arguments, "--json", "--home", played.home)
    assert 0 == found.code, found.err
    rows: dict[str, Any] = json.loads(found.out)
    return rows


def replayed(played, match):
    record: dict[str, Any] = json.loads(run_here("replay", match, "--json", "--home", played.home).out)
    return record


def greedy_in(played):
    """Return a match of greedy without a fault, its seat, and a step in which it decides."""
    rows = json.loads(run_here("matches", "--bot", "greedy", "--format", "json", "--home", played.home).out)
    match: str = next(row["match"] for row in rows if not any(s["fault"] for s in row["seats"]))
    record = replayed(played, match)
    seat = next(i for i, made in enumerate(record["seats"]) if made["bot"] == "greedy")
    step = next(i for i, moves in enumerate(record["moves"]) if i > 10 and moves[0][0] == seat)
    return match, seat, step


def test_a_banned_bot_is_asked_confined_or_not_at_all(played, tmp_path):
    home = shutil.copytree(played.home, tmp_path / "home")
    match, seat, step = greedy_in(played)
    assert 0 == run_here("bots", "ban", "greedy", "--why", "it reads the deal", "--home", home).code
    words = ("bots", "ask", "greedy", match, str(step), "--seat", str(seat), "--home", home)
    assert "  now      the same: " in run_here(*words).out
    check_refused(run_here(*words, "--attach"), 2, "greedy is banned since 2")


@pytest.mark.process
def test_the_answer_stands_beside_what_was_played(played):
    match, seat, step = greedy_in(played)
    shown = run_here("bots", "ask", "greedy", match, str(step), "--home", played.home)
    move = replayed(played, match)["moves"][step][0][1]
    assert 0 == shown.code, shown.err
    assert f"greedy@1 in match {match} of stellar, seat {seat}, where greedy sat\nstep {step}: " in shown.out
    assert re.search(rf"\n  played   {re.escape(move)}  \([\d.]+ ms\)\n", shown.out)
    assert re.search(rf"\n  now      the same: {re.escape(move)}  \([\d.]+ ms\)\n", shown.out)
    assert "before that, it answered as in the match" in shown.err


def test_as_json_requests_and_answers_are_whole(played):
    match, seat, step = greedy_in(played)
    found = as_json(played, "greedy", match, str(step))
    (answer,) = found["answers"]
    assert (match, "stellar", seat, []) == (found["match"], found["game"], found["seat"], found["remarks"])
    assert answer["same"] is True
    assert (step, seat) == (answer["request"]["step"], answer["request"]["view"]["seat"])
    assert replayed(played, match)["moves"][step][0][1] == answer["played"]["move"] == answer["now"]["move"]
    assert [] == found["differs_before"]


def test_a_path_is_asked_and_nothing_of_it_is_kept(played, last):
    match, seat, step = greedy_in(played)
    before = listing(played.home)
    shown = run_here("bots", "ask", str(last), match, str(step), "--seat", str(seat), "--home", played.home)
    assert 0 == shown.code, shown.err
    assert f"last in match {match} of stellar, seat {seat}, where greedy sat\n" in shown.out
    assert f"\n  note     because \\x1b[31m\n  stderr   step {step}\n" in shown.out
    assert "before that, its answers differ from the match in " in shown.err
    assert before == listing(played.home)


@pytest.mark.slow
def test_step_by_step_goes_on_to_the_end_of_the_match(played):
    match, seat, step = greedy_in(played)
    found = as_json(played, "greedy", match, str(step), "--step-by-step")
    record = replayed(played, match)
    decided = [i for i, moves in enumerate(record["moves"]) if i >= step and seat in [m[0] for m in moves]]
    assert [*decided, len(record["moves"])] == [answer["step"] for answer in found["answers"]]
    assert all(answer.get("same", True) for answer in found["answers"])


def test_the_command_of_a_fault_makes_it_again(played):
    card = run_here("faults", "stumbler", "--top", "1", "--home", played.home).out
    (command,) = re.findall(r"^  again     (.*)$", card, re.MULTILINE)
    words = shlex.split(command)
    shown = run_here(*words[words.index("bots") :], "--home", played.home)
    assert 0 == shown.code, shown.err
    assert "\n  played   it failed: illegal: expected one of " in shown.out
    assert "\n  now      the same: it fails: illegal: expected one of " in shown.out
    assert '"move":"take 9"' in shown.out


def test_hello_only_starts_the_bot(played):
    match, _, _ = greedy_in(played)
    shown = run_here("bots", "ask", "greedy", match, "hello", "--home", played.home)
    assert (0, "") == (shown.code, shown.err)
    assert '\nhello\n  now      {"type":"ready","protocol":1' in shown.out


def test_at_the_end_a_bot_has_nothing_to_say(played):
    match, _, _ = greedy_in(played)
    shown = run_here("bots", "ask", "greedy", match, "end", "--home", played.home)
    assert 0 == shown.code, shown.err
    steps = len(replayed(played, match)["moves"])
    assert f"\nstep {steps}: the end of the match\n  now      nothing, as expected\n" in shown.out


def test_a_bot_that_does_not_come_as_far_fails_the_command(played, tmp_path):
    match, seat, step = greedy_in(played)
    path = tmp_path / "mute.py"
    path.write_text(LAST.replace('print("step"', 'act.step and sys.exit("no more")\n    print("step"'))
    shown = run_here("bots", "ask", str(path), match, str(step), "--seat", str(seat), "--home", played.home)
    assert (1, "the bot got no further\n") == (shown.code, shown.err)
    assert "now      it fails: crash: the process ended (exit status 1)" in shown.out
    assert "no more" in shown.out


@pytest.mark.parametrize(
    ("arguments", "code", "what", "hint"),
    [
        ("greedy last 999", 3, "has no step 999", "ladder replay"),
        ("greedy last final", 2, "hello or end, got: 'final'", "--help"),
        ("greedy last twelve", 2, "expected the number of a step, hello or end, got: 'twelve'", "--help"),
        ("greedy last -- -1", 2, "expected the number of a step, hello or end, got: '-1'", "--help"),
        ("greedy 1/9999 1", 3, "there is no match '1/9999'", "ladder matches"),
        ("gredy last 1", 3, "there is no bot 'gredy' (did you mean 'greedy'?)", "ladder bots"),
        ("greedy@7 last 1", 3, "greedy has no version '7'", "it has: greedy@1"),
        ("./nothing.py last 1", 2, "there is no file or folder './nothing.py'", "ladder bots lists"),
    ],
)
def test_what_cannot_be_asked_is_refused(played, arguments, code, what, hint):
    shown = run_here("bots", "ask", "--home", played.home, *shlex.split(arguments))
    assert code == shown.code
    assert what in shown.err
    assert hint in shown.err.partition("\n  next: ")[2]


def test_a_path_that_is_not_built_is_not_attached_to(played, tmp_path, monkeypatch):
    bot = tmp_path / "river rat"
    bot.mkdir()
    (bot / "bot.toml").write_text(
        'name = "river-rat"\nbuild = ["cc", "-o", "the bot", "bot.c"]\nrun = ["./the bot"]\n'
    )
    monkeypatch.chdir(tmp_path)
    asked = ("bots", "ask", "./river rat", "last", "5", "--attach", "--home", played.home)
    said = "river-rat is not built: river rat/the bot is missing (with --attach a path runs where"
    hint = "next: build it first: cd 'river rat' && cc -o 'the bot' bot.c\n"
    check_refused(run_here(*asked), 2, said, hint)
    (bot / "bot.toml").write_text('name = "river-rat"\nrun = ["./the bot"]\n')
    assert "`run` names ./the bot, which is not in the snapshot" in run_here(*asked).err


def test_lines_fit_a_terminal(played):
    match, _, step = greedy_in(played)
    lines = without_colour(on_a_terminal("bots", "ask", "greedy", match, str(step), "--home", played.home))
    assert [] == wide_lines(lines, 80)
    assert [] == [line for line in lines if line.startswith(" ") and not re.match(r"  [a-z(]|  {9}", line)]


@pytest.mark.slow
def test_a_debugger_is_waited_for_until_enter(played, last):
    match, seat, step = greedy_in(played)
    asking = ["ask", str(last), match, str(step), "--seat", str(seat), "--attach", "--home", str(played.home)]
    pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with process_group(
        [sys.executable, "-m", "ladder", "bots", *asking], text=True, env=ENVIRONMENT, **pipes
    ) as process:
        waits = process.stderr.readline()
        (pid,) = re.findall(r"^process (\d+) waits: attach a debugger", waits)
        status = Path(f"/proc/{pid}/cwd").resolve()
        out, err = process.communicate("\n", timeout=60)
    assert last.parent == status, "it runs where it is"
    assert 0 == process.returncode, err
    assert f"stderr   step {step}\n" in out


# -- ladder bots diff


def test_differences_are_listed_by_kind_and_one_by_one(played):
    asked = ("bots", "diff", "greedy", "random", "--matches", "2", "--home", played.home)
    shown = run_here(*asked, "--top", "3")
    assert 0 == shown.code, shown.err
    assert re.search(r"^stellar +take +\d+ +\d+ +\d+%$", shown.out, re.MULTILINE)
    differ, decisions = map(int, re.findall(r"^differ: (\d+) of (\d+) decisions, in \d+ seats", shown.err)[0])
    assert 3 < differ <= decisions
    assert "3 are listed, --top N lists more\n  next: ladder replay 1/" in shown.err
    rows = json.loads(run_here(*asked, "--top", "9999", "--format", "json").out)
    assert differ == len(rows)
    assert 2 >= len({row["match"] for row in rows})
    for row in rows:
        assert row["old"] != row["new"]
        assert ("stellar", True) == (row["game"], row["played"] is not None)


@pytest.mark.slow
def test_the_command_of_a_difference_shows_the_new_answer(played, last):
    asked = ("bots", "diff", "greedy", str(last), "--matches", "1", "--home", played.home)
    before = listing(played.home)
    rows = json.loads(run_here(*asked, "--format", "json").out)
    assert before == listing(played.home)
    words = shlex.split(rows[-1]["ask"])
    shown = run_here(*words[1:], "--home", played.home)
    assert f"now      {rows[-1]['new']}  (" in shown.out


def test_bots_that_cannot_be_compared_are_refused(played):
    for words, code in (("greedy@1", 2), ("random --game stella", 3), ("random --in d9", 3)):
        assert code == run_here("bots", "diff", "greedy", *words.split(), "--home", played.home).code
