"""What a bot was told in a stored match: the lines of one seat, made again from the record.

The record has the deal and the moves; names, ids and seeds follow from the secret of the run.  A view is as
the bot asked for it in its `ready`, which is not stored, so a request becomes a line only for a Ready.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import msgspec

from engines import GAMES
from engines.game import Choice, OneOf, Some
from engines.wording import tell_rules, tell_view
from ladder.contest.bot_limits import limits_told
from ladder.contest.custom_options import restore_custom
from ladder.contest.keys import Keys
from ladder.games.rule_options import in_order
from ladder.machine.installation import __version__
from ladder.registry.version import Version
from ladder.replay.steps import Decision, FullPosition, all_positions
from protocol import encode as message
from protocol.faults import SECOND_TRY
from protocol.messages import FORGIVEN_KEPT, Again, Limits, Ready, Retry
from results.record import Json, Run

_encode = msgspec.json.Encoder().encode
ASKED_AGAIN = SECOND_TRY | {"transport"}
"""The kinds of faults after which a decision may be asked again."""


class TimeLeft(NamedTuple):
    """What a request says of the time, in milliseconds; *match_ms* is None without a limit for the match."""

    move_ms: int
    bank_ms: int
    match_ms: int | None


@dataclass(frozen=True)
class Request:
    """A request for a decision, and what became of it."""

    id: str
    match: str
    step: int
    seed: int
    choice: Choice
    clock: TimeLeft
    events: tuple[bytes, ...]
    """What the seat had not been told before, each event encoded."""
    view: dict[str, Json]
    text: Callable[[], str]
    """Returns the view in words."""
    retry: Retry | Again | None
    """Why it was asked again, if it was."""
    move: tuple[str, ...] | None
    """The options that the bot chose; None if it failed here, or if the match ended before it was played."""
    note: str
    think_us: int | None
    fault: Mapping[str, Json] | None
    """The stored fault that was its answer."""

    def line(self, ready: Ready) -> bytes:
        """Return the request as a bot reads it that began with *ready*."""
        view = None
        if ready.view != "none":
            view = _encode({**self.view, "text": self.text()} if ready.text else self.view)
        return message.Acts(self.match, self.seed, self.clock.move_ms).write(
            self.id,
            self.step,
            _encode(self.choice.to_json()),
            self.clock.bank_ms,
            self.events,
            view,
            self.retry,
            self.clock.match_ms,
        )


@dataclass(frozen=True)
class Conversation:
    """All that one seat was told in a match after its hello."""

    game: str
    seat: int
    steps: int
    """How many steps the match has; its end has this number."""
    start: Callable[[Ready], bytes]
    """Returns the line that began the match, as a bot reads it that began with a Ready; else nothing."""
    requests: tuple[Request, ...]
    """In order; a second try after an illegal move is a request of its own."""
    end: bytes
    """The line that ended the match; empty if the bot had failed by then."""
    remarks: tuple[str, ...]
    """How the lines differ from those that the bot read, in words."""

    def last_before(self, step: int) -> int | None:
        """Return the index of the last request up to *step*; None if there was no request yet."""
        found = [i for i, request in enumerate(self.requests) if request.step <= step]
        return found[-1] if found else None


def hello_line(bot: Version, run: Run) -> bytes:
    """Return the hello that *bot* reads, or would have read, in *run*."""
    games = bot.games_among(contest.game for contest in run.settings.contests)
    limits = limits_told(run.settings, bot.bot, games)
    if (bot.manifest.network or bot.manifest.remote) and run.settings.outage_s is not None:
        limits = msgspec.structs.replace(limits, outage_s=run.settings.outage_s)
    return message.hello(run.versions.get("ladder", __version__), bot.bot, games, bot.manifest.config, limits)


def conversation_of(record: Mapping[str, Json], run: Run, seat: int) -> Conversation:
    """Return what *seat* was told in *record*, of *run*.  Raises LadderError if it cannot be replayed."""
    return _Builder(record, run, seat).build(all_positions(record))


class _Builder:
    """Goes through the positions of a match and collects what a seat was told."""

    def __init__(self, record: Mapping[str, Json], run: Run, seat: int) -> None:
        self._record = record
        self._run = run
        self._seat = seat
        self._made = record["seats"][seat]
        # An archive may come without the secret: the conversation is the same then but for seed and ids.
        self._keys = Keys(bytes.fromhex(run.secret) if run.has_secret else bytes(16))
        self._limits = msgspec.convert(run.settings.limits_at(self._made["bot"], record["game"]), Limits)
        self._seed = self._keys.bot(record["number"], seat)
        self._fault_steps = [made["fault_step"] for made in record["seats"]]
        self._faults = [
            row for row in record["faults"] if row["seat"] == seat and row["attempt"] == record["attempt"]
        ]
        self._think_us = 0
        """The time of all its decisions so far."""
        self._news: list[dict[str, Json]] = []
        self._requests: list[Request] = []

    def build(self, positions: Sequence[FullPosition]) -> Conversation:
        """Return the conversation; *positions* are those of the match."""
        for position in positions:
            self._news += [event.seen_by(self._seat) for event in position.events]
            if decision := self._decision_at(position):
                self._requests += self._ask(position, decision)
                self._news = []
                self._think_us += decision.think_us or 0
        fault_step = self._made["fault_step"]
        return Conversation(
            game=self._record["game"],
            seat=self._seat,
            steps=len(positions) - 1,
            start=self._start,
            requests=tuple(self._requests),
            end=self._end() if fault_step is None else b"",
            remarks=tuple(self._remarks()),
        )

    def _decision_at(self, position: FullPosition) -> Decision | None:
        """Return the decision that the seat was asked for at *position*, if it was asked."""
        # With one bot left the match ends, so nobody was asked any more.
        playing = [since is None or since >= position.step for since in self._fault_steps]
        if not playing[self._seat] or playing.count(True) < 2:
            return None
        if self._made["fault_step"] == position.step and not self._last_fault(position.step).get("request"):
            return None  # it failed before its request was sent
        return next((made for made in position.decisions if made.seat == self._seat), None)

    def _last_fault(self, step: int) -> Mapping[str, Json]:
        """Return the fault of *step* that cost the seat the match; an empty one if it is not stored."""
        return next((row for row in self._faults if row["charged"] and row["step"] == step), {})

    def _ask(self, position: FullPosition, decision: Decision) -> list[Request]:
        """Return the request for *decision*, after those that were answered without a legal move."""
        step = position.step
        refused = self._find_refused(step)
        lost = self._last_fault(step) if self._made["fault_step"] == step else None
        return [
            self._request(
                position,
                decision,
                again,
                self._why_again(refused[:again]) if again else None,
                refused[again] if again < len(refused) else lost,
            )
            for again in range(len(refused) + 1)
        ]

    def _why_again(self, before: Sequence[Mapping[str, Json]]) -> Retry | Again:
        """Return what is said of the last of the faults *before*, those of one decision."""
        settings, reason = self._run.settings, before[-1]["reason"]
        failed = [row for row in before if row["kind"] == "transport"]
        if before[-1]["kind"] != "transport":
            return Retry(reason, settings.retries - len(before) + len(failed))
        spent_ms = sum(row["elapsed_us"] for row in failed) // 1000
        return Again(reason, len(failed), max(0, 1000 * (settings.outage_s or 0) - spent_ms))

    def _find_refused(self, step: int) -> list[Mapping[str, Json]]:
        """Return the faults in *step* after which the seat was asked again; of two attempts, the later's."""
        rows = [
            row
            for row in self._faults
            if row["step"] == step and row["kind"] in ASKED_AGAIN and not row["charged"]
        ]
        ids = [self._id(step, again) for again in range(len(rows))]
        # The id tells attempts apart: a second attempt asks the same decisions under the same ids, and its
        # rows come later, so they replace those of the first.
        by_id = {id_: row for row in rows for id_ in ids if f'"id":"{id_}"' in row["request"][:64]}
        return [by_id[id_] for id_ in ids if id_ in by_id] if self._run.has_secret else rows

    def _request(
        self,
        position: FullPosition,
        decision: Decision,
        again: int,
        retry: Retry | Again | None,
        fault: Mapping[str, Json] | None,
    ) -> Request:
        view = position.views[self._seat]
        game = GAMES[self._record["game"]]
        answered = fault is None and not decision.referee
        events = () if again else tuple(self._news)
        return Request(
            id=self._id(position.step, again),
            match=self._made["name"],
            step=position.step,
            seed=self._seed,
            choice=Some(decision.options, decision.low, decision.high)
            if decision.several
            else OneOf(decision.options),
            clock=self._clock(decision),
            events=tuple(map(_encode, events)),
            view=view,
            text=lambda: tell_view(game, view, events),
            retry=retry,
            move=decision.move if answered else None,
            note=decision.note if answered else "",
            think_us=decision.think_us if answered else None,
            fault=fault,
        )

    def _id(self, step: int, again: int) -> str:
        return self._keys.decisions(self._record["number"], self._seat, step >> 3, again)[step & 7]

    def _clock(self, decision: Decision) -> TimeLeft:
        """Return the clock before *decision* as far as it is known: the time of a start is not stored."""
        limits = self._limits
        bank_us = decision.bank_us if decision.bank_us is not None else 1000 * limits.bank_ms
        match_ms = None
        if isinstance(limits.match_s, int):
            match_ms = max(0, 1000 * limits.match_s - self._think_us // 1000)
        return TimeLeft(limits.move_ms, bank_us // 1000, match_ms)

    def _start(self, ready: Ready) -> bytes:
        if self._made["fault_step"] == -1:  # it had failed before
            return b""
        record = self._record
        game, seats = record["game"], len(record["seats"])
        options = in_order(game, restore_custom(record["options"], self._run.settings.tables))
        rules = tell_rules(GAMES[game], options) if ready.rules else None
        return message.start(self._made["name"], game, record["version"], self._seat, seats, options, rules)

    def _end(self) -> bytes:
        record = self._record
        scores = None if None in record["scores"] else record["scores"]
        faults = [made["fault"] for made in record["seats"]]
        return message.end(self._made["name"], record["ranks"], scores, faults, [*map(_encode, self._news)])

    def _remarks(self) -> list[str]:
        found = []
        if not self._run.has_secret:
            found.append("the secret of the run is not here, so seed and ids are others than in the match")
        kinds = [row["kind"] for row in self._faults if row["kind"] in ASKED_AGAIN and not row["charged"]]
        if len(kinds) >= FORGIVEN_KEPT:
            found.append("the match has more illegal answers than are stored: later second tries are missing")
        if "transport" in kinds:
            found.append("pauses after failures of its service are not stored: left_ms is too large")
        return found
