"""Views as text for people and language models, in lines of at most 100 columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from engines.game import Json
from engines.page import list_items, page, seat_name
from engines.stellar.cards import CARDS, DOWN, ROWS, SECTIONS, TYPES
from engines.stellar.scoring import section_totals, stars
from engines.stellar.turns import TURNS

__all__ = ["text"]

_LABEL: Final = 20
_HALF: Final = 40
_list_items: Final = partial(list_items, column=_LABEL, gap=2)
_ASKED: Final = {
    "starter": "in secret both seats choose their starter for T1",
    "wipe": "seat {seat} keeps the row, or wipes it",
    "take": "seat {seat} takes a card from the row",
    "play": "seat {seat} plays a card from the hand",
    "place": "seat {seat} places {card} in the telescope",
    "final": "in secret both seats choose a last card for the notebook",
    "over": "the match is over",
}


def text(view: Mapping[str, Json]) -> str:
    """Return *view* as lines of plain text."""
    parts = [_heading(view), _table(view), _telescopes(view), _notebooks(view)]
    if view["step"] == "over":
        parts.append(_result(view))
    return page(parts)


def _heading(view: Mapping[str, Json]) -> Iterator[str]:
    turn, step = view["turn"], view["step"]
    seat = (view["first"] + turn) % 2
    when = f"turn {turn + 1} of {TURNS}" if turn < TURNS else "after the last turn"
    yield f"STELLAR, {when}: {_ASKED[step].format(seat=seat, card=view.get('waiting'))}."
    you = f"You are seat {view['seat']}. " if "seat" in view else "You are a spectator. "
    number = "their printed number" if view["options"]["face_down_number"] == "printed" else "3"
    yield f"{you}Seat {view['first']} began. Cards played face down call for {number}."
    if view["satellite"]:
        then = f"so seat {1 - seat} may wipe the row" if turn < TURNS - 1 else "which is the last one"
        yield f"Seat {seat} took a satellite in this turn, {then}."


def _table(view: Mapping[str, Json]) -> Iterator[str]:
    """Yield the row, the hands and both piles."""
    yield from _list_items("Row", [f"{slot}: {card or '-':<6}" for slot, card in enumerate(view["row"], 1)])
    if "hand" in view:
        yield from _list_items("Your hand", view["hand"])
    for seat, known in enumerate(view["known"]):
        size = view["hands"][seat]
        yield from _list_items(
            seat_name(view, seat), [f"{size} cards in hand; all know of:", *(known or ["none"])]
        )
    order = ", after reshuffle {}; in some order:".format(view["reshuffles"]) if view["reshuffles"] else ""
    yield from _list_items("Draw pile", [f"{view['pile']} cards{order}", *view.get("pile_cards", ())])
    yield from _list_items("Discards", view["discards"] or ["none"])


def _telescopes(view: Mapping[str, Json]) -> Iterator[str]:
    """Yield both pyramids, with the section totals."""
    yield _columns("Telescopes", [seat_name(view, seat).center(32) for seat in range(2)])
    for row in ROWS:
        pyramids = [
            "".join(_cell(slot, cards.get(slot)) for slot in row).center(32) for cards in view["telescopes"]
        ]
        yield _columns("", pyramids)
    totals = [section_totals(cards) for cards in view["telescopes"]]
    for section in SECTIONS:
        yield _columns(f"{section} total", [str(total[section]).center(32) for total in totals])
    yield "[M3.2] lies face up, (M3.2) face down as a 3 without type and stars, T2 is free."


def _cell(slot: str, lies: str | None) -> str:
    if lies is None:
        return slot.center(8)
    return (f"({lies.removesuffix(DOWN)})" if lies.endswith(DOWN) else f"[{lies}]").center(8)


def _notebooks(view: Mapping[str, Json]) -> Iterator[str]:
    """Yield for every type its stars in the telescope and its stack in the notebook."""
    for seat, notebook in enumerate(view["notebooks"]):
        yield f"Notebook of {seat_name(view, seat)}"
        shining = stars(view["telescopes"][seat].values())
        for kind, name in TYPES.items():
            stack = [card for card in notebook if CARDS[card].type == kind]
            yield from _list_items(
                name,
                [
                    f"{shining[kind]:>2} {'star ' if shining[kind] == 1 else 'stars'} x the run in:",
                    *(stack or ["none"]),
                ],
            )
        spare = [card for card in notebook if CARDS[card].type is None]
        yield from _list_items("satellites", ["of any type:           ", *(spare or ["none"])])


def _result(view: Mapping[str, Json]) -> Iterator[str]:
    yield _columns("Points", [seat_name(view, seat) for seat in range(2)])
    for part in view["scores"][0]:
        yield _columns(part, [f"{score[part]:>4}" for score in view["scores"]])
    yield _columns("threw away", view["thrown"])


def _columns(label: str, columns: Sequence[str]) -> str:
    return f"{label:<{_LABEL}}" + "".join(f"{column:<{_HALF}}" for column in columns)
