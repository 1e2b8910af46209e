"""`ladder bots trial`: let bots try games that they were not tried at."""

from collections.abc import Sequence
from typing import Annotated

from ladder.cli.options import HomeOption, existing_home, note
from ladder.cli.submit_arguments import AT_ONCE
from ladder.run.match_options import games_named
from ladder.run.option import Argument, Option


def trial(
    bots: Annotated[
        Sequence[str],
        Argument("Only these bots: NAME, NAME@NUMBER or NAME@HASH.", metavar="BOT", completes="bots"),
    ] = (),
    game: Annotated[
        Sequence[str], Option("Only this game; may be repeated.", metavar="GAME", completes="games")
    ] = (),
    jobs: Annotated[int | None, AT_ONCE] = None,
    home: HomeOption = None,
) -> None:
    """Try bots at games that they were not tried at before, against themselves.

    A bot is tried at the games that `ladder run` plays here. Before a run of another game, its bots are tried
    at it; this command does so in advance, as shards need it. A bot does not play a game, or a table size of
    it, that it fails at.

    Example: ladder bots trial --game stella
    """
    from engines import GAMES
    from ladder.admission.trials import try_games
    from ladder.registry.version import Untried

    where = existing_home(home)
    wanted = games_named(game) or tuple(GAMES)
    versions = [where.roster.find_player(name) for name in bots] or where.roster.active()
    untried = [
        Untried(version, games)
        for version in {version.id: version for version in versions}.values()
        if (games := tuple(each for each in wanted if version.needs_trial(each)))
    ]
    if not untried:
        note("nothing is left to try", "ladder run")
        return
    for version in try_games(where, untried, jobs or 0, note, exact=bool(jobs)):
        plays = [version.say_sizes(each, GAMES[each].seats) for each in wanted if version.plays(each)]
        print(f"{version.bot}@{version.number} plays {', '.join(plays) or 'none of them'}")
