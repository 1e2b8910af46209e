"""`ladder home rate`: rate all matches again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from ladder.cli.leaderboard import print_leaderboards
from ladder.cli.options import (
    FormatOption,
    GameOption,
    HomeOption,
    existing_home,
    known_game,
    note,
    nothing_yet,
    store_of,
)

if TYPE_CHECKING:
    from results.rating.fold import Fold
    from results.storage.store import Store

__all__ = ["rate"]


def rate(
    engine: Annotated[
        Literal["flat", "package"],
        typer.Option(help="Rate with the ladder's own TrueSkill, or compare with the package."),
    ] = "flat",
    game: GameOption = None,
    home: HomeOption = None,
    format: FormatOption = "table",  # noqa: A002
) -> None:
    """Rate all matches again, from the first on.

    Stored ratings are replaced. With --engine package nothing is stored: the leaderboard shows the ratings
    of the trueskill package, and the command prints their largest difference from those of the ladder's own
    engine, which is ten times as fast.

    Example: ladder home rate --engine package
    """
    games = [known_game(game)] if game else None
    where = existing_home(home)
    store = store_of(where)
    fold = _compared(store) if engine == "package" else _rated_again(store)
    standings = fold.standings.values()
    games = games or sorted({standing.game for standing in standings})
    print_leaderboards(standings, games, format, where)
    if not standings:
        nothing_yet("matches")


def _rated_again(store: Store) -> Fold:
    """Return the ratings, folded and stored again; nothing is made where nothing was played."""
    from results.rating.cache import fold_afresh, save

    if not store.runs():
        return fold_afresh(store.contents())
    with store.lock():
        fold = fold_afresh(store.contents())
        save(store, fold)
    return fold


def _compared(store: Store) -> Fold:
    """Return the ratings as the trueskill package computes them; say how far the flat engine's are."""
    from results.rating import trueskill_package
    from results.rating.cache import fold_afresh

    contents = store.contents()
    flat, package = fold_afresh(contents), fold_afresh(contents, trueskill_package.update_skills)
    pairs = [(flat.standings[key], package.standings[key]) for key in flat.standings]
    mu = max((abs(one.mu - other.mu) for one, other in pairs), default=0.0)
    sigma = max((abs(one.sigma - other.sigma) for one, other in pairs), default=0.0)
    note(f"largest difference between flat and package: {mu:.1e} in mu, {sigma:.1e} in sigma")
    if flat.unrated != package.unrated:
        note(f"matches that stay unrated: {flat.unrated:,} by flat, {package.unrated:,} by package")
    return package
