"""How often that is done again which takes long."""

import time
from typing import Final, Self

REST: Final = 5
"""It is done again no sooner than after this many times as long as it took the last time."""


class Resting:
    """Measures what is done within it, and tells whether it is too early to do it again."""

    def __init__(self) -> None:
        """Begin without a rest."""
        self._began = self._ended = 0.0
        self.seconds = 0.0
        """How long the rest after the last time is."""

    def __enter__(self) -> Self:
        self._began = time.monotonic()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if not kind:  # what failed may be tried again at once
            self._ended = time.monotonic()
            self.seconds = REST * (self._ended - self._began)

    @property
    def is_on(self) -> bool:
        """Whether it is too early to do it again."""
        return time.monotonic() - self._ended <= self.seconds
