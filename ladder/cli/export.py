"""`ladder export`: all matches, or all decisions, in one file."""

import shlex

from ladder.api.asked import ExportRequest
from ladder.cli.options import note
from results.reports.values_as_text import escape
from results.words import count

SHOWN = 100
"""The most wrong rows that are listed."""


def export(asked: ExportRequest) -> None:
    """Write all matches to a file: Parquet, CSV or xlsx.

    The table is flat: one row per seat or per match, for pandas, polars or DuckDB. With --per decision, a row
    is what a bot saw, what it chose, and how the match ended for it. --check audits such rows: the exit code
    is 4 if one of them tells what its seat could not know, or is not as it was written.

    Example: ladder export seats.parquet --per seat
    """
    from ladder.api.exports import WrongRows
    from ladder.api.exports import export as write_rows
    from results.reports.export import READERS

    try:
        done = write_rows(asked)
    except WrongRows as error:
        for line in error.wrong[:SHOWN]:
            print(f"wrong: {escape(line)}")
        for left in error.left_out:
            note(left)
        raise
    for left in done.left_out:
        note(left if asked.check else f"left out: {left}")
    if asked.check:
        note(f"{count(done.rows, 'row')} checked: nothing is wrong")
        return
    if asked.rows == "decision":
        hint = f"ladder export --check {shlex.quote(str(done.path))}"
    else:
        hint = f"pandas.{READERS[done.path.suffix]}({str(done.path)!r}) in Python"
    note(f"{count(done.rows, 'row')} in {done.path}, one per {asked.rows}", hint)
