"""What a shell offers for the word that is being typed; typer leaves out what begins otherwise."""

from collections.abc import Callable, Iterable, Mapping

import typer

from ladder.run.option import Completed

MOST_COMPLETED = 20
"""The most matches offered to the shell: they fit a screen."""


def _complete_bots(context: typer.Context, incomplete: str) -> Iterable[str]:
    """Return the names of bots, for the shell; behind an @ their versions."""
    from ladder.home.home import find_home
    from ladder.registry.roster import Roster

    folder = find_home(context.params.get("home"))
    roster = Roster(folder / "bots", folder / "results")
    if "@" in incomplete:
        return [f"{name}@{number}" for (name, _), number in roster.numbers().items()]
    today = roster.names
    return sorted({today.get(path.name, path.name) for path in roster.path.glob("[!.]*") if path.is_dir()})


def complete_matches(context: typer.Context, incomplete: str) -> list[str]:
    """Return `last` and the newest matches, RUN/NUMBER, that begin with *incomplete*, for the shell."""
    from ladder.home.home import find_home
    from results.storage.newest import list_newest
    from results.storage.unrated import unrated_stores

    results = find_home(context.params.get("home")) / "results"
    name, slash, number = incomplete.partition("/")
    if slash and name.startswith("d"):
        if name not in unrated_stores(results):  # a secret tournament has one that is not among them
            return []
        unrated = list_newest(results / "unrated" / name, f"1/{number}", MOST_COMPLETED)
        return [f"{name}/{match.partition('/')[2]}" for match in unrated]
    return ["last", *list_newest(results, incomplete, MOST_COMPLETED)]


def complete_duels(context: typer.Context) -> Iterable[str]:
    """Return the duels and unrated runs, newest first, for the shell."""
    from ladder.home.home import find_home
    from results.storage.unrated import unrated_stores

    return reversed(unrated_stores(find_home(context.params.get("home")) / "results"))


def _seasons(context: typer.Context) -> Iterable[str]:
    """Return the seasons, newest first."""
    from ladder.home.home import find_home
    from results.storage.store import Store

    seasons = Store(find_home(context.params.get("home")) / "results").seasons()
    return [season.name for season in reversed(seasons)]


def _games() -> Iterable[str]:
    from engines import GAMES

    return GAMES


def _languages() -> Iterable[str]:
    from ladder.kits.languages import LANGUAGES

    return LANGUAGES


def _rules() -> Iterable[str]:
    """Return the rules that may end a run."""
    from ladder.run.until.by_name import named_rules

    return named_rules()


def _house_bots() -> Iterable[str]:
    from ladder.home.home import house_bots, reference_bots

    return [*house_bots(), *reference_bots()]


COMPLETERS: Mapping[Completed, Callable[..., Iterable[str]]] = {
    "bots": _complete_bots,
    "duels": complete_duels,
    "games": _games,
    "house bots": _house_bots,
    "languages": _languages,
    "matches": complete_matches,
    "rules": _rules,
    "seasons": _seasons,
}
"""What is offered for an argument or an option, by what its declaration says."""
