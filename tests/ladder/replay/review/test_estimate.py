"""The loss of a decision, where the truth is known."""

from statistics import mean

import pytest
from programs.search_duels import choose

from engines.judge import Prospects
from ladder.replay.review.effort import Effort
from ladder.replay.review.estimate import estimate
from ladder.replay.review.loss_names import is_open, verdict_of
from ladder.replay.review.worlds import WorldSource

EFFORT = Effort(share=1.0, most=0, line=0)


class Guess:
    """A position in which seat 0 picks one of some options, each worth its own mean and some noise."""

    def __init__(self, luck, played=None):
        self.luck = luck
        self.played = played
        self.seat = 0
        self.over = False

    def copy(self):
        return Guess(self.luck, self.played)

    def play(self, option):
        self.played = option

    def options(self):
        return range(len(self.luck))


class Guesses:
    """The rules: in every world the options have other noise, and a part of it is common to all of them."""

    name = "guesses"
    version = 1

    def __init__(self, means, noise):
        self.means = means
        self.noise = noise

    def imagine(self, view, rng):
        common = rng.gauss(0, self.noise)
        return [mean + common + rng.gauss(0, self.noise) for mean in self.means]

    def position(self, luck):
        return Guess(luck)


class GuessJudge:
    """Says what a world has for the option that was played."""

    name = "guess-1"
    width = 99

    def __init__(self, worlds):
        self.worlds = worlds

    def prospects(self, position, rng):
        """Return the luck of what was played, and the opposite for the other seat."""
        found = position.luck[position.played]
        return Prospects([found, 1 - found], [10 * found, 0.0])

    def promising(self, position):
        return position.options()


def source(game, judge, number):
    return WorldSource(game, judge, b'{"number":%d}' % number, 0, asked=True)


def estimates(means, played, times=60, worlds=8, effort=EFFORT):
    """Return the estimates of several decisions, each from other worlds."""
    game, judge = Guesses(means, 0.1), GuessJudge(worlds)
    return [estimate(source(game, judge, number), judge, 0, played, effort) for number in range(times)]


def test_where_all_options_are_equal_the_highest_of_noise_is_hardly_a_loss():
    """The best of many noisy means is higher than all of them: the halves take most of that out again."""
    found = estimates([0.5] * 12, played=3, times=40)
    highest = [
        max(value.result for value in each.options)
        - next(value.result for value in each.options if value.option == 3)
        for each in found
    ]
    assert 0 < mean(each.loss for each in found) < mean(highest) / 3
    assert not any(verdict_of(each.loss, each.se) for each in found)


def test_the_best_of_close_options_is_not_found_too_small():
    """Each half may choose what is not best, and measures that where it was not chosen."""
    found = [each.loss for each in estimates([0.5, 0.53, 0.55, 0.52, 0.54], played=0, worlds=4)]
    assert 0.05 == pytest.approx(mean(found), abs=0.01)


def test_a_clear_loss_is_found_in_full():
    found = estimates([0.5, 0.5, 0.7, 0.4, 0.3], played=4)
    losses = [each.loss for each in found]
    assert 0.4 == pytest.approx(mean(losses), abs=0.01)
    assert all(each.best == 2 for each in found)
    assert 10 * mean(losses) == pytest.approx(mean(each.points for each in found))


def test_intervals_cover_the_truth():
    """The interval of a single loss holds the true one about as often as it says.

    Of 300 for each: 91 to 99 %, the least where seven options are 0.01 apart.
    """
    for means, played in (([0.5, 0.56, 0.44, 0.53], 0), ([0.5, 0.45, 0.42], 0), ([0.4, 0.55, 0.5, 0.3], 3)):
        true = max(means) - means[played]
        held = [
            abs(each.loss - true) <= 1.96 * each.se + 1e-12 for each in estimates(means, played, times=40)
        ]
        assert mean(held) > 0.88


def test_the_best_option_has_no_loss_and_an_interval():
    found = estimates([0.5, 0.46], played=0)
    assert 0 == pytest.approx(mean(each.loss for each in found), abs=0.02)
    assert any(each.se > 0 for each in found), "it may be worse after all"


def test_the_played_option_is_tried_to_the_end_whatever_it_is_worth():
    for each in estimates([0.9] * 9 + [0.1], played=9, times=10):
        assert 9 in [value.option for value in each.options]
        assert max(value.worlds for value in each.options) == each.worlds


def test_an_open_verdict_is_worth_more_worlds():
    effort = EFFORT._replace(most=32)
    few, more = (estimates([0.5, 0.55], played=0, times=12, effort=each) for each in (EFFORT, effort))
    assert mean(each.worlds for each in few) < mean(each.worlds for each in more)
    assert all(each.worlds <= 512 for each in more)
    assert not any(is_open(each.loss, each.se) and each.worlds < 512 for each in more)


def test_each_half_chooses_again_by_all_its_worlds():
    """Where the best of many options are close, more worlds find the better one, and more of its loss."""
    means = [0.5, 0.56, 0.58, *[0.4] * 5]
    few, more = (estimates(means, 0, 12, worlds=4, effort=EFFORT._replace(most=most)) for most in (0, 128))
    assert mean(each.best == 2 for each in few) < mean(each.best == 2 for each in more)
    assert mean(each.loss for each in more) == pytest.approx(0.08, abs=0.015)


def test_what_is_surely_worse_is_tried_no_further():
    effort = EFFORT._replace(most=128)
    for each in estimates([0.5, 0.532, 0.1, 0.1], played=0, times=6, effort=effort):
        worlds = {value.option: value.worlds for value in each.options}
        assert max(worlds[2], worlds[3]) <= 64
        assert worlds[0] == worlds[1] == each.worlds


def test_the_first_of_each_order_are_tried_in_turns():
    """What is promising may depend on the world."""

    class Undecided(GuessJudge):
        width = 2

        def promising(self, position):
            options = [*position.options()]
            return options if position.luck[0] > position.luck[3] else options[::-1]

    judge = Undecided(8)
    tried = set()
    for number in range(20):
        found = estimate(source(Guesses([0.5] * 4, 0.1), judge, number), judge, 0, 0, EFFORT)
        assert 2 <= len(found.options) <= 3
        tried |= {frozenset(value.option for value in found.options)}
    assert frozenset({0, 3}) in tried, "the first of both orders"
    assert not any({1, 2} <= each for each in tried), "never the second of one while the other has a first"


def test_the_same_view_is_judged_alike_and_another_one_by_itself():
    one, again = estimates([0.5, 0.6, 0.4], 0, 12), estimates([0.5, 0.6, 0.4], 0, 12)
    assert one == again
    assert len({each.loss for each in one}) > 6


def test_a_forced_move_has_no_loss():
    game, judge = Guesses([0.5], 0.1), GuessJudge(8)
    with pytest.raises(ValueError, match="no loss"):
        estimate(source(game, judge, 0), judge, 0, 0, EFFORT)


def test_a_bot_that_plays_by_the_judge_finds_the_best():
    game, judge = Guesses([0.5, 0.9, 0.4, 0.45], 0.05), GuessJudge(8)
    assert {1} == {choose(source(game, judge, number), judge, 0, EFFORT) for number in range(20)}


@pytest.mark.parametrize(
    ("loss", "se", "name"),
    [
        (0.031, 0.0, "inaccuracy"),
        (0.031, 0.01, ""),
        (0.08, 0.005, "mistake"),
        (0.08, 0.02, "inaccuracy"),
        (0.3, 0.05, "blunder"),
        (-0.1, 0.0, ""),
    ],
)
def test_a_decision_is_named_only_where_that_is_sure(loss, se, name):
    assert name == verdict_of(loss, se)
