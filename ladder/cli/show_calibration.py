"""`ladder leaderboard --show calibration` and `judges`: compare what was foretold with what happened."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ladder.cli.options import note, print_json, print_rows, store_of
from ladder.cli.show_document import show_answer
from results.reports.document import Column, Document

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

    found = read_calibrations(contents, seats)
    found = {game: found[game] for game in games or found if game in found}
    if found and form not in ("table", "md"):
        print_rows([calibration_row(game, each) for game, each in found.items()], CALIBRATION, form)
    else:
        numbers = home.roster.numbers()
        sections = [calibration_section(game, each, numbers) for game, each in found.items()]
        show_answer(Document("Calibration", sections), form, numbers)
    return bool(found)


def show_judges(home: Home, game: str | None, form: str) -> None:
    """Print how well judges foretold results, in all matches with a whole review, or in those of *game*."""
    from ladder.replay.review.foretelling import calibrate
    from ladder.replay.review.review_document import foretold_section

    found = [each for each in calibrate(store_of(home)) if game in (None, each.game)]
    told = [each._asdict() | {"tenths": [tenth._asdict() for tenth in each.tenths]} for each in found]
    if form == "json":
        print_json(told)
    elif form in ("table", "md"):
        show_answer(Document("Judges", [*map(foretold_section, found)]), form, home.roster.numbers())
    else:
        keys = ("game", "seats", "judge", "matches", "brier", "chances", "expected", "happened")
        rows = [each | tenth for each in told for tenth in each["tenths"]]
        print_rows(rows, [Column(key, key) for key in keys], form)
    if not found:
        note("no match has a whole review", "ladder review last")
