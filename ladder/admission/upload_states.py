"""Where an upload is in its life: found in folders, the inbox's list, the roster and runs, stored nowhere.

The folders are looked at in the order in which an entry goes through them, and the list after them: so one
that moves meanwhile is found again, and its state never goes back.
"""

import hashlib
import os
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from fcntl import LOCK_NB, LOCK_SH, flock
from functools import lru_cache
from glob import escape
from itertools import permutations
from pathlib import Path
from stat import S_ISREG
from statistics import mean
from threading import Lock
from typing import Any, Literal, TypeAlias

import msgspec

from ladder.admission.inbox_answers import LOG, STATES, InboxFolders, Taken, free_at, is_answered, page_of
from ladder.admission.inbox_entries import Entry, entries_in
from ladder.admission.wishes import SUFFIX
from ladder.home.class_list import ClassList
from ladder.home.home import Home
from ladder.home.json_lines import read_lines
from ladder.home.settings import InboxSettings
from ladder.machine.resting import Resting
from ladder.registry.version import Version
from results.record import Run
from results.storage.contents import Contents
from results.storage.store import Store
from results.storage.unrated import unrated_stores

ANSWERS, FEWEST = 10, 3
"""How many of the last answers tell how long one takes, and how many at least."""
MOST_PAGE = 2**16
"""The most characters of a page that are told."""

_Asked: TypeAlias = Literal["waiting", "checking", "later", "refused", "kept back", "done"]
UploadStage: TypeAlias = Literal[_Asked, "accepted", "proving", "playing", "played", "replaced"]


class UploadState(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Where an upload is."""

    upload: str
    sha256: str = ""
    bytes: int | None = None
    state: UploadStage
    since: str
    """In UTC (ISO 8601)."""
    age_s: int
    place: int | None = None
    about_s: int | None = None
    """About how long its answer takes from now, in seconds."""
    until: str = ""
    why: str = ""
    bot: str = ""
    number: int | None = None
    run: int | None = None
    match: str = ""
    deals: int | None = None
    """How many are over of the duel that lets a version play, and which share of them it has won so far."""
    share: float | None = None
    page: str = ""
    """The answer, in Markdown."""


class InboxWork(msgspec.Struct, frozen=True, omit_defaults=True):
    """Whether an inbox is at work; if not, since when."""

    at_work: bool
    since: str = ""
    age_s: int | None = None


class UploadStates:
    """Finds the states of uploads to a home."""

    def __init__(self, folders: InboxFolders) -> None:
        """Look at *folders*."""
        self._folders = folders
        self._first: dict[tuple[str, str], tuple[str, datetime]] = {}
        """The first rated matches of versions, which stay what they are."""
        self._sought: set[tuple[str, str]] = set()
        """The versions whose first matches were looked for."""
        self._looked_through: set[int] = set()
        """The runs that are over and were looked through."""
        self._looking, self._rest = Lock(), Resting()

    def work(self) -> InboxWork:
        """Return whether an inbox is at work."""
        try:
            with (self._folders.done / ".lock").open("rb") as lock:
                flock(lock, LOCK_SH | LOCK_NB)  # shared: those who look at once do not see each other
                seen = os.fstat(lock.fileno()).st_mtime
                return InboxWork(False, *_moment(datetime.fromtimestamp(seen, UTC)))
        except OSError as error:
            return InboxWork(at_work=isinstance(error, BlockingIOError))

    def states(self, home: Home, person: str, only: str = "") -> Iterator[UploadState]:
        """Yield the states of uploads of *person*, or of *only* one.  Raises LadderError, ResultsError."""
        entries, _ = entries_in(self._folders.inbox, ClassList(), {person})
        waiting = {entry.path.name: entry for entry in entries if entry.person == person}
        taking = {path.name: path for path in (self._folders.taking / person).glob("[!.]*")}
        log = [*read_lines(home.path / LOG, Taken)]
        mine = [line for line in log if line.person == person]
        answers = {line.entry: line for line in mine}
        free = {entry.path: _free_at(entry, log, home.settings.inbox) for entry in entries}
        places = _places([entry for entry in entries if not free[entry.path]])
        seconds = [line.seconds for line in log if line.seconds][-ANSWERS:]
        versions, runs = home.roster.versions(), Store(home.results).runs()
        for name in {**waiting, **taking, **answers}:
            if name != (only or name):
                continue
            try:
                if name in waiting:
                    yield self._find_waiting(waiting[name], places, free[waiting[name].path], seconds)
                elif name in taking and not is_answered(taking[name], mine):
                    yield self._find_checking(taking[name], person)
                else:
                    path = taking.get(name)  # a kill, or a moment, has kept it from its place
                    yield self._find_answered(home, versions, runs, answers[name], path)
            except (FileNotFoundError, KeyError):  # it went on meanwhile
                if not only and (state := self.find(home, person, name)):
                    yield state

    def find(self, home: Home, person: str, name: str) -> UploadState | None:
        """Return the state of the upload called *name*; None if *person* has none."""
        # an entry that goes on during a look is found by the next one
        return next((state for _ in range(3) for state in self.states(home, person, name)), None)

    def _find_waiting(
        self, entry: Entry, places: dict[Path, int], free: datetime | None, seconds: list[float]
    ) -> UploadState:
        came = _time_of(entry.path)
        if free:
            why = "you have had your share of a day"
            return _state(entry.path, "later", came, until=_moment(free)[0], why=why)
        place, work = places[entry.path], self.work()
        if work.at_work:
            about_s = round(place * mean(seconds)) if len(seconds) >= FEWEST else None
            return _state(entry.path, "waiting", came, place=place, about_s=about_s)
        why = f"no inbox is at work since {work.since}" if work.since else "no inbox has been at work"
        return _state(entry.path, "waiting", came, place=place, why=why)

    def _find_checking(self, path: Path, person: str) -> UploadState:
        came, page = _time_of(path), page_of(self._folders, person, path)
        with suppress(FileNotFoundError):
            # a page that is newer than the check is on a try before
            if (told := datetime.fromtimestamp(page.stat().st_mtime, UTC)) >= came:
                is_wish = path.name.endswith(SUFFIX)
                why = "its page says why" if is_wish else "it was not judged, and is tried again"
                return _state(path, "later", told, why=why, page=_text(page))
        return _state(path, "checking", came)

    def _find_answered(
        self, home: Home, versions: list[Version], runs: tuple[Run, ...], line: Taken, path: Path | None
    ) -> UploadState:
        kept = (self._folders.done / line.person).glob(f"????????-??????-{escape(line.entry)}")
        path = path or max(kept, default=Path(line.entry))
        bot = home.roster.names.get(line.bot, line.bot)
        page = _text(page_of(self._folders, line.person, Path(line.entry)))
        facts: dict[str, Any] = {"upload": line.entry, "bot": bot, "page": page}
        stage = STATES.get(line.result, line.result)
        if stage == "proving":
            facts |= _find_duel(home, (bot, line.version), (bot, line.against), line.when)
        if stage != "accepted" or not line.number:
            return _state(path, stage, line.when, **facts)
        facts["number"] = line.number
        mine = [version for version in versions if version.bot == bot]
        version = next((each for each in mine if each.number == line.number), None)
        plays = next((each for each in reversed(mine) if not each.rests), version)
        if plays and plays != version:
            # the record of one was changed then: one was added, chosen or retired
            changed = max(plays, version or plays, key=lambda each: each.order)
            written = (Path(changed.folder).parent / "version.json").stat().st_mtime
            since = max(line.when, datetime.fromtimestamp(written, UTC))
            return _state(path, "replaced", since, **facts)
        key = (version.bot, version.version) if version else ("", "")
        mine_in = [run for run in runs if key in run.bot_keys]
        if mine_in and (first := self._first_match(home, key)):
            return _state(path, "played", first[1], match=first[0], **facts)
        if mine_in:
            began = datetime.fromtimestamp(mine_in[-1].started / 1e6, UTC)
            return _state(path, "playing", began, run=mine_in[-1].run, **facts)
        return _state(path, "accepted", line.when, **facts)

    def _first_match(self, home: Home, key: tuple[str, str]) -> tuple[str, datetime] | None:
        """Return the name of the first match of the version *key*, which plays in a run, and when it began.

        One thread reads the results for all who ask.  While that rests, a match that came meanwhile is not
        seen; but that of a version not yet looked for is: a server before this one may have told of it.
        """
        if key not in self._first:
            with self._looking:
                if key not in self._sought or not self._rest.is_on:
                    with self._rest:
                        self._look(Store(home.results).contents())
                        self._sought.add(key)
        return self._first.get(key)

    def _look(self, contents: Contents) -> None:
        """Find the first matches of all versions."""
        for run in contents.runs:
            missing = {*run.bot_keys} - self._first.keys()
            self._sought |= missing
            if run.run in self._looked_through or not missing:
                continue
            for name, began, keys in _matches(contents, run.run):
                self._first |= dict.fromkeys(missing & keys, (name, began))
                missing -= keys
                if not missing:
                    break
            if run.finished is not None:
                self._looked_through.add(run.run)


def count_unanswered(folders: InboxFolders, person: str, but: str = "") -> int:
    """Return how many uploads of *person* have no answer yet, besides the one called *but*.

    If that is a wish, only wishes count, else none of them: one may wait as long as a run.
    """
    tops, is_wish = (folders.inbox, folders.taking), but.endswith(SUFFIX)
    names = {path.name for top in tops for path in (top / person).glob("[!.]*")} - {but}
    return sum(name.endswith(SUFFIX) == is_wish for name in names)


def _state(path: Path, stage: str, when: datetime, **facts: Any) -> UploadState:
    """Return the state of the file at *path*, in which it is since *when*."""
    with suppress(OSError):
        found = path.lstat()
        if S_ISREG(found.st_mode):  # a person with a shell may leave a pipe there
            sha256 = _hash(path, found.st_ino, found.st_size, found.st_ctime_ns)
            facts |= {"sha256": sha256, "bytes": found.st_size}
    since, age_s = _moment(when)
    return msgspec.convert(
        {"upload": path.name, "state": stage, "since": since, "age_s": age_s, **facts}, UploadState
    )


def _time_of(path: Path) -> datetime:
    return datetime.fromtimestamp(path.lstat().st_ctime, UTC)


def _moment(when: datetime) -> tuple[str, int]:
    """Return *when* in words, and how many seconds ago that was: none where the clock was set back."""
    age_s = max(0, int((datetime.now(UTC) - when).total_seconds()))
    return f"{when.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}", age_s


@lru_cache(maxsize=1024)
def _hash(path: Path, *seen: int) -> str:
    """Return the SHA-256 of the file at *path*, which is read again only if it is not the one *seen*."""
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK  # it may be a link or a pipe by now
    with open(os.open(path, flags), "rb") as file:  # noqa: PTH123 - a path cannot forbid links
        return hashlib.file_digest(file, "sha256").hexdigest()


def _text(page: Path) -> str:
    with suppress(OSError):
        return page.read_text("utf-8")[:MOST_PAGE]
    return ""


def _free_at(entry: Entry, log: list[Taken], limits: InboxSettings) -> datetime | None:
    """Return until when *entry* waits because its person has had a day's share; None if it need not."""
    is_wish = entry.path.name.endswith(SUFFIX)
    taken = [line for line in log if line.person == entry.person and bool(line.wish) == is_wish]
    return free_at(taken, limits.wishes_a_day if is_wish else limits.submissions_a_day)


def _places(entries: list[Entry]) -> dict[Path, int]:
    """Return the places of *entries* in the queue: one of each person in turn, the oldest first."""
    came: list[tuple[datetime, Entry]] = []
    for entry in entries:
        with suppress(OSError):
            came.append((_time_of(entry.path), entry))
    ranks: Counter[str] = Counter()
    queue = []
    for when, entry in sorted(came):
        queue.append((ranks[entry.person], when, entry.path))
        ranks[entry.person] += 1
    return {path: place for place, (*_, path) in enumerate(sorted(queue), 1)}


def _matches(contents: Contents, run: int) -> Iterator[tuple[str, datetime, set[tuple[str, str]]]]:
    """Yield the name of each match of *run*, when it began, and which versions played."""
    for part in contents.match_parts(("number", "started", "seats.bot", "seats.version"), run):
        for batch in part.to_batches(max_chunksize=1000):
            for row in batch.to_pylist():
                keys = {(seat["bot"], seat["version"]) for seat in row["seats"]}
                yield f"{run}/{row['number']}", row["started"], keys


def _find_duel(
    home: Home, new: tuple[str, str], old: tuple[str, str], since: datetime
) -> dict[str, int | float]:
    """Return the deals of the duel of *new* and *old* since then, and the share that *new* won."""
    for store in unrated_stores(home.results).values():
        run = store.runs()[-1]
        if {*run.bot_keys} == {new, old} and run.started / 1e6 >= since.timestamp():
            blocks = [*store.contents().blocks(run.run, gaps=True)]
            pairs = [
                (mine.rank, other.rank)
                for match in (match for block in blocks for match in block.matches)
                for mine, other in permutations(match.seats, 2)
                if ((mine.bot, mine.version), (other.bot, other.version)) == (new, old)
            ]
            wins = [(mine < other) + (mine == other) / 2 for mine, other in pairs if mine and other]
            return {"deals": len(blocks)} | ({"share": round(mean(wins), 3)} if wins else {})
    return {}
