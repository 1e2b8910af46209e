"""`ladder tournament remove`: remove a tournament that has not begun."""

from typing import Annotated

from ladder.cli.options import HomeOption, existing_home, note
from ladder.run.option import Argument


def tournament_remove(
    name: Annotated[str, Argument("Its name.", metavar="TOURNAMENT")], home: HomeOption = None
) -> None:
    """Remove a tournament before its first match.

    Example: ladder tournament remove spring
    """
    from ladder.run.tournament.tournament_session import remove_tournament

    remove_tournament(existing_home(home).results, name)
    note(f"tournament {name} is removed", "ladder tournament")
