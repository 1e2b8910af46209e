"""The data of a replay viewer: each shape, part, line and option once, and frames as differences.

A frame is one position from one point of view.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any, Final, NamedTuple

from markupsafe import Markup

from engines import GAMES
from engines.drawing import Part, Picture, escape
from ladder.live.live_request import PERSON
from ladder.replay.steps import (
    EVERYTHING,
    SPECTATOR,
    Decision,
    FullPosition,
    Replayed,
    ShownFault,
    Viewpoint,
    look,
)
from ladder.web.pages.board_pictures import draw_board, parts_clicked, say_option
from ladder.web.pages.environment import visible
from results.record import Json
from results.reports.labels import tell_apart

__all__ = ["SeatShown", "ViewerData"]

PLACE: Final = re.compile(r' transform="(translate\([-0-9. e]+\))"')
"""Where a part stands: engines.drawing.make_part writes it."""
ANSWER_SHOWN: Final = 300
"""The most characters of an answer that are shown with a fault."""


class SeatShown(NamedTuple):
    """A seat as the page shows it."""

    number: int
    label: str
    bot: str
    version: str
    rank: int | None
    score: int | None
    fault: str
    icon: Markup


class ViewerData:
    """Collects what the positions of a match have in common, so that the page holds it once."""

    def __init__(self, record: Mapping[str, Json], seats: Sequence[SeatShown], replayed: Replayed) -> None:
        self._record = record
        self._seats = seats
        self._called = tell_apart([seat.label for seat in seats])
        """What the seats are called in pictures and in sentences."""
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
        """Return the data of the block, with *views* that this object has made."""
        made = self._record["seats"]
        limits = [self._record["limits"] | seat.get("limits", {}) for seat in made]
        return {
            "match": f"{self._record['run']}/{self._record['number']}",
            "seats": [
                {
                    "label": seat.label,
                    "icon": str(seat.icon),
                    "rank": seat.rank,
                    "score": seat.score,
                    "fault": seat.fault,
                    "freeMs": held.get("move_ms"),
                }
                for seat, held in zip(self._seats, limits, strict=True)
            ],
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
            tell = GAMES[self._record["game"]].tell
            events = [visible(tell(event, self._called)) for event in sight.events]
            frames.append(
                {
                    "size": [picture.width, picture.height],
                    "title": self._number(self._lines, visible(picture.title)),
                    # From one frame to the next most parts stay where they are: whole frames would hold each
                    # part as often as there are positions and points of view.
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

    def _draw(self, position: FullPosition, viewpoint: Viewpoint) -> Picture:
        key = (viewpoint, position.step)
        if key not in self._pictures:
            self._pictures[key] = draw_board(
                GAMES[self._record["game"]], *look(position, viewpoint).views, names=self._called
            )
        return self._pictures[key]

    def _decision(self, position: FullPosition, decision: Decision) -> int:
        """Return the number of *decision* in the page, which holds it once for all who see it."""
        key = (position.step, decision.seat)
        if key not in self._decision_numbers:
            self._decision_numbers[key] = len(self._decisions)
            self._decisions.append(self._tell_decision(position, decision))
        return self._decision_numbers[key]

    def _tell_decision(self, position: FullPosition, decision: Decision) -> dict[str, Json]:
        game, view = GAMES[self._record["game"]], position.views[decision.seat]
        move = decision.move
        chosen = [part.keys[0] for option in move or () for part in parts_clicked(game, view, option)]
        # how long a person thought is private
        by_person = self._seats[decision.seat].version == PERSON.version

        def number(option: str) -> int:
            return self._number(self._options, visible(say_option(game, view, option)))

        return {
            "seat": decision.seat,
            "options": [number(option) for option in decision.options],
            "low": decision.low,
            "high": decision.high,
            "several": decision.several,
            "move": None if move is None else [number(option) for option in move],
            "marked": sorted({*chosen}),
            "referee": decision.referee,
            "note": visible(decision.note),
            "thinkUs": None if by_person else decision.think_us,
            "bankUs": None if by_person else decision.bank_us,
            "long": decision.long and not by_person,
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


def _fault(fault: ShownFault) -> dict[str, Json]:
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
