"""`ladder export`: all matches in one file."""

from pathlib import Path
from typing import Annotated, Literal

from ladder.cli.extras import check_workbook
from ladder.cli.options import HomeOption, InOption, existing_home, note, results_in
from ladder.errors import UsageProblem
from ladder.run.option import Argument, Option
from results.words import count


def export(
    path: Annotated[Path, Argument("A file that ends in .parquet, .csv or .xlsx.", metavar="FILE")],
    per: Annotated[Literal["match", "seat"], Option("Write one row per match or one row per seat.")] = "seat",
    within: InOption = None,
    home: HomeOption = None,
) -> None:
    """Write all matches to a file: Parquet, CSV or xlsx.

    The table is flat: one row per seat or per match, for pandas, polars or DuckDB.

    Example: ladder export seats.parquet --per seat
    """
    from results.reports.export import READERS, flatten, write
    from results.reports.limit_sets import remote_bots

    if path.suffix not in READERS:
        raise UsageProblem(
            f"expected a file that ends in {', '.join(READERS)}, got: {str(path)!r}",
            "ladder export seats.parquet",
        )
    if path.suffix == ".xlsx":
        check_workbook(path)
    if not path.parent.is_dir():
        raise UsageProblem(f"there is no folder {str(path.parent)!r}", f"mkdir -p {path.parent}")
    chosen = results_in(existing_home(home), within)
    table = flatten(chosen.contents.matches(run=chosen.run), per, remote_bots(chosen.contents))
    write(table, path)
    how = f"pandas.{READERS[path.suffix]}({str(path)!r})"
    note(f"{count(table.num_rows, 'row')} in {path}, one per {per}", f"{how} in Python")
