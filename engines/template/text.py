"""A view in words, for people and language models: the same facts, no more."""

from __future__ import annotations

from collections.abc import Mapping

from engines.game import Json
from engines.page import page, seat_name

__all__ = ["text"]


def text(view: Mapping[str, Json]) -> str:
    """Return *view* in words."""
    own = []
    if "seat" in view:
        own = [f"Your hand: {', '.join(view['hand'])}"]
        own += [f"You kept: {', '.join(cards)}" for cards in view["kept"]]
    points = ", ".join(f"{seat_name(view, seat)} {number}" for seat, number in enumerate(view["points"]))
    made = [
        f"{seat_name(view, who)}: {move if isinstance(move, str) else f'keeps {move}'}"
        for who, move in view["moves"]
    ]
    return page([[f"TOY, step: {view['step']}", f"Points of bids and takes: {points}"], made, own])
