"""Find the runs in which bots could know the deals."""

from collections.abc import Iterable, Mapping, Sequence

from results.record import Run
from results.storage.contents import Contents

NAMED = 5
"""At most this many runs are named."""


def guessable_runs(contents: Contents, seats: int | None = None) -> dict[str, list[int]]:
    """Return by game the runs (with matches of *seats*) whose secret, and so deals, bots could guess."""
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


def guessable_notes(found: Mapping[str, Sequence[int]], games: Iterable[str], unrated: str = "") -> list[str]:
    """Return in which runs, *found* by game, bots could know the cards of *games*: a sentence for each set.

    *unrated* is the name of the store, if its runs have no number.
    """
    by_runs: dict[tuple[int, ...], list[str]] = {}
    for game in games:
        if game in found:
            by_runs.setdefault(tuple(found[game]), []).append(game)
    return [
        f"warning: bots could know the cards of {', '.join(of)} in {_name(runs, unrated)}:"
        " the seed can be guessed"
        for runs, of in sorted(by_runs.items())
    ]


def _name(runs: Sequence[int], unrated: str) -> str:
    if unrated:
        return f"run {unrated}"
    more = f" and {len(runs) - NAMED:,} more" if runs[NAMED:] else ""
    return f"{'runs' if runs[1:] else 'run'} {', '.join(map(str, runs[:NAMED]))}{more}"
