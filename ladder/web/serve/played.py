"""The newest matches that people have played.  It only reads."""

from __future__ import annotations

from ladder.home.home import Home
from results.record import Json
from results.reports.query import Selection, select_newest
from results.reports.row_sets import label_matches, matches
from results.storage.unrated import unrated_stores

NEWEST = 10
"""How many matches are listed."""
STORES = 50
"""How many stores are looked into for them; the others are duels and unrated runs."""


def newest_played(home: Home) -> list[dict[str, Json]]:
    """Return the newest matches of `ladder play` and of the server, newest first."""
    found: list[dict[str, Json]] = []
    for name, store in [*unrated_stores(home.results).items()][: -STORES - 1 : -1]:
        if len(found) == NEWEST:
            break
        runs = store.runs()
        if runs and runs[0].settings.play:
            rows, _ = select_newest(store.contents(), Selection(), 1, None)
            found += matches(rows, name)
    return label_matches(found, home.roster.numbers())
