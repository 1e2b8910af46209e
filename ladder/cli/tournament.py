"""`ladder tournament`: the group of commands about tournaments.  Called alone, it lists them."""

import typer

from ladder.cli.options import FormatOption, HomeOption
from ladder.cli.tournament_list import tournament_list


def tournament(
    context: typer.Context,
    home: HomeOption = None,
    format: FormatOption = "table",  # noqa: A002
) -> None:
    """Hold a tournament.

    A tournament is an event with an end and a winner. It has stages: a swiss, groups, a knock-out, a final.
    Its matches do not count in the ratings unless you ask for --rated. Three examples:

    A class of 24 in one lesson, at a game for four:
    `ladder tournament new lesson --game stella --seats 4 --stages swiss:4 --blocks 2`

    The cup of a club of 16:
    `ladder tournament new cup --game stellar --stages knockout:16`

    A final of the best six:
    `ladder tournament new best --game stella --seats 6 --stages final:6,50`

    Alone, the command lists tournaments. With the name of one, it shows its rounds, tables and standing:
    `ladder tournament TOURNAMENT --help`.

    Example: ladder tournament
    """
    if context.invoked_subcommand is None:
        tournament_list(home=home, format=format)
