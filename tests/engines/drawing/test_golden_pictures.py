"""The steps of every golden record are drawn: as each seat sees them, as a spectator does, and everything.

`engines.contract.test_pictures` looks at a few moments of many matches; here each third step is drawn, and
with LADDER_FULL=1 none is left out.  In the widest of common fonts no text may leave its picture, or cover
another.
"""

import json

import pytest
from support.full import every

from engines import GAMES, replay
from engines.contract.subject import subject_of
from engines.contract.texts import faults_of
from engines.games import BUILT_IN

LONGEST = 60_000
"""The most characters of the parts of one picture."""
SUBJECTS = [subject_of(GAMES[name]) for name in BUILT_IN]


def pictures(subject, seats):
    """Yield what each point of view sees of each step of the golden record."""
    head, *made, _ = map(json.loads, subject.golden(seats).read_text("utf-8").splitlines())
    game = subject.game
    for number, step in enumerate(replay(game, head["deal"], seats, [line["moves"] for line in made])):
        if number % every(3):
            continue
        views = [game.view(step.state, seat) for seat in range(seats)]
        for seat, view in enumerate(views):
            yield f"step {number} as seat {seat}", game.draw(view)
        yield f"step {number} as a spectator", game.draw(game.view(step.state, None))
        yield f"step {number} with everything", game.draw(*views)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("subject", "seats"),
    [
        pytest.param(subject, seats, id=f"{subject.game.name}-{seats}")
        for subject in SUBJECTS
        for seats in subject.game.seats
    ],
)
def test_every_step_of_a_golden_record_is_drawn_inside_a_picture_of_one_size(subject, seats):
    sizes = set()
    for where, picture in pictures(subject, seats):
        keys = [part.key for part in picture.parts]
        assert sorted(set(keys)) == sorted(keys), where
        faults = [*faults_of(picture, across=True)]
        assert not faults, "\n".join([where, *faults])
        assert len("".join(part.svg for part in picture.parts)) <= LONGEST, where
        sizes.add((picture.width, picture.height))
    assert 1 == len(sizes), "a page jumps when its picture changes its size"
