"""Processes import the main module again: in tests let it be the ladder's, not pytest's."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import ladder.__main__


@contextmanager
def ladder_as_main() -> Iterator[None]:
    """Put the ladder's main module in the place of pytest's.

    Nothing else of sys.modules comes back afterwards: modules that were imported meanwhile stay imported.
    """
    before = sys.modules["__main__"]
    sys.modules["__main__"] = ladder.__main__
    try:
        yield
    finally:
        sys.modules["__main__"] = before
