"""What the first page shows: the leaderboard of each game, and the newest matches.  It only reads."""

from __future__ import annotations

from typing import NamedTuple

from ladder.home.home import Home
from results.errors import ResultsError
from results.rating.cache import ratings_current
from results.record import Json
from results.reports.leaderboard import Board, leaderboard, shown, title
from results.reports.query import Selection, select_newest
from results.reports.tables import label_matches, matches
from results.storage.store import Store
from results.storage.unrated import unrated_stores

__all__ = ["GameBoard", "Overview", "read_overview"]

NEWEST = 20
"""How many matches are listed."""
NEWEST_PLAYED = 10
"""How many matches of people are listed."""


class GameBoard(NamedTuple):
    """The leaderboard of one game."""

    game: str
    title: str
    rows: list[dict[str, Json]]


class Overview(NamedTuple):
    """The results of a home at one moment."""

    boards: list[GameBoard]
    newest: list[dict[str, Json]]
    """Rated matches, the newest first."""
    played: list[dict[str, Json]]
    """Matches of people, the newest first."""
    going_on: str
    """What a run that is not finished has done so far; empty if there is none."""
    problem: str = ""


def read_overview(home: Home) -> Overview:
    """Return the results of *home* as they are now; damaged ones are a problem, not an error."""
    numbers = home.roster.numbers()
    try:
        store = Store(home.results)
        boards = []
        for game, rated in sorted(ratings_current(store).items()):
            board = Board(rated)
            boards.append(GameBoard(game, title(board), shown(leaderboard(board), numbers)))
        rows, found = select_newest(store, Selection(), NEWEST, None)
        newest = label_matches(matches(rows, None), numbers)
        unfinished = store.unfinished_run()
        going_on = f"Run {unfinished.run} is going on: {found:,} matches so far." if unfinished else ""
        return Overview(boards, newest, _played(home), going_on)
    except ResultsError as error:
        return Overview([], [], [], "", str(error))


def _played(home: Home) -> list[dict[str, Json]]:
    """Return the newest matches of people and of single bots that were watched."""
    found: list[dict[str, Json]] = []
    numbers = home.roster.numbers()
    for name, store in reversed(unrated_stores(home.results).items()):
        if len(found) == NEWEST_PLAYED:
            break
        runs = store.runs()
        if runs and runs[0].settings.play:
            rows, _ = select_newest(store, Selection(), 1, None)
            found += label_matches(matches(rows, name), numbers)
    return found
