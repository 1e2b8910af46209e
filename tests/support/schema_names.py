"""The names in a schema, held against those of the game."""

from __future__ import annotations

from collections.abc import Iterable

from engines.contract.game_schema import fits
from engines.contract.subject import Subject

__all__ = ["names_that_fit"]


def names_that_fit(subject: Subject, part: str, names: Iterable[str]) -> set[str]:
    """Return which of *names*, and of the texts like them, fit one of the $defs of a game's schema."""
    names = [*names]
    one_sign_more = {
        text[:at] + sign + text[at:] for text in names for at in (0, len(text)) for sign in " 1X"
    }
    another_sign = {
        text[:at] + sign + text[at + 1 :] for text in names for at in range(len(text)) for sign in "A.?02468"
    }
    return {text for text in {*names, *one_sign_more, *another_sign} if fits(subject, part, text)}
