"""The transcript of a stored match, where its run has kept one: every line to and from the bots."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from ladder.errors import LadderError, NotFound
from ladder.worker.transcript import LEGEND, TITLE
from ladder.worker.worker_messages import TranscriptPlace
from results.record import Json


def narrate_transcript(folder: Path, record: Mapping[str, Json], seat: int | None = None) -> Iterator[str]:
    """Yield the lines of the match of *record*, from the transcripts in *folder*.

    Of a *seat*, only its own lines, and no times: they would show how long the others have thought.  If the
    match was played again, all its playings follow each other; the last one counts.  Raises NotFound if no
    transcript was kept, LadderError if it cannot be read.
    """
    name = f"{record['run']}/{record['number']}"
    file = TranscriptPlace(str(folder / str(record["run"]))).file_of(record["number"])
    found = False
    try:
        with file.open(encoding="utf-8", errors="backslashreplace") as text:
            for line in _of_match(text, record["seats"][0]["name"]):
                found = True
                if seat is None:
                    yield line
                elif own := _of_seat(line, seat):
                    yield own
    except FileNotFoundError:
        pass
    except OSError as error:
        what = f"the transcript of match {name} cannot be read: {error}"
        raise LadderError(what, f"ladder replay {name}") from None
    if not found:
        raise NotFound(
            f"no transcript of match {name} was kept here",
            f"ladder replay {name}; ladder run --transcript keeps those of the matches that it plays",
        )


def _of_match(text: Iterable[str], told: str) -> Iterator[str]:
    """Yield the lines of the match whose first seat was *told* this name: homes may share its number."""
    heading: list[str] = []
    is_own = False
    for line in (each.removesuffix("\n") for each in text):
        if line.startswith(TITLE):
            heading, is_own = [], False
        if is_own:
            yield line
        else:
            heading.append(line)
            if line == LEGEND and any(other.endswith(f", told {told}") for other in heading):
                is_own = True
                yield from heading


def _of_seat(line: str, seat: int) -> str:
    """Return what *line* shows of *seat*; empty if it is of another one."""
    if line.startswith("#"):
        of_another = line.startswith("# seat ") and not line.startswith(f"# seat {seat}:")
        return "" if of_another or line == LEGEND else line
    _, number, text = line.split(maxsplit=2)
    return text if number == str(seat) else ""
