"""Views as text for people and language models, in lines of at most 100 columns."""

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Final

from engines.game import Choice, Json, Seat
from engines.page import answer_line, fill_lines, group_options, page, plural, seat_name, tell_news
from engines.remember import remember
from engines.stellar.cards import CARDS, DOWN, SECTIONS, SLOTS, TYPES
from engines.stellar.imagination import imagine
from engines.stellar.moves import NOTEBOOK, PLAYS
from engines.stellar.news import PHRASES
from engines.stellar.scoring import points, run, section_totals, stars
from engines.stellar.turns import TURNS

_ASKED: Final = {
    "starter": "in secret both seats choose their starter for T1",
    "wipe": "seat {seat} keeps the row, or wipes it",
    "take": "seat {seat} takes a card from the row",
    "play": "seat {seat} plays a card from the hand",
    "place": "seat {seat} places {card} in the telescope",
    "final": "in secret both seats choose a last card for the notebook",
    "over": "the match is over",
}


def text(view: Mapping[str, Json], events: Sequence[Mapping[str, Json]] = ()) -> str:
    """Return *view* as lines of plain text, and *events*, which happened since the seat's last decision."""
    news, seats = tell_news(events, PHRASES, ["row"]), [_seat(view, seat) for seat in range(2)]
    return page([_heading(view), news, _table(view), _points(view), *seats, _answer(view)])


def _heading(view: Mapping[str, Json]) -> Iterator[str]:
    turn, step = view["turn"], view["step"]
    seat = (view["first"] + turn) % 2
    when = f"turn {turn + 1} of {TURNS}" if turn < TURNS else "after the last turn"
    yield f"STELLAR, {when}: {_ASKED[step].format(seat=seat, card=view.get('waiting'))}."
    you = f"You are seat {view['seat']}. " if "seat" in view else "You are a spectator. "
    number = "their printed number" if view["options"]["face_down_number"] == "printed" else "3"
    yield f"{you}Seat {view['first']} began. Cards played face down call for {number}."
    if view["satellite"]:
        then = f"so seat {1 - seat} may wipe the row" if turn < TURNS - 1 else "which is the last one"
        yield f"Seat {seat} took a satellite in this turn, {then}."


def _table(view: Mapping[str, Json]) -> Iterator[str]:
    """Yield the row, the hands and both piles."""
    yield f"Row, places 1 to 5: {' '.join(card or '-' for card in view['row'])}"
    for seat, known in enumerate(view["known"]):
        cards = view["hand"] if view.get("seat") == seat else [plural(view["hands"][seat], "card")]
        seen = "" if not known else "; all know them" if known == cards else f"; all know {' '.join(known)}"
        yield f"Hand of {seat_name(view, seat)}: {' '.join(cards) or 'none'}{seen}"
    pile = f"Draw pile: {plural(view['pile'], 'card')}"
    if "pile_cards" in view:
        pile += f", after reshuffle {view['reshuffles']}; in some order:"
        yield from fill_lines(pile, view["pile_cards"])
    else:
        yield pile
    yield from fill_lines("Discards:", view["discards"] or ["none"])


def _points(view: Mapping[str, Json]) -> Iterator[str]:
    """Yield the points of both seats as the cards lie, and whose the majorities and diversities are."""
    each, over = [], view["step"] == "over"
    for seat, told in enumerate(points(view["telescopes"], view["notebooks"])):
        counted = {part: number for part, number in told.items() if part != "total" and (number or over)}
        parts = " + ".join(f"{part} {number}" for part, number in counted.items())
        each.append(f"seat {seat} {told['total']}" + (f" = {parts}" if parts else ""))
    yield from fill_lines("Points:" if over else "Points so far:", each, ";")
    totals = [section_totals(cards) for cards in view["telescopes"]]
    sections = [_section(section, totals[0][section], totals[1][section]) for section in SECTIONS]
    yield from fill_lines("Majorities:", sections, ",")
    lacks = [f"seat {seat} {_lacking(cards)}" for seat, cards in enumerate(view["telescopes"])]
    yield f"Types lacking for diversity: {', '.join(lacks)}"
    if over:
        yield f"Thrown away: {', '.join(view['thrown'])}"


def _section(section: str, one: int, other: int) -> str:
    holder = "nobody" if one == other else f"seat {int(one < other)}"
    return f"{section} {one}:{other} {holder}"


def _lacking(telescope: Mapping[str, str]) -> str:
    shown = {CARDS[lies].type for lies in telescope.values() if not lies.endswith(DOWN)}
    return " ".join(kind for kind in TYPES if kind not in shown) or "none"


def _seat(view: Mapping[str, Json], seat: Seat) -> Sequence[str]:
    """Return the telescope of a seat, and its notebook by type."""
    telescope, notebook = view["telescopes"][seat], view["notebooks"][seat]
    free = seat == view.get("seat") and view["step"] in ("take", "play", "place")
    return _tell_seat(seat_name(view, seat), telescope, notebook, free)


@remember
def _tell_seat(name: str, telescope: Mapping[str, str], notebook: Sequence[str], free: bool) -> Sequence[str]:
    """Return the telescope and the notebook of the seat called *name*; if *free*, also the free slots."""
    laid = [f"{slot} {telescope[slot]}" for slot in SLOTS if slot in telescope]
    lines = [*fill_lines(f"Telescope of {name}:", laid or ["nothing"], ",")]
    if free:
        lines += fill_lines("Free:", [slot for slot in SLOTS if slot not in telescope] or ["none"])
    shining, stacks = stars(telescope.values()), []
    for kind in TYPES:
        stack = [card for card in notebook if CARDS[card].type == kind]
        if stack or shining[kind]:
            length = run([CARDS[card].number for card in stack])
            cards = f" ({' '.join(card[1:] for card in stack)})" if stack else ""
            stacks.append(f"{kind} {shining[kind]} x {length}{cards}")
    if spare := [card for card in notebook if CARDS[card].type is None]:
        stacks.append(f"of any type: {' '.join(spare)}")
    return [*lines, *fill_lines("Stars x run of the notebook:", stacks or ["none"], ",")]


# -- how to answer


def _answer(view: Mapping[str, Json]) -> Iterator[str]:
    """Yield what the seat may do, and how to say it, if it is asked."""
    choice = imagine(view, Random(0)).asked.get(view["seat"]) if "seat" in view else None
    if choice is None:
        return
    if view["step"] in ("play", "place"):
        yield from _plays(choice)
    else:
        yield from fill_lines("You may", group_options(choice.options).split(" "))
    yield answer_line(choice)
    yield "Cards: P planet, M moon, A asteroid, C cloud, B black hole, then number.stars; S satellite."


def _plays(choice: Choice) -> Iterator[str]:
    """Yield the options that play a card, by card."""
    upright: dict[str, list[str]] = {}
    for option in choice.options:
        play = PLAYS[option]
        slots = upright.setdefault(play.card, [])
        if play.slot != NOTEBOOK and play.lies == play.card:
            slots.append(play.slot)
    raised = [f"{card} on {' '.join(slots) or 'no slot'}" for card, slots in upright.items()]
    yield from fill_lines("Face up you may play", raised, ";")
    ways = []
    if down := next((option for option in choice.options if option.endswith(DOWN)), ""):
        ways.append(f'face down on any free slot, like "{down}"')
    if choice.options[-1].endswith(NOTEBOOK):
        ways.append(f'into the notebook, like "{choice.options[-1]}"')
    if ways:
        yield from fill_lines("Each of these cards may also go", ", or ".join(ways).split(), end=".")
