"""What a bot was told, made again from the record of its match."""

import json
import re
from collections import defaultdict
from typing import Any

import msgspec
import pytest
from support import ladders, records
from support.random_matches import random_record

from ladder.contest.keys import Keys
from ladder.errors import LadderError
from ladder.registry.bot_manifest import BotManifest
from ladder.replay.conversation import conversation_of, hello_line
from ladder.replay.replay import record_of
from ladder.replay.steps import replay_record
from ladder.sandbox.confinement import Confinement
from protocol.messages import Ready
from results.record import RunSettings
from results.storage.store import Store

RECORDER = """\
import json, os, sys

file = open(os.path.join(sys.argv[1], str(os.getpid())), "ab", 0)
answered = 0
for line in sys.stdin.buffer:
    file.write(line)
    message = json.loads(line)
    if message["type"] == "hello":
        config = message["config"]
        print(json.dumps({"type": "ready", "protocol": 1, **config["ready"]}), flush=True)
    elif message["type"] == "act":
        answered += 1
        choice, step = message["choice"], message["step"]
        if step > 2 and message["seed"] % 5 == 0 and config.get("sin") == "crash":
            sys.exit(3)
        options = choice["options"]
        turn = (message["seed"] // 7 + 31 * step) % len(options)
        turned = options[turn:] + options[:turn]
        move = turned[0] if choice["kind"] == "one" else turned[: choice["low"]]
        if config.get("sin") == "cheat" and step % 7 == 0 and message.get("retry", {}).get("left") != 0:
            move = "cheat"
        print(json.dumps({"id": message["id"], "move": move, "note": "n" * (step % 2)}), flush=True)
"""
"""Writes all that it reads to a file of its process, in the folder of its argument."""

BOTS: dict[str, dict[str, Any]] = {
    "full": {"ready": {}},
    "text": {"ready": {"text": True}},
    "blind": {"ready": {"view": "none", "parallel": 4}},
    "several": {"ready": {"parallel": 4, "text": True, "rules": True}},
    "cheat": {"ready": {}, "sin": "cheat"},
    "crash": {"ready": {"view": "none"}, "sin": "crash"},
}
SETTINGS = """
[run]
seats = [2, 3]
[sandbox]
tier = "none"
[limits]
retries = 2
move_ms = 1
bank_ms = 60000
"""
WAITED_MS = 250
"""How long a bot may wait for a core in a match here, beside the other tests."""
CLOCK = re.compile(rb'"clock":{"move_ms":1,"bank_ms":(\d+)}')


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """A run of all games, and what each bot read, by its name: the lines of each of its processes."""
    folder = tmp_path_factory.mktemp("told")
    home = ladders.a_home(folder / "home", {}, SETTINGS)
    program = folder / "recorder.py"
    program.write_text(RECORDER)
    for name, config in BOTS.items():
        (folder / name).mkdir()
        run = ("{python}", "-S", "recorder.py", str(folder / name))
        staged = home.roster.stage(
            program, BotManifest(name=name, run=run, config=config), {}, Confinement("none")
        )
        staged.accept()  # type: ignore[union-attr]  # it is new
    ladders.play(home, matches=60, jobs=1, in_progress=4)
    return home, {
        name: [file.read_bytes().splitlines(keepends=True) for file in sorted((folder / name).iterdir())]
        for name in BOTS
    }


@pytest.mark.slow
def test_the_lines_are_those_that_a_bot_read_in_its_run_byte_for_byte_but_for_the_clock(told):
    home, read = told
    contents = Store(home.results).contents()
    run = contents.run(1)
    by_match = _by_match(read)
    seen, refused, ended = set(), 0, 0
    for number in contents.matches(["number"]).column("number").to_pylist():
        record = record_of(contents, f"1/{number}")
        for seat, made in enumerate(record["seats"]):
            ready = msgspec.convert({"protocol": 1, **BOTS[made["bot"]]["ready"]}, Ready)
            conversation = conversation_of(record, run, seat)
            lines = [conversation.start(ready), *(each.line(ready) for each in conversation.requests)]
            if conversation.end:
                lines.append(conversation.end)
            (read_lines,) = by_match[made["name"]]
            for line, sent in zip(lines, read_lines, strict=True):
                assert CLOCK.sub(b"", sent) == CLOCK.sub(b"", line), (number, seat)
            banks = [int(bank) for line in lines for bank in CLOCK.findall(line)]
            then = [int(bank) for line in read_lines for bank in CLOCK.findall(line)]
            # waits for a core are not charged, and a record does not have them: a bank may have had more
            more = [real - bank for bank, real in zip(banks, then, strict=True)]
            assert -2 <= min(more, default=0), (number, seat)
            assert max(more, default=0) <= WAITED_MS, (number, seat)
            seen.add((record["game"], made["bot"]))
            refused += sum(request.retry is not None for request in conversation.requests)
            ended += conversation.end == b""
    assert 4 * 6 == len(seen), "every bot has played every game"
    assert refused
    assert ended


@pytest.mark.slow
def test_the_hello_is_the_one_that_a_bot_read(told):
    home, read = told
    run = Store(home.results).contents().run(1)
    for name, processes in read.items():
        assert {hello_line(home.roster.find(name), run)} == {lines[0] for lines in processes}


def _by_match(read):
    """Return the lines of each match by the name it was told, once for each process that began it."""
    found = defaultdict(list)
    for lines in (lines for processes in read.values() for lines in processes):
        of_match = defaultdict(list)
        for line in lines[1:-1] if json.loads(lines[-1])["type"] == "bye" else lines[1:]:
            of_match[json.loads(line)["match"]].append(line)
        for name, its_lines in of_match.items():
            found[name].append(its_lines)
    return found


# -- without a process


def a_run(**limits):
    limits = {"move_ms": 1000, "bank_ms": 10_000} | limits
    return records.a_run(secret=bytes(range(16)).hex(), settings=RunSettings(limits=limits, retries=2))


def a_fault(step, **fields):
    kind = {"kind": "illegal", "reason": "expected one of 2 moves", "charged": False, "request": ""}
    return {"seat": 0, "attempt": 0, "step": step, "answer": "{}", **kind, **fields}


def steps_of(record, seat):
    return [step for step, moves in enumerate(record["moves"]) if seat in [move[0] for move in moves]]


@pytest.mark.parametrize("seat", [0, 1])
def test_every_decision_of_the_seat_is_asked_once_and_every_event_told_once(seat):
    record = random_record("stellar", 2)
    conversation = conversation_of(record, a_run(), seat)
    assert steps_of(record, seat) == [request.step for request in conversation.requests]
    moves = [move for moves in record["moves"] for by, move in moves if by == seat]
    assert [(move,) for move in moves] == [request.move for request in conversation.requests]
    told = [event for request in conversation.requests for event in request.events]
    end = json.loads(conversation.end)
    seen = [event.seen_by(seat) for position in replay_record(record).positions for event in position.events]
    assert seen == [*map(json.loads, told), *end["events"]]
    assert len(record["moves"]) == conversation.steps
    assert () == conversation.remarks


def test_the_last_request_before_a_step_is_found():
    conversation = conversation_of(random_record("stellar", 2), a_run(), 1)
    first, second, *_ = (request.step for request in conversation.requests)
    found = [conversation.last_before(step) for step in (first - 1, first, second - 1, second)]
    assert [None, 0, 0, 1] == found


def test_without_the_secret_of_the_run_only_ids_and_seed_are_others():
    record = random_record("starry-sky", 3)
    known = conversation_of(record, a_run(), 2)
    unknown = conversation_of(record, msgspec.structs.replace(a_run(), secret=""), 2)
    assert 1 == len(unknown.remarks)
    for one, other in zip(known.requests, unknown.requests, strict=True):
        message, of_other = (json.loads(request.line(Ready(1))) for request in (one, other))
        assert (message.pop("id"), message.pop("seed")) != (of_other.pop("id"), of_other.pop("seed"))
        assert message == of_other


def test_a_second_try_is_a_request_of_its_own_and_only_the_attempt_that_stands_counts():
    record = random_record("stellar", 2)
    run = a_run()
    step = steps_of(record, 0)[3]
    first, again = (
        f'{{"type":"act","id":"{Keys(bytes.fromhex(run.secret)).decisions(17, 0, step >> 3, n)[step & 7]}"'
        for n in (0, 1)
    )
    record["faults"] = [
        a_fault(step, request=first, reason="of an attempt that was begun again"),
        a_fault(step, request=first, reason="one"),
        a_fault(step, request=again, reason="two"),
        a_fault(step, request=again, reason="not of this seat", seat=1),
    ]
    tries = [request for request in conversation_of(record, run, 0).requests if request.step == step]
    assert [None, ("one", 1), ("two", 0)] == [
        request.retry and (request.retry.reason, request.retry.left) for request in tries
    ]
    assert ["one", "two", None] == [request.fault and request.fault["reason"] for request in tries]
    assert [True, True, False] == [request.move is None for request in tries]
    assert [True, False, False] == [bool(request.events) for request in tries]
    assert 3 == len({request.id for request in tries})


@pytest.mark.parametrize("was_asked", [True, False])
def test_a_seat_that_fails_is_asked_no_more_and_hears_no_end(was_asked):
    record = random_record("starry-sky", 3)
    steps = steps_of(record, 0)
    step = steps[4]
    record["seats"][0] |= {"fault": "crash", "fault_step": step}
    request = '{"type":"act"' if was_asked else ""
    record["faults"] = [a_fault(step, kind="crash", charged=True, request=request)]
    conversation = conversation_of(record, a_run(), 0)
    asked = steps[: 5 if was_asked else 4]
    assert asked == [request.step for request in conversation.requests]
    assert b"" == conversation.end
    last = conversation.requests[-1]
    assert was_asked == (last.fault is not None) == (last.move is None)


def test_the_clock_is_what_was_left():
    record = random_record("stellar", 2)
    record["seats"][0]["think_us"][0] = 1_650_000
    first, second, *_ = conversation_of(record, a_run(match_s=60), 0).requests
    assert [(1000, 10_000, 60_000), (1000, 9_400, 58_350)] == [first.clock, second.clock]


def test_a_void_match_has_no_conversation():
    record = random_record("stellar", 2) | {"void": True}
    with pytest.raises(LadderError, match="It is void"):
        conversation_of(record, a_run(), 0)


def test_more_illegal_answers_than_are_stored_are_told():
    record = random_record("stellar", 2)
    record["faults"] = [a_fault(step) for step in range(20)]
    (remark,) = conversation_of(record, a_run(), 0).remarks
    assert "later second tries are missing" in remark
