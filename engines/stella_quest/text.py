"""Views as text for people and language models, in lines of at most 100 columns."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Final

from engines.game import Json, Move
from engines.page import answer_line, fill_lines, group_options, page, plural, seat_name, tell_news
from engines.remember import remember
from engines.stella_quest.cards import BACKS, BREAK, COLOURS, DECK, JEWELS, NUMBERS
from engines.stella_quest.imagination import imagine
from engines.stella_quest.players import DUMMY, Who
from engines.stella_quest.rounds import winner
from engines.stella_quest.scoring import jewels
from engines.stella_quest.table import DRAWN, HAND
from engines.stella_quest.turns import NUMBER_OF_ROUNDS

_PROMPTS: Final = {
    "play": "Play a card",
    "take": "You win the round: take a card from the table",
    "top": "Choose the card that lies on top of the discards: its colour is the next trump",
}
_SAID: Final = {"play": "Play {}", "take": "Take {}", "top": "Put {} on top"}
_NAMES: Final = (
    {card: f"{COLOURS[f'{card[0]}?']} {number}" for card, number in NUMBERS.items()}
    | {back: f"a {colour} card" for back, colour in COLOURS.items()}
    | {BREAK: "a Break Card"}
)


def ask(view: Mapping[str, Json]) -> str:
    """Return what the seat of *view* is asked to do."""
    asked = imagine(view, Random(0)).asked.get(view["turn"])
    may_draw = asked is not None and "draw" in asked.options
    return _PROMPTS.get(view["step"], "") + (f", or burn a light for {_new_cards(view)}" if may_draw else "")


def say(view: Mapping[str, Json], option: str) -> str:
    """Return *option* in words."""
    verb, _, card = option.partition(" ")
    if card:
        return _SAID[verb].format(in_words(card))
    return f"Burn a light ({view['lights'][view['turn']]} left): draw {_new_cards(view)}"


def cost(view: Mapping[str, Json], option: str) -> str:
    """Return the lights and jewels that *option* costs; of a card that is played it is not sure."""
    verb, _, card = option.partition(" ")
    lights = view["lights"][view["turn"]]
    held = [NUMBERS[each] for each in view["collections"][view["turn"]]]
    if verb == "draw":
        return f"burns one of your {lights} lights"
    if verb != "take" or NUMBERS[card] not in held:
        return ""
    price = JEWELS[card]
    last = plural(lights, "light").removeprefix("1 ")
    paid = f"{price} of your {lights} lights" if price < lights else f"your last {last}"
    lost = " and your jewels of this number" if held.count(NUMBERS[card]) == 1 else ""
    end = "" if price < lights else ". You come last"
    return f"costs {paid}{lost}: you hold number {NUMBERS[card]} already{end}"


def _new_cards(view: Mapping[str, Json]) -> str:
    """Return how many cards a light brings now."""
    return ("a card", "two cards", "three cards")[min(DRAWN, HAND - view["hands"][view["turn"]]) - 1]


def kind_of(view: Mapping[str, Json], move: Move) -> str:
    """Return of what kind the decision for *move* is."""
    if move == "draw":
        return "burn a light to draw"
    if view["step"] == "play":
        return "follow in a round" if view["table"] else "lead a round"
    return "take a card" if view["step"] == "take" else "choose the trump"


def in_words(name: str) -> str:
    """Return a card, "B4" or "XX", or the back of one, "B?", in words; other text as it is."""
    return _NAMES.get(name, name)


PHRASES: Final = {
    "start": "{first:seat} leads[; the first discard is {top}][; hand: {hand}]",
    "play": "{seat} plays {card}[, having no {lacking} card]",
    "draw": "{seat} burns a light to draw {backs}[, which are {cards}]; lights left: {lights}",
    "refill": "{seat} fills its empty hand with {backs}[, which are {cards}]",
    "reshuffle": "The discards are the new pile: {cards}",
    "skip": "{seat} has no card to play",
    "win": "[{seat} wins the round][seat!No seat wins the round][broken?; all cards are Break Cards]"
    "[ with {with}, {by}][; the Black Star from an earlier win costs {price}][; lights left: {lights}]",
    "take": "{seat} takes {card}[; another {another} costs {price}]; lights left: {lights}",
    "discard": "The table is cleared[; {top} is the top of the discards][; {marker:seat} has the Black Star]",
    "round": "Round {round} begins; {leader:seat} leads",
    "over": "The match is over: [{seat} is ]{why}; points: {scores:points}",
    "pile": "The pile has {pile} cards[; the next is {back}]",
}


_IN_DECK: Final = Counter(DECK)
_ASKED: Final = {
    "play": "seat {} plays a card, or burns a light for three more",
    "take": "seat {} has won and takes a card of the round",
    "top": "seat {} chooses the next trump, the top of the discards",
    "over": "the match is over",
}
_WHY: Final = {
    "enlightened": "Seat {} has all six numbers: it wins at once.",
    "eliminated": "Seat {} has lost its last light: it comes last, the others are ranked by points.",
    "rounds": f"{NUMBER_OF_ROUNDS} rounds are over: all are ranked by points.",
    "cards": "Nobody has a card, and none can be drawn: all are ranked by points.",
}


def text(view: Mapping[str, Json], events: Sequence[Mapping[str, Json]] = ()) -> str:
    """Return *view* as lines of plain text, and *events*, which happened since the seat's last decision."""
    news, history = tell_news(events, PHRASES, ["pile", "top", "marker", "hand"]), _history(view)
    return page([_heading(view), news, _table(view), _seats(view), _piles(view), history, _answer(view)])


def _who(view: Mapping[str, Json], who: Who) -> str:
    return "Dummy" if who == DUMMY else seat_name(view, who)


def _heading(view: Mapping[str, Json]) -> Iterator[str]:
    asked = _ASKED[view["step"]].format(view["turn"])
    yield f"STELLA QUEST, {view['seats']} seats, round {view['round']}: {asked}."
    you = f"You are seat {view['seat']}. " if "seat" in view else "You are a spectator. "
    yield f"{you}Seat {view['first']} led the first round, seat {view['leader']} leads this one."
    trump = COLOURS.get(f"{view['top'][0]}?", "nothing")
    lead = f"The leading colour is {COLOURS[view['lead']]}" if view["lead"] else "No colour leads yet"
    yield f"The top of the discards is {view['top']}, so trump is {trump}. {lead}."
    if view["step"] == "over":
        yield _WHY[view["ending"]["why"]].format(view["ending"]["seat"])


def _table(view: Mapping[str, Json]) -> Iterator[str]:
    """Yield the cards of the round and the seat's own hand."""
    played = [f"{_who(view, who)} {card}" for who, card in view["table"]]
    yield from fill_lines("Played in this round:", played or ["nothing"], ",")
    if played and view["step"] == "play":
        place = winner(view["top"], [card for _, card in view["table"]])
        yield f"As it lies {'no seat' if place is None else _who(view, view['table'][place][0])} wins."
    if "hand" in view:
        yield from fill_lines("Your hand:", view["hand"] or ["no card"])


def _seats(view: Mapping[str, Json]) -> Iterator[str]:
    """Yield the lights and points of every seat, what it has and needs, and what its hand can be."""
    for seat, collection in enumerate(view["collections"]):
        lights = view["lights"][seat]
        points = plural(lights + jewels(collection), "point")
        yield f"{_who(view, seat)}: {plural(lights, 'light')}, {points}"
        yield from _tell_collection(tuple(collection))
        if seat != view.get("seat"):
            yield f"  holds {_backs(tuple(view['backs'][seat]))}"
    holder = "nobody" if view["marker"] is None else _who(view, view["marker"])
    yield f"The Black Star: {holder}"


@lru_cache(maxsize=1024)
def _tell_collection(collection: tuple[str, ...]) -> Sequence[str]:
    held = Counter([NUMBERS[card] for card in collection])
    missing = [str(number) for number in sorted({*NUMBERS.values()}) if number not in held]
    twice = [str(number) for number, count in sorted(held.items()) if count > 1]
    more = f"; more than once {' '.join(twice)}" if twice else ""
    lacks = f"; lacks {' '.join(missing) or 'none'}{more}"
    return [*fill_lines("  has", collection or ["nothing"], end=lacks)]


@lru_cache(maxsize=1024)
def _backs(backs: tuple[str, ...]) -> str:
    """Return what all know of a hand: its cards by colour, and the colours that it cannot have."""
    lacks = [colour for back, colour in COLOURS.items() if back not in backs]
    cannot = f"; cannot have {' '.join(lacks)}" if lacks and backs else ""
    return f"{plural(len(backs), 'card')}: {_count(backs) or 'none'}{cannot}"


def _count(cards: Iterable[str]) -> str:
    """Return a multiset in short form, such as 2xB?."""
    return " ".join(f"{count}x{card}" if count > 1 else card for card, count in Counter(cards).items())


def _piles(view: Mapping[str, Json]) -> Iterator[str]:
    """Yield both piles, and the cards that the seat has not seen, which are in other hands or to be drawn."""
    shown = f"next is {view['back']}" if view["back"] else "nothing to draw"
    yield f"Draw pile: {plural(view['pile'], 'card')}, {shown}; opening discard {view['opening']}"
    yield from fill_lines("Discards:", view["discards"])
    table = [card for _, card in view["table"]]
    seen = [view["discards"], table, view.get("hand", ()), *view["collections"]]
    where = "in other hands or the draw pile" if "seat" in view else "in the hands or the draw pile"
    yield from fill_lines(f"Not in sight, {where}:", _unseen(seen), ",")


@remember
def _unseen(seen: Sequence[Sequence[str]]) -> Sequence[str]:
    """Return by colour the cards that are in none of the lists *seen*."""
    unseen = _IN_DECK.copy()
    for cards in seen:
        unseen.subtract(cards)
    by_colour = []
    for back, colour in COLOURS.items():
        copies = {card[1:]: count for card, count in sorted(unseen.items()) if BACKS[card] == back}
        twice, once = ("".join(card for card, count in copies.items() if count == much) for much in (2, 1))
        told = [f"{twice} twice"] * bool(twice) + [f"{once} once"] * bool(once)
        by_colour.append(f"{colour} {' '.join(told) or 'none'}")
    return [*by_colour, f"{plural(unseen[BREAK], 'Break Card')}"]


# -- after a reshuffle


def _history(view: Mapping[str, Json]) -> Iterator[str]:
    """Yield what the course of play says of the cards that are not in sight, once there was a reshuffle.

    Before that it says nothing: each of them may be any of its colour.  Of the time until the first one only
    what the other hands held then bears on them, and of the own seat only what it drew.
    """
    if view["reshuffles"]:
        yield from _tell_held(view)
    for number, period in enumerate(view["periods"]):
        if number:
            pile = f"Since reshuffle {number} of {view['reshuffles']}, which made a pile of:"
            yield from fill_lines(pile, _count(period["cards"]).split())
            for seat, (received, played) in enumerate(zip(period["received"], period["played"], strict=True)):
                if seat == view.get("seat"):
                    yield from fill_lines(f"  {_who(view, seat)} got", view["drawn"][number] or ["nothing"])
                else:
                    yield from fill_lines(
                        f"  {_who(view, seat)}", _parts(received, played) or ["got nothing"], ";"
                    )
            if "dummy" in period:
                yield from fill_lines("  Dummy played", period["dummy"] or ["nothing"])


def _tell_held(view: Mapping[str, Json]) -> Iterator[str]:
    """Yield what the hands whose cards the view does not tell held at the first reshuffle."""
    period, own = view["periods"][0], view.get("seat")
    # at a reshuffle the pile is empty, so the deck less all that was seen of it is what the others held
    cards, hands = Counter(DECK), []
    drawn = [] if own is None else view["drawn"][0]
    cards.subtract([view["opening"], *period.get("dummy", ()), *drawn])
    for seat, (received, played) in enumerate(zip(period["received"], period["played"], strict=True)):
        if seat != own:
            gone = [card for part in played for card in part]
            cards.subtract(gone)
            backs = Counter(back for part in received for back in part)
            backs.subtract(BACKS[card] for card in gone)
            hands.append(f"{_who(view, seat)} {_count(sorted(backs.elements())) or 'none'}")
    held = _count(sorted(cards.elements())) or "nothing"
    where = "the other hands" if own is not None else "the hands"
    yield from fill_lines(f"At the reshuffle {where} held together {held}:", hands, ",")


def _parts(received: Sequence[Sequence[str]], played: Sequence[Sequence[str]]) -> list[str]:
    """Return what a hand received and what it played, by turns."""
    parts = []
    for backs, cards in zip(received, played, strict=True):
        if backs:
            parts.append(f"got {_count(backs)}")
        if cards:
            parts.append(f"played {' '.join(cards)}")
    return parts


# -- how to answer


def _answer(view: Mapping[str, Json]) -> Iterator[str]:
    """Yield what the seat may do, and how to say it, if it is asked."""
    if view["step"] == "over" or view.get("seat") != view["turn"]:
        return
    choice = imagine(view, Random(0)).asked[view["seat"]]
    yield from fill_lines("You may", group_options(choice.options).split(" "))
    yield answer_line(choice)
    yield "B blue, G green, R red, Y yellow; B? is a blue card, XX a Break Card."
