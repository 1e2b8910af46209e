"""From which loss on a decision has a name, and only where that is sure."""

from typing import Final

Z: Final = 1.96
"""Standard errors to either side of a 95 % interval."""
_SURER: Final = 1.17
"""How much wider an interval is, while more worlds may be tried."""
_HIGHER: Final = 1.17
"""By how many standard errors a loss may well be higher than it seems."""
THRESHOLDS: Final = ((0.03, "inaccuracy"), (0.06, "mistake"), (0.12, "blunder"))
"""The least loss of each name, as a share of the result."""


def verdict_of(loss: float, se: float) -> str:
    """Return the name whose least loss lies below the 95 % interval of *loss*; empty if none is sure."""
    low = loss - Z * se
    names = [name for least, name in THRESHOLDS if low > least]
    return names[-1] if names else ""


def is_open(loss: float, se: float) -> bool:
    """Return whether more worlds may well give a decision another name, or take the one that it has.

    Whether to go on is asked several times, and the first sure answer ends it: it must be surer than one
    that is asked for once (Armitage, McPherson, Rowe 1969).
    """
    return verdict_of(loss, _SURER * se) != verdict_of(loss + _HIGHER * se, 0.0)
