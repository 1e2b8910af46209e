"""`ladder home rate`: rate all matches again."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Literal

from ladder.api.asked import GameOption
from ladder.cli.options import FormatOption, HomeOption, existing_home, note, nothing_yet, store_of
from ladder.run.match_options import known_game
from ladder.run.option import Option

if TYPE_CHECKING:
    from results.rating.fold import Fold
    from results.rating.rated import Rated
    from results.storage.store import Store


def rate(
    engine: Annotated[
        Literal["joint", "fold", "package"],
        Option(
            "How to rate: all matches at once (joint), or, to compare, match after match by the ladder's"
            " own TrueSkill (fold) or by the trueskill package (package)."
        ),
    ] = "joint",
    game: GameOption = None,
    home: HomeOption = None,
    format: FormatOption = "table",  # noqa: A002
) -> None:
    """Rate all matches again.

    Stored ratings are replaced. With --engine fold or package nothing is stored: the leaderboard shows the
    ratings of one pass over the matches, whose uncertainty is too small, and the command prints their largest
    difference from those of the joint fit.

    Example: ladder home rate --engine package
    """
    from ladder.cli.print_boards import print_leaderboards, say_anchors

    games = [known_game(game)] if game else None
    where = existing_home(home)
    store = store_of(where)
    rated = _rated_again(store) if engine == "joint" else _compare(store, engine)
    chosen = [rated[name] for name in games or sorted(rated) if name in rated]
    print_leaderboards(chosen, format, where, store.contents(), hidden=where.hidden_versions())
    if engine == "joint":
        say_anchors(chosen, where)
    if not rated:
        nothing_yet("matches")


def _rated_again(store: Store) -> dict[str, Rated]:
    """Return the ratings, computed and stored again; nothing is made where nothing was played."""
    from results.rating.cache import save

    if not store.runs():
        return {}
    with store.lock():
        return save(store, afresh=True)


def _compare(store: Store, engine: Literal["fold", "package"]) -> dict[str, Rated]:
    """Return the ratings as *engine* computes them; say how far they are from those of the joint fit."""
    from results.rating import trueskill_package, update
    from results.rating.fold import fold_all
    from results.rating.rated import rate as rate_jointly
    from results.rating.segment_counts import tally_afresh

    contents = store.contents()
    fold = fold_all(contents, (update if engine == "fold" else trueskill_package).update_skills)
    jointly = rate_jointly(tally_afresh(contents))
    found = {game: _replace_numbers(each, fold) for game, each in jointly.items()}
    pairs = [
        (each.fit, found[game].fit, i) for game, each in jointly.items() for i in range(len(each.fit.bots))
    ]
    mu = max((abs(one.mu[i] - other.mu[i]) for one, other, i in pairs), default=0.0)
    sigma = max((abs(one.sigma(i) - other.sigma(i)) for one, other, i in pairs), default=0.0)
    note(f"largest difference between joint and {engine}: {mu:.1e} in mu, {sigma:.1e} in sigma")
    if fold.unrated:
        note(f"matches that stay unrated by {engine}: {fold.unrated:,}")
    return found


def _replace_numbers(rated: Rated, fold: Fold) -> Rated:
    """Return *rated* with the numbers of *fold*, which knows nothing of any two bots together."""
    from results.rating.field_parts import Distance, Parts

    ratings = [fold.ratings[rated.game, bot, version] for bot, version in rated.fit.bots]
    fit = replace(
        rated.fit,
        mu=tuple(rating.mu for rating in ratings),
        covariance=tuple(
            tuple(rating.sigma**2 if i == j else 0.0 for j in range(len(ratings)))
            for i, rating in enumerate(ratings)
        ),
        deviation=1.0,
        parts=Parts((0,) * len(ratings), (frozenset(),)),
        own=tuple(Distance(0, rating.sigma) for rating in ratings),
        leans=(),
        thin_joins=(),
    )
    for bot, rating in zip(fit.bots, ratings, strict=True):
        rated.standings[bot].mu, rated.standings[bot].sigma = rating
    return replace(rated, fit=fit)
