"""`ladder tournament reveal`: show the results of a secret tournament."""

from __future__ import annotations

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
            default="all that is over",
        ),
    ] = None,
    home: HomeOption = None,
) -> None:
    """Reveal the results of a secret tournament.

    Of a round, the pairings and the results are shown. The matches are shown when the tournament is over and
    all its rounds are revealed. What is revealed stays so. The tournament may be played meanwhile.

    Example: ladder tournament reveal spring
    """
    from ladder.run.tournament.revealing import reveal_tournament

    revealed = reveal_tournament(existing_home(home).results, name, round)
    what = "all is revealed" if revealed.whole else f"revealed up to round {revealed.rounds[-1]}"
    note(f"tournament {name}: {what}", f"ladder tournament show {name}")
