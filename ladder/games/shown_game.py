"""A game as people see it.  What it fails to say or to draw is left out of the page, never the page."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final, TypeVar
from xml.etree import ElementTree as ET

from engines import GAMES
from engines.drawing import Picture, draw_text
from engines.game import Game, Json, Move, MovePart
from engines.games import BUILT_IN
from engines.wording import takes
from ladder.errors import short
from ladder.machine.plugged_in import go_on_without

T = TypeVar("T")
D = TypeVar("D")
LONGEST: Final = 100_000
"""The most characters that a game may say at once."""
HEAVIEST: Final = 2_000_000
"""The most characters of a picture."""
MOST_TALLIES: Final = 8
LONGEST_TALLY: Final = 40
"""The most characters of the name of a tally."""
CONTROL: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
"""What no text of a game may hold: control characters except tab and newline, and what is not Unicode."""


class ShownGame:
    """Asks a game for its words and pictures; where it raises an error or returns no such thing, goes on.

    Each method does what that of Game does; it says what it returns otherwise.
    """

    def __init__(self, name: str) -> None:
        """Look the game up.  Raises what GAMES[name] raises."""
        self.name = name
        self._game: Game[Any] = GAMES[name]

    def draw(self, *views: Mapping[str, Json], names: Sequence[str] = ()) -> Picture:
        """Return *views* as a picture, otherwise their text."""

        def draw() -> Picture:
            # a game whose `draw` takes views alone, as all did once, numbers its seats
            named = {"names": names} if takes(type(self._game), "draw", 1, "names") else {}
            return self._check(self._game.draw(*views, **named))

        found = self._try("draw", draw, None)
        return found or draw_text(self.name, [self.text(view) for view in views])

    def text(self, view: Mapping[str, Json], names: Sequence[str] = (), *, ask: bool = True) -> str:
        """Return *view* in words, otherwise field by field."""

        def tell() -> str:
            # a game whose `text` takes no names, as all did once, numbers its seats
            if takes(type(self._game), "text", 1, "names", "ask"):
                return _text(self._game.text(view, names=names, ask=ask))
            return _text(self._game.text(view))

        found = self._try("text", tell, None)
        fields = (f"{name}: {json.dumps(value, default=str)}" for name, value in view.items())
        return short("\n".join(fields), LONGEST) if found is None else found

    def explain(self) -> Callable[[Mapping[str, Json]], Mapping[str, Json]]:
        """Return what explains the events of one match, in order, otherwise what adds nothing to them."""
        explain = self._ask("explainer", lambda found: found, dict[str, Json])
        return lambda event: self._try("explainer", lambda: {**explain(event)}, event)

    def tell(
        self, event: Mapping[str, Json], names: Sequence[str] = (), options: Mapping[str, Json] | None = None
    ) -> str:
        """Return *event* in words, otherwise field by field."""

        def tell() -> str:
            # a game whose `tell` takes an event and names alone, as all did once, tells that
            more = (options,) if takes(type(self._game), "tell", 3) else ()
            return _text(self._game.tell(event, names, *more))

        found = self._try("tell", tell, None)
        return Game.tell(self._game, event, names) if found is None else found

    def parts_of(self, view: Mapping[str, Json], option: str) -> list[MovePart]:
        """Return the parts of the board that together mean *option*, otherwise none."""
        return self._ask("parts_of", lambda found: [*map(_part, found)], [], view, option)

    def candidates(self, view: Mapping[str, Json]) -> list[list[str]]:
        """Return the keys of the things among which a seat chooses, otherwise none."""
        return self._ask("candidates", _keys, [], view)

    def ask(self, view: Mapping[str, Json]) -> str:
        """Return what the seat of *view* is asked to do, otherwise ""."""
        return self._ask("ask", _text, "", view)

    def say(self, view: Mapping[str, Json], options: Sequence[str]) -> list[str]:
        """Return each of *options* in words, otherwise the option itself."""
        return self._each("say", view, options, [*options])

    def costs(self, view: Mapping[str, Json], options: Sequence[str]) -> list[str]:
        """Return what each of *options* costs for good, on one line, otherwise ""."""
        return [" ".join(cost.split()) for cost in self._each("cost", view, options, [""] * len(options))]

    def hand(self, view: Mapping[str, Json], options: Mapping[str, Json]) -> str:
        """Return the `hand` of *view* in the words of the game, if it has any; "" without a hand."""
        cards = [str(card) for card in hand] if isinstance(hand := view.get("hand"), list) else []
        find = getattr(self._game, "words_for", lambda _: str)
        told = self._try("words_for", lambda: [_text(find(options)(card)) for card in cards], cards)
        return ", ".join(told)

    def kind_of(self, view: Mapping[str, Json], move: Move) -> str:
        """Return of what kind a decision is, on one line, otherwise ""."""
        return " ".join(self._ask("kind_of", _text, "", view, move).split())

    def sketches(self, event: Mapping[str, Json], options: Mapping[str, Json]) -> list[Picture]:
        """Return the small pictures of *event*, otherwise none; they have no titles, which are notation."""
        check = partial(self._check, least=1)
        found = self._ask("sketches", lambda found: [*map(check, found)], [], event, options)
        return [each._replace(title="") for each in found]

    def points(self, view: Mapping[str, Json], seats: int) -> tuple[int, ...] | None:
        """Return the points of each of *seats*, otherwise None, as if the game told none."""
        return self._ask("points", partial(_points, seats=seats), None, view)

    def tallies(self, view: Mapping[str, Json], seats: int) -> dict[str, tuple[int, ...]]:
        """Return what people play for, by name the number of each of *seats*, otherwise nothing."""
        return self._ask("tallies", partial(_tallies, seats=seats), {}, view)

    def _method(self, name: str) -> Callable[..., Any]:
        """Return a method of the game, or the default where it fits the old interface without Game."""
        found = getattr(self._game, name, None)
        return found or partial(getattr(Game, name), self._game)

    def _each(
        self, hook: str, view: Mapping[str, Json], options: Sequence[str], otherwise: list[str]
    ) -> list[str]:
        def ask(ask_one: Callable[..., object]) -> list[str]:  # a decision may have hundreds
            return [_text(ask_one(view, option)) for option in options]

        return self._try(hook, lambda: ask(self._method(hook)), otherwise)

    def _ask(self, hook: str, read: Callable[[Any], T], otherwise: D, *values: object) -> T | D:
        return self._try(hook, lambda: read(self._method(hook)(*values)), otherwise)

    def _try(self, hook: str, ask: Callable[[], T], otherwise: D) -> T | D:
        return go_on_without(f"{hook}() of {self.name} is left out", ask, otherwise, self.name)

    def _check(self, found: object, least: int = 0) -> Picture:
        """Return *found*, if it is a picture with parts; at one of another package it looks closer."""
        if not isinstance(found, Picture) or len(found.parts) < least:
            raise TypeError(f"expected a Picture with parts, got: {type(found).__name__}")
        if self.name not in BUILT_IN:
            # of a program that runs here anyway: only its mistakes are looked for
            ET.fromstring(_text(found.svg(found, both=True), HEAVIEST))  # noqa: S314
            texts = (text for each in found.captions for text in each)
            list(map(_text, (found.title, found.description, *dict(found.parts), *texts)))
            if min(found.width, found.height, *(found.wide or ())[:2]) <= 0:
                raise ValueError(f"expected a size, got: {found.width} x {found.height}")
        return found


def _text(found: object, most: int = LONGEST) -> str:
    if not isinstance(found, str):
        raise TypeError(f"expected a text, got: {type(found).__name__}")
    if len(found) > most or CONTROL.search(found):
        raise ValueError(f"expected a text of at most {most:,} characters without control characters")
    return found


def _keys(found: Sequence[Sequence[str]]) -> list[list[str]]:
    if isinstance(found, str) or any(isinstance(keys, str) for keys in found):
        raise TypeError("expected lists of keys, got: a text")
    return [[*map(_text, keys)] for keys in found]


def _part(found: MovePart) -> MovePart:
    return MovePart(_text(found.name), (_text(found.keys[0]), *map(_text, found.keys[1:])))


def _tallies(found: Mapping[str, Sequence[int]], seats: int) -> dict[str, tuple[int, ...]]:
    told = {" ".join(_text(name).split()): _points(counts, seats) or () for name, counts in found.items()}
    if len(found) > MOST_TALLIES or not all(told) or any(len(name) > LONGEST_TALLY for name in told):
        raise ValueError(f"expected at most {MOST_TALLIES} tallies with names of at most {LONGEST_TALLY}")
    return told


def _points(found: Sequence[int] | None, seats: int) -> tuple[int, ...] | None:
    if found is not None and not (len(found) == seats and all(isinstance(each, int) for each in found)):
        raise TypeError(f"expected {seats} numbers, got: {type(found).__name__}")
    return None if found is None else tuple(found)
