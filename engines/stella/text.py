"""Views as text for people and language models, in lines of at most 100 columns."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from textwrap import wrap
from typing import Final

from engines.game import Choice, Json, OneOf, Seat, Some
from engines.page import answer_line, fill_lines, group_options, page, tell_news
from engines.remember import remember
from engines.stella.grid import ROUNDS
from engines.stella.moves import FEWEST, MOST, SHOW_WORD, VOTE_CHOICE
from engines.stella.scenes import name_picture, picture_names

_PROMPTS: Final = {
    "vote": "Keep the word, or turn the card",
    "associate": f"Cross {FEWEST} to {MOST} pictures that go with the word",
    "show": "Show a picture that you have crossed",
}


def ask(view: Mapping[str, Json]) -> str:
    """Return what the seat of *view* is asked to do."""
    word = f" {view['word']}" if view["step"] == "associate" else ""
    return _PROMPTS.get(view["step"], "") + word


def say(view: Mapping[str, Json], option: str) -> str:
    """Return *option* in words: a picture by its name, or its sentence if it has none."""
    if view["step"] == "vote":
        keep, flip = view["words"]
        return f"Keep {keep}" if option == "keep" else f"Turn to {flip}"
    name = option.removeprefix(SHOW_WORD)
    return next((name_picture(name, each["text"]) for each in view["grid"] if each["id"] == name), option)


def in_words(name: str) -> str:
    """Return *name* unchanged: pictures of a custom deck have no other name."""
    return name


def name_ours(name: str) -> str:
    """Return the name of a picture of our deck, `c01`, for people; other text as it is."""
    return picture_names().get(name, name)


PHRASES: Final = {
    "start": "{seats} seats; {first:seat} is the first scout",
    "round": "Round {round} begins with {places:count} new pictures"
    "[; the word is {word}][; the words are {words}]",
    "vote": "The word is {word}",
    "announce": "All have crossed[: {counts:each}][; {dark:seat} is in the dark][; {scout:seat} shows first]"
    "[; crossed: {crosses}]",
    "show": "{seat} shows {card}[; crossed by {crossed:those}][; {scout:seat} is the next scout]",
    "fall": "{seat} falls",
    "score": "Round {round} is over[; stars: {stars:each}][; points of the round: {scores:each}]",
}


_WIDTH: Final = 100
_ROWS: Final = {"Top": slice(5), "Middle": slice(5, 10), "Bottom": slice(10, 15)}
_REPLACED: Final = tuple(reversed(_ROWS.values()))
"""The places of the grid that get new pictures after the first round, the second and the third."""
_KNOWN: Final = ("counts", "crossed", "crosses", "dark", "scores", "scout", "stars", "vote", "word", "words")
"""The fields of events that a view tells, too, and the kind that it tells as a whole."""
_SEATS: Final = ("counts", "dark", "fallen", "scores", "seats", "shown", "sparks", "stars")
"""The fields that are told by seat."""
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
    choice = _choice(view)
    brief = choice is not None and view["step"] != "associate"
    news = tell_news(events, PHRASES, _KNOWN)
    grid, past = _grid(view, brief), _past_words(view) if brief else _past(view, choice is None)
    seats = _by_seat({field: view[field] for field in _SEATS})
    return page([_heading(view), news, _word(view), grid, seats, past, _answer(view, choice)])


def _choice(view: Mapping[str, Json]) -> Choice | None:
    """Return what the seat of *view* is asked, if it is: as the rules have it, from the view alone."""
    if "seat" not in view or view["step"] == "over":
        return None
    if view["step"] == "vote":
        return VOTE_CHOICE
    if view["step"] == "associate":
        return Some(tuple([card["id"] for card in view["grid"]]), FEWEST, MOST)
    if view["seat"] != view["scout"]:
        return None
    return OneOf(tuple([SHOW_WORD + card for card in view["crosses"] if card not in view["shown"]]))


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
        side = " (the other word of the card: all said flip)" if view["flipped"] else ""
        yield from _wrap(f"{view['word']}{side}", "Word: ")


def _grid(view: Mapping[str, Json], brief: bool) -> Sequence[str]:
    """Return the rows of the grid: the cards, your crosses, and the result of each card shown."""
    grid, crosses, shown = view["grid"], view.get("crosses", ()), view["shown"]
    told: list[str] = []
    for row, places in _ROWS.items():
        told.append(f"{row} row:")
        for card in grid[places]:
            key, tags = card["id"], tuple(card["tags"])
            told += _card(key, card["text"], tags, card.get("image"), key in crosses, key in shown, brief)
    return [*told, "x marks your crosses."] if crosses else told


@lru_cache(maxsize=4096)
def _card(
    key: str, sentence: str, tags: tuple[str, ...], image: str | None, crossed: bool, shown: bool, brief: bool
) -> Sequence[str]:
    told = ["shown" if brief else "(shown)"] if shown else []
    if not (brief and shown):
        told.append(sentence)
    if tags and not brief:
        told.append(f"({(', ' if any(' ' in tag for tag in tags) else ' ').join(tags)})")
    if image is not None:
        told.append(image)
    return _wrap(" ".join(told), f"{'x ' if crossed else ''}{key} ")


@remember
def _by_seat(view: Mapping[str, Json]) -> Sequence[str]:
    """Return the counts, stars and falls of this round, and the points of those that are finished."""
    told = [*fill_lines("Points of the rounds before, by seat:", map(str, view["scores"]))]
    if not view["counts"]:
        return told
    shown = view["shown"].values()
    left = [count - sum(seat in seats for seats in shown) for seat, count in enumerate(view["counts"])]
    lists = {"crosses": view["counts"], "to show": left, "stars": view["stars"], "sparks": view["sparks"]}
    by_seat = [f"{name} {' '.join(map(str, numbers))}" for name, numbers in lists.items()]
    told += fill_lines("This round, by seat:", by_seat, ";")
    dark = "nobody" if view["dark"] is None else f"seat {view['dark']}"
    fallen = _name_seats(view["fallen"]) if view["fallen"] else "nobody"
    told.append(f"In the dark: {dark}. Fallen: {fallen}.")
    if view["shown"]:
        groups = _group_shown(view["seats"], view["shown"])
        told += fill_lines("Shown, and crossed by seat", groups.split(" "))
    return told


def _past_words(view: Mapping[str, Json]) -> Iterator[str]:
    """Yield the words of all finished rounds."""
    if words := ", ".join(told["word"] for told in view["rounds"]):
        yield from _wrap(words, "Words of the rounds before: ")


def _past(view: Mapping[str, Json], whole: bool) -> Iterator[str]:
    """Yield the facts about all finished rounds, *whole* with the pictures that left; numbers are by seat."""
    crosses = view.get("past_crosses", [None] * len(view["rounds"]))
    for number, (told, own) in enumerate(zip(view["rounds"], crosses, strict=True), 1):
        hidden = [card for card in own or () if card not in told["shown"]]
        yield from _past_round(number, told, view["seats"], hidden, whole and number < ROUNDS)


@remember
def _past_round(
    number: int, told: Mapping[str, Json], seats: int, hidden: Sequence[str], whole: bool
) -> Sequence[str]:
    """Return the facts about a finished round; *hidden* are the own crosses that were not shown."""
    side = " (all said flip)" if told["flipped"] else ""
    lines = [*_wrap(f"{told['word']}{side}", f"Round {number}: ")]
    facts = [f"crosses {_numbers(told['counts'])}"]
    facts += [] if told["dark"] is None else [f"in the dark seat {told['dark']}"]
    facts += [f"fell {_name_seats(told['fallen'])}"] if told["fallen"] else []
    facts.append(f"stars {_numbers(told['stars'])}")
    # points differ from stars only by the dark or a fall, so they are told only then
    lost = [f"points of seat {seat} {points}" for seat, points in enumerate(told["scores"])]
    facts += [
        each for each, *both in zip(lost, told["stars"], told["scores"], strict=True) if len({*both}) > 1
    ]
    lines += fill_lines(" ", facts, ";")
    lines += fill_lines("  Shown, and crossed by seat", _group_shown(seats, told["shown"]).split(" "))
    if hidden:
        lines += fill_lines("  Crossed by you and not shown:", hidden)
    if whole:
        lines += fill_lines("  Then these left the table:", told["cards"][_REPLACED[number - 1]])
    return lines


def _numbers(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))


def _group_shown(table: int, shown: Mapping[str, Sequence[Seat]]) -> str:
    """Return the cards that were shown, those that the same seats had crossed together."""
    groups: dict[str, list[str]] = {}
    for card, crossed in shown.items():
        others = [seat for seat in range(table) if seat not in crossed]
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
