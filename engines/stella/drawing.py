"""Draw the table of Stella: the word, the picture board with crosses, lanterns, sparks, falls and points.

The printed pictures are the publisher's.  A card here shows small marks of our own for its tags; below the
board stand the sentences of all fifteen pictures, row by row.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

from engines import drawing
from engines.drawing import Part, Picture
from engines.game import Json, MovePart, Seat
from engines.news import agree
from engines.stella.grid import ROUNDS, places_of_round
from engines.stella.phrasing import say
from engines.stella.scoring import SPARK, SUPER_SPARK
from engines.stella.seat_table import NUMERALS, SEAT_STEP, seat_table
from engines.stella.tag_marks import PATHS, marks_of
from engines.stella.text import text

__all__ = ["draw", "parts_of"]

_MARGIN: Final = 16
_ACROSS: Final = drawing.WIDTH - 2 * _MARGIN
_ASKED: Final = {
    "vote": "All vote on the word, in secret",
    "associate": "All cross pictures, in secret",
    "show": "{} shows a picture",
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
_SENTENCES: Final = (20, 19)
"""The sizes of a sentence: the second one if it may not fit two lines otherwise."""
_SENTENCE_STEP: Final = 56


def draw(*views: Mapping[str, Json], names: Sequence[str] = ()) -> Picture:
    """Return what the holders of *views* know together: one view, or those of all seats."""
    view = views[0]
    crossed = {one["seat"]: one["crosses"] for one in views if "seat" in one}
    parts = [*_heading(view, names), *_word(view)]
    for place, picture in enumerate(view["grid"]):
        parts.append(_picture(view, place, picture, crossed))
    parts += seat_table(view, _TABLE_AT, names, own=len(views) == 1)
    below = _TABLE_AT + 40 + SEAT_STEP * view["seats"]
    for place, picture in enumerate(view["grid"]):
        parts.append(_sentence(place, below, picture))
    height = below + 60 + _SENTENCE_STEP * len(view["grid"])
    title = f"Stella, round {view['round']}, {drawing.viewpoint(views)}"
    description = drawing.describe(text, views, ["crosses"], past=["past_crosses"])
    return Picture(drawing.WIDTH, height, title, description, tuple(parts))


def parts_of(view: Mapping[str, Json], option: str) -> list[MovePart]:
    """Return the word that *option* votes for, or the picture that it crosses or shows."""
    if view["step"] == "vote":
        return [MovePart(say(view, option), (f"word-{option}",))]
    return [MovePart(say(view, option), (f"picture-{option.removeprefix('show ')}",))]


def _heading(view: Mapping[str, Json], names: Sequence[str]) -> Iterator[Part]:
    """Yield what happens now, and the rounds."""
    if view["step"] == "over":
        best = max(view["scores"])
        winners = [
            drawing.seat_name(seat, names) for seat, score in enumerate(view["scores"]) if score == best
        ]
        says = f"{' and '.join(winners)} win" if len(winners) > 1 else agree(f"{winners[0]} wins")
    else:
        says = agree(_ASKED[view["step"]].format(drawing.seat_name(view["scout"] or 0, names)))
    says = drawing.cut(says, _ACROSS - 40 * ROUNDS, drawing.SMALLEST, "ink strong")
    yield drawing.label("heading", _MARGIN, 30, says, 26, "ink strong", room=_ACROSS - 40 * ROUNDS)
    for number, numeral in enumerate(NUMERALS, 1):
        yield _round(number, numeral, number == view["round"])


@lru_cache(maxsize=16)
def _round(number: int, numeral: str, now: bool) -> Part:
    shape = drawing.circle(16, kind="ink" if now else "star")
    face = drawing.words(numeral, 0, 0, 19, "ground strong" if now else "muted", "middle")
    x = drawing.WIDTH - _MARGIN - 16 - 40 * (ROUNDS - number)
    return drawing.make_part(f"round-{number}", x, 30, drawing.NO_OUTLINE, shape + face)


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
    """Return a word, as large as it fits, with a note: before the word of a vote, else at the right.

    A word that does not fit one line is set in two.
    """
    vote = note.endswith(":")
    beside = drawing.text_width(note, 21) + 14 if note else 0
    room = width - 32 - beside
    content = drawing.rectangle(width, _WORD_HEIGHT, kind="surface", radius=12)
    if vote:
        content += drawing.words(note, 16, _WORD_HEIGHT / 2, 21, "muted")
    elif note:
        content += drawing.words(note, width - 16, _WORD_HEIGHT / 2, 21, "muted", "end")
    at, anchor = (16 + beside * vote, "start") if note else (width / 2, "middle")
    if drawing.text_width(word, drawing.SMALLEST, "ink strong") <= room:
        content += drawing.words(word, at, _WORD_HEIGHT / 2, 34, "ink strong", anchor, room)
    else:
        content += drawing.prose(word, 16 + beside * vote, 5, room, 19, "ink strong")
    return drawing.make_part(key, x, _WORD_AT, drawing.outline(width, _WORD_HEIGHT, radius=12), content)


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
    # "calm" parts are not outlined when they change: fifteen outlines at once would point at nothing
    if stars < 0 and not _is_news(view, place, crossed):
        kind += " calm"
    return drawing.make_part(f"picture-{name}", x, y, drawing.outline(*_CARD), content, kind)


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
    return drawing.rectangle(*_CARD, kind="surface" if stars < 0 else "card")


@lru_cache(maxsize=256)
def _face(name: str, sentence: str, tags: tuple[str, ...]) -> str:
    """Return what is printed on a card: its name and its marks, or the first words of its sentence."""
    width, _ = _CARD
    face = f"<title>{drawing.escape(sentence)}</title>"
    face += drawing.words(_end(name, width - 58), 9, 17, 20, "ink strong")
    marks = marks_of(tags, _MARKS)
    if not marks:  # the tags of a deck of one's own may be any words, and ours have no mark for them
        return face + drawing.prose(sentence, 9, 29, width - 16, 19, "muted")
    step = 34
    left = width / 2 - step * (len(marks) - 1) / 2 - 13
    return face + "".join(
        drawing.path(PATHS[one], left + at * step, 36, 1.65, "sketch") for at, one in enumerate(marks)
    )


def _end(name: str, width: float) -> str:
    """Return a name of size 20, or as much of its end as fits: names of a deck may begin alike."""
    return drawing.cut(name[::-1], width, 20, "ink strong")[::-1]


@lru_cache(maxsize=512)
def _result(stars: int, seats: tuple[Seat, ...], table: int) -> str:
    """Return the seats that crossed a card, hollow until it is shown, and its stars or the mark of a fall."""
    width, height = _CARD
    size, step = (20, 24) if table <= 4 else (15, 17)  # all seats of a table may have crossed one card
    result = "".join(
        _seat(seat, 18 + step * at, height - 17, size, hollow=stars < 0) for at, seat in enumerate(seats)
    )
    if stars > 0:
        return result + drawing.star_row(stars, width - 8 - 16 * stars, 17, 15, 1)
    return result + drawing.mark("fall", width - 18, 17, 20) if stars == 0 else result


def _seat(seat: Seat, x: float, y: float, size: float, *, hollow: bool) -> str:
    shape, hue = drawing.SEAT_MARKS[seat]
    if hollow:
        return drawing.mark(shape, x, y, size - 2, f"mark-line {hue}")
    return drawing.seat_mark(seat, x, y, size)


def _sentence(place: int, y: float, picture: Mapping[str, Json]) -> Part:
    between = 18 * (place // _ROW)
    y += 18 + _SENTENCE_STEP * place + between
    return _sentence_part(place, y, picture["id"], picture["text"])


@lru_cache(maxsize=256)
def _sentence_part(place: int, y: float, name: str, sentence: str) -> Part:
    """Return the sentence of a picture after its name; a line stands above each row of the board."""
    content = drawing.words(_end(name, 56), 0, 14, 20, "ink strong")
    large, small = _SENTENCES
    room = _ACROSS - 62
    size = large if len(drawing.wrap(sentence, room, large)) <= 2 else small
    content += drawing.prose(sentence, 62, 14 - 0.6 * size, room, size)
    if place % _ROW == 0:
        content = drawing.line(0, -13, _ACROSS, -13) + content
    return drawing.make_part(f"sentence-{name}", _MARGIN, y, drawing.NO_OUTLINE, content)
