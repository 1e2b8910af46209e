"""Stages that end with a winner: a bracket, of which a final is the smallest."""

from collections.abc import Collection, Sequence
from itertools import groupby

from ladder.pairing.bracket import Bracket, Feed
from ladder.pairing.event_table import BANNED, EventTable
from ladder.pairing.notes import BYE, EventNote
from ladder.pairing.score_rows import EventSetup, PlayedRound


class BracketStage:
    """A bracket in play.  Tables come into being when all who sit there are known."""

    def __init__(
        self,
        name: str,
        entrants: Sequence[int],
        bracket: Bracket,
        setup: EventSetup,
        blocks: int,
        sizes: Collection[int],
    ) -> None:
        """*entrants*: by seed in this bracket; *blocks*: of a series; *sizes*: of the game's tables."""
        self.name = name
        self.entrants = tuple(entrants)
        self.bracket = bracket
        self._setup = setup
        self._blocks = blocks
        self._sizes = sizes
        self._tables: dict[int, EventTable] = {}

    def entrant_of(self, feed: Feed) -> int | None:
        """Return who comes from *feed*; None while that is open."""
        if feed.table is None:
            return self.entrants[feed.place]
        table = self._tables.get(feed.table)
        return table.ranking[feed.place] if table is not None and table.is_over else None

    def advance(self) -> None:
        """Begin the tables of which all entrants are known."""
        for number, planned in enumerate(self.bracket.tables):
            if number in self._tables:
                continue
            seated = [self.entrant_of(feed) for feed in planned.feeds]
            known = [entrant for entrant in seated if entrant is not None]
            if len(known) < len(seated):
                continue
            if planned.is_reset and not self._is_reset_due(number, known):
                continue
            table = EventTable(
                f"{self.name}/{planned.name}",
                sorted(known, key=self.entrants.index),
                blocks=self._blocks,
                sizes=self._sizes,
                go_on=planned.go_on,
                extra=self._setup.extra_blocks,
            )
            for entrant in table.entrants:
                if entrant in self._setup.banned:
                    table.leave(entrant, BANNED)
            self._tables[number] = table

    def _is_reset_due(self, number: int, known: Sequence[int]) -> bool:
        """Return whether the winner of the final came from the second life, and both can play again."""
        final = self.bracket.tables[number - 1]
        return self._tables[number - 1].ranking[0] == self.entrant_of(final.feeds[1]) and not (
            self._setup.banned & set(known)
        )

    def leave(self, entrant: int) -> None:
        """Let a banned entrant leave its table; it leaves those to come when they begin."""
        for table in self._tables.values():
            if entrant in table.entrants and not table.is_over:
                table.leave(entrant, BANNED)

    @property
    def is_over(self) -> bool:
        return all(table.is_over for table in self._tables.values()) and all(
            number in self._tables or planned.is_reset for number, planned in enumerate(self.bracket.tables)
        )

    @property
    def rounds(self) -> list[PlayedRound]:
        """The rounds with the tables that have begun."""
        rounds = []
        for planned in self.bracket.rounds:
            byes = tuple(entrant for feed in planned.byes if (entrant := self.entrant_of(feed)) is not None)
            tables = [self._tables[number] for number in planned.tables if number in self._tables]
            notes = [EventNote(BYE, (entrant,)) for entrant in byes]
            if tables or byes:
                rounds.append(PlayedRound(f"{self.name}/{planned.name}", tables, byes, notes))
        return rounds

    def standing(self) -> list[list[int]]:
        """Return the entrants in groups of equal places: who fell later stands higher.

        Those who are out of one round have the order of their places there; among equal ones, seeds decide
        who goes on to another stage.  Those still in play come first.
        """
        in_play = (-len(self.bracket.rounds), 0)
        keys = dict.fromkeys(self.entrants, in_play)
        played_on = {
            feed for planned in self.bracket.tables if not planned.is_reset for feed in planned.feeds
        }
        for index, planned_round in enumerate(self.bracket.rounds):
            for number in planned_round.tables:
                if table := self._tables.get(number):
                    for place, entrant in enumerate(table.ranking):
                        is_out = table.is_over and Feed(number, place) not in played_on
                        keys[entrant] = (-index, place) if is_out else in_play
        if not self.bracket.tables:  # too few for a table
            return [[entrant] for entrant in self.entrants]
        order = sorted(self.entrants, key=keys.__getitem__)
        return [[*group] for _, group in groupby(order, keys.__getitem__)]
