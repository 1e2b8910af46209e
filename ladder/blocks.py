"""What is to be played: contests, blocks, and the fixtures that a block is made of."""

from __future__ import annotations

import msgspec

from results.record import Contest

__all__ = ["Block", "Contest", "ScheduledMatch", "matches_of"]


class Block(msgspec.Struct, frozen=True):
    """One deal, to be played once per rotation of *bots* over the seats."""

    number: int
    first_match: int
    contest: int
    """Index into the run's list of contests."""
    bots: tuple[int, ...]
    """Who sits where in rotation 0, as indices into the run's list of bots."""
    attempt: int = 0

    @property
    def seating(self) -> tuple[int, tuple[int, ...]]:
        """Return what blocks must share to be played by the same processes in a row."""
        return (self.contest, self.bots)


class ScheduledMatch(msgspec.Struct, frozen=True):
    """One match to be played: a block in one of its rotations."""

    match: int
    block: int
    rotation: int
    contest: Contest
    bots: tuple[int, ...]
    """Who sits where."""
    attempt: int


def matches_of(block: Block, contest: Contest) -> list[ScheduledMatch]:
    """Return the matches of *block*: in rotation r, seat s is taken by bot (s + r) modulo the seats."""
    n = len(block.bots)
    return [
        ScheduledMatch(
            block.first_match + rotation,
            block.number,
            rotation,
            contest,
            tuple(block.bots[(seat + rotation) % n] for seat in range(n)),
            block.attempt,
        )
        for rotation in range(n)
    ]
