"""An inbox for tests: what people do there, and a process that looks at it."""

import json
import time
from pathlib import Path

from ladder.admission.batch import SubmissionAnswer
from ladder.admission.inbox import Inbox
from ladder.admission.inbox_answers import LOG, InboxFolders
from ladder.home.class_list import ClassList
from ladder.home.home import Home, open_home
from support import ladders

NOBODY = ClassList()


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
    home: Home, folders: InboxFolders, people: ClassList = NOBODY, looks: int = 2
) -> list[tuple[str, SubmissionAnswer]]:
    """Look several times, as the command does, with a new process each."""
    box, found = Inbox(folders, people), []
    with box.lock():
        for _ in range(looks):
            found += box.take(open_home(home.path), 1, lambda text, hint: None)
    return found


def answers_in(home: Home) -> list[dict[str, str]]:
    path = home.path / LOG
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def link_to_itself(place: Path) -> None:
    (place / ".s").symlink_to("s.py")
    rename(place / ".s", place / "s.py")
