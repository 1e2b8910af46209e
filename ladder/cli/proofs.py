"""`ladder digest`, `ladder verify` and `ladder rate`: whether the results are what was played, and all of it."""

from __future__ import annotations

from ladder.cli.options import HomeOption, RunOption, existing_home, note, store_of
from ladder.cli.tables import known_run

__all__ = ["digest"]


def digest(run: RunOption = None, home: HomeOption = None) -> None:
    """Print one hash over what happened: two ladders with the same hash have played the same.

    It covers, for every standing match, its number, bots, deal, rule options, moves, notes, faults, ranks and
    scores, besides the secret of each run and the ratings in the end; nothing that is measured. With --run,
    that run as if it were the only one.

    Example: ladder digest --run 1
    """
    from results.digest import digest as digest_of

    store = store_of(existing_home(home))
    number = known_run(store, run)
    picture = store.picture()
    found = digest_of(picture, number)
    print(found.hex)
    runs = f"run {number}" if number else f"{found.runs:,} runs" if found.runs != 1 else "1 run"
    note(f"{found.matches:,} matches of {runs}")
    if (unfinished := picture.unfinished) and number in (None, unfinished.run):
        note(f"run {unfinished.run} is not finished: this is how far it is", "ladder run --resume")
