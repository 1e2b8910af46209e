"""`ladder leaderboard --calibration`: compare what the ratings say with what happened."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ladder.cli.options import print_rows, print_title

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
    from results.reports.calibration_report import (
        CALIBRATION,
        CURVE,
        calibration_row,
        label_curve,
        remarks,
        title,
    )

    found = read_calibrations(contents, seats)
    found = {game: found[game] for game in games or found if game in found}
    if found and form not in ("table", "md"):
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
