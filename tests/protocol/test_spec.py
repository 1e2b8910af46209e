"""What the specification shows is true: its messages, its bots, its examples."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from jsonschema import Draft202012Validator
from support.documents import blocks
from support.places import ROOT
from support.programs import write_program

from protocol import client, encode
from protocol.answers import Malformed, read_answer, read_answer_or_failure, read_ready, read_ready_or_absent
from protocol.messages import LONGEST_NOTE, Act, Answer, Bye, End, Hello, Limits, OneOf, Start
from protocol.schema import schema

SPEC = (ROOT / "protocol/SPEC.md").read_text(encoding="utf-8")
EXAMPLES = sorted((ROOT / "protocol/examples").glob("*.jsonl"))
ENVIRONMENT = {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
REFEREE = Hello | Start | Act | End | Bye
VALIDATORS = {
    side: Draft202012Validator({**schema(), "anyOf": [{"$ref": f"#/$defs/{side}"}]})
    for side in ("Referee", "Bot")
}


MESSAGES = [line for block in blocks("json", SPEC) for line in block.splitlines()]
OF_REFEREE = [line for line in MESSAGES if re.match(r'\{"type":"(?!ready|absent)', line)]
OF_BOT = [line for line in MESSAGES if re.match(r'\{"(type":"(ready|absent)|id)"', line)]
BOTS = [bot for bot in blocks("python", SPEC) if "rules=True" not in bot]
(TALKER,) = [bot for bot in blocks("python", SPEC) if "rules=True" in bot]


def given(value):
    return None if value is msgspec.UNSET else value


def written(line):
    """Return what the encoders write for the message on *line*."""
    match msgspec.json.decode(line, type=REFEREE):
        case Hello() as hello:
            return encode.hello(hello.ladder, hello.bot, hello.games, hello.config, hello.limits)
        case Start() as start:
            return encode.start(
                **{name: given(value) for name, value in msgspec.structs.asdict(start).items()}
            )
        case Act(id_, match, step, seed, choice, clock, news, view, retry, again):
            asked = msgspec.json.encode(choice)
            events = [msgspec.json.encode(event) for event in news]
            seen = None if view is msgspec.UNSET else msgspec.json.encode(view)
            return encode.Acts(match, seed, clock.move_ms).write(
                id_,
                step,
                asked,
                clock.bank_ms,
                events,
                seen,
                given(retry) or given(again),
                given(clock.match_ms),
            )
        case End() as end:
            events = [msgspec.json.encode(event) for event in end.events]
            return encode.end(end.match, end.ranks, end.scores, end.faults, events)
        case Bye():
            return encode.BYE


def read(line):
    """Return the bot's message on *line*."""
    reader = read_answer_or_failure if line.startswith('{"id"') else read_ready_or_absent
    return reader(line.encode())


def rows(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def said(by, *, faulty=False):
    """Parametrize with the lines of all examples that were said *by* one side."""
    cases = [
        pytest.param(row, id=f"{path.stem}:{number}")
        for path in EXAMPLES
        for number, row in enumerate(rows(path), 1)
        if row.get("from") == by and ("fault" in row) == faulty
    ]
    return pytest.mark.parametrize("row", cases)


def allowed(act, move):
    if isinstance(act.choice, OneOf):
        return move in act.choice.options
    fits = act.choice.low <= len(move) <= act.choice.high
    return fits and len(set(move)) == len(move) and set(move) <= set(act.choice.options)


def decisions(path):
    """Yield each act of an example with the bot's row that names its id."""
    asked: dict[str, Act] = {}
    for row in rows(path)[1:]:
        if row["from"] == "referee":
            message = msgspec.json.decode(row["line"], type=REFEREE)
            if isinstance(message, Act):
                asked[message.id] = message
        elif row["line"].startswith('{"id"'):
            yield asked.pop(read_answer_or_failure(row["line"].encode()).id), row


@pytest.mark.parametrize("line", OF_REFEREE)
def test_a_message_of_the_referee_in_the_specification_is_what_it_writes(line):
    assert f"{line}\n".encode() == written(line)
    VALIDATORS["Referee"].validate(json.loads(line))


@pytest.mark.parametrize("line", OF_BOT)
def test_a_message_of_a_bot_in_the_specification_can_be_read(line):
    assert line == msgspec.json.encode(read(line)).decode()
    VALIDATORS["Bot"].validate(json.loads(line))


def test_every_message_of_the_specification_is_checked_but_choices():
    rest = set(MESSAGES) - set(OF_REFEREE) - set(OF_BOT)
    assert ['{"kind":"some","options":["c17","c04","c61","c33"],"low":1,"high":3}'] == list(rest)


@said("referee")
def test_a_referees_line_of_an_example_is_what_it_writes(row):
    assert f"{row['line']}\n".encode() == written(row["line"])
    VALIDATORS["Referee"].validate(json.loads(row["line"]))


@said("bot")
def test_a_bots_line_of_an_example_can_be_read(row):
    read(row["line"])
    VALIDATORS["Bot"].validate(json.loads(row["line"]))


@said("bot", faulty=True)
def test_a_faulty_line_of_an_example_is_refused_for_the_reason_it_gives(row):
    if row["fault"] == "illegal":  # well-formed: the move alone is wrong
        assert isinstance(read(row["line"]), Answer)
    else:
        with pytest.raises(Malformed, match=f"^{re.escape(row['reason'])}$"):
            read(row["line"])


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_a_move_of_an_example_is_offered_unless_it_is_called_illegal(path):
    for act, row in decisions(path):
        if isinstance(answer := read_answer_or_failure(row["line"].encode()), Answer):
            assert (row.get("fault") != "illegal") == allowed(act, answer.move)


def test_the_examples_show_every_kind_of_message_and_choice():
    lines = "".join(row["line"] for path in EXAMPLES for row in rows(path)[1:])
    kinds = [f'"type":"{word}"' for word in ("hello", "ready", "absent", "start", "act", "end", "bye")]
    fields = [
        f'"{word}"' for word in ("one", "some", "retry", "again", "fail", "note", "usage", "text", "rules")
    ]
    expected = [*kinds, *fields, '"view":"none"', '"parallel":2']
    assert [] == [part for part in expected if part not in lines]


def test_the_specification_lists_the_examples():
    assert sorted(re.findall(r"\]\(examples/([\w-]+)\.jsonl\)", SPEC)) == [path.stem for path in EXAMPLES]


def test_the_specification_says_what_every_limit_means():
    table = SPEC[SPEC.index("| limit | meaning |") : SPEC.index("### ready\n")]
    assert list(Limits.__struct_fields__) == re.findall(r"^\| `(\w+)` \| \w", table, re.MULTILINE)


def test_the_longest_note_is_one_number_in_the_messages_in_the_client_and_in_its_page():
    assert LONGEST_NOTE == client._NOTE
    assert f"at most {LONGEST_NOTE:,} characters, stored with the decision" in SPEC
    assert f"`note` {LONGEST_NOTE:,}, " in SPEC


@pytest.mark.process
@pytest.mark.parametrize("example", ["match", "simultaneous", "parallel", "view-none"])
@pytest.mark.parametrize("bot", BOTS, ids=["standard library", "function", "class", "many at once"])
def test_a_bot_of_the_specification_plays_an_example(bot, example):
    check_plays(bot, example)


@pytest.mark.process
def test_the_language_model_of_the_specification_plays_its_example():
    moves = [answer.move for answer in check_plays(TALKER, "note-usage")]
    assert ["C3.2@T1", "take 1"] == moves, "the examples of the texts"


def check_plays(bot, example):
    """Assert that *bot* plays *example* without a fault; return its answers."""
    lines = [
        row["line"]
        for row in rows(ROOT / f"protocol/examples/{example}.jsonl")[1:]
        if row["from"] == "referee"
    ]
    acts = [act for line in lines if isinstance(act := msgspec.json.decode(line, type=REFEREE), Act)]
    done = subprocess.run(
        [sys.executable, "-c", bot],
        input="\n".join([*lines, ""]).encode(),
        capture_output=True,
        env=ENVIRONMENT,
    )
    ready, *answers = done.stdout.splitlines()
    assert (b"", 0) == (done.stderr, done.returncode)
    assert read_ready(ready).protocol == 1
    made = [read_answer(answer) for answer in answers]
    assert [act.id for act in acts] == [answer.id for answer in made]
    assert all(allowed(act, answer.move) for act, answer in zip(acts, made, strict=True))
    return made


@pytest.mark.process
def test_the_command_that_tries_a_bot_works(tmp_path):
    (command,) = blocks("sh", SPEC)
    (tmp_path / "protocol").symlink_to(ROOT / "protocol")
    write_program(tmp_path / "my-bot", BOTS[0])
    done = subprocess.run(["sh", "-c", command], cwd=tmp_path, capture_output=True, env=ENVIRONMENT)
    assert (b"", 4) == (done.stderr, len(done.stdout.splitlines()))
