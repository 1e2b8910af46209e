"""Values of variables that are passed to bots stand in nothing that is kept of a match."""

import contextlib
import json
import re

import msgspec
import pytest
from support.scripted import Exit, Log, Say, Timeline
from support.scripts import Cast, Manners, Stage, answers, at_decision, say
from support.seating import Hall, bot, good, setup_for

from ladder.process.masks import MASK
from ladder.worker.hidden import masks_for, why_shown
from ladder.worker.worker_messages import TranscriptPlace
from protocol.messages import Limits
from results.record import Contest

KEY = "sk-ant/Z9" + "x7Q" * 25
HASTY = Limits(start_ms=30_000, move_ms=300, bank_ms=0)
KINDS = {
    "in pieces": "illegal",
    "escaped": "crash",
    "cut": "crash",
    "answer": "protocol",
    "move": "illegal",
    "long": "protocol",
    "unfinished": "timeout",
    "a second time": "protocol",
    "at-start": "start",
    "cut-at-start": "start",
}


def played(folder, how, key=KEY, *, program="tells_its_key", config=None):
    """Return all that is kept of a block in which a bot tells its key: transcripts, and the block."""
    folder.mkdir(exist_ok=True)
    run = ("{python}", "-S", f"{program}.py", how)
    teller = bot(program, run=run, config=config or {"how": how})
    limits = Limits(start_ms=30_000, move_ms=500 if how == "unfinished" else 30_000, bank_ms=0)
    setup = setup_for(teller, good(), limits=limits)
    place = TranscriptPlace(str(folder))
    hall = Hall(msgspec.structs.replace(setup, passed={teller.id: {"API_KEY": key}}, transcript=place))
    try:
        (block,) = hall.record(0)
    finally:
        hall.close()
    kept = [file.read_text() for file in sorted(folder.glob("*.txt"))]
    return "".join([*kept, msgspec.json.encode(block).decode()]), block


def parts(key, size=7):
    """Return all parts of *key* of *size* characters."""
    return [key[i : i + size] for i in range(len(key) - size + 1)]


class Greets(Manners):
    def hello(self, message):
        return [say({"type": "ready", "key": KEY})]


TELLING: dict[str, Cast] = {
    "greets": Greets,
    "notes": at_decision(1, answers(note=f"with {KEY}")),
    "plays": at_decision(1, answers(move=KEY)),
    "logs": at_decision(1, lambda act: [Log(KEY.encode()), Exit(1)]),
    "says": at_decision(1, lambda act: [Say(KEY.encode() + b"\n")]),
}


@pytest.mark.parametrize("program", TELLING)
def test_no_record_has_a_part_of_a_value(program):
    passed = {f"{program}@1": {"API_KEY": KEY}}
    setup = msgspec.structs.replace(setup_for(bot(program), good(), limits=HASTY), passed=passed)
    with contextlib.closing(Stage(setup, Timeline(), TELLING, frozenset())) as play:
        text = msgspec.json.encode(play.record(0)).decode()
    assert MASK in text or program == "greets"
    assert [] == [part for part in parts(KEY) if part in text]


def test_why_nobody_is_there_has_no_part_of_a_value():
    class Absent(Manners):
        def hello(self, message):
            return [say({"type": "absent", "why": f"refused: {KEY}"})]

    setup = setup_for(bot("absent"), good(), outage_s=1)
    setup = msgspec.structs.replace(setup, passed={"absent@1": {"API_KEY": KEY}})
    with contextlib.closing(Stage(setup, Timeline(), {"absent": Absent}, frozenset(), {"absent"})) as play:
        (unplayed,) = play.attempt([play.block(0)])
    assert f"nobody was there to play: refused: {MASK}, for longer than 1 s" == unplayed.reason


@pytest.mark.process
@pytest.mark.parametrize(("how", "kind"), KINDS.items())
def test_no_part_of_a_value_is_kept_with_a_fault(how, kind, tmp_path):
    text, block = played(tmp_path, how)
    assert {kind} == {fault.kind for fault in block.faults if fault.charged}
    assert MASK in text or kind == "start"
    assert [] == [part for part in parts(KEY) if part in text]


@pytest.mark.process
def test_a_note_is_kept_without_the_value(tmp_path):
    text, block = played(tmp_path, "note")
    assert [] == block.faults
    notes = [note.text for match in block.matches for seat in match.seats for note in seat.notes]
    assert f"with {MASK}, and {MASK}" in notes
    assert KEY not in text
    assert r"\u0073\u006b" not in text


@pytest.mark.process
def test_a_log_in_pieces_reads_as_it_was_written(tmp_path):
    _, block = played(tmp_path, "in pieces")
    log = re.sub(r"\n?--- .*\n", "", block.faults[0].stderr)
    assert f"before\nkey: {MASK}\nafter\n" == log


@pytest.mark.process
def test_a_legal_move_is_never_hidden(tmp_path):
    """A transcript has moves in the words of the bot, and the value may be a part of them."""
    _, block = played(tmp_path / "before", "note", program="manners")
    match = block.matches[0]
    moves = [step[0][1] for step in json.loads(match.moves) if step[0][0] == 0]
    move = next(move for move in moves if isinstance(move, str) and len(move) > 8)
    text, again = played(
        tmp_path / "after", "note", move[1:], program="manners", config={"answer": {"note": f"so {move[1:]}"}}
    )
    assert match.moves == again.matches[0].moves
    assert f'"move": "{move}", "note": "so {MASK}"' in text
    assert {f"so {MASK}"} == {note.text for note in again.matches[0].seats[0].notes}


CONTEST = Contest("stellar", 2, {"face_down_number": "printed"}, (0, 1))


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ("20260131", "a number of fewer than 12 digits"),
        ("202601312359", None),
        ("tells_its_key", "a name"),
        ("tells_its_key@1", "a name"),
        ("starry-sky", "a name"),
        ("C3.2@notebook", "an option"),
        ("face_down_number", "an option"),
        ("C3.2@notebooks", None),
        ("short", None),
        (KEY, None),
    ],
)
def test_a_value_that_matches_are_full_of_is_not_hidden(value, why):
    bots = (bot("tells_its_key"), good())
    assert ({} if why is None else {value: why}) == why_shown([value], bots, [CONTEST])
    masks = masks_for([{"API_KEY": value}], bots, [CONTEST])
    assert (value if why or len(value) < 8 else MASK) == masks.hide(value)
