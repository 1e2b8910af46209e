"""Transcripts: every line to and from the bots, in the file of its match, and nothing else changed."""

import json
import logging
import subprocess
import sys
from contextlib import contextmanager

import pytest
from msgspec.structs import replace
from support.places import ROOT
from support.seating import PATIENT, Hall, bot, facts, good, hall, setup_for

from ladder.process.bot import BotProcess
from ladder.registry.bot_manifest import BotManifest
from ladder.registry.version import Version
from ladder.worker import transcript
from ladder.worker.transcript import LEGEND, TITLE
from ladder.worker.worker_messages import TranscriptPlace

pytestmark = pytest.mark.process

TAPE = """\
import json, sys

tape = open(sys.argv[1], "a")

def note(mark, line):
    tape.write(f"{mark} {line}\\n")
    tape.flush()

for line in sys.stdin:
    line = line.rstrip("\\n")
    note(">", line)
    message = json.loads(line)
    answer = None
    if message["type"] == "hello":
        answer = json.dumps({"type": "ready", "protocol": 1})
    elif message["type"] == "act":
        move = message["choice"]["options"][0]
        answer = json.dumps({"id": message["id"], "move": move, "note": "Übung\\t1"})
    if answer:
        note("<", answer)
        print(answer, flush=True)
"""
"""A bot that keeps a tape of its own."""


@contextmanager
def recorded(folder, *bots, **more):
    """Yield a worker that writes transcripts to *folder*."""
    worker = Hall(replace(setup_for(*bots, **more), transcript=TranscriptPlace(str(folder))))
    try:
        yield worker
    finally:
        worker.close()


def lines_of(file, seat):
    """Return the lines of a seat, with their marks, without times."""
    found = [line.split(maxsplit=2) for line in file.read_text().splitlines() if line[0] != "#"]
    return [text for _, number, text in found if number == str(seat)]


def taped(tmp_path):
    (tmp_path / "tape.py").write_text(TAPE)
    run = ("{python}", "-S", "tape.py", str(tmp_path / "tape"))
    return Version("taped", "1", str(tmp_path), BotManifest("taped", run=run))


def test_the_lines_of_a_seat_are_those_that_its_bot_had_and_wrote(tmp_path):
    with recorded(tmp_path, taped(tmp_path), good()) as play:
        matches = play.matches(0)
    tape = (tmp_path / "tape").read_text().splitlines()
    seats = [[seat.bot for seat in match.seats].index("taped") for match in matches]
    files = [tmp_path / f"{match.number}.txt" for match in matches]
    of_match = [lines_of(file, seat) for file, seat in zip(files, seats, strict=True)]
    assert [0, 1] == sorted(seats)
    hello = tape[:2]
    assert hello == of_match[0][:2] == of_match[1][:2]
    conversation = [line for lines in of_match for line in lines[2:] if "bye" not in line]
    assert [line for line in tape if line not in hello and "bye" not in line] == conversation
    assert 20 < len(conversation)


def test_each_file_begins_with_who_plays_what(tmp_path):
    with recorded(tmp_path, good("a"), good("b")) as play:
        first, _ = play.matches(0)
    heading = (tmp_path / "0.txt").read_text().splitlines()[:4]
    names = [seat.name for seat in first.seats]
    assert [
        f"{TITLE}match 0: stellar for 2",
        f"# seat 0: a@1, told {names[0]}",
        f"# seat 1: b@1, told {names[1]}",
        LEGEND,
    ] == heading


def test_lines_of_matches_in_progress_together_stand_in_the_files_of_their_matches(tmp_path):
    bots = [good(name, config={"ready": {"parallel": 4}}) for name in ("a", "b")]
    with recorded(tmp_path, *bots, in_progress=4) as play:
        matches = play.matches(0, 1, 2, 3)
    assert 8 == len(matches)
    for match in matches:
        for i, seat in enumerate(match.seats):
            lines = lines_of(tmp_path / f"{match.number}.txt", i)
            said = [json.loads(line[2:]) for line in lines]
            assert {seat.name} == {message["match"] for message in said if "match" in message}
            asked = [message["id"] for message in said if message.get("type") == "act"]
            assert asked == [message["id"] for message in said if "move" in message]
            assert seat.decisions == len(asked)


@pytest.fixture(scope="module")
def expected():
    """What is played where no transcripts are kept, and with plain processes."""
    with hall(good("a"), good("b")) as plain:
        played = facts(plain.record(0))
        assert {BotProcess} == {type(player.process) for player in plain.players}
    return played


def test_a_worker_that_keeps_no_transcripts_plays_the_same_with_plain_processes(tmp_path, expected):
    with recorded(tmp_path, good("a"), good("b")) as play:
        assert expected == facts(play.record(0))


def test_a_worker_that_keeps_no_transcripts_does_not_load_what_writes_them():
    program = "import ladder.worker.main, sys; print('ladder.worker.transcript' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "False\n" == done.stdout


def test_stderr_stands_between_the_lines_and_cannot_command_a_terminal(tmp_path):
    with recorded(tmp_path, bot("logs_each_step"), good()) as play:
        play.matches(0)
    logged = [line for line in lines_of(tmp_path / "0.txt", 0) if line.startswith("!")]
    assert ["! loaded", "! match 1, step 0"] == logged[:2]
    lines = lines_of(tmp_path / "0.txt", 0)
    at = lines.index("! match 1, step 0")
    assert '"step":0' in lines[at - 1]
    assert lines[at + 1].startswith('< {"id"')
    assert "\\x1b" in transcript._printable(b"\x1b[31m\xff\n")


@pytest.mark.parametrize(
    ("program", "kind", "at", "line"),
    [
        ("answers_with_a_wrong_id", "protocol", -1, "< ANSWER"),
        ("forgets_the_newline", "timeout", -1, "< ANSWER [no newline]"),
        ("exits_at_start", "start", 0, '> {"type":"hello"'),
    ],
)
def test_what_belongs_to_a_fault_stands_in_the_match_that_it_loses(tmp_path, program, kind, at, line):
    limits = replace(PATIENT, move_ms=300 if kind == "timeout" else 30_000)
    with recorded(tmp_path, bot(program), good(), limits=limits) as play:
        (block,) = play.record(0)
    assert {kind} == {fault.kind for fault in block.faults}
    for fault in block.faults:
        found = lines_of(tmp_path / f"{fault.number}.txt", fault.seat)[at]
        assert found.startswith(line.replace("ANSWER", fault.answer))


def test_a_match_that_is_played_again_follows_in_the_same_file(tmp_path):
    config = {"ready": {"parallel": 4}}
    bots = bot("exits_among_several", config=config), good(config=config)
    with recorded(tmp_path, *bots, in_progress=4) as play:
        matches = play.matches(0, 1, 2)
    counts = {match.number: (tmp_path / f"{match.number}.txt").read_text().count(TITLE) for match in matches}
    assert 2 == max(counts.values()), counts


def test_a_disk_that_is_full_ends_the_transcripts_and_not_the_matches(tmp_path, caplog, expected):
    with caplog.at_level(logging.WARNING), recorded(tmp_path / "nowhere", good("a"), good("b")) as play:
        assert expected == facts(play.record(0))
    warnings = [line for line in caplog.messages if "the transcripts end here, but the matches go on" in line]
    assert 1 == len(warnings)


def test_a_bot_cannot_write_lines_of_the_transcript_itself(tmp_path):
    forged = f"{TITLE}match 0\r{LEGEND}\x1b[31m\u2028    0.000 1 > lie"
    program = f"import sys; print({forged!r}, file=sys.stderr, flush=True); exec(open('manners.py').read())"
    run = ("{python}", "-S", "-c", program)
    with recorded(tmp_path, bot("manners", "forger", run=run), good()) as play:
        (match, _) = play.matches(0)
    text = (tmp_path / "0.txt").read_text()
    assert 1 == text.count(f"\n{LEGEND}\n")
    assert text.isascii()
    assert [] == [char for char in text if not char.isprintable() and char != "\n"]
    assert 1 == sum("lie" in line for line in lines_of(tmp_path / "0.txt", 0))
    assert 0 == sum("lie" in line for line in lines_of(tmp_path / "0.txt", 1))
    assert "forger" == match.seats[0].bot


def test_a_match_has_a_bound(tmp_path, monkeypatch):
    monkeypatch.setattr(transcript, "MOST_BYTES", 5_000)
    with recorded(tmp_path, good("a"), good("b")) as play:
        play.matches(0)
    text = (tmp_path / "0.txt").read_text()
    assert 1 == text.count("# the rest is left out")
    assert 12_000 > len(text)
    assert str(ROOT) not in text
