"""Rows of a list of bots, and how versions are called; light, for lists are asked for often."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from ladder.registry.version import Version
from results.reports.document import Row
from results.reports.labels import Key


def bot_rows(versions: Sequence[Version], playing: Collection[str]) -> list[Row]:
    """Return a row for each of *versions* in a list of bots; the ids of those that play are *playing*."""
    return [
        {
            "bot": version.bot,
            "number": version.number,
            "version": version.version,
            "active": version.id in playing,
            "banned": version.ban.why if version.ban else None,
            "games": _games(version),
            "submitted": version.submitted,
            "note": version.note or None,
            "author": version.manifest.author or None,
            "description": version.manifest.description or None,
            "display_name": version.display or None,
            "seats": fewer_sizes(version) or None,
            "remote": bool(version.manifest.remote),
        }
        for version in versions
    ]


def fewer_sizes(version: Version) -> dict[str, tuple[int, ...]]:
    """Return the table sizes at which *version* plays, for games that it does not play at all of theirs."""
    if not version.manifest.seats and not any("/" in place for place in version.unfit):
        return {}
    from engines import GAMES  # a list of bots loads no games for those that play all sizes

    sizes = {game: version.sizes(game, GAMES[game].seats) for game in GAMES}
    return {game: found for game, found in sizes.items() if 0 < len(found) < len(GAMES[game].seats)}


def say_sizes(sizes: Mapping[str, Sequence[int]]) -> str:
    """Return the table *sizes* of games in words."""
    return "; ".join(f"{game} at {', '.join(map(str, found))}" for game, found in sizes.items())


def _games(version: Version) -> list[str]:
    """Return the games that *version* plays; none stands for all."""
    if all("/" in place for place in version.unfit):
        return list(version.manifest.games)
    from engines import GAMES

    return [game for game in GAMES if version.plays(game)]


def names_of(versions: Iterable[Version]) -> dict[Key, tuple[str | None, str]]:
    """Return the author, if it is known, and the name for display of each of *versions*."""
    return {
        (each.bot, each.version): (each.manifest.author or None, each.display or each.bot)
        for each in versions
    }
