"""Small marks for the pictures of Stella: a line drawing for each group of tags.

The printed pictures are the publisher's; these marks are our own.  A mark helps the eye to find a picture
again, the sentence on the card says what is on it.  A tag of a user's own deck may have no mark.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

__all__ = ["PATHS", "marks_of"]

PATHS: Final = {
    "bird": "M1.5 6q3.5-3 6.5 2.5Q11 3 14.5 6M4.5 12q2-1.6 3.5 1 1.5-2.6 3.5-1",
    "book": "M8 4C6 2.6 3.6 2.6 1.5 3v10c2.1-.4 4.5-.4 6.5 1 2-1.4 4.4-1.4 6.5-1V3C12.4 2.6 10 2.6 8 4ZV14",
    "bottle": "M6.5 1.5h3v4C11.5 6.5 12 7.5 12 9v5.5H4V9c0-1.5.5-2.5 2.5-3.5ZM4 10.5h8",
    "bowl": "M1.5 8h13a6.5 6 0 0 1-13 0ZM6 5q-1-1.5 0-3M10 5q-1-1.5 0-3",
    "brush": "M13.5 2.5L7 9M7 9.3c-2.5 0-2 3.5-4.5 4 3 1 6 .5 6-2 0-1-.7-2-1.5-2Z",
    "cage": "M2.5 14.5V7a5.5 5.5 0 0 1 11 0v7.5ZM6.2 14.5V2M9.8 14.5V2",
    "cloud": "M4.3 12.5a3 3 0 0 1 0-6A4 4 0 0 1 12 6.6a3 3 0 0 1 .2 5.9Z",
    "compass": "M8 1.5a6.5 6.5 0 1 0 .01 0ZM11 5L9.2 9.2 5 11 6.8 6.8Z",
    "cross": "M6 2h4v4h4v4h-4v4H6v-4H2V6h4Z",
    "crowd": "M8 2.5a2 2 0 1 0 .01 0ZM4.5 13.5c0-7 7-7 7 0M3 5a1.5 1.5 0 1 0 .01 0ZM1 12q0-3.2 2.5-3.2"
    "M13 5a1.5 1.5 0 1 0 .01 0ZM15 12q0-3.2-2.5-3.2",
    "crown": "M2 12.5V5l3.5 3L8 3l2.5 5L14 5v7.5Z",
    "danger": "M8 2l7 12H1ZM8 6.5v3.5M8 12v.1",
    "dice": "M2.5 2.5h11v11h-11ZM5.5 5.5v.1M10.5 10.5v.1M8 8v.1",
    "door": "M4 14.5V6a4 4 0 0 1 8 0v8.5ZM2 14.5h12M9.7 9.5v.1",
    "drop": "M8 2C10 5 12 7.5 12 10a4 4 0 0 1-8 0C4 7.5 6 5 8 2Z",
    "eye": "M1.5 8Q8 1 14.5 8 8 15 1.5 8ZM8 6a2 2 0 1 0 .01 0Z",
    "figure": "M8 2a2.3 2.3 0 1 0 .01 0ZM3.5 14.5c0-9.5 9-9.5 9 0",
    "flame": "M8.5 1.5C9 5 12.5 6.5 12.5 10a4.5 4.5 0 0 1-9 0C3.5 8 5 7 5.5 5c1.5 1 3 0 3-3.5Z",
    "gift": "M2.5 7.5h11v7h-11ZM1.5 4.5h13v3h-13ZM8 4.5v10M8 4.5Q4 4.5 4.8 2.5T8 4.5Q8 .5 11.2 2.5T8 4.5",
    "heart": "M8 14C3 10 1.5 7.6 1.5 5.4A3.3 3.3 0 0 1 8 4.8a3.3 3.3 0 0 1 6.5.6C14.5 7.6 13 10 8 14Z",
    "hourglass": "M3.5 1.5h9M3.5 14.5h9M4.5 1.5c0 4 3 4.5 3 6.5s-3 2.5-3 6.5"
    "M11.5 1.5c0 4-3 4.5-3 6.5s3 2.5 3 6.5",
    "house": "M1.5 8.5L8 2.5l6.5 6M3.5 7v7.5h9V7M7 14.5v-4h2v4",
    "key": "M7.5 8a3 3 0 1 1-6 0 3 3 0 0 1 6 0ZH14.5v3M11.5 8v2",
    "leaf": "M3 13C2 6 6 2.5 13.5 2.5 13.5 10 10 14 3 13ZL9 7M2 14l1-1",
    "letter": "M1.5 4h13v8.5h-13ZL8 9l6.5-5",
    "mask": "M2 4.5q6-2 12 0 0 7-3.3 7Q8.7 11.5 8 9.5 7.3 11.5 5.3 11.5 2 11.5 2 4.5ZM4.5 7h2M9.5 7h2",
    "mirror": "M8 1.5a4.3 5 0 1 0 .01 0ZM8 11.5v3M5.5 14.5h5M6.3 5L8 3.7",
    "moon": "M13 10.2A6 6 0 1 1 6.5 2 5 5 0 0 0 13 10.2Z",
    "note": "M6 12a2 1.7 0 1 1-4 0 2 1.7 0 0 1 4 0ZV3.5L13.5 2v8.5a2 1.7 0 1 1-4 0 2 1.7 0 0 1 4 0",
    "paw": "M8 8c2 0 4 2.5 4 4.3S10 14 8 14s-4 .2-4-1.7S6 8 8 8ZM2.5 6.5v1M6 3v1.2M10 3v1.2M13.5 6.5v1",
    "peaks": "M1 13.5L6 4l3 5.5 2-3 4 7Z",
    "scales": "M8 2v12M5 14h6M2.5 4.5h11M3 4.5L1 9.5h4ZM13 4.5l-2 5h4Z",
    "ship": "M1.5 10.5h13l-2.5 4H4ZM8 10.5V1.5l5 6.5H8",
    "snow": "M8 1.5v13M2.4 4.7l11.2 6.6M13.6 4.7L2.4 11.3M6.5 2.5L8 4l1.5-1.5M6.5 13.5L8 12l1.5 1.5",
    "spark": "M8 1.5Q8.5 7.5 14.5 8 8.5 8.5 8 14.5 7.5 8.5 1.5 8 7.5 7.5 8 1.5Z",
    "stairs": "M1.5 14.5h3.5V11h3V7.5h3V4h3.5",
    "star": "M8 1.8l1.9 4.2 4.6.4-3.5 3 1.1 4.5L8 11.5l-4.1 2.4L5 9.4l-3.5-3 4.6-.4Z",
    "sun": "M8 5a3 3 0 1 0 .01 0ZM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1",
    "sword": "M14 2L6 10M3.5 7.5l5 5M2 14l3-3",
    "thread": "M1.5 11C4.5 3 9.5 3 9 7.5S4 11 5 7s6.5-3.5 9.5 4.5",
    "tower": "M5 14.5V6L4 5V2h2v1.5h1.2V2h1.6v1.5H10V2h2v3l-1 1v8.5ZM8 14.5V11",
    "tree": "M8 1.5a4.5 4.5 0 1 0 .01 0ZM8 14.5V6M8 9l2-2M5 14.5h6",
    "waves": "M1 4.5q1.75-2.5 3.5 0t3.5 0 3.5 0 3.5 0M1 8.5q1.75-2.5 3.5 0t3.5 0 3.5 0 3.5 0"
    "M1 12.5q1.75-2.5 3.5 0t3.5 0 3.5 0 3.5 0",
    "wheel": "M8 2a6 6 0 1 0 .01 0ZM8 6.5a1.5 1.5 0 1 0 .01 0ZM2 8h4.5M9.5 8H14M8 2v4.5M8 9.5V14",
}
"""The lines of each mark, as an SVG path in a square of 16 by 16."""

_GROUPS: Final = {
    "bird": "bird freedom escape wind",
    "book": "book library school wisdom science identity",
    "bottle": "bottle",
    "bowl": "bread feast kitchen hunger fruit honey thirst market",
    "brush": "art colour disguise",
    "cage": "prison cage border",
    "cloud": "cloud fog storm sky smoke silence",
    "compass": "journey map distance exile farewell island",
    "cross": "wound medicine",
    "crowd": "crowd family twins rivalry",
    "crown": "crown king queen power pride gold greed",
    "danger": "danger fear death monster giant dragon chaos fall ruin",
    "dice": "game luck toy choice mischief",
    "door": "door ladder",
    "drop": "rain water sorrow loss",
    "eye": "truth curiosity secret blindness faith shadow",
    "figure": "child loneliness youth sailor thief birth hand",
    "flame": "fire candle lamp dawn",
    "gift": "gift surprise promise sacrifice",
    "heart": "heart love friendship hope",
    "hourglass": "time clock patience memory old_age",
    "house": "home city",
    "key": "key",
    "leaf": "growth spring garden flower harvest field autumn",
    "letter": "letter lie betrayal",
    "mask": "mask theatre circus ghost",
    "mirror": "mirror",
    "moon": "night moon sleep dream",
    "note": "music dance celebration",
    "paw": "animal cat fox wolf mouse tiger elephant horse frog snail insect",
    "peaks": "mountain desert",
    "scales": "balance justice peace",
    "ship": "ship",
    "snow": "snow winter ice",
    "spark": "magic invention",
    "stairs": "stairs",
    "star": "star",
    "sun": "sun light",
    "sword": "blade war soldier courage",
    "thread": "thread",
    "tower": "tower castle",
    "tree": "tree forest",
    "waves": "sea river fish whale",
    "wheel": "machine work train bridge",
}
_MARK: Final = {tag.replace("_", " "): mark for mark, tags in _GROUPS.items() for tag in tags.split()}


def marks_of(tags: Iterable[str], most: int) -> tuple[str, ...]:
    """Return the different marks of *tags*, in the order of the tags: at most *most*."""
    found = dict.fromkeys(_MARK[tag] for tag in tags if tag in _MARK)
    return tuple(found)[:most]
