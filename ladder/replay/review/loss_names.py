"""From which loss on a decision has a name, and only where that is sure."""

from __future__ import annotations

from typing import Final

__all__ = ["THRESHOLDS", "Z", "is_open", "verdict_of"]

Z: Final = 1.96
"""Standard errors to either side of a 95 % interval."""
THRESHOLDS: Final = ((0.03, "inaccuracy"), (0.06, "mistake"), (0.12, "blunder"))
"""The least loss of each name, as a share of the result."""


def verdict_of(loss: float, se: float) -> str:
    """Return the name of a decision whose *loss* has this standard error; empty if none is sure.

    The lower end of the 95 % interval must lie above the least loss of a name.
    """
    low = loss - Z * se
    names = [name for least, name in THRESHOLDS if low > least]
    return names[-1] if names else ""


def is_open(loss: float, se: float) -> bool:
    """Return whether a decision would have another name if its *loss* were as it seems, and sure."""
    return verdict_of(loss, se) != verdict_of(loss, 0.0)
