"""What `ladder export` writes and audits."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ladder.api.asked import ExportRequest
from ladder.errors import UsageProblem
from ladder.home.chosen_results import results_in
from ladder.home.home import find_home, read_home
from ladder.machine.cores import usable_cores
from ladder.machine.extras import check_workbook
from ladder.replay.decision_audit import audit
from ladder.replay.decision_export import DecisionExport
from ladder.run.match_options import known_game
from results.errors import UnsoundResults
from results.reports.export import READERS, flatten, write
from results.reports.limit_sets import remote_bots
from results.storage.store import Store
from results.storage.unrated import unrated_stores
from results.words import count


@dataclass(frozen=True)
class Exported:
    """Rows that were written, or audited and found right."""

    path: Path
    rows: int
    left_out: tuple[str, ...] = ()
    """How many matches were left out, or how many rows were not audited, and why."""


class WrongRows(UnsoundResults):
    """An audit has found rows that tell too much, or are not as they were written: *wrong* names each."""

    def __init__(self, rows: int, wrong: Sequence[str], left_out: Sequence[str]) -> None:
        super().__init__(f"{len(wrong):,} found wrong in {count(rows, 'row')}", "export them again")
        self.wrong = wrong
        self.left_out = left_out


def export(asked: ExportRequest) -> Exported:
    """Write or audit what is *asked* for.  Raises UsageProblem, NotFound, WrongRows."""
    target, jobs = asked.path or asked.to or Path(), asked.jobs or len(usable_cores())
    if asked.check:
        return _audit(target, asked, jobs)
    _check_target(target, ([".parquet"] if asked.rows == "decision" else [*READERS]) if asked.path else [])
    chosen = results_in(read_home(asked.home), asked.within)
    if asked.rows != "decision":
        table = flatten(chosen.contents.matches(run=chosen.run), asked.rows, remote_bots(chosen.contents))
        write(table, target)
        return Exported(target, table.num_rows)
    game = asked.game and known_game(asked.game)
    found = DecisionExport(chosen.contents, chosen.run, game, asked.seats, numbers=asked.numbers)
    rows = found.to_file(target, jobs) if asked.path else found.to_folder(target, jobs)
    return Exported(target, rows, tuple(found.left_out()))


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


def _audit(path: Path, asked: ExportRequest, jobs: int) -> Exported:
    """Audit the decisions in *path*, by the matches of a home where there is one."""
    stores = []
    if asked.home is not None or (find_home(None) / "ladder.toml").is_file():
        where = read_home(asked.home)
        stores = [Store(where.results), *unrated_stores(where.results).values()]
    found = audit(path, [store.contents() for store in stores], jobs)
    left_out = tuple(f"{count(rows, 'row')} {why}" for why, rows in found.unknown.items())
    if found.wrong:
        raise WrongRows(found.rows, found.wrong, left_out)
    return Exported(path, found.rows, left_out)
