"""Moves and views as numbers, for programs that learn."""

from __future__ import annotations

from collections.abc import Mapping

from engines.game import Json
from engines.stella.cards import cards_of
from engines.stella.deck import DEFAULT
from engines.stella.moves import VOTE_MOVES

__all__ = ["vocabulary"]


def vocabulary(seats: int, options: Mapping[str, Json]) -> tuple[str, ...]:
    """Return both votes, then the cards of the deck, then the moves that show them."""
    cards = cards_of(options.get("deck", DEFAULT))
    return (*VOTE_MOVES, *cards.names, *cards.shows)
