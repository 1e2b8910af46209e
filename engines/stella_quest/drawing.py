"""Draw the table of Stella Quest: piles, the cards of the round, and for each seat lights, collection, hand.

A card keeps its key while it goes from a hand to the table and on to a collection or the discards.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

from engines import drawing
from engines.drawing import Part, Picture
from engines.game import Json, MovePart
from engines.news import agree
from engines.stella_quest.card_parts import LARGE, MARGIN, SUITS, CardKeys, card_part
from engines.stella_quest.cards import BREAK, COLOURS, JEWELS
from engines.stella_quest.players import DUMMY, Who
from engines.stella_quest.rounds import winner
from engines.stella_quest.seat_block import BLOCK, MARKER_AT, SEATS_AT, count_cards, seat_block
from engines.stella_quest.text import in_words, text
from engines.stella_quest.turns import NUMBER_OF_ROUNDS

_DISCARDS_AT: Final = 112
_CARDS_AT: Final = 124
"""The height of the cards of the round."""
_PLACES: Final = range(252, 652, 100)
"""Where the cards of the seats lie, in the order of the seats."""
_ASKED: Final = {"play": "{} plays a card", "take": "{} takes a card", "top": "{} chooses the next trump"}
_WHY: Final = {
    "enlightened": "{} has all six numbers",
    "eliminated": "{} has no light left",
    "rounds": f"{NUMBER_OF_ROUNDS} rounds are over",
    "cards": "No card is left to play",
}


def draw(*views: Mapping[str, Json], names: Sequence[str] = ()) -> Picture:
    """Return what the holders of *views* know together: known hands face up, others show backs (SQ33)."""
    view = views[0]
    hands = {one["seat"]: one["hand"] for one in views if "seat" in one}
    keys = CardKeys(view)
    middle = [*_heading(view, names), *_piles(view, keys), *_table(view, keys, names)]
    seats = [
        part
        for seat in range(view["seats"])
        for part in seat_block(view, seat, keys, hands.get(seat), names, own=len(views) == 1)
    ]
    parts = [*middle, *seats, _marker(view)]
    high = BLOCK * view["seats"]
    is_held = view["marker"] not in (None, DUMMY)
    (seats if is_held else middle).append(parts[-1])
    beside = (seats, drawing.WIDTH - MARGIN, MARGIN - SEATS_AT)
    wide = drawing.arrange(2 * drawing.WIDTH - MARGIN, max(SEATS_AT, MARGIN + high), (middle, 0, 0), beside)
    title = f"Stella Quest, round {view['round']}, {drawing.viewpoint(views, names)}"
    description = drawing.describe(text, views, ["hand"], past=["drawn"])
    return Picture(drawing.WIDTH, SEATS_AT + high, title, description, tuple(parts), wide=wide)


def parts_of(view: Mapping[str, Json], option: str) -> list[MovePart]:
    """Return the card that *option* plays, takes or puts on top, or the pile it draws from."""
    verb, _, card = option.partition(" ")
    keys = CardKeys(view)
    if verb == "draw":
        return [MovePart("the draw pile", ("pile",))]
    if verb == "play":
        cards, names = view["hand"], keys.of_hand(view["seat"], view["hand"])
    else:
        # a card that is taken or put on top lies on the table
        cards, names = [lies for _, lies in view["table"]], keys.table
    alike = [name for name, one in zip(names, cards, strict=True) if one == card]
    return [MovePart(in_words(card), tuple(alike))]


def candidates(view: Mapping[str, Json]) -> list[tuple[str, ...]]:
    """Return the cards of the own hand, or those on the table."""
    keys = CardKeys(view)
    names = keys.of_hand(view["seat"], view["hand"]) if view["step"] == "play" else keys.table
    return [(name,) for name in names]


def _heading(view: Mapping[str, Json], names: Sequence[str]) -> Iterator[Part]:
    if view["step"] == "over":
        says, seat = _WHY[view["ending"]["why"]], view["ending"]["seat"]
    else:
        says, seat = _ASKED[view["step"]], view["turn"]
    says = agree(says.format("" if seat is None else drawing.seat_name(seat, names)))
    number = f"Round {view['round']}"
    room = drawing.WIDTH - 2 * MARGIN - drawing.text_width(number) - 14
    yield drawing.heading(says, MARGIN, 30, room, 26)
    yield drawing.label("round", drawing.WIDTH - MARGIN, 30, number, 22, "muted", "end")
    yield _colour("trump", MARGIN, "Trump", view["top"], "none")
    yield _colour("lead", 232, "Lead", view["lead"], "open")


def sketches(event: Mapping[str, Json], options: Mapping[str, Json] | None = None) -> list[Picture]:
    """Return the cards of *event*, small."""

    def draw_card(text: str) -> Part | None:
        return card_part(text, 0, 0, text, LARGE) if text in JEWELS or text == BREAK else None

    return drawing.sketch_things(event, ("top", "card", "cards", "hand"), draw_card, LARGE)


def _colour(key: str, x: float, name: str, card: str | None, otherwise: str) -> Part:
    """Return the name and the mark of the colour of *card*."""
    colour = COLOURS.get(f"{card[0]}?") if card else None
    width = drawing.text_width(name) + 14
    content = drawing.words(name, 0, 0, 22, "muted")
    hue = "hue-grey"
    if card and colour:
        suit, hue = SUITS[card[0]]
        content += drawing.mark(suit, width + 11, 0, 22)
        content += drawing.words(colour, width + 28, 0, 22, "ink strong")
    else:
        content += drawing.words(otherwise, width, 0, 22, "ink strong")
    around = drawing.outline(round(width) + 100, 28, -4, -14, 4)
    return drawing.make_part(key, x, 66, around, content, f"{hue} calm")


def _piles(view: Mapping[str, Json], keys: CardKeys) -> Iterator[Part]:
    """Yield the draw pile, whose next back is seen, and the discards."""
    width, height = LARGE
    yield _draw_pile(view["pile"], view["back"])
    below = drawing.words(count_cards(len(view["discards"])), width / 2, height + 18, 21, "muted", "middle")
    above = drawing.words("Discards", 0, -22, 21)
    yield drawing.make_part("discards", _DISCARDS_AT, _CARDS_AT, drawing.NO_OUTLINE, above + below)
    yield card_part(keys.top, _DISCARDS_AT, _CARDS_AT, view["top"], LARGE)


def _draw_pile(size: int, next_back: str | None) -> Part:
    width, height = LARGE
    around = drawing.words("Deck", 0, -22, 21) + " "
    around += drawing.words(f"{size} left", width / 2, height + 18, 21, "muted", "middle")
    if next_back is None:
        content, hue = drawing.rectangle(width, height, kind="slot"), "hue-grey"
    else:
        suit, hue = SUITS[next_back[0]]
        under = drawing.rectangle(width, height, 5, -5, "back") if size > 1 else ""
        content = under + drawing.rectangle(width, height, kind="back")
        content += drawing.rectangle(width - 12, height - 12, 6, 6, "back-line", 5)
        content += drawing.mark(suit, width / 2, height / 2, 32)
    return drawing.make_part("pile", MARGIN, _CARDS_AT, drawing.outline(width, height), content + around, hue)


def _table(view: Mapping[str, Json], keys: CardKeys, names: Sequence[str]) -> Iterator[Part]:
    """Yield the place of every player in the order of the seats, then the cards of the round."""
    places = dict(zip(_players(view), _PLACES, strict=False))
    notes = _notes(view)
    for who, x in places.items():
        name = "Dummy" if who == DUMMY else drawing.seat_name(int(who), names)
        yield _place(who, name, x, notes.get(who, ""))
    for key, (who, card) in zip(keys.table, view["table"], strict=True):
        yield card_part(key, places[who], _CARDS_AT, card, LARGE)


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
def _place(who: Who, name: str, x: float, note: str) -> Part:
    width, height = LARGE
    if who == DUMMY:
        content = drawing.words(name, width / 2, -22, 21, "ink", "middle")
    else:
        content = drawing.seat_mark(int(who), -2, -22, 20)
        if drawing.text_width(name, drawing.SMALLEST) <= width:  # else its mark says who it is
            content += drawing.words(name, 14, -22, 21, room=width)
    content += drawing.rectangle(width, height, kind="slot")
    content += drawing.words(note, width / 2, height + 18, 21, "ink strong", "middle") if note else ""
    return drawing.make_part(f"place-{who}", x, _CARDS_AT, drawing.NO_OUTLINE, content)


def _marker(view: Mapping[str, Json]) -> Part:
    """Return the Black Star beside the lights of its holder, or at the table."""
    holder = view["marker"]
    if holder is None:
        x, y = drawing.WIDTH - MARGIN - 14.0, 66.0
    elif holder == DUMMY:
        x, y = _PLACES[1] + LARGE[0] + 14.0, _CARDS_AT + LARGE[1] + 18.0  # between the notes of two places
    else:
        x, y = float(MARKER_AT), SEATS_AT + BLOCK * holder + 17.0
    name = drawing.words("Black Star", -24, 0, 21, "muted", "end") if holder is None else ""
    star = drawing.circle(14, kind="ink") + drawing.mark("star", 0, 0, 20, "ground")
    return drawing.make_part("marker", x, y, drawing.circle(18, kind="outline"), star + name)
