"""Verify: every file is held against its checksums, every match is played again, and all is rated again.

So are the files of the bots, which are held against the hashes that name their versions.

A match is a deal and moves, so everything else that is stored of it must follow from these: the deal from the
run's secret or from what was kept of it, the referee's moves from the secret, ranks and scores from the game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from ladder.errors import LadderError
from ladder.pool import Pool
from ladder.rating_defaults import rating_defaults
from ladder.registry.roster import Roster, can_be_checked, changed_files, source_is_sound
from ladder.replay.replay import other_rules
from ladder.replay.replayer import Replayer, attempts, replay_blocks
from results.rating.cache import fold_afresh, save
from results.rating.fold import Fold
from results.rating.parameters import parameters
from results.record import Block, Json, Match, Run
from results.storage.audit import Audit
from results.storage.store import Store

__all__ = ["Problem", "Verification", "repair", "verify"]

CHUNK_MATCHES = 64
"""So many matches, and what is left of their block, are played again in one go, in less than 0.1 s."""
PROCESS_MATCHES = 500
"""For fewer matches than these another process takes longer to start than it would spare."""
SHOWN = 100
"""So many matches that are wrong are told one by one; the others are counted."""

Report = Callable[[int, int], None]
"""Called with how many matches are done, and of how many."""


class Problem(msgspec.Struct, frozen=True):
    """Something that is wrong: a file below the results, or a match by RUN/NUMBER."""

    where: str
    what: str
    lost: str = ""
    """What is lost with it, in words; empty: nothing."""


@dataclass
class Verification:
    """What was looked at, and what was found wrong."""

    files: int = 0
    matches: int = 0
    void: int = 0
    """Attempts that do not stand: there is nothing to play again."""
    other_rules: Counter[str] = field(default_factory=Counter)
    """Why matches are not played again: they were of games, or versions of them, that this ladder has not."""
    bots: int = 0
    """Versions whose files were held against their hashes."""
    unknown_bots: int = 0
    """Versions that an older ladder has built: nothing says what their files were."""
    changed: list[Problem] = field(default_factory=list)
    """Versions whose files are not those that were submitted or built."""
    standings: int = 0
    """Ratings that were compared; those that are not stored yet cannot be."""
    damaged: list[Problem] = field(default_factory=list)
    """Files that are not what was written."""
    wrong: list[Problem] = field(default_factory=list)
    """Matches that do not follow from their deals and moves, the first of them."""
    wrong_matches: int = 0
    misrated: list[Problem] = field(default_factory=list)
    """Ratings that do not follow from the matches."""
    moved: list[Path] = field(default_factory=list)
    """Where a repair has put what was damaged."""

    @property
    def sound(self) -> bool:
        """Whether all that is stored is what it should be."""
        return not (self.damaged or self.wrong_matches or self.misrated or self.changed)


def verify(
    store: Store,
    report: Report = lambda done, total: None,
    jobs: int = 1,
    roster: Roster | None = None,
    may_write: bool = False,
) -> Verification:
    """Return what is wrong with the results, and with the bots of *roster*.

    They are only read, and a run may be under way.  *may_write* tells that bots have no sandbox: files that
    they have written into their folders are not wrong.

    Up to *jobs* processes play the matches again.  Raises LadderError if one of them dies.
    """
    verification = _Verifier(store.audit(_ratings()), report).verification(jobs)
    if roster:
        _check_bots(verification, roster, may_write)
    return verification


def repair(
    store: Store,
    report: Report = lambda done, total: None,
    jobs: int = 1,
    roster: Roster | None = None,
    may_write: bool = False,
) -> tuple[Verification, list[Problem]]:
    """Move damaged files aside, verify the rest, and rate again where ratings were lost or wrong.

    Return what is still wrong, which are matches and bots, and what was.
    """
    audit, moved = store.repair(ratings=_ratings())
    mended = _damaged_files(audit)
    verification = verify(store, report, jobs, roster, may_write)
    if verification.misrated:
        _, more = store.repair(wrong_ratings=verification.misrated[0].what)
        mended, moved, verification.misrated = [*mended, *verification.misrated], [*moved, *more], []
    verification.moved = moved
    if mended and audit.contents.runs and not store.folder.ratings.exists():
        with store.lock():
            save(store, fold_afresh(store.contents()))
    return verification, mended


def _ratings() -> dict[str, Json]:
    """Return the rating parameters of a run whose own are lost: those that the games declare."""
    return parameters(rating_defaults())


def _damaged_files(audit: Audit) -> list[Problem]:
    root = audit.contents.folder.root
    return [Problem(str(d.path.relative_to(root)), d.what, d.lost) for d in audit.damage]


def _check_bots(verification: Verification, roster: Roster, may_write: bool) -> None:
    """Hold the files of every version against its hash."""
    for folder in sorted(roster.path.glob("[!.]*/[!.]*")):
        verification.bots += 1
        wrong = _wrong_with(roster, folder, may_write)
        if wrong is None:
            verification.bots -= 1
            verification.unknown_bots += 1
        elif wrong:
            where = folder.relative_to(roster.path.parent)
            verification.changed.append(Problem(str(where), ", ".join(wrong[:SHOWN])))


def _wrong_with(roster: Roster, folder: Path, may_write: bool) -> list[str] | None:
    """Return what is wrong with the version in *folder*, in words; None if nothing can be told."""
    try:
        version = roster.read(folder)
    except LadderError as error:
        return [str(error)]
    if (version.bot, version.version) != (folder.parent.name, folder.name):
        return [f"its version.json is that of {version.id}"]
    found = changed_files(version)
    wrong = found.changed if may_write else [*found.changed, *found.new]
    if not source_is_sound(version):
        wrong = [*wrong, "its source is not what was submitted"]
    return wrong if wrong or can_be_checked(version) else None


class _Verifier:
    """Goes through all blocks once."""

    def __init__(self, audit: Audit, report: Report) -> None:
        self._survey = audit
        self._contents = contents = audit.contents
        self._report = report
        self._verification = Verification(files=audit.files, damaged=_damaged_files(audit))
        segments = contents.manifest.segments if contents.manifest else []
        journalled = sum(len(block.matches) for block in contents.journal_blocks)
        self._total = sum(segment.matches.rows for segment in segments) + journalled
        self._fold = Fold()
        made_from = audit.ratings[1] if audit.ratings and audit.complete else None
        self._rated_to = (made_from["run"], made_from["block"]) if made_from else None
        """How far the stored ratings go."""

    def verification(self, jobs: int) -> Verification:
        with Pool(min(jobs, 1 + self._total // PROCESS_MATCHES)) as pool:
            for run in self._contents.runs:
                self._fold.begin(run)
                rated = self._contents.first_missing(run.run) if run.finished is None else None
                self._check_run(run, rated, pool)
                if run.finished is not None:
                    self._fold.finish()
                    self._check_ratings()
        return self._verification

    def _check_run(self, run: Run, rated: int | None, pool: Pool) -> None:
        """Check all blocks of *run*, and rate those before number *rated*, or all."""
        last_block = last_match = -1
        for block, wrong in _replay_in_order(self._contents.blocks(run.run, gaps=True), Replayer(run), pool):
            if block.number <= last_block:
                self._note(block.matches[0], f"block {block.number} comes after block {last_block}")
            last_block = block.number
            for match, what in zip(attempts(block), wrong, strict=True):
                self._count(match, what)
                if not match.void:
                    if match.number <= last_match:
                        self._note(match, f"it stands after match {last_match}")
                    last_match = match.number
            if rated is None or block.number < rated:
                self._rate(block)
            self._report(self._verification.matches + self._verification.void, self._total)

    def _count(self, match: Match, wrong: str) -> None:
        """Count a match, and what was found *wrong* with it when it was played again."""
        if match.void:
            self._verification.void += 1
            return
        self._verification.matches += 1
        if why := other_rules(match.game, match.game_version):
            self._verification.other_rules[why] += 1
        if wrong:
            self._note(match, wrong)

    def _note(self, match: Match, what: str) -> None:
        self._verification.wrong_matches += 1
        if len(self._verification.wrong) < SHOWN:
            self._verification.wrong.append(Problem(f"{match.run}/{match.number}", what))

    # -- ratings

    def _rate(self, block: Block) -> None:
        if block.number >= self._fold.block:  # else it is noted
            self._fold.add(block)
            self._check_ratings()

    def _check_ratings(self) -> None:
        """Compare the stored ratings, if they go as far as matches have been rated by now."""
        if (self._fold.run, self._fold.block) != self._rated_to or not self._survey.ratings:
            return
        table, made_from = self._survey.ratings
        if made_from != self._fold.made_from(self._contents.runs):  # by another method: nobody will use them
            return
        stored, found = (_by_key(rows.to_pylist()) for rows in (table, self._fold.table()))
        self._verification.standings = len(found)
        for key in sorted(stored.keys() | found.keys()):
            if what := _difference(stored.get(key, {}), found.get(key, {})):
                game, bot, version = key
                self._verification.misrated.append(
                    Problem("ratings.parquet", f"{bot}@{version} in {game}: {what}")
                )


def _replay_in_order(
    blocks: Iterable[Block], replayer: Replayer, pool: Pool
) -> Iterator[tuple[Block, list[str]]]:
    """Yield each of *blocks*, in their order, with what is wrong with its attempts."""
    tasks = ((replayer, chunk) for chunk in _chunks(blocks))
    for (_, chunk), wrong in pool.each(replay_blocks, tasks):
        yield from zip(chunk, wrong, strict=True)


def _chunks(blocks: Iterable[Block]) -> Iterator[list[Block]]:
    chunk: list[Block] = []
    for block in blocks:
        chunk.append(block)
        if sum(len(block.matches) for block in chunk) >= CHUNK_MATCHES:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


def _by_key(rows: list[dict[str, Json]]) -> dict[tuple[str, str, str], dict[str, Json]]:
    return {(row["game"], row["bot"], row["version"]): row for row in rows}


def _difference(stored: dict[str, Json], found: dict[str, Json]) -> str:
    """Return how a stored standing differs from what follows from the matches, in words."""
    if not stored or not found:
        return "it is not stored" if found else "it has played no match"
    names = [name for name in found if stored[name] != found[name]]
    return "; ".join(f"{name} is {stored[name]}, not {found[name]}" for name in names)
