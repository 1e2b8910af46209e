"""`ladder replay`: one match, move by move."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from ladder.api.asked import ReplayRequest
from ladder.cli.options import TextOrJson, existing_home, note, print_json
from ladder.cli.show_document import fit_lines, text_width
from ladder.errors import UsageProblem
from ladder.run.option import Argument, Option
from results.reports.values_as_text import escape

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from results.storage.contents import Contents


def replay(
    chosen: ReplayRequest,
    file: Annotated[
        Path | None, Argument("With --html: the file or the folder to write to; - is stdout.", metavar="FILE")
    ] = None,
    html: Annotated[bool, Option("Write a page of the match: one file, no network.", short=True)] = False,
    transcript: Annotated[
        bool, Option("Print the lines to and from the bots (of --seat alone), if the run has kept them.")
    ] = False,
    moves: Annotated[bool, Option("Print the moves as bots write them, no words.", short=True)] = False,
    no_pager: Annotated[bool, Option("Print all at once, also on a terminal.")] = False,
    format: Annotated[  # noqa: A002 - the option's name
        TextOrJson,
        Option(
            "json: the whole record: the deal, and what all seats, or --seat alone, had and did.",
            ("--format", "-f"),
        ),
    ] = "table",
) -> None:
    """Show one match, step by step, in words.

    On a terminal it goes through PAGER, or less. At the end are the final table, the ranks and the faults.
    Without --seat, the text, the page and the JSON show what all seats had.

    With --html: a page for a browser, with the board of every step as each seat saw it. Its name is
    match-RUN-NUMBER.html unless you give one. After `ladder review`, it also shows the chances of the seats
    and the cost of decisions.

    Example: ladder replay last --html
    """
    from ladder.replay.seat import read_record, seat_record
    from ladder.worker.read_transcript import narrate_transcript
    from results.storage.unrated import contents_with

    match, seat, no_notes, json = chosen.match, chosen.seat, chosen.no_notes, format == "json"
    asked = {"--transcript": transcript, "--html": html, "--format json": json, "--moves": moves}
    _check_options(match, file, asked | {"--no-notes": no_notes and transcript})
    where = existing_home(chosen.home)
    contents, wanted = contents_with(where.results, match)
    dealt = not (html or transcript or (json and seat is None))
    record = read_record(contents, wanted, seat, no_notes=chosen.no_notes, dealt=dealt)
    numbers = where.roster.numbers()
    if transcript:
        print(*narrate_transcript(where.transcripts, record, seat), sep="\n")
    elif html:
        _write_page(record, seat, numbers, file, contents, wanted)
    elif json:
        print_json(record if seat is None else seat_record(record, seat))
    else:
        _print_text(record, seat, numbers, moves=moves, paged=not no_pager)


def _check_options(match: str, file: Path | None, asked: Mapping[str, bool]) -> None:
    """Raise UsageProblem if two options are *asked* that exclude each other, or a *file* without a page."""
    if file and not asked["--html"]:
        raise UsageProblem(f"a file needs --html: {str(file)!r}", f"ladder replay {match} --html {file}")
    both = [option for option, given in asked.items() if given]
    if len(both) > 1:
        raise UsageProblem(f"expected {both[0]} or {both[1]}, got both", f"ladder replay {match} {both[0]}")


def _write_page(
    record: dict[str, Any], seat: int | None, numbers: Any, file: Path | None, contents: Contents, wanted: str
) -> None:
    from ladder.replay.replay import find_match
    from ladder.replay.review.reviewing import find_review
    from ladder.web.pages.file import choose_file, write_page
    from ladder.web.pages.viewer import viewer_page

    review = find_review(contents, find_match(contents, wanted))
    page = viewer_page(record, seat=seat, numbers=numbers, review=review)
    if str(file) == "-":
        print(page, end="")
        return
    name = f"match-{record['run']}-{record['number']}" + ("" if seat is None else f"-seat{seat}") + ".html"
    path = choose_file(file, name)
    write_page(page, path)
    note(f"wrote {path}: {len(page.encode()) / 1000:,.0f} kB", "open it in a browser")


def _print_text(record: dict[str, Any], seat: int | None, numbers: Any, *, moves: bool, paged: bool) -> None:
    from ladder.replay.narration import tell_steps
    from ladder.replay.replay import narrate
    from ladder.replay.seat import narrate_seat
    from ladder.replay.steps import EVERYTHING

    steps = None if moves else partial(tell_steps, viewpoint=EVERYTHING if seat is None else seat)
    told = narrate(record, numbers, steps) if seat is None else narrate_seat(record, seat, numbers, steps)
    if moves:
        for line in told:
            print("\n".join(escape(part) for part in line.split("\n")))
    else:
        _page_lines(told, paged=paged)


PAGER = "less -FRX"
"""What a long answer is read with on a terminal, unless PAGER says otherwise."""


def _page_lines(lines: Iterable[str], *, paged: bool) -> None:
    """Print *lines* so that they fit; on a terminal through a pager, if it shall be *paged*."""
    from ladder.live.fitting import fit

    fitted: list[str] = []
    for line in lines:
        # several lines are the text of a view, which is set for a width of its own
        told = "\n".join(map(escape, line.split("\n")))
        fitted += fit(told, text_width()) if "\n" in told else fit_lines(told)
    text = "\n".join(fitted) + "\n"
    usual = "" if os.environ.get("TERM") == "dumb" else PAGER
    try:
        command = shlex.split(os.environ.get("PAGER", usual)) if paged and sys.stdout.isatty() else []
        pager = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=sys.stdout) if command else None
    except (OSError, ValueError):  # it is missing, or not spelled as a command
        pager = None
    if not pager:
        print(text, end="")
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # the pager reads it in its own way
    pager.communicate(text.encode(sys.stdout.encoding, "plain"))
    signal.signal(signal.SIGINT, before)
