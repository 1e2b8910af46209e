"""The table as a picture: a line for each seat with its bids and takes, and its cards as far as one knows."""

from collections.abc import Mapping, Sequence

from engines import drawing
from engines.drawing import Part, Picture
from engines.game import Json, MovePart, Seat

from .cards import HAND
from .text import text

_MARGIN = 16
_TOP = 56
_LINE = 136
"""The height of all that a seat has."""


def draw(*views: Mapping[str, Json], names: Sequence[str] = ()) -> Picture:
    """Return what the holders of *views* know together: of one seat, or of all."""
    view, own = views[0], {each["seat"]: each for each in views if "seat" in each}
    room = drawing.WIDTH - 2 * _MARGIN  # in a wide font the line is set smaller
    parts = [drawing.label("step", _MARGIN, 30, f"Step: {view['step']}", 24, "ink strong", room=room)]
    for seat in range(view["seats"]):
        y = _TOP + seat * _LINE
        parts.append(_name(view, seat, y, names, you=[seat] == [*own]))
        parts += _cards(own.get(seat), seat, y + 46)
    return Picture(
        drawing.WIDTH,
        _TOP + view["seats"] * _LINE,
        f"Toy, {drawing.viewpoint(views, names)}",
        drawing.describe(text, views, ["hand", "kept"]),
        tuple(parts),
    )


def parts_of(view: Mapping[str, Json], option: str) -> list[MovePart]:
    """Return the card that *option* keeps; bids and takes have no place on the table."""
    return [MovePart(option, (f"card-{option.removeprefix('card ')}",))] if option in view["hand"] else []


def _name(view: Mapping[str, Json], seat: Seat, y: float, names: Sequence[str], *, you: bool) -> Part:
    """Return the name of a seat with its points and what it did last."""
    made = [move if isinstance(move, str) else f"keep {move}" for who, move in view["moves"] if who == seat]
    note = ", ".join([*made[-1:], f"{view['points'][seat]} points"])
    return drawing.seat_label(
        f"seat-{seat}", _MARGIN, y, seat, drawing.WIDTH - 2 * _MARGIN, note, names=names, own=you, kind="calm"
    )


def _cards(own: Mapping[str, Json] | None, seat: Seat, y: float) -> list[Part]:
    """Return the cards of a seat: face up with a star for each time it was kept, or their backs."""
    if own is None:
        backs = [f"back-{seat}-{place}" for place in range(HAND)]
        return drawing.hand(_MARGIN, y, backs, lambda x, y, key: drawing.back(key, x, y))
    kept = [card for cards in own["kept"] for card in cards]
    return drawing.hand(_MARGIN, y, own["hand"], lambda x, y, card: _card(card, x, y, kept.count(card)))


def _card(card: str, x: float, y: float, kept: int) -> Part:
    number = card.removeprefix("card ")
    return drawing.card(f"card-{number}", x, y, number, stars=kept, kind="loose")
