"""The replay viewer: a stored match as a page, or as a block of a page.

`viewer.js` shows the positions that stand in the page as data.  Each distinct shape of a picture stands there
once.  A frame is one position from one point of view: a list of numbers of parts, kept as the difference to
the frame before.  Without JavaScript the last board, the result and the list of moves are shown.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from difflib import SequenceMatcher
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from markupsafe import Markup

from engines import GAMES
from engines.drawing import SEAT_MARKS, Part, Picture, escape, seat_mark
from ladder.pages.environment import data_block, render, visible
from ladder.pages.file import GENERATOR
from ladder.pages.frame import Frame
from ladder.replay.replay import name_seats, without_notes
from ladder.replay.steps import (
    EVERYTHING,
    SPECTATOR,
    Decision,
    Fault,
    Position,
    Replayed,
    Viewpoint,
    look,
    replay_record,
)
from results.record import Json
from results.reports.labels import Numbers

__all__ = ["VIEWER_ASSETS", "viewer_block", "viewer_page"]

VIEWER_ASSETS: Final = ("board.css", "viewer.css", "viewer.js")
"""What a page with a viewer needs besides what every page needs: give it to Frame as `more`."""
PLACE: Final = re.compile(r' transform="(translate\([-0-9. e]+\))"')
"""Where a part stands: engines.drawing.make_part writes it."""
ANSWER_SHOWN: Final = 300
"""The most characters of an answer that are shown with a fault."""
NO_NUMBERS: Final[Numbers] = MappingProxyType({})


class _Seat(NamedTuple):
    """A seat as the page shows it."""

    number: int
    label: str
    bot: str
    version: str
    rank: int | None
    score: int | None
    fault: str
    icon: Markup


def viewer_page(
    record: Mapping[str, Json], *, seat: int | None = None, notes: bool = True, numbers: Numbers = NO_NUMBERS
) -> str:
    """Return *record* as one HTML file that needs nothing else: see viewer_block."""
    played = datetime.fromtimestamp(record["started"] / 1e6, UTC)
    measured = (
        f"{record['game']}, version {record['version']} of its rules; played {played:%Y-%m-%d %H:%M} UTC"
    )
    frame = Frame(ladder="Replay", home="", more=VIEWER_ASSETS, inline=True, measured=(measured,))
    block = viewer_block(record, seat=seat, notes=notes, numbers=numbers)
    title = f"Match {record['run']}/{record['number']}"
    names = " · ".join(made.label for made in _seats(record, numbers))
    return render(
        "pages/templates/replay.html",
        frame,
        heading=title,
        block=block,
        names=names,
        record=record,
        generator=Markup(GENERATOR),  # noqa: S704 - our own mark
    )


def viewer_block(
    record: Mapping[str, Json], *, seat: int | None = None, notes: bool = True, numbers: Numbers = NO_NUMBERS
) -> Markup:
    """Return *record*, as record_of returns it, as a block of a page that has VIEWER_ASSETS.

    With *seat*, the block holds what the bot of this seat saw, thought and noted, and the result, no more.
    *numbers* are those of the home: they tell versions of one bot apart.
    """
    record = record if notes else without_notes(record)
    replayed = replay_record(record)
    seats = _seats(record, numbers)
    viewpoints: list[Viewpoint] = [EVERYTHING, SPECTATOR, *range(len(seats))] if seat is None else [seat]
    book = _Book(record, seats, replayed)
    views = [book.view(viewpoint) for viewpoint in viewpoints]
    frame = Frame()
    return Markup(  # noqa: S704 - a template of this package, which escapes its values
        render(
            "pages/templates/viewer.html",
            frame,
            record=record,
            seats=seats,
            seat=seat,
            problem=replayed.problem,
            board=book.last_board(viewpoints[0]),
            moves=_moves(record, seats, seat),
            data=data_block(book.pages(views), "viewer-data") if replayed.positions else "",
        )
    )


def _seats(record: Mapping[str, Json], numbers: Numbers) -> list[_Seat]:
    names = name_seats(record, numbers)
    return [
        _Seat(
            number=i,
            label=visible(names[i]),
            bot=made["bot"],
            version=made["version"],
            rank=made["rank"],
            score=made["score"],
            fault=made["fault"] or "",
            icon=_icon(i),
        )
        for i, made in enumerate(record["seats"])
    ]


def _icon(seat: int) -> Markup:
    """Return the mark of a seat, the same as on its boards."""
    return Markup(  # noqa: S704 - made of numbers and names of our own
        f'<svg class="board seat-icon {SEAT_MARKS[seat % len(SEAT_MARKS)][1]}" viewBox="-13 -13 26 26"'
        f' aria-hidden="true">{seat_mark(seat)}</svg>'
    )


def _moves(record: Mapping[str, Json], seats: Sequence[_Seat], seat: int | None) -> list[dict[str, Json]]:
    """Return the recorded moves for the list that needs no JavaScript; with *seat*, its own moves alone."""
    noted = {
        (note["step"], i): note["text"] for i, made in enumerate(record["seats"]) for note in made["notes"]
    }
    return [
        {
            "step": step,
            "seat": seats[move[0]],
            "move": " ".join(move[1]) if isinstance(move[1], list) else move[1],
            "referee": len(move) > 2,
            "note": noted.get((step, move[0]), ""),
        }
        for step, made in enumerate(record["moves"])
        for move in made
        if seat in (None, move[0])
    ]


class _Book:
    """Collects what the positions of a match have in common, so that the page holds it once."""

    def __init__(self, record: Mapping[str, Json], seats: Sequence[_Seat], replayed: Replayed) -> None:
        self._record = record
        self._seats = seats
        self._positions = replayed.positions
        self._shapes: dict[str, int] = {}
        self._parts: list[tuple[int, str, str]] = []
        self._numbered: dict[Part, int] = {}
        self._lines: dict[str, int] = {}
        self._options: dict[str, int] = {}
        self._decisions: list[dict[str, Json]] = []
        self._decision_numbers: dict[tuple[int, int], int] = {}
        self._pictures: dict[tuple[Viewpoint, int], Picture] = {}

    def pages(self, views: list[dict[str, Json]]) -> dict[str, Json]:
        """Return the data of the block, with *views* that this book has made."""
        limits = self._record["limits"]
        return {
            "match": f"{self._record['run']}/{self._record['number']}",
            "seats": [
                {
                    "label": seat.label,
                    "icon": str(seat.icon),
                    "rank": seat.rank,
                    "score": seat.score,
                    "fault": seat.fault,
                }
                for seat in self._seats
            ],
            "freeMs": limits.get("move_ms"),
            "steps": [
                {
                    "round": position.round,
                    "asked": [decision.seat for decision in position.decisions],
                    "points": position.points,
                }
                for position in self._positions
            ],
            "shapes": list(self._shapes),
            "parts": self._parts,
            "lines": list(self._lines),
            "options": list(self._options),
            "decisions": self._decisions,
            "views": views,
        }

    def last_board(self, viewpoint: Viewpoint) -> Markup:
        """Return the last picture that *viewpoint* sees, as it stands in a page without JavaScript."""
        if not self._positions:
            return Markup("")
        picture = self._draw(self._positions[-1], viewpoint)
        return Markup(picture.svg())  # noqa: S704 - drawings escape what they show

    def view(self, viewpoint: Viewpoint) -> dict[str, Json]:
        """Return the frames of *viewpoint*, each as the difference to the one before."""
        frames: list[dict[str, Json]] = []
        parts: list[int] = []
        lines: list[int] = []
        for position in self._positions:
            picture = self._draw(position, viewpoint)
            sight = look(position, viewpoint)
            now = [self._part(part) for part in picture.parts]
            told = [self._number(self._lines, visible(line)) for line in picture.description.split("\n")]
            events = [visible(GAMES[self._record["game"]].tell(event)) for event in sight.events]
            frames.append(
                {
                    "size": [picture.width, picture.height],
                    "title": self._number(self._lines, visible(picture.title)),
                    "parts": _difference(parts, now),
                    "text": _difference(lines, told),
                    "events": [self._number(self._lines, event) for event in events],
                    "decisions": [self._decision(position, made) for made in sight.decisions],
                    "faults": [_fault(fault) for fault in sight.faults],
                }
            )
            parts, lines = now, told
        return {**self._name(viewpoint), "frames": frames}

    def _name(self, viewpoint: Viewpoint) -> dict[str, Json]:
        """Return the names of *viewpoint*: in an address, for people, and its key."""
        if isinstance(viewpoint, int):
            seat = self._seats[viewpoint]
            return {
                "name": f"seat{viewpoint}",
                "seat": viewpoint,
                "label": seat.label,
                "key": f"{viewpoint + 1}",
            }
        key = {EVERYTHING: "0", SPECTATOR: "s"}[viewpoint]
        return {"name": viewpoint, "seat": None, "label": viewpoint.capitalize(), "key": key}

    def _draw(self, position: Position, viewpoint: Viewpoint) -> Picture:
        key = (viewpoint, position.step)
        if key not in self._pictures:
            self._pictures[key] = GAMES[self._record["game"]].draw(*look(position, viewpoint).views)
        return self._pictures[key]

    def _decision(self, position: Position, decision: Decision) -> int:
        """Return the number of *decision* in the page, which holds it once for all who see it."""
        key = (position.step, decision.seat)
        if key not in self._decision_numbers:
            self._decision_numbers[key] = len(self._decisions)
            self._decisions.append(self._tell_decision(position, decision))
        return self._decision_numbers[key]

    def _tell_decision(self, position: Position, decision: Decision) -> dict[str, Json]:
        game, view = GAMES[self._record["game"]], position.views[decision.seat]
        move = decision.move
        chosen = [game.part_of(view, option) for option in move or ()]
        return {
            "seat": decision.seat,
            "options": [self._number(self._options, option) for option in decision.options],
            "low": decision.low,
            "high": decision.high,
            "several": decision.several,
            "move": None if move is None else [self._number(self._options, option) for option in move],
            "marked": sorted({part for part in chosen if part}),
            "referee": decision.referee,
            "note": visible(decision.note),
            "thinkUs": decision.think_us,
            "bankUs": decision.bank_us,
            "long": decision.long,
        }

    def _part(self, part: Part) -> int:
        """Return the number of *part*: its shape, which the page holds once, its key and its place."""
        if part not in self._numbered:
            found = PLACE.search(part.svg)
            place = found[1] if found else ""
            bare = part.svg[: found.start()] + part.svg[found.end() :] if found else part.svg
            bare = bare.replace(f' data-key="{escape(part.key)}"', "", 1)
            self._numbered[part] = len(self._parts)
            self._parts.append((self._number(self._shapes, bare), part.key, place))
        return self._numbered[part]

    @staticmethod
    def _number(numbers: dict[str, int], text: str) -> int:
        return numbers.setdefault(text, len(numbers))


def _fault(fault: Fault) -> dict[str, Json]:
    return {
        "seat": fault.seat,
        "kind": fault.kind,
        "reason": visible(fault.reason),
        "answer": visible(fault.answer[:ANSWER_SHOWN]),
        "charged": fault.charged,
    }


def _difference(before: Sequence[int], after: Sequence[int]) -> list[Any]:
    """Return how *after* follows from *before*: pieces to replace, each as [first, end, *numbers]."""
    same = next((i for i, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), None)
    if same is None:
        same = min(len(before), len(after))
    old, new = before[same:], after[same:]  # most frames begin alike, and comparing those costs little
    if len(old) == len(new):
        return [[same + i, same + i + 1, b] for i, (a, b) in enumerate(zip(old, new, strict=True)) if a != b]
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    return [
        [same + first, same + end, *new[start:stop]]
        for what, first, end, start, stop in matcher.get_opcodes()
        if what != "equal"
    ]
