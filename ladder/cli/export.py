"""`ladder export`: all matches, or all decisions, in one file."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

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

if TYPE_CHECKING:
    from ladder.replay.decision_export import DecisionExport

SHOWN = 100
"""The most wrong rows that are listed."""
WRITERS = replace(OWN_JOBS, help="With --per decision, --to or --check: processes at work.")


def export(
    path: Annotated[
        Path | None, Argument("A file that ends in .parquet, .csv or .xlsx.", metavar="FILE")
    ] = None,
    per: Annotated[
        Literal["match", "seat", "decision"],
        Option("One row per match, per seat or, in Parquet, per decision.", short=True),
    ] = "seat",
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
    per = "decision" if to and per == "seat" else per
    of_decisions = {"--to": to, "--game": game, "--seats": seats, "--numbers": numbers}
    if per != "decision" and (wrong := [name for name, value in of_decisions.items() if value]):
        raise WrongOption(wrong[0], "it goes with --per decision")
    if (path is None) == (to is None) or (check and to):
        raise UsageProblem("expected a FILE, or --to FOLDER", "ladder export seats.parquet")
    target, jobs = path or to or Path(), jobs or len(usable_cores())
    if check:
        _check(target, home, jobs)
    elif per == "decision":
        _check_target(target, [".parquet"] if path else [])
        from ladder.replay.decision_export import DecisionExport

        chosen = results_in(existing_home(home), within)
        named = game and known_game(game)
        found = DecisionExport(chosen.contents, chosen.run, named, seats, numbers=numbers)
        _write_decisions(found, path, target, jobs)
    else:
        from results.reports.export import READERS, flatten, write
        from results.reports.limit_sets import remote_bots

        _check_target(target, [*READERS])
        chosen = results_in(existing_home(home), within)
        table = flatten(chosen.contents.matches(run=chosen.run), per, remote_bots(chosen.contents))
        write(table, target)
        how = f"pandas.{READERS[target.suffix]}({str(path)!r})"
        note(f"{count(table.num_rows, 'row')} in {path}, one per {per}", f"{how} in Python")


def _check_target(target: Path, suffixes: list[str]) -> None:
    """Raise UsageProblem unless *target* has one of *suffixes*, if there are any, and its folder is there."""
    if suffixes and target.suffix not in suffixes:
        raise UsageProblem(
            f"expected a file that ends in {', '.join(suffixes)}, got: {str(target)!r}",
            "ladder export seats.parquet",
        )
    if target.suffix == ".xlsx":
        check_workbook(target)
    if not target.parent.is_dir():
        raise UsageProblem(f"there is no folder {str(target.parent)!r}", f"mkdir -p {target.parent}")


def _write_decisions(found: DecisionExport, path: Path | None, to: Path, jobs: int) -> None:
    """Write what was *found* to a file at *path*, or without one to the folder *to*."""
    rows = found.to_file(path, jobs) if path else found.to_folder(to, jobs)
    for left in found.left_out():
        note(f"left out: {left}")
    check = f"ladder export --check {shlex.quote(str(to))}"
    note(f"{count(rows, 'row')} in {to}, one per decision", check)


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
