"""Draw the table of Stella: the word, the picture board with crosses, lanterns, sparks, falls and points.

The printed pictures are the publisher's.  A card here shows small marks of our own for its tags; below the
board stand the sentences of all fifteen pictures, row by row.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

from engines.drawing import (
    SEAT_MARKS,
    WIDTH,
    Part,
    Picture,
    circle,
    cut,
    escape,
    label,
    line,
    make_part,
    mark,
    outline,
    path,
    rectangle,
    seat_label,
    seat_mark,
    star_row,
    text_width,
    viewpoint,
    words,
    wrap,
)
from engines.game import Json, Seat
from engines.stella.marks import PATHS, marks_of
from engines.stella.scoring import SPARK, SUPER_SPARK
from engines.stella.state import ROUNDS, places_of_round
from engines.stella.text import text

__all__ = ["draw", "part_of"]

_MARGIN: Final = 16
_ACROSS: Final = WIDTH - 2 * _MARGIN
_NUMERALS: Final = ("I", "II", "III", "IV")
_ASKED: Final = {
    "vote": "All vote on the word, in secret",
    "associate": "All cross pictures, in secret",
    "show": "Seat {} shows a picture",
}
_WORD_AT: Final = 56
_WORD_HEIGHT: Final = 58
_GRID_AT: Final = 132
_ROW: Final = 5
_CARD: Final = (115, 98)
"""Width and height of a picture on the board."""
_CARD_STEP: Final = (123.25, 108)
_MARKS: Final = 3
"""The most marks on a card."""
_TABLE_AT: Final = 472
_SEAT_STEP: Final = 38
_SHOWN_AT: Final = 200
"""The left end of the lantern; the other columns follow by their right ends."""
_SPARKS_AT: Final = 350
_STARS_AT: Final = 410
_ROUNDS_AT: Final = (460, 497, 534, 571)
_TOTAL_AT: Final = WIDTH - _MARGIN - 2
_SENTENCE: Final = 20
_SENTENCE_STEP: Final = 56
_NOT_OUTLINED: Final = '<rect class="outline"/>'


def draw(*views: Mapping[str, Json]) -> Picture:
    """Return what the holders of *views* know together: one view, or those of all seats."""
    view = views[0]
    crossed = {one["seat"]: one["crosses"] for one in views if "seat" in one}
    parts = [*_heading(view), *_word(view)]
    for place, picture in enumerate(view["grid"]):
        parts.append(_picture(view, place, picture, crossed))
    parts += _table(view, own=len(views) == 1)
    below = _TABLE_AT + 40 + _SEAT_STEP * view["seats"]
    for place, picture in enumerate(view["grid"]):
        parts.append(_sentence(place, below, picture))
    height = below + 60 + _SENTENCE_STEP * len(view["grid"])
    title = f"Stella, round {view['round']}, {viewpoint(views)}"
    return Picture(WIDTH, height, title, _describe(views), tuple(parts))


def part_of(view: Mapping[str, Json], option: str) -> str | None:
    """Return the key of the word that *option* votes for, or of the picture that it crosses or shows."""
    if view["step"] == "vote":
        return f"word-{option}"
    return f"picture-{option.removeprefix('show ')}"


def _describe(views: Sequence[Mapping[str, Json]]) -> str:
    """Return the view in words; of several views what is public, then the crosses of this round."""
    if len(views) == 1:
        return text(views[0])
    private = ("seat", "crosses", "past_crosses")
    public = {name: value for name, value in views[0].items() if name not in private}
    crosses = [f"Seat {view['seat']} has crossed {' '.join(view['crosses']) or 'nothing'}." for view in views]
    return text(public) + "\n" + "\n".join(crosses) + "\n"


def _heading(view: Mapping[str, Json]) -> Iterator[Part]:
    """Yield what happens now, and the rounds."""
    if view["step"] == "over":
        best = max(view["scores"])
        winners = [str(seat) for seat, score in enumerate(view["scores"]) if score == best]
        says = f"Seats {' and '.join(winners)} win" if len(winners) > 1 else f"Seat {winners[0]} wins"
    else:
        says = _ASKED[view["step"]].format(view["scout"])
    yield label("heading", _MARGIN, 30, says, 26, "ink strong")
    for number, numeral in enumerate(_NUMERALS, 1):
        yield _round(number, numeral, number == view["round"])


@lru_cache(maxsize=16)
def _round(number: int, numeral: str, now: bool) -> Part:
    shape = circle(16, kind="ink" if now else "star")
    face = words(numeral, 0, 0, 19, "ground strong" if now else "muted", "middle")
    x = WIDTH - _MARGIN - 16 - 40 * (ROUNDS - number)
    return make_part(f"round-{number}", x, 30, _NOT_OUTLINED, shape + face)


def _word(view: Mapping[str, Json]) -> Iterator[Part]:
    """Yield the word in use, or both words of a vote."""
    if view["step"] != "vote":
        note = "printed upside down" if view["flipped"] else ""
        yield _word_card("word", _MARGIN, _ACROSS, view["word"], note)
        return
    half = (_ACROSS - 16) / 2
    for at, (key, word) in enumerate(zip(("keep", "flip"), view["words"], strict=True)):
        yield _word_card(f"word-{key}", _MARGIN + at * (half + 16), half, word, f"{key}:")


@lru_cache(maxsize=256)
def _word_card(key: str, x: float, width: float, word: str, note: str) -> Part:
    """Return a word, as large as it fits, with a note: before the word of a vote, else at the right."""
    vote = note.endswith(":")
    beside = text_width(note, 21) + 14 if note else 0
    room = 0.93 * (width - 32 - beside)  # bold letters are wider
    content = rectangle(width, _WORD_HEIGHT, kind="surface", radius=12)
    if vote:
        content += words(note, 16, _WORD_HEIGHT / 2, 21, "muted")
    elif note:
        content += words(note, width - 16, _WORD_HEIGHT / 2, 21, "muted", "end")
    at, anchor = (16 + beside * vote, "start") if note else (width / 2, "middle")
    size = min(34, 34 * room / text_width(word, 34))
    rows = (word,) if size >= 20 else wrap(word, room, 19, 2)
    for row, line_ in enumerate(rows):
        middle = _WORD_HEIGHT / 2 + 23 * (row - (len(rows) - 1) / 2)
        content += words(line_, at, middle, max(size, 19), "ink strong", anchor)
    return make_part(key, x, _WORD_AT, outline(width, _WORD_HEIGHT, radius=12), content)


def _picture(
    view: Mapping[str, Json],
    place: int,
    picture: Mapping[str, Json],
    crossed: Mapping[Seat, Sequence[str]],
) -> Part:
    """Return a card of the board: its marks, the result of showing it, and the seats that crossed it."""
    name = picture["id"]
    seats = view["shown"].get(name)
    if seats is None:
        seats = [seat for seat in crossed if name in crossed[seat]]
        stars = -1
    else:
        stars = {1: 0, 2: SUPER_SPARK}.get(len(seats), SPARK)
    row, column = divmod(place, _ROW)
    x, y = _MARGIN + column * _CARD_STEP[0], _GRID_AT + row * _CARD_STEP[1]
    face = _face(name, picture["text"], tuple(picture["tags"]))
    content = _ground(stars) + face + _result(stars, tuple(seats), view["seats"])
    kind = {-1: "hue-grey", 0: "hue-vermilion"}.get(stars, "hue-yellow")
    if stars < 0 and not _is_news(view, place, crossed):
        kind += " calm"
    return make_part(f"picture-{name}", x, y, outline(*_CARD), content, kind)


def _is_news(view: Mapping[str, Json], place: int, crossed: Mapping[Seat, Sequence[str]]) -> bool:
    """Return whether a picture that no seat has shown is outlined when it changes.

    It is if it is new on the board, or has the cross of the one seat that looks; not if the last round's
    result goes, or if the crosses of all seats come.
    """
    if view["counts"]:
        return len(crossed) == 1
    return place in places_of_round(view["round"])


@lru_cache(maxsize=8)
def _ground(stars: int) -> str:
    return rectangle(*_CARD, kind="surface" if stars < 0 else "card")


@lru_cache(maxsize=256)
def _face(name: str, sentence: str, tags: tuple[str, ...]) -> str:
    """Return what is printed on a card: its name and its marks, or the first words of its sentence."""
    width, _ = _CARD
    face = f"<title>{escape(sentence)}</title>" + words(_end(name, width - 58), 9, 17, 20, "ink strong")
    marks = marks_of(tags, _MARKS)
    if not marks:
        rows = wrap(sentence, width - 16, 19, 2)
        return face + "".join(words(row, 9, 40 + 21 * at, 19, "muted") for at, row in enumerate(rows))
    step = 34
    left = width / 2 - step * (len(marks) - 1) / 2 - 13
    return face + "".join(
        path(PATHS[one], left + at * step, 36, 1.65, "sketch") for at, one in enumerate(marks)
    )


def _end(name: str, width: float) -> str:
    """Return a name of size 20, or as much of its end as fits: names of a deck may begin alike."""
    return cut(name[::-1], width, 20)[::-1]


@lru_cache(maxsize=512)
def _result(stars: int, seats: tuple[Seat, ...], table: int) -> str:
    """Return the seats that crossed a card, hollow until it is shown, and its stars or the mark of a fall."""
    width, height = _CARD
    size, step = (20, 24) if table <= 4 else (15, 17)
    result = "".join(
        _seat(seat, 18 + step * at, height - 17, size, hollow=stars < 0) for at, seat in enumerate(seats)
    )
    if stars > 0:
        return result + star_row(stars, width - 8 - 16 * stars, 17, 15, 1)
    return result + mark("fall", width - 18, 17, 20) if stars == 0 else result


def _seat(seat: Seat, x: float, y: float, size: float, *, hollow: bool) -> str:
    shape, hue = SEAT_MARKS[seat]
    return mark(shape, x, y, size - 2, f"mark-line {hue}") if hollow else seat_mark(seat, x, y, size)


def _table(view: Mapping[str, Json], *, own: bool) -> Iterator[Part]:
    """Yield the titles of the columns, and a row for every seat."""
    yield _titles(view["round"])
    for seat in range(view["seats"]):
        y = _TABLE_AT + 30 + _SEAT_STEP * seat
        yield seat_label(
            f"seat-{seat}",
            _MARGIN - 4,
            y,
            seat,
            WIDTH - 2 * (_MARGIN - 4),
            own=own and view.get("seat") == seat,
            asked=view["scout"] == seat,
            kind="calm",
        )
        if view["counts"]:
            yield _lantern(view, seat, y + 17)
        yield _number(f"sparks-{seat}", _SPARKS_AT, y + 17, view["sparks"][seat])
        yield _number(f"stars-{seat}", _STARS_AT, y + 17, view["stars"][seat], bold=True)
        if seat in view["fallen"]:
            yield _fall(seat, y + 17)
        for told, x in zip(view["rounds"], _ROUNDS_AT, strict=False):
            yield _number(f"round-{x}-{seat}", x, y + 17, told["scores"][seat])
        yield _number(f"total-{seat}", _TOTAL_AT, y + 17, view["scores"][seat], bold=True)


@lru_cache(maxsize=8)
def _titles(number: int) -> Part:
    columns = [(_SHOWN_AT, "to show", "start"), (_SPARKS_AT, "sparks", "end"), (_STARS_AT, "stars", "end")]
    columns += [(x, numeral, "end") for x, numeral in zip(_ROUNDS_AT, _NUMERALS, strict=True)]
    columns.append((_TOTAL_AT, "all", "end"))
    content = "".join(words(title, x, 14, 19, "muted", anchor) for x, title, anchor in columns)
    return make_part("titles", 0, _TABLE_AT, _NOT_OUTLINED, content)


def _lantern(view: Mapping[str, Json], seat: Seat, y: float) -> Part:
    """Return the lantern of a seat, dark on its dark side, with the crosses that it still has to show."""
    total = view["counts"][seat]
    left = total - sum(seat in crossed for crossed in view["shown"].values())
    return _lantern_part(seat, y, f"{left} of {total}", view["dark"] == seat)


@lru_cache(maxsize=512)
def _lantern_part(seat: Seat, y: float, crosses: str, dark: bool) -> Part:
    shape = mark("lantern", 10, 0, 22, "ground" if dark else "mark")
    if dark:
        shape = circle(16, 10, 0, "ink") + shape
    return make_part(
        f"lantern-{seat}",
        _SHOWN_AT,
        y,
        outline(102, 30, -4, -15, 15),
        shape + words(crosses, 34, 0, 21),
        "hue-yellow",
    )


@lru_cache(maxsize=8)
def _fall(seat: Seat, y: float) -> Part:
    shape = circle(12, kind="outline")
    return make_part(f"fall-{seat}", _STARS_AT + 16, y, shape, mark("fall", 0, 0, 20), "hue-vermilion")


@lru_cache(maxsize=1024)
def _number(key: str, x: float, y: float, number: int, *, bold: bool = False) -> Part:
    """Return a number that ends at *x*; it is not outlined when it begins again at 0."""
    wide = text_width(str(number), 21)
    content = words(str(number), 0, 0, 21, "ink strong" if bold else "ink", "end")
    return make_part(key, x, y, outline(wide + 6, 24, -wide - 3, -12, 6), content, "" if number else "calm")


def _sentence(place: int, y: float, picture: Mapping[str, Json]) -> Part:
    between = 18 * (place // _ROW)
    y += 18 + _SENTENCE_STEP * place + between
    return _sentence_part(place, y, picture["id"], picture["text"])


@lru_cache(maxsize=256)
def _sentence_part(place: int, y: float, name: str, sentence: str) -> Part:
    """Return the sentence of a picture after its name; a line stands above each row of the board."""
    content = words(_end(name, 56), 0, 14, 20, "ink strong")
    rows = wrap(sentence, _ACROSS - 62, _SENTENCE, 2)
    content += "".join(words(row, 62, 14 + 24 * at, _SENTENCE) for at, row in enumerate(rows))
    if place % _ROW == 0:
        content = line(0, -13, _ACROSS, -13) + content
    return make_part(f"sentence-{name}", _MARGIN, y, _NOT_OUTLINED, content)
