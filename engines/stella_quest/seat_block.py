"""What lies before a seat of Stella Quest as parts of a picture: lights, collection and hand."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

from engines import drawing
from engines.drawing import Part
from engines.game import Json, Seat
from engines.news import agree
from engines.page import plural
from engines.remember import remember
from engines.stella_quest.card_parts import MARGIN, SUITS, CardKeys, card_part
from engines.stella_quest.cards import NUMBERS
from engines.stella_quest.table import LIGHTS

_HELD: Final = (52, 72)
_TAKEN: Final = (44, 60)
SEATS_AT: Final = 270
_SEAT_AT: Final = 12
"""The left end of the label of a seat."""
BLOCK: Final = 132
"""The height of a seat's lights, collection and hand."""
_HAND_AT: Final = 328
_STEP: Final = 50
"""From one number of a collection to the next."""
_LIGHTS_AT: Final = 216
_STARS: Final = 28
MARKER_AT: Final = _LIGHTS_AT + LIGHTS * _STARS + 20
"""Where the Black Star lies beside the lights of its holder."""


def seat_block(
    view: Mapping[str, Json],
    seat: Seat,
    keys: CardKeys,
    cards: Sequence[str] | None,
    names: Sequence[str],
    *,
    own: bool,
) -> Iterator[Part]:
    """Yield the lights, the collection and the hand of a seat; *cards* is its hand, if that is known."""
    y = SEATS_AT + BLOCK * seat
    yield drawing.seat_label(
        f"seat-{seat}",
        _SEAT_AT,
        y,
        seat,
        drawing.WIDTH - 2 * _SEAT_AT,
        _note(view, seat),
        names=names,
        own=own and view.get("seat") == seat,
        asked=view["turn"] == seat,
        kind="calm",
        taken=(_LIGHTS_AT - _SEAT_AT, MARKER_AT + 20 - _SEAT_AT),
    )
    yield _lights(seat, y + 17, view["lights"][seat])
    yield _numbers(seat, y + 44)
    yield from _collection(y + 44, keys.collections[seat], view["collections"][seat])
    yield from _hand(view, seat, y + 44, keys, cards, drawing.seat_name(seat, names))


def _note(view: Mapping[str, Json], seat: Seat) -> str:
    if view["step"] == "over":
        score = view["scores"][seat]
        return f"{score['lights']} + {score['jewels']} = {plural(score['total'], 'point')}"
    return count_cards(view["hands"][seat])


@lru_cache(maxsize=64)
def _lights(seat: Seat, y: float, lights: int) -> Part:
    stars = "".join(
        drawing.mark("star", 12 + at * _STARS, 0, 24, "mark" if at < lights else "unlit")
        for at in range(LIGHTS)
    )
    row = drawing.outline(_STARS * LIGHTS - 4, 24, 0, -12, 12)
    return drawing.make_part(f"lights-{seat}", _LIGHTS_AT, y, row, stars, "hue-yellow")


@lru_cache(maxsize=16)
def _numbers(seat: Seat, y: float) -> Part:
    """Return the places of the six numbers that a seat collects."""
    width, height = _TAKEN
    content = ""
    for number in sorted(set(NUMBERS.values())):
        x = (number - 1) * _STEP
        content += drawing.rectangle(width, height, x, 0, "slot")
        content += drawing.words(str(number), x + width / 2, height / 2, 22, "muted", "middle")
    return drawing.make_part(f"numbers-{seat}", MARGIN, y, drawing.NO_OUTLINE, content)


@remember
def _collection(y: float, keys: Sequence[str], cards: Sequence[str]) -> Sequence[Part]:
    """Return the cards of a collection, each at its number; like numbers lie on one another."""
    total = Counter(NUMBERS[card] for card in cards)
    before: Counter[int] = Counter()
    parts = []
    for key, card in zip(keys, cards, strict=True):
        number = NUMBERS[card]
        # as far down as the block is high: cards on one another come closer, the more they are
        down = before[number] * min(20, 24 / max(1, total[number] - 1))
        before[number] += 1
        x = MARGIN + (number - 1) * _STEP
        parts.append(card_part(key, x, y + down, card, _TAKEN, calm="-of-" in key))
    return parts


def _hand(
    view: Mapping[str, Json], seat: Seat, y: float, keys: CardKeys, cards: Sequence[str] | None, name: str
) -> Sequence[Part]:
    """Return a hand: its cards if they are known, else their backs."""
    if cards is not None:
        return _hand_parts(seat, y, cards, keys.of_hand(seat, cards), name, False)
    backs = view["backs"][seat]
    numbers: Counter[str] = Counter()
    names = []
    for one in backs:
        numbers[one] += 1
        names.append(f"back-{seat}-{one[0]}-{numbers[one]}")
    return _hand_parts(seat, y, backs, names, name, True)


@remember
def _hand_parts(
    seat: Seat, y: float, shown: Sequence[str], keys: Sequence[str], name: str, down: bool
) -> Sequence[Part]:
    """Return the hand of the seat called *name*: what lies face up, or *down*, with its *keys*."""
    width, height = _HELD
    room = drawing.WIDTH - MARGIN - _HAND_AT

    def one_card(x: float, y: float, at: int) -> Part:
        if not down:
            return card_part(keys[at], x, y, shown[at], _HELD, calm=True)
        suit, hue = SUITS[shown[at][0]]
        return drawing.back(keys[at], x, y, hue=hue, mark_name=suit, width=width, height=height, kind="calm")

    held = drawing.hand(_HAND_AT, y, range(len(shown)), one_card, room, width=width)
    step = min(width + 6, (room - width) / (len(shown) - 1)) if len(shown) > 1 else 0
    across = width + step * (len(shown) - 1) if shown else 0
    title = f"<title>{drawing.escape(agree(f'{name} holds {len(shown)}'))}</title>"
    return [drawing.make_part(f"hand-{seat}", _HAND_AT, y, drawing.outline(across, height), title), *held]


def count_cards(cards: int) -> str:
    """Return how many cards there are, in words."""
    return f"{cards} card{'s' * (cards != 1)}"
