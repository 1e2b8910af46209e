"""The effect of each move: the next state and its events."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from engines.game import NOTHING, Event, Json, OneOf, Seat, Step, new
from engines.multisets import with_card, without_card
from engines.stellar.cards import CARDS, DOWN_NUMBER, SATELLITES, SIX_ZERO
from engines.stellar.moves import (
    NOTEBOOK,
    PLAYS,
    TAKE,
    TAKES,
    WIPE,
    final_choice,
    lay,
    place_choice,
    play_choice,
)
from engines.stellar.scoring import breakdown
from engines.stellar.state import TURNS, Discards, Luck, Player, State

__all__ = ["ALONE", "TOGETHER"]


def _draw(
    count: int, pile: tuple[str, ...], discards: Discards, luck: Luck
) -> tuple[tuple[str, ...], tuple[str, ...], Discards]:
    """Draw *count* cards: return them, then the draw pile and the discards that are left (ST22, A6)."""
    if count <= len(pile):
        return pile[:count], pile[count:], discards
    order = luck.reshuffles[discards.reshuffles % len(luck.reshuffles)]
    left = Counter(discards.cards)
    fresh = []
    for card in order:
        if left[card]:
            left[card] -= 1
            fresh.append(card)
    missing = count - len(pile)
    return pile + tuple(fresh[:missing]), tuple(fresh[missing:]), Discards((), discards.reshuffles + 1)


def _replace_player(players: tuple[Player, Player], seat: Seat, player: Player) -> tuple[Player, Player]:
    return (players[0], player) if seat else (player, players[1])


def choose_starters(state: State, moves: Sequence[str]) -> Step[State]:
    """Decision 1, both seats: choose starters; then deal hands and row (ST1)."""
    plays = [PLAYS[move] for move in moves]
    pile = state.pile
    hands = (tuple(sorted(pile[0:2])), tuple(sorted(pile[2:4])))
    row = pile[4:9]
    one, other = (
        Player(hand, (), without_card(before.hand, play.card), lay(before.telescope, play))
        for before, play, hand in zip(state.players, plays, hands, strict=True)
    )
    luck = state.luck
    after = State(
        luck, 0, "take", False, None, row, pile[9:], state.discards, (one, other), {luck.first: TAKE}
    )
    chosen = {"moves": list(moves), "notebooks": [list(one.notebook), list(other.notebook)]}
    private = {seat: {"hand": list(hand)} for seat, hand in enumerate(hands)}
    return Step(after, (Event("starters", chosen), Event("deal", {"row": list(row)}, private)))


def keep_or_wipe(state: State, seat: Seat, move: str) -> Step[State]:
    """Decision a: keep the row, or discard all of it and deal a new one (ST20)."""
    luck, row, pile, discards = state.luck, state.row, state.pile, state.discards
    news: dict[str, Json] = {"seat": seat}
    if move == "wipe":
        cards = tuple(sorted((*discards.cards, *filter(None, row))))
        row, pile, discards = _draw(5, pile, Discards(cards, discards.reshuffles), luck)
        news["row"] = list(row)
        if discards.reshuffles > state.discards.reshuffles:
            news["reshuffled"] = True
    after = State(luck, state.turn, "take", False, None, row, pile, discards, state.players, {seat: TAKE})
    return Step(after, (Event(move, news),))


def take(state: State, seat: Seat, move: str) -> Step[State]:
    """Decision b: take a card from the row into the hand."""
    luck, turn, _, _, _, row, pile, discards, players, _ = state
    slot = TAKES[move]
    card = row[slot]
    assert card is not None  # the row is full before a take
    hand, known, notebook, telescope = players[seat]
    taker = new(Player, (with_card(hand, card), with_card(known, card), notebook, telescope))
    row = (*row[:slot], None, *row[slot + 1 :])
    asked = {seat: play_choice(taker)}
    players = _replace_player(players, seat, taker)
    after = (luck, turn, "play", card in SATELLITES, None, row, pile, discards, players, asked)
    told = ("take", {"seat": seat, "slot": slot + 1, "card": card}, NOTHING)
    return new(Step, (new(State, after), (new(Event, told),)))


def play(state: State, seat: Seat, move: str) -> Step[State]:
    """Decision c: play a card from the hand; its number selects the matching card (ST8, ST11, ST12, A1)."""
    luck, turn, _, satellite, _, row, pile, discards, players, _ = state
    meant = PLAYS[move]
    card, slot, lies = meant
    number = CARDS[card].number if lies == card or luck.face_down_number == "printed" else DOWN_NUMBER
    match = None if number == SIX_ZERO else row[number - 1]
    news: dict[str, Json]
    if match is None:
        (match,), pile, left = _draw(1, pile, discards, luck)
        news = {"seat": seat, "move": move, "slot": None, "card": match}
        if left is not discards:
            discards, news["reshuffled"] = left, True
    else:
        news = {"seat": seat, "move": move, "slot": number, "card": match}
        row = (*row[: number - 1], None, *row[number:])
    told = (new(Event, ("play", news, NOTHING)),)

    hand, known, notebook, telescope = players[seat]
    hand, known = without_card(hand, card), without_card(known, card)
    if slot != NOTEBOOK:
        player = new(Player, (hand, known, with_card(notebook, match), lay(telescope, meant)))
        return _refill(state, seat, player, row, pile, discards, f"{match}@{NOTEBOOK}", told)
    players = _replace_player(players, seat, new(Player, (hand, known, with_card(notebook, card), telescope)))
    asked = {seat: place_choice(telescope, match)}
    after = (luck, turn, "place", satellite, match, row, pile, discards, players, asked)
    return new(Step, (new(State, after), told))


def place(state: State, seat: Seat, move: str) -> Step[State]:
    """Decision d: place the matching card in the telescope; the hand's card went to the notebook."""
    hand, known, notebook, telescope = state.players[seat]
    player = new(Player, (hand, known, notebook, lay(telescope, PLAYS[move])))
    return _refill(state, seat, player, state.row, state.pile, state.discards, move, ())


def _refill(
    state: State,
    seat: Seat,
    player: Player,
    gaps: tuple[str | None, ...],
    pile: tuple[str, ...],
    discards: Discards,
    move: str,
    told: tuple[Event, ...],
) -> Step[State]:
    """Refill the row, slot 1 first, and ask the next seat (ST20, ST21, ST24, ST25)."""
    row = list(gaps)
    cards, pile, left = _draw(row.count(None), pile, discards, state.luck)
    for card in cards:
        row[row.index(None)] = card
    news: dict[str, Json] = {"seat": seat, "move": move, "row": row}
    if left is not discards:
        news["reshuffled"] = True
    players = _replace_player(state.players, seat, player)
    turn = state.turn + 1
    asked: dict[Seat, OneOf]
    if turn == TURNS:
        step, asked = "final", {0: final_choice(players[0].hand), 1: final_choice(players[1].hand)}
    elif state.satellite:
        step, asked = "wipe", {1 - seat: WIPE}
    else:
        step, asked = "take", {1 - seat: TAKE}
    after = (state.luck, turn, step, False, None, tuple(row), pile, left, players, asked)
    return new(Step, (new(State, after), (*told, new(Event, ("place", news, NOTHING)))))


def choose_last(state: State, moves: Sequence[str]) -> Step[State]:
    """Decision 3, both seats: put one card in the notebook and discard the other (A10)."""
    cards = [PLAYS[move].card for move in moves]
    thrown = tuple(
        without_card(player.hand, card)[0] for player, card in zip(state.players, cards, strict=True)
    )
    one, other = (
        Player((), (), with_card(player.notebook, card), player.telescope)
        for player, card in zip(state.players, cards, strict=True)
    )
    discards = Discards(tuple(sorted(state.discards.cards + thrown)), state.discards.reshuffles, thrown)
    after = State(
        state.luck, state.turn, "over", False, None, state.row, state.pile, discards, (one, other), {}
    )
    news = {"moves": list(moves), "thrown": list(thrown), "scores": breakdown(after)}
    return Step(after, (Event("final", news),))


ALONE: Final = {"wipe": keep_or_wipe, "take": take, "play": play, "place": place}
"""The steps of one seat."""
TOGETHER: Final = {"starter": choose_starters, "final": choose_last}
"""The steps in which both seats choose at the same time, in secret."""
