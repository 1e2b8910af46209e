"""Kits with a JSON reader of their own understand every line that a referee may send."""

import json
import subprocess
from collections.abc import Callable, Sequence

import pytest
from support.kits import build, require_tools

from engines import GAMES
from ladder.kits.create import create_bot
from ladder.kits.languages import LANGUAGES
from ladder.registry.bot_manifest import read_manifest

pytestmark = [pytest.mark.tools, pytest.mark.slow]

SLIPS = {
    "c": ("    return size;", "if (act->step == 99) size = 0;"),
    "cpp": ("    return moves;", "if (act.step == 99) moves.clear();"),
    "java": ("        return moves", "if (act.step == 99) return List.of();"),
    "rust": ("    moves\n", "if act.step == 99 { return vec![]; }"),
    "lua": ("    return moves", "if act.step == 99 then return {} end"),
}
"""Kits with a reader of their own: a line of `choose`, and before it a slip of its author, in step 99."""
OPTIONS = ["take 1", 'a "quoted" one', "back\\slash", "é € \U0001d11e", "line\u2028end", "tab\tnew\nline", ""]
START = {"type": "start", "match": "00ff", "game": "toy", "version": 1, "seat": 1, "seats": 2, "options": {}}

Talk = Callable[[Sequence[str]], subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module", params=SLIPS)
def talk(request, tmp_path_factory):
    """Return a function that sends lines to the bot of a kit until it ends."""
    language = require_tools(LANGUAGES[request.param])
    bot = create_bot(language, "rookie", tmp_path_factory.mktemp("kit"))
    main = bot / language.main
    line, slip = SLIPS[request.param]
    text = main.read_text("utf-8")
    assert 1 == text.count(line)
    main.write_text(text.replace(line, f"    {slip}\n{line}"), "utf-8")
    build(bot)
    command = read_manifest(bot, GAMES).run

    def send(lines):
        text = "".join(f"{line}\n" for line in lines)
        return subprocess.run(
            command, cwd=bot, input=text, capture_output=True, text=True, encoding="utf-8", timeout=60
        )

    return send


def act(step, choice, **fields):
    asked = {
        "type": "act",
        "id": f"{step:016x}",
        "match": "00ff",
        "step": step,
        "seed": 2**53,
        "choice": choice,
    }
    return {**asked, "clock": {"move_ms": 1000, "bank_ms": 0}, "events": [], "view": {"seat": 1}, **fields}


def moves_of(done):
    assert (0, "") == (done.returncode, done.stderr)
    ready, *answers = [json.loads(line) for line in done.stdout.split("\n") if line]
    assert {"type": "ready", "protocol": 1} == ready
    assert [f"{step:016x}" for step in range(len(answers))] == [answer["id"] for answer in answers]
    return [answer["move"] for answer in answers]


def test_options_of_any_letters_come_back_as_they_were(talk):
    one = [act(step, {"kind": "one", "options": [option]}) for step, option in enumerate(OPTIONS)]
    some = act(len(one), {"kind": "some", "options": OPTIONS, "low": len(OPTIONS), "high": len(OPTIONS)})
    none = act(len(one) + 1, {"kind": "some", "options": OPTIONS, "low": 0, "high": 0})
    for in_ascii in (True, False):
        lines = [
            json.dumps(each, ensure_ascii=in_ascii) for each in ({"type": "hello"}, START, *one, some, none)
        ]
        *single, several, nothing = moves_of(talk(lines))
        assert OPTIONS == single
        assert sorted(OPTIONS) == sorted(several)
        assert [] == nothing


def test_what_is_new_in_a_later_version_is_ignored_and_long_lines_are_read(talk):
    news = {"type": "news", "text": "hello", "parts": [{"a": None}]}
    long = act(1, {"kind": "one", "options": ["go"]}, view={"seat": 1, "past": ["x" * 1000] * 1000})
    lines = [
        {"type": "hello", "protocol": 1, "config": {"a": [1.5e-3, {"b": []}]}, "new": True},
        news,
        {**START, "new": {}},
        act(0, {"kind": "one", "options": ["go"], "new": 1}, new=[None]),
        {
            "type": "end",
            "match": "00ff",
            "ranks": [1, 2],
            "scores": None,
            "faults": [None, "crash"],
            "events": [],
        },
        START,
        long,
        {"type": "bye"},
        act(2, {"kind": "one", "options": ["too late"]}),
    ]
    assert ["go", "go"] == moves_of(talk([json.dumps(line) for line in lines]))


def test_moves_follow_from_seed_and_step_alone(talk):
    choice = {"kind": "some", "options": [str(number) for number in range(40)], "low": 0, "high": 40}
    lines = [
        json.dumps(line) for line in ({"type": "hello"}, START, *(act(step, choice) for step in range(9)))
    ]
    first = moves_of(talk(lines))
    assert first == moves_of(talk([lines[0], lines[1], *lines[1:]]))
    assert len(first) == len({tuple(move) for move in first})
    assert len({len(move) for move in first}) > 2


def test_a_line_that_is_cut_off_ends_the_bot_with_the_reason(talk):
    done = talk([json.dumps({"type": "hello"}), '{"type":"act","id":"00'])
    assert 0 != done.returncode
    assert "a string without its end" in done.stderr


def test_a_number_of_moves_that_was_not_asked_for_ends_the_bot_with_the_reason(talk):
    mistake = act(99, {"kind": "some", "options": OPTIONS, "low": 2, "high": 3})
    done = talk([json.dumps(line) for line in ({"type": "hello"}, START, mistake)])
    assert 0 != done.returncode
    assert "choose returned 0 moves, expected 2 to 3" in done.stderr
