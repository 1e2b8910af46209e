"""Sets of bots as numbers: bit i says whether bot i, by its place in a fit, is in the set."""

from collections.abc import Iterator


def bots_in(members: int) -> Iterator[int]:
    """Yield the bots of a set, sorted."""
    while members:
        lowest = members & -members
        yield lowest.bit_length() - 1
        members ^= lowest
