"""Draw the table of Stella Quest: piles, the cards of the round, and for each seat lights, collection, hand.

A card keeps its key while it goes from a hand to the table and on to a collection or the discards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

from engines.drawing import (
    WIDTH,
    Part,
    Picture,
    back,
    circle,
    describe,
    hand,
    label,
    make_part,
    mark,
    outline,
    rectangle,
    seat_label,
    seat_mark,
    text_width,
    viewpoint,
    words,
)
from engines.game import Json, Seat
from engines.stella_quest.card_keys import CardKeys
from engines.stella_quest.cards import BREAK, COLOURS, JEWELS, NUMBERS
from engines.stella_quest.players import DUMMY, Who
from engines.stella_quest.rounds import winner
from engines.stella_quest.table import LIGHTS
from engines.stella_quest.text import text
from engines.stella_quest.turns import NUMBER_OF_ROUNDS

__all__ = ["draw", "part_of"]

_MARGIN: Final = 16
_SUITS: Final = {
    "B": ("drop", "hue-blue"),
    "G": ("leaf", "hue-green"),
    "R": ("heart", "hue-vermilion"),
    "Y": ("sun", "hue-yellow"),
    "X": ("break", "hue-grey"),
}
"""The mark and the hue of each colour; a Break Card is grey."""
_LARGE: Final = (72, 96)
"""Width and height of a card on the table."""
_HELD: Final = (52, 72)
_TAKEN: Final = (44, 60)
_NOT_OUTLINED: Final = '<rect class="outline"/>'
_DISCARDS_AT: Final = 112
_CARDS_AT: Final = 124
"""The height of the cards of the round."""
_PLACES: Final = range(252, 652, 100)
"""Where the cards of the seats lie, in the order of the seats."""
_SEATS_AT: Final = 270
_SEAT_AT: Final = 12
"""The left end of the label of a seat."""
_BLOCK: Final = 132
"""The height of a seat's lights, collection and hand."""
_HAND_AT: Final = 328
_STEP: Final = 50
"""From one number of a collection to the next."""
_LIGHTS_AT: Final = 216
_STARS: Final = 28
_MARKER_AT: Final = _LIGHTS_AT + LIGHTS * _STARS + 20
"""Where the Black Star lies beside the lights of its holder."""
_ASKED: Final = {
    "play": "Seat {} plays a card",
    "take": "Seat {} wins and takes a card",
    "top": "Seat {} chooses the next trump",
}
_WHY: Final = {
    "enlightened": "Seat {} has all six numbers and wins",
    "eliminated": "Seat {} has lost its last light",
    "rounds": f"{NUMBER_OF_ROUNDS} rounds are over",
    "cards": "No card is left to play",
}


def draw(*views: Mapping[str, Json]) -> Picture:
    """Return what the holders of *views* know together: one view, or those of all seats.

    Known hands lie face up, all others show their backs, as the rules have it (SQ33).
    """
    view = views[0]
    hands = {one["seat"]: one["hand"] for one in views if "seat" in one}
    keys = CardKeys(view)
    parts = [*_heading(view), *_piles(view, keys), *_table(view, keys)]
    for seat in range(view["seats"]):
        parts += _seat(view, seat, keys, hands.get(seat), own=len(views) == 1)
    parts.append(_marker(view))
    height = _SEATS_AT + _BLOCK * view["seats"]
    title = f"Stella Quest, round {view['round']}, {viewpoint(views)}"
    description = describe(text, views, ["hand"], past=["drawn"])
    return Picture(WIDTH, height, title, description, tuple(parts))


def part_of(view: Mapping[str, Json], option: str) -> str | None:
    """Return the key of the card that *option* plays, takes or puts on top, or of the pile it draws from."""
    verb, _, card = option.partition(" ")
    keys = CardKeys(view)
    if verb == "draw":
        return "pile"
    if verb == "play":
        held: list[str] = view["hand"]
        return keys.of_hand(view["seat"], held)[held.index(card)]
    table = [lies for _, lies in view["table"]]
    return keys.table[table.index(card)]


def _heading(view: Mapping[str, Json]) -> Iterator[Part]:
    if view["step"] == "over":
        says = _WHY[view["ending"]["why"]].format(view["ending"]["seat"])
    else:
        says = _ASKED[view["step"]].format(view["turn"])
    number = f"Round {view['round']}"
    room = WIDTH - 2 * _MARGIN - text_width(number) - 14
    yield label("heading", _MARGIN, 30, says, 26, "ink strong", room=room)
    yield label("round", WIDTH - _MARGIN, 30, number, 22, "muted", "end")
    yield _colour("trump", _MARGIN, "Trump", view["top"], "none")
    yield _colour("lead", 232, "Lead", view["lead"], "open")


def _colour(key: str, x: float, name: str, card: str | None, otherwise: str) -> Part:
    """Return the name and the mark of the colour of *card*."""
    colour = COLOURS.get(f"{card[0]}?") if card else None
    width = text_width(name) + 14
    content = words(name, 0, 0, 22, "muted")
    hue = "hue-grey"
    if card and colour:
        suit, hue = _SUITS[card[0]]
        content += mark(suit, width + 11, 0, 22) + words(colour, width + 28, 0, 22, "ink strong")
    else:
        content += words(otherwise, width, 0, 22, "ink strong")
    return make_part(key, x, 66, outline(round(width) + 100, 28, -4, -14, 4), content, f"{hue} calm")


def _piles(view: Mapping[str, Json], keys: CardKeys) -> Iterator[Part]:
    """Yield the draw pile, whose next back is seen, and the discards."""
    width, height = _LARGE
    yield _draw_pile(view["pile"], view["back"])
    below = words(_count(len(view["discards"])), width / 2, height + 18, 21, "muted", "middle")
    above = words("Discards", 0, -22, 21)
    yield make_part("discards", _DISCARDS_AT, _CARDS_AT, _NOT_OUTLINED, above + below)
    yield _card(keys.top, _DISCARDS_AT, _CARDS_AT, view["top"], _LARGE)


def _count(cards: int) -> str:
    return f"{cards} card{'s' * (cards != 1)}"


def _draw_pile(size: int, next_back: str | None) -> Part:
    width, height = _LARGE
    around = words("Deck", 0, -22, 21) + words(f"{size} left", width / 2, height + 18, 21, "muted", "middle")
    if next_back is None:
        content, hue = rectangle(width, height, kind="slot"), "hue-grey"
    else:
        suit, hue = _SUITS[next_back[0]]
        under = rectangle(width, height, 5, -5, "back") if size > 1 else ""
        content = under + rectangle(width, height, kind="back")
        content += rectangle(width - 12, height - 12, 6, 6, "back-line", 5)
        content += mark(suit, width / 2, height / 2, 32)
    return make_part("pile", _MARGIN, _CARDS_AT, outline(width, height), content + around, hue)


def _table(view: Mapping[str, Json], keys: CardKeys) -> Iterator[Part]:
    """Yield the place of every player in the order of the seats, then the cards of the round."""
    places = dict(zip(_players(view), _PLACES, strict=False))
    notes = _notes(view)
    for who, x in places.items():
        yield _place(who, x, notes.get(who, ""))
    for key, (who, card) in zip(keys.table, view["table"], strict=True):
        yield _card(key, places[who], _CARDS_AT, card, _LARGE)


def _players(view: Mapping[str, Json]) -> list[Who]:
    """Return the seats; the Dummy plays between two."""
    return [0, DUMMY, 1] if view["seats"] == 2 else [*range(view["seats"])]


def _notes(view: Mapping[str, Json]) -> dict[Who, str]:
    """Say who leads, who is ahead, who has won: one note for a player at most."""
    notes: dict[Who, str] = {}
    if view["step"] in ("take", "top"):
        return {view["turn"]: "wins"}
    cards = [card for _, card in view["table"]]
    if view["step"] == "play":
        notes[view["leader"]] = "leads"
        best = winner(view["top"], cards)
        if best is not None and len(cards) > 1:
            notes[view["table"][best][0]] = "ahead"
    for at, (who, card) in enumerate(view["table"]):
        if card != BREAK and (card == view["top"] or card in cards[:at]):
            notes[who] = "super"
    return notes


@lru_cache(maxsize=256)
def _place(who: Who, x: float, note: str) -> Part:
    width, height = _LARGE
    name = "Dummy" if who == DUMMY else f"Seat {who}"
    if who == DUMMY:
        content = words(name, width / 2, -22, 21, "ink", "middle")
    else:
        content = seat_mark(int(who), -2, -22, 20) + words(name, 14, -22, 21, "ink", room=68)
    content += rectangle(width, height, kind="slot")
    content += words(note, width / 2, height + 18, 21, "ink strong", "middle") if note else ""
    return make_part(f"place-{who}", x, _CARDS_AT, _NOT_OUTLINED, content)


def _seat(
    view: Mapping[str, Json], seat: Seat, keys: CardKeys, cards: Sequence[str] | None, *, own: bool
) -> Iterator[Part]:
    """Yield the lights, the collection and the hand of a seat; *cards* is its hand, if that is known."""
    y = _SEATS_AT + _BLOCK * seat
    yield seat_label(
        f"seat-{seat}",
        _SEAT_AT,
        y,
        seat,
        WIDTH - 2 * _SEAT_AT,
        _note(view, seat),
        own=own and view.get("seat") == seat,
        asked=view["turn"] == seat,
        kind="calm",
        taken=(_LIGHTS_AT - _SEAT_AT, _MARKER_AT + 20 - _SEAT_AT),
    )
    yield _lights(seat, y + 17, view["lights"][seat])
    yield _numbers(seat, y + 44)
    yield from _collection(y + 44, keys.collections[seat], view["collections"][seat])
    yield from _hand(view, seat, y + 44, keys, cards)


def _note(view: Mapping[str, Json], seat: Seat) -> str:
    if view["step"] == "over":
        score = view["scores"][seat]
        return f"{score['lights']} + {score['jewels']} = {score['total']} points"
    return _count(view["hands"][seat])


@lru_cache(maxsize=64)
def _lights(seat: Seat, y: float, lights: int) -> Part:
    stars = "".join(
        mark("star", 12 + at * _STARS, 0, 24, "mark" if at < lights else "unlit") for at in range(LIGHTS)
    )
    row = outline(_STARS * LIGHTS - 4, 24, 0, -12, 12)
    return make_part(f"lights-{seat}", _LIGHTS_AT, y, row, stars, "hue-yellow")


@lru_cache(maxsize=16)
def _numbers(seat: Seat, y: float) -> Part:
    """Return the places of the six numbers that a seat collects."""
    width, height = _TAKEN
    content = ""
    for number in sorted(set(NUMBERS.values())):
        x = (number - 1) * _STEP
        content += rectangle(width, height, x, 0, "slot") + words(
            str(number), x + width / 2, height / 2, 22, "muted", "middle"
        )
    return make_part(f"numbers-{seat}", _MARGIN, y, _NOT_OUTLINED, content)


def _collection(y: float, keys: Sequence[str], cards: Sequence[str]) -> Iterator[Part]:
    """Yield the cards of a collection, each at its number; like numbers lie on one another."""
    total = Counter(NUMBERS[card] for card in cards)
    before: Counter[int] = Counter()
    for key, card in zip(keys, cards, strict=True):
        number = NUMBERS[card]
        down = before[number] * min(20, 24 / max(1, total[number] - 1))
        before[number] += 1
        yield _card(key, _MARGIN + (number - 1) * _STEP, y + down, card, _TAKEN, calm="-of-" in key)


def _hand(
    view: Mapping[str, Json], seat: Seat, y: float, keys: CardKeys, cards: Sequence[str] | None
) -> Iterator[Part]:
    """Yield a hand: its cards if they are known, else their backs."""
    width, height = _HELD
    room = WIDTH - _MARGIN - _HAND_AT
    shown: Sequence[str] = view["backs"][seat] if cards is None else cards
    numbers: Counter[str] = Counter()
    if cards is None:
        names = []
        for one in shown:
            numbers[one] += 1
            names.append(f"back-{seat}-{one[0]}-{numbers[one]}")
    else:
        names = keys.of_hand(seat, shown)

    def one_card(x: float, y: float, at: int) -> Part:
        if cards is not None:
            return _card(names[at], x, y, shown[at], _HELD, calm=True)
        suit, hue = _SUITS[shown[at][0]]
        return back(names[at], x, y, hue=hue, mark_name=suit, width=width, height=height, kind="calm")

    held = hand(_HAND_AT, y, range(len(shown)), one_card, room, width=width)
    step = min(width + 6, (room - width) / (len(shown) - 1)) if len(shown) > 1 else 0
    across = width + step * (len(shown) - 1) if shown else 0
    title = f"<title>Seat {seat} holds {len(shown)}</title>"
    yield make_part(f"hand-{seat}", _HAND_AT, y, outline(across, height), title)
    yield from held


def _marker(view: Mapping[str, Json]) -> Part:
    """Return the Black Star beside the lights of its holder, or at the table."""
    holder = view["marker"]
    if holder is None:
        x, y = WIDTH - _MARGIN - 14.0, 66.0
    elif holder == DUMMY:
        x, y = _PLACES[1] + _LARGE[0] + 14.0, _CARDS_AT + _LARGE[1] + 18.0  # between the notes of two places
    else:
        x, y = float(_MARKER_AT), _SEATS_AT + _BLOCK * holder + 17.0
    name = words("Black Star", -24, 0, 21, "muted", "end") if holder is None else ""
    star = circle(14, kind="ink") + mark("star", 0, 0, 20, "ground")
    return make_part("marker", x, y, circle(18, kind="outline"), star + name)


def _card(
    key: str,
    x: float,
    y: float,
    card: str,
    size: tuple[int, int],
    *,
    calm: bool = False,
) -> Part:
    hue = _SUITS[card[0]][1]
    kind = f"{hue} calm" if calm else hue
    return make_part(key, x, y, outline(*size), _face(card, *size), kind)


@lru_cache(maxsize=256)
def _face(card: str, width: int, height: int) -> str:
    """Return the front of a card: its number in the corner, its mark, and its jewels on a large card."""
    suit = _SUITS[card[0]][0]
    face = rectangle(width, height, kind="card")
    if card == BREAK:
        return face + mark(suit, width / 2, height / 2, width * 0.55)
    large = width == _LARGE[0]
    face += words(card[1], width * 0.11, height * 0.24, 34 if large else 27, "ink strong")
    if not large:
        return face + mark(suit, 17, height - 19, 22)
    face += mark(suit, width - 22, height * 0.54, 34)
    return face + "".join(mark("jewel", 15 + 18 * at, height - 14, 14) for at in range(JEWELS[card]))
