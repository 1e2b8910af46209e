"""`ladder digest`, `ladder verify` and `ladder rate`: whether the results are what was played."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from ladder.cli.options import (
    FormatOption,
    GameOption,
    HomeOption,
    RunOption,
    existing_home,
    known_game,
    note,
    nothing_yet,
    store_of,
)
from ladder.cli.tables import known_run, print_leaderboards

if TYPE_CHECKING:
    from results.ratings import Fold
    from results.store import Store

__all__ = ["digest", "rate"]


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


def rate(
    engine: Annotated[
        Literal["flat", "package"],
        typer.Option(help="What computes: the ladder's own TrueSkill, or the package, which only compares."),
    ] = "flat",
    game: GameOption = None,
    home: HomeOption = None,
    format: FormatOption = "table",  # noqa: A002
) -> None:
    """Rate all matches again, from the first on, whatever ratings are stored, and show how the bots stand.

    One engine writes: flat. With --engine package nothing is stored; the ratings of the trueskill package are
    shown, with their largest difference from those of the flat engine, which is ten times as fast.

    Example: ladder rate --engine package
    """
    games = [known_game(game)] if game else None
    store = store_of(existing_home(home))
    fold = _compared(store) if engine == "package" else _rated_again(store)
    standings = fold.standings.values()
    print_leaderboards(standings, games or sorted({standing.game for standing in standings}), format)
    if not standings:
        nothing_yet("matches")


def _rated_again(store: Store) -> Fold:
    """Return the ratings, folded and stored again; nothing is made where nothing was played."""
    from results.standings import afresh, save

    if not store.runs():
        return afresh(store.picture())
    with store.lock():
        fold = afresh(store.picture())
        save(store, fold)
    return fold


def _compared(store: Store) -> Fold:
    """Return the ratings as the trueskill package computes them; say how far the flat engine's are."""
    from results import reference
    from results.standings import afresh

    picture = store.picture()
    flat, package = afresh(picture), afresh(picture, reference.updated)
    pairs = [(flat.standings[key], package.standings[key]) for key in flat.standings]
    mu = max((abs(one.mu - other.mu) for one, other in pairs), default=0.0)
    sigma = max((abs(one.sigma - other.sigma) for one, other in pairs), default=0.0)
    note(f"largest difference between flat and package: {mu:.1e} in mu, {sigma:.1e} in sigma")
    if flat.unrated != package.unrated:
        note(f"matches that stay unrated: {flat.unrated:,} by flat, {package.unrated:,} by package")
    return package
