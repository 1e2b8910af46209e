"""The state: frozen, hashable values.  The seats that must decide follow from the moves so far."""

from typing import Final, NamedTuple

from engines.game import Choice, Move, OneOf, Seat, Some

BIDS: Final = OneOf(("bid 1", "bid 2", "bid 3"))
TAKES: Final = OneOf(("take 1", "take 2", "take 3"))
STEPS: Final = ("bid", "take", "keep", "over")


class State(NamedTuple):
    """A match at one moment."""

    rounds: int
    """How many rounds the match has."""
    hands: tuple[tuple[str, ...], ...]
    """By seat; cards that are kept stay in the hand."""
    moves: tuple[tuple[Seat, Move], ...] = ()
    """All moves so far."""

    @property
    def step(self) -> str:
        """What is decided now, one of STEPS."""
        seats = len(self.hands)
        rounds, made = divmod(len(self.moves), 3 * seats)
        return "over" if rounds == self.rounds else STEPS[made // seats]

    @property
    def asked(self) -> dict[Seat, Choice]:
        """The seats that must decide, each with its options; empty when the match is over."""
        seats = len(self.hands)
        match self.step:
            case "bid":
                return dict.fromkeys(range(seats), BIDS)
            case "take":
                return {len(self.moves) % seats: TAKES}
            case "keep":
                return {seat: Some(hand, 1, 2) for seat, hand in enumerate(self.hands)}
        return {}
