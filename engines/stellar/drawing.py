"""The table as a picture: the row above, and for each seat its hand, telescope, notebook and points."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import count
from typing import Final

from engines import drawing
from engines.drawing import CARD_WIDTH, Part, Picture
from engines.game import Json, MovePart, Seat
from engines.news import agree
from engines.remember import remember
from engines.stellar.card_keys import CardKeys
from engines.stellar.cards import CARDS, DOWN, DOWN_NUMBER, ROWS, SATELLITES, SIX_ZERO, TYPES
from engines.stellar.moves import NOTEBOOK, PLAYS
from engines.stellar.scoring import points, run, section_totals, stars, types_points
from engines.stellar.text import in_words, name_slot, text
from engines.stellar.turns import TURNS

MARKS: Final = {
    "P": ("planet", "hue-orange"),
    "M": ("moon", "hue-blue"),
    "A": ("asteroid", "hue-vermilion"),
    "C": ("cloud", "hue-green"),
    "B": ("hole", "hue-purple"),
    None: ("satellite", "hue-grey"),
}
"""The mark and the colour of each type; None is a satellite."""
_MARGIN: Final = 14
_GAP: Final = 6
_HALF: Final = 4 * CARD_WIDTH + 3 * _GAP
"""The width of the base of a telescope, and so of all that a seat has."""
_LEFT: Final = (_MARGIN, drawing.WIDTH - _MARGIN - _HALF)
"""The left end of the half of each seat."""
_HIGH: Final = 58
"""The height of a card: less than others, so that the whole table fits a window."""
_ROW: Final = 50
_LABEL: Final = _ROW + _HIGH + 32
_HAND: Final = _LABEL + 44
_TELESCOPE: Final = _HAND + _HIGH + 14
_SUMS: Final = _TELESCOPE + len(ROWS) * (_HIGH + _GAP) + 13
_SUM_AT: Final = (1, 100, 205)
"""Where the sums begin, so that two digits of each have room."""
_NOTEBOOK: Final = _SUMS + 21
_CELL: Final = 26
_LINE: Final = 33
"""The width and the height of a place in the notebook."""
_CELLS: Final = 34
"""The distance of the first place from the left end."""
_POINTS: Final = _NOTEBOOK + (len(TYPES) + 2) * _LINE + 25
_HEIGHT: Final = _POINTS + 48
_PAGE: Final = _LINE * (len(MARKS) + 1) + 6
"""The height of a notebook."""
_UP: Final = -10
_RIGHT: Final = 310
"""By how much the row stands elsewhere in the wide layout."""
_WIDE: Final = (1032, _LABEL + 2 * _PAGE)
"""Width and height of the wide layout."""
_PILES: Final = (drawing.WIDTH - _MARGIN - 2 * CARD_WIDTH - 44, drawing.WIDTH - _MARGIN - CARD_WIDTH - 8)
_ASKED: Final = {
    "starter": "both choose their starters",
    "wipe": "{} decides about the row",
    "take": "{} takes a card",
    "play": "{} plays a card",
    "place": "{} places {}",
    "final": "both choose their last card",
    "over": "the match is over",
}


def draw(*views: Mapping[str, Json], names: Sequence[str] = ()) -> Picture:
    """Return what the holders of *views* know together."""
    view = views[0]
    hands = {each["seat"]: each["hand"] for each in views if "seat" in each}
    keys = CardKeys(view, hands)
    so_far = points(view["telescopes"], view["notebooks"])
    totals = [section_totals(telescope) for telescope in view["telescopes"]]
    heading, *row = [_heading(view, names), *_table(view, keys)]
    parts = [heading, *row]
    blocks: list[tuple[Sequence[Part], float, float]] = [([heading], 0.0, -5.0), (row[:-2], _RIGHT, _UP)]
    # the piles, beside the notebooks
    blocks += [([pile], 634 - _PILES[at], 100.0 * (1 + at)) for at, pile in enumerate(row[-2:])]
    for seat in range(2):
        # with several views together nobody is "you"
        own = len(views) == 1 and seat in hands
        outside = [*_seat(view, seat, so_far[seat]["total"], names, own=own)]
        outside += _hand(view, seat, hands.get(seat), keys)
        outside += [*_telescope(view, seat, keys), *_totals(totals, seat)]
        lying = [*view["telescopes"][seat].values()]
        inside = _notebook(seat, view["notebooks"][seat], lying, keys.notebooks[seat])
        below = [*_points(seat, so_far[seat])]
        parts += [*outside, *inside, *below]
        blocks += _wide_blocks(seat, outside, inside, below)
    title = f"Stellar, {drawing.viewpoint(views, names)}"
    description = drawing.describe(text, views, ["hand"])
    wide = drawing.arrange(*_WIDE, *blocks)
    return Picture(drawing.WIDTH, _HEIGHT, title, description, tuple(parts), wide=wide)


def _wide_blocks(
    seat: Seat, outside: Sequence[Part], inside: Sequence[Part], below: Sequence[Part]
) -> Iterator[tuple[Sequence[Part], float, float]]:
    """Yield where the wide layout has what a seat has: telescopes outside, notebooks between them."""
    right, up = seat * (_WIDE[0] - drawing.WIDTH), _ROW + _UP - _LABEL
    yield outside, right, up
    yield inside, _RIGHT + _MARGIN + seat * 84 - _LEFT[seat], _LABEL - 14 - _NOTEBOOK + seat * (_PAGE + _GAP)
    yield below, right, _SUMS + up + 42 - _POINTS


def parts_of(view: Mapping[str, Json], option: str) -> list[MovePart]:
    """Return the card that *option* is about, and where it puts it; keeping or wiping the row has no part."""
    if view["step"] == "wipe":
        return []
    seat, hand = view["seat"], view["hand"]
    keys = CardKeys(view, {seat: hand})
    if view["step"] == "take":
        at = int(option.split()[1]) - 1
        return [MovePart(in_words(view["row"][at]), (str(keys.row[at]),))]
    card, slot, _ = PLAYS[option]
    if view["step"] == "place":
        alike = [str(keys.waiting)]
    else:
        # of two equal cards either may be clicked
        alike = [key for key, held in zip(keys.hands[seat], hand, strict=True) if held == card]
    if slot == NOTEBOOK:
        place = MovePart("your notebook", (f"notebook-{seat}",))
    else:
        place = MovePart(name_slot(slot), (f"slot-{seat}-{slot}",))
    return [MovePart(in_words(card), tuple(alike)), place]


def candidates(view: Mapping[str, Json]) -> list[tuple[str, ...]]:
    """Return the free slots of the own telescope, unless a card is taken from the row."""
    seat = view["seat"]
    if view["step"] in ("take", "wipe"):
        return []
    return [(f"slot-{seat}-{slot}",) for slot in _slots(seat) if slot not in view["telescopes"][seat]]


def _heading(view: Mapping[str, Json], names: Sequence[str]) -> Part:
    turn, step = view["turn"], view["step"]
    name = drawing.seat_name((view["first"] + turn) % 2, names)
    asked = agree(_ASKED[step].format(name, in_words(view.get("waiting") or "")))
    when = f"Turn {turn + 1} of {TURNS}: " if turn < TURNS and step != "starter" else ""
    line = when + asked
    room = drawing.WIDTH - 2 * _MARGIN
    return drawing.heading(line[0].upper() + line[1:], _MARGIN, 27, room)


def _table(view: Mapping[str, Json], keys: CardKeys) -> Iterator[Part]:
    """Yield the row with its numbers, and both piles."""
    for slot, (card, key) in enumerate(zip(view["row"], keys.row, strict=True)):
        x = _MARGIN + slot * (CARD_WIDTH + _GAP)
        yield _card(key, x, _ROW, card) if key else drawing.slot(f"row-{slot + 1}", x, _ROW, height=_HIGH)
    yield _row_numbers()
    yield drawing.pile("pile", _PILES[0], _ROW, view["pile"], "pile", height=_HIGH)
    yield drawing.pile("discards", _PILES[1], _ROW, len(view["discards"]), "discards", height=_HIGH)


@cache
def _row_numbers() -> Part:
    middles = [_MARGIN + slot * (CARD_WIDTH + _GAP) + CARD_WIDTH / 2 for slot in range(5)]
    numbers = [
        drawing.words(str(number), x, _ROW + _HIGH + 16, 21, "muted", "middle")
        for number, x in enumerate(middles, 1)
    ]
    return drawing.make_part("row-numbers", 0, 0, drawing.NO_OUTLINE, "".join(numbers))


def sketches(event: Mapping[str, Json], options: Mapping[str, Json] | None = None) -> list[Picture]:
    """Return the cards of *event*, small; of a move, `P4.1@M2`, the card that it plays."""

    def draw_card(text: str) -> Part | None:
        name = text.partition("@")[0]
        return _card(name, 0, 0, name) if name in CARDS else None

    told = ("move", "moves", "card", "row", "hand", "notebooks", "thrown")
    return drawing.sketch_things(event, told, draw_card, (CARD_WIDTH, _HIGH))


def _card(key: str, x: float, y: float, name: str, kind: str = "") -> Part:
    card = CARDS[name]
    mark, hue = MARKS[card.type]
    return drawing.card(key, x, y, name.split(".")[0], mark, hue, stars=card.stars, height=_HIGH, kind=kind)


def _seat(
    view: Mapping[str, Json], seat: Seat, total: int, names: Sequence[str], *, own: bool
) -> Iterator[Part]:
    step = view["step"]
    asked = step in ("starter", "final") or (step != "over" and (view["first"] + view["turn"]) % 2 == seat)
    yield drawing.seat_label(
        f"seat-{seat}",
        _LEFT[seat],
        _LABEL,
        seat,
        _HALF,
        f"{total} points",
        names=names,
        own=own,
        asked=asked,
        kind="calm",
    )


def _hand(view: Mapping[str, Json], seat: Seat, hand: list[str] | None, keys: CardKeys) -> Iterator[Part]:
    """Yield the cards of a hand: those in *hand*, or else those that all know and backs of the others.

    Behind them stands the card that the seat has to place.  After the match it is the one thrown away.
    """
    shown = view["known"][seat] if hand is None else hand
    if "thrown" in view:
        yield _card(keys.thrown[seat], _LEFT[seat], _HAND, view["thrown"][seat], "faint")
    places = count(_LEFT[seat], CARD_WIDTH + _GAP)
    for key, name in zip(keys.hands[seat], shown, strict=True):
        yield _card(key, next(places), _HAND, name, "loose held" if hand is None else "loose")
    for hidden in range(view["hands"][seat] - len(shown)):
        yield drawing.back(f"hidden-{seat}-{hidden}", next(places), _HAND, height=_HIGH)
    if keys.waiting and (view["first"] + view["turn"]) % 2 == seat:
        yield _card(keys.waiting, next(places), _HAND, view["waiting"], "hint")


def _telescope(view: Mapping[str, Json], seat: Seat, keys: CardKeys) -> Iterator[Part]:
    cards = view["telescopes"][seat]
    for slot, (x, y) in _slots(seat).items():
        if slot not in cards:
            yield drawing.slot(f"slot-{seat}-{slot}", x, y, name_slot(slot), height=_HIGH)
        elif cards[slot].endswith(DOWN):
            yield _face_down(keys.telescopes[seat][slot], x, y, cards[slot].removesuffix(DOWN))
        else:
            yield _card(keys.telescopes[seat][slot], x, y, cards[slot])


@cache
def _slots(seat: Seat) -> dict[str, tuple[float, float]]:
    """Return where the slots of a telescope are: rows of different lengths, all centred."""
    places: dict[str, tuple[float, float]] = {}
    for row, slots in enumerate(ROWS):
        left = _LEFT[seat] + (_HALF - len(slots) * (CARD_WIDTH + _GAP) + _GAP) / 2
        for column, slot in enumerate(slots):
            places[slot] = left + column * (CARD_WIDTH + _GAP), _TELESCOPE + row * (_HIGH + _GAP)
    return places


def _face_down(key: str, x: float, y: float, name: str) -> Part:
    """Return a card that counts as a 3 without type and stars; all know what it is."""
    back = drawing.rectangle(CARD_WIDTH, _HIGH, kind="back")
    back += drawing.words(str(DOWN_NUMBER), CARD_WIDTH / 2, 20, 25, "ink strong", "middle")
    back += drawing.words(f"({name.split('.')[0]})", CARD_WIDTH / 2, 42, 21, "muted", "middle")
    return drawing.make_part(key, x, y, drawing.outline(CARD_WIDTH, _HIGH), back, "hue-grey")


def _totals(totals: Sequence[Mapping[str, int]], seat: Seat) -> Iterator[Part]:
    """Yield the sum of each section, below all rows: beside one it would seem to be that row's.

    The larger one of both seats is bold.
    """
    mine, theirs = totals[seat], totals[1 - seat]
    for column, (section, total) in enumerate(mine.items()):
        yield _total(section[0].upper(), total, seat, column, total > theirs[section])


@lru_cache(maxsize=512)
def _total(section: str, total: int, seat: Seat, column: int, is_larger: bool) -> Part:
    """Return the sum of a section, in one of three columns."""
    what = f"{section} sum"
    content = drawing.words(what, 0, 0, 19, "muted")
    after = drawing.text_width(what, 19, "muted") + 3
    content += drawing.words(str(total), after, 0, 20, "ink strong" if is_larger else "ink")
    x = _LEFT[seat] + _SUM_AT[column]
    return drawing.make_part(f"{what}-{seat}", x, _SUMS, drawing.NO_OUTLINE, content, "calm")


@lru_cache(maxsize=256)
def _number(what: str, number: int, seat: Seat, x: float, y: float, anchor: str) -> Part:
    """Return a number with its name below, in the half of a seat."""
    content = drawing.words(str(number), 0, 0, 26, "ink strong", anchor)
    content += drawing.words(what, 0, 25, 19, "muted", anchor)
    return drawing.make_part(f"{what}-{seat}", _LEFT[seat] + x, y, drawing.NO_OUTLINE, content, "calm")


@remember
def _notebook(
    seat: Seat, notebook: Sequence[str], lying: Sequence[str], keys: Sequence[str]
) -> Sequence[Part]:
    """Return the page, with a line for each type and one for the satellites, and its cards.

    *lying* are the cards in the telescope, of which the worth of a line depends.
    """
    parts = [_page(seat), _scale(seat)]
    shining = stars(lying)
    stacks: dict[str | None, list[int]] = {kind: [] for kind in MARKS}
    for name in notebook:
        stacks[CARDS[name].type].append(CARDS[name].number)
    for line, (kind, numbers) in enumerate(stacks.items()):
        if kind:
            worth = shining[kind] * run(numbers)
            sum_of = f"{shining[kind]} \u00d7 {run(numbers)}"
        else:
            plain = [name for name in notebook if name not in SATELLITES]
            # satellites have no line of their own in the score: what they add is the score with them, less
            # that without
            worth = types_points(lying, notebook) - types_points(lying, plain)
            sum_of = f"+ {worth}"
        x, y = _LEFT[seat] + _HALF - 8, _NOTEBOOK + _LINE * (line + 1.5)
        tone = "ink" if worth else "muted"
        room = _HALF - 8 - _CELLS - _CELL * (SIX_ZERO + 1)
        parts.append(drawing.label(f"run-{seat}-{kind or 'S'}", x, y, sum_of, 22, tone, "end", room=room))
    entries = [(key, name, _is_second(key, name)) for key, name in zip(keys, notebook, strict=True)]
    entries.sort(key=lambda entry: not entry[2])  # second ones lie below
    return [*parts, *(_entry(key, seat, name, second) for key, name, second in entries)]


@cache
def _page(seat: Seat) -> Part:
    """Return the empty page of a notebook: a place for every number of every type."""
    content = drawing.rectangle(_HALF, _PAGE) + drawing.seat_mark(seat, 18, _LINE / 2 + 1, 18)
    # types have places for 0 and 6, because a 6/0 card may stand for either; satellites have neither
    for line, (kind, (mark, hue)) in enumerate(MARKS.items()):
        y = _LINE * (line + 1)
        content += drawing.line(8, y, _HALF - 8, y)
        content += f'<g class="{hue}">{drawing.mark(mark, 18, y + _LINE / 2, 22)}</g>'
        numbers = range(SIX_ZERO + 1) if kind else range(1, SIX_ZERO)
        for number in numbers:
            content += drawing.circle(2.5, _CELLS + (number + 0.5) * _CELL, y + _LINE / 2, "place")
    around = drawing.outline(_HALF, _PAGE)
    return drawing.make_part(f"notebook-{seat}", _LEFT[seat], _NOTEBOOK, around, content)


@cache
def _scale(seat: Seat) -> Part:
    """Return the line above a notebook; it is no text of the page, which is called by its name alone."""
    height, end, content = _LINE / 2 + 2, _HALF - 8, ""
    for number in range(SIX_ZERO + 1):
        content += drawing.words(str(number), _CELLS + (number + 0.5) * _CELL, height, 21, "muted", "middle")
    content += f'<g class="hue-grey">{drawing.mark("star", end - 65, height - 1, 17)}</g>'
    content += drawing.words("\u00d7run", end, height, 21, "muted", "end")
    return drawing.make_part(f"scale-{seat}", _LEFT[seat], _NOTEBOOK, drawing.NO_OUTLINE, content, "through")


_MOST_STARS: Final = {
    (card.type, card.number): max(each.stars for each in CARDS.values() if each[:2] == card[:2])
    for card in CARDS.values()
}
"""The most stars on a card of a type and a number: there are at most two such cards."""


def _is_second(key: str, name: str) -> bool:
    """Return whether a card is the second one of its type and number, also while it is there alone."""
    card = CARDS[name]
    return key.endswith("-2") or card.stars < _MOST_STARS[card.type, card.number]


def _entry(key: str, seat: Seat, name: str, second: bool) -> Part:
    """Return a card in the notebook, at the place of its type and number; a second one is a little larger."""
    card = CARDS[name]
    line = [*MARKS].index(card.type)
    more = 1.5 if second else 0
    width, height = _CELL - 5 + 2 * more, _LINE - 9 + 2 * more
    x = _LEFT[seat] + _CELLS + card.number * _CELL + 2.5 - more
    y = _NOTEBOOK + _LINE * (line + 1) + 4.5 - more
    content = drawing.rectangle(width, height, kind="card", radius=5)
    content += drawing.words(str(card.number), width / 2, height / 2, 21, "ink strong", "middle")
    if card.type and card.number == SIX_ZERO:  # it is a 6 or a 0
        content += drawing.rectangle(width, height, -SIX_ZERO * _CELL, 0, "slot", 5)
        content += drawing.words("0", width / 2 - SIX_ZERO * _CELL, height / 2, 21, "ink", "middle")
    return drawing.make_part(
        key, x, y, drawing.outline(width, height, radius=5), content, f"{MARKS[card.type][1]} through"
    )


def _points(seat: Seat, so_far: Mapping[str, int]) -> Iterator[Part]:
    """Yield the points for types, majorities and diversity, as the cards lie now."""
    places = ((4.0, "start"), (_HALF / 2, "middle"), (_HALF - 4.0, "end"))
    for what, (x, anchor) in zip(("types", "majorities", "diversity"), places, strict=True):
        yield _number(what, so_far[what], seat, x, _POINTS, anchor)
