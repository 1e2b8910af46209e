"""What a bot was told, made again from the record of its match."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from support import ladders

from ladder.home.home import Home
from ladder.registry.manifest import BotManifest
from ladder.replay.conversation import Conversation, conversation_of, hello_line
from ladder.replay.replay import record_of
from protocol.messages import Ready
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
    "several": {"ready": {"parallel": 4, "text": True}},
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
CLOCK = re.compile(rb'"clock":{"move_ms":1,"bank_ms":(\d+)}')


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> tuple[Home, dict[str, list[list[bytes]]]]:
    """A run of all games, and what each bot read, by its name: the lines of each of its processes."""
    folder = tmp_path_factory.mktemp("told")
    home = ladders.a_home(folder / "home", {}, SETTINGS)
    program = folder / "recorder.py"
    program.write_text(RECORDER)
    for name, config in BOTS.items():
        (folder / name).mkdir()
        run = ("{python}", "-S", "recorder.py", str(folder / name))
        staged = home.roster.stage(program, BotManifest(name=name, run=run, config=config), {}, "none")
        staged.accept()  # type: ignore[union-attr]  # it is new
    ladders.play(home, matches=60, jobs=1, in_progress=4)
    return home, {
        name: [file.read_bytes().splitlines(keepends=True) for file in sorted((folder / name).iterdir())]
        for name in BOTS
    }


@pytest.mark.slow
def test_the_lines_are_those_that_a_bot_read_in_its_run_byte_for_byte_but_for_the_clock(
    told: tuple[Home, dict[str, list[list[bytes]]]],
) -> None:
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
            lines = list(_lines(conversation, ready))
            (read_lines,) = by_match[made["name"]]
            for line, sent in zip(lines, read_lines, strict=True):
                assert CLOCK.sub(b"", sent) == CLOCK.sub(b"", line), (number, seat)
            banks = [int(bank) for line in lines for bank in CLOCK.findall(line)]
            then = [int(bank) for line in read_lines for bank in CLOCK.findall(line)]
            assert all(abs(bank - real) <= 2 for bank, real in zip(banks, then, strict=True)), (number, seat)
            seen.add((record["game"], made["bot"]))
            refused += sum(request.retry is not None for request in conversation.requests)
            ended += conversation.end == b""
    assert 4 * 6 == len(seen), "every bot has played every game"
    assert refused
    assert ended


@pytest.mark.slow
def test_the_hello_is_the_one_that_a_bot_read(told: tuple[Home, dict[str, list[list[bytes]]]]) -> None:
    home, read = told
    run = Store(home.results).contents().run(1)
    for name, processes in read.items():
        assert {hello_line(home.roster.find(name), run)} == {lines[0] for lines in processes}


def _by_match(read: dict[str, list[list[bytes]]]) -> dict[str, list[list[bytes]]]:
    """Return the lines of each match by the name it was told, once for each process that began it."""
    found = defaultdict(list)
    for lines in (lines for processes in read.values() for lines in processes):
        of_match = defaultdict(list)
        for line in lines[1:-1] if json.loads(lines[-1])["type"] == "bye" else lines[1:]:
            of_match[json.loads(line)["match"]].append(line)
        for name, its_lines in of_match.items():
            found[name].append(its_lines)
    return found


def _lines(conversation: Conversation, ready: Ready) -> Iterator[bytes]:
    yield conversation.start
    yield from (request.line(ready) for request in conversation.requests)
    if conversation.end:
        yield conversation.end
