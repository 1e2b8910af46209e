"""What a seat may learn, checked along random matches."""

from __future__ import annotations

import json
from collections.abc import Mapping
from random import Random
from typing import Any

from engines.contract.known import Impossible, Match
from engines.contract.subject import Subject
from engines.game import Game, Json, Seat, Step
from engines.playout import playout, replay

TRIES = 200
"""How often a second world is looked for, at most."""
LOOKS = 6
"""How often in a match, about, worlds are held against all that was seen before."""
WORLDS = 3
"""How many continuations in how many other worlds are compared with every step."""


def random_options(game: Game[Any], rng: Random) -> dict[str, Json]:
    """Return rule options, every value equally likely."""
    return {key: rng.choice(values) for key, values in game.options.items()}


def check_secrets(game: Game[Any], seats: int, seed: int) -> None:
    """Assert that no seat, and no spectator, learns in one random match what it may not."""
    rng = Random(seed)
    deal = game.deal(seats, rng, random_options(game, rng))
    step: Step[Any] | None = game.start(deal, seats)
    while step is not None:
        state, before = step.state, hash(step.state)
        moves = {seat: choice.sample(rng) for seat, choice in game.choices(state).items()}
        step = game.play(state, moves) if moves else None
        public = game.view(state, None)
        assert "seat" not in public
        for seat in [*range(seats), None]:
            view = game.view(state, seat)
            assert json.loads(json.dumps(view)) == view
            assert all(view.get(key) == public[key] for key in public)
            assert (seat, seats) == (view.get("seat"), view["seats"])
            _check_worlds(game, state, seat, moves, step, rng)
        assert hash(state) == before


def _check_worlds(
    game: Game[Any],
    state: Any,
    seat: Seat | None,
    moves: Mapping[Seat, Any],
    step: Step[Any] | None,
    rng: Random,
) -> None:
    """Assert that worlds that look like *state* to *seat* look like it in every way, also a step later."""
    view, choices = game.view(state, seat), game.choices(state)
    news, after = (_news(step, seat), game.view(step.state, seat)) if step is not None else ([], {})
    for _ in range(WORLDS):
        other = game.imagine(view, rng)
        choices_there = game.choices(other)
        assert game.view(other, seat) == view
        assert choices_there.keys() == choices.keys()
        if seat is not None:
            assert choices_there.get(seat) == choices.get(seat)
        if step is not None:
            elsewhere = {
                who: moves[who] if who == seat else choice.sample(rng)
                for who, choice in choices_there.items()
            }
            there = game.play(other, elsewhere)
            assert (_news(there, seat) == news) == (game.view(there.state, seat) == after)


def _news(step: Step[Any], seat: Seat | None) -> list[dict[str, Json]]:
    return [event.seen_by(seat) for event in step.events]


def check_imagination(game: Game[Any], seats: int, seed: int) -> None:
    """Assert that in one random match views bring several worlds to mind wherever several are possible.

    The true world is possible, so where another one is imagined there are at least two.
    """
    rng = Random(seed)
    for step in playout(game, game.deal(seats, rng), seats, rng):
        for seat in range(seats):
            view = game.view(step.state, seat)
            world = game.imagine(view, rng)
            assert world == step.state or any(game.imagine(view, rng) != world for _ in range(TRIES))


def check_histories(subject: Subject, seats: int, seed: int) -> None:
    """Assert that no world that a seat imagines contradicts what it has seen since the start of one match."""
    game, rng = subject.game, Random(seed)
    deal = game.deal(seats, rng, random_options(game, rng))
    policy = subject.known.policy(rng) if subject.known.policy else rng
    match = list(playout(game, deal, seats, policy))
    for end in range(1 + seed % len(match), len(match) + 1, 1 + len(match) // LOOKS):
        for seat in [*range(seats), None]:
            check_history(subject, deal, match[:end], seat, rng)


def check_history(
    subject: Subject, deal: Mapping[str, Any], match: Match, seat: int | None, rng: Random
) -> None:
    """Assert that a world imagined by *seat* after *match* contradicts nothing that it has seen."""
    game = subject.game
    world = game.imagine(game.view(match[-1].state, seat), rng)
    assert _contradiction(subject, deal, match, seat, world) == ""


def _contradiction(
    subject: Subject, deal: Mapping[str, Any], match: Match, seat: int | None, world: Any
) -> str:
    """Return why *world* cannot be true for *seat*, which has seen *match*; empty: it can.

    It is possible if there are a deal and moves that lead to it and show the seat, from the first event to
    the last, just what it was shown.  `Known.past` makes them from the world; the engine plays.  What no seat
    learns and no world holds, such as a secret vote, stays as it was.
    """
    game = subject.game
    seats = game.view(world, None)["seats"]
    try:
        other_deal, moves = subject.known.past(deal, match, world, seat)
        again = list(replay(game, other_deal, seats, moves))
    except (Impossible, ValueError) as error:
        return f"no match leads there: {error}"
    for step, (told, retold) in enumerate(zip(match, again, strict=True)):
        if [e.seen_by(seat) for e in told.events] != [e.seen_by(seat) for e in retold.events]:
            return f"step {step} shows other events"
    state = again[-1].state
    return "" if subject.known.later(world, state) == state else "the match leads to another state"
