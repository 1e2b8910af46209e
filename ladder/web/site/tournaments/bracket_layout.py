"""Where the tables of a bracket stand, in columns and rows, before it is drawn."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from ladder.pairing.event_report import RoundReport, TableReport

BETWEEN: Final = 0.7
"""What is free between two tables of a column, in rows."""
HEADING: Final = 1.6
"""The height of the name of a round, in rows."""
LOWER: Final = "lower"
UPPER: Final = "upper"
MAIN: Final = "main"


class PlacedTable(NamedTuple):
    """A table, with the column in which it stands, and how many rows down it begins."""

    table: TableReport
    column: int
    top: float
    seats: tuple[int, ...]
    """The indexes of its seats, from top to bottom: by the results, if it has more than two."""

    @property
    def middle(self) -> float:
        """How many rows down its middle is."""
        return self.top + len(self.seats) / 2

    def row_of(self, seat: int) -> float:
        """Return how many rows down the middle of the row of *seat* is."""
        return self.top + self.seats.index(seat) + 0.5


class PlacedRound(NamedTuple):
    """A round whose name stands above a column, and how many rows down."""

    round: RoundReport
    column: int
    top: float


class SeatLine(NamedTuple):
    """A line from a table to the seat of one that goes on, each end as its column and its rows down."""

    column: int
    start: float
    to_column: int
    end: float


class BracketLayout(NamedTuple):
    """A bracket: all is in columns, and in rows of one seat each."""

    rounds: Sequence[PlacedRound]
    tables: Sequence[PlacedTable]
    lines: Sequence[SeatLine]
    columns: int
    rows: float


def lay_bracket(rounds: Sequence[RoundReport]) -> BracketLayout:
    """Return where the tables of *rounds* stand: a column for each round, a table between those it follows.

    The rounds of the second life stand below those of the first; what ends both stands at their right.
    """
    lanes: dict[str, list[RoundReport]] = {UPPER: [], LOWER: [], MAIN: []}
    for each in rounds:
        lanes[_lane_of(each)].append(each)
    first_main = max(len(lanes[UPPER]), len(lanes[LOWER]))
    placed_rounds, tops, columns, down = list[PlacedRound](), dict[str, float](), dict[str, int](), 0.0
    for lane in (UPPER, LOWER):
        if lanes[lane]:
            placed_rounds += [PlacedRound(each, column, down) for column, each in enumerate(lanes[lane])]
            lane_tops, height = _stack(lanes[lane])
            tops |= {name: down + HEADING + top for name, top in lane_tops.items()}
            down += HEADING + height + BETWEEN
            columns |= {table.name: at for at, each in enumerate(lanes[lane]) for table in each.tables}
    columns |= {table.name: first_main + at for at, each in enumerate(lanes[MAIN]) for table in each.tables}
    if first_main:
        main = _follow(lanes[MAIN], tops)
        placed_rounds += [
            PlacedRound(each, first_main + at, main[each.tables[0].name] - HEADING)
            for at, each in enumerate(lanes[MAIN])
        ]
    else:
        main, height = _stack(lanes[MAIN])
        main = {name: HEADING + top for name, top in main.items()}
        placed_rounds += [PlacedRound(each, at, 0.0) for at, each in enumerate(lanes[MAIN])]
        down = HEADING + height + BETWEEN
    tops |= main
    tables = {
        table.name: PlacedTable(table, columns[table.name], tops[table.name], _order_seats(table))
        for each in rounds
        for table in each.tables
    }
    width = first_main + len(lanes[MAIN])
    lines = [*_draw_lines(tables)]
    return BracketLayout(placed_rounds, [*tables.values()], lines, width, max(0.0, down - BETWEEN))


def _lane_of(played: RoundReport) -> str:
    local = played.name.rpartition("/")[2]
    return next((lane for lane in (UPPER, LOWER) if local.startswith(f"{lane}-")), MAIN)


def _order_seats(table: TableReport) -> tuple[int, ...]:
    """Return the indexes of the seats of *table* from top to bottom."""
    seats = range(len(table.entrants))
    if len(seats) == 2 or not table.ranking:
        return tuple(seats)
    return tuple(sorted(seats, key=lambda seat: table.ranking.index(table.entrants[seat] or 0)))


def _stack(lane: Sequence[RoundReport]) -> tuple[dict[str, float], float]:
    """Return the tops of the tables of a lane, and its height: each between those from which it is fed."""
    there = {table.name: table for each in lane for table in each.tables}
    tops: dict[str, float] = {}
    down = 0.0

    def place(table: TableReport) -> None:
        nonlocal down
        if table.name in tops:
            return
        before = [there[name] for name, _ in table.sources if name in there]
        for each in before:
            place(each)
        size = len(table.entrants)
        if before:
            tops[table.name] = _middle_of(before, tops) - size / 2
        else:
            tops[table.name] = down
            down += size + BETWEEN

    if any(len(each.entrants) > 2 for each in there.values()):
        tops = _center(lane)
    # from the last round back, so that each table comes after those that it stands between
    for each in reversed(lane):
        for table in each.tables:
            place(table)
    for each in lane:
        _part(each.tables, tops)
    least = min(tops.values(), default=0.0)
    tops = {name: top - least for name, top in tops.items()}
    return tops, max((top + len(there[name].entrants) for name, top in tops.items()), default=0.0)


def _center(lane: Sequence[RoundReport]) -> dict[str, float]:
    """Return the tops of tables that stand in their order, each column around the same middle.

    At more than two seats, a table takes entrants from many others, so it stands between no two of them.
    """
    tops = {}
    for each in lane:
        down = -sum(len(table.entrants) + BETWEEN for table in each.tables) / 2
        for table in each.tables:
            tops[table.name] = down
            down += len(table.entrants) + BETWEEN
    return tops


def _follow(lane: Sequence[RoundReport], tops: Mapping[str, float]) -> dict[str, float]:
    """Return the tops of tables at the right of both lives, whose *tops* are known: all on one line."""
    height = max(tops.values(), default=0.0) + HEADING
    return {table.name: height / 2 for each in lane for table in each.tables}


def _middle_of(tables: Sequence[TableReport], tops: Mapping[str, float]) -> float:
    middles = [tops[table.name] + len(table.entrants) / 2 for table in tables]
    return (min(middles) + max(middles)) / 2


def _part(tables: Sequence[TableReport], tops: dict[str, float]) -> None:
    """Move the tables of one column apart, in place, around where they would be."""
    wanted = sum(tops[table.name] for table in tables)
    free = -float("inf")
    for table in sorted(tables, key=lambda each: tops[each.name]):
        tops[table.name] = max(tops[table.name], free)
        free = tops[table.name] + len(table.entrants) + BETWEEN
    back = (sum(tops[table.name] for table in tables) - wanted) / len(tables)
    for table in tables:
        tops[table.name] -= back


def _draw_lines(tables: Mapping[str, PlacedTable]) -> list[SeatLine]:
    """Return a line for each seat that is fed from a table at its left, among those who go on from there.

    At two seats it begins in the middle of that table, at more at the row of the place.
    """
    lines = []
    for placed in tables.values():
        for seat, (name, place) in enumerate(placed.table.sources):
            before = tables.get(name)
            if before is None or place >= before.table.go_on or before.column >= placed.column:
                continue
            start = before.middle if len(before.seats) == 2 else before.top + place + 0.5
            lines.append(SeatLine(before.column, start, placed.column, placed.row_of(seat)))
    return lines
