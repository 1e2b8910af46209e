"""Sample a state that fits a view: unknown cards are drawn from those that lie nowhere else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from random import Random

from engines.game import Json, OneOf, Seat, shuffled
from engines.stellar.cards import DECK, DOWN, STARTERS
from engines.stellar.moves import (
    PLAYS,
    TAKE,
    WIPE,
    final_choice,
    lay,
    place_choice,
    play_choice,
    starter_choice,
)
from engines.stellar.state import EMPTY, Discards, Luck, Player, State, Telescope

__all__ = ["imagine"]


def imagine(view: Mapping[str, Json], rng: Random) -> State:
    """Return a random state that is consistent with *view*; all such states are equally likely."""
    hands, pile = _deal_hidden(view, rng)
    players = _players(view, hands)
    luck = Luck(
        view["first"],
        view["options"]["face_down_number"],
        tuple(tuple(shuffled(DECK, rng)) for _ in range(3)),
    )
    discards = Discards(tuple(view["discards"]), view["reshuffles"], tuple(view.get("thrown", ())))
    step, waiting = view["step"], view.get("waiting")
    asked = _choices(step, (luck.first + view["turn"]) % 2, waiting, players)
    row = tuple(view["row"])
    return State(luck, view["turn"], step, view["satellite"], waiting, row, pile, discards, players, asked)


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


def _players(view: Mapping[str, Json], hands: Sequence[tuple[str, ...]]) -> tuple[Player, Player]:
    one, other = (
        Player(hand, tuple(known), tuple(notebook), _telescope(cards))
        for hand, known, notebook, cards in zip(
            hands, view["known"], view["notebooks"], view["telescopes"], strict=True
        )
    )
    return one, other


def _telescope(cards: Mapping[str, str]) -> Telescope:
    telescope = EMPTY
    for slot, lies in cards.items():
        side = DOWN if lies.endswith(DOWN) else ""
        telescope = lay(telescope, PLAYS[f"{lies.removesuffix(DOWN)}@{slot}{side}"])
    return telescope


def _choices(
    step: str, turn_of: Seat, waiting: str | None, players: tuple[Player, Player]
) -> dict[Seat, OneOf]:
    if step == "over":
        return {}
    if step in ("starter", "final"):
        choice = starter_choice if step == "starter" else final_choice
        return {seat: choice(player.hand) for seat, player in enumerate(players)}
    player = players[turn_of]
    if step == "play":
        return {turn_of: play_choice(player)}
    if step == "place":
        assert waiting is not None  # a card is waiting to be placed
        return {turn_of: place_choice(player.telescope, waiting)}
    return {turn_of: WIPE if step == "wipe" else TAKE}
