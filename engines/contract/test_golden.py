"""Golden records: a match of each table size, kept as text in `golden/` of the game, that must replay.

`--regold` rewrites them.  A game whose old records replay differently needs a higher version first, for
stored results would otherwise come to mean something else.  Records of a version that `Game.replays` lists
stay as they are: they show that the list is right.
"""

from __future__ import annotations

import json

import pytest

from engines.contract.golden import in_words_of_today, lines_of, read_record, rewrite_record
from engines.contract.subject import Subject
from engines.playout import can_replay, replay


def test_a_golden_record_replays_to_the_letter(
    subject: Subject, seats: int, request: pytest.FixtureRequest
) -> None:
    game, path = subject.game, subject.golden(seats)
    if request.config.getoption("--regold"):  # done already, see the plugin; here it may fail
        rewrite_record(subject, seats)
    expected = read_record(path)
    head, *made, _ = map(json.loads, expected)
    moves = [line["moves"] for line in made]
    assert can_replay(game, head["version"]), f"{path.name} is of version {head['version']}: rewrite it"
    steps = list(replay(game, head["deal"], seats, moves))
    lines = lines_of(game, head["deal"], steps, moves, head["version"])
    for number, (line, again) in enumerate(zip(expected, lines, strict=True), 1):
        assert line == again, f"line {number} of {path.name} replays differently"


def test_there_is_a_golden_record_for_each_table_size_and_no_other(subject: Subject) -> None:
    found = {path.name for path in (subject.folder / "golden").iterdir()}
    assert {f"{seats}.jsonl" for seats in subject.game.seats} == found


def test_a_golden_record_shows_the_rare_things(subject: Subject) -> None:
    for seats, things in subject.known.shown_by_golden.items():
        text = "\n".join(read_record(subject.golden(seats)))
        assert [] == [thing for thing in things if in_words_of_today(thing) not in text], seats
