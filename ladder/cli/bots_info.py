"""`ladder bots info`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ladder.cli.options import BotArgument, HomeOption, JsonOption, existing_home, store_of

if TYPE_CHECKING:
    from ladder.home.home import Home
    from ladder.registry.version import Version

__all__ = ["info"]


def info(bot: BotArgument, json: JsonOption = False, home: HomeOption = None) -> None:
    """Show a bot: what it runs, which games it plays, where it is stored, how it stands.

    A name alone means the newest version that plays.

    Example: ladder bots info greedy
    """
    from results.reports.render import escape

    where = existing_home(home)
    facts = _facts(where, where.roster.find(bot))
    if json:
        import json as text

        print(text.dumps(facts, indent=2))
        return
    width = max(map(len, facts)) + 2
    for what, found in facts.items():
        lines = found if isinstance(found, list) else [found]
        for i, line in enumerate(lines):
            print(f"{'' if i else what:<{width}}{escape(line)}")


def _facts(home: Home, version: Version) -> dict[str, str | list[str]]:
    """Return the known facts about *version*, without the empty ones."""
    from engines import GAMES
    from ladder.registry.build import shell_line
    from results.rating.cache import ratings_current
    from results.rating.fit import Z_95

    manifest, roster = version.manifest, home.roster
    others = [other for other in roster.versions() if other.bot == version.bot]
    active = {other.id for other in roster.active()}
    rated = ratings_current(store_of(home)).values()
    own = (version.bot, version.version)
    facts: dict[str, str | list[str]] = {
        "bot": f"{version.bot}@{version.number} ({version.version})",
        "description": manifest.description,
        "author": manifest.author,
        "note": version.note,
        "games": [game for game in GAMES if version.plays(game)],
        "runs": shell_line(version, manifest.run),
        "build": shell_line(version, manifest.build) if manifest.build else "",
        "submitted": version.submitted,
        "banned": f"{version.ban.why} (since {version.ban.since})" if version.ban else "",
        "from": roster.origins()[version.bot][others.index(version)],
        "files": version.folder,
        "versions": [
            f"{other.bot}@{other.number} ({other.version}){', plays' if other.id in active else ''}"
            for other in others
        ],
        "ratings": [
            f"{each.game}: {found.mu:.1f} +- {Z_95 * found.sigma:.1f} after {found.matches:,} matches"
            for each in rated
            if (found := each.standings.get(own))
        ],
    }
    return {what: found for what, found in facts.items() if found}
