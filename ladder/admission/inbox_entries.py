"""What is in an inbox: which entries are complete, and who handed in each.

An entry counts when it was renamed into the inbox, or has not changed for a minute.  A rename sets the time
of the last change of the file's record (ctime) and leaves that of its content (mtime); writing sets both to
the same moment.  So a file whose two times differ was complete before it got its name.
"""

import grp
import os
import pwd
import shlex
import stat
import time
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from ladder.admission.batch import LEFT_OUT
from ladder.admission.entry_look import is_archive
from ladder.home.class_list import ClassList
from ladder.registry.bot_archive import MOST_FOLDERS
from ladder.registry.handles import NAME
from ladder.registry.submission_size import MAX_FILES

STILL_SECONDS = 60.0
"""An entry that was written into the inbox counts when it has not changed for this time."""
JUMP_SECONDS = 10.0
"""A time of the day that moves by more than this beside the time that passes has been set."""
WHOLE_NS = 946_684_800 * 10**9
"""The time (2000-01-01) that a file's content has which is known to be whole: it came over HTTP."""
BROKEN_SECONDS = 600.0
"""An archive that is not whole counts after this time, and is refused then."""
UNFINISHED = (".part", ".filepart")
"""What programs that upload files add to their names until they are complete."""
MOST_ENTRIES = 1_000
"""The most entries of a person that are looked at: others come when these are gone."""


class Entry(NamedTuple):
    """A submission in an inbox, and the person who handed it in."""

    path: Path
    person: str


class Stranger(NamedTuple):
    """Something in an inbox that is left alone, and why."""

    path: Path
    why: str
    hint: str


def entries_in(
    folder: Path, people: ClassList, persons: set[str] | None = None
) -> tuple[list[Entry], list[Stranger]]:
    """Return the entries below *folder*, and what is left alone.

    `FOLDER/PERSON/ENTRY` is that person's.  `FOLDER/ENTRY` is whose the roster *people* says; without one it
    is that of the user who owns the file, unless this is our own user.  *persons* are those of whom it is
    known that they have a folder, which stays one whatever lies in it; who has one is added.  Raises OSError.
    """
    found: list[Entry | Stranger] = []
    persons = set() if persons is None else persons
    for path in sorted(folder.iterdir()):
        try:
            found += [] if is_left_alone(path.name) else [*_entries_at(path, people, persons)]
        except OSError as error:
            why = f"warning: {path} is left alone: {error.strerror or error}"
            found.append(Stranger(path, why, f"chmod g+rwx {shlex.quote(str(path))}, as its owner"))
    strangers = [each for each in found if isinstance(each, Stranger)]
    return [each for each in found if isinstance(each, Entry)], strangers


def _entries_at(path: Path, people: ClassList, persons: set[str]) -> Iterator[Entry | Stranger]:
    folder = path.parent
    if _is_folder_of_person(path, persons):
        if not NAME.fullmatch(path.name):
            why = f"{path} cannot be the folder of a person: expected letters, digits, dots or dashes"
            yield Stranger(path, why, f"rename it: mv {shlex.quote(str(path))} {folder / 'NAME'}")
            return
        persons.add(path.name)
        with os.scandir(path) as inside:
            names = (each.name for each in inside if not is_left_alone(each.name))
            yield from (Entry(path / name, path.name) for name in sorted(islice(names, MOST_ENTRIES)))
    elif person := _person_of(path, people):
        yield Entry(path, person)
    else:
        why = f"{path} belongs to no known person: it is in no person's folder and not in the roster"
        yield Stranger(path, why, f"put it into {folder}/PERSON/, or name it with --roster FILE")


def _is_folder_of_person(path: Path, persons: Collection[str]) -> bool:
    is_folder = path.is_dir() and not path.is_symlink()
    return is_folder and (path.name in persons or not (path / "bot.toml").is_file())


def writers_to_take_away(folder: Path, persons: Collection[str]) -> dict[Path, str]:
    """Return the folders of *persons* below *folder* into which others can write, and who, as chmod says it.

    Its group may write if it is one of ours, or the owner's alone, as many systems give each user one.
    """
    found = {}
    for path in (folder / person for person in sorted(persons)):
        try:
            state = path.lstat()
        except OSError:  # it was removed
            continue
        if not stat.S_ISDIR(state.st_mode):
            continue
        who = "g" if state.st_mode & stat.S_IWGRP and _has_others(state.st_gid, state.st_uid) else ""
        who += "o" if state.st_mode & stat.S_IWOTH else ""
        if who:
            found[path] = who
    return found


def _has_others(group: int, owner: int) -> bool:
    """Return whether *group* may have members besides us and *owner*."""
    if group in (os.getegid(), *os.getgroups()):
        return False
    try:
        user, named = pwd.getpwuid(owner), grp.getgrgid(group)
    except KeyError:
        return True
    return named.gr_name != user.pw_name or not {*named.gr_mem} <= {user.pw_name}


def is_left_alone(name: str) -> bool:
    """Return whether *name* is not that of an entry or folder to take in, or not yet."""
    return name.startswith((".", *LEFT_OUT)) or name.endswith(UNFINISHED)


def _person_of(path: Path, people: ClassList) -> str:
    """Return who handed in the entry at *path*, in no person's folder; empty if that is not known."""
    if person := person_in(people, path):
        return person
    owner = path.lstat().st_uid
    if people or owner == os.getuid():
        return ""
    try:
        return pwd.getpwuid(owner).pw_name
    except KeyError:
        return f"user-{owner}"


def person_in(people: ClassList, path: Path) -> str:
    """Return who handed in the entry at *path* by the roster *people*; empty if that does not name it."""
    entrant = people.of(path)
    return (entrant.handle or entrant.file) if entrant else ""


class InboxLook:
    """What is remembered from one look at an inbox to the next."""

    def __init__(self, is_whole: "Callable[[EntryState], bool | None]") -> None:
        """Ask *is_whole* of archives that may be cut short; it returns None while that is not known yet."""
        self._is_whole = is_whole
        self._seen: dict[Path, _Seen] = {}
        self._clock = time.time() - time.monotonic()
        """The time of the day when the machine started, by the clock of the first look."""

    def young(self) -> Iterator[tuple[Path, float]]:
        """Yield what may still be being written, and when it counts if it is not (s since 1970)."""
        for path, seen in self._seen.items():
            if not (seen.is_complete or seen.state.was_renamed):
                yield path, seen.state.changed_ns / 1e9 + STILL_SECONDS

    def complete(self, entries: list[Entry]) -> list[Entry]:
        """Return those of *entries* that are complete and have not changed since the last look, oldest first.

        Of a person no more files are looked at than one submission may have.
        """
        before, self._seen = self._seen, {}
        files: Counter[str] = Counter()
        now, found = time.monotonic(), []
        # where the time of the day has jumped, ages of files say nothing: only what was seen counts then
        has_jumped = abs(time.time() - now - self._clock) > JUMP_SECONDS
        for entry in entries:
            last = before.get(entry.path)
            if files[entry.person] > MAX_FILES:
                if last:
                    self._seen[entry.path] = last
                continue
            try:
                state = EntryState.of(entry.path)
            except OSError:  # it was removed
                continue
            files[entry.person] += state.files
            if last is None or last.state != state:
                self._seen[entry.path] = _Seen(state, now, is_complete=False)
                continue
            # asked once: an entry may wait long for its turn, and an archive is read from end to end
            by_file = 0.0 if has_jumped else time.time() - state.changed_ns / 1e9
            age = max(now - last.since, by_file)
            is_still = state.was_renamed or age >= STILL_SECONDS
            may_grow = is_archive(entry.path) and not state.is_whole and age < BROKEN_SECONDS
            is_complete = last.is_complete or (is_still and (not may_grow or bool(self._is_whole(state))))
            self._seen[entry.path] = last._replace(is_complete=is_complete)
            if is_complete:
                found.append(entry)
        return sorted(found, key=lambda entry: self._seen[entry.path].state.came_ns)


class EntryState(NamedTuple):
    """The files of an entry, as far as they are looked at: their number and size, and the newest times."""

    path: Path
    files: int
    size: int
    changed_ns: int
    """The newest change of content, by the clock of the disk."""
    came_ns: int
    """When it was put there, or renamed."""
    was_renamed: bool
    is_whole: bool
    """Whether the program that put it there says that nothing is missing."""

    @classmethod
    def of(cls, path: Path) -> "EntryState":
        """Return the state of the entry at *path*.  Raises OSError."""
        top = path.lstat()
        files = [top]
        if stat.S_ISDIR(top.st_mode):
            files += [each.stat(follow_symlinks=False) for each in islice(_below(path), MAX_FILES + 1)]
        newest = max(max(file.st_mtime_ns, file.st_ctime_ns) for file in files)
        size = sum(file.st_size for file in files)
        came, written = top.st_ctime_ns, top.st_mtime_ns
        return cls(path, len(files), size, newest, came, came != written, written == WHOLE_NS)


class _Seen(NamedTuple):
    """What was known of an entry at the last look."""

    state: EntryState
    since: float
    """The time (monotonic) since when it has been so."""
    is_complete: bool


def _below(folder: Path) -> Iterator[os.DirEntry[str]]:
    """Yield what lies below *folder*, without links, and no deeper than a submission may be."""
    folders = deque([(str(folder), 0)])
    while folders:
        at, depth = folders.popleft()
        with suppress(OSError), os.scandir(at) as inside:  # it was removed, or is closed
            for each in inside:
                yield each
                if depth < MOST_FOLDERS and each.is_dir(follow_symlinks=False):
                    folders.append((each.path, depth + 1))
