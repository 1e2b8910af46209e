"""What a round says beside its results: byes, second meetings, forfeits, what the seeds decided."""

from collections.abc import Callable
from dataclasses import dataclass

from ladder.pairing.event_table import BANNED, FORFEIT, EventTable

BYE, AGAIN, AUTHORS, SEEDED, UNPLAYED = "bye", "again", "authors", "seeded", "unplayed"
SENTENCES = {
    BYE: "{} sits out.",
    AGAIN: "{} have met before: no pairing without second meetings was found.",
    AUTHORS: "{} have the same author: keeping authors apart would need a second meeting.",
    FORFEIT: "{} could not start and forfeits.",
    BANNED: "{} is banned and has left the tournament.",
    SEEDED: "{} were equal at the end: the better seed goes on.",
    UNPLAYED: "{} are too few for a table of this game: what was played counts, then seeds.",
}


@dataclass(frozen=True)
class EventNote:
    """Something to say about entrants, by their numbers."""

    kind: str
    """A key of SENTENCES: bye, again, authors, forfeit, banned, seeded, unplayed."""
    entrants: tuple[int, ...]


def note_table(table: EventTable) -> list[EventNote]:
    """Return the notes on a table: who left it, and what the seeds decided."""
    notes = [EventNote(why, (entrant,)) for entrant, why in table.left.items()]
    if table.is_stranded:
        notes.append(EventNote(UNPLAYED, table.seated))
    elif equal := table.seed_decided:
        notes.append(EventNote(SEEDED, equal))
    return notes


def tell_note(note: EventNote, name_of: Callable[[int], str]) -> str:
    *most, last = map(name_of, note.entrants)
    return SENTENCES[note.kind].format(f"{', '.join(most)} and {last}" if most else last)
