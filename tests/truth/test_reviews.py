"""Whether losses of reviews are what many more worlds say, and planted blunders are named.

A sample at three tables, twice as large with LADDER_FULL=1; `python tests/programs/review_truth.py` has all
tables and more worlds.
"""

from math import hypot
from statistics import mean

import pytest
from programs import review_truth
from programs.review_truth import judge_match, play_on
from support.full import gate_or_full

from ladder.replay.review.loss_names import Z, verdict_of


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "seats", "matches", "worlds", "noise"),
    [
        ("stella-quest", 2, gate_or_full(6, 12), 200, 0.015),
        ("starry-sky", 3, gate_or_full(2, 4), 200, 0.015),
        ("stellar", 2, gate_or_full(2, 3), gate_or_full(200, 500), 0.03),
    ],
)
def test_losses_are_what_many_worlds_say(monkeypatch, game, seats, matches, worlds, noise):
    """The loss that is taken for true rests on *worlds* worlds, and may be off by *noise*."""
    monkeypatch.setattr(review_truth, "FIRST", 30)
    monkeypatch.setattr(review_truth, "WORLDS", worlds)
    found = [each for number in range(matches) for each in judge_match(game, seats, number)]
    assert len(found) > 15
    held = [abs(each.loss - each.true) <= Z * each.se + noise for each in found]
    assert sum(held) >= 0.85 * len(held)
    for each in found:
        if verdict_of(each.loss, each.se):
            assert each.true > 0.01, each
    large = [each for each in found if each.true >= 0.1]
    assert large
    assert sum(bool(verdict_of(each.loss, each.se)) for each in large) >= 0.75 * len(large)
    assert abs(mean(each.loss - each.true for each in found)) < noise, "losses lean to neither side"


@pytest.mark.slow
def test_what_is_promised_is_gained(monkeypatch):
    monkeypatch.setattr(review_truth, "PLAYED_ON", 20)
    matches = gate_or_full(1, 2)
    found = [each for number in range(matches) for each in play_on("stella-quest", 2, number)]
    assert len(found) == 5 * matches
    promised = sum(each.promised for each in found) / len(found)
    gained = sum(each.gained for each in found) / len(found)
    noise = hypot(*(hypot(each.promised_se, each.gained_se) for each in found)) / len(found)
    assert abs(promised - gained) <= 3 * noise
