"""The tables of an epoch of the adaptive schedule: matches go where the order of two bots is still open.

First come the bots below the floor.  An eighth of the other tables is a round robin; the rest is for
neighbours by rating, each time for the two whose order is most worth a match.  Nothing is drawn: the same
knowledge gives the same tables.
"""

import heapq
import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ladder.registry.roster import Roster
from ladder.registry.version import Version
from results.rating.pairs import weight_of_pair


class Persons:
    """Knows which bots of a run, by their index, are of one person; all others are of a person each."""

    def __init__(self, groups: Iterable[Sequence[int]] = ()) -> None:
        """Take the bots of each person who has several."""
        self._first = {bot: group[0] for group in groups for bot in group}

    def count(self, bots: Iterable[int]) -> int:
        """Return of how many persons *bots* are."""
        return len({self._first.get(bot, bot) for bot in bots})

    def may_meet(self, bots: Collection[int]) -> bool:
        """Return whether no two of *bots* are of one person."""
        return not self._first or self.count(bots) == len(bots)


NO_PERSONS = Persons()
"""All bots may meet."""


def find_persons(roster: Roster, bots: Sequence[Version]) -> tuple[tuple[int, ...], ...]:
    """Return the places in *bots* of those of each person who has several.

    A bot is the person's in whose folder of an inbox it was handed in, or else its author's.  A house bot,
    and a bot without both, is nobody's.
    """
    persons = roster.persons()
    found: dict[tuple[bool, str], list[int]] = {}
    for index, bot in enumerate(bots):
        who = persons.get(bot.bot, bot.manifest.author)
        if who and not bot.of_house:
            found.setdefault((bot.bot in persons, who), []).append(index)
    return tuple(tuple(group) for group in found.values() if group[1:])


ROUND_ROBIN = 1 / 8
"""The share of the round robin: all bots meet, so that a leaderboard can tell where ratings are wrong.

Of 2,000 simulated ladders of 20 bots, each beating the next in 55 %, 43 % were in order after 300 matches a
bot, with a quarter for the round robin 41 %, with a half 31 %.
"""


class Gap(NamedTuple):
    """What is known of the difference between the skills of two bots, in points of rating."""

    lead: float
    """Its amount."""
    error: float
    """Its standard error."""
    told: float
    """What a match of the two tells of it: the Fisher information, in 1 / points^2."""

    @property
    def weight(self) -> float:
        """How much a match of the two is worth.

        It is the probability that their order is the other way round, times the error that could be made
        smaller, times what a match tells.  Without the error, two bots that are alike would take all matches.
        """
        return math.erfc(self.lead / (math.sqrt(2) * self.error)) / 2 * self.error * self.told

    def after(self, matches: float) -> "Gap":
        """Return what will be known after this many more *matches* of the two, if the lead stays."""
        return self._replace(error=1 / math.sqrt(self.error**-2 + matches * self.told))


class OpenOrder(NamedTuple):
    """What is known of the order of the bots of a contest."""

    bots: Sequence[int]
    """The best first; those that have not played come last."""
    gaps: Mapping[tuple[int, int], Gap]
    """The gap between any two, the smaller number first."""

    def weight(self, one: int, other: int) -> float:
        """Return how much a match of the two is worth."""
        gap = self.gaps.get((min(one, other), max(one, other)))
        return gap.weight if gap else 0.0


NO_ORDER = OpenOrder((), {})
"""Nothing is known yet."""


def find_gap(difference: float, error: float, beta: float) -> Gap:
    """Return the gap between two bots whose skills differ by *difference*, with standard *error*.

    With y = d / (sqrt(2) beta), phi(y)^2 / (Phi(y) Phi(-y)) is the Fisher information of a win or loss about
    y in the TrueSkill model without ties.
    """
    y = difference / (math.sqrt(2) * beta)
    win_times_loss = math.erfc(y / math.sqrt(2)) * math.erfc(-y / math.sqrt(2)) / 4
    told = math.exp(-y * y) / (2 * math.pi) / win_times_loss if win_times_loss else 0.0
    return Gap(abs(difference), error, told / (2 * beta * beta))


def adaptive_tables(
    bots: Sequence[int],
    seats: int,
    count: int,
    played: Mapping[int, int],
    floors: Mapping[int, float],
    cap: float,
    known: OpenOrder,
    round_robin: Iterator[tuple[int, ...]],
    persons: Persons = NO_PERSONS,
) -> list[tuple[int, ...]]:
    """Return *count* tables of *seats* of the *bots*, at least as many; the bots of a table are sorted.

    *played*, *floors*, both by bot, and *cap* count blocks.  Bots at the cap are seated only by the round
    robin, and where too few others are left: then those with the fewest blocks play.  No two bots of one of
    *persons* meet: they must be at least as many as *seats*.
    """
    seating = _Seating({bot: played.get(bot, 0) for bot in bots}, seats, cap, known, persons)
    seating.meet(floors, count)
    for _ in range(math.ceil((count - len(seating.tables)) * ROUND_ROBIN)):
        seating.add(next(round_robin))
    seating.ask(count - len(seating.tables))
    while len(seating.tables) < count:  # nothing is open
        seating.add(next(round_robin))
    return seating.tables


class _Seating:
    """The tables of one epoch of a contest, as they are chosen."""

    def __init__(
        self, blocks: dict[int, int], seats: int, cap: float, known: OpenOrder, persons: Persons
    ) -> None:
        self.tables: list[tuple[int, ...]] = []
        self._bots = tuple(blocks)
        self._seats = seats
        self._blocks = blocks
        self._cap = cap
        self._known = known
        self._persons = persons

    def add(self, table: tuple[int, ...]) -> None:
        """Seat *table* for a block."""
        for bot in table:
            self._blocks[bot] += 1
        self.tables.append(table)

    def meet(self, floors: Mapping[int, float], most: int) -> None:
        """Add at most *most* tables for bots below their *floors*, those with the fewest blocks first.

        If all bots began below, they meet each other, so that none has more than it needs.  Newcomers among
        others meet those, whose places are known, and no cap keeps them from their minimum.
        """
        are_all_new = all(floors.get(bot, 0) > 0 for bot in self._bots)
        while len(self.tables) < most:
            among = self._free() if are_all_new else self._bots
            needy = [bot for bot in among if self._blocks[bot] < floors.get(bot, 0)]
            if not needy:
                return
            anchor = min(needy, key=lambda bot: (self._blocks[bot], bot))
            self.add(self._fill((anchor,), needy if are_all_new else ()))

    def ask(self, count: int) -> None:
        """Add *count* tables, each for the two neighbours whose match is worth most then.

        They are fewer if all neighbours are sure, or at the cap.  Equal tables are next to each other: a
        worker plays them in a row, and starts their bots once.
        """
        begun = len(self.tables)
        # Each block makes the gap of its two bots surer, so the next one may be for others.  The lead is
        # taken to stay: what the matches will say is not known, how much they will say is.
        matches = self._seats * weight_of_pair(self._seats)
        playing = set(self._bots)
        order = [bot for bot in self._known.bots if bot in playing]
        # the neighbour of a bot is the next one that it may meet
        others = ((bot, order[place:]) for place, bot in enumerate(order, 1))
        nexts = ((bot, next((each for each in of if self._fits(each, (bot,))), bot)) for bot, of in others)
        pairs = [(min(pair), max(pair)) for pair in nexts]
        queue = [(-gap.weight, pair, gap) for pair in pairs if (gap := self._known.gaps.get(pair))]
        heapq.heapify(queue)
        free = self._free()
        while count and queue and queue[0][0]:
            _, pair, gap = queue[0]
            if not {*pair} <= {*free}:
                heapq.heappop(queue)
                continue
            table = self._fill(pair, free)
            self.add(table)
            if not all(map(self._is_free, table)):
                free = self._free()
            gap = gap.after(matches)
            heapq.heapreplace(queue, (-gap.weight, pair, gap))
            count -= 1
        asked = self.tables[begun:]
        first = {table: -i for i, table in enumerate(reversed(asked))}
        self.tables[begun:] = sorted(asked, key=lambda table: first[table])

    def _free(self) -> list[int]:
        """Return the bots under the cap; if they are too few for a table, those with the fewest blocks."""
        free = [bot for bot in self._bots if self._is_free(bot)]
        if self._persons.count(free) >= self._seats:
            return free
        free = sorted(self._bots, key=lambda bot: (self._blocks[bot], bot))
        enough = (n for n in range(self._seats, len(free)) if self._persons.count(free[:n]) >= self._seats)
        return free[: next(enough, len(free))]

    def _is_free(self, bot: int) -> bool:
        return self._blocks[bot] + 1 <= self._cap

    def _fill(self, seated: tuple[int, ...], preferred: Sequence[int]) -> tuple[int, ...]:
        """Return a table of the bots *seated* and those whose matches with them have the most weight.

        *preferred* bots come before all others.  Of equal ones, the bot with the fewest blocks comes first.
        """
        table = list(seated)
        while len(table) < self._seats:
            others = [bot for bot in preferred if self._fits(bot, table)]
            others = others or [bot for bot in self._free() if self._fits(bot, table)]
            table.append(min(others, key=lambda bot: (-self._pull(bot, table), self._blocks[bot], bot)))
        return tuple(sorted(table))

    def _fits(self, bot: int, table: Sequence[int]) -> bool:
        return bot not in table and self._persons.may_meet((bot, *table))

    def _pull(self, bot: int, table: Sequence[int]) -> float:
        return math.fsum(self._known.weight(bot, other) for other in table)
