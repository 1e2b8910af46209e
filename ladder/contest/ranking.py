"""Rank the seats of a match in which some have faulted."""

import math
from collections.abc import Sequence


def ranks_of(fault_steps: Sequence[int | None], by_rules: Sequence[int] | None) -> list[int]:
    """Rank seats without a fault by the rules, then the others: a later fault above an earlier one."""
    keys = [
        (-math.inf, by_rules[seat] if by_rules else 0) if step is None else (-step, 0)
        for seat, step in enumerate(fault_steps)
    ]
    return [1 + sum(other < key for other in keys) for key in keys]
