"""`ladder inbox`: let people submit bots without a shell."""

import time
from pathlib import Path
from typing import Annotated

import typer

from ladder.cli.options import HomeOption, home_for_writing, note
from ladder.errors import TooBusy, printable
from ladder.run.match_options import JOBS
from ladder.run.option import Argument, Option


def inbox(
    folder: Annotated[Path, Argument("The folder that holds a folder for each person.", metavar="FOLDER")],
    outbox: Annotated[
        Path | None, Option("Write answers to OUTBOX/PERSON.", metavar="FOLDER", default="outbox beside it")
    ] = None,
    done: Annotated[
        Path | None,
        Option("Move submitted files to DONE/PERSON.", metavar="FOLDER", default="done beside it"),
    ] = None,
    roster: Annotated[
        Path | None,
        Option("A CSV file with the owners of files that lie in no person's folder.", metavar="FILE"),
    ] = None,
    once: Annotated[bool, Option("Submit what is there, say what still waits, and exit: for cron.")] = False,
    jobs: Annotated[int | None, JOBS] = None,
    home: HomeOption = None,
) -> None:
    """Submit the bots that people put into folders.

    A file in FOLDER/PERSON is submitted as by `ladder submit`, or is a wish. The answer is written to
    OUTBOX/PERSON, and the file moves to DONE/PERSON. After each run OUTBOX/PERSON/bots says what is new. A
    bot belongs to the person in whose folder it lay: let only that person write there.

    A file counts once it was renamed into the folder, or has not changed for a minute; names that begin with
    a dot or end in .part are left alone. `ladder run --forever` plays the new bots.

    Example: ladder inbox inbox
    """
    from ladder.admission.inbox import LOOK_SECONDS, Inbox
    from ladder.admission.inbox_answers import InboxFolders
    from ladder.cli.admitting import play_duel
    from ladder.cli.submit import brief_answer
    from ladder.home.class_list import ClassList, read_class_list
    from ladder.home.home import open_home
    from ladder.web.pages.member_pages import write_member_pages

    people = ClassList() if roster is None else read_class_list(roster)
    folders = InboxFolders(folder, outbox or folder.parent / "outbox", done or folder.parent / "done")
    box = Inbox(folders, people, play_duel, write_member_pages)

    with box.lock():
        with home_for_writing(home) as where:
            path = where.path
        note(f"taking in what comes to {folder}; answers are in {folders.outbox}")
        looks = 0
        while True:
            where, taken = open_home(path), False
            for person, answer in box.take(where, jobs or where.settings.run.jobs, _say):
                again = f"{answer.hint}; it stays in {folders.taking}, and is tried again"
                told = f"{person}: {answer.path.name}: {brief_answer(answer)}"
                _say(told, again if answer.not_judged else "")
                taken = True
            looks += 1
            # a second look, a moment later, shows which files are still being written
            if once and not (taken or looks < 2 or box.rests(late=False) or box.is_at_work):
                for text in box.waiting():
                    _say(text)
                raise typer.Exit(TooBusy.exit_code if box.rests(late=True) else 0)
            time.sleep(LOOK_SECONDS)


def _say(text: str, hint: str = "") -> None:
    """Say *text* on one line, whatever names are in it."""
    note(printable(text), printable(hint))
