"""What matches add up to: wins, ranks, points, faults and times by bot, and the counts of outcomes.

Everything here is a sum, so the matches may come in any order, in any parts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import eq
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from results.rating.outcomes import Bot, Counts, Outcome
from results.rating.parameters import NEW, Rating
from results.storage.finishes import Finishes

if TYPE_CHECKING:
    from results.storage.schema import Table

__all__ = ["Key", "Standing", "Totals"]

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
    def rating(self) -> Rating:
        """The bot's rating."""
        return Rating(self.mu, self.sigma)

    @property
    def ranked(self) -> int:
        """The number of matches of more than two seats."""
        return self.matches - self.wins - self.draws - self.losses

    def add(self, other: Standing) -> None:
        """Add the counts of *other*; the rating stays."""
        for name in _SUMS:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.faults = {
            kind: self.faults.get(kind, 0) + other.faults.get(kind, 0)
            for kind in sorted(self.faults.keys() | other.faults.keys())
        }
        self.through_run, self.through_match = max(
            (self.through_run, self.through_match), (other.through_run, other.through_match)
        )


_SUMS = (
    *("matches", "wins", "draws", "losses", "rank_sum", "rank_squares"),
    *("scored", "score_sum", "decisions", "think_us", "cpu_us"),
)


class Totals:
    """The sums over some matches: the standings by table size, and the counts by game."""

    def __init__(self) -> None:
        """Begin without a match."""
        self.counts: dict[str, Counts] = {}
        self.by_size: dict[int, dict[Key, Standing]] = {}
        """The standings over the matches of each table size."""
        self._same: dict[Outcome, Outcome] = {}
        """Each outcome once: blocks name the same ones many times, and there may be a million blocks."""

    @property
    def matches(self) -> int:
        """The number of matches."""
        return sum(counts.matches for counts in self.counts.values())

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

    def put(self, game: str, counts: Counts) -> None:
        """Take *counts* as those of *game*."""
        self.counts[game] = counts
        self._same.update((outcome, outcome) for outcome in counts.outcomes)

    def update(self, other: Totals) -> None:
        """Add what *other* has."""
        for size, standings in other.by_size.items():
            here = self.by_size.setdefault(size, {})
            for key, standing in standings.items():
                here.setdefault(key, Standing(*key)).add(standing)
        for game, counts in other.counts.items():
            self.counts.setdefault(game, Counts()).update(counts)

    def add(self, finishes: Finishes, run: int) -> None:
        """Add the matches of *finishes*, which are of *run*."""
        self._add_outcomes(finishes.seats)
        self._add_standings(finishes.seats, run)

    # -- outcomes

    def _add_outcomes(self, seats: Table) -> None:
        """Count the outcomes and the blocks, and wins, draws and losses at tables of two."""
        added: dict[str, Counts] = {}
        matches = zip(*_matches_of(seats, self._same), strict=True)
        for (_, game), block in groupby(matches, key=lambda match: match[:2]):
            of_block = list(block)
            paired = all(match[2] for match in of_block)
            added.setdefault(game, Counts()).add_block([match[3] for match in of_block], paired=paired)
        for game, counts in added.items():
            self.counts.setdefault(game, Counts()).update(counts)
            for outcome, count in counts.outcomes.items():
                if outcome.seats == 2:
                    self._compare(game, outcome, count)

    def _compare(self, game: str, outcome: Outcome, count: int) -> None:
        """Count *count* wins and losses, or draws, at tables of two."""
        winner, loser = (self._standing(2, (game, *bot)) for bot in outcome.bots)
        if outcome.ties[0]:
            winner.draws += count
            loser.draws += count
        else:
            winner.wins += count
            loser.losses += count

    def _standing(self, size: int, key: Key) -> Standing:
        return self.by_size.setdefault(size, {}).setdefault(key, Standing(*key))

    # -- the rest

    def _add_standings(self, seats: Table, run: int) -> None:
        """Add up everything except wins, draws and losses, by table size and bot's version."""
        import pyarrow.compute as pc

        rank = pc.if_else(pc.greater(seats.column("size"), 2), seats.column("rank"), 0)
        seats = seats.append_column("larger", rank).append_column("squared", pc.multiply(rank, rank))
        summed = ("larger", "squared", "score", "decisions", "think_us", "cpu_us")
        counted = [("number", "count"), ("number", "max"), ("score", "count")]
        by_version = seats.group_by(["size", "game", "bot", "version"])
        for row in by_version.aggregate([*counted, *((name, "sum") for name in summed)]).to_pylist():
            key = (row["game"], row["bot"], row["version"])
            self._standing(row["size"], key).add(
                Standing(
                    *key,
                    matches=row["number_count"],
                    rank_sum=row["larger_sum"],
                    rank_squares=row["squared_sum"],
                    scored=row["score_count"],
                    score_sum=row["score_sum"] or 0,
                    decisions=row["decisions_sum"],
                    think_us=row["think_us_sum"],
                    cpu_us=row["cpu_us_sum"] or 0,
                    through_run=run,
                    through_match=row["number_max"],
                )
            )
        faulted = seats.filter(pc.is_valid(seats.column("fault")))
        by_kind = faulted.group_by(["size", "game", "bot", "version", "fault"])
        for row in by_kind.aggregate([("fault", "count")]).to_pylist():
            key = (row["game"], row["bot"], row["version"])
            self._standing(row["size"], key).add(Standing(*key, faults={row["fault"]: row["fault_count"]}))


def _matches_of(
    seats: Table, same: dict[Outcome, Outcome]
) -> tuple[Sequence[int], Sequence[str], Sequence[bool], Iterator[Outcome]]:
    """Return the block, the game, `paired` and the outcome of each match in *seats* (Finishes.seats).

    Equal outcomes are one object: *same* keeps them.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    from results.storage.schema import read_texts, read_values

    names = pc.binary_join_element_wise(seats.column("bot"), seats.column("version"), "\0")
    coded = names.combine_chunks().dictionary_encode()
    bots: list[Bot] = [(name.split("\0")[0], name.split("\0")[1]) for name in coded.dictionary.to_pylist()]
    codes = read_values(coded.indices)
    sizes, ranks = read_values(seats.column("size")), read_values(seats.column("rank"))
    starts = []
    start = 0
    while start < len(sizes):
        starts.append(start)
        start += sizes[start]
    first = seats.select(["block", "game", "paired"]).take(pa.array(starts, pa.int64()))
    blocks, paired = read_values(first.column("block")), first.column("paired").to_pylist()
    outcomes = _outcomes(bots, codes, [sizes[start] for start in starts], ranks, same)
    return blocks, read_texts(first.column("game")), paired, outcomes


def _outcomes(
    bots: Sequence[Bot],
    codes: Sequence[int],
    sizes: Sequence[int],
    ranks: Sequence[int],
    same: dict[Outcome, Outcome],
) -> Iterator[Outcome]:
    """Yield the outcome of each match: *codes* are the places of its bots in *bots*, seat by seat."""
    ties = [*map(eq, ranks, ranks[1:])]
    known: dict[tuple[tuple[int, ...], tuple[bool, ...]], Outcome] = {}
    end = 0
    for size in sizes:
        start, end = end, end + size
        key = (tuple(codes[start:end]), tuple(ties[start : end - 1]))
        found = known.get(key)
        if found is None:
            made = Outcome(tuple(bots[code] for code in key[0]), key[1])
            found = known[key] = same.setdefault(made, made)
        yield found
