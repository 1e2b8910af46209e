"""`ladder export`: all matches, or all decisions, in one file."""

import shlex
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Literal

from ladder.cli.extras import check_workbook
from ladder.cli.options import (
    GameOption,
    HomeOption,
    InOption,
    existing_home,
    known_game,
    note,
    results_in,
    store_of,
)
from ladder.errors import UsageProblem
from ladder.machine.cores import usable_cores
from ladder.run.match_options import OWN_JOBS
from ladder.run.option import Argument, Option, WrongOption, whole
from results.errors import UnsoundResults
from results.reports.values_as_text import escape
from results.words import count

SHOWN = 100
"""The most wrong rows that are listed."""
WRITERS = replace(OWN_JOBS, help="With --per decision, --to or --check: processes at work.")


def export(
    path: Annotated[
        Path | None, Argument("A file that ends in .parquet, .csv or .xlsx.", metavar="FILE")
    ] = None,
    per: Annotated[
        Literal["match", "seat", "decision"] | None,
        Option("One row per match, per seat or, in Parquet, per decision.", default="seat", short=True),
    ] = None,
    to: Annotated[
        Path | None,
        Option("Write all decisions to a new FOLDER, with a data card.", metavar="FOLDER", short=True),
    ] = None,
    check: Annotated[bool, Option("Audit the decisions in FILE, which may be a folder.", short=True)] = False,
    game: GameOption = None,
    seats: Annotated[
        int | None, Option("Only decisions at tables of N seats.", metavar="N", read=whole(2))
    ] = None,
    numbers: Annotated[
        bool, Option("Also write views and moves of decisions as numbers, for one game at one table a file.")
    ] = False,
    within: InOption = None,
    jobs: Annotated[int | None, WRITERS] = None,
    home: HomeOption = None,
) -> None:
    """Write all matches to a file: Parquet, CSV or xlsx.

    The table is flat: one row per seat or per match, for pandas, polars or DuckDB. With --per decision, a row
    is what a bot saw, what it chose, and how the match ended for it. --check audits such rows: the exit code
    is 4 if one of them tells what its seat could not know, or is not as it was written.

    Example: ladder export seats.parquet --per seat
    """
    from results.reports.export import READERS, flatten, write

    per = per or ("decision" if to else "seat")
    of_decisions = {"--to": to, "--game": game, "--seats": seats, "--numbers": numbers}
    if per != "decision" and (wrong := [name for name, value in of_decisions.items() if value]):
        raise WrongOption(wrong[0], "it goes with --per decision")
    if (path is None) == (to is None) or (check and to):
        raise UsageProblem("expected a FILE, or --to FOLDER", "ladder export seats.parquet")
    target, processes = path or to or Path(), jobs or len(usable_cores())
    if check:
        _check(target, home, processes)
        return
    suffixes = [".parquet"] if per == "decision" else [*READERS]
    if path and path.suffix not in suffixes:
        raise UsageProblem(
            f"expected a file that ends in {', '.join(suffixes)}, got: {str(path)!r}",
            "ladder export seats.parquet",
        )
    if target.suffix == ".xlsx":
        check_workbook(target)
    if not target.parent.is_dir():
        raise UsageProblem(f"there is no folder {str(target.parent)!r}", f"mkdir -p {target.parent}")
    chosen = results_in(existing_home(home), within)
    if per == "decision":
        from ladder.replay.decision_export import DecisionExport

        found = DecisionExport(*chosen[1:], game and known_game(game), seats, numbers=numbers)
        rows = found.to_file(path, processes) if path else found.to_folder(target, processes)
        how = f"ladder export --check {shlex.quote(str(target))}"
        for left in found.left_out():
            note(f"left out: {left}")
    else:
        table = flatten(chosen.contents.matches(run=chosen.run), per)
        write(table, target)
        rows, how = table.num_rows, f"pandas.{READERS[target.suffix]}({str(target)!r}) in Python"
    note(f"{count(rows, 'row')} in {target}, one per {per}", how)


def _check(path: Path, home: Path | None, jobs: int) -> None:
    """Audit the decisions in *path*, by the matches of a home where there is one."""
    from ladder.home.home import find_home
    from ladder.replay.decision_audit import audit
    from results.storage.unrated import unrated_stores

    stores = []
    if home is not None or (find_home(home) / "ladder.toml").is_file():
        where = existing_home(home)
        stores = [store_of(where), *unrated_stores(where.results).values()]
    found = audit(path, [store.contents() for store in stores], jobs)
    for line in found.wrong[:SHOWN]:
        print(f"wrong: {escape(line)}")
    for why, some in found.unknown.items():
        note(f"{count(some, 'row')} {why}")
    if found.wrong:
        wrong = f"{len(found.wrong):,} found wrong in {count(found.rows, 'row')}"
        raise UnsoundResults(wrong, "export them again")
    note(f"{count(found.rows, 'row')} checked: nothing is wrong")
