"""A match as a value, and as a position that is searched, played on in place and written as JSON."""

from typing import Any, final

from engines.game import Json, Move, Seat
from engines.stella import events, legality, numbers, view
from engines.stella.cards import Grid, Luck, cards_of
from engines.stella.grid import places_in
from engines.stella.moves import CROSSES, KEEP, VOTE_MOVES
from engines.stella.table import past_of_key
from engines.stella.turns import NOT_REMEMBERED, Turns


@final
class State(Turns):
    """A match."""

    __slots__ = ()

    def copy(self) -> "State":
        other = State()
        other.copy_table(self)
        other.stage = self.stage
        other.seat = self.seat
        other.chosen = self.chosen.copy()
        other.last_stage = NOT_REMEMBERED
        other.last_seat = 0
        return other

    def move_of(self, option: int) -> Move:
        if option < KEEP:
            return self.luck.cards.shows[self.grid.cards[option]]
        if option < CROSSES:
            return VOTE_MOVES[option - KEEP]
        names = self.grid.names
        return tuple([names[place] for place in places_in(option - CROSSES)])

    def find_option(self, move: Json) -> int:
        return legality.find_option(self, move)

    def reason(self, seat: Seat, move: Json) -> str:
        return legality.reason(self, seat, move)

    def write_choice(self, seat: Seat) -> bytes:
        return view.choice_bytes(self, seat)

    def write_view(self, seat: Seat | None) -> bytes:
        return view.view_bytes(self, seat)

    def write_events(self, seat: Seat | None) -> list[bytes]:
        return events.event_bytes(self, seat)

    def numbers(self, seat: Seat, buffer: Any) -> None:
        numbers.write_numbers(self, seat, buffer)

    def table_size(self) -> int:
        return self.luck.seats

    @property
    def round(self) -> int:
        return self.number

    def points(self) -> list[int]:
        return self.scores.copy()  # of the finished rounds (SD25)

    def key(self) -> tuple[Any, ...]:
        luck = self.luck
        return (
            (
                luck.seats,
                luck.first,
                luck.word_vote,
                luck.first_game,
                luck.cards.deck,
                tuple(luck.order),
                luck.words,
            ),
            (self.stage, self.seat, self.number),
            (
                tuple(self.grid.cards),
                self.flipped,
                tuple(self.crosses),
                tuple(self.shown),
                self.fallen,
                tuple(self.stars),
                tuple(self.sparks),
            ),
            tuple(self.scores),
            tuple([past.key() for past in self.past]),
            tuple(self.chosen),
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return False
        # decks with the same pictures in another order are equal, but their codes mean other pictures
        return self.luck.cards.names == other.luck.cards.names and self.key() == other.key()

    def __hash__(self) -> int:
        return hash(self.key())

    def __reduce__(self) -> tuple[Any, ...]:
        return _from_key, self.key()


def _from_key(
    luck: tuple[Any, ...], asked: tuple[int, int, int], round_: tuple[Any, ...], *more: tuple[Any, ...]
) -> State:
    """Return the state of a key."""
    seats, first, word_vote, first_game, deck, order, words = luck
    scores, past, chosen = more
    cards = cards_of(deck)
    state = new_state(Luck(seats, first, word_vote, first_game, cards, [*order], words))
    state.stage, state.seat, state.number = asked
    grid, flipped, crosses, shown, fallen, stars, sparks = round_
    state.restore_round(Grid([*grid], cards), flipped, [*crosses], [*shown], fallen, [*stars], [*sparks])
    state.scores, state.past, state.chosen = [*scores], [past_of_key(key, cards) for key in past], [*chosen]
    return state


def new_state(luck: Luck) -> State:
    """Return a state without a round: begin one, or restore one and tell its number and the decision."""
    state = State()
    state.luck = luck
    state.scores = [0] * luck.seats
    state.past, state.chosen = [], []
    state.last_stage = NOT_REMEMBERED
    state.last_seat = 0
    return state
