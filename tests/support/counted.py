"""Count blocks one by one, as the product counts them in columns."""

from collections import Counter
from collections.abc import Iterable

from results.rating.outcomes import Counts, FinishOrder


def add_block(counts: Counts, outcomes: Iterable[FinishOrder], *, paired: bool = True) -> None:
    """Add a block whose standing matches had these *outcomes* to *counts*; none adds nothing.

    *paired* says whether all of them played the same deal.
    """
    pattern = tuple(sorted(outcomes))
    counts.update(Counts(Counter(pattern), {pattern: 1} if paired and pattern else {}))
