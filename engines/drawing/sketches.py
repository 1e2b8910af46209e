"""Small pictures for a line of text: the cards and tokens that an event speaks of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from engines.drawing.picture import Part, Picture
from engines.types import Json

_MOST: Final = 10
"""The most small pictures beside a line."""


def sketch_things(
    event: Mapping[str, Json],
    fields: Sequence[str],
    draw: Callable[[str], Part | None],
    size: tuple[int, int],
) -> list[Picture]:
    """Return a picture of each thing that *fields* of *event* name, at most ten.

    *draw* returns a card or a token by its name, at 0, 0 and inside *size*; None for other text.
    """
    found: list[Picture] = []
    for text in _texts(event.get(field) for field in fields):
        part = draw(text)
        if part and len(found) < _MOST:
            found.append(Picture(*size, text, "", (part,)))
    return found


def _texts(values: Iterable[Json]) -> Iterator[str]:
    """Yield all texts in *values*, also those in lists and in objects."""
    for value in values:
        if isinstance(value, str):
            yield value
        elif isinstance(value, Mapping):
            yield from _texts(value.values())
        elif isinstance(value, (list, tuple)):
            yield from _texts(value)
