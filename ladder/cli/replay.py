"""`ladder replay`: one match, move by move."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from ladder.cli.options import HomeOption, TextOrJson, existing_home, note, print_json
from ladder.errors import UsageProblem
from ladder.run.option import Argument, Option
from results.reports.values_as_text import escape

if TYPE_CHECKING:
    from results.storage.contents import Contents

MATCHES = "RUN/NUMBER, d1/NUMBER for a duel, TOURNAMENT/NUMBER, last"
"""How a match is named."""


def replay(
    match: Annotated[
        str, Argument(f"{MATCHES}, or the id that its bots read.", metavar="MATCH", completes="matches")
    ],
    file: Annotated[
        Path | None, Argument("With --html: the file or the folder to write to; - is stdout.", metavar="FILE")
    ] = None,
    html: Annotated[bool, Option("Write a page that steps through the match: one file, no network.")] = False,
    seat: Annotated[int | None, Option("Show only what seat N saw and noted.", metavar="N")] = None,
    no_notes: Annotated[bool, Option("Leave out the notes of the bots.")] = False,
    transcript: Annotated[
        bool, Option("Print the lines to and from the bots (of --seat alone), if the run has kept them.")
    ] = False,
    home: HomeOption = None,
    format: Annotated[  # noqa: A002 - the option's name
        TextOrJson,
        Option(
            "json: the whole record: the deal, and what all seats, or --seat alone, had and did.",
            ("--format", "-f"),
        ),
    ] = "table",
) -> None:
    """Show one match, move by move.

    At the end are the final table, the ranks and the faults. Without --seat, the text, the page and the JSON
    show what all seats had.

    With --html: a page for a browser, with the board of every step as each seat saw it. Its name is
    match-RUN-NUMBER.html unless you give one. After `ladder review`, it also shows the chances of the seats
    and the cost of decisions.

    Example: ladder replay last --html
    """
    from ladder.replay.replay import record_of, without_notes
    from ladder.replay.seat import check_seat, seat_record
    from ladder.worker.read_transcript import narrate_transcript
    from results.storage.unrated import contents_with

    json = format == "json"
    if file and not html:
        raise UsageProblem(f"a file needs --html: {str(file)!r}", f"ladder replay {match} --html {file}")
    asked = {"--transcript": transcript, "--html": html, "--format json": json}
    both = [option for option, given in (asked | {"--no-notes": no_notes and transcript}).items() if given]
    if len(both) > 1:
        raise UsageProblem(f"expected {both[0]} or {both[1]}, got both", f"ladder replay {match} {both[0]}")
    where = existing_home(home)
    contents, wanted = contents_with(where.results, match)
    record, numbers = record_of(contents, wanted, dealt=not (html or transcript)), where.roster.numbers()
    if seat is not None:
        check_seat(record, seat)
    record = without_notes(record) if no_notes else record
    if transcript:
        for line in narrate_transcript(where.transcripts, record, seat):
            print(line)
    elif html:
        _write_page(record, seat, numbers, file, contents, wanted)
    elif json:
        print_json(record if seat is None else seat_record(record, seat))
    else:
        _print_text(record, seat, numbers)


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


def _print_text(record: dict[str, Any], seat: int | None, numbers: Any) -> None:
    from ladder.replay.replay import narrate
    from ladder.replay.seat import narrate_seat

    for line in narrate(record, numbers) if seat is None else narrate_seat(record, seat, numbers):
        print("\n".join(escape(part) for part in line.split("\n")))
