"""A tournament: its stages, folded from the results of blocks."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias, assert_never

from ladder.pairing.bracket import (
    Bracket,
    BracketRound,
    Feed,
    PlannedTable,
    Unfillable,
    plan_double,
    plan_knockout,
    spread,
)
from ladder.pairing.bracket_stage import BracketStage
from ladder.pairing.event_report import StageReport, report_bracket, report_rounds
from ladder.pairing.event_table import FORFEIT, EventTable, HeardBlock
from ladder.pairing.round_stages import GroupStage, RoundRobinStage, RoundStage, SwissStage, part_groups
from ladder.pairing.score_rows import EventSetup
from ladder.pairing.stages import (
    DoubleKnockout,
    FinalTable,
    Groups,
    Knockout,
    RoundRobin,
    Stage,
    Swiss,
    check_stages,
    write_stages,
)


@dataclass(frozen=True)
class DueTable:
    """A table of which blocks must be played now."""

    table: str
    """Its name, such as swiss/3/2 or knockout/quarter/1."""
    entrants: tuple[int, ...]
    blocks: int
    """How many more blocks it needs, whatever their results; those under way count as not yet played."""


@dataclass(frozen=True)
class EventPlace:
    """A place in the standing of the whole tournament; equal ones share a place, 1 is the best."""

    place: int
    entrant: int
    stage: str
    """The stage that gave it the place: the last one in which it played."""
    is_open: bool = False
    """Whether those who share the place are still to be told apart."""


_PlayedStage: TypeAlias = RoundStage | BracketStage
"""A stage in play: a tournament asks each for its rounds and its standing, and reports each in its way."""


class Tournament:
    """A tournament, as a function of its seeds and of the results that it has heard.

    The same results give the same state.  Between blocks of different tables, their order does not matter.
    """

    def __init__(self, stages: Sequence[Stage], setup: EventSetup) -> None:
        """Begin.  Raises UsageProblem if the *stages* do not fit."""
        check_stages(stages, len(setup.authors), setup.all_sizes, setup.seats)
        self.stages = tuple(stages)
        self._setup = setup
        self._names = _name_stages(self.stages)
        self._played: list[_PlayedStage] = []
        self._tables: dict[str, EventTable] = {}
        self._advance()

    @property
    def over(self) -> bool:
        """Whether nothing more is to be played."""
        return len(self._played) == len(self.stages) and self._played[-1].is_over

    def due(self) -> list[DueTable]:
        """Return the tables of which blocks must be played now, in the order of the stage."""
        return [
            DueTable(table.name, table.seated, table.due)
            for played in self._played[-1].rounds
            for table in played.tables
            if table.due
        ]

    def hear(
        self,
        table: str,
        places: Sequence[Sequence[int]],
        *,
        points: Sequence[Sequence[float]] = (),
        entrants: Sequence[int] | None = None,
    ) -> bool:
        """Take the result of a block; return whether it counts, which it does while the table is not over.

        *places*: for each match, the place of each entrant, in the order of *entrants*; 1 is the best, those
        who tie have the same.
        *points*: those of the game, likewise; they decide some ties.
        *entrants*: those who played, if one of them has left the table since the block was planned.

        Raises ValueError.
        """
        found = self._table(table)
        if found.is_over:
            return False
        block = HeardBlock(
            tuple(found.seated if entrants is None else entrants),
            tuple(map(tuple, places)),
            tuple(tuple(map(Fraction, match)) for match in points),
        )
        if not set(found.seated) <= set(block.entrants) <= set(found.entrants):
            raise ValueError(f"expected a block of {found.seated} at {table}, got one of {block.entrants}")
        _check_block(block)
        found.hear(block)
        if found.is_over:
            # the next round may be due at once: a run asks for tables after every result
            self._advance()
        return True

    def forfeit(self, table: str, entrant: int) -> None:
        """Let an entrant that cannot start lose a table; at two seats the other wins all that was not played.

        At larger tables, the others play on at a smaller one, if the game has it.  Raises ValueError.
        """
        found = self._table(table)
        if entrant not in found.entrants:
            raise ValueError(f"entrant {entrant} does not sit at {table}")
        if not found.is_over:
            found.leave(entrant, FORFEIT)
            self._advance()

    def ban(self, entrant: int) -> None:
        """Let an entrant leave the tournament: its tables are byes for the others from now on."""
        if not self.over and entrant not in self._setup.banned:
            self._setup.banned.add(entrant)
            self._played[-1].leave(entrant)
            self._advance()

    def standing(self) -> list[EventPlace]:
        """Return the places of all entrants: those of the last stage, then those who were out before it.

        Before the first result, all share the first place.
        """
        if not self.over and not any(table.heard for table in self._tables.values()):
            return [
                EventPlace(1, seed, self._names[0], is_open=True) for seed in range(len(self._setup.authors))
            ]
        rows: list[EventPlace] = []
        seen: set[int] = set()
        # the last stage places those in it; each earlier one the entrants that went out there
        for played in reversed(self._played):
            for group in played.standing():
                place = 1 + len(rows)
                is_open = place == 1 < len(group) and not self.over
                rows += [
                    EventPlace(place, entrant, played.name, is_open)
                    for entrant in group
                    if entrant not in seen
                ]
                seen.update(group)
        return rows

    def report(self) -> list[StageReport]:
        """Return the stages that have begun, with all rounds and tables, to draw or to print them."""
        return [
            report_bracket(played) if isinstance(played, BracketStage) else report_rounds(played)
            for played in self._played
        ]

    def _table(self, name: str) -> EventTable:
        if name not in self._tables:
            raise ValueError(f"there is no table {name!r} so far")
        return self._tables[name]

    def _advance(self) -> None:
        """Begin all rounds, tables and stages that can begin."""
        while True:
            if self._played:
                self._played[-1].advance()
            if not self._played or (self._played[-1].is_over and len(self._played) < len(self.stages)):
                self._played.append(self._begin_stage(len(self._played)))
                continue
            for played in self._played[-1].rounds:
                self._tables.update((table.name, table) for table in played.tables)
            return

    def _begin_stage(self, index: int) -> _PlayedStage:
        """Return the next stage, with those who go on from the one before."""
        stage, name, setup = self.stages[index], self._names[index], self._setup
        there = list(range(len(setup.authors)))
        if index:
            there = [entrant for group in self._played[-1].standing() for entrant in group]
            before = self.stages[index - 1]
            # the standing of groups has all, by place in the group: first the winners of all, and so on
            if isinstance(before, Groups):
                there = there[: before.groups * before.take]
        # after the cut, so that nobody goes on in the place of an entrant that was banned
        there = [entrant for entrant in there if entrant not in setup.banned]
        match stage:
            case Swiss():
                return SwissStage(name, there, setup, stage.rounds_for(len(there)))
            case RoundRobin():
                return RoundRobinStage(name, there, setup)
            case Groups():
                groups = max(1, min(stage.groups, len(there) // min(setup.sizes)))
                sizes = [len(there) // groups + (group < len(there) % groups) for group in range(groups)]
                return GroupStage(name, spread(there, sizes), setup)
            case FinalTable():
                # bans may have left fewer than the table wants
                seats = min(len(there), stage.seats)
                most = max((size for size in setup.all_sizes if size <= seats), default=0)
                there = there[:most] or there
                return BracketStage(name, there, _plan_final(most), setup, stage.blocks, setup.all_sizes)
            case Knockout() | DoubleKnockout():
                there = there[: stage.entrants]
                plan = plan_knockout if isinstance(stage, Knockout) else plan_double
                try:
                    bracket = plan(len(there), setup.sizes, setup.seats)
                except Unfillable:
                    bracket = Bracket((), ())
                if index and isinstance(groups_before := self._played[-1], GroupStage):
                    there = part_groups(there, groups_before.origins(), bracket)
                return BracketStage(name, there, bracket, setup, setup.series_blocks, setup.sizes)
            case _:
                assert_never(stage)


def _plan_final(seats: int) -> Bracket:
    """Return the bracket of one table."""
    if not seats:
        return Bracket((), ())
    table = PlannedTable("table", tuple(Feed(None, seed) for seed in range(seats)), 1)
    return Bracket((table,), (BracketRound("table", (0,), ()),))


def _check_block(block: HeardBlock) -> None:
    """Raise ValueError unless the places of *block* are those of matches of its entrants."""
    if not block.places:
        raise ValueError("expected the places of a block of matches, got none")
    for places in block.places:
        right = tuple(1 + sum(other < place for other in places) for place in places)
        if len(places) != len(block.entrants) or places != right:
            raise ValueError(
                f"expected places of {len(block.entrants)} entrants such as {right}, got {places}"
            )
    if block.points and {len(match) for match in block.points} != {len(block.entrants)}:
        raise ValueError(f"expected points of {len(block.entrants)} entrants for each match")


def _name_stages(stages: Sequence[Stage]) -> list[str]:
    """Return a name for each stage, such as swiss, or swiss-2 for the second swiss."""
    kinds = [write_stages([stage]).partition(":")[0] for stage in stages]
    return [
        kind if (before := kinds[:index].count(kind)) == 0 else f"{kind}-{before + 1}"
        for index, kind in enumerate(kinds)
    ]
