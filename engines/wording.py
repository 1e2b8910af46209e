"""What is told of a match: to language models the rules and each view in words, to people what happened."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from inspect import signature
from typing import Any

from engines.game import Game, Json

__all__ = ["explainer_of", "takes", "tell_news", "tell_rules", "tell_view"]


def tell_view(game: Game[Any], view: Mapping[str, Json], events: Sequence[Mapping[str, Json]]) -> str:
    """Return *view* in words, with the *events* since the seat's last decision.

    A game whose `text` takes a view alone, as all did once, tells that.
    """
    return game.text(view, events) if takes(type(game), "text", 2) else game.text(view)


def tell_news(
    game: Game[Any],
    event: Mapping[str, Json],
    names: Sequence[str],
    options: Mapping[str, Json] | None,
) -> str:
    """Return *event* of a match with *options* in words; *names* are those of the seats.

    A game whose `tell` takes an event and names alone, as all did once, tells that.
    """
    if takes(type(game), "tell", 3):
        return game.tell(event, names, options)
    return game.tell(event, names)


def explainer_of(game: Game[Any]) -> Callable[[Mapping[str, Json]], Mapping[str, Json]]:
    """Return game.explainer(); a plug-in that does not extend Game may have none, and adds nothing."""
    made = getattr(game, "explainer", None)
    return made() if made else dict


@cache
def takes(game: type[Game[Any]], method: str, values: int, *named: str) -> bool:
    """Return whether *method* of a game takes this number of *values*, and the *named* ones by keyword.

    A plug-in of before has methods with the parameters of its time.
    """
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
