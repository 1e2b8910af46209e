"""What language models are told of a match: the rules, and each view in words."""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from inspect import signature
from typing import Any

from engines.game import Game, Json


def tell_view(game: Game[Any], view: Mapping[str, Json], events: Sequence[Mapping[str, Json]]) -> str:
    """Return *view* in words, with the *events* since the last decision if the game's `text` takes them."""
    return game.text(view, events) if takes(type(game), "text", 2) else game.text(view)


@cache
def takes(game: type[Game[Any]], method: str, values: int, *named: str) -> bool:
    """Return whether *method* takes this number of *values*, and *named* ones: old plug-ins may not."""
    try:
        signature(getattr(game, method)).bind(None, *[None] * values, **dict.fromkeys(named))
    except (TypeError, ValueError):  # ValueError: the signature of a compiled function is not known
        return False
    return True


def tell_rules(game: Game[Any], options: Mapping[str, Json]) -> str:
    """Return the rules of *game* in short, with its *options* in a match: nothing else of the match."""
    chosen = [f"{option}: {_tell_option(value)}" for option, value in options.items()]
    more = f"\nIn this match {'; '.join(chosen)}.\n" if chosen else ""
    return game.summary.rstrip("\n") + "\n" + more


def _tell_option(value: Json) -> str:
    """Return *value*; a table of the user's own, such as a deck, stands in `options`."""
    return "see options" if isinstance(value, (dict, list)) else json.dumps(value, ensure_ascii=False)
