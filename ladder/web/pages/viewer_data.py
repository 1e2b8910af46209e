"""The data of a replay viewer: each shape, part, line and option once, and frames as differences.

A frame is one position from one point of view.  `shapes` are SVG fragments, each once; `parts` are
[shape, key, place], and the place in the wide layout, if there is one; a frame lists the changes of a view's
parts since the frame before, as [first, end, *parts] for each piece that is replaced.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, TypeVar

from markupsafe import Markup

from engines.drawing import Caption, Part, Picture, escape
from ladder.games.shown_game import ShownGame
from ladder.live.live_request import PERSON
from ladder.replay.review.loss_names import verdict_of
from ladder.replay.review.loss_words import name_unit, promises_of, tell_cost, unit_of
from ladder.replay.review.summary import costliest
from ladder.replay.steps import (
    EVERYTHING,
    SPECTATOR,
    Decision,
    FullPosition,
    Replayed,
    ShownFault,
    Sight,
    Viewpoint,
    look,
)
from ladder.web.pages.environment import visible
from ladder.web.pages.step_charts import lay_timeline
from results.record import Json
from results.reports.labels import tell_apart
from results.reviewed import ReviewedStep

T = TypeVar("T")

PLACE: Final = re.compile(r' transform="translate\(([-0-9. e]+)\)"')
"""Where a part stands: engines.drawing.make_part writes it."""
MOST_GUESSES: Final = 5
"""The most decisions of which a page asks what the visitor would play."""
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

    def __init__(
        self,
        record: Mapping[str, Json],
        seats: Sequence[SeatShown],
        replayed: Replayed,
        review: Sequence[ReviewedStep] = (),
    ) -> None:
        self._record = record
        self._reviewed = {(row.step, row.seat): row for row in review if row.loss is not None}
        self._chances: dict[int, list[int | None]] = {}
        for row in review:
            if row.chance_seen is not None:
                here = self._chances.setdefault(row.step, [None] * len(seats))
                here[row.seat] = round(100 * row.chance_seen)
        self._seats = seats
        self._called = tell_apart([seat.label for seat in seats])
        """What the seats are called in pictures and in sentences."""
        self._positions = replayed.positions
        if self._positions:  # else the game may be none of this ladder's
            self._game = ShownGame(record["game"])
        self._shapes: dict[str, int] = {}
        self._parts: list[tuple[int, tuple[str, ...]]] = []
        self._numbered: dict[tuple[Part, tuple[float, float] | None], int] = {}
        self._lines: dict[str, int] = {}
        self._captions: dict[Caption, int] = {}
        self._events: dict[tuple[int, ...], int] = {}
        self._sketches: dict[int, str] = {}
        """The keys of the small pictures, by the numbers of their shapes."""
        self._line_numbers: dict[str, int] = {}
        self._event_numbers: dict[str, int] = {}
        """The numbers of lines by what a game writes, and of events by their fields: each is told once."""
        self._options: dict[str, int] = {}
        self._option_numbers: dict[str, int] = {}
        """The numbers of options by what a game says of them."""
        self._decisions: list[dict[str, Json]] = []
        self._decision_numbers: dict[tuple[int, int], int] = {}
        self._pictures: dict[tuple[Viewpoint, int], Picture] = {}

    def pages(self, views: list[dict[str, Json]]) -> dict[str, Json]:
        """Return the data of the block, with *views* that this object has made."""
        made = self._record["seats"]
        shapes, parts, events = self._sort_shapes()
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
                    **({"chances": self._chances.get(position.step)} if self._chances else {}),
                }
                for position in self._positions
            ],
            "timeline": lay_timeline(self._positions, self._chances),
            "shapes": shapes,
            "parts": parts,
            "lines": list(self._lines),
            "events": events,
            "captions": [[key, visible(name), visible(text)] for key, name, text in self._captions],
            "options": list(self._options),
            "decisions": self._decisions,
            "guesses": self._guesses(),
            "views": views,
        }

    def _guesses(self) -> list[tuple[int, int]]:
        """Return the step and the number of what surely cost most: of a person, else of a seat that lost."""
        made = self._record["seats"]
        seats = sorted({seat for _, seat in self._reviewed})
        seats.sort(key=lambda seat: (made[seat]["version"] == PERSON.version, made[seat]["rank"]))
        rows = [row for row in self._reviewed.values() if row.seat in seats[-1:] and row.promised]
        steps = [(row.step, row.seat) for row in costliest(rows, MOST_GUESSES)]
        found = [
            (step, self._decision_numbers[step, seat])
            for step, seat in steps
            if (step, seat) in self._decision_numbers
        ]
        return [(step, number) for step, number in found if not self._decisions[number]["several"]]

    def last_board(self, viewpoint: Viewpoint) -> Markup:
        """Return the last picture that *viewpoint* sees, as it stands in a page without JavaScript."""
        if not self._positions:
            return Markup("")
        return Markup(self._draw(look(self._positions[-1], viewpoint), viewpoint).svg())  # noqa: S704 - drawings escape what they show

    def last_captions(self, viewpoint: Viewpoint) -> Sequence[Caption]:
        """Return what is read beside last_board(*viewpoint*)."""
        if not self._positions:
            return ()
        return self._draw(look(self._positions[-1], viewpoint), viewpoint).captions

    def view(self, viewpoint: Viewpoint) -> dict[str, Json]:
        """Return the frames of *viewpoint*, each as the difference to the one before."""
        frames: list[dict[str, Json]] = []
        parts: list[int] = []
        lines: list[int] = []
        captions: list[int] = []
        explain = self._game.explain() if self._positions else dict
        for position in self._positions:
            sight = look(position, viewpoint)
            picture = self._draw(sight, viewpoint)
            wide = picture.wide
            now = [self._part(part, wide and wide.places[part.key]) for part in picture.parts]
            read = [self._number(self._captions, caption) for caption in picture.captions]
            told = [self._line(line) for line in picture.description.split("\n")]
            frames.append(
                {
                    "size": [picture.width, picture.height, *(wide or ())[:2]],
                    "title": self._line(picture.title),
                    # From one frame to the next most parts stay where they are: whole frames would hold each
                    # part as often as there are positions and points of view.
                    "parts": _difference(parts, now),
                    "text": _difference(lines, told),
                    "captions": _difference(captions, read),
                    "events": [self._event(explain(event)) for event in sight.events],
                    "decisions": [self._decision(position, made) for made in sight.decisions],
                    "faults": [_fault(fault) for fault in sight.faults],
                }
            )
            parts, lines, captions = now, told, read
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

    def _draw(self, sight: Sight, viewpoint: Viewpoint) -> Picture:
        key = (viewpoint, sight.step)
        picture = self._pictures.get(key)
        if picture is None:
            picture = self._game.draw(*sight.views, names=self._called)
            self._pictures[key] = picture
        return picture

    def _decision(self, position: FullPosition, decision: Decision) -> int:
        """Return the number of *decision* in the page, which holds it once for all who see it."""
        key = (position.step, decision.seat)
        if key not in self._decision_numbers:
            self._decision_numbers[key] = len(self._decisions)
            self._decisions.append(self._tell_decision(position, decision))
        return self._decision_numbers[key]

    def _tell_decision(self, position: FullPosition, decision: Decision) -> dict[str, Json]:
        view = position.views[decision.seat]
        move = decision.move
        chosen = [part.keys[0] for option in move or () for part in self._game.parts_of(view, option)]
        # how long a person thought is private
        by_person = self._seats[decision.seat].version == PERSON.version
        told: dict[str, Json] = {
            "seat": decision.seat,
            "options": self._number_options(view, decision.options),
            "low": decision.low,
            "high": decision.high,
            "several": decision.several,
            "move": None if move is None else self._number_options(view, move),
            "marked": sorted({*chosen}),
            "referee": decision.referee,
            "note": visible(decision.note),
            "thinkUs": None if by_person else decision.think_us,
            "bankUs": None if by_person else decision.bank_us,
            "long": decision.long and not by_person,
        }
        row = self._reviewed.get((position.step, decision.seat))
        if row is not None and move is not None:
            told["review"] = self._tell_review(row, view, move)
        return told

    def _tell_review(
        self, row: ReviewedStep, view: Mapping[str, Json], move: Sequence[str]
    ) -> dict[str, Json]:
        """Return what a review says of a decision: it follows from what the seat knew, and from no more."""
        return {
            "named": bool(verdict_of(row.loss or 0.0, row.loss_se or 0.0)),
            "cost": tell_cost(row, move, unit_of(row.game, row.seats)),
            "unit": name_unit(row.seats),
            "why": visible(row.why or ""),
            "promised": [
                [self._number_options(view, options), share, is_played]
                for options, share, is_played in promises_of(row, move)
            ],
        }

    def _number_options(self, view: Mapping[str, Json], options: Sequence[str]) -> list[int]:
        """Return the numbers of *options* in words."""
        numbers = self._option_numbers
        said = self._game.say(view, options)
        for words in said:
            if words not in numbers:
                numbers[words] = self._number(self._options, visible(words))
        return [numbers[words] for words in said]

    def _part(self, part: Part, wide: tuple[float, float] | None) -> int:
        """Return the number of *part*: its shape, which the page holds once, its key and its places."""
        number = self._numbered.get((part, wide))
        if number is None:
            found = PLACE.search(part.svg)
            place = found[1] if found else ""
            bare = part.svg[: found.start()] + part.svg[found.end() :] if found else part.svg
            bare = bare.replace(f' data-key="{escape(part.key)}"', "", 1)
            number = self._numbered[part, wide] = len(self._parts)
            also = (f"{wide[0]:g} {wide[1]:g}",) if wide else ()
            self._parts.append((self._number(self._shapes, bare), (part.key, place, *also)))
        return number

    def _line(self, line: str) -> int:
        """Return the number of a *line* of text."""
        number = self._line_numbers.get(line)
        if number is None:
            number = self._line_numbers[line] = self._number(self._lines, visible(line))
        return number

    def _event(self, event: Mapping[str, Json]) -> int:
        """Return the number of *event*: of the line that tells it, with its small pictures."""
        fields = repr(event)
        number = self._event_numbers.get(fields)
        if number is None:
            options = self._record["options"]
            sketches = [self._sketch(picture) for picture in self._game.sketches(event, options)]
            told = (self._line(self._game.tell(event, self._called, options)), *sketches)
            number = self._event_numbers[fields] = self._number(self._events, told)
        return number

    def _sketch(self, picture: Picture) -> int:
        """Return the number of the shape of a small *picture*."""
        number = self._number(self._shapes, picture.svg())
        self._sketches[number] = picture.parts[0].key
        return number

    def _sort_shapes(self) -> tuple[list[str], list[tuple[int | str, ...]], list[tuple[int, ...]]]:
        """Return the shapes, those of one thing beside each other, and the parts and events that use them.

        They look alike, so a page of Stella is an eighth smaller when it is compressed.
        """
        first_key = dict(self._sketches)
        for shape, (key, *_) in self._parts:
            first_key.setdefault(shape, key)
        order = sorted(first_key, key=lambda shape: (first_key[shape], shape))
        numbers = {shape: number for number, shape in enumerate(order)}
        shapes = [*self._shapes]
        parts: list[tuple[int | str, ...]] = [(numbers[shape], *told) for shape, told in self._parts]
        events = [(line, *(numbers[shape] for shape in sketches)) for line, *sketches in self._events]
        return [shapes[shape] for shape in order], parts, events

    @staticmethod
    def _number(numbers: dict[T, int], thing: T) -> int:
        return numbers.setdefault(thing, len(numbers))


def _fault(fault: ShownFault) -> dict[str, Json]:
    return {
        "seat": fault.seat,
        "kind": fault.kind,
        "reason": visible(fault.reason),
        "answer": visible(fault.answer[:ANSWER_SHOWN]),
        "charged": fault.charged,
    }


def _difference(before: list[int], after: list[int]) -> list[list[int]]:
    """Return how *after* follows from *before*: pieces to replace, each as [first, end, *numbers]."""
    if before == after:
        return []
    places: dict[int, int] = {}
    for at in range(len(before) - 1, -1, -1):
        places[before[at]] = at
    pieces: list[list[int]] = []
    added: list[int] = []
    kept = 0
    for number in after:
        # What both have stands in the same order, with rare exceptions: those are sent again.
        place = places.get(number, -1)
        if place < kept:
            added.append(number)
            continue
        if place > kept or added:
            pieces.append([kept, place, *added])
            added = []
        kept = place + 1
    if kept < len(before) or added:
        pieces.append([kept, len(before), *added])
    return pieces
