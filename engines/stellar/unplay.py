"""The way back: the match that led to a world, played again from its deal."""

from collections.abc import Mapping

from engines.game import Json, Seat
from engines.stellar import luck
from engines.stellar.cards import DECK, NAMES, STARTERS
from engines.stellar.moves import OPTIONS, PLAYS
from engines.stellar.state import State
from engines.weighing import PastChoice, Told, complete, play_again


def unplay(world: State, told: Told, own: Seat) -> list[PastChoice]:
    """Return what the other seat decided, in this *world*."""
    hands = [[NAMES[card] for card in hand] for hand in world.hands]
    starters = hands
    for event in told[1:2]:
        laid = [PLAYS[move].card for move in event["moves"]]
        starters = [[card, *rest] for card, rest in zip(laid, event["notebooks"], strict=True)]
    deck, *fresh = _piles(told, hands)
    following = [NAMES[card] for card in reversed(world.pile)]
    (fresh[-1] if fresh else deck).extend(following)
    deal = {
        "options": told[0]["options"],
        "first": told[0]["first"],
        "starters": complete([*starters[0], *starters[1]], STARTERS),
        "deck": deck,
        "reshuffles": [complete(order, DECK) for order in fresh or [[]]],
    }
    return play_again(luck.begin(deal, 2), told, own, _option_in)


def _option_in(position: State, event: Mapping[str, Json]) -> int:
    match event["event"]:
        case "starters" | "final":
            return OPTIONS[event["moves"][position.seat]]
        case "take":
            return OPTIONS[f"take {event['slot']}"]
        case "play" | "place":
            return OPTIONS[event["move"]]
        case kind:  # keep or wipe
            return OPTIONS[kind]


def _piles(told: Told, hands: list[list[str]]) -> list[list[str]]:
    """Return the cards that came from each draw pile, in order, where the seats now hold *hands*."""
    piles: list[list[str]] = [[]]
    left, discarded = len(DECK) - 4, 0
    row: list[str | None] = [None] * 5

    def draw(*cards: str) -> None:
        nonlocal left, discarded
        for card in cards:
            if not left:
                piles.append([])
                left, discarded = discarded, 0
            piles[-1].append(card)
            left -= 1

    for event in told:
        match event["event"]:
            case "deal":
                draw(*_dealt(told, 0, hands[0]), *_dealt(told, 1, hands[1]), *event["row"])
                row = [*event["row"]]
            case "take":
                row[event["slot"] - 1] = None
            case "play" if event["slot"]:
                row[event["slot"] - 1] = None
            case "play":
                draw(event["card"])
            case "place" | "wipe" as kind:
                if kind == "wipe":
                    discarded, row = discarded + 5, [None] * 5
                draw(*[card for card, before in zip(event["row"], row, strict=True) if before is None])
                row = [*event["row"]]
    return piles


def _dealt(told: Told, seat: Seat, hand: list[str]) -> list[str]:
    """Return the cards that *seat* was dealt: what it has played and holds, less what it has taken."""
    cards = [*hand]
    for event in told:
        if event["event"] == "final":
            cards += [PLAYS[event["moves"][seat]].card, event["thrown"][seat]]
        elif event["event"] == "play" and event["seat"] == seat:
            cards.append(PLAYS[event["move"]].card)
    for event in told:
        if event["event"] == "take" and event["seat"] == seat:
            cards.remove(event["card"])
    return cards
