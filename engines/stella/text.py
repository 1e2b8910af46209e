"""Views as text for people and language models, in lines of at most 100 columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from random import Random
from textwrap import wrap
from typing import Final

from engines.game import Choice, Json, Seat
from engines.page import answer_line, fill_lines, group_options, page, tell_news
from engines.stella.grid import ROUNDS
from engines.stella.imagination import imagine
from engines.stella.news import PHRASES

__all__ = ["text"]

_WIDTH: Final = 100
_ROWS: Final = {"Top": slice(5), "Middle": slice(5, 10), "Bottom": slice(10, 15)}
_REPLACED: Final = tuple(reversed(_ROWS.values()))
"""The places of the grid that get new pictures after the first round, the second and the third."""
_KNOWN: Final = ("counts", "crossed", "crosses", "dark", "scores", "scout", "stars", "vote", "word", "words")
"""The fields of events that a view tells, too, and the kind that it tells as a whole."""
_ASKED: Final = {
    "vote": "in secret all vote whether to keep the word",
    "associate": "in secret all cross 1 to 10 cards for the word",
    "show": "seat {scout} shows one of its crosses",
    "over": "the match is over",
}


def text(view: Mapping[str, Json], events: Sequence[Mapping[str, Json]] = ()) -> str:
    """Return *view* as lines of plain text, and *events*, which happened since the seat's last decision.

    A seat that must vote or show reads no tags, of past rounds only the words and all points together, and
    when it must show, nothing of pictures that were shown: it has read all of it where it made its crosses.
    """
    choice = imagine(view, Random(0)).asked.get(view["seat"]) if "seat" in view else None
    brief = choice is not None and view["step"] != "associate"
    news = tell_news(events, PHRASES, _KNOWN)
    grid, past = _grid(view, brief), _past_words(view) if brief else _past(view, choice is None)
    return page([_heading(view), news, _word(view), grid, _seats(view), past, _answer(view, choice)])


def _name_seats(seats: Sequence[Seat]) -> str:
    """Return "seat 2", "seats 0 and 2" or "seats 0, 1 and 2"."""
    *most, last = map(str, seats)
    return f"seats {', '.join(most)} and {last}" if most else f"seat {last}"


def _plain(words: str) -> str:
    """Return *words* ready to print: every kind of blank as a space, without invisible characters."""
    return "".join(sign if sign.isprintable() else " " * sign.isspace() for sign in words)


@lru_cache(maxsize=1024)  # the pictures of a match are told in each of its views
def _wrap(words: str, first: str = "") -> tuple[str, ...]:
    """Wrap *words*: *first* begins the first line, two spaces the others."""
    return tuple(wrap(_plain(words), _WIDTH, initial_indent=first, subsequent_indent="  ")) or (first,)


def _heading(view: Mapping[str, Json]) -> Iterator[str]:
    asked = _ASKED[view["step"]].format(scout=view["scout"])
    yield f"STELLA, round {view['round']} of {ROUNDS}: {asked}."
    you = f"You are seat {view['seat']} of" if "seat" in view else "You are a spectator of"
    first = (view["first"] + view["round"] - 1) % view["seats"]
    yield f"{you} {view['seats']} seats. The first scout of this round is seat {first}."
    options = view["options"]
    told = [] if options["word_vote"] else ["No vote on words."]
    told += ["A first game: discovery words."] if options["first_game"] else []
    told += [f"A deck of its own: {len(options['deck']['cards'])} cards."] if "deck" in options else []
    if told:
        yield " ".join(told)


def _word(view: Mapping[str, Json]) -> Iterator[str]:
    if view["step"] == "vote":
        keep, flip = view["words"]
        yield from _wrap(keep, "Word to keep: ")
        yield from _wrap(f"{flip} (only if all say flip)", "Word to flip to: ")
    else:
        side = " (the one printed upside down: all said flip)" if view["flipped"] else ""
        yield from _wrap(f"{view['word']}{side}", "Word: ")


def _grid(view: Mapping[str, Json], brief: bool) -> Iterator[str]:
    """Yield the rows of the grid: the cards, your crosses, and the result of each card shown."""
    for row, places in _ROWS.items():
        yield f"{row} row:"
        for card in view["grid"][places]:
            yield from _card(view, card, brief)
    if view.get("crosses"):
        yield "x marks your crosses."


def _card(view: Mapping[str, Json], card: Mapping[str, Json], brief: bool) -> Iterator[str]:
    cross = "x " if card["id"] in view.get("crosses", ()) else ""
    shown = card["id"] in view["shown"]
    told = ["shown" if brief else "(shown)"] if shown else []
    if not (brief and shown):
        told.append(card["text"])
    if not brief:
        told += [_name_tags(card["tags"])] if card["tags"] else []
    if "image" in card:
        told.append(card["image"])
    yield from _wrap(" ".join(told), f"{cross}{card['id']} ")


def _name_tags(tags: Sequence[str]) -> str:
    return f"({(', ' if any(' ' in tag for tag in tags) else ' ').join(tags)})"


def _seats(view: Mapping[str, Json]) -> Iterator[str]:
    """Yield the counts, stars and falls of this round, and the points of those that are finished."""
    yield from fill_lines("Points of the rounds before, by seat:", map(str, view["scores"]))
    if not view["counts"]:
        return
    shown = view["shown"].values()
    left = [count - sum(seat in seats for seats in shown) for seat, count in enumerate(view["counts"])]
    lists = {"crosses": view["counts"], "to show": left, "stars": view["stars"], "sparks": view["sparks"]}
    told = [f"{name} {' '.join(map(str, numbers))}" for name, numbers in lists.items()]
    yield from fill_lines("This round, by seat:", told, ";")
    dark = "nobody" if view["dark"] is None else f"seat {view['dark']}"
    fallen = _name_seats(view["fallen"]) if view["fallen"] else "nobody"
    yield f"In the dark: {dark}. Fallen: {fallen}."
    if view["shown"]:
        yield from fill_lines("Shown, and crossed by seat", _group_shown(view, view["shown"]).split(" "))


def _past_words(view: Mapping[str, Json]) -> Iterator[str]:
    """Yield the words of all finished rounds."""
    if words := ", ".join(told["word"] for told in view["rounds"]):
        yield from _wrap(words, "Words of the rounds before: ")


def _past(view: Mapping[str, Json], whole: bool) -> Iterator[str]:
    """Yield the facts about all finished rounds, *whole* with the pictures that left; numbers are by seat."""
    crosses = view.get("past_crosses", [None] * len(view["rounds"]))
    for number, (told, own) in enumerate(zip(view["rounds"], crosses, strict=True), 1):
        side = " (upside down)" if told["flipped"] else ""
        yield from _wrap(f"{told['word']}{side}", f"Round {number}: ")
        facts = [f"crosses {_numbers(told['counts'])}"]
        facts += [] if told["dark"] is None else [f"in the dark seat {told['dark']}"]
        facts += [f"fell {_name_seats(told['fallen'])}"] if told["fallen"] else []
        facts.append(f"stars {_numbers(told['stars'])}")
        lost = [f"points of seat {seat} {points}" for seat, points in enumerate(told["scores"])]
        facts += [
            each for each, *both in zip(lost, told["stars"], told["scores"], strict=True) if len({*both}) > 1
        ]
        yield from fill_lines(" ", facts, ";")
        yield from fill_lines("  Shown, and crossed by seat", _group_shown(view, told["shown"]).split(" "))
        if hidden := [card for card in own or () if card not in told["shown"]]:
            yield from fill_lines("  Crossed by you and not shown:", hidden)
        if whole and number < ROUNDS:
            yield from fill_lines("  Then these left the table:", told["cards"][_REPLACED[number - 1]])


def _numbers(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))


def _group_shown(view: Mapping[str, Json], shown: Mapping[str, Sequence[Seat]]) -> str:
    """Return the cards that were shown, those that the same seats had crossed together."""
    groups: dict[str, list[str]] = {}
    for card, crossed in shown.items():
        others = [seat for seat in range(view["seats"]) if seat not in crossed]
        seats = _numbers(crossed) if len(crossed) <= len(others) else f"all but {_numbers(others)}"
        groups.setdefault(seats if others else "all", []).append(card)
    return "; ".join(f"{seats}: {' '.join(cards)}" for seats, cards in groups.items())


def _answer(view: Mapping[str, Json], choice: Choice | None) -> Iterator[str]:
    """Yield what the seat may do, and how to say it, if it is asked."""
    if choice is None:
        return
    if view["step"] != "associate":
        yield from fill_lines("You may", group_options(choice.options).split(" "))
    yield answer_line(choice)
