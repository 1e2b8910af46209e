"""Sample a state that fits a view: unknown cards are drawn from those that lie nowhere else."""

from collections.abc import Mapping
from random import Random
from typing import Final

from engines.dice import shuffled
from engines.game import Json
from engines.stellar.cards import CODES, DECK, DOWN, NAMES, NO_CARD, STARTERS, codes_of
from engines.stellar.moves import lay_option
from engines.stellar.state import State, new_state
from engines.stellar.turns import FINAL, OVER, STARTER, STEPS

_DECK: Final[list[int]] = codes_of(DECK)
_COPIES: Final[list[int]] = [DECK.count(name) for name in NAMES]
"""How many copies of each card the deck has."""
_STARTERS: Final[list[int]] = codes_of(STARTERS)


def imagine(view: Mapping[str, Json], rng: Random) -> State:
    """Return a random state that is consistent with *view*; all such states are equally likely."""
    hands, pile = _deal_hidden(view, rng)
    always_three = view["options"]["face_down_number"] == "three"
    orders = [shuffled(_DECK, rng) for _ in range(3)]
    state = new_state(view["first"], always_three, orders)
    state.turn, state.stage, state.satellite = view["turn"], STEPS.index(view["step"]), view["satellite"]
    if state.stage not in (STARTER, FINAL, OVER):
        state.seat = (state.first + state.turn) % 2
    state.waiting = CODES[view["waiting"]] if "waiting" in view else NO_CARD
    state.row = codes_of(view["row"])
    pile.reverse()
    state.pile = pile
    state.discards, state.reshuffles = codes_of(view["discards"]), view["reshuffles"]
    state.thrown = codes_of(view.get("thrown", ()))
    state.hands = hands
    state.known = [codes_of(known) for known in view["known"]]
    state.notebooks = [codes_of(notebook) for notebook in view["notebooks"]]
    for seat, telescope in enumerate(view["telescopes"]):
        for slot, lies in telescope.items():
            state.lay(seat, lay_option(slot, lies))
    return state


def _deal_hidden(view: Mapping[str, Json], rng: Random) -> tuple[list[list[int]], list[int]]:
    """Deal the hidden cards at random: return both hands, and the draw pile with the next card first."""
    hands = [codes_of(known) for known in view["known"]]
    if "hand" in view:
        hands[view["seat"]] = codes_of(view["hand"])
    unseen = _COPIES.copy()
    for card in _face_up_cards(view, hands):
        unseen[card] -= 1
    pile = codes_of(view["pile_cards"]) if "pile_cards" in view else None
    for card in pile or ():  # known since a reshuffle, so the other cards are in the hands
        unseen[card] -= 1
    loose = shuffled([card for card, copies in enumerate(unseen) for _ in range(copies)], rng)
    if view["step"] == "starter":  # only starters are in the hands
        others = [card for card in loose if card not in _STARTERS]
        loose = others + [card for card in loose if card in _STARTERS]
    sizes: list[int] = view["hands"]
    for seat, hand in enumerate(hands):
        while len(hand) < sizes[seat]:
            hand.append(loose.pop())
        hand.sort()
    return hands, shuffled(loose if pile is None else pile, rng)


def _face_up_cards(view: Mapping[str, Json], hands: list[list[int]]) -> list[int]:
    """Return the cards whose place is known, and those in *hands*."""
    cards = codes_of(view["row"])
    if "waiting" in view:
        cards.append(CODES[view["waiting"]])
    cards += codes_of(view["discards"])
    for seat in (0, 1):
        cards += hands[seat]
        cards += codes_of(view["notebooks"][seat])
        telescope: dict[str, str] = view["telescopes"][seat]
        cards += [CODES[lies.removesuffix(DOWN)] for lies in telescope.values()]
    return [card for card in cards if card != NO_CARD]
