"""A view in words, for people and language models: the same facts, no more."""

from collections.abc import Iterator, Mapping, Sequence

from engines.game import Choice, Json, Some
from engines.page import answer_line, page, seat_name, tell_news

from .state import BIDS, TAKES


def text(view: Mapping[str, Json], events: Sequence[Mapping[str, Json]] = ()) -> str:
    """Return *view* in words, and *events*, which happened since the seat's last decision."""
    own = []
    if "seat" in view:
        own = [f"Your hand: {', '.join(view['hand'])}"]
        own += [f"You kept: {', '.join(cards)}" for cards in view["kept"]]
    points = ", ".join(f"{seat_name(view, seat)} {number}" for seat, number in enumerate(view["points"]))
    made = [
        f"{seat_name(view, who)}: {move if isinstance(move, str) else f'keeps {move}'}"
        for who, move in view["moves"]
    ]
    heading = [f"TOY, step: {view['step']}", f"Points of bids and takes: {points}"]
    return page([heading, tell_news(events, {}), made, own, _answer(view)])


def _answer(view: Mapping[str, Json]) -> Iterator[str]:
    """Yield what the seat may do, and how to say it, if it is asked."""
    if choice := _choice(view):
        yield f"You may choose: {', '.join(choice.options)}"
        yield answer_line(choice)


def _choice(view: Mapping[str, Json]) -> Choice | None:
    """Return the choice of the seat of *view*: it follows from the view alone."""
    if "seat" not in view:
        return None
    match view["step"]:
        case "bid":
            return BIDS
        case "take":
            return TAKES if len(view["moves"]) % view["seats"] == view["seat"] else None
        case "keep":
            return Some(tuple(view["hand"]), 1, 2)
    return None
