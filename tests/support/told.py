"""States of the built-in games told in names, so that a test can read them and write them by hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from engines.game import Step
from engines.starry_sky import boards, tokens
from engines.starry_sky.state import State as StarrySky
from engines.starry_sky.table import TOKEN_THAT
from engines.stellar import cards
from engines.stellar.moves import MOVES, PLAYS, lay_option
from engines.stellar.state import State as Stellar
from engines.stellar.state import new_state as new_stellar

__all__ = ["Player", "by_name", "told"]


class Field(NamedTuple):
    """What a field of a state says in names, and how it is changed."""

    read: Callable[[Any], Any]
    """Returns the field, in names, of a state."""
    write: Callable[[Any, Any], None]
    """Changes a state so that its field says what is given, in names."""


def in_names(names: Sequence[Any], value: Any) -> Any:
    """Return *value*, a code or lists of codes, with the names of the codes; -1 is None."""
    if isinstance(value, (list, tuple)):
        return tuple([in_names(names, part) for part in value])
    return None if value == -1 else names[value]


def in_codes(names: Sequence[Any], value: Any) -> Any:
    """Return what in_names() says as *value*."""
    if isinstance(value, (list, tuple)):
        return [in_codes(names, part) for part in value]
    return -1 if value is None else names.index(value)


def codes(names: Sequence[Any], field: str, turn: int = 1) -> Field:
    """Return a field that holds codes of *names*; with *turn* -1, in the opposite order."""

    def read(state: Any) -> Any:
        value = getattr(state, field)
        return in_names(names, value if turn == 1 else value[::-1])

    def write(state: Any, value: Any) -> None:
        setattr(state, field, in_codes(names, value if turn == 1 else value[::-1]))

    return Field(read, write)


def plain(field: str) -> Field:
    """Return a field that says what it holds."""
    return Field(lambda state: getattr(state, field), lambda state, value: setattr(state, field, value))


def only_read(read: Callable[[Any], Any]) -> Field:
    """Return a field that no test writes."""

    def write(state: Any, value: Any) -> None:
        raise NotImplementedError

    return Field(read, write)


class Player(NamedTuple):
    """The cards of one seat of Stellar; the telescope is by slot, in the order of play."""

    hand: tuple[str, ...] = ()
    known: tuple[str, ...] = ()
    notebook: tuple[str, ...] = ()
    telescope: dict[str, str] = {}  # noqa: RUF012  # never changed


def _players(state: Stellar) -> tuple[Player, ...]:
    rows = zip(state.hands, state.known, state.notebooks, state.telescopes, strict=True)
    return tuple(
        Player(
            *in_names(cards.NAMES, (hand, known, notebook)),
            {play.slot: play.lies for play in [PLAYS[MOVES[laid]] for laid in telescope]},
        )
        for hand, known, notebook, telescope in rows
    )


def _set_players(state: Stellar, players: Sequence[Player]) -> None:
    empty = new_stellar(0, False, [])
    state.telescopes, state.free, state.reach = empty.telescopes, empty.free, empty.reach
    state.hands, state.known, state.notebooks = (
        [in_codes(cards.NAMES, player[part]) for player in players] for part in range(3)
    )
    for seat, player in enumerate(players):
        for slot, lies in player.telescope.items():
            state.lay(seat, lay_option(slot, lies))


FIELDS: dict[type, dict[str, Field]] = {
    StarrySky: {
        "boards": codes(boards.NAMES, "boards"),
        "scored": codes(boards.NAMES, "scored"),
        "pile": only_read(lambda state: in_names(boards.NAMES, state.pile[state.opened :])),
        "mine": only_read(
            lambda state: [
                {boards.PLACES[star]: tokens.TOKENS[TOKEN_THAT[state.laid[star]]] for star in stars}
                for stars in state.hidden
            ]
        ),
    },
    Stellar: {
        **{field: codes(cards.NAMES, field) for field in ("discards", "orders", "row", "thrown", "waiting")},
        "pile": codes(cards.NAMES, "pile", -1),
        "players": Field(_players, _set_players),
    },
}
"""By the class of states, the fields that hold codes.  All others say what they hold."""


class Told:
    """A state with names in place of codes.  What its last step was is left out."""

    def __init__(self, state: Any) -> None:
        self.state = state

    def __getattr__(self, field: str) -> Any:
        return FIELDS[type(self.state)].get(field, plain(field)).read(self.state)

    def _replace(self, **fields: Any) -> Told:
        """Return another state, in which *fields* say this."""
        other = self.state.copy()
        for field, value in fields.items():
            FIELDS[type(other)].get(field, plain(field)).write(other, value)
        return Told(other)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Told) and self.state == other.state

    def __hash__(self) -> int:
        return hash(self.state)


told = Told


def by_name(game: type[Any]) -> type[Any]:
    """Return the rules of *game*, on states told in names."""

    class ByName(game):  # type: ignore[misc]  # a class that is a value
        def start(self, deal, seats):
            return _told_step(super().start(deal, seats))

        def choices(self, state):
            return super().choices(state.state)

        def play(self, state, moves):
            return _told_step(super().play(state.state, moves))

        def outcome(self, state):
            return super().outcome(state.state)

        def view(self, state, seat):
            return super().view(state.state, seat)

        def imagine(self, view, rng):
            return Told(super().imagine(view, rng))

    return ByName


def _told_step(step: Step[Any]) -> Step[Any]:
    return Step(Told(step.state), step.events)
