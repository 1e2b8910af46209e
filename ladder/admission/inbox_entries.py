"""What is in an inbox: which entries are complete, and who handed in each.

An entry counts when it was renamed into the inbox, or has not changed for a minute.  A rename sets the time
of the last change of the file's record (ctime) and leaves that of its content (mtime); writing sets both to
the same moment.  So a file whose two times differ was complete before it got its name.
"""

from __future__ import annotations

import grp
import os
import pwd
import stat
import tarfile
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from ladder.admission.batch import LEFT_OUT
from ladder.home.class_list import ClassList
from ladder.registry.bot_archive import TARS, ZIP
from ladder.registry.handles import NAME

__all__ = [
    "Entry",
    "InboxLook",
    "Stranger",
    "closed_part_of",
    "entries_in",
    "person_in",
    "writers_to_take_away",
]

STILL_SECONDS = 60.0
"""An entry that was written into the inbox counts when it has not changed for this time."""
JUMP_SECONDS = 10.0
"""A time of the day that moves by more than this beside the time that passes has been set."""
BROKEN_SECONDS = 600.0
"""An archive that is not whole counts after this time, and is refused then."""
UNFINISHED = (".part", ".filepart")
"""What programs that upload files add to their names until they are complete."""
MOST_UNPACKED = 2**30
"""Bytes: of an archive that holds more, no more is read to see whether it is whole."""


class Entry(NamedTuple):
    """A submission in an inbox, and the person who handed it in."""

    path: Path
    person: str


class Stranger(NamedTuple):
    """Something in an inbox that is left alone, and why."""

    path: Path
    why: str
    hint: str


def entries_in(folder: Path, people: ClassList) -> tuple[list[Entry], list[Stranger]]:
    """Return the entries below *folder*, and what belongs to no known person.

    `FOLDER/PERSON/ENTRY` is that person's.  `FOLDER/ENTRY` is whose the roster *people* says; without one it
    is that of the user who owns the file, unless this is our own user.  Raises OSError.
    """
    found: list[Entry] = []
    strangers: list[Stranger] = []
    for path in sorted(folder.iterdir()):
        if _is_left_alone(path):
            continue
        if _is_folder_of_person(path):
            if NAME.fullmatch(path.name):
                found += [
                    Entry(entry, path.name) for entry in sorted(path.iterdir()) if not _is_left_alone(entry)
                ]
            else:
                why = f"{path} cannot be the folder of a person: expected letters, digits, dots or dashes"
                strangers.append(Stranger(path, why, f"rename it: mv {path} {folder / 'NAME'}"))
            continue
        if person := _person_of(path, people):
            found.append(Entry(path, person))
        else:
            why = f"{path} belongs to no known person: it is in no person's folder and not in the roster"
            strangers.append(
                Stranger(path, why, f"put it into {folder}/PERSON/, or name it with --roster FILE")
            )
    return found, strangers


def _is_folder_of_person(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink() and not (path / "bot.toml").is_file()


def writers_to_take_away(folder: Path) -> dict[Path, str]:
    """Return the folders of persons below *folder* into which others can write, and who, as chmod says it.

    Its group may write if it is one of ours, or the owner's alone, as many systems give each user one.
    Raises OSError.
    """
    found = {}
    for path in sorted(folder.iterdir()):
        if _is_left_alone(path) or not _is_folder_of_person(path):
            continue
        state = path.stat()
        who = "g" if state.st_mode & stat.S_IWGRP and _has_others(state.st_gid, state.st_uid) else ""
        who += "o" if state.st_mode & stat.S_IWOTH else ""
        if who:
            found[path] = who
    return found


def closed_part_of(path: Path) -> Path | None:
    """Return what keeps us from reading and moving the entry at *path*; None if nothing does.

    A folder that is moved must let us write into it, because the entry for its parent changes.
    """
    if not os.access(path.parent, os.W_OK | os.X_OK):
        return path.parent
    if path.is_symlink():
        return None
    if not path.is_dir():
        return None if os.access(path, os.R_OK) else path
    for root, _, files in os.walk(path):
        if not os.access(root, os.R_OK | os.W_OK | os.X_OK):
            return Path(root)
        closed = (Path(root, name) for name in files if not os.access(Path(root, name), os.R_OK))
        if found := next((file for file in closed if not file.is_symlink()), None):
            return found
    return None


def _has_others(group: int, owner: int) -> bool:
    """Return whether *group* may have members besides us and *owner*."""
    if group in (os.getegid(), *os.getgroups()):
        return False
    try:
        user, named = pwd.getpwuid(owner), grp.getgrgid(group)
    except KeyError:
        return True
    return named.gr_name != user.pw_name or not {*named.gr_mem} <= {user.pw_name}


def _is_left_alone(path: Path) -> bool:
    return path.name.startswith((".", *LEFT_OUT)) or path.name.endswith(UNFINISHED)


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

    def __init__(self) -> None:
        self._seen: dict[Path, _Seen] = {}
        self._clock = time.time() - time.monotonic()
        """The time of the day when the machine started, by the clock of the first look."""

    def complete(self, entries: list[Entry]) -> list[Entry]:
        """Return which of *entries* are complete; none that has changed since the last look."""
        before, self._seen = self._seen, {}
        now, found = time.monotonic(), []
        # where the time of the day has jumped, ages of files say nothing: only what was seen counts then
        has_jumped = abs(time.time() - now - self._clock) > JUMP_SECONDS
        for entry in entries:
            try:
                state = _State.of(entry.path)
            except OSError:  # it was removed
                continue
            last = before.get(entry.path)
            if last is None or last.state != state:
                self._seen[entry.path] = _Seen(state, now, is_complete=False)
                continue
            # asked once: an entry may wait long for its turn, and an archive is read from end to end
            is_complete = last.is_complete or state.is_still(now - last.since, by_age=not has_jumped)
            self._seen[entry.path] = last._replace(is_complete=is_complete)
            if is_complete:
                found.append(entry)
        return found


class _State(NamedTuple):
    """The files of an entry: their number and size, and the newest times."""

    path: Path
    files: int
    size: int
    changed_ns: int
    """The newest change of content, by the clock of the disk."""
    was_renamed: bool

    @classmethod
    def of(cls, path: Path) -> _State:
        """Return the state of the entry at *path*.  Raises OSError."""
        top = path.lstat()
        files = [top, *(file.lstat() for file in _below(path))] if stat.S_ISDIR(top.st_mode) else [top]
        newest = max(max(file.st_mtime_ns, file.st_ctime_ns) for file in files)
        size = sum(file.st_size for file in files)
        return cls(path, len(files), size, newest, top.st_ctime_ns != top.st_mtime_ns)

    def is_still(self, seen: float, *, by_age: bool) -> bool:
        """Return whether it counts, after it was *seen* unchanged for this time, in seconds.

        The age of its files counts, too, if *by_age*.
        """
        age = max(seen, time.time() - self.changed_ns / 1e9 if by_age else 0.0)
        if not (self.was_renamed or age >= STILL_SECONDS):
            return False
        return age >= BROKEN_SECONDS or _is_whole(self.path)


class _Seen(NamedTuple):
    """What was known of an entry at the last look."""

    state: _State
    since: float
    """The time (monotonic) since when it has been so."""
    is_complete: bool


def _below(folder: Path) -> Iterator[Path]:
    for root, folders, files in os.walk(folder):
        yield from (Path(root, name) for name in (*folders, *files))


def _is_whole(path: Path) -> bool:
    """Return whether *path* is no archive, or one that is not cut short."""
    name = path.name.lower()
    if path.is_symlink() or not path.is_file():
        return True
    try:
        if name.endswith(ZIP):
            return zipfile.is_zipfile(path)
        if name.endswith(tuple(TARS)):
            unpacked = 0
            with tarfile.open(path, "r:*") as archive:
                for member in archive:
                    unpacked += member.size
                    if unpacked > MOST_UNPACKED:
                        break
    except (OSError, EOFError, tarfile.TarError, zipfile.BadZipFile, ValueError):
        return False
    return True
