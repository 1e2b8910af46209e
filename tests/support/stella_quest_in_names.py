"""States of Stella Quest told in names: to compare them, and to write them by hand."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from engines.game import Seat
from engines.stella_quest import periods
from engines.stella_quest.cards import (
    BACK_CODES,
    BACK_NAMES,
    BACKS,
    CODES,
    NAMES,
    NO_BACK,
    backs_of,
    codes_of,
    names_of,
    parts_in,
)
from engines.stella_quest.periods import thaw
from engines.stella_quest.players import NOBODY, PLAYERS, Who
from engines.stella_quest.state import State, new_state
from engines.stella_quest.turns import ENDS, STEPS

__all__ = ["state_of", "told"]

Parts: TypeAlias = tuple[tuple[str, ...], ...]
"""A sequence of multisets of cards.  A hand played part i of its cards after it had received part i, and
before it received the next part.
"""


class Luck(NamedTuple):
    """Everything that is fixed before the match."""

    first: Seat
    opening: str
    """The first discard."""
    orders: tuple[tuple[str, ...], ...]
    """The order of the cards after each reshuffle."""


class Period(NamedTuple):
    """The public course of play from one reshuffle to the next, and the cards dealt to each seat."""

    cards: tuple[str, ...]
    """The cards of the draw pile; empty before the first reshuffle."""
    received: tuple[tuple[str, ...], ...]
    backs: tuple[Parts, ...]
    """The backs of those cards."""
    played: tuple[Parts, ...]
    dummy: tuple[str, ...]


class Piles(NamedTuple):
    """The cards in the middle of the table, and their history."""

    pile: tuple[str, ...]
    """The draw pile, next card first."""
    top: str
    discards: tuple[str, ...]
    past: tuple[Period, ...]
    cards: tuple[str, ...]
    """The cards of the draw pile of this period; empty before the first reshuffle."""
    dummy: tuple[str, ...]
    """The cards that the Dummy played in this period."""


class NamedPlayer(NamedTuple):
    """The cards and lights of one seat; what it received and played is of this period."""

    hand: tuple[str, ...]
    lights: int
    collection: tuple[str, ...]
    received: tuple[str, ...]
    received_backs: Parts
    played: Parts

    @property
    def backs(self) -> tuple[str, ...]:
        """The backs of the hand."""
        return tuple([BACKS[card] for card in self.hand])


class Round(NamedTuple):
    """A round that is being played."""

    number: int
    leader: Seat
    lead: str
    """The leading colour, as the back of its cards; empty while it is open."""
    cards: tuple[str, ...]
    by: tuple[Who, ...]


class Ending(NamedTuple):
    """Why a match is over."""

    why: str
    seat: Seat | None


class NamedState(NamedTuple):
    """A match that is being played or is over."""

    luck: Luck
    step: str
    turn: Seat | None
    """The seat that is asked; None when the match is over."""
    round: Round
    marker: Who | None
    piles: Piles
    players: tuple[NamedPlayer, ...]
    ending: Ending | None


def _period(period: periods.Period) -> Period:
    cards, received, backs, played, dummy = period
    return Period(
        tuple(names_of(cards)),
        tuple([tuple(names_of(hand)) for hand in received]),
        tuple([tuple([tuple(backs_of(part)) for part in parts]) for parts in backs]),
        tuple([tuple([tuple(names_of(part)) for part in parts]) for parts in played]),
        tuple(names_of(dummy)),
    )


def _coded_period(period: Period) -> periods.Period:
    cards, received, backs, played, dummy = period
    return periods.Period(
        tuple(codes_of(cards)),
        tuple([tuple(codes_of(hand)) for hand in received]),
        tuple([parts_in(BACK_CODES, parts) for parts in backs]),
        tuple([parts_in(CODES, parts) for parts in played]),
        tuple(codes_of(dummy)),
    )


def _now(named: NamedState) -> Period:
    """Return the current period."""
    players = named.players
    return Period(
        named.piles.cards,
        tuple([player.received for player in players]),
        tuple([player.received_backs for player in players]),
        tuple([player.played for player in players]),
        named.piles.dummy,
    )


def told(state: State) -> NamedState:
    """Return *state* in names.  What its last step did is left out."""
    now = _period(state.period())
    players = [
        NamedPlayer(
            tuple(names_of(state.hands[seat])),
            lights,
            tuple(names_of(state.collections[seat])),
            now.received[seat],
            now.backs[seat],
            now.played[seat],
        )
        for seat, lights in enumerate(state.lights)
    ]
    lead = "" if state.lead == NO_BACK else BACK_NAMES[state.lead]
    by = tuple([PLAYERS[who] for who in state.by])
    piles = Piles(
        tuple(names_of(state.pile[::-1])),
        NAMES[state.top],
        tuple(names_of(sorted(state.discards))),
        tuple([_period(period) for period in state.past]),
        now.cards,
        now.dummy,
    )
    ended_by = None if state.ended_by == NOBODY else state.ended_by
    return NamedState(
        Luck(state.first, NAMES[state.opening], tuple([tuple(names_of(order)) for order in state.orders])),
        state.step,
        state.turn,
        Round(state.number, state.leader, lead, tuple(names_of(state.table)), by),
        None if state.marker == NOBODY else PLAYERS[state.marker],
        piles,
        tuple(players),
        Ending(ENDS[state.ending], ended_by) if state.over else None,
    )


def _who_code(who: Who | None) -> int:
    return NOBODY if who is None else PLAYERS.index(who)


def state_of(named: NamedState) -> State:
    """Return the state that told() tells like this."""
    luck, step, turn, round_, marker, piles, players, ending = named
    orders = [codes_of(order) for order in luck.orders]
    state = new_state(len(players), luck.first, CODES[luck.opening], orders)
    state.stage, state.seat = STEPS.index(step), turn or 0
    state.number, state.leader = round_.number, round_.leader
    state.lead = BACK_CODES[round_.lead] if round_.lead else NO_BACK
    state.table, state.by = codes_of(round_.cards), [_who_code(who) for who in round_.by]
    state.marker = _who_code(marker)
    state.pile, state.top = codes_of(piles.pile[::-1]), CODES[piles.top]
    state.discards, state.past = codes_of(piles.discards), [_coded_period(period) for period in piles.past]
    now = _coded_period(_now(named))
    state.made_of, state.dummy = [*now.cards], [*now.dummy]
    for seat, player in enumerate(players):
        state.hands[seat], state.lights[seat] = codes_of(player.hand), player.lights
        state.collections[seat], state.received[seat] = codes_of(player.collection), [*now.received[seat]]
        state.backs[seat], state.played[seat] = thaw(now.backs[seat]), thaw(now.played[seat])
    if ending:
        state.ending, state.ended_by = ENDS.index(ending.why), _who_code(ending.seat)
    return state
