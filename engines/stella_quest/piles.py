"""Draw cards and reshuffle the discards, one card after the other, as if by hand (SQ20 to SQ23)."""

from __future__ import annotations

from collections import Counter

from engines.game import NOTHING, Event, Seat, new
from engines.multisets import with_card, without_card
from engines.stella_quest.cards import BACKS, BREAK
from engines.stella_quest.state import (
    BEGUN,
    DUMMY,
    Period,
    Piles,
    Player,
    Round,
    State,
    fewest,
    replace_player,
)

__all__ = ["draw_cards", "next_back", "play_dummy", "refill_hand", "reshuffle_if_due"]

_back = BACKS.__getitem__


def next_back(pile: tuple[str, ...]) -> str | None:
    """Return the back that the draw pile shows."""
    return BACKS[pile[0]] if pile else None


def draw_cards(state: State, seat: Seat, count: int, news: list[Event], kind: str) -> State:
    """Draw *count* cards for *seat*, or as many as there are; return the next state.

    Append an event of this *kind* to *news*; a reshuffle between the cards splits it in two.
    """
    while count and state.piles.pile:
        luck, step, turn, round_, marker, piles, players, ending, asked = state
        pile, top, discards, past, cards, dummy = piles
        fresh, pile = tuple(sorted(pile[:count])), pile[count:]
        count -= len(fresh)
        backs = tuple(map(_back, fresh))
        player = _with_cards(players[seat], fresh, backs)
        piles = new(Piles, (pile, top, discards, past, cards, dummy))
        players = replace_player(players, seat, player)
        public = {"seat": seat, "lights": player.lights, "backs": [*backs]}
        news.append(new(Event, (kind, public, {seat: {"cards": [*fresh]}})))
        state = new(State, (luck, step, turn, round_, marker, piles, players, ending, asked))
        if not pile:
            state = reshuffle_if_due(state, news)
    return state


def _with_cards(player: Player, fresh: tuple[str, ...], backs: tuple[str, ...]) -> Player:
    hand, before, lights, collection, got, got_backs, played = player
    if played[-1]:
        got_backs, played = (*got_backs, backs), (*played, ())
    else:
        got_backs = (*got_backs[:-1], tuple(sorted(got_backs[-1] + backs)))
    return new(
        Player,
        (
            tuple(sorted(hand + fresh)),
            tuple(sorted(before + backs)),
            lights,
            collection,
            tuple(sorted(got + fresh)),
            got_backs,
            played,
        ),
    )


def refill_hand(state: State, seat: Seat, news: list[Event]) -> State:
    """Refill the empty hand of *seat*, free of charge; return the next state (SQ20, Q3)."""
    return draw_cards(state, seat, fewest(state.players[seat].lights), news, "refill")


def reshuffle_if_due(state: State, news: list[Event]) -> State:
    """If the draw pile is empty, make one of all discards except the top; return the state (SQ22, Q8)."""
    luck, step, turn, round_, marker, piles, players, ending, asked = state
    pile, top, discards, past, cards, dummy = piles
    if pile or len(discards) < 2:
        return state
    ended = Period(
        cards,
        tuple([player.received for player in players]),
        tuple([player.received_backs for player in players]),
        tuple([player.played for player in players]),
        dummy,
    )
    fresh = without_card(discards, top)
    pile = _put_in_order(fresh, luck.orders[len(past) % len(luck.orders)])
    piles = Piles(pile, top, (top,), (*past, ended), fresh, ())
    players = tuple([new(Player, (*player[:4], (), BEGUN, BEGUN)) for player in players])
    news.append(Event("reshuffle", {"cards": [*fresh]}))
    return new(State, (luck, step, turn, round_, marker, piles, players, ending, asked))


def _put_in_order(cards: tuple[str, ...], order: tuple[str, ...]) -> tuple[str, ...]:
    """Return *cards* in the order in which their names come in *order*."""
    left = Counter(cards)
    pile = []
    for card in order:
        if left[card]:
            left[card] -= 1
            pile.append(card)
    return tuple(pile)


def play_dummy(state: State, news: list[Event]) -> State:
    """Let the Dummy play the top of the draw pile, if there is one; return the state (SQ41, SQ48)."""
    luck, step, turn, round_, marker, piles, players, ending, asked = state
    if not piles.pile:
        news.append(Event("skip", {"seat": DUMMY}))
        return state
    (card, *_), pile = piles.pile, piles.pile[1:]
    number, leader, lead, cards, by, after = round_
    if not lead and card != BREAK:
        lead = BACKS[card]
    round_ = new(Round, (number, leader, lead, (*cards, card), (*by, DUMMY), after))
    _, top, discards, past, made_of, dummy = piles
    piles = new(Piles, (pile, top, discards, past, made_of, with_card(dummy, card)))
    news.append(new(Event, ("play", {"seat": DUMMY, "card": card}, NOTHING)))
    state = new(State, (luck, step, turn, round_, marker, piles, players, ending, asked))
    return state if pile else reshuffle_if_due(state, news)
