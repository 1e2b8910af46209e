"""The effect of each move: the next state and its events."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engines.game import NOTHING, Event, OneOf, Seat, Step, new
from engines.multisets import with_card
from engines.stella_quest.cards import BACKS, BREAK, JEWELS, NUMBERS
from engines.stella_quest.moves import CARDS, DRAW, play_choice, take_choice, top_choice
from engines.stella_quest.piles import draw_cards, next_back, play_dummy, refill_hand, reshuffle_if_due
from engines.stella_quest.scoring import breakdown
from engines.stella_quest.state import (
    DRAWN,
    DUMMY,
    HAND,
    NUMBER_OF_ROUNDS,
    ORDERS,
    Ending,
    Piles,
    Player,
    Round,
    State,
    Who,
    replace_player,
)

__all__ = ["ask_next", "follow", "winner"]

_DIFFERENT: Final = len(set(NUMBERS.values()))
_NOT_ASKED: Final[dict[Seat, OneOf]] = {}
"""The choices while a step is being worked out: none."""


def winner(top: str, cards: Sequence[str]) -> int | None:
    """Return the index of the card that wins a round when *top* lies on the discards.

    The last Super Trump wins, else the highest trump, else the highest card of the leading colour; None if
    all *cards* are Break Cards (SQ7, SQ10 to SQ14).
    """
    best, best_card, super_trump = None, "", False
    for at, card in enumerate(cards):
        if card == BREAK:
            continue
        if card == top or card in cards[:at]:
            best, super_trump = at, True
        elif not super_trump and _beats(card, best_card, top):
            best, best_card = at, card
    return best


def _beats(card: str, best: str, top: str) -> bool:
    """Return whether *card* beats *best*, the best card before it; the first card leads the colour."""
    if not best or card[0] == best[0]:
        return card > best
    return card[0] == top[0]


def play(state: State, seat: Seat, move: str) -> Step[State]:
    """Decision 1: play a card from the hand, or burn a light to draw cards."""
    if move == DRAW:
        return draw(state, seat)
    luck, step, _, (number, leader, lead, cards, by, after), marker, piles, players, ending, _ = state
    card = CARDS[move]
    hand, backs, lights, collection, got, got_backs, played = players[seat]
    at = hand.index(card)
    hand = hand[:at] + hand[at + 1 :]
    backs = backs[:at] + backs[at + 1 :]
    played = (*played[:-1], with_card(played[-1], card))
    player = new(Player, (hand, backs, lights, collection, got, got_backs, played))
    players = (*players[:seat], player, *players[seat + 1 :])
    if not lead and card != BREAK:
        lead = BACKS[card]
    cards, by = (*cards, card), (*by, seat)
    told = new(Event, ("play", {"seat": seat, "card": card}, NOTHING))
    if hand and after:
        follower = after[0]
        if follower != DUMMY and players[follower].hand:  # nothing happens before the next seat is asked
            asked = {follower: play_choice(players[follower], lead, piles.pile)}
            round_ = new(Round, (number, leader, lead, cards, by, after[1:]))
            fields = (luck, step, follower, round_, marker, piles, players, ending, asked)
            return new(Step, (new(State, fields), (told,)))
    round_ = new(Round, (number, leader, lead, cards, by, ()))
    state = new(State, (luck, step, seat, round_, marker, piles, players, ending, _NOT_ASKED))
    news = [told]
    return ask_next(state if hand else refill_hand(state, seat, news), after, news)


def draw(state: State, seat: Seat) -> Step[State]:
    """Burn a light and draw, up to ten cards in hand (SQ17, SQ18); then ask the seat again (Q18)."""
    luck, step, turn, round_, marker, piles, players, ending, asked = state
    hand, backs, lights, *others = players[seat]
    players = replace_player(players, seat, new(Player, (hand, backs, lights - 1, *others)))
    news: list[Event] = []
    state = new(State, (luck, step, turn, round_, marker, piles, players, ending, asked))
    drawn = draw_cards(state, seat, min(DRAWN, HAND - len(hand)), news, "draw")
    return _ask(drawn, seat, round_.after, news)


def _ask(state: State, seat: Seat, after: tuple[Who, ...], news: list[Event]) -> Step[State]:
    """Ask *seat* for decision 1; *after* are the players that follow."""
    luck, _, _, (number, leader, lead, cards, by, _), marker, piles, players, ending, _ = state
    asked = {seat: play_choice(players[seat], lead, piles.pile)}
    round_ = new(Round, (number, leader, lead, cards, by, after))
    return new(
        Step,
        (new(State, (luck, "play", seat, round_, marker, piles, players, ending, asked)), tuple(news)),
    )


def ask_next(state: State, after: tuple[Who, ...], news: list[Event]) -> Step[State]:
    """Ask the first seat of *after* that can play; play the Dummy, and skip seats without cards (Q3)."""
    for place, who in enumerate(after, 1):
        if who == DUMMY:
            state = play_dummy(state, news)
            continue
        if not state.players[who].hand:
            state = refill_hand(state, who, news)
        if state.players[who].hand:
            return _ask(state, who, after[place:], news)
        news.append(Event("skip", {"seat": who}))
    return _resolve(state, news)


def _resolve(state: State, news: list[Event]) -> Step[State]:
    """End the play of a round: find the winner, and take the price of the marker (SQ24, SQ26, SQ47)."""
    luck, _, _, round_, marker, piles, players, ending, _ = state
    cards = round_.cards
    best = winner(piles.top, cards)
    who = None if best is None else round_.by[best]
    if who is None or who == DUMMY:
        return _end_without_winner(state, who, news)
    if marker == who:
        player = players[who]
        players = replace_player(players, who, player._replace(lights=player.lights - 1))
    lights = players[who].lights
    news.append(new(Event, ("win", {"seat": who, "lights": lights}, NOTHING)))
    asked = {who: take_choice(cards)}
    state = new(State, (luck, "take", who, round_, marker, piles, players, ending, asked))
    return new(Step, (state, tuple(news))) if lights else _over(state, Ending("eliminated", who), news)


def _end_without_winner(state: State, who: Who | None, news: list[Event]) -> Step[State]:
    """End a round that only Break Cards or the Dummy won: no seat takes a card (SQ7 to SQ9, SQ45, SQ46)."""
    cards, by, marker = state.round.cards, state.round.by, state.marker
    last = next(seat for seat in reversed(by) if seat != DUMMY)
    news.append(Event("win", {"seat": who}))
    if who == DUMMY:
        top = BREAK if BREAK in cards else cards[by.index(DUMMY)]
        return _discard(state, top, DUMMY, last, news)
    leader = state.round.leader if marker is None else last if marker == DUMMY else marker
    return _discard(state, BREAK, marker, leader, news)


def take(state: State, seat: Seat, move: str) -> Step[State]:
    """Decision 2: take a card; it costs lights if the seat already has its number (SQ25 to SQ29)."""
    luck, _, _, (number, leader, lead, cards, by, after), marker, piles, players, ending, _ = state
    card = CARDS[move]
    hand, backs, lights, collection, *others = players[seat]
    numbers = {NUMBERS[held] for held in collection}
    if NUMBERS[card] in numbers:
        lights = max(0, lights - JEWELS[card])
    players = replace_player(players, seat, new(Player, (hand, backs, lights, (*collection, card), *others)))
    at = cards.index(card)
    cards, by = cards[:at] + cards[at + 1 :], by[:at] + by[at + 1 :]
    round_ = new(Round, (number, leader, lead, cards, by, after))
    news = [new(Event, ("take", {"seat": seat, "card": card, "lights": lights}, NOTHING))]
    asked = _NOT_ASKED if BREAK in cards else {seat: top_choice(cards)}
    state = new(State, (luck, "top", seat, round_, marker, piles, players, ending, asked))
    if not lights:
        return _over(state, Ending("eliminated", seat), news)
    if len(numbers | {NUMBERS[card]}) == _DIFFERENT:
        return _over(state, Ending("enlightened", seat), news)
    if BREAK in cards or not cards:
        return _discard(state, BREAK if cards else piles.top, seat, seat, news)
    return new(Step, (state, tuple(news)))


def choose_top(state: State, seat: Seat, move: str) -> Step[State]:
    """Decision 3: choose the top of the discard pile; its colour is trump in the next round."""
    return _discard(state, CARDS[move], seat, seat, [])


def _discard(state: State, top: str, marker: Who | None, leader: Seat, news: list[Event]) -> Step[State]:
    """Discard the cards on the table; *marker* and *leader* are for the next round (SQ16, SQ21, Q7, Q8)."""
    luck, step, turn, round_, _, piles, players, ending, asked = state
    pile, _, discards, *others = piles
    piles = new(Piles, (pile, top, tuple(sorted(discards + round_.cards)), *others))
    number = round_.number
    round_ = new(Round, (number, round_.leader, "", (), (), ()))
    news.append(new(Event, ("discard", {"top": top, "marker": marker}, NOTHING)))
    state = new(State, (luck, step, turn, round_, marker, piles, players, ending, asked))
    if not pile:
        state = reshuffle_if_due(state, news)
    return _next_round(state, number + 1, leader, news)


def _next_round(state: State, number: int, leader: Seat, news: list[Event]) -> Step[State]:
    """Begin the next round, if there is one (SQ34, Q5, Q9)."""
    luck, step, turn, _, marker, piles, players, ending, asked = state
    if number > NUMBER_OF_ROUNDS:
        return _over(state, Ending("rounds", None), news)
    if not piles.pile and not any(player.hand for player in players):
        return _over(state, Ending("cards", None), news)
    news.append(new(Event, ("round", {"round": number, "leader": leader}, NOTHING)))
    round_ = new(Round, (number, leader, "", (), (), ()))
    state = new(State, (luck, step, turn, round_, marker, piles, players, ending, asked))
    return ask_next(state, ORDERS[len(players)][leader], news)


def _over(state: State, ending: Ending, news: list[Event]) -> Step[State]:
    """End the match; the cards on the table stay there (Q7)."""
    told = {"why": ending.why, "seat": ending.seat, "scores": breakdown(state.players)}
    after = state._replace(step="over", turn=None, ending=ending, asked={})
    return Step(after, (*news, Event("over", told)))


_STEPS: Final = {"play": play, "take": take, "top": choose_top}


def follow(state: State, seat: Seat, move: str) -> Step[State]:
    """Return the step after *seat*, which is asked, makes a legal *move*.

    The event of the draw pile comes once, at the end, so it does not reveal the order of the cards of a step.
    """
    step = _STEPS[state.step](state, seat, move)
    pile = step.state.piles.pile
    if pile is state.piles.pile:
        return step
    told = ("pile", {"pile": len(pile), "back": next_back(pile)}, NOTHING)
    return new(Step, (step.state, (*step.events, new(Event, told))))
