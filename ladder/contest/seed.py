"""Parse `--seed`: a number, which can be guessed, a secret text, or a file with a secret."""

import re
from pathlib import Path
from typing import NamedTuple

FILE = "@"
"""Begins the name of a file that holds a secret."""
LEAST = 24
"""The fewest characters of a secret text."""
_WANTED = (
    f"a non-negative whole number of at most 18 digits, a secret text of at least {LEAST} characters, or"
    f" {FILE}FILE"
)


class Seed(NamedTuple):
    """The value of `--seed`: a number, a secret or a file."""

    number: int | None
    secret: bytes | None
    """The secret that is derived from a text; None for a number or a file."""
    file: Path | None = None
    """The file that holds the secret."""

    @classmethod
    def read(cls, text: str | float) -> "Seed":
        """Parse *text*, or take a number.  The text itself is not stored.  Raises ValueError."""
        text = str(text)
        if re.fullmatch(r"[+-]?[0-9]+", text):
            number = int(text) if len(text) < 20 else -1
            if number < 0 or number >= 10**18:
                raise ValueError(f"expected {_WANTED}, got the number {text:.40}")
            return cls(number, None)
        if text.startswith(FILE) and text != FILE:
            return cls(None, None, Path(text.removeprefix(FILE)))
        if len(text) < LEAST:
            raise ValueError(f"expected {_WANTED}, got a text of {len(text)} characters")
        from ladder.contest.keys import secret_of_text

        return cls(None, secret_of_text(text))
