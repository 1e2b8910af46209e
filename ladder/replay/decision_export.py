"""Write the decisions of matches to a file, or to a folder with a file for each game, table and season."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Final, TypeAlias

from engines import GameNotLoaded
from ladder.contest.custom_options import restore_custom
from ladder.errors import NotFound, UsageProblem
from ladder.machine.pool import Pool
from ladder.machine.removal import remove_folder
from ladder.replay.decision_rows import (
    DecisionTask,
    NumbersLayout,
    Ratings,
    decision_schema,
    layout_of,
    make_decisions,
)
from ladder.replay.replay import other_rules
from ladder.replay.replayer import attempts
from results.batches import in_batches
from results.rating.rated import rate_totals
from results.rating.segment_counts import SegmentCounts, tally_runs
from results.record import Json, Match, Run
from results.reports.export import decision_columns
from results.reports.intervals import rating_of
from results.storage.contents import Contents
from results.storage.disk import temporary_path
from results.storage.reviews import Reviews
from results.storage.schema import Table, to_json
from results.storage.unrated import count_secret
from results.words import count

CHUNK_MATCHES: Final = 32
GROUP_ROWS: Final = 50_000
"""The approximate number of rows in a group of a file."""
REVIEWED: Final = ("best", "loss", "loss_se", "promised", "judge")
_SIZES: Final = ("1K", "10K", "100K", "1M", "10M", "100M", "1B", "10B", "100B", "1T")


Shard: TypeAlias = tuple[str, int, str]
"""What a file of a folder holds: a game, a table size, a season."""


class DecisionExport:
    """The matches whose decisions are written, and those that are left out."""

    def __init__(
        self, contents: Contents, run: int | None, game: str | None, seats: int | None, *, numbers: bool
    ) -> None:
        """Choose the matches of *contents* by *run*, *game* and table size.  Raises NotFound if none are."""
        self._contents, self._wanted = contents, (game, seats)
        self._layouts: dict[tuple[str, int], NumbersLayout] | None = {} if numbers else None
        self._runs: dict[int, Run] = {}
        self._ratings: dict[int, Ratings] = {}
        self._shards: set[Shard] = set()
        self._left_out: Counter[str] = Counter()
        if run is None and not contents.folder.unrated_name:
            self._left_out += Counter(secret=count_secret(contents.folder.root))
        for each in contents.runs if run is None else (contents.run(run),):
            for match, why in self._sift(each):
                if why:
                    self._left_out[why] += 1
                else:
                    self._runs[each.run] = each
                    self._shards.add(self._shard_of(match))
        if not self._shards:
            missing = "; ".join(self.left_out())
            raise NotFound(f"there are no decisions to export{missing and f': {missing}'}", "ladder matches")

    def left_out(self) -> list[str]:
        """Say how many matches are left out, and why."""
        return [f"{count(matches, 'match')} ({why})" for why, matches in sorted(self._left_out.items())]

    def _sift(self, run: Run) -> Iterator[tuple[Match, str]]:
        """Yield the wanted matches of *run* in order, each with why it is left out, or ""."""
        end = self._contents.first_missing(run.run) if run.finished is None else None
        game, seats = self._wanted
        for block in self._contents.blocks(run.run, gaps=True):
            problem = "unfinished" if end is not None and block.number >= end else ""
            for match in attempts(block):
                if game in (None, match.game) and seats in (None, len(match.seats)):
                    yield match, "void" if match.void else problem or self._problem(match, run)

    def _problem(self, match: Match, run: Run) -> str:
        key = match.game, len(match.seats)
        try:
            if (why := other_rules(match.game, match.game_version)) or self._layouts is None:
                return why
            layout = layout_of(*key, to_json(restore_custom(match.options, run.settings.tables)))
        except (GameNotLoaded, NotImplementedError) as error:
            return str(error)
        return "" if self._layouts.setdefault(key, layout) == layout else "of options with other numbers"

    def _shard_of(self, match: Match) -> Shard:
        return match.game, len(match.seats), season_of(self._contents, match.run)

    def to_file(self, path: Path, jobs: int) -> int:
        """Write all decisions to *path*, whole or not at all; return the number of rows.

        The bytes are the same for any number of *jobs*.  Raises UsageProblem for numbers of several tables.
        """
        (game, seats), *others = sorted({shard[:2] for shard in self._shards})
        if others and self._layouts is not None:
            raise UsageProblem(
                f"a file holds the numbers of one game at one table, here are {1 + len(others)}",
                f"--game {game} --seats {seats}; or --to FOLDER, which gets a file for each",
            )
        with _written_aside(path) as name, Pool(jobs) as pool:
            return self._write(name, self._shards, pool)

    def to_folder(self, folder: Path, jobs: int) -> int:
        """Write a file for each shard, a data card, a schema and digests to *folder*; else as to_file."""
        folder = folder.absolute()  # `.` has no name to write aside of
        if folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
            raise UsageProblem(f"{folder} is not empty", "name another folder")
        files: dict[str, tuple[Shard, int]] = {}
        with _written_aside(folder) as aside, Pool(jobs) as pool:
            (aside / "data").mkdir(parents=True)
            for shard in sorted(self._shards):
                path = f"data/{'-'.join(map(str, shard))}.parquet"
                files[path] = shard, self._write(aside / path, {shard}, pool)
            (aside / "schema.json").write_text(json.dumps({"columns": decision_columns()}, indent=1) + "\n")
            (aside / "README.md").write_text(_data_card(files, self.left_out()))
            sums = [f"{sha256((aside / path).read_bytes()).hexdigest()}  {path}\n" for path in files]
            (aside / "SHA256SUMS").write_text("".join(sums))
        return sum(rows for _, rows in files.values())

    def _write(self, path: Path, shards: set[Shard], pool: Pool) -> int:
        from results.storage.parquet import write_joined

        layout = self._layouts[min(shards)[:2]] if self._layouts is not None else None
        schema = decision_schema(layout, runs={run.run: run.started for run in self._runs.values()})
        return write_joined(str(path), self._tables(shards, layout, pool), schema, GROUP_ROWS)

    def _tables(self, shards: set[Shard], layout: NumbersLayout | None, pool: Pool) -> Iterator[Table]:
        for number, run in self._runs.items():
            season = season_of(self._contents, number)
            if season not in {shard[2] for shard in shards}:
                continue
            if number not in self._ratings:  # the files of a folder share them
                self._ratings[number] = ratings_before(self._contents, run)
            reviews = self._reviews(number)
            chosen = (each for each, why in self._sift(run) if not why and self._shard_of(each) in shards)
            tasks = (
                DecisionTask(
                    *(chunk, run.settings.tables, layout, season, self._ratings[number]),
                    {key: row for match in chunk for key, row in reviews.get(match.number, {}).items()},
                )
                for chunk in in_batches(chosen, lambda match: 1, CHUNK_MATCHES)
            )
            for _, (table, broken) in pool.each(make_decisions, tasks):
                self._left_out += Counter({"cannot be played again": broken})
                yield table

    def _reviews(self, run: int) -> dict[int, dict[tuple[int, int, int], dict[str, Json]]]:
        """Return what reviews of *run* found, by match, then by match, step and seat."""
        found: dict[int, dict[tuple[int, int, int], dict[str, Json]]] = {}
        reviews, key = Reviews(self._contents.folder), ("number", "step", "seat")
        rows = reviews.read(run, columns=[*key, *REVIEWED]).to_pylist() if reviews.files() else []
        for row in rows:
            if row["loss"] is not None:
                told = {f"end_{name}": row[name] for name in REVIEWED}
                found.setdefault(row["number"], {})[row["number"], row["step"], row["seat"]] = told
        return found


def season_of(contents: Contents, run: int) -> str:
    """Return the name of the season in which *run* counts."""
    return [season.name for season in contents.seasons if season.first_run <= run][-1]


def ratings_before(contents: Contents, run: Run) -> Ratings:
    """Return the ratings by the runs of the season of *run* before it."""
    tally = tally_runs(contents.of_season(season_of(contents, run.run)), SegmentCounts.load(contents), run)
    found: dict[tuple[str, str, str], tuple[float, float | None]] = {}
    for game, rated in rate_totals(tally.totals, tally.parameters).items():
        for place, bot in enumerate(rated.fit.bots):
            rating = rating_of(rated.fit, place)
            found[game, *bot] = rating["mu"], rating["margin"]
    return found


@contextmanager
def _written_aside(path: Path) -> Iterator[Path]:
    """Yield the path of a file or folder that becomes *path* at the end; after an error nothing is left."""
    aside = temporary_path(path)
    remove_folder(aside)
    try:
        yield aside
        aside.rename(path)
    finally:
        aside.unlink(missing_ok=True) if aside.is_file() else remove_folder(aside)


def _data_card(files: Mapping[str, tuple[Shard, int]], left_out: list[str]) -> str:
    """Return the README.md of a folder: *files* has for each path its shard and the number of its rows.

    The front matter is what data hubs read.  *left_out* says in words what is missing.
    """
    configs: dict[str, list[str]] = {}
    for path, (shard, _) in files.items():
        configs.setdefault(f"{shard[0]}-{shard[1]}", []).append(path)
    power = max(0, len(str(sum(rows for _, rows in files.values()))) - 3)
    front = {
        "pretty_name": "Decisions of bots in games of hidden information",
        "task_categories": ["reinforcement-learning"],
        "tags": ["games", "imitation-learning"],
        "size_categories": [f"{f'{_SIZES[power - 1]}<' if power else ''}n<{_SIZES[power]}"],
        "configs": [
            {"config_name": name, "data_files": [{"split": "train", "path": paths}]}
            for name, paths in configs.items()
        ],
    }
    yaml = "\n".join(f"{key}: {json.dumps(value)}" for key, value in front.items())
    listed = "\n".join(f"| {path} | {of[2]} | {rows:,} |" for path, (of, rows) in files.items())
    return f"""---
{yaml}
---

**Split by `run` and `block`, never by row**: rows of a match tell each other's future, and the matches of a
block share a deal. Only columns that begin with `end_` know more than the seat did: drop them to train.
`schema.json` says what each column means. To audit all: `sha256sum -c SHA256SUMS; ladder export --check .`

| file | season | rows |
|---|---|---|
{listed}

Left out: {"; ".join(left_out) or "nothing"}.
"""
