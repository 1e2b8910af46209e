"""The schedule of a tournament: each epoch has all blocks that are due by the results so far.

What is due follows from the stages, the secret and the results (ladder.pairing.event), so a tournament that
is stopped and continued has the same pairings.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from itertools import groupby
from operator import attrgetter
from random import Random
from typing import Final

from ladder.contest.keys import Keys
from ladder.pairing.event_report import RoundReport
from ladder.pairing.pairing import PAIRING_RULES
from ladder.pairing.score_rows import EventSetup
from ladder.pairing.stages import parse_stages
from ladder.pairing.tournament import Tournament
from ladder.run.schedule import NOTHING, Epoch, KnownResults, Schedule
from protocol.faults import FaultKind
from results.errors import UnsoundResults
from results.record import Contest, Run, RunSettings
from results.storage.contents import Contents
from results.storage.finishes import Finish

NO_START: Final[FaultKind] = "start"
"""The fault of a bot whose program did not start."""


def make_event(
    settings: RunSettings, secret: bytes, draws: Callable[[str], bool] = lambda name: True
) -> Tournament:
    """Return the tournament of *settings* before its first block; *draws* are as for EventSetup."""
    terms, keys = settings.tournament, Keys(secret)
    assert terms is not None
    return Tournament(
        parse_stages(terms.stages),
        EventSetup(
            terms.authors,
            [contest.seats for contest in settings.contests],
            terms.seats,
            terms.round_blocks,
            terms.series_blocks,
            extra_blocks=terms.series_blocks,
            luck=lambda name: keys.schedule(f"tournament/{name}", 0),
            draws=draws,
            pair=PAIRING_RULES[terms.pairing],
        ),
    )


def rehearse(settings: RunSettings, secret: bytes) -> Tournament:
    """Return the tournament of *settings*, played to its end with results that are chance."""
    event, luck = make_event(settings, secret), Random(0)
    while not event.over:
        for due in event.due():
            seats = len(due.entrants)
            for _ in range(due.blocks):
                event.hear(due.table, [luck.sample(range(1, seats + 1), seats) for _ in range(seats)])
    return event


def count_event(event: Tournament) -> int:
    """Return how many matches *event* has had."""
    rounds = [played for stage in event.report() for played in stage.rounds]
    return sum(table.blocks * len(table.entrants) for played in rounds for table in played.tables)


def rounds_of(event: Tournament) -> list[RoundReport]:
    """Return the rounds of *event* so far, as they can be over: groups take turns, round by round."""
    rounds: list[RoundReport] = []
    for stage in event.report():
        played = list(stage.rounds)
        if stage.name.startswith("groups"):
            played.sort(key=lambda each: int(each.name.rpartition("/")[2]))
        rounds += played
    return rounds


def _not_its_own() -> UnsoundResults:
    return UnsoundResults(
        "the stored matches are not those of the tournament's schedule",
        "ladder home verify, which says where",
    )


class TournamentSchedule(Schedule):
    """The blocks of a tournament, whose results it hears in number order."""

    is_whole = True  # without one of its bots, what is left is planned once more
    lag = 1

    @classmethod
    def of(cls, run: Run) -> "TournamentSchedule | None":
        """Return the schedule of the tournament *run* before its start; None for others, or no secret."""
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
        self._log: list[tuple[str, Callable[[Tournament], object]]] = []
        """What the event was told, in order: the table that it is about, or an empty text, and the call."""
        self._planned: list[tuple[str, tuple[int, ...]]] = []
        """Of each block that is planned, its table and who sits there."""
        self._banned: set[tuple[str, str]] = set()
        self._ban(0)

    @property
    def over(self) -> bool:
        return self.event.over

    @property
    def tables(self) -> list[str]:
        """Of each block that is planned, by its number, the name of its table."""
        return [table for table, _ in self._planned]

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
        blocks = [0] * len(self.contests)
        for each in self.event.due():
            blocks[self._contest_of[len(each.entrants)]] += each.blocks
        return blocks

    def hear(self, finishes: Iterable[Finish], end: int) -> None:
        """Take the results of the next blocks, those before number *end*."""
        for number, rows in groupby(finishes, attrgetter("block")):
            self._ban(number)
            table, entrants = self._planned[number]
            matches = [
                {self._entrants[row.bot]: row for row in match}
                for _, match in groupby(rows, attrgetter("number"))
            ]
            self._tell(
                table,
                partial(
                    Tournament.hear,
                    table=table,
                    places=[[match[entrant].rank for entrant in entrants] for match in matches],
                    points=list(filter(None, (_points(match, entrants) for match in matches))),
                    entrants=entrants,
                ),
            )
            self._forfeit(table, entrants, matches)
        self._ban(end)

    def hear_all(self, contents: Contents, run: int) -> None:
        """Take all results of *run* in *contents* without a gap.  Raises UnsoundResults for other blocks."""
        for finishes in contents.finishes(run):
            rest = finishes
            while rest.blocks:
                if rest.blocks.start >= len(self._planned) and not self.next_epoch():
                    raise _not_its_own()
                now, rest = rest.split(len(self._planned))
                try:
                    self.hear(now.rows(), now.blocks.stop)
                except (KeyError, ValueError) as error:  # other bots than those of the table
                    raise _not_its_own() from error

    def _forfeit(self, table: str, entrants: Sequence[int], matches: Sequence[Mapping[int, Finish]]) -> None:
        """Let those forfeit *table* that could start in no match of a block, unless no other could."""
        unable = [
            entrant for entrant in entrants if all(match[entrant].fault == NO_START for match in matches)
        ]
        if len(unable) < len(entrants):
            for entrant in unable:
                self._tell(table, partial(Tournament.forfeit, table=table, entrant=entrant))

    def _ban(self, end: int) -> None:
        """Let the bots leave that are gone from block number *end* on."""
        for bot, since in self._gone.items():
            if since <= end and bot not in self._banned:
                self._banned.add(bot)
                self._tell("", partial(Tournament.ban, entrant=self._entrants[bot]))

    def _tell(self, table: str, call: Callable[[Tournament], object]) -> None:
        """Tell the event something of *table*, or of none of them."""
        call(self.event)
        self._log.append((table, call))

    def tell_rounds(self, event: Tournament, rounds: Collection[str]) -> None:
        """Tell *event*, which has not begun, what this one was told of *rounds*, and of no others.

        *rounds* are over.  What was told of bots that left is told, too, up to the end of these rounds.
        """
        tables = {
            table.name for played in rounds_of(self.event) if played.name in rounds for table in played.tables
        }
        last = max([index for index, (table, _) in enumerate(self._log) if table in tables], default=-1)
        for index, (table, call) in enumerate(self._log):
            # a bot that left may have ended a table after the last block of these rounds
            if index > last and {played.name for played in rounds_of(event) if played.is_over} >= {*rounds}:
                return
            if not table or table in tables:
                call(event)


def _points(match: Mapping[int, Finish], entrants: Sequence[int]) -> list[int]:
    """Return the points of *entrants* in a match; none where a fault left one without."""
    points = [match[entrant].score for entrant in entrants]
    return [each for each in points if each is not None] if None not in points else []
