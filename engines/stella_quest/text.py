"""Views as text for people and language models, in lines of at most 100 columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from engines.game import Json
from engines.page import list_items, page, seat_name
from engines.stella_quest.cards import COLOURS
from engines.stella_quest.players import DUMMY, Who
from engines.stella_quest.table import LIGHTS
from engines.stella_quest.turns import NUMBER_OF_ROUNDS

__all__ = ["text"]

_LABEL: Final = 18
_list_items: Final = partial(list_items, column=_LABEL, gap=1)
_ASKED: Final = {
    "play": "seat {} plays a card, or burns a light for three more",
    "take": "seat {} has won and takes a card of the round",
    "top": "seat {} chooses the next trump, the top of the discards",
    "over": "the match is over",
}
_WHY: Final = {
    "enlightened": "Seat {} has all six numbers: it wins at once.",
    "eliminated": "Seat {} has lost its last light: it comes last, the others are ranked by points.",
    "rounds": f"{NUMBER_OF_ROUNDS} rounds are over: all are ranked by points.",
    "cards": "Nobody has a card, and none can be drawn: all are ranked by points.",
}


def text(view: Mapping[str, Json]) -> str:
    """Return *view* as lines of plain text."""
    parts = [_heading(view), _table(view), _seats(view), _middle(view), *_history(view)]
    if view["step"] == "over":
        parts.append(_result(view))
    return page(parts)


def _who(view: Mapping[str, Json], who: Who) -> str:
    if who == DUMMY:
        return "Dummy"
    return seat_name(view, who)


def _heading(view: Mapping[str, Json]) -> Iterator[str]:
    asked = _ASKED[view["step"]].format(view["turn"])
    yield f"STELLA QUEST, {view['seats']} seats, round {view['round']}: {asked}."
    you = f"You are seat {view['seat']}. " if "seat" in view else "You are a spectator. "
    yield f"{you}Seat {view['first']} led the first round, seat {view['leader']} leads this one."
    trump = COLOURS.get(f"{view['top'][0]}?", "nothing")
    lead = COLOURS[view["lead"]] if view["lead"] else "open"
    yield f"Trump is {trump}. The leading colour is {lead}."


def _table(view: Mapping[str, Json]) -> Iterator[str]:
    """Yield the cards of the round and the seat's own hand."""
    yield from _list_items(
        "Played", [f"{_who(view, who)}: {card}  " for who, card in view["table"]] or ["nothing"]
    )
    yield from _list_items("Top of discards", [view["top"]])
    if "hand" in view:
        yield from _list_items("Your hand", view["hand"])


def _seats(view: Mapping[str, Json]) -> Iterator[str]:
    """Yield the public cards of every seat: lights, marker, backs and collection."""
    yield f"{'':<{_LABEL}}{'lights':<8}{'collection':<38}hand"
    for seat, backs in enumerate(view["backs"]):
        lights = "*" * view["lights"][seat] + "." * (LIGHTS - view["lights"][seat])
        held = f"{view['hands'][seat]:>2}: {_count_cards(backs)}"
        collection = [*view["collections"][seat]] or ["-"]
        yield f"{_who(view, seat):<{_LABEL}}{lights:<8}{' '.join(collection[:12]):<38}{held}"
        if collection[12:]:
            yield from _list_items("", ["       ", *collection[12:]])
    holder = "Nobody" if view["marker"] is None else _who(view, view["marker"])
    yield f"The Black Star: {holder}"


def _count_cards(cards: Sequence[str]) -> str:
    """Return a multiset in short form, such as 2xB?."""
    return " ".join(f"{count}x{card}" if count > 1 else card for card, count in Counter(cards).items())


def _middle(view: Mapping[str, Json]) -> Iterator[str]:
    """Yield both piles."""
    shown = f"next is {view['back']}" if view["back"] else "nothing to draw"
    yield from _list_items("Draw pile", [f"{view['pile']} cards, {shown}"])
    yield from _list_items("Discards", view["discards"])


def _history(view: Mapping[str, Json]) -> Iterator[Iterator[str]]:
    """Yield a paragraph for every period between two reshuffles."""
    for number, period in enumerate(view["periods"]):
        yield _period(view, number, period)


def _period(view: Mapping[str, Json], number: int, period: Mapping[str, Json]) -> Iterator[str]:
    if number:
        yield f"Since reshuffle {number} of {view['reshuffles']}"
        yield from _list_items("  new draw pile", [_count_cards(period["cards"])])
    else:
        yield f"From the start, with {view['opening']} turned up"
    for seat, (received, played) in enumerate(zip(period["received"], period["played"], strict=True)):
        label = f"  {_who(view, seat)}"
        for line in _parts(received, played):
            yield from _list_items(label, line)
            label = ""
        if seat == view.get("seat"):
            yield from _list_items("", ["drawn   ", *(view["drawn"][number] or ["nothing"])])
    if "dummy" in period:
        yield from _list_items("  Dummy", ["played  ", *(period["dummy"] or ["nothing"])])


def _parts(received: Sequence[Sequence[str]], played: Sequence[Sequence[str]]) -> Iterator[list[str]]:
    """Yield the cards that a hand received and those that it played, by turns."""
    for backs, cards in zip(received, played, strict=True):
        if backs:
            yield ["received", _count_cards(backs)]
        if cards:
            yield ["played  ", *cards]
    if not any(received) and not any(played):
        yield ["nothing"]


def _result(view: Mapping[str, Json]) -> Iterator[str]:
    yield _WHY[view["ending"]["why"]].format(view["ending"]["seat"])
    for seat, score in enumerate(view["scores"]):
        points = f"{score['lights']} for lights, {score['jewels']} for jewels"
        yield f"{_who(view, seat):<{_LABEL}}{points}: {score['total']}"
