"""Many matches side by side: each as by itself, and a new one in the place of each that is over."""

from random import Random

import pytest
from support.learning import IDS, NUMBERED
from support.need import need

pytestmark = pytest.mark.tools


@pytest.fixture(autouse=True)
def numpy():
    return need("numpy")


def make(*arguments, **options):
    from ladder.learn import Tables

    return Tables(*arguments, **options)


@pytest.mark.parametrize(("game", "seats"), NUMBERED, ids=IDS)
def test_what_is_observed_is_what_each_match_shows(game, seats, numpy):
    tables, rng = make(game, seats, 3, seed=1), Random(1)
    over = 0
    for number in range(10**4):
        rows, masks, asked = tables.observe()
        for match, row, mask, seat in zip(tables.matches, rows, masks, asked, strict=True):
            assert match.position.seat == seat
            assert match.mask() == mask.tobytes()
            if number % 10 == 0:
                expected = numpy.empty_like(row)
                match.see(int(seat), expected)
                assert numpy.array_equal(expected, row)
        before = [*tables.matches]
        ended, rewards = tables.step([rng.choice([*mask.nonzero()[0]]) for mask in masks])
        assert [at for at in range(3) if before[at].position.over] == [*ended]
        assert [at for at in range(3) if before[at] is not tables.matches[at]] == [*ended]
        for at, earned in zip(ended, rewards, strict=True):
            assert before[at].rewards() == pytest.approx(earned.tolist())
        over += len(ended)
        if over > 3:
            break
    assert over > 3


@pytest.mark.parametrize(
    ("count", "error", "words"),
    [
        (0, ValueError, "expected 1 match or more, got: 0"),
        (-1, ValueError, "expected 1 match or more, got: -1"),
        (2.5, TypeError, "expected a count of matches as an integer, got: 2.5"),
    ],
)
def test_a_count_that_makes_no_matches_is_refused(count, error, words):
    with pytest.raises(error, match=words):
        make("stellar", 2, count)


def test_the_same_seed_makes_the_same_deals_and_arrays_are_written_anew():
    one, other = make("stellar", 2, 4, seed=5), make("stellar", 2, 4, seed=5)
    assert [match.deal for match in one.matches] == [match.deal for match in other.matches]
    rows, masks, _ = one.observe()
    assert (rows is one.observe()[0], masks is one.observe()[1]) == (True, True)
    with pytest.raises(TypeError, match="integer"):
        make("stellar", seed="5")


@pytest.mark.parametrize(
    ("actions", "error", "words"),
    [
        ([0], ValueError, "expected 2 actions, one for each match, got 1"),
        ([0, 0, 0], ValueError, "expected 2 actions"),
        ([0, 0.5], TypeError, "integer"),
        ([0, None], TypeError, "integer"),
        ([-1, 0], ValueError, "expected an action from 0 to 75, got: -1"),
        ([0, 76], ValueError, "expected an action from 0 to 75, got: 76"),
    ],
)
def test_wrong_actions_are_refused_and_nothing_is_played(actions, error, words):
    tables = make("stella-quest", 2, 2, seed=1)
    before = [match.position.copy() for match in tables.matches]
    legal = [int(mask.argmax()) for mask in tables.observe()[1]]
    given = [legal[at % 2] if action == 0 else action for at, action in enumerate(actions)]
    with pytest.raises(error, match=words):
        tables.step(given)
    assert before == [match.position for match in tables.matches]


def test_an_action_that_the_mask_forbids_is_refused_also_without_a_look():
    tables = make("stella-quest", 3, 2, seed=1)
    tables.step([match.legal()[0] for match in tables.matches])
    tables.observe()[1][:] = 1
    wrong = [next(place for place in range(76) if place not in match.legal()) for match in tables.matches]
    with pytest.raises(ValueError, match="got: '"):
        tables.step(wrong)
