"""An inbox for tests: what people do there, and a process that looks at it."""

import errno
import json
import os
import time
from collections.abc import Callable
from contextvars import copy_context
from pathlib import Path

import pytest

from ladder.admission.batch import SubmissionAnswer
from ladder.admission.inbox import Inbox, PlayDuel, WritePages
from ladder.admission.inbox_answers import LOG, InboxFolders
from ladder.errors import LadderError, Told
from ladder.home.class_list import ClassList
from ladder.home.home import Home, open_home
from support import ladders

NOBODY = ClassList()
NO_MEANS: tuple[PlayDuel, WritePages] = (lambda asked: [], lambda asked: [])
"""For an inbox that plays no duel, of a home without runs."""


def put(folders: InboxFolders, name: str, text: str = ladders.PLAYER) -> Path:
    """Rename a file into the inbox, as a program that uploads files does."""
    path = folders.inbox / name
    hidden = path.with_name(f".{path.name}")
    hidden.write_text(text)
    return rename(hidden, path)


def rename(hidden: Path, path: Path) -> Path:
    time.sleep(0.02)  # the clock of a disk has steps of some milliseconds
    return hidden.rename(path)


def add_setting(home: Home, line: str) -> None:
    with (home.path / "ladder.toml").open("a") as file:
        file.write(f"[inbox]\n{line}\n")


def take(
    home: Home,
    folders: InboxFolders,
    people: ClassList = NOBODY,
    looks: int = 2,
    said: list[tuple[str, str]] | None = None,
    means: tuple[PlayDuel, WritePages] = NO_MEANS,
) -> list[tuple[str, SubmissionAnswer]]:
    """Look several times, as the command does, with a new process; *said* gets what the operator is told."""
    box, found = Inbox(folders, people, *means), []
    said = [] if said is None else said

    def say(text: str, hint: str) -> None:
        if "bots are not confined" not in text:
            said.append((text, hint))

    with box.lock():
        for _ in range(looks):
            found += box.take(open_home(home.path), 1, say)
    return found


def refuse_renames(
    patch: pytest.MonkeyPatch, is_refused: Callable[[Path, Path], bool], code: int = errno.EACCES
) -> None:
    """Let the disk refuse to rename a path to a target wherever *is_refused* says so."""
    real = Path.rename

    def rename(path: Path, target: Path) -> Path:
        if is_refused(path, target):
            raise OSError(code, os.strerror(code), str(path))
        return real(path, target)

    patch.setattr(Path, "rename", rename)


def answers_in(home: Home) -> list[dict[str, str]]:
    path = home.path / LOG
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def link_to_itself(place: Path) -> None:
    (place / ".s").symlink_to("s.py")
    rename(place / ".s", place / "s.py")


class Here:
    """Stands for errands.Aside: what it is to do is done at once, in this process."""

    def __init__(self, work: Callable[[object], object], task: object, *, starts_others: bool) -> None:
        self._result: object
        try:
            self._result = copy_context().run(work, task)
        except LadderError as error:
            self._result = Told(str(error), error.hint, error.whose, error.exit_code)

    def answer(self) -> object:
        if isinstance(self._result, Exception):
            raise self._result
        return self._result

    def end(self) -> None:
        pass
