"""Count matches in columns: equal outcomes, equal blocks and the sums of each bot, by game and table size.

pyarrow groups them, because there are millions of matches: other modules import this one when they count.
The counts of a segment are stored as they are here: see results.rating.segment_counts.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain, combinations, groupby, pairwise
from operator import itemgetter

import pyarrow as pa
import pyarrow.compute as pc

from results.rating.outcomes import Bot
from results.rating.standings import Counted, Standing
from results.rating.stretches import STRETCHES
from results.storage.finishes import Finishes
from results.storage.schema import Array, Table, read_values


def count_matches(finishes: Finishes, run: int) -> list[Counted]:
    """Return the counts of *finishes*, which are of *run*, by game and table size."""
    seats = finishes.seats
    found = []
    for part in seats.group_by(["game", "size"]).aggregate([]).to_pylist():
        game, size = part["game"], part["size"]
        is_here = pc.and_(pc.equal(seats.column("game"), game), pc.equal(seats.column("size"), size))
        found.append(_count(game, size, seats.filter(is_here), run))
    return found


def _count(game: str, size: int, seats: Table, run: int) -> Counted:
    """Return the counts of *seats*, which are all of *game* at tables of *size*."""
    bots, places = _place_bots(seats)
    matches = _list_matches(size, places, seats)
    kinds = [*map(str, range(size)), "ties"]
    matches, starts = _number_equal(matches, kinds)
    distinct = matches.select(kinds).take(pa.array(starts, pa.int64()))
    counts = [end - start for start, end in pairwise([*starts, len(matches)])]
    rows = zip(*map(read_values, distinct.columns), counts, strict=True)
    numbers = list(chain.from_iterable(rows))
    stretches = _count_stretches(size, len(bots), matches)
    machines = _count_machines(size, len(bots), matches)
    counted = Counted(game, size, bots, numbers, _count_blocks(matches), [], run, stretches, machines)
    counted.standings = _sum_standings(counted, seats.append_column("place", places), run)
    _add_beaten(counted.standings, size, distinct, counts)
    return counted


def _place_bots(seats: Table) -> tuple[list[Bot], Array]:
    """Return the bots of *seats*, sorted, and for each seat the place of its bot among them."""
    names = pc.binary_join_element_wise(seats.column("bot"), seats.column("version"), "\0")
    coded = names.combine_chunks().dictionary_encode()
    met: list[Bot] = [(name.split("\0")[0], name.split("\0")[1]) for name in coded.dictionary.to_pylist()]
    place = {bot: i for i, bot in enumerate(sorted(met))}
    return list(place), pa.array([place[bot] for bot in met], pa.int64()).take(coded.indices)


def _list_matches(size: int, places: Array, seats: Table) -> Table:
    """Return a row for each match.

    The columns are `ties`, `block`, `paired`, `machine`, and its bots by rank as `0`, `1` and so on.
    """
    at = [pa.array(range(seat, len(seats), size), pa.int64()) for seat in range(size)]
    ranks = [seats.column("rank").take(rows) for rows in at]
    ties = pa.repeat(pa.scalar(0, pa.int64()), len(at[0]))
    for one, next_ in pairwise(ranks):
        ties = pc.add(pc.multiply(ties, 2), pc.equal(one, next_).cast(pa.int64()))
    bots = {str(seat): places.take(rows) for seat, rows in enumerate(at)}
    more = {name: seats.column(name).take(at[0]) for name in ("block", "paired", "machine")}
    return pa.table({**bots, "ties": ties, **more})


def _number_equal(rows: Table, names: list[str]) -> tuple[Table, list[int]]:
    """Return *rows* sorted by *names*, equal ones with one `number` from 0 on, and where each begins."""
    rows = rows.sort_by([(name, "ascending") for name in names]).combine_chunks()
    differs = pa.repeat(pa.scalar(False), len(rows) - 1)
    for name in names:
        column = rows.column(name)
        differs = pc.or_(differs, pc.not_equal(column.slice(1), column.slice(0, len(rows) - 1)))
    steps = pa.concat_arrays([pa.array([0], pa.int64()), *differs.cast(pa.int64()).chunks])
    starts = [0, *pc.add(pc.indices_nonzero(differs), 1).to_pylist()]
    return rows.append_column("number", pc.cumulative_sum(steps)), starts


def _count_blocks(matches: Table) -> list[tuple[int, list[int]]]:
    """Return the distinct blocks of *matches*: see Counted.blocks."""
    matches = matches.sort_by([("block", "ascending"), ("number", "ascending")])
    columns = (matches.column(name).to_pylist() for name in ("block", "paired", "number"))
    patterns: Counter[tuple[int, ...]] = Counter()
    for _, block in groupby(zip(*columns, strict=True), key=itemgetter(0)):
        _, paired, numbers = zip(*block, strict=True)
        patterns[numbers] += all(paired)
    by_length: dict[int, list[int]] = {}
    for pattern, blocks in patterns.items():
        if blocks:
            by_length.setdefault(len(pattern), []).extend((*pattern, blocks))
    return sorted(by_length.items())


def _count_stretches(size: int, bots: int, matches: Table) -> list[int]:
    """Return the results of pairs of this many *bots* by stretch of the run: see Counted.stretches."""
    blocks = matches.column("block")
    stretch = pa.repeat(pa.scalar(0, pa.int64()), len(matches))
    first, last = pc.min_max(blocks).as_py().values()
    for number, start in enumerate(STRETCHES, 1):
        if start > last:
            break
        is_later = pa.scalar(True) if start <= first else pc.greater_equal(blocks, start)
        stretch = pc.if_else(is_later, number, stretch)
    return [value for row in _count_meetings(size, bots, matches, stretch) for value in row]


def _count_machines(size: int, bots: int, matches: Table) -> list[tuple[str, list[int]]]:
    """Return the results of pairs of this many *bots* by machine: see Counted.machines."""
    matches = matches.filter(pc.is_valid(matches.column("machine")))
    if not len(matches):
        return []
    coded = matches.column("machine").combine_chunks().dictionary_encode()
    found: dict[int, list[int]] = {}
    for machine, *row in _count_meetings(size, bots, matches, coded.indices.cast(pa.int64())):
        found.setdefault(machine, []).extend(row)
    names = coded.dictionary.to_pylist()
    return sorted((names[machine], flat) for machine, flat in found.items())


def _count_meetings(size: int, bots: int, matches: Table, part: Array) -> list[tuple[int, ...]]:
    """Return how often any two of this many *bots* came before, tied with and came after each other.

    *part* is a number for each of *matches*.  A row has that, the two bots, and the three counts; sorted.
    """
    # One number for each meeting, so that they are counted at once: part, two bots and result.
    many, codes = bots, []
    for upper, lower in combinations(range(size), 2):
        # the bits of all ties from the one place to the other: both tied if all are set
        tied_by = sum(1 << (size - 2 - place) for place in range(upper, lower))
        one, other = matches.column(str(upper)), matches.column(str(lower))
        is_tie = pc.equal(pc.bit_wise_and(matches.column("ties"), tied_by), tied_by)
        result = pc.if_else(is_tie, 1, pc.if_else(pc.less(one, other), 0, 2))
        code = pc.add(pc.multiply(part, many), pc.min_element_wise(one, other))
        code = pc.add(pc.multiply(code, many), pc.max_element_wise(one, other))
        codes += pc.add(pc.multiply(code, 3), result).chunks
    counted = pc.value_counts(pa.chunked_array(codes))
    found: dict[int, list[int]] = {}
    values, counts = (counted.field(name).to_pylist() for name in ("values", "counts"))
    for met, count in sorted(zip(values, counts, strict=True)):
        at, result = divmod(met, 3)
        found.setdefault(at, [0, 0, 0])[result] = count
    return [(at // many // many, at // many % many, at % many, *results) for at, results in found.items()]


def _sum_standings(counted: Counted, seats: Table, run: int) -> list[Standing]:
    """Return the standings of the bots of *counted*; the bots of *seats* are in the column `place`."""
    found = [Standing(counted.game, *bot) for bot in counted.bots]
    rank = pc.if_else(pc.greater(seats.column("size"), 2), seats.column("rank"), 0)
    seats = seats.append_column("larger", rank).append_column("squared", pc.multiply(rank, rank))
    summed = ("larger", "squared", "score", "decisions", "think_us", "cpu_us")
    sums = [("number", "count"), ("number", "max"), ("score", "count"), *((name, "sum") for name in summed)]
    for row in seats.group_by("place").aggregate(sums).to_pylist():
        standing = found[row["place"]]
        standing.matches = row["number_count"]
        standing.rank_sum, standing.rank_squares = row["larger_sum"], row["squared_sum"]
        standing.scored, standing.score_sum = row["score_count"], row["score_sum"] or 0
        standing.decisions = row["decisions_sum"]
        standing.think_us, standing.cpu_us = row["think_us_sum"], row["cpu_us_sum"] or 0
        standing.through_run, standing.through_match = run, row["number_max"]
    faulted = seats.filter(pc.is_valid(seats.column("fault")))
    for row in faulted.group_by(["place", "fault"]).aggregate([("fault", "count")]).to_pylist():
        standing = found[row["place"]]
        standing.faults = {**standing.faults, row["fault"]: row["fault_count"]}
    if counted.seats == 2:
        numbers = iter(counted.outcomes)
        for first, second, tied, matches in zip(numbers, numbers, numbers, numbers, strict=True):
            if tied:
                found[first].draws += matches
                found[second].draws += matches
            else:
                found[first].wins += matches
                found[second].losses += matches
    return found


def _add_beaten(standings: list[Standing], size: int, distinct: Table, counts: list[int]) -> None:
    """Add the seats beaten to *standings*; *counts* are the numbers of matches that ended as *distinct*."""
    parts = []
    for place in range(size):
        twice = pa.array([_twice_beaten(size, place, ties) for ties in range(2 ** (size - 1))], pa.int64())
        columns = [distinct.column(str(place)), twice.take(distinct.column("ties")), pa.array(counts)]
        parts.append(pa.table(columns, ["bot", "twice", "matches"]))
    met = pa.concat_tables(parts).group_by(["bot", "twice"]).aggregate([("matches", "sum")])
    for row in met.to_pylist():
        standing, twice_beaten, matches = standings[row["bot"]], row["twice"], row["matches_sum"]
        standing.rivals += matches * (size - 1)
        standing.rival_squares += matches * (size - 1) ** 2
        standing.beaten += matches * twice_beaten
        standing.beaten_squares += matches * twice_beaten**2
        standing.beaten_rivals += matches * twice_beaten * (size - 1)


def _twice_beaten(size: int, place: int, ties: int) -> int:
    """Return twice the seats that the bot at *place* of the finish order beat; one that ties counts half.

    *ties* are bits, the first two places at the top: see Counted.outcomes.
    """
    level = [place]
    for step, end in ((-1, 0), (1, size - 1)):
        at = place
        while at != end and ties >> (size - 2 - min(at, at + step)) & 1:
            at += step
            level.append(at)
    return 2 * (size - 1 - max(level)) + len(level) - 1
