"""Units of work: contests, their blocks, and the scheduled matches of a block."""

import msgspec

from results.record import Contest, Json


class PlannedBlock(msgspec.Struct, frozen=True):
    """A deal that is played once per rotation of *bots* over the seats."""

    number: int
    first_match: int
    contest: int
    """Index into the run's list of contests."""
    bots: tuple[int, ...]
    """The bot in each seat in rotation 0, as indices into the run's list of bots."""
    attempt: int = 0

    @property
    def seating(self) -> tuple[int, tuple[int, ...]]:
        """The contest and the bots: blocks with the same seating can share bot processes."""
        return (self.contest, self.bots)


class ScheduledMatch(msgspec.Struct, frozen=True):
    """A match to be played: one rotation of a block."""

    match: int
    block: int
    rotation: int
    contest: Contest
    bots: tuple[int, ...]
    """The bot in each seat."""
    attempt: int
    deal: Json = None
    """The deal itself, if it does not follow from the secret of the run."""
    paired: bool = True
    """Whether the other rotations of the block are played as well."""


def matches_of(block: PlannedBlock, contest: Contest) -> list[ScheduledMatch]:
    """Return the matches of *block*: in rotation r, bot (s + r) modulo the number of seats takes seat s."""
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
