"""A game of one step, after which all cards are open: the tests of all games must pass with it."""

from collections.abc import Mapping
from random import Random
from typing import Any, ClassVar, NamedTuple

from engines import Choice, Event, Game, Move, OneOf, Outcome, Seat, Step
from engines.deals import check_keys, check_order, check_seats, complete_options
from engines.game import shuffled
from engines.moves import check_moves, check_over
from engines.page import page

CARDS = tuple(f"card {points}" for points in range(1, 7))


class State(NamedTuple):
    cards: tuple[str, ...]
    """Two for each seat, then the two that lie aside."""
    shown: tuple[str, ...] = ()

    @property
    def asked(self) -> dict[Seat, Choice]:
        return {} if self.shown else {seat: OneOf(self.cards[2 * seat : 2 * seat + 2]) for seat in range(2)}


class Showdown(Game[State]):
    name: ClassVar[str] = "showdown"
    version: ClassVar[int] = 1
    seats: ClassVar[range] = range(2, 3)
    options: ClassVar[Mapping[str, tuple[Any, ...]]] = {}
    summary: ClassVar[str] = """SHOWDOWN, for 2 seats.
Each seat holds two cards of 1 to 6, which the other does not see.
Both show one of them at once, "card 4"; the higher one wins.
Then all six cards are turned up."""

    def deal(self, seats: int, rng: Random, options: Mapping[str, Any] | None = None) -> dict[str, Any]:
        check_seats("showdown", self.seats, seats)
        chosen = complete_options("showdown", self.options, options or {})
        return {"options": chosen, "cards": shuffled(CARDS, rng)}

    def start(self, deal: Mapping[str, Any], seats: int) -> Step[State]:
        check_seats("showdown", self.seats, seats)
        check_keys(deal, ["cards"])
        options = complete_options("showdown", self.options, deal.get("options", {}))
        check_order("cards", deal["cards"], CARDS)
        private = {seat: {"hand": deal["cards"][2 * seat : 2 * seat + 2]} for seat in range(2)}
        return Step(State(tuple(deal["cards"])), (Event("start", {"options": options}, private),))

    def choices(self, state: State) -> dict[Seat, Choice]:
        return state.asked

    def play(self, state: State, moves: Mapping[Seat, Move]) -> Step[State]:
        shown = tuple(str(move) for _, move in check_moves(state, moves, lambda *_: "it is not in hand"))
        return Step(
            state._replace(shown=shown), (Event("show", {"shown": [*shown], "cards": [*state.cards]}),)
        )

    def outcome(self, state: State) -> Outcome:
        check_over(state)
        return Outcome.ranked([CARDS.index(card) for card in state.shown])

    def view(self, state: State, seat: Seat | None) -> dict[str, Any]:
        seen: dict[str, Any] = {"seats": 2, "options": {}, "shown": [*state.shown]}
        if state.shown:
            seen["cards"] = [*state.cards]
        if seat is not None:
            seen |= {"seat": seat, "hand": [*state.cards[2 * seat : 2 * seat + 2]]}
        return seen

    def imagine(self, view: Mapping[str, Any], rng: Random) -> State:
        if "cards" in view:
            return State(tuple(view["cards"]), tuple(view["shown"]))
        hand = view.get("hand", [])
        cards = shuffled([card for card in CARDS if card not in hand], rng)
        at = 2 * view.get("seat", 0)
        return State((*cards[:at], *hand, *cards[at:]))

    def text(self, view: Mapping[str, Any]) -> str:
        return page(
            [["SHOWDOWN"], [f"{key}: {view[key]}" for key in ("hand", "shown", "cards") if key in view]]
        )
