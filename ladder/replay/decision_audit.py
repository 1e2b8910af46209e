"""Audit exported decisions: only columns that begin with `end_` may tell what a seat could not know.

A world that is imagined from a view looks like that view: what a view tells beyond that is in no such world.
Events have no such test.  They are compared with those of the match, where a home here still has it.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from hashlib import sha256
from itertools import chain
from math import isclose
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from engines import GAMES, GameNotLoaded
from ladder.errors import NotFound, UsageProblem, describe
from ladder.machine.pool import Pool
from ladder.replay.decision_export import REVIEWED, ratings_before, season_of
from ladder.replay.decision_rows import (
    COLUMNS,
    NUMBERS,
    DecisionTask,
    NumbersLayout,
    Ratings,
    layout_of,
    rows_of,
)
from ladder.replay.replay import other_rules
from results.errors import UnsoundResults
from results.record import Json
from results.reviewed import SEVERAL
from results.storage.contents import Contents
from results.storage.names import Names
from results.storage.schema import Table

AUDITED_ROWS: Final = 2_000
_RATINGS: Final = ("rating", "rating_pm")
"""What is reckoned again."""
_OF_REVIEWS: Final = [f"end_{name}" for name in REVIEWED]
_NOT_COMPARED: Final = f"not compared in {', '.join(_OF_REVIEWS)}: reviews may be made again"


class AuditTask(NamedTuple):
    """Rows, and by run the matches that a home has of them."""

    rows: Table
    known: dict[int, DecisionTask]
    renamed: Names
    """What bots are called today that had another name when the rows were written."""


class Audited(NamedTuple):
    """What an audit found."""

    rows: int
    unknown: Counter[str]
    """How many rows were not audited, or not compared with their match, and why."""
    wrong: list[str]


def audit(path: Path, homes: Sequence[Contents], jobs: int) -> Audited:
    """Audit the rows of a file, or of all files in a folder; *homes* may have their matches.

    Raises NotFound if there is no file, UsageProblem for one without decisions, UnsoundResults for damage.
    """
    files = sorted(path.rglob("*.parquet")) if path.is_dir() else [path]
    if not files or not path.exists():
        raise NotFound(f"there are no decisions in {str(path)!r}", "ladder export FILE --per decision")
    rows, unknown, wrong = 0, Counter[str](), list[str]()
    sums = path / "SHA256SUMS"
    for line in sums.read_text("utf-8").splitlines() if sums.is_file() else ():
        file = path / line[66:]
        if not file.is_file() or sha256(file.read_bytes()).hexdigest() != line[:64]:
            wrong.append(f"{line[66:]}: it is not the file of SHA256SUMS")
    with Pool(jobs) as pool:
        for _, found in pool.each(
            _audit_rows, chain.from_iterable(_tasks(file, homes, wrong) for file in files)
        ):
            rows += found.rows
            unknown += found.unknown
            wrong += found.wrong
    return Audited(rows, unknown, wrong)


def _tasks(path: Path, homes: Sequence[Contents], wrong: list[str]) -> Iterator[AuditTask]:
    """Yield the rows of a file; add to *wrong* which columns it may not have."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(str(path), page_checksum_verification=True) as file:
            names, metadata = file.schema_arrow.names, file.schema_arrow.metadata or {}
            if missing := COLUMNS.keys() - {*names, *NUMBERS}:
                what = f"{path} has no decisions: it has no column {min(missing)}"
                raise UsageProblem(what, "ladder export FILE --per decision, which writes them")
            others = [name for name in names if name not in COLUMNS and not name.startswith("end_")]
            wrong += [f"{path}: decisions have no column {name}" for name in others]
            runs = json.loads(metadata.get(b"ladder.runs", b"{}"))
            stored = {run.started: (home, run) for home in homes for run in home.runs}
            here = {int(run): stored[started] for run, started in runs.items() if started in stored}
            renamed = {old: today for home in homes for old, today in home.names.items()}
            ratings: dict[int, Ratings] = {}
            for batch in file.iter_batches(AUDITED_ROWS):
                keys = {*zip(batch["run"].to_pylist(), batch["number"].to_pylist(), strict=True)}
                task = AuditTask(pa.table(batch), {}, renamed)
                for run in {run for run, _ in keys} & here.keys():
                    home, of = here[run]
                    there = home.find_matches(of.run, sorted(number for own, number in keys if own == run))
                    if run not in ratings:
                        ratings[run] = ratings_before(home, of)
                    told = (of.settings.tables, None, season_of(home, of.run), ratings[run])
                    task.known[run] = DecisionTask(there, *told)
                yield task
    except (pa.ArrowException, OSError, TypeError, ValueError) as error:
        if getattr(error, "errno", None):  # no permission
            raise
        raise UnsoundResults(f"{path} cannot be read: {error}", "export it again") from None


def _audit_rows(task: AuditTask) -> Audited:
    """Audit the rows of *task*."""
    unknown, wrong = Counter[str](), list[str]()
    matches = {(match.run, match.number): match for of in task.known.values() for match in of.matches}
    again: dict[tuple[int, ...], dict[str, Json]] = {}
    for row in task.rows.to_pylist():
        run, number, step, seat = key = row["run"], row["number"], row["step"], row["seat"]
        try:
            if why := other_rules(row["game"], row["game_version"]):
                unknown[f"not audited: {why}"] += 1
                continue
            what = _wrong_with(row)
            if run not in task.known:
                unknown["not compared with their matches, which are not here"] += 1
            elif not what:
                if match := matches.pop((run, number), None):
                    made = rows_of(match, task.known[run]._replace(layout=_layout(row)))
                    again |= {(run, number, each["step"], each["seat"]): each for each in made}
                row["bot"] = task.renamed.get(row["bot"], row["bot"])
                what = _compare(row, again.get(key))
                unknown[_NOT_COMPARED] += any(row[name] is not None for name in _OF_REVIEWS)
        except GameNotLoaded as error:
            unknown[f"not audited: {error}"] += 1
            continue
        except Exception as error:  # engines fail in many ways, and rows may hold anything
            what = describe(error)
        if what:
            wrong.append(f"{run}/{number} step {step} seat {seat}: {what}")
    return Audited(len(task.rows), +unknown, wrong)


def _wrong_with(row: dict[str, Json]) -> str:
    """Return what in *row* does not follow from its view, or "".  Raises what nonsense in it raises."""
    game, seat, view = GAMES[row["game"]], row["seat"], json.loads(row["view"])
    world = game.position(game.imagine(view, Random(0)))
    if (view["seat"], view["seats"]) != (seat, row["seats"]):
        return "its view is that of another seat"
    if world.write_view(seat).decode() != row["view"]:
        return "its view tells what no seat sees"
    if seat not in world.seats() or world.write_choice(seat).decode() != row["choice"]:
        return "its choice does not follow from its view"
    several, move = json.loads(row["choice"])["kind"] == "some", row["move"]
    if layout := _layout(row):
        told = layout.numbers_of(world, seat)
        if [*told["numbers"]] != row["numbers"] or told["legal"] != row["legal"]:
            return "its numbers do not follow from its view"
        move = SEVERAL.join([layout.words[place] for place in move])
    world.option_of(seat, tuple(filter(None, move.split(SEVERAL))) if several else move)
    known = _event_fields(row["game"])
    for event in json.loads(row["events"]):
        if known and not {*event} <= known.get(event["event"], set()):
            return "its events have a kind or a field that no event of the game has"
    return ""


def _compare(row: dict[str, Json], again: dict[str, Json] | None) -> str:
    """Return how *row* differs from the row that its match makes *again*, or ""."""
    if again is None:
        return "its match has no such decision"
    names = [name for name in again.keys() - {"numbers"} if not _same(name, row[name], again[name])]
    return f"its match has other {', '.join(sorted(names))}" if names else ""


def _same(name: str, one: Json, other: Json) -> bool:
    """Return whether two values of the column *name* are equal; ratings may differ in their last digits."""
    is_close = name in _RATINGS and isinstance(one, float) and isinstance(other, float)
    return isclose(one, other, rel_tol=1e-6) if is_close else bool(one == other)


def _layout(row: dict[str, Json]) -> NumbersLayout | None:
    if "numbers" not in row:
        return None
    return layout_of(row["game"], row["seats"], json.dumps(json.loads(row["view"])["options"]))


@cache
def _event_fields(game: str) -> dict[str, set[str]]:
    """Return the fields of each kind of event by the schema beside a game; none without one."""
    path = Path(str(sys.modules[type(GAMES[game]).__module__].__file__)).with_name("schema.json")
    parts = json.loads(path.read_text("utf-8"))["$defs"] if path.is_file() else {}
    return {name[:-6]: {*part["properties"]} for name, part in parts.items() if name.endswith("_event")}
