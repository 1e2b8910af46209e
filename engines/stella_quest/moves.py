"""The choices of a seat, and the cards that moves name.

All moves are built once, at import: a match builds and parses no strings, and no table grows.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from engines.game import OneOf, Seat
from engines.stella_quest.cards import BREAK, COLOURS, EMOTIONS
from engines.stella_quest.state import HAND, Player, State

__all__ = ["CARDS", "DRAW", "play_choice", "reason", "take_choice", "top_choice"]

DRAW: Final = "draw"
_PLAY: Final = {card: f"play {card}" for card in (*EMOTIONS, BREAK)}
_TAKE: Final = {card: f"take {card}" for card in EMOTIONS}
_TOP: Final = {card: f"top {card}" for card in EMOTIONS}
_play, _take, _top = _PLAY.__getitem__, _TAKE.__getitem__, _TOP.__getitem__
CARDS: Final = {move: card for moves in (_PLAY, _TAKE, _TOP) for card, move in moves.items()}
"""The card of every move that names one."""
_ENDS: Final = {
    (breaks, draws): ((_PLAY[BREAK],) if breaks else ()) + ((DRAW,) if draws else ())
    for breaks in (False, True)
    for draws in (False, True)
}
"""The end of a list of plays: with or without a Break Card in hand, with or without drawing."""


def play_choice(player: Player, lead: str, pile: tuple[str, ...]) -> OneOf:
    """Return the choice of decision 1: the legal cards (SQ3), or to draw for a light (SQ17 to SQ19)."""
    hand, backs, lights, *_ = player
    breaks = BREAK in backs
    if lead in backs:
        at = backs.index(lead)
        hand = hand[at : at + backs.count(lead)]
    elif breaks:
        at = backs.index(BREAK)
        hand = hand[:at] + hand[at + backs.count(BREAK) :]
    draws = lights > 1 and len(backs) < HAND and pile != ()
    return OneOf((*map(_play, dict.fromkeys(hand)), *_ENDS[breaks, draws]))


def take_choice(cards: Iterable[str]) -> OneOf:
    """Return the choice of decision 2: the different Emotion Cards among the *cards* of the round."""
    return OneOf(tuple(map(_take, sorted(set(cards) - {BREAK}))))


def top_choice(cards: Iterable[str]) -> OneOf:
    """Return the choice of decision 3: the different *cards* that are left."""
    return OneOf(tuple(map(_top, sorted(set(cards)))))


def reason(state: State, seat: Seat, move: str) -> str:
    """Return why *seat*, which is asked, may not make *move*."""
    if move != DRAW and move not in CARDS:
        return "not a move of stella-quest"
    player = state.players[seat]
    kind, _, card = move.partition(" ")
    if state.step == "play" == kind:
        if card not in player.hand:
            return f"{card} is not in hand"
        return f"{COLOURS[state.round.lead]} is led and in hand"
    if state.step == "play" and kind == DRAW:
        return _no_draw(player)
    if state.step == kind:
        return f"{card} is not on the table"
    return "not what is asked now"


def _no_draw(player: Player) -> str:
    if player.lights < 2:
        return "the last light cannot be burnt"
    if len(player.hand) >= HAND:
        return f"{HAND} cards are in hand"
    return "there is no card to draw"
