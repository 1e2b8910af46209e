"""Read all matches once, and add up what pages show of them: pairs, seats, times, and which to look at.

A million matches are a few seconds of pyarrow; nothing here looks at them one by one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import combinations
from typing import NamedTuple, TypeAlias

from results.record import Json
from results.reports.labels import Key
from results.reports.seats import SEATS_NEED, group_rows, seat_rows
from results.storage.arrow import Table, pa, pc
from results.storage.contents import Contents

MatchId: TypeAlias = tuple[int, int]
"""The run and the number of a match."""
BotOfGame: TypeAlias = tuple[str, Key]
"""A game, and a bot's version."""

OF_SEAT = ("rank", "score", "fault", "think_us")
COLUMNS = ("run", "number", "void", "started", *SEATS_NEED, *(f"seats.{name}" for name in OF_SEAT))
MEETINGS_NEED = ("run", "number", *SEATS_NEED, "seats.rank", "seats.score")
"""The columns of matches that survey_meetings needs."""
BINS_PER_DECADE = 4
"""Times are counted in bins: bin b holds those from 10 ** (b / 4) us on."""
NEWEST = 50
"""The most matches of a game that are remembered: the newest."""
FAULTED = 20
"""The most matches with a fault that are remembered of a bot: the newest."""
_LOW = 1 << 32
"""A difference in points and the number of its match are one integer: difference * _LOW + number."""
_WIDEST = 1 << 29


class Meetings(NamedTuple):
    """The results of a bot's version against another in one game, over all matches that had both."""

    bot: str
    version: str
    rival: str
    rival_version: str
    matches: int
    wins: int
    """Matches in which the bot's rank was better than the rival's, whatever the others' ranks."""
    draws: int
    losses: int
    score_difference: float | None
    """The bot's score minus the rival's, on average; None if no match has both scores."""


class SeatResults(NamedTuple):
    """The results of a bot at one seat of tables of one size."""

    seats: int
    """The size of the table."""
    seat: int | None
    """None for all together."""
    matches: int
    firsts: int
    """Matches with rank 1, shared or not."""
    rank_sum: int
    rank_squares: int
    scored: int
    score_sum: int


@dataclass
class _Pair:
    """What two bots' meetings add up to, from the side of the first."""

    matches: int = 0
    wins: int = 0
    draws: int = 0
    differences: int = 0
    """The number of matches in which both have points."""
    difference: int = 0
    """The sum of the differences in points."""
    won: MatchId | None = None
    """The newest match in which the first was better than the second."""
    best: tuple[int, MatchId] | None = None
    """The largest difference in points with which it was better, and the newest such match."""
    closest: tuple[int, MatchId] | None = None
    """The smallest distance in points, negated, and the newest such match."""


@dataclass
class Survey:
    """What all standing matches of a store add up to."""

    tables: dict[tuple[int, str, int], int] = field(default_factory=dict)
    """The number of matches by run, game and table size."""
    newest: dict[str, list[MatchId]] = field(default_factory=dict)
    """The newest matches of each game, newest first."""
    last: dict[BotOfGame, int] = field(default_factory=dict)
    """When the newest match of a bot began, in us since 1970."""
    faulted: dict[BotOfGame, list[MatchId]] = field(default_factory=dict)
    """The newest matches that a fault ended for a bot, newest first."""
    thinking: dict[BotOfGame, Counter[int]] = field(default_factory=dict)
    """The number of decisions of a bot by the bin of their time: see BINS_PER_DECADE."""
    _pairs: dict[str, dict[tuple[Key, Key], _Pair]] = field(default_factory=dict)
    _places: dict[BotOfGame, dict[tuple[int, int], SeatResults]] = field(default_factory=dict)

    @property
    def matches(self) -> int:
        """The number of matches."""
        return sum(self.tables.values())

    def meetings(self, game: str, bot: Key | None = None) -> list[Meetings]:
        """Return the results of each pair of versions in *game*, from both sides, in the order of names.

        A match of n seats counts as n (n - 1) / 2 meetings.  With *bot*, only its own side.
        """
        pairs = self._pairs.get(game, {}).items()
        return sorted(_meetings_of(*bots, pair) for bots, pair in pairs if bot in (None, bots[0]))

    def places(self, game: str, bot: Key) -> list[SeatResults]:
        """Return the results of *bot* by table size and seat."""
        return [place for _, place in sorted(self._places.get((game, bot), {}).items())]

    def newest_win(self, game: str, bot: Key, rival: Key) -> MatchId | None:
        """Return the newest match in which *bot* had a better place than *rival*."""
        pair = self._pairs.get(game, {}).get((bot, rival))
        return pair.won if pair else None

    def notable(self, game: str, bot: Key) -> dict[str, MatchId]:
        """Return the matches of *bot* that are worth looking at, by what they are."""
        mine = [pair for (first, _), pair in self._pairs.get(game, {}).items() if first == bot]
        theirs = [pair for (_, second), pair in self._pairs.get(game, {}).items() if second == bot]
        found = {
            "best win": max((pair.best for pair in mine if pair.best), default=None),
            "worst loss": max((pair.best for pair in theirs if pair.best), default=None),
            "closest": max((pair.closest for pair in mine if pair.closest), default=None),
        }
        return {what: each[1] for what, each in found.items() if each}


def _meetings_of(bot: Key, rival: Key, pair: _Pair) -> Meetings:
    return Meetings(
        *bot,
        *rival,
        pair.matches,
        pair.wins,
        pair.draws,
        pair.matches - pair.wins - pair.draws,
        pair.difference / pair.differences if pair.differences else None,
    )


def survey(contents: Contents) -> Survey:
    """Return what all standing matches of *contents* add up to, reading each once."""
    found = Survey()
    for part in contents.match_parts(COLUMNS):
        if len(part):
            _add(found, part)
    return found


def survey_meetings(parts: Iterable[Table]) -> Survey:
    """Return the numbers of matches and the meetings in *parts*, each with MEETINGS_NEED and of one run."""
    found = Survey()
    for part in parts:
        if len(part):
            run = part.column("run")[0].as_py()
            games, bots, seats = seat_rows(part, ("number",), ("rank", "score"))
            _add_tables(found, run, games, seats)
            _add_pairs(found, run, games, bots, seats)
    return found


def _add(found: Survey, matches: Table) -> None:
    """Add *matches*, which are of one run."""
    run = matches.column("run")[0].as_py()
    games, bots, seats = seat_rows(matches, ("number", "started"), OF_SEAT)
    _add_tables(found, run, games, seats)
    _add_newest(found, run, games, seats)
    _add_places(found, run, games, bots, seats)
    _add_thinking(found, games, bots, seats)
    _add_pairs(found, run, games, bots, seats)


def _is(table: Table, name: str, value: Json) -> Json:
    return pc.equal(table.column(name), value)


def _add_tables(found: Survey, run: int, games: list[str], seats: Table) -> None:
    first = seats.filter(_is(seats, "seat", 0))
    for game, size, count in group_rows(first, ["game", "size"], [("seat", "count")]):
        key = (run, games[game], size)
        found.tables[key] = found.tables.get(key, 0) + count


def _add_newest(found: Survey, run: int, games: list[str], seats: Table) -> None:
    first = seats.filter(_is(seats, "seat", 0))
    for code, game in enumerate(games):
        numbers = first.filter(_is(first, "game", code)).column("number")
        added = [(run, number) for number in reversed(numbers[-NEWEST:].to_pylist())]
        found.newest[game] = sorted(added + found.newest.get(game, []), reverse=True)[:NEWEST]


def _add_places(found: Survey, run: int, games: list[str], bots: list[Key], seats: Table) -> None:
    rank = seats.column("rank")
    seats = seats.append_column("first", pc.cast(pc.equal(rank, 1), "int64"))
    seats = seats.append_column("squared", pc.multiply(rank, rank))
    sums = [
        *(("rank", "count"), ("first", "sum"), ("rank", "sum"), ("squared", "sum")),
        *(("score", "count"), ("score", "sum"), ("started", "max")),
    ]
    for game, bot, size, seat, *counts, started in group_rows(seats, ["game", "bot", "size", "seat"], sums):
        key = (games[game], bots[bot])
        mine = found._places.setdefault(key, {})
        old = mine.get((size, seat), SeatResults(size, seat, 0, 0, 0, 0, 0, 0))
        added = [a + (b or 0) for a, b in zip(old[2:], counts, strict=True)]
        mine[size, seat] = SeatResults(size, seat, *added)
        found.last[key] = max(started, found.last.get(key, 0))
    # Only here rows become Python values one by one: faults are rare.
    faulted = seats.filter(pc.is_valid(seats.column("fault"))).select(["game", "bot", "number"])
    for row in faulted.to_pylist():
        key = (games[row["game"]], bots[row["bot"]])
        listed = found.faulted.setdefault(key, [])
        listed.insert(0, (run, row["number"]))
        del listed[FAULTED:]


def _add_thinking(found: Survey, games: list[str], bots: list[Key], seats: Table) -> None:
    """Count the times of decisions by game, bot and bin."""
    times = seats.column("think_us").combine_chunks()
    of_seat = pc.add(pc.multiply(seats.column("game").cast(pa.int64()), len(bots)), seats.column("bot"))
    bins = pc.floor(
        pc.multiply(pc.log10(pc.max_element_wise(times.flatten(), 1).cast("float64")), BINS_PER_DECADE)
    )
    # Game, bot and bin in one integer, so that one value_counts does for all of them.  64 is more than the
    # bins of any time: 2^63 us are in bin 75 at 4 a decade, a year in 53.
    coded = pc.multiply(of_seat.combine_chunks(), 64).take(pc.list_parent_indices(times))
    for each in pc.value_counts(pc.add(coded, bins.cast(pa.int64()))).to_pylist():
        code, number = divmod(each["values"], 64)
        game, bot = divmod(code, len(bots))
        found.thinking.setdefault((games[game], bots[bot]), Counter())[number] += each["counts"]


def _add_pairs(found: Survey, run: int, games: list[str], bots: list[Key], seats: Table) -> None:
    """Add the meetings of each two seats of each table."""
    for size in pc.unique(seats.column("size")).to_pylist():
        here = seats.filter(_is(seats, "size", size)).select(["game", "bot", "number", "rank", "score"])
        # Rows of a match follow each other, seat by seat: every size-th row is the same seat.
        by_seat = [here.take(pa.array(range(seat, len(here), size), pa.int64())) for seat in range(size)]
        for first, second in combinations(by_seat, 2):
            _add_meetings(found, run, games, bots, _meetings(first, second))


def _meetings(first: Table, second: Table) -> Table:
    """Return a row for each meeting of two seats, with what decides which matches are worth looking at."""
    number = first.column("number")
    won = pc.less(first.column("rank"), second.column("rank"))
    lost = pc.greater(first.column("rank"), second.column("rank"))
    difference = pc.subtract(first.column("score"), second.column("score"))
    # A game from outside may have points of any size; beyond 2^29 they are as good as equal here.
    bounded = pc.max_element_wise(
        pc.min_element_wise(difference, _WIDEST, skip_nulls=False), -_WIDEST, skip_nulls=False
    )
    none = pa.scalar(None, pa.int64())
    return pa.table(
        {
            "game": first.column("game"),
            "bot": first.column("bot"),
            "rival": second.column("bot"),
            "won": won.cast(pa.int64()),
            "lost": lost.cast(pa.int64()),
            "difference": difference,
            "won_number": pc.if_else(won, number, none),
            "lost_number": pc.if_else(lost, number, none),
            "best": pc.if_else(won, pc.add(pc.multiply(bounded, _LOW), number), none),
            "worst": pc.if_else(lost, pc.add(pc.multiply(pc.negate(bounded), _LOW), number), none),
            "closest": pc.add(pc.multiply(pc.negate(pc.abs(bounded)), _LOW), number),
        }
    )


_MEETING_SUMS = [
    *(("won", "count"), ("won", "sum"), ("lost", "sum"), ("difference", "count"), ("difference", "sum")),
    *(("won_number", "max"), ("lost_number", "max"), ("best", "max"), ("worst", "max"), ("closest", "max")),
]


def _add_meetings(found: Survey, run: int, games: list[str], bots: list[Key], meetings: Table) -> None:
    """Add *meetings* to both sides of each pair."""
    for row in group_rows(meetings, ["game", "bot", "rival"], _MEETING_SUMS):
        game, bot, rival, matches, won, lost, differences, difference, *marks = row
        if bot == rival:
            continue
        won_number, lost_number, best, worst, closest = marks
        pairs = found._pairs.setdefault(games[game], {})
        # Each meeting is stored from both sides: twice the memory, and no question of sides when it is read.
        for key, wins, sign, number, widest in (
            ((bots[bot], bots[rival]), won, 1, won_number, best),
            ((bots[rival], bots[bot]), lost, -1, lost_number, worst),
        ):
            pair = pairs.setdefault(key, _Pair())
            pair.matches += matches
            pair.wins += wins
            pair.draws += matches - won - lost
            pair.differences += differences
            pair.difference += sign * (difference or 0)
            pair.won = max(filter(None, (pair.won, None if number is None else (run, number))), default=None)
            pair.best = _larger(pair.best, widest, run)
            pair.closest = _larger(pair.closest, closest, run)


def _larger(old: tuple[int, MatchId] | None, mark: int | None, run: int) -> tuple[int, MatchId] | None:
    """Return the larger of *old* and *mark*, which is a difference and the number of its match."""
    if mark is None:
        return old
    difference, number = divmod(mark, _LOW)
    new = (difference, (run, number))
    return new if old is None else max(old, new)
