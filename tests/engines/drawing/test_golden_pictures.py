"""Every step of every golden record is drawn: as each seat sees it, as a spectator does, and everything.

`engines.contract.test_pictures` looks at a few moments of many matches; here no step is left out, and no text
may leave its picture.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from xml.etree import ElementTree as ET

import pytest

from engines import GAMES, replay
from engines.contract.subject import Subject, subject_of
from engines.drawing import Part, Picture, text_width
from engines.games import BUILT_IN

LONGEST = 60_000
"""The most characters of the parts of one picture."""
SUBJECTS = [subject_of(GAMES[name]) for name in BUILT_IN]


def pictures(subject: Subject, seats: int) -> Iterator[tuple[str, Picture]]:
    """Yield what each point of view sees of each step of the golden record."""
    head, *made, _ = map(json.loads, subject.golden(seats).read_text("utf-8").splitlines())
    game = subject.game
    for number, step in enumerate(replay(game, head["deal"], seats, [line["moves"] for line in made])):
        views = [game.view(step.state, seat) for seat in range(seats)]
        for seat, view in enumerate(views):
            yield f"step {number} as seat {seat}", game.draw(view)
        yield f"step {number} as a spectator", game.draw(game.view(step.state, None))
        yield f"step {number} with everything", game.draw(*views)


def texts(group: ET.Element, x: float, y: float) -> Iterator[tuple[ET.Element, float, float]]:
    """Yield the texts in *group*, each with the place of its anchor in the picture."""
    moved = re.fullmatch(r"translate\((\S+) (\S+)\)", group.get("transform", "translate(0 0)"))
    assert moved, f"a group is only moved, got: {group.get('transform')}"
    x, y = x + float(moved[1]), y + float(moved[2])
    for each in group:
        if each.tag == "g":
            yield from texts(each, x, y)
        elif each.tag == "text":
            yield each, x + float(each.get("x", "0")), y + float(each.get("y", "0"))


@cache
def outside(part: Part, width: int, height: int) -> tuple[str, ...]:
    """Return the texts of a part that leave the picture."""
    found = []
    for text, x, y in texts(ET.fromstring(part.svg), 0, 0):
        size = float(text.get("font-size", "0"))
        wide = text_width(text.text or "", size)
        left = x - {"start": 0.0, "middle": wide / 2, "end": wide}[text.get("text-anchor", "start")]
        if left < 0 or left + wide > width or not size / 2 <= y <= height - size / 2:
            found.append(text.text or "")
    return tuple(found)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("subject", "seats"),
    [
        pytest.param(subject, seats, id=f"{subject.game.name}-{seats}")
        for subject in SUBJECTS
        for seats in subject.game.seats
    ],
)
def test_every_step_of_a_golden_record_is_drawn_inside_a_picture_of_one_size(
    subject: Subject, seats: int
) -> None:
    sizes = set()
    for where, picture in pictures(subject, seats):
        keys = [part.key for part in picture.parts]
        assert sorted(set(keys)) == sorted(keys), where
        assert [] == [
            text for part in picture.parts for text in outside(part, picture.width, picture.height)
        ], where
        assert len("".join(part.svg for part in picture.parts)) <= LONGEST, where
        sizes.add((picture.width, picture.height))
    assert 1 == len(sizes), "a page jumps when its picture changes its size"
