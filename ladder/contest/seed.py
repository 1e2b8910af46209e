"""Parse `--seed`: a number, which can be guessed, or a secret text."""

import re
from typing import NamedTuple

LEAST = 24
"""The fewest characters of a secret text."""
_WANTED = f"a non-negative whole number of at most 18 digits, or a secret text of at least {LEAST} characters"


class Seed(NamedTuple):
    """The value of `--seed`: a number or a secret."""

    number: int | None
    secret: bytes | None
    """The secret that is derived from a text; None for a number."""

    @classmethod
    def read(cls, text: str | float) -> "Seed":
        """Parse *text*, or take a number.  The text itself is not stored.  Raises ValueError."""
        text = str(text)
        if re.fullmatch(r"[+-]?[0-9]+", text):
            number = int(text) if len(text) < 20 else -1
            if number < 0 or number >= 10**18:
                raise ValueError(f"expected {_WANTED}, got the number {text:.40}")
            return cls(number, None)
        if len(text) < LEAST:
            raise ValueError(f"expected {_WANTED}, got a text of {len(text)} characters")
        from ladder.contest.keys import secret_of_text

        return cls(None, secret_of_text(text))
