"""Moves as numbered actions: what every environment of ladder.learn has in common.

An action is a place in the vocabulary of the game.  Where a move is some of several options, they are marked
one by one in their order, and the last action, `done`, ends the move: each move has just one path.
"""

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from operator import index
from random import Random
from typing import Any, Final

from engines import GAMES, Game, IllegalMove, Json
from engines.columns import no_numbers, no_vocabulary
from engines.judge import beaten_by
from engines.many import flags_of
from engines.position import Position, read_view

RENDER_MODES: Final = ("ansi", "svg")


def whole(value: Any, what: str) -> int:
    """Return *value* as an integer.  Raises TypeError for another value; *what* says what was expected."""
    try:
        return index(value)
    except TypeError:
        raise TypeError(f"expected {what} as an integer, got: {value!r}") from None


def seeded(seed: Any) -> Random:
    """Return a generator with this *seed*, or one by chance for None.  Raises TypeError as `whole`."""
    return Random(None if seed is None else whole(seed, "a seed"))


def deal_in(options: Any) -> Any:
    """Return the deal in the *options* of a reset, or None.  Raises TypeError for another value."""
    if not isinstance(options or {}, Mapping):
        raise TypeError(f"expected options as a dictionary, got: {options!r}")
    return (options or {}).get("deal")


class ActionTable:
    """A table of a game, its actions and the columns of its numbers.

    Rule *options* that are left out have their first value.  An illegal action loses the match, or raises
    ValueError if *strict*.  A *render_mode* is `ansi`, the text of a view, or `svg`, its picture.  Raises
    ValueError for a game, a table size, an option or a mode that there is not, and NotImplementedError, with
    what to write, for a game without words or numbers.
    """

    def __init__(
        self,
        game: str | Game[Any],
        seats: int | None = None,
        options: Mapping[str, Json] | None = None,
        *,
        strict: bool = False,
        render_mode: str | None = None,
    ) -> None:
        if render_mode not in (None, *RENDER_MODES):
            raise ValueError(f"expected a render_mode of {', '.join(RENDER_MODES)}, got: {render_mode!r}")
        self.strict, self.render_mode = strict, render_mode
        if isinstance(game, str) or not hasattr(game, "name"):
            if game not in [*GAMES]:
                raise ValueError(f"expected one of the games {', '.join(GAMES)}, got: {game!r}")
            game = GAMES[str(game)]
        for method, error in (("vocabulary", no_vocabulary), ("columns", no_numbers)):
            if not hasattr(game, method):  # it fits the interface without having it from Game
                raise error(game.name)
        self.game, self.seats = game, game.seats[0] if seats is None else seats
        self.options: dict[str, Json] = game.deal(self.seats, Random(0), options or {}).get("options", {})
        self.columns = game.columns(self.seats, self.options)
        vocabulary = tuple(game.vocabulary(self.seats, self.options))
        self.places = {word: place for place, word in enumerate(vocabulary)}
        self.several = not getattr(game, "options_are_places", False)
        """Whether a move may be of several options; actions are then found by their words."""
        self.words = (*vocabulary, "done") if self.several else vocabulary
        """The words of all actions."""
        self.size = len(self.columns) + self.several * len(vocabulary)
        """How many numbers ActionMatch.see writes."""

    def begin(self, rng: Random, deal: Mapping[str, Json] | None = None) -> "ActionMatch":
        """Return the match of a *deal*, or a random one.

        Raises ValueError for a deal that cannot be or has other options.
        """
        if deal is None:
            deal = self.game.deal(self.seats, rng, self.options)
        elif not isinstance(deal, Mapping):
            raise ValueError(f"expected a deal as a dictionary, got: {type(deal).__name__}")
        first = {name: values[0] for name, values in self.game.options.items()}
        if (options := {**first, **deal.get("options", {})}) != self.options:
            raise ValueError(f"expected a deal with the options {self.options}, got: {options}")
        return ActionMatch(self, self.game.begin(deal, self.seats), deal)


class ActionMatch:
    """A match that is played by actions; *marked* are places of options that the seat to move has marked."""

    def __init__(
        self, table: ActionTable, position: Position, deal: Mapping[str, Json], marked: Sequence[int] = ()
    ) -> None:
        self.table, self.position, self.deal, self.marked = table, position, deal, [*marked]

    def __deepcopy__(self, memo: object) -> "ActionMatch":
        """Return a copy, to be played on by itself, of the same table."""
        return ActionMatch(self.table, self.position.copy(), self.deal, self.marked)

    def _ask(self) -> tuple[list[int], int, int]:
        """Return the places of what is offered, and how many may be marked: for a choice of one 0 and 0."""
        words, low, high = _read_choice(self.position.write_choice(self.position.seat))
        return [self.table.places[word] for word in words], low, high

    def legal(self) -> Sequence[int]:
        """Return the actions of the seat that is next, in the order of its choice.  None at the end."""
        if not self.table.several or self.position.over:
            return self.position.options()
        (offered, low, high), marked = self._ask(), len(self.marked)
        if not high:
            return offered
        # those after the last one marked, as long as enough are left behind them
        after = 1 + offered.index(self.marked[-1]) if marked else 0
        more = offered[after : len(offered) - max(0, low - marked - 1)]
        return [*more, len(self.table.places)] if marked >= low else more

    def mask(self) -> bytearray:
        """Return a byte for each action, 1 for those that are legal."""
        return flags_of(self.legal(), len(self.table.words))

    def play(self, action: int) -> None:
        """Play *action*, one of legal().  Nothing checks it."""
        position, words = self.position, self.table.words
        if self.table.several:
            move: Json = words[action]
            if high := self._ask()[2]:
                if action < len(self.table.places):
                    self.marked.append(action)
                    if len(self.marked) < high:
                        return
                move, self.marked = [words[place] for place in self.marked], []
            action = position.option_of(position.seat, move)
        position.play(action)

    def refuse(self, action: Any) -> str:
        """Return why *action* is illegal, or "" if it is not.  Raises ValueError for one if *strict*.

        Raises TypeError for what is no whole number.
        """
        position, words = self.position, self.table.words
        place = whole(action, "an action")
        if not 0 <= place < len(words):
            reason = f"expected an action from 0 to {len(words) - 1}, got: {place}"
        elif place in self.legal() if self.table.several else position.allows(position.seat, place):
            return ""
        else:
            reason = f"{words[place]}: expected one of the actions that the mask allows"
            if not self.marked:
                try:
                    position.option_of(position.seat, words[place])
                except IllegalMove as error:
                    reason = str(error)
        if self.table.strict:
            raise ValueError(reason)
        return reason

    def rewards(self, loser: int | None = None) -> list[float]:
        """Return the result of each seat: the mean of 1 for another that it beat, 0 for a tie and -1.

        With a *loser* that seat is last, and the others stay as their points are now.
        """
        if loser is None:
            return [2 * share - 1 for share in beaten_by(self.position.outcome().ranks)]
        points = [*(self.position.points() or [0] * self.table.seats)]
        points[loser] = min(points) - 1
        return [2 * share - 1 for share in beaten_by([-each for each in points])]

    def see(self, seat: int, row: Any) -> None:
        """Write the numbers of a seat's view into *row*; if a move may be of several, flags of its marks."""
        width = len(self.table.columns)
        self.position.numbers(seat, row[:width])
        row[width:] = 0
        if seat == self.position.seat:
            for place in self.marked:
                row[width + place] = 1

    def render(self, seat: int) -> str | None:
        """Return what *seat* sees, in the render mode of the table; None without one."""
        view, game, mode = read_view(self.position, seat), self.table.game, self.table.render_mode
        return game.text(view) if mode == "ansi" else game.draw(view).svg(alone=True) if mode else None


@lru_cache(maxsize=1024)  # many decisions have the same choice
def _read_choice(choice: bytes) -> tuple[list[str], int, int]:
    read = json.loads(choice)
    return read["options"], read.get("low", 0), read.get("high", 0)
