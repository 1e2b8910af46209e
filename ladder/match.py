"""One match in progress: its seats, its steps, what of it is kept."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from engines import GAMES
from engines.game import Choice, Game, Move, OneOf
from ladder.fixture import Fixture
from ladder.keys import Keys
from ladder.lanes import Player
from ladder.proc import Use
from ladder.roster import Version
from ladder.rule_options import kept
from protocol.messages import LARGEST, LARGEST_COST, LONGEST_NOTES, FaultKind, Usage
from results import record

__all__ = [
    "Asked",
    "Fault",
    "Match",
    "Seat",
    "encode_choice",
    "fault_record",
    "match_record",
    "ranks_of",
    "void_record",
]

HEAD = 4096
"""How much of a request or an answer is kept with a fault, in bytes."""
NO_ROOM = f"(this match has no room for more notes: {LONGEST_NOTES:,} characters are kept)"
"""What stands in the place of the first note that is dropped."""

_encode = msgspec.json.Encoder().encode


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

    def __init__(self, fixture: Fixture, game: Game[Any], seats: list[Seat], seed: bytes) -> None:
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
        self.started_ns = time.monotonic_ns()

    def live(self) -> list[Seat]:
        """Return the seats that play on."""
        return [seat for seat in self.seats if seat.fault_step is None]

    def forget_cpu(self) -> None:
        """Let nobody be held to what its process used since it last answered: it plays other matches, too."""
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


def ranks_of(fault_steps: Sequence[int | None], by_rules: Sequence[int] | None) -> list[int]:
    """Rank those who did not fault by the rules, then the faulted: a later fault above an earlier one."""
    keys = [
        (-math.inf, by_rules[seat] if by_rules else 0) if step is None else (-step, 0)
        for seat, step in enumerate(fault_steps)
    ]
    return [1 + sum(other < key for other in keys) for key in keys]


def match_record(
    run: int, sandbox: str, match: Match, ranks: Sequence[int], scores: Sequence[int] | None
) -> record.Match:
    return record.Match(
        **_identity(run, sandbox, match.fixture, match.deal_seed),
        deal_digest=match.deal_digest,
        moves=_encode(match.steps).decode(),
        seats=[_seat_record(s, ranks[s.index], scores[s.index] if scores else None) for s in match.seats],
        void=False,
        started=match.started_us,
        duration_us=(time.monotonic_ns() - match.started_ns) // 1000,
    )


def void_record(
    run: int, sandbox: str, keys: Keys, fixture: Fixture, bots: Sequence[Version]
) -> record.Match:
    """Return what is kept of a match that the runner itself could not play: which, among whom, no more."""
    return record.Match(
        **_identity(run, sandbox, fixture, keys.deal(fixture.block)),
        deal_digest="",
        moves="[]",
        seats=[
            record.Seat(
                bot=bot.bot,
                version=bot.version,
                name=keys.name(fixture.match, seat),
                rank=None,
                score=None,
                fault=None,
                fault_step=None,
                think_us=[],
                busy_us=[],
                outside_us=None,
                cpu_us=None,
                notes=[],
                usage=None,
            )
            for seat, bot in enumerate(bots)
        ],
        void=True,
        started=time.time_ns() // 1000,
        duration_us=0,
    )


def _identity(run: int, sandbox: str, fixture: Fixture, deal_seed: bytes) -> dict[str, Any]:
    """Return what says which match it was, and under what it was played."""
    contest = fixture.contest
    return {
        "run": run,
        "number": fixture.match,
        "attempt": fixture.attempt,
        "block": fixture.block,
        "rotation": fixture.rotation,
        "game": contest.game,
        "game_version": GAMES[contest.game].version,
        "options": kept(contest.options),
        "deal_seed": deal_seed.hex(),
        "deal": None,
        "paired": True,
        "sandbox": sandbox,
    }


def _seat_record(seat: Seat, rank: int, score: int | None) -> record.Seat:
    """Return what is kept of *seat*; CPU time can be told if its process lives and played no other match."""
    process = seat.player.process
    after = process.cpu_us() if process and not seat.player.lost else None
    busy_us = seat.busy_us if len(seat.busy_us) == len(seat.think_us) else []
    return record.Seat(
        bot=seat.player.bot.bot,
        version=seat.player.bot.version,
        name=seat.name,
        rank=rank,
        score=score,
        fault=seat.breach.kind if seat.breach else None,
        fault_step=seat.fault_step,
        think_us=seat.think_us,
        busy_us=busy_us,
        outside_us=sum(seat.outside_us) + seat.beside_us if busy_us else None,
        cpu_us=after - seat.cpu_before if after is not None and seat.cpu_before is not None else None,
        notes=seat.notes,
        usage=seat.usage,
    )


def fault_record(
    run: int,
    match: Match,
    seat: Seat,
    fault: Fault,
    asked: Asked | None,
    now: int,
    limit_ns: int,
    charged: bool,
) -> record.Fault:
    """Return all that the bot's author needs to see *fault*; *now* as the monotonic clock tells it."""
    process, bot = seat.player.process, seat.player.bot
    return record.Fault(
        run=run,
        number=match.fixture.match,
        attempt=match.fixture.attempt,
        seat=seat.index,
        bot=bot.bot,
        version=bot.version,
        kind=fault.kind,
        step=match.step,
        charged=charged,
        reason=fault.reason,
        request=_text(asked.request) if asked else "",
        choice=encode_choice(asked.choice).decode() if asked else "",
        answer=_text(fault.answer),
        elapsed_us=(now - asked.sent_ns) // 1000 if asked and asked.sent_ns else 0,
        limit_us=limit_ns // 1000,
        exit_status=process.exit_status() if process else None,
        stderr=process.stderr_text(since=seat.stderr_from) if process else "",
    )


def encode_choice(choice: Choice) -> bytes:
    """Return *choice* as a bot reads it."""
    if type(choice) is OneOf:  # the ordinary case without its dictionary
        return b'{"kind":"one","options":%b}' % _encode(choice.options)
    return _encode(choice.to_json())


def _text(data: bytes) -> str:
    return data[:HEAD].decode("utf-8", "backslashreplace")
