"""`ladder leaderboard --calibration`: compare what the ratings say with what happened."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ladder.cli.options import print_rows, print_title, store_of

if TYPE_CHECKING:
    from ladder.home.home import Home

__all__ = ["print_calibrations"]


def print_calibrations(
    home: Home, games: Sequence[str], form: str, seats: int | None, season: str | None = None
) -> bool:
    """Print the calibration of *games*, or of all games if it is empty; return whether there are matches.

    With *seats*, only matches at tables of that size count.  None is the current *season*.
    """
    from results.rating.calibration import read_calibrations
    from results.reports.calibration_report import (
        CALIBRATION,
        CURVE,
        calibration_row,
        label_curve,
        remarks,
        title,
    )

    found = read_calibrations(store_of(home), seats, season)
    found = {game: found[game] for game in games or found if game in found}
    if found and form in ("json", "csv"):
        print_rows([calibration_row(game, each) for game, each in found.items()], CALIBRATION, form)
        return True
    for i, (game, each) in enumerate(found.items()):
        print("\n" if i else "", end="")
        print_title(title(game, each))
        if each.curve:
            print_rows(label_curve(each), CURVE, form)
            print()
        for remark in remarks(each, home.roster.numbers()):
            print(f"- {remark}" if form == "md" else remark)
    return bool(found)
