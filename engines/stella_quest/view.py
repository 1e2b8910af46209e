"""Views: everything that a seat knows, built up from nothing (SQ33 and the precision on views)."""

from __future__ import annotations

from engines.game import Json, Seat
from engines.stella_quest.cards import BACKS
from engines.stella_quest.scoring import breakdown
from engines.stella_quest.state import Period, Player, State

__all__ = ["view"]


def view(state: State, seat: Seat | None) -> dict[str, Json]:
    """Return everything that *seat* knows; None is a spectator, who knows what is public."""
    luck, step, turn, round_, marker, piles, players, ending, _ = state
    number, leader, lead, cards, by, _ = round_
    pile, top, discards, past, made_of, dummy = piles
    hands, backs, lights, collections, received, played = _public(players)
    now: dict[str, Json] = {"cards": [*made_of] if past else None, "received": received, "played": played}
    if len(players) == 2:
        now["dummy"] = [*dummy]
    seen: dict[str, Json] = {
        "seats": len(players),
        "options": {},
        "first": luck.first,
        "opening": luck.opening,
        "round": number,
        "step": step,
        "turn": turn,
        "leader": leader,
        "lead": lead or None,
        "table": [*map(list, zip(by, cards, strict=True))] if cards else [],
        "marker": marker,
        "top": top,
        "discards": [*discards],
        "pile": len(pile),
        "back": BACKS[pile[0]] if pile else None,
        "reshuffles": len(past),
        "hands": hands,
        "backs": backs,
        "lights": lights,
        "collections": collections,
        "periods": [*map(_past, past), now] if past else [now],
    }
    if seat is not None:
        own = players[seat]
        seen["seat"] = seat
        seen["hand"] = [*own.hand]
        seen["drawn"] = [*[[*period.received[seat]] for period in past], [*own.received]]
    if ending is not None:
        seen["ending"] = {"why": ending.why, "seat": ending.seat}
        seen["scores"] = breakdown(players)
    return seen


def _public(
    players: tuple[Player, ...],
) -> tuple[list[int], list[Json], list[int], list[Json], list[Json], list[Json]]:
    """Return what is public of *players*, one list each.

    These are the size of the hand, its backs, the lights, the collection, and of this period the backs that
    the hand received and the cards that it played.
    """
    hands: list[int] = []
    backs: list[Json] = []
    lights: list[int] = []
    collections: list[Json] = []
    received: list[Json] = []
    played: list[Json] = []
    for hand, shown, left, collection, _, got, laid in players:  # one by one: twice as fast as a list each
        hands.append(len(hand))
        backs.append([*shown])
        lights.append(left)
        collections.append([*collection])
        received.append([*map(list, got)])
        played.append([*map(list, laid)])
    return hands, backs, lights, collections, received, played


def _past(period: Period) -> dict[str, Json]:
    cards, _, backs, played, dummy = period
    seen: dict[str, Json] = {
        "cards": [*cards] if cards else None,
        "received": [[*map(list, parts)] for parts in backs],
        "played": [[*map(list, parts)] for parts in played],
    }
    if len(backs) == 2:
        seen["dummy"] = [*dummy]
    return seen
