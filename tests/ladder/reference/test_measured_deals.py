"""What deals say: shares with honest intervals, and when a bot does worse on new deals."""

from random import Random

import pytest
from support.full import gate_or_full
from support.measured import draw_measurement

from ladder.reference.reference_set import load_set
from ladder.reference.set_match import is_worse, share_beaten

STELLAR = load_set().contest("stellar", 2)


def draw_shares(rng, blocks, chances, luck=0.3):
    """Draw matches in which a bot beats each other with its own chance, and ties are frequent.

    In a share *luck* of deals all is won or lost together.
    """
    deals = []
    for number in range(blocks):
        others, together = [(number * 3 + i) % len(chances) for i in range(3)], rng.random() < luck
        one = rng.random()
        drawn = [(other, one if together else rng.random()) for other in others for _ in range(4)]
        deals.append(
            tuple(
                (other, 0.5 if abs(x - chances[other]) < 0.05 else float(x < chances[other]))
                for other, x in drawn
            )
        )
    return deals


def test_each_bot_weighs_the_same_in_the_share_beaten():
    assert 0.5 == share_beaten([((0, 1.0),)] * 30 + [((1, 0.0),)] * 10).share


def test_a_bot_without_a_loss_has_a_lower_end():
    assert "100 of 100 (89 to 100)" == share_beaten([((0, 1.0),)] * 30).text


def test_a_few_deals_that_are_alike_say_little():
    assert "75 of 100 (55 to 88)" == share_beaten([((0, 1.0), (1, 0.5), (0, 1.0), (1, 0.5))] * 3).text


def test_nothing_that_was_judged_marks_nothing():
    assert not is_worse(STELLAR, STELLAR.little, [], [((0, 1.0),)] * 100)


@pytest.mark.parametrize(("blocks", "luck"), [(25, 0.3), (400, 0.3), (400, 0.9)])
def test_95_of_100_intervals_hold_the_share(blocks, luck):
    chances, rng = [0.05, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.97], Random(f"{blocks}/{luck}")
    truth = sum(chances) / len(chances)
    number = gate_or_full(60, 1000)
    drawn = [share_beaten(draw_shares(rng, blocks, chances, luck)) for _ in range(number)]
    held = sum(each.low <= truth <= each.high for each in drawn)
    assert 0.95 == pytest.approx(held / number, abs=3 * (0.95 * 0.05 / number) ** 0.5)


def test_a_bot_that_is_8_points_worse_is_found_and_one_that_is_as_good_is_not():
    rng = Random(4)
    public, same, worse = (
        draw_measurement(STELLAR, rating, blocks, rng)
        for rating, blocks in ((30.0, 1200), (30.0, 120), (22.0, 120))
    )
    assert (False, True) == (same.is_worse_than(public), worse.is_worse_than(public))
    assert not public.is_worse_than(worse)
