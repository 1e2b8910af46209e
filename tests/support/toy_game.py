"""A game in a hundred lines, to learn from and to seat more than two with.  engines.GAMES has it not."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, ClassVar, NamedTuple

from engines import Choice, Event, Game, Move, OneOf, Outcome, Seat, Some, Step
from engines.deals import check_keys, check_order, check_seats, complete_options
from engines.game import shuffled
from engines.moves import check_moves, check_over
from engines.page import page, seat_name

CARDS = {seats: [f"card {points}" for points in range(1, 4 * seats + 1)] for seats in range(3, 6)}
BIDS, TAKES = OneOf(("bid 1", "bid 2", "bid 3")), OneOf(("take 1", "take 2", "take 3"))


class State(NamedTuple):
    rounds: int
    hands: tuple[tuple[str, ...], ...]
    moves: tuple[tuple[Seat, Move], ...] = ()

    @property
    def asked(self) -> dict[Seat, Choice]:
        seats = len(self.hands)
        rounds, made = divmod(len(self.moves), 3 * seats)
        if rounds == self.rounds:
            return {}
        if made < 2 * seats:
            return {made - seats: TAKES} if made else dict.fromkeys(range(seats), BIDS)
        return {seat: Some(hand, 1, 2) for seat, hand in enumerate(self.hands)}


class Toy(Game[State]):
    name: ClassVar[str] = "toy"
    version: ClassVar[int] = 1
    seats: ClassVar[range] = range(3, 6)
    options: ClassVar[Mapping[str, tuple[int, ...]]] = {"rounds": (2, 3)}
    summary: ClassVar[str] = """TOY, for 3 to 5 seats, of two rounds, or of as many as the option rounds says.
Each seat holds 4 cards, of 1 to 12, 16 or 20, which nobody else sees. In every round all bid at
once, "bid 1" to "bid 3"; then seat after seat takes, "take 1" to "take 3"; then all keep one or two
cards of their hands at once: how many is told. What you bid, took and kept are points; most win."""

    def deal(self, seats: int, rng: Random, options: Mapping[str, Any] | None = None) -> dict[str, Any]:
        check_seats("toy", self.seats, seats)
        chosen = complete_options("toy", self.options, options or {})
        return {"options": chosen, "cards": shuffled(CARDS[seats], rng)}

    def start(self, deal: Mapping[str, Any], seats: int) -> Step[State]:
        check_seats("toy", self.seats, seats)
        check_keys(deal, ["cards"])
        options = complete_options("toy", self.options, deal.get("options", {}))
        check_order("cards", deal["cards"], CARDS[seats])
        hands = tuple(tuple(deal["cards"][seat::seats]) for seat in range(seats))
        private = {seat: {"hand": [*hand]} for seat, hand in enumerate(hands)}
        return Step(State(options["rounds"], hands), (Event("start", {"options": options}, private),))

    def choices(self, state: State) -> dict[Seat, Choice]:
        return state.asked

    def play(self, state: State, moves: Mapping[Seat, Move]) -> Step[State]:
        made = check_moves(state, moves, lambda *_: "something else is asked now")
        news = []
        for seat, move in made:
            told = move if isinstance(move, str) else len(move)
            own = {} if told == move else {seat: {"kept": [*move]}}
            news.append(Event("move", {"seat": seat, "move": told}, own))
        return Step(state._replace(moves=(*state.moves, *made)), tuple(news))

    def outcome(self, state: State) -> Outcome:
        check_over(state)
        points = [0] * len(state.hands)
        for seat, move in state.moves:
            points[seat] += sum(int(word.split()[1]) for word in ([move] if isinstance(move, str) else move))
        return Outcome.ranked(points)

    def view(self, state: State, seat: Seat | None) -> dict[str, Any]:
        told = [[who, move if isinstance(move, str) else len(move)] for who, move in state.moves]
        seen = {"seats": len(state.hands), "options": {"rounds": state.rounds}, "moves": told}
        if seat is not None:
            kept = [[*move] for who, move in state.moves if who == seat and not isinstance(move, str)]
            seen |= {"seat": seat, "hand": [*state.hands[seat]], "kept": kept}
        return seen

    def imagine(self, view: Mapping[str, Any], rng: Random) -> State:
        own, seats, kept = view.get("seat"), view["seats"], iter(view.get("kept", ()))
        left = shuffled([card for card in CARDS[seats] if card not in view.get("hand", ())], rng)
        hands = [tuple(view["hand"] if i == own else [left.pop() for _ in range(4)]) for i in range(seats)]
        moves = []
        for who, move in view["moves"]:
            if isinstance(move, int):
                move = tuple(next(kept)) if who == own else Some(hands[who], move, move).sample(rng)
            moves.append((who, move))
        return State(view["options"]["rounds"], tuple(hands), tuple(moves))

    def text(self, view: Mapping[str, Any]) -> str:
        own = [", ".join(cards) for cards in [view["hand"], *view["kept"]]] if "seat" in view else []
        return page([["TOY"], [f"{seat_name(view, who)}: {move}" for who, move in view["moves"]], own])
