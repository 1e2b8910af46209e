"""Why a round is won and why it costs lights, for people: added to events, whose phrases tell it.

All of it follows from the events before: bots see those alone.
"""

from collections.abc import Mapping
from typing import Final

from engines.game import Json
from engines.page import plural
from engines.stella_quest.cards import BREAK, COLOURS, JEWELS, NUMBERS
from engines.stella_quest.players import DUMMY
from engines.stella_quest.rounds import winner

_TURNED_UP: Final = "a super trump: the twin of the top discard"
_PLAYED_TWICE: Final = "a super trump: the twin of a card of this round"


class Reasons:
    """The course of a match as far as the reasons of its events need it."""

    def __init__(self) -> None:
        """Begin before the first event."""
        self._top = BREAK
        self._table: list[str] = []
        self._by: list[Json] = []
        self._marker: Json = None
        self._numbers: dict[int, set[int]] = {}

    def explain(self, event: Mapping[str, Json]) -> Mapping[str, Json]:
        """Return *event*, the next one of the match, with its reasons."""
        kind = event["event"]
        if kind == "start":
            self._top = event["top"]
        elif kind == "play":
            return self._follow(event)
        elif kind == "win":
            return self._win(event)
        elif kind == "take":
            return self._take(event)
        elif kind == "discard":
            self._top, self._marker = event["top"], event["marker"]
            self._table, self._by = [], []
        return event

    def _follow(self, event: Mapping[str, Json]) -> Mapping[str, Json]:
        """Say which colour a seat does not have that does not follow."""
        card, seat = event["card"], event["seat"]
        lead = next((one[0] for one in self._table if one != BREAK), card[0])
        self._table.append(card)
        self._by.append(seat)
        if card == BREAK or card[0] == lead or seat == DUMMY:
            return event
        return {**event, "lacking": COLOURS[f"{lead}?"]}

    def _win(self, event: Mapping[str, Json]) -> Mapping[str, Json]:
        place = winner(self._top, self._table)
        if place is None:
            return {**event, "broken": True}
        card, seat = self._table[place], event["seat"]
        paid = {"price": "a light"} if seat != DUMMY and seat == self._marker else {}
        return {**event, "with": card, "by": self._say_why(place), **paid}

    def _say_why(self, place: int) -> str:
        card = self._table[place]
        if card in self._table[:place]:
            return _PLAYED_TWICE
        if card == self._top:
            return _TURNED_UP
        if card[0] == self._top[0]:
            return "the highest trump"
        no_trump = "there is no trump" if self._top == BREAK else "no trump was played"
        return f"the highest card of the colour led; {no_trump}"

    def _take(self, event: Mapping[str, Json]) -> Mapping[str, Json]:
        card = event["card"]
        held = self._numbers.setdefault(event["seat"], set())
        if NUMBERS[card] in held:
            return {**event, "another": NUMBERS[card], "price": plural(JEWELS[card], "light")}
        held.add(NUMBERS[card])
        return event
