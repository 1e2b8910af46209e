"""The game under test: its rules, its folder, and what is known of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any

from engines.contract.known import Known, Matches
from engines.game import Game
from engines.games import load_game
from engines.playout import playout, replay


@dataclass(frozen=True, eq=False)
class Subject:
    """A game under test."""

    game: Game[Any]
    known: Known
    folder: Path
    """Where `golden/`, `schema.json` and `README.md` are."""

    def golden(self, seats: int) -> Path:
        """Return the file of the golden record of one table size."""
        return self.folder / "golden" / f"{seats}.jsonl"


def subject_at(target: str) -> Subject:
    """Return the game at *target*, `module:Class`, as a subject."""
    return subject_of(load_game(target))


def subject_of(game: Game[Any]) -> Subject:
    """Return *game* with what its package's `testing` says of it.  Raises LookupError if there is none."""
    package = type(game).__module__
    name = f"{package}.testing"
    module = import_module(package)
    if not hasattr(module, "__path__") or find_spec(name) is None:
        raise LookupError(f"expected {name} with KNOWN = Known(past=...): see engines/README.md")
    known: Known = import_module(name).KNOWN
    assert module.__file__
    return Subject(game, known, Path(module.__file__).parent)


@cache
def matches_of(subject: Subject, seats: int) -> Matches:
    """Return deals, each with the steps of a match on it: the golden record, and one or more at random."""
    game, rng = subject.game, Random(seats)
    head, *made, _ = map(json.loads, subject.golden(seats).read_text("utf-8").splitlines())
    moves: list[Mapping[str, Any]] = [line["moves"] for line in made]
    found: list[Any] = [(head["deal"], [*replay(game, head["deal"], seats, moves)])]
    for _ in range(4 // len(game.seats)):
        options = {key: rng.choice(values) for key, values in game.options.items()}
        deal = game.deal(seats, rng, options)
        found.append((deal, [*playout(game, deal, seats, rng)]))
    return found
