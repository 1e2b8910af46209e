"""What matches add up to, in any order: wins, ranks, points, faults, times by bot, and counts of outcomes."""

from collections.abc import Iterable
from typing import TypeAlias

import msgspec

from results.rating.outcomes import Bot, Counts, FinishOrder
from results.rating.parameters import NEW
from results.rating.stretches import Machines, Stretches

Key: TypeAlias = tuple[str, str, str]
"""Game, bot and version."""


class Standing(msgspec.Struct, gc=False):
    """The counts of a bot's version in one game, over its standing matches so far, and its rating."""

    game: str
    bot: str
    version: str
    mu: float = NEW.mu
    sigma: float = NEW.sigma
    matches: int = 0
    wins: int = 0
    """Wins, draws and losses count matches of two seats."""
    draws: int = 0
    losses: int = 0
    rank_sum: int = 0
    """The sum of the ranks in matches of more than two seats."""
    rank_squares: int = 0
    """The sum of their squares."""
    rivals: int = 0
    """The sum of the other seats, over all matches."""
    rival_squares: int = 0
    """The sum of their squares."""
    beaten: int = 0
    """Twice the sum of the seats that ranked behind: one that ranked level counts 1."""
    beaten_squares: int = 0
    """The sum of the squares of what `beaten` adds up."""
    beaten_rivals: int = 0
    """The sum of the products of what `beaten` and `rivals` add up."""
    scored: int = 0
    """Matches that ended by the rules, with points."""
    score_sum: int = 0
    faults: dict[str, int] = {}
    """The number of matches that ended for the bot by a fault, by kind."""
    decisions: int = 0
    think_us: int = 0
    cpu_us: int = 0
    through_run: int = 0
    """The run and the number of the last match counted."""
    through_match: int = 0

    @property
    def ranked(self) -> int:
        """The number of matches of more than two seats."""
        return self.matches - self.wins - self.draws - self.losses

    def add(self, other: "Standing") -> None:
        """Add the counts of *other*; the rating stays."""
        for name in _SUMS:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.faults = {
            kind: self.faults.get(kind, 0) + other.faults.get(kind, 0)
            for kind in sorted(self.faults.keys() | other.faults.keys())
        }
        # Sums may be added in any order, so "the last match" is the highest, not the one that was added last.
        self.through_run, self.through_match = max(
            (self.through_run, self.through_match), (other.through_run, other.through_match)
        )


_SUMS = (
    *("matches", "wins", "draws", "losses", "rank_sum", "rank_squares"),
    *("rivals", "rival_squares", "beaten", "beaten_squares", "beaten_rivals"),
    *("scored", "score_sum", "decisions", "think_us", "cpu_us"),
)


class Counted(msgspec.Struct, array_like=True, gc=False):
    """What some matches of one game and one table size add up to, in long lists of numbers."""

    game: str
    seats: int
    bots: list[Bot]
    """Sorted.  The numbers below name a bot by its place in here."""
    outcomes: list[int]
    """For each distinct outcome: its bots by rank, its ties as bits, the first at the top, and its count.

    Sorted by bots and ties, so that they are in the order of Outcome.
    """
    blocks: list[tuple[int, list[int]]]
    """By number of matches, for each distinct block: its outcomes in order, and its count.

    The numbers name an outcome by its place in `outcomes`.
    """
    standings: list[Standing]
    run: int = 0
    stretches: list[int] = []
    """For each stretch of the run and each two bots that met there, sorted: the number of the stretch, the
    bots, and how often the first came before the second, tied with it, and came after it.
    """
    machines: list[tuple[str, list[int]]] = []
    """For each machine that is known, sorted: the same of its matches, without a number before the bots."""


class Totals:
    """The sums over some matches: the standings by table size, and the counts by game."""

    def __init__(self) -> None:
        """Begin without a match."""
        self.counts: dict[str, Counts] = {}
        self.by_size: dict[int, dict[Key, Standing]] = {}
        """The standings over the matches of each table size."""
        self.stretches: dict[str, Stretches] = {}
        """The results of pairs in the order of time, by game."""
        self.machines: dict[str, Machines] = {}
        """The results of pairs on each machine, by game."""
        self._same: dict[FinishOrder, FinishOrder] = {}
        """Each outcome once: blocks name the same ones many times, and there may be a million blocks."""

    def standings(self, seats: int | None = None) -> dict[Key, Standing]:
        """Return the standings by key, sorted; with *seats*, those over the matches of this size only."""
        found: dict[Key, Standing] = {}
        for size in sorted(self.by_size) if seats is None else [seats]:
            for key, standing in self.by_size.get(size, {}).items():
                found.setdefault(key, Standing(*key)).add(standing)
        return dict(sorted(found.items()))

    def tables(self, game: str, seats: int = 0) -> dict[int, int]:
        """Return the number of matches of *game* by table size, smallest first; with *seats*, of this one."""
        found = {}
        for size in [seats] if seats else sorted(self.by_size):
            here = self.by_size.get(size, {}).items()
            if seated := sum(each.matches for key, each in here if key[0] == game):
                found[size] = seated // size
        return found

    def add(self, parts: Iterable[Counted]) -> None:
        for part in parts:
            here = self.by_size.setdefault(part.seats, {})
            for standing in part.standings:
                key = (standing.game, standing.bot, standing.version)
                here.setdefault(key, Standing(*key)).add(standing)
            counts = self.counts.setdefault(part.game, Counts())
            outcomes = self._add_outcomes(counts, part)
            for length, flat in part.blocks:
                step = length + 1
                columns = [[outcomes[number] for number in flat[place::step]] for place in range(length)]
                for pattern, blocks in zip(zip(*columns, strict=True), flat[length::step], strict=True):
                    counts.blocks[pattern] = counts.blocks.get(pattern, 0) + blocks
            in_order = self.stretches.setdefault(part.game, Stretches())
            in_order.add(part.run, part.seats, part.bots, part.stretches)
            here_and_there = self.machines.setdefault(part.game, Machines())
            here_and_there.add(part.seats, part.bots, part.machines)

    def _add_outcomes(self, counts: Counts, part: Counted) -> list[FinishOrder]:
        """Add the outcomes of *part* to *counts*, and return them in the order in which it has them."""
        seats, flat, bots = part.seats, part.outcomes, part.bots
        # All patterns of ties are made once and shared: at six seats there are 32, and outcomes by the
        # hundred thousand.
        ties = [tuple([bit == "1" for bit in f"{bits:0{seats}b}"[1:]]) for bits in range(2 ** (seats - 1))]
        columns = [flat[place :: seats + 2] for place in range(seats + 2)]  # whole columns: quick
        tables = zip(*[[bots[place] for place in column] for column in columns[:seats]], strict=True)
        made = map(FinishOrder, tables, [ties[tied] for tied in columns[seats]])
        found = [self._same.setdefault(outcome, outcome) for outcome in made]
        for outcome, matches in zip(found, columns[seats + 1], strict=True):
            counts.outcomes[outcome] = counts.outcomes.get(outcome, 0) + matches
        return found
