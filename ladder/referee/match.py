"""One match in progress: its seats, its steps, its open requests."""

import time
from collections import deque
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET, UnsetType

from engines.game import Choice, Game, IllegalMove, InvalidMove, Json, OneOf, Some
from engines.position import Position
from ladder.contest.blocks import ScheduledMatch
from ladder.contest.keys import Keys
from ladder.process.procfs import Use
from ladder.referee.player import Player
from ladder.referee.rules import MatchClock
from protocol.encode import Acts
from protocol.faults import FaultKind
from protocol.messages import LARGEST, LARGEST_COST, LONGEST_NOTES, Usage
from results import record

NO_ROOM = f"(this match has no room for more notes: {LONGEST_NOTES:,} characters are kept)"
"""Stored instead of the first note that is dropped."""

_decode = msgspec.json.decode


class SeatFault(NamedTuple):
    """A bot's fault: the kind, the reason in words for its author, the raw answer."""

    kind: FaultKind
    reason: str
    answer: bytes = b""
    after_ms: int = 0
    """After which time its service may answer again, if that has failed."""


class TableSeat:
    """One seat of a match in progress."""

    def __init__(self, index: int, player: Player, name: str, seed: int, clock: MatchClock) -> None:
        self.index = index
        self.player = player
        self.name = name
        self.clock = clock
        self.requests = Acts(name, seed, clock.move_ms)
        self.sees = player.ready is None or player.ready.view != "none"
        """Whether its requests have a view."""
        self.reads = player.ready is not None and player.ready.text
        """Whether its views have themselves as text."""
        self.learns = player.ready is not None and player.ready.rules
        """Whether its match begins with the rules."""
        self.bank_ns = clock.bank_ns
        # the start counts in the first match of a process
        self.left_ns = clock.match_ns - (0 if player.matches else player.start_had_ns)
        """The rest of its time in the match, if that has a limit."""
        self.news: list[bytes] = []
        """Encoded events that the seat has not been sent yet."""
        self.ids: list[str] = []
        """The ids of the decisions of all steps so far, and of some to come."""
        self.breach: SeatFault | None = None
        """The seat's fault; it takes effect at the end of the step, where `fault_step` is set."""
        self.fault_step: int | None = None
        self.think_us: list[int] = []
        self.busy_us: list[int] = []
        self.outside_us: list[int] = []
        """The CPU time of the seat's process after each answer, up to its next request."""
        self.beside_us = 0
        """The CPU time of its child processes outside its turns."""
        self.notes: list[record.Note] = []
        self.noted = 0
        """The number of characters in all notes so far, dropped ones included."""
        self.forgiven = 0
        """How many answers without a legal move were asked again and recorded."""
        self.reported = 0
        """How many failures of its service were recorded."""
        self.outage_ns = 0
        """For how long its service has failed, in decisions that are made by now."""
        self.usage: record.Usage | None = None
        self.stderr_from = 0
        """Where this match begins in the log of its process."""
        self.cpu_before: int | None = player.process.cpu_us() if player.process else None

    def decision_id(self, keys: Keys, match: int, step: int) -> str:
        """Return the id of this seat's decision in *step*; ids are drawn eight at a time."""
        ids = self.ids
        # One keyed hash of 64 bytes gives eight ids for the price of one.
        while step >= len(ids):
            ids += keys.decisions(match, self.index, len(ids) >> 3)
        return ids[step]

    def add_note(self, step: int, text: str) -> None:
        """Keep the bot's note on its decision in *step*, while there is room for notes."""
        text = self.player.masks.hide(text)
        before = self.noted
        self.noted += len(text)
        if self.noted <= LONGEST_NOTES:
            self.notes.append(record.Note(step, text))
        # Once only: the note that did not fit is replaced, those after it are dropped.
        elif before <= LONGEST_NOTES:
            self.notes.append(record.Note(step, NO_ROOM))

    def add_usage(self, usage: Usage) -> None:
        """Add the usage of one answer; sums stop at the largest value that one answer may have."""
        so_far = self.usage or record.Usage()
        cost_usd = so_far.cost_usd
        if usage.cost_usd is not UNSET:
            cost_usd = min((cost_usd or 0.0) + usage.cost_usd, float(LARGEST_COST))
        self.usage = record.Usage(
            _add_up(so_far.input_tokens, usage.input_tokens),
            _add_up(so_far.output_tokens, usage.output_tokens),
            cost_usd,
            _add_up(so_far.requests, usage.requests),
            _add_up(so_far.fallbacks, usage.fallbacks),
        )


def _add_up(so_far: int | None, more: int | UnsetType) -> int | None:
    return so_far if more is UNSET else min((so_far or 0) + more, LARGEST)


class TableMatch:
    """One match in progress."""

    position: Position
    """The match so far, which is played on in place; from its beginning on."""

    def __init__(
        self, scheduled: ScheduledMatch, game: Game[Any], seats: list[TableSeat], seed: bytes, started_ns: int
    ) -> None:
        self.scheduled = scheduled
        self.game = game
        self.seats = seats
        self.deal_seed = seed
        self.deal_digest = ""
        self.step = 0
        self.asked: Sequence[int] = ()
        """The seats that choose in this step, in their order."""
        self.chosen: dict[int, int] = {}
        """The options of the seats that have answered in this step, by seat."""
        self.is_over = False
        """Whether it has ended, or was taken off the table."""
        self.to_ask: deque[TableSeat] = deque()
        """The seats of this step that are asked after the current ones."""
        self.unheard = 0
        """How many seats of this step have been asked and have not answered."""
        self.faulted = False
        """Whether any seat has faulted so far."""
        self.steps: list[list[tuple[Any, ...]]] = []
        self.started_us = time.time_ns() // 1000
        self.started_ns = started_ns

    def live(self) -> list[TableSeat]:
        """Return the seats that have not faulted."""
        return [seat for seat in self.seats if seat.fault_step is None]

    def settle(self) -> None:
        """Let the faults of this step take effect."""
        for seat in self.seats:
            if seat.breach and seat.fault_step is None:
                seat.fault_step = self.step

    def substitute(self, keys: Keys) -> None:
        """Make random legal moves for the seats that have faulted; a replay makes the same ones."""
        for seat in self.seats:
            if seat.fault_step is not None and seat.index in self.asked:
                rng = keys.substitute(self.scheduled.match, seat.index, self.step)
                move = self.choice_of(seat.index).sample(rng)
                self.chosen[seat.index] = self.position.option_of(seat.index, move)

    def choice_of(self, seat: int) -> Choice:
        """Return the choice of *seat*, which is asked in this step, as it reads it."""
        # Rare: for substitutes and refusals.  A legal answer is checked by the position itself, without a
        # Choice.
        told = _decode(self.position.write_choice(seat))
        options = tuple(told["options"])
        return OneOf(options) if told["kind"] == "one" else Some(options, told["low"], told["high"])

    def refusal(self, seat: int, move: Json, answer: bytes) -> SeatFault:
        """Return the fault of *seat*, which has answered with a *move* that its choice does not offer.

        The reason says nothing but what the choice says: the bot reads it.
        """
        try:
            self.choice_of(seat).check(move)
        except IllegalMove as error:
            kind: FaultKind = "protocol" if isinstance(error, InvalidMove) else "illegal"
            return SeatFault(kind, str(error), answer)
        raise ValueError(f"{self.game.name} refuses a move that it offers: {move!r}")

    def play(self) -> None:
        """Play the options of this step, and record its moves."""
        position = self.position
        made: list[tuple[Any, ...]] = []
        for seat in self.asked:
            option = self.chosen[seat]
            move = position.move_of(option)
            by_bot = self.seats[seat].fault_step is None
            # A move of the referee is marked, so that a replay shows, and statistics leave out, what the bot
            # did not choose.
            made.append((seat, move) if by_bot else (seat, move, "referee"))
            position.play(option)
        self.steps.append(made)

    def next_step(self) -> None:
        """Go on to the step in which the position is now."""
        self.step += 1
        self.chosen.clear()
        self.asked = self.position.seats()


class OpenRequest:
    """A request that has not been answered."""

    again = 0
    """How many times the decision was asked before."""
    refused = 0
    """How many of those times the answer had no legal move."""
    failed = 0
    """How many of those times the service of the bot had failed."""
    first_ns = 0
    """When its clock started the first time, if its service has failed since."""
    due_ns = 0
    """When to ask it again after a failure of its service."""
    why = ""
    """Why that had failed."""
    sent_ns = 0
    """When its clock started (monotonic, in nanoseconds); 0: not yet."""
    deadline_ns = 0
    cpu_us: int | None = None
    """The CPU time of the process when the clock started; None where several matches are in progress."""
    use: Use | None = None
    """What the process and its children had used at the last look before the request."""
    limit_ns = 0
    """How long its clock may run."""
    waited_us: int | None = None
    """How long the process had waited for a core when the clock started, as known at the first look."""
    uncounted = 0
    """How many of its processes had ended uncounted at that look."""
    frozen_ns = 0
    """How long the referee had been held up when the clock started."""

    def __init__(self, match: TableMatch, seat: TableSeat, request: bytes) -> None:
        self.match = match
        self.seat = seat
        self.request = request
