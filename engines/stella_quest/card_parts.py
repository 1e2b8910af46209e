"""The cards of Stella Quest as parts of a picture, in the sizes that the table needs."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

from engines import drawing
from engines.drawing import Part
from engines.game import Json, Seat
from engines.stella_quest.cards import BREAK, JEWELS
from engines.stella_quest.players import DUMMY, Who


class CardKeys:
    """The names of the cards that can be seen, from a view.

    A card is named after the seat that plays it and by how often that seat has played its like.  So it keeps
    its name from the hand to the table, and to the discards or a collection.  Later views do not tell which
    of two like cards a collection holds: there a card is named after its place, once another card is taken.
    """

    def __init__(self, view: Mapping[str, Json]) -> None:
        self._count: Counter[tuple[Who, str]] = Counter()
        self._away: dict[str, list[str]] = {}
        for _, who, card in sorted(_plays(view), key=lambda play: play[0]):
            self._count[who, card] += 1
            self._away.setdefault(card, []).append(self._key(who, card))
        self.table = [self._key(who, card) for who, card in view["table"]]
        for key, (_, card) in zip(self.table, view["table"], strict=True):
            self._away[card].remove(key)
        self.collections = [
            [f"{card}-of-{seat}-{at}" for at, card in enumerate(cards)]
            for seat, cards in enumerate(view["collections"])
        ]
        seat = _last_taker(view)
        if seat is not None and (cards := view["collections"][seat]):
            self.collections[seat][-1] = self._latest(cards[-1])
        self.top = self._latest(view["top"])

    def _key(self, who: Who, card: str) -> str:
        return f"{card}-{who}-{self._count[who, card]}"

    def _latest(self, card: str) -> str:
        """Return the key of the latest play of *card* that is not seen yet; else it was the first discard."""
        away = self._away.get(card)
        return away.pop() if away else f"{card}-first"

    def of_hand(self, seat: Seat, cards: Sequence[str]) -> list[str]:
        """Return the keys of the cards in a hand, in their order."""
        before: Counter[str] = Counter()
        keys = []
        for card in cards:
            before[card] += 1
            keys.append(f"{card}-{seat}-{self._count[seat, card] + before[card]}")
        return keys


def _last_taker(view: Mapping[str, Json]) -> Seat | None:
    """Return the seat that took a card last: the Black Star follows, once the other cards are discarded."""
    if view["step"] == "top":
        return int(view["turn"])
    if view["step"] == "over" and view["ending"]["seat"] is not None:
        return int(view["ending"]["seat"])
    return None if view["marker"] == DUMMY else view["marker"]


def _plays(view: Mapping[str, Json]) -> Iterator[tuple[tuple[int, int], Who, str]]:
    """Yield every card that was played, after its seat and about when: the period, and the plays before it.

    A view has the plays between two draws without their order.
    """
    for period, told in enumerate(view["periods"]):
        for seat, parts in enumerate(told["played"]):
            before = 0
            for cards in parts:
                for card in cards:
                    yield (period, before), seat, card
                before += len(cards)
        for card in told.get("dummy", ()):
            yield (period, 0), DUMMY, card


MARGIN: Final = 16
"""What is left free at the sides of the picture."""
SUITS: Final = {
    "B": ("drop", "hue-blue"),
    "G": ("leaf", "hue-green"),
    "R": ("heart", "hue-vermilion"),
    "Y": ("sun", "hue-yellow"),
    "X": ("break", "hue-grey"),
}
"""The mark and the hue of each colour; a Break Card is grey."""
LARGE: Final = (72, 96)
"""Width and height of a card on the table."""


def card_part(key: str, x: float, y: float, card: str, size: tuple[int, int], *, calm: bool = False) -> Part:
    """Return the front of *card*, *size* wide and high; a *calm* one is not outlined when it changes."""
    hue = SUITS[card[0]][1]
    kind = f"{hue} calm" if calm else hue
    return drawing.make_part(key, x, y, drawing.outline(*size), _face(card, *size), kind)


@lru_cache(maxsize=256)
def _face(card: str, width: int, height: int) -> str:
    """Return the front of a card: its number in the corner, its mark, and its jewels on a large card."""
    suit = SUITS[card[0]][0]
    face = drawing.rectangle(width, height, kind="card")
    if card == BREAK:
        return face + drawing.mark(suit, width / 2, height / 2, width * 0.55)
    large = width == LARGE[0]
    face += drawing.words(card[1], width * 0.11, height * 0.24, 34 if large else 27, "ink strong")
    if not large:
        return face + drawing.mark(suit, 17, height - 19, 22)
    face += drawing.mark(suit, width - 22, height * 0.54, 34)
    return face + "".join(drawing.mark("jewel", 15 + 18 * at, height - 14, 14) for at in range(JEWELS[card]))
