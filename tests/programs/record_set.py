"""Make the reference set: `.venv/bin/python tests/programs/record_set.py --deals 400`.

It copies the programs that search, lets the bots of the set play each other in this process, and writes the
results, the recorded decisions, the hash of it all and the tables of the games' pages.  Deals that are
recorded stay: a second call with more deals goes on, and --anew begins again.  Never call it for a set that
was released.

Each deal is played from every seat.  Its bots are drawn from the whole set for one half of the deals, and
from neighbours on the list for the other, so that few matches are wasted on bots that are far apart.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from pathlib import Path
from random import Random
from typing import NamedTuple

import msgspec

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).resolve().parents[1]), str(Path(__file__).resolve().parents[2])]

from support.pair_ratings import rate_each_other

from engines import GAMES
from ladder.machine.installation import ROOT
from ladder.machine.pool import Pool
from ladder.reference.reference_set import (
    ANCHOR,
    FOLDER,
    RELEASED,
    Recorded,
    ReferenceGame,
    ReferenceSet,
    SetList,
    digest_of,
)
from ladder.reference.set_match import decisions_of, measure_pace, play_match
from programs.set_page import write_tables

SEARCHES = ("halving", "starry_sky", "stella_quest", "stellar")
"""The modules of bots/search that the set has copies of."""
BATCH = 4
"""How many deals a process plays at a time."""
STEP_DEALS = 64
"""Results are written after so many deals."""
MORE_EVERY = 8
"""A bot that does much work has a seat in every eighth deal: it takes a hundred times as long as others."""


# -- results among each other


class DealTask(NamedTuple):
    """Deals that a process plays: those from number *first* on, before number *end*."""

    folder: Path
    game: str
    seats: int
    bots: tuple[str, ...]
    more: tuple[str, ...]
    first: int
    end: int


class DealTally(NamedTuple):
    """What some deals have said."""

    pairs: dict[tuple[str, str, int], int]
    """By two bots and 0, 1 or 2: the first won, tied or lost."""
    seconds: dict[str, float]
    matches: dict[str, int]


def table_of(bots: Sequence[str], more: Sequence[str], key: str, seats: int, number: int) -> list[str]:
    """Return the bots of deal *number*.  Those of *more* have a seat in few deals, among the best."""
    rng = Random(f"R1/table/{key}/{number}")
    if more and number % MORE_EVERY == 0:
        first = more[number // MORE_EVERY % len(more)]
        best = [bot for bot in (*bots, *more)[-len(more) - seats - 2 :] if bot != first]
        return rng.sample([first, *rng.sample(best, seats - 1)], seats)
    if number % 2:
        window = seats + 2
        start = rng.randrange(max(1, len(bots) - window + 1))
        bots = bots[start : start + window]
    return rng.sample(list(bots), seats)


def play_deals(task: DealTask) -> DealTally:
    """Play the deals of *task*, each from every seat."""
    folder, game, seats, bots, more, first, end = task
    order = [*bots, *more]
    pairs, seconds, matches = Counter[tuple[str, str, int]](), dict.fromkeys(order, 0.0), Counter[str]()
    for number in range(first, end):
        seed = f"R1/record/{game}/{seats}/{number}"
        table = table_of(bots, more, f"{game}/{seats}", seats, number)
        deal = GAMES[game].deal(seats, Random(seed))
        for rotation in range(seats):
            seated = table[rotation:] + table[:rotation]
            played = play_match(folder, game, deal, seated, f"{seed}/{rotation}")
            for one, other in combinations(range(seats), 2):
                i, j = sorted((one, other), key=lambda seat: order.index(seated[seat]))
                lead = (played.ranks[i] > played.ranks[j]) - (played.ranks[i] < played.ranks[j])
                pairs[seated[i], seated[j], 1 + lead] += 1
            for bot, spent in zip(seated, played.seconds, strict=True):
                seconds[bot] += spent
                matches[bot] += 1
    return DealTally(dict(pairs), seconds, dict(matches))


def _extend(
    folder: Path, game: str, of: ReferenceGame, seats: int, before: Recorded | None, deals: int, jobs: int
) -> Recorded:
    """Return the results of *deals* deals, of which some may be recorded before."""
    bots = (*of.bots, *of.more)
    pairs: Counter[tuple[str, str, int]] = Counter()
    first, seconds, matches = 0, dict.fromkeys(bots, 0.0), Counter[str]()
    if before is not None:
        first = before.deals
        for pair, counts in before.pairs.items():
            one, other = pair.split()
            pairs.update({(one, other, i): count for i, count in enumerate(counts)})
    tasks = [
        DealTask(folder, game, seats, of.bots, of.more, i, min(i + BATCH, deals))
        for i in range(first, deals, BATCH)
    ]
    with Pool(jobs) as pool:
        for _, tally in pool.each(play_deals, tasks):
            pairs.update(tally.pairs)
            matches.update(tally.matches)
            for bot, spent in tally.seconds.items():
                seconds[bot] += spent
    met = dict.fromkeys((one, other) for one, other, _ in sorted(pairs, key=_by_place(bots)))
    counted = {(one, other): tuple(pairs[one, other, i] for i in range(3)) for one, other in met}
    ratings = rate_each_other(counted, ANCHOR)
    return Recorded(
        deals=deals,
        pairs={f"{one} {other}": (*counts,) for (one, other), counts in counted.items()},  # type: ignore[misc]  # three of them
        ratings={bot: round(ratings[bot], 4) for bot in bots},
        seconds={
            bot: float(f"{seconds[bot] / matches[bot]:.2g}")
            if matches[bot]
            else (before.seconds[bot] if before else 0.0)
            for bot in bots
        },
        pace=float(f"{measure_pace(folder, game, seats):.2g}"),
    )


def _by_place(bots: Sequence[str]) -> Callable[[tuple[str, str, int]], tuple[int, int]]:
    return lambda pair: (bots.index(pair[0]), bots.index(pair[1]))


# -- recorded decisions


def all_decisions(folder: Path, listed: SetList) -> Iterator[tuple[str, list[str]]]:
    """Yield the recorded decisions of all bots, by game, table size and bot."""
    for game, of in listed.games.items():
        for seats in of.blocks:
            for bot in (*of.bots, *of.more):
                yield f"{game}/{seats} {bot}", decisions_of(folder, game, seats, bot, little=bot in of.bots)


# -- all of it


def record_set(
    folder: Path, deals: int, *, jobs: int = 1, only: Sequence[str] = (), anew: bool = False
) -> None:
    """Write results.json, decisions.json and the hash of the set in *folder*.

    *deals* are the deals of each game and table size, of which those that were recorded before stay, unless
    it begins *anew*; *only* names some contests, as GAME/SEATS, and then the set is not complete.
    """
    listed = msgspec.json.decode((folder / "set.json").read_bytes(), type=SetList)
    file = folder / "results.json"
    results: dict[str, Recorded] = {}
    if file.exists():
        results = msgspec.json.decode(file.read_bytes(), type=dict[str, Recorded])
    if anew:  # forgotten at once, so that a second call goes on with none of the old ones
        results = {key: kept for key, kept in results.items() if only and key not in only}
        _write(file, results)
    for game, of in listed.games.items():
        for seats in of.blocks:
            key = f"{game}/{seats}"
            if only and key not in only:
                continue
            before = results.get(key)
            while before is None or before.deals < deals:  # what is written is not lost if this is stopped
                since, first = time.monotonic(), before.deals if before else 0
                end = min(deals, first - first % STEP_DEALS + STEP_DEALS)
                before = results[key] = _extend(folder, game, of, seats, before, end, jobs)
                _write(file, results)
                print(f"{key}: deals {first} to {end} in {time.monotonic() - since:.0f} s", flush=True)
    if only:  # a part: the set is not complete yet
        return
    _write(folder / "decisions.json", dict(all_decisions(folder, listed)))
    folder.with_name(RELEASED).write_text(digest_of(folder) + "\n", "ascii")


def _write(file: Path, what: object) -> None:
    text = msgspec.json.format(msgspec.json.encode(what), indent=1).decode()
    text = re.sub(r"\[[^][]*\]", lambda numbers: " ".join(numbers[0].split()), text)  # short lists in a line
    file.write_text(f"{text}\n", "utf-8")


def copy_programs(folder: Path, source: Path) -> None:
    """Copy what the searching bots think with from *source*."""
    for module in SEARCHES:
        shutil.copyfile(source / f"{module}.py", folder / f"{module}.py")


def main() -> None:
    """Read the command line, and make the set."""
    parser = argparse.ArgumentParser(description="Make the reference set R1 in this clone.")
    parser.add_argument("--deals", type=int, required=True, help="of each game and table size")
    parser.add_argument("--only", action="append", default=[], metavar="GAME/SEATS", help="record only this")
    parser.add_argument("-j", "--jobs", type=int, default=1)
    parser.add_argument("--anew", action="store_true", help="forget the deals that are recorded")
    parser.add_argument("--copy", action="store_true", help="copy the programs of bots/search first")
    asked = parser.parse_args()
    if asked.copy:
        copy_programs(FOLDER, Path(ROOT, "bots", "search"))
    record_set(FOLDER, asked.deals, jobs=asked.jobs, only=asked.only, anew=asked.anew)
    if not asked.only:
        write_tables(ReferenceSet(FOLDER), Path(ROOT, "engines"))


if __name__ == "__main__":
    main()
