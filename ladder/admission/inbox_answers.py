"""What becomes of an entry of an inbox: its page in the outbox, its line in the home, its place."""

import os
import re
import zlib
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec

from ladder.admission.author_page import author_page, page_names
from ladder.admission.batch import SubmissionAnswer
from ladder.home.home import Home
from ladder.home.json_lines import append_line
from results.storage.disk import put_page

LOG = "inbox.jsonl"
"""The file in the home with what was taken in: quotas rest on it."""
LONGEST = 200
"""The most bytes of a name that is kept: with a date, a number and a suffix, most disks allow 255."""
_DAY = timedelta(days=1)
STATES: Mapping[str, str] = {
    **dict.fromkeys(("new bot", "new version", "older version", "unchanged"), "accepted"),
    **dict.fromkeys(("not judged", "waits"), "later"),
}
"""What people call the results of which they have another word."""


class InboxFolders(msgspec.Struct, frozen=True):
    """Where submissions come, and where they and their answers go."""

    inbox: Path
    outbox: Path
    done: Path

    @property
    def taking(self) -> Path:
        """Where entries are while they are checked."""
        return self.done / ".taking"


class Taken(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of LOG: an entry that has its answer, or a gate that has ended."""

    when: datetime
    person: str
    entry: str
    result: str
    bot: str = ""
    wish: str = ""
    """The kind of wish that it was; empty for a submission."""
    version: str = ""
    """The hash of the version whose gate begins ("proving") or ends ("accepted", "kept back") with this."""
    against: str = ""
    """The hash of the version that it proves itself against."""
    number: int = 0
    """Of the version that it became; 0 if it became none."""
    seconds: float = 0.0
    """How long it was checked."""

    @property
    def ends_gate(self) -> bool:
        """Whether no entry was answered, but a gate has ended."""
        return bool(self.version) and self.result != "proving"


def open_gates(lines: Iterable[Taken], names: Mapping[str, str]) -> dict[str, Taken]:
    """Return the gates that go on, by bot; *names* are what renamed bots are called today."""
    last = {names.get(line.bot, line.bot): line for line in lines if line.version}
    return {bot: line for bot, line in last.items() if not line.ends_gate}


def free_at(taken: Sequence[Taken], most: int) -> datetime | None:
    """Return when a person who has *taken* may submit again, with *most* a day (0: any); None for now."""
    times = times_of_a_day(taken)
    return times[-most] + _DAY if most and len(times) >= most else None


def times_of_a_day(taken: Sequence[Taken]) -> list[datetime]:
    """Return the times of those *taken* in the last 24 hours, in order; no gate that ends is one."""
    now = datetime.now(UTC)
    return sorted(each.when for each in taken if now - _DAY < each.when <= now and not each.ends_gate)


def is_answered(path: Path, taken: Sequence[Taken]) -> bool:
    """Return whether the entry at *path* is the last of *taken*: a kill has kept it from its place."""
    if not taken or taken[-1].entry != _kept_name(path):
        return False
    return taken[-1].when.timestamp() >= path.lstat().st_ctime  # the time when it was moved to *path*


def answer_entry(home: Home, folders: InboxFolders, person: str, answer: SubmissionAnswer) -> Taken:
    """Write the page on *answer* and its line, put the entry away, and return the line.  Raises OSError."""
    (folders.done / person).mkdir(exist_ok=True)  # a disk that has no room for it must say so before the line
    write_page(home, folders, person, answer)
    now = datetime.now(UTC)
    version = answer.version.version if answer.version and answer.against else ""
    told = answer.result, answer.bot, answer.wish, version, answer.against
    number, seconds = answer.version.number if answer.version else 0, round(answer.seconds, 1)
    taken = Taken(now, person, _kept_name(answer.path), *told, number, seconds)
    append_line(home.path / LOG, taken, 0o600)
    if not taken.ends_gate:
        put_away(folders, answer.path, person, now)
    return taken


def put_away(folders: InboxFolders, path: Path, person: str, when: datetime) -> None:
    """Move the entry at *path*, which was answered *when*, to those that are done."""
    done = folders.done / person
    done.mkdir(exist_ok=True)
    name, number = _kept_name(path), 1
    while os.path.lexists(target := done / f"{when:%Y%m%d-%H%M%S}-{name}"):
        number += 1
        name = f"{number}-{_kept_name(path)}"
    try:
        path.rename(target)
    except PermissionError:  # its owner has closed the folder since: it can be renamed, not moved
        path.rename(path.with_name(f".{target.name}"))


def page_of(folders: InboxFolders, person: str, entry: Path) -> Path:
    """Return the file of the page on *entry*."""
    (name,) = page_names([Path(_kept_name(entry))]).values()
    return folders.outbox / person / name


def write_page(home: Home, folders: InboxFolders, person: str, answer: SubmissionAnswer) -> None:
    """Write the page on *answer* for *person*.  Raises OSError."""
    put_page(page_of(folders, person, answer.path), author_page(answer, home))


def _kept_name(path: Path) -> str:
    """Return the name of an entry, or a number and its first letters if it is no text or leaves no room."""
    name = path.name
    if name.isprintable() and len(name.encode()) <= LONGEST:
        return name
    return f"{zlib.crc32(os.fsencode(name))}-{re.sub('[^A-Za-z0-9.]+', '-', name)[:32]}"
