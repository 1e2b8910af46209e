"""Draw the table of Stella: the word, the pictures with their crosses, lanterns, sparks, falls and points.

The printed pictures are the publisher's.  A picture here is a scene of our own; its caption has the sentence.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

from engines import drawing
from engines.drawing import Caption, Part, Picture
from engines.game import Json, MovePart, Seat
from engines.news import agree
from engines.stella.deck import DEFAULT
from engines.stella.grid import ROUNDS, places_of_round
from engines.stella.scenes import SCENE, name_picture, scene
from engines.stella.scoring import SPARK, SUPER_SPARK
from engines.stella.seat_table import NUMERALS, SEAT_STEP, seat_table
from engines.stella.text import say, text

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
_CARD: Final = (115, 108)
"""Width and height of a picture on the board: its scene, and a strip for its number and its crosses."""
_SCENE_AT: Final = 3
_STRIP_AT: Final = 96
"""The middle of the strip."""
_CARD_STEP: Final = (123.25, 116)
_TABLE_AT: Final = 492


def draw(*views: Mapping[str, Json], names: Sequence[str] = ()) -> Picture:
    """Return what the holders of *views* know together: one view, or those of all seats."""
    view = views[0]
    crossed = {one["seat"]: one["crosses"] for one in views if "seat" in one}
    parts = [*_heading(view, names), *_word(view)]
    for place, picture in enumerate(view["grid"]):
        parts += _picture(view, place, picture, crossed)
    table = seat_table(view, _TABLE_AT, tuple(names), own=len(views) == 1)
    height = _TABLE_AT + 40 + SEAT_STEP * view["seats"]
    beside = (table, drawing.WIDTH - 6, _WORD_AT - _TABLE_AT)
    wide = drawing.arrange(2 * drawing.WIDTH - 6, _TABLE_AT, (parts, 0, 0), beside)
    title = f"Stella, round {view['round']}, {drawing.viewpoint(views, names)}"
    description = drawing.describe(text, views, ["crosses"], past=["past_crosses"])
    captions = tuple([_caption(picture["id"], picture["text"]) for picture in view["grid"]])
    return Picture(drawing.WIDTH, height, title, description, (*parts, *table), captions, wide)


@lru_cache(maxsize=1024)
def _caption(picture: str, sentence: str) -> Caption:
    name = name_picture(picture, sentence)
    return Caption(f"picture-{picture}", "" if name == sentence else name, sentence)


def parts_of(view: Mapping[str, Json], option: str) -> list[MovePart]:
    """Return the word that *option* votes for, or the picture that it crosses or shows."""
    if view["step"] == "vote":
        return [MovePart(say(view, option), (f"word-{option}",))]
    return [MovePart(say(view, option), (f"picture-{option.removeprefix('show ')}",))]


def candidates(view: Mapping[str, Json]) -> list[tuple[str, ...]]:
    """Return the pictures, each with its scene, unless the seat votes for a word."""
    if view["step"] == "vote":
        return []
    names = [picture["id"] for picture in view["grid"]]
    return [(f"picture-{name}", f"scene-{name}") for name in names]


def sketches(event: Mapping[str, Json], options: Mapping[str, Json] | None = None) -> list[Picture]:
    """Return the pictures of *event*, small; of our deck alone, as an event has no sentences.

    Without *options* it is not known whose deck it is.
    """
    if options is None or "deck" in options:
        return []

    def draw_scene(text: str) -> Part | None:
        picture = DEFAULT.pictures.get(text)
        if not picture:
            return None
        return drawing.make_part(
            f"scene-{text}", 0, 0, drawing.NO_OUTLINE, scene(text, picture.text, picture.tags)
        )

    return drawing.sketch_things(event, ("card", "crosses"), draw_scene, SCENE)


def _heading(view: Mapping[str, Json], names: Sequence[str]) -> Iterator[Part]:
    """Yield what happens now, and the rounds."""
    if view["step"] == "over":
        best = max(view["scores"])
        winners = [
            drawing.seat_name(seat, names) for seat, score in enumerate(view["scores"]) if score == best
        ]
        says = "The first place is shared" if len(winners) > 1 else agree(f"{winners[0]} wins")
    else:
        says = agree(_ASKED[view["step"]].format(drawing.seat_name(view["scout"] or 0, names)))
    yield drawing.heading(says, _MARGIN, 30, _ACROSS - 40 * ROUNDS, 26)
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
        note = "all said flip" if view["flipped"] else ""
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
    view: Mapping[str, Json], place: int, picture: Mapping[str, Json], crossed: Mapping[Seat, Sequence[str]]
) -> Sequence[Part]:
    """Return a picture of the board: its card with the seats that crossed it, its scene, and its stars."""
    name = picture["id"]
    seats = view["shown"].get(name)
    if seats is None:
        seats = [seat for seat in crossed if name in crossed[seat]]
        stars, calm = -1, not _is_news(view, place, seats, crossed)
    else:
        stars, calm = {1: 0, 2: SUPER_SPARK}.get(len(seats), SPARK), False
    tags = tuple(picture["tags"])
    return _picture_parts(name, picture["text"], tags, place, tuple(seats), stars, calm, view["seats"])


@lru_cache(maxsize=4096)
def _picture_parts(
    name: str,
    sentence: str,
    tags: tuple[str, ...],
    place: int,
    seats: tuple[Seat, ...],
    stars: int,
    calm: bool,
    table: int,
) -> Sequence[Part]:
    """Return a picture that *seats* of a *table* crossed; *stars* is -1 until it is shown.

    A *calm* one is not outlined when it changes: fifteen outlines at once would point at nothing.
    """
    row, column = divmod(place, _ROW)
    x, y = _MARGIN + column * _CARD_STEP[0], _GRID_AT + row * _CARD_STEP[1]
    kind = {-1: "hue-grey", 0: "hue-vermilion"}.get(stars, "hue-yellow")
    content = _card(stars, place, seats, table)
    around = drawing.outline(*_CARD)
    card = drawing.make_part(f"picture-{name}", x, y, around, content, f"{kind} calm" if calm else kind)
    # the scene lies on the card, as a part of its own: crosses and stars change, and it does not
    drawn, at = scene(name, sentence, tags), _SCENE_AT
    parts = [
        card,
        drawing.make_part(f"scene-{name}", x + at, y + at, drawing.NO_OUTLINE, drawn, "calm through"),
    ]
    if stars >= 0:
        result = _result(stars)
        parts.append(
            drawing.make_part(f"result-{name}", x, y, drawing.NO_OUTLINE, result, f"{kind} calm through")
        )
    return parts


def _is_news(
    view: Mapping[str, Json], place: int, seats: Sequence[Seat], crossed: Mapping[Seat, Sequence[str]]
) -> bool:
    """Return whether a picture that no seat has shown is outlined when it changes.

    It is if it is new on the board, or has the cross of the one seat that looks; not if the last round's
    result goes, or if the crosses of all seats come.
    """
    if view["counts"]:
        return len(crossed) == 1 and bool(seats)
    return place in places_of_round(view["round"])


@lru_cache(maxsize=512)
def _card(stars: int, place: int, seats: tuple[Seat, ...], table: int) -> str:
    """Return a card without its scene: its number, the seats that crossed it, hollow until it is shown."""
    size, step = (18, 20) if table <= 4 else (13, 13)  # all seats of a table may have crossed one card
    card = drawing.rectangle(*_CARD, kind="surface" if stars < 0 else "card")
    card += drawing.words(str(place + 1), 6, _STRIP_AT, 19, "muted")
    left = _CARD[0] - 5 - size / 2 - step * (len(seats) - 1)
    return card + "".join(
        _seat(seat, left + step * at, _STRIP_AT, size, hollow=stars < 0) for at, seat in enumerate(seats)
    )


@lru_cache(maxsize=8)
def _result(stars: int) -> str:
    """Return the stars of a picture that was shown, or the mark of a fall, in its corner."""
    wide = 8 + 16 * max(1, stars)
    content = drawing.rectangle(wide, 22, _CARD[0] - wide - 1, 1, "card", 8)
    if stars:
        return content + drawing.star_row(stars, _CARD[0] - wide + 3.5, 12, 15, 1)
    return content + drawing.mark("fall", _CARD[0] - wide / 2 - 1, 12, 17)


def _seat(seat: Seat, x: float, y: float, size: float, *, hollow: bool) -> str:
    shape, hue = drawing.SEAT_MARKS[seat]
    if hollow:
        return drawing.mark(shape, x, y, size - 2, f"mark-line {hue}")
    return drawing.seat_mark(seat, x, y, size)
