"""How wide a line of text can be: a picture is drawn without knowing the font that it will be read in.

All widths are those of the widest font in common use, so that a text has room in every other one as well.
"""

from functools import lru_cache
from typing import Final

SMALLEST: Final = 19
"""The size below which a text cannot be read on a page of 375 pixels, where it has 10 of them."""
SQUEEZED: Final = 1.25
"""How much wider than its room a text may be that is squeezed into it."""
_REGULAR: Final = (
    (0.30, "'ijl"),
    (0.35, " ,.:;I·"),
    (0.40, "()-/[\\]ft"),
    (0.45, "!r"),
    (0.50, '"J`'),
    (0.55, "csz"),
    (0.60, "*?L_kvxy|\u2013"),
    (0.65, "$0123456789FTabdeghnopqu{}"),
    (0.70, "ABEKPSVXYZ"),
    (0.75, "CRU"),
    (0.80, "&DGHNOQ"),
    (0.85, "#+<=>^w~\u00d7\u00b1"),
    (0.95, "M"),
    (1.00, "%Wm…"),
    (1.05, "@"),
)
"""By width, in sizes of the font, the letters of the widest of DejaVu Sans, Liberation Sans and Noto Sans.
They are rounded up.  The system fonts of macOS, Windows and Android are narrower than DejaVu Sans."""
_BOLD: Final = (
    (0.35, " 'ijl"),
    (0.40, ",.:;I·"),
    (0.45, "-/\\f"),
    (0.50, "!()[]`rt"),
    (0.55, '"*'),
    (0.60, "J_csz|\u2013"),
    (0.65, "?Lx"),
    (0.70, "$0123456789EFTaekovy"),
    (0.75, "CPSYZbdghnpqu{}"),
    (0.80, "ABKRVX"),
    (0.85, "#+<=>DGHNU^~\u00d7\u00b1"),
    (0.90, "&OQ"),
    (0.95, "w"),
    (1.00, "@M…"),
    (1.05, "%m"),
    (1.15, "W"),
)
_LETTERS: Final = {letter: width for width, letters in _REGULAR for letter in letters}
_BOLD_LETTERS: Final = {letter: width for width, letters in _BOLD for letter in letters}
_OTHER: Final = 1.1
"""Most letters of other alphabets are narrower."""
_JOINED: Final = 0.8
"""The width of letters from U+0590 to U+08FF, such as Arabic ones, which are narrower in words."""
_FULL: Final = 1.0
"""The width of letters from U+1100 on, most of which are as wide as high."""
_MONOSPACE: Final = 0.62
"""The width of every letter of a monospace font."""


@lru_cache(maxsize=8192)
def text_width(text: str, size: float = 22, kind: str = "ink") -> float:
    """Return the room that *text* takes in the widest of common fonts; in others it is up to a third less.

    *kind* are the classes of the text: "strong" is wider, "notation" monospace.
    """
    classes = kind.split()
    if "notation" in classes:
        return size * sum(_MONOSPACE if letter < "\u1100" else 2 * _MONOSPACE for letter in text)
    letters = _BOLD_LETTERS if "strong" in classes else _LETTERS
    return size * sum(letters.get(letter) or _width_of(letter) for letter in text)


def _width_of(letter: str) -> float:
    if "\u0590" <= letter <= "\u08ff":
        return _JOINED
    return _OTHER if letter < "\u1100" else _FULL


def halve(text: str, width: float, size: float = 22, kind: str = "ink") -> tuple[str, ...]:
    """Return *text* in one line, or in two of about one length if it may not fit *width*.

    It is broken at a space if it has one.  Lines may need to be SQUEEZED; what is longer is cut.
    """
    if text_width(text, size, kind) <= width:
        return (text,)

    def widest(lines: tuple[str, ...]) -> float:
        return max(text_width(line, size, kind) for line in lines)

    room = SQUEEZED * width
    halves = [(text[:at], text[at + 1 :]) for at, letter in enumerate(text) if letter == " "]
    if halves and widest(best := min(halves, key=widest)) <= room:
        return best
    first = cut(text, room, size, kind).removesuffix("…")
    return first, cut(text[len(first) :].lstrip(), room, size, kind)


def cut(text: str, width: float, size: float = 22, kind: str = "ink") -> str:
    """Return *text*, or its beginning with an ellipsis if it may not fit *width*."""
    if text_width(text, size, kind) <= width:
        return text
    fits = len(text)
    while fits and text_width(f"{text[:fits]}…", size, kind) > width:
        fits -= 1
    return f"{text[:fits].rstrip()}…"


@lru_cache(maxsize=1024)
def wrap(text: str, width: float, size: float = 22, most: int = 0, kind: str = "ink") -> tuple[str, ...]:
    """Break *text* into lines that fit *width* in every common font; a longer word is cut.

    *most* is the number of lines, 0 for as many as it takes; an ellipsis stands for what does not fit.
    """
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if lines[-1] and text_width(longer, size, kind) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    if most and len(lines) > most:
        lines[most - 1 :] = [f"{lines[most - 1]} {lines[most]}"]
    return tuple(cut(line, width, size, kind) for line in lines)
