"""States of the built-in games told in names, so that a test can read them and write them by hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from engines.game import Step
from engines.starry_sky import boards, tokens
from engines.starry_sky.state import State as StarrySky
from engines.starry_sky.table import TOKEN_THAT
from engines.stella.cards import Luck
from engines.stella.grid import BIT_OF, SEATS_IN
from engines.stella.state import State as Stella
from engines.stella.table import SEAT_BITS, Past
from engines.stella.view import IN_SEATS, crosses_names
from engines.stella_quest import cards as quest_cards
from engines.stella_quest.periods import Period
from engines.stella_quest.players import NOBODY, PLAYERS
from engines.stella_quest.state import State as StellaQuest
from engines.stella_quest.turns import ENDS
from engines.stellar import cards
from engines.stellar.moves import MOVES, PLAYS, lay_option
from engines.stellar.state import State as Stellar
from engines.stellar.state import new_state as new_stellar


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


def put(values: Sequence[Any], seat: int, value: Any) -> list[Any]:
    """Return *values* of all seats with another *value* for *seat*."""
    return [*values[:seat], value, *values[seat + 1 :]]


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


def _read_crosses(played: Stella | Past) -> tuple[tuple[str, ...], ...]:
    return tuple([tuple(crosses_names(played.grid, places)) for places in played.crosses])


def _write_crosses(state: Stella, crosses: Sequence[Sequence[str]]) -> None:
    places = {card: place for place, card in enumerate(state.grid.names)}
    state.make_crosses([sum([BIT_OF[places[card]] for card in of_seat]) for of_seat in crosses])


def _read_shown(played: Stella | Past) -> dict[str, tuple[int, ...]]:
    names = played.grid.names
    return {names[card >> SEAT_BITS]: tuple(SEATS_IN[card & IN_SEATS]) for card in played.shown}


def _write_words(state: Stella, words: Any) -> None:
    luck = state.luck  # states share it
    state.luck = Luck(luck.seats, luck.first, luck.word_vote, luck.first_game, luck.cards, luck.order, words)


def _read_past(state: StellaQuest) -> list[Period]:
    return [
        period._replace(
            received=in_names(quest_cards.NAMES, period.received),
            played=in_names(quest_cards.NAMES, period.played),
            dummy=in_names(quest_cards.NAMES, period.dummy),
        )
        for period in state.past
    ]


def _read_ending(state: StellaQuest) -> tuple[str, int | None] | None:
    """Return why a match is over, and the seat that ended it; None if it is not over."""
    ended_by = None if state.ended_by == NOBODY else state.ended_by
    return (ENDS[state.ending], ended_by) if state.over else None


_ROUND = {
    "cards": only_read(lambda played: tuple(played.grid.names)),
    "crosses": Field(_read_crosses, _write_crosses),
    "shown": only_read(_read_shown),
}
"""Of a round of Stella: the cards of the grid, the crosses of each seat, and who had crossed a card shown."""
FIELDS: dict[type, dict[str, Field]] = {
    Past: _ROUND,
    Stella: {
        **_ROUND,
        "order": only_read(lambda state: in_names(state.luck.cards.names, state.luck.order)),
        "past": only_read(lambda state: [Told(past) for past in state.past]),
        "words": Field(lambda state: state.luck.words, _write_words),
    },
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
    StellaQuest: {
        **{
            field: codes(quest_cards.NAMES, field)
            for field in ("collections", "hands", "orders", "table", "top")
        },
        **{field: codes(PLAYERS, field) for field in ("by", "marker")},
        "pile": codes(quest_cards.NAMES, "pile", -1),
        "discards": Field(
            lambda state: in_names(quest_cards.NAMES, sorted(state.discards)),
            codes(quest_cards.NAMES, "discards").write,
        ),
        "received": Field(
            lambda state: in_names(quest_cards.NAMES, state.period().received),
            codes(quest_cards.NAMES, "received").write,
        ),
        "played": only_read(lambda state: in_names(quest_cards.NAMES, state.period().played)),
        "dummy": only_read(lambda state: in_names(quest_cards.NAMES, state.period().dummy)),
        "past": only_read(_read_past),
        "ending": only_read(_read_ending),
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
