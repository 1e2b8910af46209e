"""One match in progress: its seats, its steps, what is asked."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Mapping
from typing import Any, NamedTuple

from engines.game import Choice, Game, Move
from ladder.contest.blocks import ScheduledMatch
from ladder.contest.keys import Keys
from ladder.process.procfs import Use
from ladder.referee.player import Player
from protocol.faults import FaultKind
from protocol.messages import LARGEST, LARGEST_COST, LONGEST_NOTES, Usage
from results import record

__all__ = ["NO_ROOM", "Asked", "Fault", "Match", "Seat"]
NO_ROOM = f"(this match has no room for more notes: {LONGEST_NOTES:,} characters are kept)"
"""What stands in the place of the first note that is dropped."""


class Fault(NamedTuple):
    """What a bot did wrong: the kind, the reason in words for its author, the raw answer."""

    kind: FaultKind
    reason: str
    answer: bytes = b""


class Seat:
    """One seat of a match in progress."""

    def __init__(self, index: int, player: Player, name: str, seed: int, bank_ns: int) -> None:
        self.index = index
        self.player = player
        self.name = name
        self.seed = seed
        self.bank_ns = bank_ns
        self.left_ns = 0
        """What is left of the limit on its time in the match, if there is one."""
        self.news: list[bytes] = []
        """Events, encoded, that the seat has not been told yet."""
        self.ids: list[str] = []
        """The ids of the decisions in every step so far, and in some to come."""
        self.breach: Fault | None = None
        """Takes effect at the end of its step; from then on `fault_step` is set."""
        self.fault_step: int | None = None
        self.think_us: list[int] = []
        self.busy_us: list[int] = []
        self.outside_us: list[int] = []
        """The CPU time of the seat's process after each answer, up to its next request."""
        self.beside_us = 0
        """The CPU time of what it has started, beside its turns."""
        self.notes: list[record.Note] = []
        self.noted = 0
        """How many characters the notes have so far, those that were dropped among them."""
        self.forgiven = 0
        """How many illegal answers were asked again and kept with all that their author needs to see."""
        self.usage: record.Usage | None = None
        self.stderr_from = 0
        """Where in the log of its process this match begins."""
        self.cpu_before: int | None = player.process.cpu_us() if player.process else None

    def decision_id(self, keys: Keys, match: int, step: int) -> str:
        """Return the id of this seat's decision in *step*; they are drawn eight at a time."""
        ids = self.ids
        while step >= len(ids):
            ids += keys.decisions(match, self.index, len(ids) >> 3)
        return ids[step]

    def add_note(self, step: int, text: str) -> None:
        """Keep what the bot said about its decision in *step*, while there is room for notes."""
        before = self.noted
        self.noted += len(text)
        if self.noted <= LONGEST_NOTES:
            self.notes.append(record.Note(step, text))
        elif before <= LONGEST_NOTES:
            self.notes.append(record.Note(step, NO_ROOM))

    def add_usage(self, usage: Usage) -> None:
        """Add what one answer has cost; sums stop at the largest value that one answer may name."""
        so_far = self.usage or record.Usage()
        self.usage = record.Usage(
            min(so_far.input_tokens + usage.input_tokens, LARGEST),
            min(so_far.output_tokens + usage.output_tokens, LARGEST),
            min(so_far.cost_usd + usage.cost_usd, float(LARGEST_COST)),
        )


class Match:
    """One match in progress."""

    def __init__(
        self, fixture: ScheduledMatch, game: Game[Any], seats: list[Seat], seed: bytes, started_ns: int
    ) -> None:
        self.fixture = fixture
        self.game = game
        self.seats = seats
        self.deal_seed = seed
        self.deal_digest = ""
        self.state: Any = None
        self.step = 0
        self.choices: Mapping[int, Choice] = {}
        self.moves: dict[int, Move] = {}
        self.to_ask: deque[Seat] = deque()
        """The seats of this step that will be asked after those that are being asked."""
        self.unheard = 0
        """How many seats of this step have been asked and not been heard."""
        self.faulted = False
        """Whether any seat has done wrong so far."""
        self.steps: list[list[tuple[Any, ...]]] = []
        self.started_us = time.time_ns() // 1000
        self.started_ns = started_ns

    def live(self) -> list[Seat]:
        """Return the seats that play on."""
        return [seat for seat in self.seats if seat.fault_step is None]

    def forget_cpu(self) -> None:
        """Charge no seat for CPU time since its last answer, because its process plays other matches, too."""
        for seat in self.seats:
            seat.player.cpu_seen = seat.cpu_before = None

    def settle(self) -> None:
        """Let the faults of this step take effect."""
        for seat in self.seats:
            if seat.breach and seat.fault_step is None:
                seat.fault_step = self.step

    def substitute(self, keys: Keys) -> None:
        """Move for the seats that have faulted: random legal moves, the same whenever it is played again."""
        for seat in self.seats:
            if seat.fault_step is not None and seat.index in self.choices:
                rng = keys.substitute(self.fixture.match, seat.index, self.step)
                self.moves[seat.index] = self.choices[seat.index].sample(rng)

    def step_record(self) -> list[tuple[Any, ...]]:
        """Return the moves of this step as they are kept."""
        made: list[tuple[Any, ...]] = sorted(self.moves.items())
        if not self.faulted:
            return made
        return [
            (seat, move) if self.seats[seat].fault_step is None else (seat, move, "referee")
            for seat, move in made
        ]


class Asked:
    """A request that has not been answered."""

    again = 0
    """How often the decision was asked before."""
    sent_ns = 0
    """When its clock started, by the monotonic clock; 0: not yet."""
    deadline_ns = 0
    cpu_us: int | None = None
    """The CPU time of the process when the clock started; None where several matches are in progress."""
    use: Use | None = None
    """What the process and all that it started had used, when it was last looked at before."""
    waited_us: int | None = None
    """How long it had waited for a core at the first look after the clock started; None before that."""

    def __init__(self, match: Match, seat: Seat, choice: Choice, request: bytes) -> None:
        self.match = match
        self.seat = seat
        self.choice = choice
        self.request = request
