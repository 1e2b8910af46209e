"""`ladder inbox`: let people submit bots without a shell."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from ladder.cli.options import HomeOption, home_for_writing, note
from ladder.run.match_options import JOBS
from ladder.run.option import Argument, Option

if TYPE_CHECKING:
    from ladder.admission.inbox import Inbox

__all__ = ["inbox"]

LOOK_SECONDS = 2.0
"""How often the inbox is looked at."""
BUSY_SECONDS = 60.0
"""How long it rests after a submission that the machine was too busy to judge."""


def inbox(
    folder: Annotated[Path, Argument("The folder that holds a folder for each person.", metavar="FOLDER")],
    outbox: Annotated[
        Path | None, Option("Write answers to OUTBOX/PERSON.", metavar="FOLDER", default="outbox beside it")
    ] = None,
    done: Annotated[
        Path | None,
        Option("Move what was taken in to DONE/PERSON.", metavar="FOLDER", default="done beside it"),
    ] = None,
    roster: Annotated[
        Path | None,
        Option("Whose files are that lie in no person's folder: a CSV file.", metavar="FILE"),
    ] = None,
    once: Annotated[bool, Option("Take in what is there, and end: for cron.")] = False,
    jobs: Annotated[int | None, JOBS] = None,
    home: HomeOption = None,
) -> None:
    """Take in bots that people put into folders.

    What appears in FOLDER/PERSON is submitted as `ladder submit` does. The answer comes to OUTBOX/PERSON,
    and the file moves to DONE/PERSON. A bot belongs to the person in whose folder it lay: let only that
    person write there.

    A file counts once it was renamed into the folder, or has not changed for a minute; names that begin
    with a dot or end in .part are left alone. `ladder run --forever` plays what comes in.

    Example: ladder inbox inbox
    """
    from ladder.admission.inbox import Inbox, InboxFolders
    from ladder.home.class_list import ClassList, read_class_list

    people = ClassList() if roster is None else read_class_list(roster)
    folders = InboxFolders(folder, outbox or folder.parent / "outbox", done or folder.parent / "done")
    box = Inbox(folders, people)
    with box.lock():
        with home_for_writing(home) as where:
            path = where.path
        note(f"taking in what comes to {folder}; answers are in {folders.outbox}")
        looks = 0
        while True:
            taken = _take(box, path, jobs)
            looks += 1
            # a second look, a moment later, shows which files are still being written
            if once and not taken and looks >= 2:
                return
            time.sleep(LOOK_SECONDS)


def _take(box: Inbox, path: Path, jobs: int | None) -> int:
    """Take in what is complete; return how many answers there are."""
    from ladder.cli.submit import brief_answer
    from ladder.home.home import open_home
    from ladder.machine.cores import usable_cores

    home = open_home(path)  # its settings and bots may have changed
    try:
        answers = box.take(home, jobs or home.settings.run.jobs or len(usable_cores()), note)
    except OSError as error:
        note(
            f"warning: {error}; nothing is lost",
            "make room on the disk, or mend the folder: it is tried again",
        )
        time.sleep(BUSY_SECONDS)
        return 0
    for person, answer in answers:
        note(f"{person}: {answer.path.name}: {brief_answer(answer)}")
    if any(answer.not_judged for _, answer in answers):
        time.sleep(BUSY_SECONDS)
    return len(answers)
