"""Views as text for people and language models, in lines of at most 100 columns."""

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Final

from engines.game import Choice, Json, Move, Seat
from engines.page import answer_line, either, fill_lines, group_options, page, plural, seat_name, tell_news
from engines.remember import remember
from engines.stellar.cards import CARDS, DOWN, SECTIONS, SIX_ZERO, SLOTS, TYPES
from engines.stellar.imagination import imagine
from engines.stellar.moves import NOTEBOOK, PLAYS
from engines.stellar.scoring import points, run, section_totals, stars
from engines.stellar.turns import TURNS

_PROMPTS: Final = {
    "starter": "Choose the card that starts your telescope; the other one goes into your notebook",
    "wipe": "Keep the row, or have five new cards",
    "take": "Take a card from the row",
    "play": "Play a card from your hand {ways}: choose it and its place",
    "place": "Place the {card} {ways} in your telescope",
    "final": "Choose a last card for your notebook; the other one is thrown away",
}
_KINDS: Final = {
    "starter": "choose the first card",
    "wipe": "keep the row or not",
    "take": "take a card",
    "place": "place the matching card",
    "final": "keep a last card",
}
_ROWS: Final = {"T": "top", "M": "mid", "B": "low"}
_TYPES: Final = {
    "P": "planet",
    "M": "moon",
    "A": "asteroid",
    "C": "cloud",
    "B": "black hole",
    None: "satellite",
}


def ask(view: Mapping[str, Json]) -> str:
    """Return what the seat of *view* is asked to do."""
    asked = imagine(view, Random(0)).asked.get(view["seat"])
    plays = [PLAYS[option] for option in asked.options if option in PLAYS] if asked else []
    ways = {
        "face up": any(play.slot != NOTEBOOK and play.lies == play.card for play in plays),
        "face down": any(play.lies != play.card for play in plays),
        "into the notebook": any(play.slot == NOTEBOOK for play in plays),
    }
    may = either([way for way, is_open in ways.items() if is_open] or [""])
    return _PROMPTS.get(view["step"], "").format(ways=may, card=in_words(view.get("waiting") or ""))


def say(view: Mapping[str, Json], option: str) -> str:
    """Return *option* in words."""
    if option == "keep":
        return "Keep the row"
    if option == "wipe":
        return "Have five new cards"
    if view["step"] == "take":
        return f"Take the {in_words(view['row'][int(option.split()[1]) - 1])}"
    if view["step"] == "starter":
        return f"Start with the {in_words(PLAYS[option].card)}"
    if view["step"] == "final":
        return f"Keep the {in_words(PLAYS[option].card)}"
    words = in_words(option)
    return words[0].upper() + words[1:]


def kind_of(view: Mapping[str, Json], move: Move) -> str:
    """Return of what kind the decision for *move* is."""
    if view["step"] != "play":
        return _KINDS[view["step"]]
    if PLAYS[str(move)].slot == NOTEBOOK:
        return "play to the notebook"
    return "play face down" if str(move).endswith(DOWN) else "play face up"


def in_words(name: str) -> str:
    """Return a card, "P4.1", or a move that plays one, "P4.1@M2 down", in words; other text as it is."""
    card, at, place = name.partition("@")
    if card not in CARDS:
        return name
    kind, number, stars = CARDS[card]
    words = f"{_TYPES[kind]} {number}"
    if kind and number == SIX_ZERO:
        words += "/0"
    if stars:
        words += f" with {plural(stars, 'star')}"
    if not at:
        return words
    if place == NOTEBOOK:
        return f"{words} into the notebook"
    slot = place.removesuffix(DOWN)
    return f"{words} on {name_slot(slot)}" + (", face down" if slot != place else "")


def name_slot(slot: str) -> str:
    """Return what people call a slot of a telescope: T1 is "top 1", so that no slot looks like a card."""
    return f"{_ROWS[slot[0]]} {slot[1:]}"


_SHUFFLED: Final = "[reshuffled?; the discards are the new pile]"
PHRASES: Final = {
    "start": "{first:seat} begins[; starters in hand: {hand}]",
    "starters": "Starters: {moves:each}; the others go into the notebooks: {notebooks:each}",
    "deal": "The row is dealt[: {row}][; new in hand: {hand}]",
    "keep": "{seat} keeps the row",
    "wipe": "{seat} discards the row[; the new one is {row}]" + _SHUFFLED,
    "take": "{seat} takes {card} from place {slot}",
    "play": "{seat} plays {move}; the matching card is {card}[ from place {slot}][slot! from the pile]"
    + _SHUFFLED,
    "place": "{seat} places {move}[; the row is {row}]" + _SHUFFLED,
    "final": "Last cards: {moves:each}; thrown away: {thrown:each}; points: {scores:points}",
}


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
