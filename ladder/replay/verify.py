"""Verify a home: check every file against its checksum, replay every match and rate all of them again.

The files of the bots are checked against the hashes that name their versions.

A match is a deal and moves, so the rest of its record must follow from them: the deal from the run's secret
or from the stored deal, the referee's moves from the secret, ranks and scores from the game.
"""

import random
from bisect import insort
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields
from pathlib import Path

import msgspec

from ladder.errors import LadderError
from ladder.games.rating_defaults import rating_defaults
from ladder.machine.pool import Pool
from ladder.registry.roster import Roster, can_be_checked, changed_files, source_is_sound
from ladder.replay.replay import other_rules
from ladder.replay.replayer import Replayer, attempts, replay_matches
from results.batches import in_batches
from results.errors import DamagedResults
from results.rating.cache import recompute, save, wrong_counts
from results.rating.origin import newer_matches, origin_of, ratings_table
from results.rating.parameters import parameters
from results.rating.tally import MatchTotals
from results.record import Block, Json, Match, Run
from results.storage.audit import Audit
from results.storage.store import Store

CHUNK_MATCHES = 64
"""Matches per task: less than 0.1 s of work."""
PROCESS_MATCHES = 500
"""Matches per process: for fewer, a process takes longer to start than it saves."""
FOLLOWS = "it does not follow from the matches"
"""What is wrong with a cache."""
SHOWN = 100
"""The most wrong matches that are listed; the others are only counted."""

Report = Callable[[int, int], None]
"""Called with the number of matches done, and the number of all matches."""


class Problem(msgspec.Struct, frozen=True):
    """An error in the results: in a file, by its path, or in a match, by RUN/NUMBER."""

    where: str
    what: str
    lost: str = ""
    """What is lost with it, or ""."""


@dataclass
class Verification:
    """The counts of what was verified, and the problems found."""

    files: int = 0
    matches: int = 0
    replayed: int = 0
    left_out: int = 0
    """Matches that could be replayed, but were not drawn."""
    void: int = 0
    """Void attempts, which are not replayed."""
    other_rules: Counter[str] = field(default_factory=Counter)
    """Matches that cannot be replayed, by reason: games or versions that this ladder does not have."""
    unproved: Counter[str] = field(default_factory=Counter)
    """Matches by run of which the secret is not here, so that deals cannot be checked against it."""
    bots: int = 0
    """Versions whose files were checked against their hashes."""
    unknown_bots: int = 0
    """Versions built by an older ladder, without hashes to check against."""
    changed: list[Problem] = field(default_factory=list)
    """Versions whose files differ from those submitted or built."""
    standings: int = 0
    """Stored ratings that were compared."""
    damaged: list[Problem] = field(default_factory=list)
    """Files that differ from what was written."""
    wrong: list[Problem] = field(default_factory=list)
    """The first matches whose records do not follow from their deals and moves."""
    wrong_matches: int = 0
    reviews: int = 0
    """Matches that have a review, in files that are sound."""
    stray_reviews: int = 0
    """Reviews of matches that are not there; a review that is made, or a repair, removes them."""
    misrated: list[Problem] = field(default_factory=list)
    """Ratings that do not follow from the matches."""
    pairings: int = 0
    """Blocks of tournaments whose table and bots were checked; verify itself checks none."""
    mispaired: list[Problem] = field(default_factory=list)
    """Blocks that the secret of their tournament and the results before do not pair so, and seeds."""
    unpaired: int = 0
    """Blocks of tournaments that come after one that is wrong or missing."""
    moved: list[Path] = field(default_factory=list)
    """The new paths of damaged files that a repair has moved aside."""

    def include(self, other: "Verification") -> None:
        """Add what was found in another store of the same home."""
        for each in fields(self):
            setattr(self, each.name, getattr(self, each.name) + getattr(other, each.name))
        del self.wrong[SHOWN:]

    @property
    def sound(self) -> bool:
        return not (self.damaged or self.wrong_matches or self.misrated or self.changed or self.mispaired)


def verify(
    store: Store, report: Report = lambda done, total: None, jobs: int = 1, sample: int | None = None
) -> Verification:
    """Verify the results.  Nothing is written, so a run may be going on.

    Up to *jobs* processes replay the matches; with *sample*, only that many, drawn at random.  Raises
    LadderError if one of them dies.
    """
    return _Verifier(store, report, sample).verification(jobs)


def share_sample(sample: int | None, stores: Sequence[Store]) -> list[int | None]:
    """Return how many of a *sample* of all matches are of each of *stores*; None: all are replayed."""
    sizes = [0] * len(stores)
    for place, store in enumerate(stores):
        with suppress(DamagedResults):  # without a list of its files, all that is left of it is replayed
            sizes[place] = newer_matches(store.contents(), {"run": 1, "block": 0})
    if sample is None or sample >= sum(sizes):
        return [None] * len(stores)
    drawn = Counter(random.sample(range(len(stores)), sample, counts=sizes))
    return [drawn[place] if size else None for place, size in enumerate(sizes)]


def repair(
    store: Store, report: Report, jobs: int, sample: int | None = None
) -> tuple[Verification, list[Problem]]:
    """Move damaged files aside, verify the rest, mend ratings; return remaining and repaired problems."""
    audit, moved = store.repair(ratings=parameters(rating_defaults()))
    mended = _damaged_files(audit)
    verification = verify(store, report, jobs, sample)
    if verification.misrated:
        _, more = store.repair(wrong_ratings=verification.misrated[0].what)
        mended, moved, verification.misrated = [*mended, *verification.misrated], [*moved, *more], []
    verification.moved = moved
    if mended and audit.contents.runs and not store.folder.ratings.exists():
        with store.lock():
            save(store, afresh=True)
    return verification, mended


def _damaged_files(audit: Audit) -> list[Problem]:
    folder = audit.contents.folder
    return [Problem(folder.name_file(d.path), d.what, d.lost) for d in audit.damage]


def check_bots(verification: Verification, roster: Roster, may_write: Callable[[], bool]) -> None:
    """Check the files of every version of *roster* against its hash.

    *may_write* says whether bots have no sandbox: files that they have written into their folders are then
    not errors.  It is asked where there are such files.
    """
    for folder in sorted(roster.path.glob("[!.]*/[!.]*")):
        wrong = _wrong_with(roster, folder, may_write)
        verification.bots += wrong is not None
        verification.unknown_bots += wrong is None
        if wrong:
            where = folder.relative_to(roster.path.parent)
            verification.changed.append(Problem(str(where), ", ".join(wrong[:SHOWN])))


def _wrong_with(roster: Roster, folder: Path, may_write: Callable[[], bool]) -> list[str] | None:
    """Return the errors in the version in *folder*, or None if there is no hash to check against."""
    try:
        version = roster.read(folder)
    except LadderError as error:
        return [str(error)]
    if (version.bot, version.version) != (folder.parent.name, folder.name):
        return [f"its version.json is that of {version.id}"]
    found = changed_files(version)
    wrong = [*found.changed, *(found.new if found.new and not may_write() else ())]
    if not source_is_sound(version):
        wrong = [*wrong, "its source is not what was submitted"]
    return wrong if wrong or can_be_checked(version) else None


class _Verifier:
    """Verifies all blocks in one pass."""

    def __init__(self, store: Store, report: Report, sample: int | None) -> None:
        self._store = store
        # of a run whose rating parameters are lost, those that the games declare
        self._audit = audit = store.audit(parameters(rating_defaults()))
        self._contents = contents = audit.contents.with_names(audit.names)
        self._report = report
        self._verification = Verification(files=audit.files, damaged=_damaged_files(audit))
        self._wrong: list[tuple[int, int, str]] = []
        """The first wrong matches: run, number, and what is wrong."""
        self._left = sum(map(len, contents.match_parts(["number"])))
        """Standing matches that were not read yet."""
        self._to_draw = self._left if sample is None else min(sample, self._left)
        """How many of them are replayed."""
        self._tally = MatchTotals()
        self._next = (1, 0)
        """The run and the block after the matches in the tally."""
        made_from = audit.ratings[1] if audit.ratings and audit.complete else None
        self._rated_to = (made_from["run"], made_from["block"]) if made_from else None
        """The run and block up to which the stored ratings go."""

    def verification(self, jobs: int) -> Verification:
        with Pool(min(jobs, 1 + self._to_draw // PROCESS_MATCHES)) as pool:
            for run in self._contents.runs:
                self._tally.begin(run)
                self._next = (run.run, 0)
                self._check_run(run, pool)
                if run.finished is not None:
                    self._next = (run.run + 1, 0)
                    if self._next[0] == self._contents.first_rated:  # without the matches of other seasons
                        self._tally = MatchTotals()
                    self._check_ratings()
        for cache in wrong_counts(self._contents, self._tally):
            self._verification.misrated.append(Problem(cache, FOLLOWS))
        for run_number, number, what in self._wrong:
            where = f"{self._contents.folder.name_run(run_number)}/{number}"
            self._verification.wrong.append(Problem(where, what))
        self._count_reviews()
        return self._verification

    def _count_reviews(self) -> None:
        """Count the reviews, if all of their files are sound."""
        reviews = self._store.reviews
        if any(damage.path.parent == reviews.path for damage in self._audit.damage):
            return
        self._verification.reviews = len(reviews.matches())
        self._verification.stray_reviews = len(reviews.strays(self._contents))

    def _check_run(self, run: Run, pool: Pool) -> None:
        """Check all blocks of *run*, and replay the matches that are drawn."""
        replayer = Replayer(run)
        chunks = in_batches(self._draw(run), lambda match: 1, CHUNK_MATCHES)
        for (_, chunk), wrong in pool.each(replay_matches, ((replayer, chunk) for chunk in chunks)):
            for match, what in zip(chunk, wrong, strict=True):
                if what:
                    self._note(match, what)

    def _draw(self, run: Run) -> Iterator[Match]:
        """Check the order of all blocks of *run*, count and rate them; yield the matches to replay."""
        rated = self._contents.first_missing(run.run) if run.finished is None else None
        last_block = last_match = -1
        for block in self._contents.blocks(run.run, gaps=True):
            if block.number <= last_block:
                self._note(block.matches[0], f"block {block.number} comes after block {last_block}")
            last_block = block.number
            for match in attempts(block):
                if match.void:
                    self._verification.void += 1
                    continue
                if match.number <= last_match:
                    self._note(match, f"it stands after match {last_match}")
                last_match = match.number
                if self._count(match):
                    yield match
            if rated is None or block.number < rated:
                self._rate(block)
            self._report(self._verification.matches, self._verification.matches + self._left)

    def _count(self, match: Match) -> bool:
        """Count a standing match; return whether it is to be replayed."""
        found = self._verification
        found.matches += 1
        if not self._contents.run(match.run).has_secret:
            found.unproved[str(self._contents.folder.name_run(match.run))] += 1
        # each set of as many matches is as likely: Knuth, The Art of Computer Programming, 3.4.2, algorithm S
        is_drawn = random.random() * self._left < self._to_draw
        self._left -= 1
        self._to_draw -= is_drawn
        if why := other_rules(match.game, match.game_version):
            found.other_rules[why] += 1
            return False
        found.replayed += is_drawn
        found.left_out += not is_drawn
        return is_drawn

    def _note(self, match: Match, what: str) -> None:
        self._verification.wrong_matches += 1
        insort(self._wrong, (match.run, match.number, what))  # in order, however far is read ahead
        del self._wrong[SHOWN:]

    def _rate(self, block: Block) -> None:
        run, number = self._next
        if block.number >= number:  # an earlier one is a problem already noted
            self._tally.add(block)
            self._next = (run, block.number + 1)
            self._check_ratings()

    def _check_ratings(self) -> None:
        """Compare the stored ratings, if they go exactly as far as the matches rated so far."""
        if self._next != self._rated_to or not self._audit.ratings:
            return
        table, made_from = self._audit.ratings
        if made_from != origin_of(self._contents, *self._next):
            return  # of another method: not used
        rated, caches = recompute(self._contents, self._tally, made_from)
        self._verification.misrated += [Problem(name, FOLLOWS) for name in caches]
        stored, found = (
            {(row["game"], row["bot"], row["version"]): row for row in rows.to_pylist()}
            for rows in (table, ratings_table(rated))
        )
        self._verification.standings = len(found)
        file = self._contents.folder.name_file(self._contents.folder.ratings)
        for key in sorted(stored.keys() | found.keys()):
            if what := _difference(stored.get(key, {}), found.get(key, {})):
                game, bot, version = key
                self._verification.misrated.append(Problem(file, f"{bot}@{version} in {game}: {what}"))


def _difference(stored: dict[str, Json], found: dict[str, Json]) -> str:
    """Return how a stored rating differs from the one computed from the matches, or ""."""
    if not stored or not found:
        return "it is not stored" if found else "it has played no match"
    names = [name for name in found if stored[name] != found[name]]
    return "; ".join(f"{name} is {stored[name]}, not {found[name]}" for name in names)
