"""Stages of rounds, in which all play on: swiss, round robin, groups."""

import string
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, zip_longest
from typing import NamedTuple

from ladder.pairing.bracket import Bracket
from ladder.pairing.event_table import BANNED, EventTable
from ladder.pairing.notes import AGAIN, AUTHORS, BYE, EventNote
from ladder.pairing.pairing import PairedRound, UnpairedRound, pair_of
from ladder.pairing.score_rows import EventSetup, PlayedRound, ScoreRow


class GroupPlace(NamedTuple):
    """Where an entrant of a bracket comes from."""

    place: int
    """In its group; 0 is the best."""
    group: int


def part_groups(entrants: Sequence[int], origins: Mapping[int, GroupPlace], bracket: Bracket) -> list[int]:
    """Return *entrants*, best first, in an order of seeds in which those of one group meet late.

    Entrants change their seeds only with those of the same place in another group, so no second gets the seed
    of a winner.  Orders are compared by how many pairs of one group may meet in the first round, then in the
    second, and so on, then by how far entrants are from the seeds of their scores.  Swap until none helps.
    """
    order = list(entrants)
    rounds = _first_meetings(bracket)
    seed_of = {entrant: seed for seed, entrant in enumerate(order)}

    def cost() -> tuple[list[int], int]:
        meetings = [0] * (len(bracket.rounds) + 1)
        seeds = defaultdict(list)
        for seed, entrant in enumerate(order):
            seeds[origins[entrant].group].append(seed)
        for mine in seeds.values():
            for pair in combinations(mine, 2):
                meetings[rounds.get(pair, len(bracket.rounds))] += 1
        return meetings, sum([abs(seed - seed_of[entrant]) for seed, entrant in enumerate(order)])

    swaps = [
        (one, other)
        for one, other in combinations(range(len(order)), 2)
        if origins[order[one]].place == origins[order[other]].place
    ]
    least, helps = cost(), True
    while helps:
        helps = False
        for one, other in swaps:
            order[one], order[other] = order[other], order[one]
            if (found := cost()) < least:
                least, helps = found, True
            else:
                order[one], order[other] = order[other], order[one]
    return order


def _first_meetings(bracket: Bracket) -> dict[tuple[int, int], int]:
    """Return for pairs of seeds, the better one first, the number of the first round where they may meet."""
    round_of = {table: number for number, planned in enumerate(bracket.rounds) for table in planned.tables}
    comers: list[set[int]] = []
    """The seeds that may come to each table."""
    found: dict[tuple[int, int], int] = {}
    for number, planned in enumerate(bracket.tables):
        mine: set[int] = set()
        for feed in planned.feeds:
            mine |= {feed.place} if feed.table is None else comers[feed.table]
        comers.append(mine)
        for pair in combinations(sorted(mine), 2):
            found[pair] = min(found.get(pair, round_of[number]), round_of[number])
    return found


class RoundStage:
    """A stage of rounds, and who has met in it.  What does not follow from results is there at once."""

    def __init__(self, name: str, entrants: Sequence[int], setup: EventSetup) -> None:
        self.name = name
        self.entrants = tuple(entrants)
        self.rounds: list[PlayedRound] = []
        self._setup = setup
        self._meetings: Counter[tuple[int, int]] = Counter()
        self._byes: Counter[int] = Counter()

    @property
    def tables(self) -> list[EventTable]:
        return [table for played in self.rounds for table in played.tables]

    @property
    def _next_name(self) -> str:
        return f"{self.name}/{len(self.rounds) + 1}"

    @property
    def is_over(self) -> bool:
        return all(table.is_over for table in self.tables)

    def advance(self) -> None:
        """Begin the rounds that can begin."""

    def rows(self) -> list[ScoreRow]:
        """Return the standing after the tables that are over; a bye counts when its round is."""
        over = [table for table in self.tables if table.is_over]
        byes = Counter(entrant for played in self.rounds if played.is_over for entrant in played.byes)
        return self._setup.rank(self.entrants, over, byes)

    def standing(self) -> list[list[int]]:
        """Return the entrants in groups of equal places: here, one each."""
        return [[row.entrant] for row in self.rows()]

    def add(self, paired: PairedRound, *, keeps_apart: bool = False) -> None:
        """Begin a round.  *keeps_apart*: whether equal authors at a table are to be told."""
        name, setup = self._next_name, self._setup
        notes = [EventNote(BYE, (entrant,)) for entrant in paired.byes]
        tables = []
        for number, seated in enumerate(paired.tables, 1):
            in_order = sorted(seated, key=self.entrants.index)
            pairs = [pair_of(one, two) for one, two in combinations(in_order, 2)]
            notes += [EventNote(AGAIN, pair) for pair in pairs if self._meetings[pair]]
            if keeps_apart:
                notes += [EventNote(AUTHORS, pair) for pair in pairs if setup.have_one_author(*pair)]
            self._meetings.update(pairs)
            tables.append(
                EventTable(f"{name}/{number}", in_order, blocks=setup.round_blocks, sizes=setup.sizes)
            )
        self._byes.update(paired.byes)
        self.rounds.append(PlayedRound(name, tables, paired.byes, notes))

    def leave(self, entrant: int) -> None:
        """Let a banned entrant leave its tables that are not over."""
        for table in self.tables:
            if entrant in table.entrants and not table.is_over:
                table.leave(entrant, BANNED)

    def pair(
        self, standing: Sequence[int], scores: dict[int, Fraction], rounds: int, *, keeps_apart: bool = False
    ) -> PairedRound:
        """Pair the next of *rounds* in all.  *keeps_apart*: whether equal authors are kept apart."""
        setup = self._setup
        return setup.pair(
            UnpairedRound(
                standing,
                scores,
                meetings=self._meetings,
                authors=setup.authors if keeps_apart else [""] * len(setup.authors),
                byes=self._byes,
                sizes=setup.sizes,
                seats=setup.seats,
                luck=setup.luck(self._next_name),
                rounds=max(0, rounds - len(self.rounds) - 1),
            )
        )


class SwissStage(RoundStage):
    """A swiss: in each round, those with similar scores meet, none twice while that is possible."""

    def __init__(self, name: str, entrants: Sequence[int], setup: EventSetup, rounds: int) -> None:
        super().__init__(name, entrants, setup)
        self._count = rounds

    @property
    def is_over(self) -> bool:
        there = {*self.entrants} - self._setup.banned
        return self._is_idle and (len(self.rounds) >= self._count or len(there) < 2)

    @property
    def _is_idle(self) -> bool:
        return all(table.is_over for played in self.rounds[-1:] for table in played.tables)

    def advance(self) -> None:
        while self._is_idle and not self.is_over and self._setup.draws(self._next_name):
            rows = [row for row in self.rows() if row.entrant not in self._setup.banned]
            scores = {row.entrant: row.score for row in rows}
            paired = self.pair([row.entrant for row in rows], scores, self._count, keeps_apart=True)
            self.add(paired, keeps_apart=True)


class RoundRobinStage(RoundStage):
    """A round robin.  Nothing in it follows from results, so all its tables can be played at once.

    At two seats, each meets each once.  At more, there are rounds, paired for the fewest second meetings,
    until each has met each, and at most twice as many as that takes if no two meet again.
    """

    def __init__(self, name: str, entrants: Sequence[int], setup: EventSetup) -> None:
        super().__init__(name, entrants, setup)
        if setup.seats == 2:
            for paired in _circle(self.entrants):
                self.add(paired)
            return
        n, seats = len(self.entrants), setup.seats
        pairs = {pair_of(one, two) for one, two in combinations(self.entrants, 2)}
        equal = dict.fromkeys(self.entrants, Fraction())
        needed = -(-(n - 1) // (seats - 1))  # a round at tables of s lets each meet s - 1 others
        while not pairs <= self._meetings.keys() and len(self.rounds) < 2 * needed:
            paired = self.pair(self.entrants, equal, needed)
            if not paired.tables:
                return  # too few for a table
            self.add(paired)


def _circle(entrants: Sequence[int]) -> Iterable[PairedRound]:
    """Yield the rounds in which each entrant meets each, by the circle method: one stays, the others turn."""
    ring: list[int | None] = [*entrants, *([None] if len(entrants) % 2 else [])]
    for _ in range(len(ring) - 1):
        pairs = [(ring[index], ring[-1 - index]) for index in range(len(ring) // 2)]
        yield PairedRound(
            tuple((one, two) for one, two in pairs if one is not None and two is not None),
            tuple(entrant for pair in pairs if None in pair for entrant in pair if entrant is not None),
        )
        # the first stays in its place; the others move on by one
        ring.insert(1, ring.pop())


class GroupStage(RoundStage):
    """Groups, dealt by seed, that each play a round robin."""

    def __init__(self, name: str, groups: Sequence[Sequence[int]], setup: EventSetup) -> None:
        super().__init__(name, [entrant for group in groups for entrant in group], setup)
        self._groups = [
            RoundRobinStage(f"{name}/{_letter(index)}", group, setup) for index, group in enumerate(groups)
        ]
        self.rounds = [played for group in self._groups for played in group.rounds]

    def rows(self) -> list[ScoreRow]:
        """Return all rows: the winners of the groups, by score, then the seconds, and so on."""
        rows = [group.rows() for group in self._groups]
        # groups may differ by one in size, so by rounds: a mean compares them
        mean = {
            row.entrant: row.score / max(1, len(group.rounds))
            for group, of in zip(self._groups, rows, strict=True)
            for row in of
        }
        return [
            row
            for of_place in zip_longest(*rows)
            for row in sorted(filter(None, of_place), key=lambda row: -mean[row.entrant])
        ]

    def origins(self) -> dict[int, GroupPlace]:
        """Return of which group each entrant is, and its place there."""
        return {
            row.entrant: GroupPlace(place, number)
            for number, group in enumerate(self._groups)
            for place, row in enumerate(group.rows())
        }


def _letter(index: int) -> str:
    """Return a, b, ... z, aa, ab, ..."""
    high, low = divmod(index, 26)
    return (_letter(high - 1) if high else "") + string.ascii_lowercase[low]
