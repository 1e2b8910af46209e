"""Golden records: a match of each table size, kept as text in `golden/` of the game, that must replay.

`--regold` rewrites them.  A game whose old records replay differently needs a higher version first, for
stored results would otherwise come to mean something else.  Records of a version that `Game.replays` lists
stay as they are: they show that the list is right.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engines.contract.subject import Subject
from engines.game import Event, Game
from engines.playout import can_replay, canonical, playout, replay


def event_line(event: Event) -> dict[str, Any]:
    return {"kind": event.kind, "public": event.public, "private": event.private}


def lines_of(
    game: Game[Any],
    deal: Mapping[str, Any],
    steps: Sequence[Any],
    moves: Sequence[Mapping[Any, Any]],
    version: int,
) -> list[str]:
    """Return a record: the deal with the first events, a line for every step, and the outcome."""
    first = [event_line(event) for event in steps[0].events]
    head = {"game": game.name, "version": version, "deal": deal, "events": first}
    made = [
        {"moves": together, "events": [event_line(event) for event in step.events]}
        for together, step in zip(moves, steps[1:], strict=True)
    ]
    outcome = game.outcome(steps[-1].state)
    return [canonical(line) for line in (head, *made, {"ranks": outcome.ranks, "scores": outcome.scores})]


def new_record(subject: Subject, seats: int, version: int) -> list[str]:
    """Return the record of a new match."""
    game, rng = subject.game, Random(subject.known.golden_seed)
    deal = game.deal(seats, rng)
    match = list(playout(game, deal, seats, rng))
    return lines_of(game, deal, match, [step.moves for step in match[1:]], version)


def version_of(path: Path, game: Game[Any]) -> int:
    """Return the version of a record that still replays, else that of the game."""
    if not path.exists():
        return game.version
    with path.open(encoding="utf-8") as record:
        version: int = json.loads(record.readline())["version"]
    return version if version in game.replays else game.version


def rewrite(path: Path, lines: Sequence[str]) -> None:
    """Write a record; fail if it changes one of the same version."""
    if path.exists():
        old = path.read_text("utf-8").splitlines()
        if old != lines and json.loads(old[0])["version"] == json.loads(lines[0])["version"]:
            pytest.fail(f"{path.name} changes: raise the version of the game, then rewrite it")
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join(lines) + "\n", "utf-8")


def test_a_golden_record_replays_to_the_letter(
    subject: Subject, seats: int, request: pytest.FixtureRequest
) -> None:
    game, path = subject.game, subject.golden(seats)
    if request.config.getoption("--regold"):
        rewrite(path, new_record(subject, seats, version_of(path, game)))
    expected = path.read_text("utf-8").splitlines()
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
        text = subject.golden(seats).read_text("utf-8")
        assert [] == [thing for thing in things if thing not in text], seats
