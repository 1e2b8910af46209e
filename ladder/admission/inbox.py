"""Take in what people put into an inbox, and answer them in an outbox.

    INBOX/PERSON/ENTRY               put there by sftp, a git hook or a form on the web
    done/.taking/PERSON/ENTRY        while it is checked, where only the operator can change it
    done/PERSON/20261127-031500-ENTRY  afterwards
    outbox/PERSON/ENTRY.md           the answer

Whatever kills this process, an entry is in one of these places, and the next start goes on with it.  A bot
belongs to the person in whose folder it lay, whatever its files say.
"""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec

from ladder.admission.author_page import PAGE, author_page, page_names
from ladder.admission.batch import BatchProgress, SubmissionAnswer, remove_left, submit_all
from ladder.admission.claims import WantedName, name_of_place, wanted_name
from ladder.admission.inbox_entries import (
    Entry,
    InboxLook,
    Stranger,
    closed_part_of,
    entries_in,
    person_in,
    writers_to_take_away,
)
from ladder.errors import LadderError, UsageProblem
from ladder.home.class_list import ClassList
from ladder.home.home import Home
from ladder.home.json_lines import append_line, read_lines
from ladder.machine.pool import Pool
from ladder.registry.place import BotPlace
from results.storage.disk import Disk, replace_file
from results.storage.locking import await_lock

__all__ = ["LOG", "Inbox", "InboxFolders"]

LOG = "inbox.jsonl"
"""The file in the home with what was taken in: quotas rest on it."""
_TAKING = ".taking"
_DAY = timedelta(days=1)


class InboxFolders(msgspec.Struct, frozen=True):
    """Where submissions come, and where they and their answers go."""

    inbox: Path
    outbox: Path
    done: Path

    @property
    def taking(self) -> Path:
        """Where entries are while they are checked."""
        return self.done / _TAKING


class Taken(msgspec.Struct, frozen=True):
    """A line of LOG: a submission that has its answer."""

    when: datetime
    person: str
    entry: str
    result: str
    bot: str = ""


class Inbox:
    """An inbox of a home; one process works on it at a time."""

    def __init__(self, folders: InboxFolders, people: ClassList) -> None:
        """Take who is whose from *people*, where entries lie in no person's folder."""
        self.folders = folders
        self._people = people
        self._look = InboxLook()
        self._said: set[tuple[Path, str]] = set()
        """What was said of strangers, of quotas and of folders that others can write to: it is said once."""

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Make the folders, and keep other processes off them.

        Raises UsageProblem for folders that cannot be used, HomeLocked if another process works on them.
        """
        folders = self.folders
        if not folders.inbox.is_dir():
            raise UsageProblem(f"{folders.inbox} is not a folder", f"mkdir -p {folders.inbox}/PERSON")
        for one, other in (
            (folders.outbox, folders.inbox),
            (folders.done, folders.inbox),
            (folders.outbox, folders.done),
        ):
            if one.resolve() == other.resolve() or other.resolve() in one.resolve().parents:
                raise UsageProblem(f"{one} is in {other}: what lies there is taken in", "name another folder")
        folders.outbox.mkdir(parents=True, exist_ok=True)
        folders.taking.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle = await_lock(folders.done / ".lock")
        try:
            yield
        finally:
            os.close(handle)

    def take(
        self, home: Home, jobs: int, say: Callable[[str, str], object]
    ) -> list[tuple[str, SubmissionAnswer]]:
        """Take in what is complete, at most one entry of each person; return the answers with the persons.

        *say* is told what the operator should know, and what to type.  Raises OSError, as where the disk is
        full: nothing is lost then, and the next call goes on.
        """
        left = self._left_in_taking()
        waiting = [*left, *self._begin(home, {entry.person for entry in left}, say)]
        if not waiting:
            return []
        answers = self._refuse_beyond_quota(home, waiting)
        rest = [entry for entry in waiting if entry.path not in {answer.path for answer in answers}]
        answers += _submit(home, rest, jobs, self._people)
        people = {entry.path: entry.person for entry in waiting}
        told = [(people[answer.path], answer) for answer in answers]
        for person, answer in told:
            self._answer(home, person, answer)
        return told

    # -- what is taken next

    def _left_in_taking(self) -> list[Entry]:
        """Return what a process of before, or a machine that was too busy, has left."""
        return [
            Entry(path, folder.name)
            for folder in sorted(self.folders.taking.iterdir())
            if folder.is_dir()
            for path in sorted(folder.iterdir())[:1]
        ]

    def _begin(self, home: Home, busy: set[str], say: Callable[[str, str], object]) -> list[Entry]:
        """Move what is complete to where it is checked: the oldest of each person who is not *busy*."""
        entries, strangers = entries_in(self.folders.inbox, self._people)
        for stranger in strangers:
            self._say_once(stranger, say)
        self._warn_of_writers(say)
        complete = [entry for entry in self._look.complete(entries) if entry.person not in busy]
        first: dict[str, Entry] = {}
        for entry in sorted(complete, key=lambda each: each.path.lstat().st_ctime_ns):
            first.setdefault(entry.person, entry)
        found = []
        for person, entry in first.items():
            if free := self._free_at(home, person):
                self._tell_to_wait(person, entry, free, say)
                continue
            if closed := closed_part_of(entry.path):
                self._tell_closed(person, entry, closed, say)
                continue
            target = self.folders.taking / person / entry.path.name
            target.parent.mkdir(exist_ok=True)
            # a rename; if the two folders are on different disks, a copy
            found.append(Entry(Path(shutil.move(entry.path, target)), person))
        return found

    def _say_once(self, stranger: Stranger, say: Callable[[str, str], object]) -> None:
        if (key := (stranger.path, stranger.why)) not in self._said:
            self._said.add(key)
            say(stranger.why, stranger.hint)

    def _warn_of_writers(self, say: Callable[[str, str], object]) -> None:
        """Warn of persons' folders into which others can write: what they put there would be the person's."""
        new = {
            path: who
            for path, who in writers_to_take_away(self.folders.inbox).items()
            if (path, who) not in self._said
        }
        self._said.update(new.items())
        for who in sorted({*new.values()}):
            paths = shlex.join(str(path) for path, of in new.items() if of == who)
            say(f"warning: others can put bots into folders of persons; type: chmod {who}-w {paths}", "")

    # -- quotas

    def _free_at(self, home: Home, person: str) -> datetime | None:
        """Return when *person* may submit again; None for now."""
        if not (most := home.settings.inbox.submissions_a_day):
            return None
        now = datetime.now(UTC)
        times = [
            each.when
            for each in read_lines(home.path / LOG, Taken)
            if each.person == person and now - _DAY < each.when <= now
        ]
        return sorted(times)[-most] + _DAY if len(times) >= most else None

    def _tell_to_wait(
        self, person: str, entry: Entry, free: datetime, say: Callable[[str, str], object]
    ) -> None:
        until = f"{free:%Y-%m-%d %H:%M} UTC"
        if (key := (entry.path, until)) in self._said:
            return
        self._said.add(key)
        what = f"It is taken in at {until}: you have had your share of a day."
        page = f"{PAGE}\n\n# Your submission waits\n\n{what}\n"
        self._write(person, entry.path, page)
        say(f"{person}: {entry.path.name} waits until {until}, by submissions_a_day", "")

    def _tell_closed(
        self, person: str, entry: Entry, closed: Path, say: Callable[[str, str], object]
    ) -> None:
        """Say that *closed*, a part of *entry*, keeps us from taking it in: it must not stop the others."""
        if (key := (closed, "closed")) in self._said:
            return
        self._said.add(key)
        name = entry.path.name
        advice = "Hand it in as an archive (.zip), or let its group read and write:"
        page = f"# Your submission cannot be taken in\n\nThe ladder may not read or move it. {advice}\n"
        self._write(person, entry.path, f"{PAGE}\n\n{page}\n```\nchmod -R g+rwX {shlex.quote(name)}\n```\n")
        say(
            f"warning: {person}: {name} is left where it is: this user may not read or move {closed}",
            f"chmod -R g+rwX {shlex.quote(str(closed))}, as its owner; a umask of 007 prevents it",
        )

    def _refuse_beyond_quota(self, home: Home, entries: Sequence[Entry]) -> list[SubmissionAnswer]:
        """Return refusals of new bots of persons who have as many as one may have."""
        most = home.settings.inbox.bots_a_person
        if not most:
            return []
        owned = _bots_by_person(home)
        refused = []
        for entry in entries:
            names = owned.get(entry.person, set())
            wanted = _name_of(entry)
            own = {wanted.name, *wanted.spares}
            if wanted.is_of_file_inside:  # it has the name of its place, if that of the file is another bot's
                own.add(name_of_place(_place_of(entry), entry.path))
            if len(names) < most or not wanted.name or not names.isdisjoint(own):
                continue
            told = (
                f"you have {len(names)} bots here, and a person may have {most}: {', '.join(sorted(names))}"
            )
            advice = "hand it in under the name of one of them, as its next version"
            refused.append(
                SubmissionAnswer(entry.path, "refused", why=told, details=told, told=told, advice=advice)
            )
        return refused

    # -- answers

    def _answer(self, home: Home, person: str, answer: SubmissionAnswer) -> None:
        """Write the page on *answer*, and put the entry away, unless it is to be tried again."""
        self._write(person, answer.path, author_page(answer, home))
        if answer.not_judged:
            return
        now = datetime.now(UTC)
        append_line(home.path / LOG, Taken(now, person, answer.path.name, answer.result, answer.bot), 0o600)
        done = self.folders.done / person
        done.mkdir(exist_ok=True)
        name, number = f"{now:%Y%m%d-%H%M%S}-{answer.path.name}", 1
        while (target := done / name).exists():
            number += 1
            name = f"{now:%Y%m%d-%H%M%S}-{number}-{answer.path.name}"
        answer.path.rename(target)

    def _write(self, person: str, entry: Path, page: str) -> None:
        """Write *page*, which is about *entry*, for *person*."""
        folder = self.folders.outbox / person
        folder.mkdir(exist_ok=True)
        replace_file(Disk(), folder / page_names([entry])[entry], page.encode())


def _submit(home: Home, entries: Sequence[Entry], jobs: int, people: ClassList) -> list[SubmissionAnswer]:
    """Submit *entries*, several at once; return the answers.

    What lay in no person's folder has the name and the author line that *people* gives it.
    """
    named = [entry for entry in entries if person_in(people, entry.path) == entry.person]
    others = [entry for entry in entries if entry not in named]
    progress = BatchProgress(len(entries))
    try:
        for group, listed in ((named, people), (others, ClassList())):
            places = {entry.path: _place_of(entry) for entry in group}
            with Pool(min(jobs, len(group) or 1)) as pool:
                submit_all(home, [*places], pool.as_done, progress, folder=True, people=listed, places=places)
    finally:
        remove_left(home)
    return progress.answers


def _place_of(entry: Entry) -> BotPlace:
    """Return the place of all that a person hands in; no entry of a folder is called so."""
    return BotPlace(str(entry.path), f"{entry.person}/")


def _bots_by_person(home: Home) -> dict[str, set[str]]:
    """Return the names of the bots that play, by the person who handed them in."""
    playing = {version.bot for version in home.roster.active()}
    found: dict[str, set[str]] = {}
    for bot, origins in home.roster.places().items():
        for origin in origins:
            if bot in playing and origin.entry and origin.entry.endswith("/"):
                found.setdefault(origin.entry[:-1], set()).add(bot)
    return found


def _name_of(entry: Entry) -> WantedName:
    """Return the name of the bot of *entry*; an empty one if it cannot be read, which its answer will say."""
    try:
        return wanted_name(entry.path)
    except (LadderError, OSError):
        return WantedName("")
