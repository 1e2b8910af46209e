"""Views in which one thing is different, to see whether what is made of views tells it."""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterator, Mapping, Sequence
from random import Random

from engines.contract.game_schema import fits
from engines.contract.subject import Subject
from engines.game import Json

TRIES = 2
"""How many changes of each field are tried."""
FIXED = frozenset({"seats", "options", "text"})
"""Fields that are the same in all views of a table, or follow from the others."""


def changed_views(
    view: Mapping[str, Json], others: Sequence[Mapping[str, Json]], rng: Random
) -> Iterator[dict[str, Json]]:
    """Yield copies of *view*, each with one thing changed in one field; few of them can happen.

    What is put in place of something is taken from *others*, which are views of the same table as well.
    """
    for field in [each for each in view if each not in FIXED]:
        for _ in range(TRIES):
            other = rng.choice(others)
            if field in other and (changed := _change(view[field], other[field], rng)) != view[field]:
                yield {**view, field: changed}


def _change(value: Json, other: Json, rng: Random) -> Json:
    """Return *value* with one thing in it changed to what it is in *other*, or to what is near."""
    if isinstance(value, list) and value and rng.random() < 0.8:
        at = int(rng.random() * len(value))
        inside = other[at] if isinstance(other, list) and at < len(other) else rng.choice(value)
        return [*value[:at], _change(value[at], inside, rng), *value[at + 1 :]]
    if isinstance(value, dict) and value and rng.random() < 0.8:
        key = rng.choice([*value])
        inside = other[key] if isinstance(other, dict) and key in other else rng.choice([*value.values()])
        return {**value, key: _change(value[key], inside, rng)}
    if type(value) is int and rng.random() < 0.5:
        return value + rng.choice((1, -1))
    return (not value) if isinstance(value, bool) else other


def read_changed(
    subject: Subject, view: Mapping[str, Json], columns: int, rng: Random
) -> tuple[int, ...] | None:
    """Return the numbers of *view*, a changed one; None if no world looks like it."""
    game, buffer = subject.game, array("l", [0]) * columns
    try:
        world = game.imagine(view, rng)
        seen = json.loads(json.dumps(game.view(world, view["seat"])))
        game.position(world).numbers(view["seat"], buffer)
    except Exception:  # what a game does with a view that cannot be is its own affair
        return None
    return tuple(buffer) if seen == view and fits(subject, "view", view) else None
