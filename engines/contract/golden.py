"""Golden records: a match of each table size, kept as text in `golden/` of the game.

An event is written with its kind as `event`, as everywhere else.  In old records it is called `kind`:
they are read as well, and written with the new word when they are rewritten.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engines.contract.subject import Subject
from engines.game import Event, Game
from engines.playout import canonical, playout


def event_line(event: Event) -> dict[str, Any]:
    return {"event": event.kind, "public": event.public, "private": event.private}


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


def read_record(path: Path) -> list[str]:
    """Return the lines of a record in the words of today."""
    return [_rename_kind(line) for line in path.read_text("utf-8").splitlines()]


def _rename_kind(line: str) -> str:
    """Return a line with `event` where it has `kind`; one that has none stays as it is, to the letter."""
    record = json.loads(line)
    events = record.get("events", ())
    if not any("kind" in event for event in events):
        return line
    record["events"] = [{"event": event.pop("kind"), **event} for event in events]
    return canonical(record)


def in_words_of_today(text: str) -> str:
    """Return what a game says that its records show, which it may say in old words."""
    return text.replace('"kind":', '"event":')


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


def rewrite_record(subject: Subject, seats: int) -> None:
    """Write the record of a new match at a table of *seats*; fail as `rewrite` does."""
    path = subject.golden(seats)
    rewrite(path, new_record(subject, seats, version_of(path, subject.game)))


def rewrite(path: Path, lines: Sequence[str]) -> None:
    """Write a record; fail if it changes one of the same version."""
    if path.exists():
        old = read_record(path)
        if old != lines and json.loads(old[0])["version"] == json.loads(lines[0])["version"]:
            pytest.fail(f"{path.name} changes: raise the version of the game, then rewrite it")
    path.parent.mkdir(exist_ok=True)
    write(path, "\n".join(lines) + "\n")


def write(path: Path, text: str) -> None:
    """Write a file at once, because several processes of one pytest may write the same."""
    if path.exists() and text == path.read_text("utf-8"):
        return
    new = path.with_name(f".{path.name}.{os.getpid()}")
    new.write_text(text, "utf-8")
    new.replace(path)
