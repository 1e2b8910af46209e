"""Views as text for people and language models, in lines of at most 100 columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from textwrap import wrap
from typing import Final

from engines.game import Json, Seat
from engines.page import page, seat_name
from engines.stella.grid import ROUNDS
from engines.stella.scoring import SPARK, SUPER_SPARK

__all__ = ["text"]

_WIDTH: Final = 100
_ROW: Final = 5
_ASKED: Final = {
    "vote": "in secret all vote whether to keep the word",
    "associate": "in secret all cross 1 to 10 cards for the word",
    "show": "seat {scout} shows one of its crosses",
    "over": "the match is over",
}


def text(view: Mapping[str, Json]) -> str:
    """Return *view* as lines of plain text."""
    parts = [_heading(view), _word(view), *_grid(view), _seats(view), _points(view)]
    crosses = view.get("past_crosses", [None] * len(view["rounds"]))
    parts += [
        _past(number, told, own)
        for number, (told, own) in enumerate(zip(view["rounds"], crosses, strict=True), 1)
    ]
    return page(parts)


def _name_seats(seats: Sequence[Seat]) -> str:
    """Return "seat 2", "seats 0 and 2" or "seats 0, 1 and 2"."""
    *most, last = map(str, seats)
    return f"seats {', '.join(most)} and {last}" if most else f"seat {last}"


def _plain(words: str) -> str:
    """Return *words* ready to print: every kind of blank as a space, without invisible characters."""
    return "".join(sign if sign.isprintable() else " " * sign.isspace() for sign in words)


@lru_cache(maxsize=1024)  # the pictures of a match are told in each of its views
def _wrap(words: str, first: str = "", other: str | None = None) -> tuple[str, ...]:
    """Wrap *words*: *first* begins the first line; *other*, or an indent of the same width, the others."""
    indent = " " * len(first) if other is None else other
    return tuple(wrap(_plain(words), _WIDTH, initial_indent=first, subsequent_indent=indent)) or (first,)


def _heading(view: Mapping[str, Json]) -> Iterator[str]:
    asked = _ASKED[view["step"]].format(scout=view["scout"])
    yield f"STELLA, round {view['round']} of {ROUNDS}: {asked}."
    you = f"You are seat {view['seat']}." if "seat" in view else "You are a spectator."
    first = (view["first"] + view["round"] - 1) % view["seats"]
    yield f"{you} {view['seats']} seats. The first scout of this round is seat {first}."
    options = view["options"]
    vote = "Each round begins with a vote on the word." if options["word_vote"] else "No vote on words."
    game = " A first game: discovery words." if options["first_game"] else ""
    deck = f" A deck of its own: {len(options['deck']['cards'])} cards." if "deck" in options else ""
    yield vote + game + deck


def _word(view: Mapping[str, Json]) -> Iterator[str]:
    if view["step"] == "vote":
        keep, flip = view["words"]
        yield from _wrap(keep, "Word         keep  ")
        yield from _wrap(f"{flip}  (only if all say flip)", "             flip  ")
    else:
        side = "  (the one printed upside down: all said flip)" if view["flipped"] else ""
        yield from _wrap(f"{view['word']}{side}", "Word         ")


def _grid(view: Mapping[str, Json]) -> Iterator[Iterator[str]]:
    """Yield the rows of the grid: the cards, your crosses, and the result of each card shown."""
    for row, name in enumerate(("Top row", "Middle row", "Bottom row")):
        yield _row(view, name, view["grid"][_ROW * row : _ROW * (row + 1)])


def _row(view: Mapping[str, Json], name: str, cards: Sequence[Mapping[str, Json]]) -> Iterator[str]:
    yield name
    for card in cards:
        mark = "x" if card["id"] in view.get("crosses", ()) else " "
        yield from _wrap(card["text"], f"{mark} {card['id']:<4} ", " " * 7)
        yield from _wrap(f"({', '.join(card['tags']) or 'no tags'})", " " * 7)
        if "image" in card:
            yield from _wrap(card["image"], " " * 7)
        if card["id"] in view["shown"]:
            yield f"{'':7}{_describe_show(view['shown'][card['id']])}"


def _describe_show(crossed: Sequence[Seat]) -> str:
    """Describe the result of showing a card."""
    if len(crossed) == 1:
        return f"-> shown: seat {crossed[0]} alone had crossed it and fell"
    kind, stars = ("super-spark", SUPER_SPARK) if len(crossed) == 2 else ("spark", SPARK)
    return f"-> shown: {kind} of {_name_seats(crossed)}, {stars} stars for each who had not fallen"


def _seats(view: Mapping[str, Json]) -> Iterator[str]:
    """Yield the counts, lanterns, stars and falls of this round."""
    if not view["counts"]:
        yield "Nobody has crossed a card in this round."
    else:
        yield from _counts(view)
    if view.get("crosses"):
        yield from _wrap(" ".join(view["crosses"]), "Your crosses (x): ")


def _counts(view: Mapping[str, Json]) -> Iterator[str]:
    yield _columns("This round", ["crosses", "to show", "sparks", "stars"])
    for seat, count in enumerate(view["counts"]):
        left = count - sum(seat in crossed for crossed in view["shown"].values())
        lantern = "in the dark" if seat == view["dark"] else ""
        fallen = "fallen" if seat in view["fallen"] else ""
        scout = "scout" if seat == view["scout"] else ""
        facts = ", ".join(filter(None, [lantern, fallen, scout]))
        numbers = _columns(seat_name(view, seat), [count, left, view["sparks"][seat], view["stars"][seat]])
        yield f"{numbers}   {facts}"
    if view["dark"] is None:
        yield "Nobody is alone in the lead, so nobody is in the dark."


def _points(view: Mapping[str, Json]) -> Iterator[str]:
    """Yield the points of all finished rounds."""
    rounds = view["rounds"]
    yield _columns("Points", [*(f"round {number}" for number in range(1, len(rounds) + 1)), "total"])
    for seat, total in enumerate(view["scores"]):
        yield _columns(seat_name(view, seat), [*(told["scores"][seat] for told in rounds), total])


def _columns(label: str, values: Iterable[Json]) -> str:
    return f"{label:<14}" + "".join(f"{value:>9}" for value in values)


def _past(number: int, told: Mapping[str, Json], own: Sequence[str] | None) -> Iterator[str]:
    """Yield the facts about a finished round."""
    side = " (upside down)" if told["flipped"] else ""
    dark = "nobody" if told["dark"] is None else f"seat {told['dark']}"
    fallen = _name_seats(told["fallen"]) if told["fallen"] else "nobody"
    yield from _wrap(f"{told['word']}{side}", f"Round {number}      ")
    counts, stars = (" ".join(map(str, told[key])) for key in ("counts", "stars"))
    yield f"  crosses    {counts}; in the dark: {dark}; fell: {fallen}; stars {stars}"
    shown = [f"{card}({','.join(map(str, crossed))})" for card, crossed in told["shown"].items()]
    yield from _wrap(" ".join(shown), "  shown      ")
    if own is not None:
        yield from _wrap(" ".join(own), "  you        ")
    yield from _wrap(" ".join(told["cards"]), "  the grid   ")
