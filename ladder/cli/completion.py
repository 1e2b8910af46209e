"""What a shell offers for the word that is being typed."""

from __future__ import annotations

import typer

__all__ = [
    "complete_bots",
    "complete_duels",
    "complete_games",
    "complete_matches",
    "complete_rules",
    "complete_seasons",
]

MOST_COMPLETED = 20
"""The most matches offered to the shell: they fit a screen."""


def complete_bots(context: typer.Context, incomplete: str) -> list[str]:
    """Return the names of bots that begin with *incomplete*, for the shell; behind an @ their versions."""
    from ladder.home.home import find_home
    from ladder.registry.roster import Roster

    folder = find_home(context.params.get("home"))
    roster = Roster(folder / "bots", folder / "results")
    if "@" in incomplete:
        named = [f"{name}@{number}" for (name, _), number in roster.numbers().items()]
    else:
        today = roster.names
        named = sorted(
            {today.get(path.name, path.name) for path in roster.path.glob("[!.]*") if path.is_dir()}
        )
    return [name for name in named if name.startswith(incomplete)]


def complete_games(incomplete: str) -> list[str]:
    """Return the games that begin with *incomplete*, for the shell."""
    from engines import GAMES

    return [name for name in GAMES if name.startswith(incomplete)]


def complete_rules(incomplete: str) -> list[str]:
    """Return the rules that may end a run which begin with *incomplete*, for the shell."""
    from ladder.run.until.by_name import named_rules

    return [name for name in named_rules() if name.startswith(incomplete)]


def complete_matches(context: typer.Context, incomplete: str) -> list[str]:
    """Return `last` and the newest matches, RUN/NUMBER, that begin with *incomplete*, for the shell."""
    from ladder.home.home import find_home
    from results.storage.newest import list_newest

    results = find_home(context.params.get("home")) / "results"
    name, slash, number = incomplete.partition("/")
    if slash and name.startswith("d"):
        unrated = list_newest(results / "unrated" / name, f"1/{number}", MOST_COMPLETED)
        return [f"{name}/{match.partition('/')[2]}" for match in unrated]
    found = list_newest(results, incomplete, MOST_COMPLETED)
    return [*(["last"] if "last".startswith(incomplete) else []), *found]


def complete_duels(context: typer.Context, incomplete: str) -> list[str]:
    """Return the duels and unrated runs that begin with *incomplete*, newest first, for the shell."""
    from ladder.home.home import find_home
    from results.storage.unrated import unrated_stores

    names = reversed(unrated_stores(find_home(context.params.get("home")) / "results"))
    return [name for name in names if name.startswith(incomplete)]


def complete_seasons(context: typer.Context, incomplete: str) -> list[str]:
    """Return the seasons that begin with *incomplete*, newest first, for the shell."""
    from ladder.home.home import find_home
    from results.storage.store import Store

    seasons = Store(find_home(context.params.get("home")) / "results").seasons()
    return [season.name for season in reversed(seasons) if season.name.startswith(incomplete)]
