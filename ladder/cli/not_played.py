"""Say that a bot has no matches where some were asked for, and what to type next."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from ladder.cli.options import note

if TYPE_CHECKING:
    from ladder.home.home import Home
    from results.record import Run
    from results.reports.labels import Key
    from results.storage.contents import Contents


def say_not_played(
    home: Home,
    contents: Contents,
    name: str,
    bots: Collection[Key],
    command: str,
    game: str | None = None,
    instead: str = "",
) -> None:
    """Say that *bots*, the versions that *name* means, have not played *game*, or any, in a season.

    The season is that of *contents*.  The next thing to type is *command* with another season in which they
    played, else *instead*, else a run with them that is not refused.
    """
    seasons = contents.seasons
    others = [each for each in reversed(seasons) if each != contents.season]
    played_in = next(
        (
            season.name
            for season in others
            if any(_takes_part(run, bots, game) for run in contents.of_season(season.name).rated_runs)
        ),
        "",
    )
    is_over = contents.season not in (None, seasons[-1])
    what = f" {game}" if game else ""
    when = f" in season {contents.season_name}" if contents.season_name else ""
    if played_in:
        instead = f"{command} --season {played_in}"
    elif not (instead or is_over):
        instead = _run_with(home, bots, game)
    note(f"{name} has not played{what}{when}{'' if is_over else ' yet'}", instead)


def _takes_part(run: Run, bots: Collection[Key], game: str | None) -> bool:
    """Return whether one of *bots* takes part in *run*, in *game* if that is given."""
    return any(
        run.bot_keys[i] in bots
        for contest in run.settings.contests
        if game in (None, contest.game)
        for i in contest.bots
    )


def _run_with(home: Home, bots: Collection[Key], game: str | None) -> str:
    """Return the command of a run in which one of *bots* plays; empty if there is none."""
    able = [
        version
        for version in home.roster.versions()
        if (version.bot, version.version) in bots
        and not version.ban
        and (game is None or version.plays(game))
    ]
    if not able:
        return ""
    of_game = f" --game {game}" if game else ""
    if {version.id for version in able} & {version.id for version in home.roster.active()}:
        return f"ladder run{of_game}"
    return f"ladder run --schedule gauntlet {able[-1].bot}@{able[-1].number}{of_game}"
