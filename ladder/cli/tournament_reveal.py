"""`ladder tournament reveal`: show the results of a secret tournament."""

from typing import Annotated

from ladder.cli.options import HomeOption, existing_home, note
from ladder.run.option import Argument


def tournament_reveal(
    name: Annotated[str, Argument("Its name.", metavar="TOURNAMENT")],
    round: Annotated[  # noqa: A002
        str | None,
        Argument(
            "Reveal the rounds up to this one, such as swiss/3 or knockout/quarter.",
            metavar="ROUND",
            default="all finished rounds",
        ),
    ] = None,
    home: HomeOption = None,
) -> None:
    """Reveal the results of a secret tournament.

    A revealed round shows its pairings and results, and cannot be hidden again. Matches are shown when the
    tournament is over and all its rounds are revealed. The tournament may be in progress.

    Example: ladder tournament reveal spring
    """
    from ladder.run.tournament.revealing import reveal_tournament

    revealed = reveal_tournament(existing_home(home).results, name, round)
    what = "all is revealed" if revealed.whole else f"revealed up to round {revealed.rounds[-1]}"
    note(f"tournament {name}: {what}", f"ladder tournament {name}")
