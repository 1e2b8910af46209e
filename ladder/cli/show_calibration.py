"""`ladder leaderboard --calibration`: compare what the ratings say with what happened."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ladder.cli.options import print_rows
from ladder.cli.show_document import show_answer

if TYPE_CHECKING:
    from ladder.home.home import Home
    from results.storage.contents import Contents


def print_calibrations(
    home: Home, contents: Contents, games: Sequence[str], form: str, seats: int | None
) -> bool:
    """Print the calibration of *games*, or of all games if it is empty; return whether there are matches.

    The matches are those of the season of *contents*; with *seats*, only those at tables of that size.
    """
    from results.rating.calibration import read_calibrations
    from results.reports.board_document import calibration_section
    from results.reports.calibration_report import CALIBRATION, calibration_row
    from results.reports.document import Document

    found = read_calibrations(contents, seats)
    found = {game: found[game] for game in games or found if game in found}
    if found and form not in ("table", "md"):
        print_rows([calibration_row(game, each) for game, each in found.items()], CALIBRATION, form)
    else:
        numbers = home.roster.numbers()
        sections = [calibration_section(game, each, numbers) for game, each in found.items()]
        show_answer(Document("Calibration", sections), form, numbers)
    return bool(found)
