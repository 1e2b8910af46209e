"""What the tests of all games must be told of this one."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

from engines.contract.known import (
    Impossible,
    Known,
    Match,
    Matches,
    Past,
    forgetting,
    rest_of,
    showing,
    telling,
    with_orders,
)
from engines.game import Choice, OneOf, Seat, Step
from engines.stellar import Stellar
from engines.stellar.cards import DECK, NO_CARD, names_of
from engines.stellar.moves import PLAYS
from engines.stellar.state import State

# -- the past of a world


def past(deal: Mapping[str, Any], match: Match, world: Any, seat: int | None) -> Past:
    moves = [dict(played.moves) for played in match[1:]]
    pile = names_of(world.pile[::-1])
    hands = [names_of(hand) for hand in world.hands]
    if world.step == "starter":
        starters = [card for hand in hands for card in hand]
        last = rest_of(deal["starters"], starters)
        return {**deal, "starters": [*starters, *last], "deck": pile}, moves
    dealt = [card for seat, hand in enumerate(hands) for card in _deal_hand(match, seat, hand)]
    orders = [*deal["reshuffles"]]
    if not (times := world.reshuffles):
        drawn = deal["deck"][4 : len(deal["deck"]) - len(pile)]
        return {**deal, "deck": [*dealt, *drawn, *pile]}, moves
    orders = [orders[time % len(orders)] for time in range(times)]
    fresh = _pile_after_reshuffle(match, orders[-1])
    drawn = fresh[: len(fresh) - len(pile)]
    orders[-1] = [*drawn, *pile, *rest_of(DECK, fresh)]
    return {**deal, "deck": [*dealt, *deal["deck"][4:]], "reshuffles": orders}, moves


def _deal_hand(match: Match, seat: int, hand: Iterable[str]) -> list[str]:
    """Return the two cards that *seat* was dealt if it holds *hand* now."""
    cards = Counter(hand)
    for played in match[1:]:
        for event in played.events:
            if event.kind == "final":
                cards.update([PLAYS[event.public["moves"][seat]].card, event.public["thrown"][seat]])
            elif event.public.get("seat") == seat and event.kind in ("play", "take"):
                card = event.public["card"] if event.kind == "take" else PLAYS[event.public["move"]].card
                cards[card] += 1 if event.kind == "play" else -1
    if -cards or cards.total() != 2:
        raise Impossible(f"seat {seat} was dealt {cards}")
    return sorted(cards.elements())


def _pile_after_reshuffle(match: Match, order: Iterable[str]) -> list[str]:
    """Return the draw pile that the last reshuffle of *match* made, which followed *order*."""
    before, played = next(
        (before.state, played)
        for before, played in reversed([*pairwise(match)])
        if before.state.reshuffles < played.state.reshuffles
    )
    cards = Counter(names_of(before.discards))
    if "wipe" in played.moves.values():
        cards.update(names_of([card for card in before.row if card != NO_CARD]))
    fresh = []
    for card in order:
        if cards[card]:
            cards[card] -= 1
            fresh.append(card)
    return fresh


# -- what is rare


def rare(matches: Callable[[int], Matches]) -> Iterator[tuple[int, Step[State]]]:
    """Yield steps with reshuffles."""
    for _, match in matches(2)[1:]:
        yield from ((2, step) for step in play_reshuffled(match))


def play_reshuffled(match: Sequence[Any]) -> Iterator[Any]:
    """Make the moves of a match of Stellar again, each with nothing but up to 25 discards to draw from."""
    for (_, state, _), (moves, _, _) in pairwise(match[1:]):
        before = state.copy()
        before.discards = sorted((state.discards + state.pile[::-1])[:25])
        before.pile = []
        yield Stellar().play(before, moves)


# -- leaks


def hands(state: State) -> list[list[str]]:
    return [names_of(hand) for hand in state.hands]


class HandForSpectators(Stellar):
    def view(self, state: State, seat: Seat | None) -> dict[str, Any]:
        seen = super().view(state, seat)
        return seen if seat is not None else seen | {"hand": hands(state)[0]}


class SilentEvents(Stellar):
    def play(self, state: State, moves: Mapping[Seat, Any]) -> Step[State]:
        return Step(super().play(state, moves).state, ())


class OptionsFromOtherHands(Stellar):
    def choices(self, state: State) -> Mapping[Seat, Choice]:
        turned = min(hands(state)[1], default="") < "C"
        choices = super().choices(state)
        first = choices.get(0)
        return {**choices, 0: OneOf(first.options[::-1])} if turned and first else choices


KNOWN: Final = Known(
    past=past,
    later=with_orders,
    golden_seed=4,
    shown_by_golden={2: ('"event":"wipe"', '"event":"keep"', '"reshuffled":true', ' down"')},
    rare=rare,
    maps=frozenset({"telescopes"}),
    optional=frozenset({"reshuffled"}),
    leaks={
        "a hand for spectators": HandForSpectators(),
        "events that say nothing": SilentEvents(),
        "options in an order that depends on another hand": OptionsFromOtherHands(),
        "hands in the view": showing(Stellar, hands),
        "the lowest cards in the view": showing(
            Stellar, lambda state: [min(hand, default="") for hand in hands(state)]
        ),
        "hands in the view at one step": showing(
            Stellar, lambda state: hands(state) if state.step == "play" else []
        ),
        "the next card in the view": showing(Stellar, lambda state: names_of(state.pile[-1:])),
        "hands in an event": telling(Stellar, lambda moves, state: hands(state)),
    },
    forgetful={
        "which cards of a hand came from the row": forgetting(Stellar, "known", lambda known: [[], []])
    },
)
