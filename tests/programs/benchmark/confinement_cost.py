"""Measure the cost of confining a bot, and of stopping it between its turns."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing

from ladder.dev.benchmark.figure import Figure, at_most
from ladder.dev.benchmark.rig import Rig, pin_to_core
from ladder.dev.hostile import tiers_to_try

STARTS = 5
"""Starts per tier and round."""


def confinement_figures(rounds: int) -> Iterator[Figure]:
    """Compare starts and round trips under every tier that holds here, and turns with and without stops."""
    with pin_to_core(), ExitStack() as stands:
        (_, without), *confined = [
            (tier, stands.enter_context(closing(Rig("stellar", 1, tier))))
            for tier in ("none", *(tier for tier in tiers_to_try(every=True) if tier != "none"))
        ]
        frozen = stands.enter_context(closing(Rig("stellar", 1, freeze="on")))
        for stand in (without, frozen, *(stand for _, stand in confined)):
            stand.record()
        yield from _starts(without, confined, rounds)
        yield from _round_trips(without, confined, rounds)
        yield from _stops(without, frozen, rounds)


def _starts(without: Rig, confined: Sequence[tuple[str, Rig]], rounds: int) -> Iterator[Figure]:
    stands = [without, *(stand for _, stand in confined)]
    seen = [[stand.start_ms() for stand in stands] for _ in range(STARTS * rounds)]
    base, *starts = map(statistics.median, zip(*seen, strict=True))
    yield Figure("start of a bot until it is ready, unconfined", base, "ms")
    for (tier, _), start in zip(confined, starts, strict=True):
        yield at_most(f"{tier}: added to a start", start - base, "ms", 15)


def _round_trips(without: Rig, confined: Sequence[tuple[str, Rig]], rounds: int) -> Iterator[Figure]:
    seen: dict[str, list[float]] = {tier: [] for tier, _ in confined}
    for _ in range(rounds):
        for tier, stand in confined:
            base = without.bare().wall
            seen[tier].append(100 * (stand.bare().wall / base - 1))
    for tier, added in seen.items():
        yield at_most(f"{tier}: added to a round trip", statistics.median(added), "%", 5)


def _stops(without: Rig, frozen: Rig, rounds: int) -> Iterator[Figure]:
    """Measure stops after every answer; by default only bots that compute outside their turns are stopped."""
    added = [frozen.play().wall - without.play().wall for _ in range(rounds)]
    yield Figure("added by suspending a bot between two turns", statistics.median(added), "us/decision")
