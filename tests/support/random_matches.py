"""Records of random matches, as ladder.replay.replay.record_of returns them, without a home or a process."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from engines import GAMES, find_policy, playout

BOTS = ("careful", "greedy", "river-rat", "bold", "chance", "star-bot")


def random_record(game: str, seats: int, seed: int = 1, **fields: Any) -> dict[str, Any]:
    """Return the record of a random match; every move has a thought of some milliseconds and a note."""
    rng = Random(seed)
    rules = GAMES[game]
    deal = rules.deal(seats, rng)
    first, *steps = playout(rules, deal, seats, rng)
    state = steps[-1].state if steps else first.state
    outcome = rules.outcome(state)
    moves = [[[seat, _as_json(move)] for seat, move in sorted(step.moves.items())] for step in steps]
    return {
        "run": 1,
        "number": 17,
        "attempt": 0,
        "void": False,
        "block": 8,
        "rotation": 1,
        "game": game,
        "version": rules.version,
        "options": {},
        "limits": {"move_ms": 1000, "bank_ms": 10_000},
        "deal": deal,
        "seats": [
            {
                "bot": BOTS[seat],
                "version": f"{seat}abcdef0123456789",
                "name": f"{seat:016x}",
                "rank": outcome.ranks[seat],
                "score": outcome.scores[seat],
                "fault": None,
                "fault_step": None,
                "think_us": [rng.randrange(5_000, 60_000) for step in steps if seat in step.moves],
                "notes": [
                    {"step": number, "text": f"note of seat {seat} in step {number}"}
                    for number, step in enumerate(steps)
                    if seat in step.moves
                ],
            }
            for seat in range(seats)
        ],
        "moves": moves,
        "ranks": list(outcome.ranks),
        "scores": list(outcome.scores),
        "faults": [],
        "started": 1_700_000_000_000_000,
        "duration_us": 5_000_000,
        "sandbox": "none",
        **fields,
    }


def _as_json(move: Any) -> Any:
    return list(move) if isinstance(move, tuple) else move


def greedy_record(
    game: str, seats: int, rng: Random, other: Callable[[int, Sequence[int], Random], int | None]
) -> dict[str, Any]:
    """Return the record of a match that greedy plays with all seats.

    *other* may name another of the options of a step, from its number, the options and *rng*.
    """
    rules = GAMES[game]
    deal = rules.deal(seats, rng)
    greedy = find_policy(rules, "greedy-1")
    position, moves = rules.begin(deal, seats), []
    while not position.over:
        step = []
        for seat in [*position.seats()]:
            option = other(len(moves), position.options(), rng)
            if option is None:
                option = greedy(position, seat, rng)
            step.append([seat, position.move_of(option)])
            position.play(option)
        moves.append(step)
    ranks = list(position.outcome().ranks)
    return random_record(game, seats, options=deal["options"], deal=deal, moves=moves, ranks=ranks)
