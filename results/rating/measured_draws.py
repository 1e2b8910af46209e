"""The draw probabilities that the matches of a store show, with which its next run rates."""

from __future__ import annotations

from collections import Counter

from results.rating.cache import ratings_of
from results.rating.draw_probability import choose_draws
from results.rating.segment_counts import tally_of
from results.storage.store import Store

__all__ = ["measured_draws"]

MEASURED_FROM = 200
"""The draws of a table size are measured from this many matches on: fewer show next to nothing."""


def measured_draws(store: Store) -> dict[str, dict[int, float]]:
    """Return the draw probabilities that the matches of *store* show, by game and table size.

    Sizes with fewer than MEASURED_FROM matches are left out.
    """
    contents = store.contents()
    if not contents.runs:
        return {}
    counts = tally_of(contents).totals.counts
    found = {}
    for game, each in ratings_of(contents).items():
        played = Counter[int]()
        for outcome, count in counts[game].outcomes.items():
            played[outcome.seats] += count
        draws = choose_draws(counts[game], each.fit, each.parameters.beta)
        found[game] = {seats: draws[seats] for seats in sorted(draws) if played[seats] >= MEASURED_FROM}
    return found
