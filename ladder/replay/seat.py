"""A stored match as one seat saw it, as text and as JSON: what `look` allows, and the result."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from ladder.errors import NotFound
from ladder.games.shown_game import ShownGame
from ladder.replay.replay import Steps, name_seats, narrate_result, record_of, story_of, without_notes
from ladder.replay.steps import Decision, Sight, all_positions, look
from results.record import Json
from results.reports.fault_card import render_card
from results.reports.labels import Numbers
from results.storage.contents import Contents


def read_record(
    contents: Contents, wanted: str, seat: int | None, *, no_notes: bool, dealt: bool = True
) -> dict[str, Any]:
    """Return the record of a match: see record_of.  Raises NotFound if it has no such *seat*."""
    record = record_of(contents, wanted, dealt=dealt)
    if seat is not None:
        check_seat(record, seat)
    return without_notes(record) if no_notes else record


def check_seat(record: Mapping[str, Json], seat: int) -> None:
    """Raise NotFound unless *record* has this seat."""
    last = len(record["seats"]) - 1
    if not 0 <= seat <= last:
        raise NotFound(
            f"match {record['run']}/{record['number']} has no seat {seat}: its seats are 0 to {last}",
            f"ladder replay {record['run']}/{record['number']} --seat 0",
        )


def seat_record(record: Mapping[str, Json], seat: int) -> dict[str, Any]:
    """Return *record* as *seat* saw it, with the names of bots.  Raises LadderError if it is not replayed."""
    public = ("run", "number", "attempt", "game", "version", "options", "limits", "ranks", "scores")
    return {
        **{key: record[key] for key in public},
        "seat": seat,
        "seats": [
            {key: made[key] for key in ("bot", "version", "rank", "score", "fault")}
            for made in record["seats"]
        ],
        "steps": [_step(look(position, seat)) for position in all_positions(record)],
        "faults": _own_faults(record, seat),
    }


def narrate_seat(
    record: Mapping[str, Json], seat: int, numbers: Numbers = MappingProxyType({}), steps: Steps | None = None
) -> Iterator[str]:
    """Yield *record* as text, as *seat* saw it: events, what it was offered and chose, its notes, the result.

    *steps* tells all but the result otherwise.  Raises LadderError if the match cannot be replayed here.
    """
    story = [story_of(record, numbers)] if steps else []
    numbers = numbers if steps else dict(numbers)
    names = name_seats(record, numbers)
    yield from story
    yield f"match {record['run']}/{record['number']}: {record['game']}, as seat {seat} saw it"
    for i, name in enumerate(names):
        yield f"  seat {i}: {name}" + (" (this seat)" if i == seat else "")
    yield ""
    yield from steps(record, names) if steps else _tell_seen(record, seat, names)
    for fault in _own_faults(record, seat):
        yield ""
        yield from render_card(fault, numbers=numbers)
    yield ""
    yield from story or narrate_result(record["seats"], names)


def _tell_seen(record: Mapping[str, Json], seat: int, names: Sequence[str]) -> Iterator[str]:
    game, sights = ShownGame(record["game"]), [look(position, seat) for position in all_positions(record)]
    explain = game.explain()
    for sight in sights:
        for event in sight.events:
            yield f"{sight.step:4}  {game.tell(explain(event))}"
        for decision in sight.decisions:
            yield from _narrate_decision(sight.step, names[seat], decision)
    yield ""
    yield game.text(sights[-1].views[0])


def _narrate_decision(step: int, name: str, decision: Decision) -> Iterator[str]:
    offered = len(decision.options)
    if decision.move is None:
        yield f"{step:4}  {name} is offered {offered} options, and does not move"
        return
    how = "  (referee)" if decision.referee else f"  (of {offered})"
    yield f"{step:4}  {name}: {' '.join(decision.move)}{how}"
    if decision.note:
        yield f"      # {decision.note}"


def _own_faults(record: Mapping[str, Json], seat: int) -> list[dict[str, Json]]:
    return [fault for fault in record["faults"] if fault["seat"] == seat]


def _step(sight: Sight) -> dict[str, Json]:
    """Return *sight* of a seat as JSON; a step in which the seat is not asked has no choice and no move."""
    step: dict[str, Json] = {
        "step": sight.step,
        "view": sight.views[0],
        "events": list(sight.events),
        "asked": list(sight.asked),
    }
    for decision in sight.decisions:
        move = decision.move
        step |= {
            "choice": {"options": list(decision.options), "low": decision.low, "high": decision.high},
            "move": None if move is None else list(move) if decision.several else move[0],
            "referee": decision.referee,
            "note": decision.note,
            "think_us": decision.think_us,
        }
    return step
