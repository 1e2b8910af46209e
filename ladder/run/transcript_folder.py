"""Where the transcripts of a run are written."""

from __future__ import annotations

from ladder.errors import LadderError
from ladder.home.home import Home
from ladder.worker.worker_messages import TranscriptPlace


def make_place(home: Home, run: int | str) -> TranscriptPlace:
    """Make the folder for the transcripts of *run*, the number of a run or the name of an unrated one.

    They show every card, so others may not read them.  Raises LadderError if the folder cannot be made.
    """
    folder = home.transcripts / str(run)
    try:
        home.transcripts.mkdir(mode=0o700, exist_ok=True)
        folder.mkdir(exist_ok=True)
    except OSError as error:
        what = f"the folder for transcripts cannot be made: {error}"
        raise LadderError(what, "correct that; or the same command without --transcript") from None
    return TranscriptPlace(str(folder.resolve()))
