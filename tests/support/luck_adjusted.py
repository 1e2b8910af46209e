"""An experiment: take the luck of the cards out of Stellar's results (AIVAT, Burch and others, 2018).

Each time cards are drawn, the same move is made with other cards from the pile, which are as likely, and the
house bot `greedy` plays all these matches to their end.  How much better the real cards were than the others
is the luck of this draw.  Its mean is 0 whatever the bots do and however bad the estimate is, so a result
less its luck has the right mean; the better the estimate, the smaller its variance.

`python tests/support/luck_adjusted.py 1000` plays 1,000 blocks, in 8 minutes of an idle core, and prints the
variance of adjusted blocks over that of plain ones.  Measured on 1,000 blocks of greedy and bold (weights of
one half tried on the other): 0.67, 95 % from 0.63 to 0.72, at 220 ms of CPU a match; the last two turns
alone: 0.83 at 19 ms.  The match itself takes 4 ms, so only bots that think for long gain by it.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from random import Random
from statistics import fmean, variance
from typing import NamedTuple

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).resolve().parents[1]), str(Path(__file__).resolve().parents[2])]

from engines import GAMES
from engines.game import Choice, Move, Seat, shuffled
from engines.stellar.cards import DECK
from engines.stellar.state import State
from ladder.contest.keys import Keys, deal_rng, secret_of_seed
from support.house_play import Act, chooser

STELLAR = GAMES["stellar"]
SAMPLES = {15: 12, 16: 12, 17: 12, 18: 20, 19: 20, 20: 20, 21: 20}
"""How many other draws are tried, by the turn that follows.

The last seven of 22 turns decide most, and what a draw is worth early on cannot be told from few matches.
"""
WEIGHTS = {15: 0.34, 16: 0.35, 17: 0.32, 18: 0.62, 19: 0.58, 20: 0.65, 21: 0.69}
"""How much of the estimate is believed, fitted by least squares on blocks 0 to 999 of greedy and bold."""
FIRST = 5000
"""Blocks from this one on were not fitted on."""


class AdjustedMatch(NamedTuple):
    """The result of seat 0: 1, 0 or -1, and its luck by turn."""

    result: int
    luck: dict[int, float]

    @property
    def adjusted(self) -> float:
        """The result less the luck of the cards."""
        return self.result - math.fsum(WEIGHTS[turn] * luck for turn, luck in sorted(self.luck.items()))


class AdjustedBlock(NamedTuple):
    """The mean results of the first bot in a block."""

    plain: float
    adjusted: float


def play_blocks(
    styles: tuple[str, str], numbers: range, samples: Mapping[int, int] = SAMPLES
) -> Iterator[AdjustedBlock]:
    """Yield the results of two *styles* of `greedy` in the blocks with these *numbers*."""
    keys = Keys(secret_of_seed(13))
    for number in numbers:
        deal = STELLAR.deal(2, deal_rng(keys.deal(number)))
        rng = Random(f"luck/{number}")
        first = play_match(deal, (chooser("stellar", styles[0]), chooser("stellar", styles[1])), rng, samples)
        other = play_match(deal, (chooser("stellar", styles[1]), chooser("stellar", styles[0])), rng, samples)
        yield AdjustedBlock((first.result - other.result) / 2, (first.adjusted - other.adjusted) / 2)


def play_match(
    deal: dict[str, object],
    bots: tuple[Callable[[Act], Move], Callable[[Act], Move]],
    rng: Random,
    samples: Mapping[int, int] = SAMPLES,
) -> AdjustedMatch:
    """Play a match and estimate the luck of its draws."""
    state, luck = STELLAR.start(deal, 2).state, dict.fromkeys(samples, 0.0)
    while choices := STELLAR.choices(state):
        moves = {seat: bots[seat](Act(STELLAR.view(state, seat), choice)) for seat, choice in choices.items()}
        after = STELLAR.play(state, moves).state
        if after.turn in samples and len(after.pile) != len(state.pile):
            luck[after.turn] += estimate_luck(state, moves, after, rng, samples[after.turn])
        state = after
    return AdjustedMatch(_result(state), luck)


def estimate_luck(state: State, moves: Mapping[Seat, Move], after: State, rng: Random, samples: int) -> float:
    """Return how much better for seat 0 the cards that led to *after* were than others from the pile."""
    differences = []
    for _ in range(samples):
        other = _with_other_pile(state, rng)
        if after.discards.reshuffles == state.discards.reshuffles:
            same = _with_first_cards(other, state.pile[: len(state.pile) - len(after.pile)])
            real = STELLAR.play(same, moves).state
        else:  # what was drawn came in part from a pile that no order of this one tells
            real = _with_other_pile(after, rng)
        differences.append(_play_out(real) - _play_out(STELLAR.play(other, moves).state))
    return fmean(differences)


def _with_other_pile(state: State, rng: Random) -> State:
    """Return *state* with its pile, and what will be the next ones, in another order."""
    orders = tuple(tuple(shuffled(DECK, rng)) for _ in state.luck.reshuffles)
    return state._replace(pile=tuple(shuffled(state.pile, rng)), luck=state.luck._replace(reshuffles=orders))


def _with_first_cards(state: State, cards: tuple[str, ...]) -> State:
    """Return *state* with *cards* on top of the pile, which changed places with those that were there.

    The rest of the pile stays as it is, so that two matches differ as little as they can.
    """
    pile = list(state.pile)
    for i, card in enumerate(cards):
        j = pile.index(card, i)
        pile[i], pile[j] = pile[j], pile[i]
    return state._replace(pile=tuple(pile))


def _play_out(state: State) -> int:
    """Let `greedy` play both seats to the end; return the result of seat 0."""
    while choices := STELLAR.choices(state):
        moves = {seat: _greedy(state, seat, choice) for seat, choice in choices.items()}
        state = STELLAR.play(state, moves).state
    return _result(state)


def _greedy(state: State, seat: Seat, choice: Choice) -> Move:
    """Return the move of `greedy`, given only what it looks at: a whole view takes longer than the move."""
    view = {
        "seat": seat,
        "step": state.step,
        "row": state.row,
        "hand": state.players[seat].hand,
        "notebooks": [player.notebook for player in state.players],
        "telescopes": [player.telescope.cards for player in state.players],
    }
    return chooser("stellar", "greedy")(Act(view, choice))


def _result(state: State) -> int:
    first, second = STELLAR.outcome(state).ranks
    return (first < second) - (first > second)


def ratio_of(blocks: list[AdjustedBlock]) -> float:
    """Return the variance of adjusted blocks over that of plain ones."""
    return variance(block.adjusted for block in blocks) / variance(block.plain for block in blocks)


def main(count: int) -> None:
    """Print what the adjustment saves between greedy and bold, with a bootstrap interval, and its cost."""
    started = time.process_time()
    blocks = list(play_blocks(("greedy", "bold"), range(FIRST, FIRST + count)))
    seconds = time.process_time() - started
    rng = Random(1)
    ratios = sorted(ratio_of(rng.choices(blocks, k=count)) for _ in range(400))
    moved = [block.adjusted - block.plain for block in blocks]
    print(f"{count:,} blocks of greedy and bold, {seconds / 2 / count * 1000:.0f} ms of CPU a match")
    print(
        f"variance adjusted / plain: {ratio_of(blocks):.3f}, 95 % from {ratios[10]:.3f} to {ratios[-11]:.3f}"
    )
    print(
        f"mean {fmean(b.plain for b in blocks):+.4f} plain, {fmean(b.adjusted for b in blocks):+.4f} adjusted"
    )
    print(f"they differ by {fmean(moved):+.4f} +- {1.96 * math.sqrt(variance(moved) / count):.4f}")


if __name__ == "__main__":
    main(int(sys.argv[1]))
