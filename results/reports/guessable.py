"""Find the runs in which bots could know the deals."""

from __future__ import annotations

from results.record import Run
from results.storage.contents import Contents


def guessable_runs(contents: Contents, seats: int | None = None) -> dict[str, list[int]]:
    """Return, by game, the runs with matches whose secret can be guessed, so that bots could know the deals.

    With *seats*, only matches of that many seats count.
    """
    found: dict[str, list[int]] = {}
    for run in contents.rated_runs:
        for game in _rated_games(contents, run, seats) if run.guessable else ():
            found.setdefault(game, []).append(run.run)
    return found


def _rated_games(contents: Contents, run: Run, seats: int | None) -> set[str]:
    """Return the games of the matches of *run*: those of its contests, once it is beyond its first epoch."""
    settings = run.settings
    epoch = sum(map(min, settings.blocks or settings.epochs, settings.epochs))
    if contents.first_missing(run.run) >= epoch and not (settings.shard or settings.without):
        return {contest.game for contest in settings.contests if seats in (None, contest.seats)}
    rows = contents.matches(["game", "seats.rank"], run.run).to_pylist()
    return {row["game"] for row in rows if seats in (None, len(row["seats"]))}
