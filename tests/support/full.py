"""Full counts: the gate runs a sample of what takes long, always the same one.

`LADDER_FULL=1 pytest -m slow PATH` runs everything.  Tests of truth have a switch of their own, since they
take hours: see support.worlds.
"""

import os

FULL = os.environ.get("LADDER_FULL") == "1"
"""Whether everything runs."""


def gate_or_full(gate: int, full: int) -> int:
    """Return how many there are: *gate*, or *full* where everything runs."""
    return full if FULL else gate


def every(step: int) -> int:
    """Return *step*, of which the gate takes one, or 1 where everything runs."""
    return gate_or_full(step, 1)
