"""The positions of a stored match, and what each point of view may see of them.

A position stands before a decision: the last one is the end of the match, or where a fault stopped it.  Its
number is the step of the record, so a fault in step 12 belongs to position 12.  `look` is an allow-list: what
a point of view gets is built up from its view, its events and its own decisions, and from nothing else.
"""

from collections.abc import Iterator, Mapping, Sequence
from statistics import median
from typing import Any, Final, Literal, NamedTuple, TypeAlias, TypeVar

import msgspec

from engines import GAMES, GameNotLoaded
from engines.game import Choice, Event, Game, OneOf, Seat
from engines.games import BUILT_IN
from engines.int_state import IntState
from engines.position import round_of
from ladder.contest.match_luck import moves_of
from ladder.errors import LadderError
from ladder.games.shown_game import ShownGame
from ladder.machine.plugged_in import name_game
from ladder.replay.replay import other_rules
from protocol.messages import GRACE_MS
from results.record import Json

T = TypeVar("T")
Viewpoint: TypeAlias = Seat | Literal["spectator", "everything"]
"""A seat, or one of the others: a spectator knows what is public; everything is the whole table."""
SPECTATOR: Final = "spectator"
EVERYTHING: Final = "everything"
FIELDS: Final = msgspec.json.Decoder(dict[str, msgspec.Raw])
"""Reads the names of the fields of a view, and leaves the fields as JSON."""
LONG_US: Final = 100_000
LONG_FACTOR: Final = 4
"""A thought is long if it took at least LONG_US and LONG_FACTOR times the median of its seat."""


class ShownFault(NamedTuple):
    """A fault, without what the bot wrote to its stderr."""

    seat: Seat
    kind: str
    reason: str
    answer: str
    charged: bool
    """Whether it cost the bot the match."""


class Decision(NamedTuple):
    """What a seat was offered, and what it chose."""

    seat: Seat
    options: tuple[str, ...]
    low: int
    high: int
    """A choice of several options: at least *low*, at most *high*; 1 and 1 for exactly one."""
    several: bool
    """Whether the move is a list of options."""
    move: tuple[str, ...] | None
    """The options that were chosen; None if the match stopped here."""
    referee: bool
    """Whether the referee moved, because the bot had failed."""
    note: str
    think_us: int | None
    bank_us: int | None
    """What was left of the seat's bank before this decision; None where the limits are not known."""
    long: bool
    """Whether this was a long thought of this seat: see LONG_US."""


class FullPosition(NamedTuple):
    """Everything about one position.  Only `look` decides what a point of view sees of it."""

    step: int
    views: tuple[dict[str, Json], ...]
    """The view of each seat."""
    public: dict[str, Json]
    """The view of a spectator."""
    events: tuple[Event, ...]
    """What led here since the position before."""
    decisions: tuple[Decision, ...]
    faults: tuple[ShownFault, ...]
    round: int | None
    """The number of the round, if the public view tells."""
    points: tuple[int, ...] | None
    """The points of each seat so far, if the public view tells."""


class Sight(NamedTuple):
    """What one point of view sees of a position."""

    step: int
    views: tuple[dict[str, Json], ...]
    """Views to draw together: one, or those of all seats."""
    events: tuple[dict[str, Json], ...]
    asked: tuple[Seat, ...]
    """The seats that must decide.  Views tell this: the contract of games tests it."""
    decisions: tuple[Decision, ...]
    faults: tuple[ShownFault, ...]


class Replayed(NamedTuple):
    """The positions of a match, and why there are no more, if the match could not be replayed to its end."""

    positions: tuple[FullPosition, ...]
    problem: str = ""


def look(position: FullPosition, viewpoint: Viewpoint) -> Sight:
    """Return what *viewpoint* sees: a seat its decisions, a spectator none; others' faults at the end."""
    everything = viewpoint == EVERYTHING
    seat = viewpoint if isinstance(viewpoint, int) else None
    return Sight(
        step=position.step,
        views=position.views if everything else (position.public if seat is None else position.views[seat],),
        events=tuple(_whole(event) if everything else event.seen_by(seat) for event in position.events),
        asked=tuple(decision.seat for decision in position.decisions),
        decisions=tuple(made for made in position.decisions if everything or made.seat == seat),
        faults=tuple(fault for fault in position.faults if everything or fault.seat == seat),
    )


def _whole(event: Event) -> dict[str, Json]:
    """Return *event* with all that its seats saw; what each of them saw otherwise is kept by seat."""
    known = event.seen_by(None)
    private = {key for fields in event.private.values() for key in fields}
    for key in sorted(private):
        told = {seat: fields[key] for seat, fields in event.private.items() if key in fields}
        if len(told) == 1:
            known[key] = next(iter(told.values()))
        else:
            known[key] = dict(sorted(told.items()))
    return known


def replay_record(record: Mapping[str, Json]) -> Replayed:
    """Replay *record*, which ladder.replay.replay.record_of returned.

    A void match has no moves and no deal; one of other rules cannot be replayed here.  Then there are no
    positions, or those up to where it went wrong, and the problem says why.
    """
    if record["void"]:
        return Replayed((), "The runner itself failed in this match. It is void: no moves were kept.")
    try:
        why = other_rules(record["game"], record["version"])
    except GameNotLoaded as error:
        why = f"of a game that cannot be loaded: {error}"
    if why:
        return Replayed((), f"This match was {why}. Its boards cannot be shown, but its moves can.")
    if record["deal"] is None:
        return Replayed((), "This ladder deals differently from the one that played this match.")
    positions: list[FullPosition] = []
    try:
        with name_game(record["game"]):
            for position in _Walk(record):
                positions.append(position)  # noqa: PERF402 - keeps those before an error; compiled, extend does not
    except (LadderError, ValueError, LookupError, TypeError) as error:  # engines fail in many ways
        return Replayed(tuple(positions), f"The rest cannot be replayed: {error}")
    return Replayed(tuple(positions))


def all_positions(record: Mapping[str, Json]) -> Sequence[FullPosition]:
    """Return all positions of *record*: see replay_record.  Raises LadderError if it cannot be replayed."""
    replayed = replay_record(record)
    if replayed.problem:
        name = f"{record['run']}/{record['number']}"
        raise LadderError(replayed.problem, f"ladder replay {name} --format json prints the stored record")
    return replayed.positions


class _Walk:
    """Walks through the steps of a record."""

    def __init__(self, record: Mapping[str, Json]) -> None:
        self._record = record
        self._game: Game[Any] = GAMES[record["game"]]
        self._shown = ShownGame(record["game"])
        self._is_ours = record["game"] in BUILT_IN
        self._seats = record["seats"]
        self._thought = [iter(seat["think_us"]) for seat in self._seats]
        self._long_us = [max(LONG_US, LONG_FACTOR * median(seat["think_us"] or [0])) for seat in self._seats]
        self._notes = {
            (note["step"], i): note["text"] for i, seat in enumerate(self._seats) for note in seat["notes"]
        }
        limits = [record["limits"] | seat.get("limits", {}) for seat in self._seats]
        self._free_us = [
            1000 * (held["move_ms"] + GRACE_MS) if "move_ms" in held else None for held in limits
        ]
        self._bank_us = [1000 * held["bank_ms"] if "bank_ms" in held else None for held in limits]
        self._faults: dict[int, list[ShownFault]] = {}
        for row in record["faults"]:
            if row["attempt"] == record["attempt"]:
                fault = ShownFault(row["seat"], row["kind"], row["reason"], row["answer"], row["charged"])
                self._faults.setdefault(max(0, row["step"]), []).append(fault)
        self._fields: dict[bytes, Json] = {}
        """The fields of views so far, by their JSON."""

    def __iter__(self) -> Iterator[FullPosition]:
        game, moves = self._game, self._record["moves"]
        state, events = game.start(self._record["deal"], len(self._seats))
        for step in range(len(moves) + 1):
            made = {move[0]: move for move in moves[step]} if step < len(moves) else {}
            choices = game.choices(state)
            decided = [self._decision(step, seat, of, made.get(seat)) for seat, of in sorted(choices.items())]
            yield self._position(step, state, events, tuple(decided))
            if made:
                state, events = game.play(state, moves_of(moves[step]))

    def _position(
        self, step: int, state: Any, events: Sequence[Event], decisions: tuple[Decision, ...]
    ) -> FullPosition:
        public = self._view(state, None)
        return FullPosition(
            step=step,
            views=tuple([self._view(state, seat) for seat in range(len(self._seats))]),
            public=public,
            events=self._read(tuple(events), tuple[Event, ...]),
            decisions=decisions,
            faults=tuple(self._faults.get(step, ())),
            round=round_of(public),
            points=self._shown.points(public, len(self._seats)),
        )

    def _view(self, state: Any, seat: Seat | None) -> dict[str, Json]:
        """Return what Game.view says; views have equal fields in common, so these must not be changed.

        From step to step and from seat to seat most fields stay as they are: each is read once, which takes a
        third of the time.
        """
        if not (self._is_ours and isinstance(state, IntState)):
            return self._read(self._game.view(state, seat), dict[str, Any])
        view, known = {}, self._fields
        for name, raw in FIELDS.decode(state.write_view(seat)).items():
            words = bytes(raw)
            if words not in known:
                known[words] = msgspec.json.decode(words)
            view[name] = known[words]
        return view

    def _read(self, value: T, kind: Any) -> T:
        """Return *value* as JSON of this *kind*, which it may not be where another package returns it."""
        return value if self._is_ours else msgspec.json.decode(msgspec.json.encode(value), type=kind)

    def _decision(self, step: int, seat: Seat, choice: Choice, made: Json) -> Decision:
        referee = made is not None and len(made) > 2
        # A record has the times of the bot's own answers only, in order: the referee's moves took none.
        think_us = next(self._thought[seat], None) if made is not None and not referee else None
        bank_us, free_us = self._bank_us[seat], self._free_us[seat]
        if think_us is not None and bank_us is not None and free_us is not None:
            # Reckoned from stored times, which do not tell what a bot waited for a core: it may have had
            # more.
            self._bank_us[seat] = max(0, bank_us - max(0, think_us - free_us))
        low, high = (1, 1) if isinstance(choice, OneOf) else (choice.low, choice.high)
        return Decision(
            seat=seat,
            options=self._read(choice.options, tuple[str, ...]),
            low=low,
            high=high,
            several=not isinstance(choice, OneOf),
            move=None if made is None else tuple(made[1]) if isinstance(made[1], list) else (made[1],),
            referee=referee,
            note=self._notes.get((step, seat), ""),
            think_us=think_us,
            bank_us=bank_us,
            long=think_us is not None and think_us >= self._long_us[seat],
        )
