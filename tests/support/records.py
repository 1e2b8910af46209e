"""Make records for tests: plausible in every field, and any field can be given."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any
from zlib import crc32

from results.rating.outcomes import FinishOrder
from results.record import Block, Fault, Match, Note, Run, RunSettings, Seat, Usage

MEMORY = 12 << 20
"""The memory of every bot, in bytes."""


def a_run(run: int = 1, **fields: Any) -> Run:
    """Return an unfinished run."""
    settings = RunSettings()
    bots = [{"name": "alpha", "version": "alpha-1"}, {"name": "beta", "version": "beta-1"}]
    ratings = {"stellar": {"beta": 25 / 6, "draw_probability": 0.02}}
    start = 1_700_000_000_000_000 + run
    values = {
        "settings": settings,
        "bots": bots,
        "ratings": ratings,
        "versions": {"ladder": "1"},
        "started": start,
    }
    return Run(**{"run": run, "secret": f"{run:032x}", "host": "here", **values, **fields})


def a_seat(bot: str = "alpha", rank: int | None = 1, **fields: Any) -> Seat:
    """Return a seat of version BOT-1; those who rank first have 10 points, the others less."""
    score = None if rank is None else 11 - rank
    told = {"version": f"{bot}-1", "name": f"{crc32(bot.encode()):016x}", "rank": rank, "score": score}
    fault = {"fault": None, "fault_step": None}
    measured = {
        "think_us": [100, 250, 70],
        "busy_us": [90, 200, 50],
        "outside_us": 60,
        "cpu_us": 400,
        "notes": [Note(1, "hm")],
        "usage": Usage(10, 5, 0.25),
        "memory_bytes": MEMORY,
    }
    return Seat(**{"bot": bot, **told, **fault, **measured, **fields})


def a_match(
    number: int = 0,
    bots: Sequence[str] = ("alpha", "beta"),
    ranks: Sequence[int | None] = (1, 2),
    **fields: Any,
) -> Match:
    """Return a match of *bots*, seat by seat, that ended with *ranks*."""
    size = len(bots)
    values: dict[str, Any] = {
        "run": 1,
        "number": number,
        "attempt": 0,
        "block": number // size,
        "rotation": number % size,
        "game": "stellar",
        "game_version": 1,
        "options": {"rounds": 3},
        "deal_seed": f"{number // size:064x}",
        "deal_digest": f"{number // size + 1:064x}",
        "deal": None,
        "moves": f'[[[0,"take {number}"]],[[1,"keep"]]]',
        "seats": [a_seat(bot, rank) for bot, rank in zip(bots, ranks, strict=True)],
        "void": False,
        "paired": True,
        "sandbox": "bwrap",
        "started": 1_700_000_000_000_000 + number,
        "duration_us": 12_345,
    }
    return Match(**{**values, **fields})


def a_fault(number: int = 0, seat: int = 0, **fields: Any) -> Fault:
    """Return a fault of alpha in match *number*: its answer came too late."""
    told = {"bot": "alpha", "version": "alpha-1", "kind": "timeout", "step": 3, "charged": True}
    seen = {
        "reason": "no answer within 2.000 s",
        "request": '{"kind":"act"}',
        "choice": '{"kind":"one","options":["take 1","take 2"]}',
        "answer": "",
        "stderr": "\x1b[31mslow",
    }
    times = {"elapsed_us": 2_000_100, "limit_us": 2_000_000, "exit_status": None}
    return Fault(
        **{"run": 1, "number": number, "attempt": 0, "seat": seat, **told, **seen, **times, **fields}
    )


def a_lone_match(number: int = 0, *faults: Fault, **fields: Any) -> Block:
    """Return block *number* of one match, which has this number too, with its *faults*."""
    return Block(number, [a_match(number, **{"block": number, **fields})], [*faults])


def a_block(number: int = 0, bots: Sequence[str] = ("alpha", "beta"), **fields: Any) -> Block:
    """Return the block in which *bots* sit in every rotation, with ranks that follow from *number*."""
    size = len(bots)
    matches = []
    for rotation in range(size):
        seated = [bots[(seat + rotation) % size] for seat in range(size)]
        ranks = [1 + (bots.index(bot) + number) % size for bot in seated]
        matches.append(a_match(number * size + rotation, seated, ranks, **{"block": number, **fields}))
    run = matches[0].run
    return Block(number, matches, [a_fault(number * size, run=run)] if number % 3 == 1 else [])


def outcome_of(seats: Sequence[Seat]) -> FinishOrder:
    """Return the outcome of a standing match with these *seats*, which all have a rank."""
    order = sorted((seat.rank or 0, seat.bot, seat.version) for seat in seats)
    bots = tuple((bot, version) for _, bot, version in order)
    return FinishOrder(bots, tuple(a[0] == b[0] for a, b in pairwise(order)))
