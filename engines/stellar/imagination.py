"""Sample a state that fits a view: unknown cards are drawn from those that lie nowhere else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from random import Random

from engines.game import Json, shuffled
from engines.stellar.cards import CODES, DECK, DOWN, NO_CARD, STARTERS, codes_of
from engines.stellar.moves import lay_option
from engines.stellar.state import State, new_state
from engines.stellar.turns import FINAL, OVER, STARTER, STEPS

__all__ = ["imagine"]


def imagine(view: Mapping[str, Json], rng: Random) -> State:
    """Return a random state that is consistent with *view*; all such states are equally likely."""
    hands, pile = _deal_hidden(view, rng)
    always_three = view["options"]["face_down_number"] == "three"
    orders = [codes_of(shuffled(DECK, rng)) for _ in range(3)]
    state = new_state(view["first"], always_three, orders)
    state.turn, state.stage, state.satellite = view["turn"], STEPS.index(view["step"]), view["satellite"]
    if state.stage not in (STARTER, FINAL, OVER):
        state.seat = (state.first + state.turn) % 2
    state.waiting = CODES[view["waiting"]] if "waiting" in view else NO_CARD
    state.row = codes_of(view["row"])
    state.pile = codes_of(reversed(pile))
    state.discards, state.reshuffles = codes_of(view["discards"]), view["reshuffles"]
    state.thrown = codes_of(view.get("thrown", ()))
    state.hands = [codes_of(hand) for hand in hands]
    state.known = [codes_of(known) for known in view["known"]]
    state.notebooks = [codes_of(notebook) for notebook in view["notebooks"]]
    for seat, telescope in enumerate(view["telescopes"]):
        for slot, lies in telescope.items():
            state.lay(seat, lay_option(slot, lies))
    return state


def _deal_hidden(view: Mapping[str, Json], rng: Random) -> tuple[list[tuple[str, ...]], tuple[str, ...]]:
    """Deal the hidden cards at random: return both hands and the draw pile."""
    hands = [list(known) for known in view["known"]]
    if "hand" in view:
        hands[view["seat"]] = list(view["hand"])
    unseen = Counter(DECK)
    unseen.subtract(_face_up_cards(view, hands))
    pile = view.get("pile_cards")  # known since a reshuffle, so the other cards are in the hands
    if pile is not None:
        unseen.subtract(pile)
    loose = shuffled(sorted(unseen.elements()), rng)
    if view["step"] == "starter":  # only starters are in the hands
        loose.sort(key=lambda card: card in STARTERS)
    for hand, size in zip(hands, view["hands"], strict=True):
        while len(hand) < size:
            hand.append(loose.pop())
    drawn = shuffled(loose if pile is None else pile, rng)
    return [tuple(sorted(hand)) for hand in hands], tuple(drawn)


def _face_up_cards(view: Mapping[str, Json], hands: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield the cards whose place is known, and those in *hands*."""
    yield from filter(None, [*view["row"], view.get("waiting")])
    yield from view["discards"]
    for hand, notebook, telescope in zip(hands, view["notebooks"], view["telescopes"], strict=True):
        yield from hand
        yield from notebook
        for lies in telescope.values():
            yield lies.removesuffix(DOWN)
