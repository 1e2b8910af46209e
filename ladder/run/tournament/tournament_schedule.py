"""The schedule of a tournament: each epoch has all blocks that are due by the results so far.

What is due follows from the stages, the secret and the results (ladder.pairing.event), so a tournament that
is stopped and continued has the same pairings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Final

from ladder.contest.blocks import Contest
from ladder.contest.keys import Keys
from ladder.pairing.stages import parse_stages
from ladder.pairing.tournament import Tournament
from ladder.run.schedule import NOTHING, Epoch, KnownResults, Schedule
from protocol.faults import FaultKind
from results.record import Run, RunSettings
from results.storage.contents import Contents
from results.storage.finishes import Finish

__all__ = ["TournamentSchedule", "make_event"]

NO_START: Final[FaultKind] = "start"
"""The fault of a bot whose program did not start."""


def make_event(settings: RunSettings, secret: bytes) -> Tournament:
    """Return the tournament of *settings*, which have one, before its first block."""
    terms, keys = settings.tournament, Keys(secret)
    assert terms is not None
    return Tournament(
        parse_stages(terms.stages),
        terms.authors,
        sizes=[contest.seats for contest in settings.contests],
        seats=terms.seats,
        round_blocks=terms.round_blocks,
        series_blocks=terms.series_blocks,
        luck=lambda name: keys.schedule(f"tournament/{name}", 0),
    )


class TournamentSchedule(Schedule):
    """The blocks of a tournament, whose results it hears in number order."""

    is_whole = True  # without one of its bots, what is left is planned once more
    lag = 1

    @classmethod
    def of(cls, run: Run) -> TournamentSchedule | None:
        """Return the schedule of the tournament that *run* is, before its first block.

        None if *run* is of another kind, or its secret is not here.
        """
        settings = run.settings
        if settings.tournament is None or not run.has_secret:
            return None
        gone = {(left.name, left.version): left.since for left in settings.without}
        return cls(
            settings.contests,
            run.bot_keys,
            make_event(settings, bytes.fromhex(run.secret)),
            {bot: since for bot, since in gone.items() if since is not None},
        )

    def __init__(
        self,
        contests: Sequence[Contest],
        bots: Sequence[tuple[str, str]],
        event: Tournament,
        gone: Mapping[tuple[str, str], int],
    ) -> None:
        """Start before the first block.

        *contests* are of one game, one for each table size; *bots*, by name and version, are the entrants of
        *event*; *gone* are those that it goes on without, with the first block without them.
        """
        super().__init__(contests)
        self.event = event
        self._entrants = {bot: index for index, bot in enumerate(bots)}
        self._contest_of = {contest.seats: index for index, contest in enumerate(contests)}
        self._gone = gone
        self._planned: list[tuple[str, tuple[int, ...]]] = []
        """Of each block that is planned, its table and who sits there."""
        self._ban(0)

    @property
    def over(self) -> bool:
        """Whether the tournament is over."""
        return self.event.over

    def count_planned(self) -> int | None:
        """Return None: how many matches there will be follows from the results."""
        return None

    def plan(self, known: KnownResults = NOTHING) -> Epoch:
        """Return the plan of the next epoch: all that is due."""
        due = self.event.due()
        self._planned += [(each.table, each.entrants) for each in due for _ in range(each.blocks)]
        rows = [(self._contest_of[len(each.entrants)], each.entrants, each.blocks) for each in due]
        return Epoch(tuple(rows), (), ())

    def _next_blocks(self) -> list[int]:
        blocks: Counter[int] = Counter()
        for each in self.event.due():
            blocks[self._contest_of[len(each.entrants)]] += each.blocks
        return [blocks[index] for index in range(len(self.contests))]

    def hear(self, finishes: Iterable[Finish], end: int) -> None:
        """Take the results of the next blocks, those before number *end*."""
        for number, rows in groupby(finishes, attrgetter("block")):
            table, entrants = self._planned[number]
            matches = [
                {self._entrants[row.bot]: row for row in match}
                for _, match in groupby(rows, attrgetter("number"))
            ]
            self.event.hear(
                table,
                [[match[entrant].rank for entrant in entrants] for match in matches],
                points=list(filter(None, (_points(match, entrants) for match in matches))),
                entrants=entrants,
            )
            self._forfeit(table, entrants, matches)
        self._ban(end)

    def hear_all(self, contents: Contents, run: int) -> None:
        """Take all results of *run*, the run of this tournament, that *contents* have without a gap."""
        for finishes in contents.finishes(run):
            rest = finishes
            while rest.blocks:
                if rest.blocks.start >= len(self._planned):
                    self.next_epoch()
                now, rest = rest.split(len(self._planned))
                self.hear(now.rows(), now.blocks.stop)

    def _forfeit(self, table: str, entrants: Sequence[int], matches: Sequence[Mapping[int, Finish]]) -> None:
        """Let those forfeit *table* that could start in no match of a block, unless no other could."""
        unable = [
            entrant for entrant in entrants if all(match[entrant].fault == NO_START for match in matches)
        ]
        if len(unable) < len(entrants):
            for entrant in unable:
                self.event.forfeit(table, entrant)

    def _ban(self, end: int) -> None:
        """Let the bots leave that are gone from block number *end* on."""
        for bot, since in self._gone.items():
            if since <= end:
                self.event.ban(self._entrants[bot])


def _points(match: Mapping[int, Finish], entrants: Sequence[int]) -> list[int]:
    """Return the points of *entrants* in a match; none where a fault left one without."""
    points = [match[entrant].score for entrant in entrants]
    return [each for each in points if each is not None] if None not in points else []
