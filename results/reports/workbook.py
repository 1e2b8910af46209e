"""Write rows as a workbook (.xlsx), where texts stay texts and numbers numbers, in every country."""

from collections.abc import Iterable, Sequence
from io import BytesIO
from itertools import chain
from math import isfinite
from pathlib import Path

from results.errors import ResultsError
from results.record import Json

MOST_ROWS = 1_048_576
"""The rows of a sheet, with that of the headings."""
LONGEST = 32_767
"""Characters: the longest text of a cell."""
EXACT = 10**15
"""A spreadsheet rounds whole numbers from here on, so these are written as texts."""


def workbook(heads: Sequence[str], rows: Iterable[Sequence[Json]], folder: Path | None = None) -> bytes:
    """Return a workbook with *rows* of texts, numbers, booleans and None below *heads*; a long text is cut.

    With a *folder*, rows wait there in place of memory.  Raises ResultsError if a sheet has no room for them.
    """
    import xlsxwriter  # of the extra `excel`

    file = BytesIO()
    waiting = {"constant_memory": True, "tmpdir": str(folder)} if folder else {"in_memory": True}
    book = xlsxwriter.Workbook(file, waiting)
    sheet = book.add_worksheet()
    for number, cells in enumerate(chain([heads], rows)):
        if number == MOST_ROWS:
            what = f"a sheet has room for {MOST_ROWS - 1:,} rows, and there are more"
            raise ResultsError(what, "write CSV or Parquet")
        for column, cell in enumerate(cells):
            if isinstance(cell, bool):
                sheet.write_boolean(number, column, cell)
            elif isinstance(cell, (int, float)) and isfinite(cell) and abs(cell) < EXACT:
                sheet.write_number(number, column, cell)
            elif cell is not None:
                sheet.write_string(number, column, str(cell)[:LONGEST])
    book.close()
    return file.getvalue()
