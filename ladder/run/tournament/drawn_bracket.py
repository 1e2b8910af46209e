"""A bracket, drawn: rounds side by side where names have room, lists of tables for the others."""

from collections.abc import Iterator, Sequence
from typing import Final

from rich.cells import cell_len

from ladder.pairing.event_report import RoundReport, StageReport, TableReport
from ladder.run.tournament.event_words import name_table, tell_deals, tell_source, tell_won
from ladder.run.tournament.table_lists import Drawing, cut, list_round, pad, tell_notes

NAMED: Final = (9, 12, 24)
"""Columns for names in a drawing: the least, the least where some are longer, and the most."""
SCORED: Final = 4
"""Columns of a score and the space before it."""
JOINT: Final = 3
"""Columns between the seats of two rounds, which lines join."""
LIVES: Final = ("upper", "lower")


def draw_bracket(stage: StageReport, drawing: Drawing) -> Iterator[str]:
    """Yield a bracket as lines: at two seats drawn, as many of its last rounds as fit; else as lists.

    The two lives of a double knock-out stand one below the other, the final below them.
    """
    for title, rounds in _parts(stage):
        if title:
            yield f"  {title}"
        is_drawn = all(len(table.entrants) == 2 for each in rounds for table in each.tables)
        listed = len(rounds) - (_count_drawn(rounds, drawing) if is_drawn else 0)
        for each in rounds[:listed]:
            yield from list_round(each, drawing)
        if rounds[listed:]:
            yield from _Canvas(rounds[listed:], drawing).lines()
            yield from _note_rounds(rounds[listed:], drawing)
        yield ""
    if stage.is_over and stage.rounds and (ranking := stage.rounds[-1].tables[-1].ranking):
        yield "  winner: " + drawing.strong(cut(drawing.names[ranking[0]], drawing.width - 10))
        yield ""


def _parts(stage: StageReport) -> Iterator[tuple[str, Sequence[RoundReport]]]:
    """Yield the lives of a bracket with their names, then its final; a single bracket has no name."""
    life_of = {each.name: name_table(each.name).partition(" ")[0] for each in stage.rounds}
    if not set(LIVES) & set(life_of.values()):
        yield "", stage.rounds
        return
    for life in LIVES:
        if rounds := [each for each in stage.rounds if life_of[each.name] == life]:
            yield f"{life} bracket", rounds
    for each in stage.rounds:
        if life_of[each.name] not in LIVES:
            yield "", [each]


def _count_drawn(rounds: Sequence[RoundReport], drawing: Drawing) -> int:
    """Return how many of the last *rounds* can be drawn side by side."""
    # the last rounds decide, so where not all have room, the first are listed; one alone is no drawing
    for count in range(len(rounds), 1, -1):
        if _room(rounds[-count:], drawing) >= min(NAMED[1], _longest(rounds[-count:], drawing)):
            return count
    return 0


def _longest(rounds: Sequence[RoundReport], drawing: Drawing) -> int:
    """Return how wide the longest name of *rounds* is, and at least the first of NAMED."""
    there = {entrant for each in rounds for table in each.tables for entrant in table.entrants}
    return max([NAMED[0], *(cell_len(drawing.names[entrant]) for entrant in there if entrant is not None)])


def _room(rounds: Sequence[RoundReport], drawing: Drawing) -> int:
    """Return how many columns a name has if *rounds* stand side by side."""
    return (drawing.width - 2 - JOINT * (len(rounds) - 1)) // len(rounds) - SCORED


def _note_rounds(rounds: Sequence[RoundReport], drawing: Drawing) -> Iterator[str]:
    """Yield what the drawing of *rounds* does not show."""
    tables = [table for each in rounds for table in each.tables]
    for table in tables:
        if table.blocks and not table.is_over:
            yield cut(f"    {name_table(table.name)}: {tell_deals(table)}", drawing.width)
    notes = [note for table in tables for note in table.notes]
    yield from tell_notes([*notes, *(note for each in rounds for note in each.notes)], drawing, " " * 4)


class _Canvas:
    """Rounds side by side: each seat stands on the line from which the winner of the table before comes."""

    def __init__(self, rounds: Sequence[RoundReport], drawing: Drawing) -> None:
        self._rounds = rounds
        self._drawing = drawing
        self._width = min(NAMED[2], _room(rounds, drawing), _longest(rounds, drawing))
        """Of names."""
        self._pitch = self._width + SCORED + JOINT
        """From a round to the next one."""
        self._tables = {
            table.name: (index, table) for index, each in enumerate(rounds) for table in each.tables
        }
        self._rows: dict[int, dict[int, str]] = {}
        """By line, and by the column where it begins: a text, as wide as it is drawn."""
        self._emphasised: set[tuple[int, int]] = set()
        """The line and the column of such texts."""
        self._next = 0
        """The next free line."""

    def lines(self) -> Iterator[str]:
        inner = {source for _, table in self._tables.values() for source, place in table.sources if not place}
        titles = [pad(name_table(each.name), self._width + SCORED) for each in self._rounds]
        yield ("  " + (" " * JOINT).join(titles)).rstrip()
        # from the final back to the first round: a table stands in the middle of the two that lead to it
        for name in self._tables:
            if name not in inner:
                self._place(name)
        for row in range(max(self._rows, default=-1) + 1):
            yield self._line(row).rstrip()

    def _line(self, row: int) -> str:
        line, used = "", 0
        for column, text in sorted(self._rows.get(row, {}).items()):
            line += " " * (column - used)
            used = column + cell_len(text)
            line += self._drawing.strong(text) if (row, column) in self._emphasised else text
        return line

    def _place(self, name: str) -> int:
        """Draw a table and all that leads to it; return the line from which its winner goes on."""
        index, table = self._tables[name]
        left = 2 + index * self._pitch
        lines = []
        for seat, source in enumerate(table.sources):
            before = self._tables.get(source[0])
            if before is not None and source[1] == 0:
                line = self._place(source[0])
                start = 2 + before[0] * self._pitch + self._width + SCORED + 1
                self._put(line, start, "├" + "─" * (left - start - 1))
            else:
                line = self._next
                self._next += 2
            lines.append(line)
            self._put_seat(line, left, table, seat)
        if len(lines) < 2:
            return lines[0]
        right = left + self._width + SCORED
        is_last = index == len(self._rounds) - 1
        upper, lower = lines
        if not is_last:
            self._put(upper, right, "─┐")
            self._put(lower, right, "─┘")
            for line in range(upper + 1, lower):
                self._rows.setdefault(line, {}).setdefault(right + 1, "│")
        return (upper + lower) // 2

    def _put(self, line: int, column: int, text: str) -> None:
        self._rows.setdefault(line, {})[column] = text

    def _put_seat(self, line: int, left: int, table: TableReport, seat: int) -> None:
        if (entrant := table.entrants[seat]) is None:
            name = tell_source(table.sources[seat], 2)
            if cell_len(name) > self._width + SCORED:
                name = f"({name_table(table.sources[seat][0])})"
            self._put(line, left, pad(name, self._width + SCORED))
            return
        text = pad(self._drawing.names[entrant], self._width) + pad(
            tell_won(table, seat) or "-", SCORED, right=True
        )
        self._put(line, left, text)
        if table.is_over and table.ranking[: table.go_on] == (entrant,):
            self._emphasised.add((line, left))
