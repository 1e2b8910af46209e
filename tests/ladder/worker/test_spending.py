"""Who has used the time of a run."""

import pytest
from support import ladders

from ladder.worker.spending import Outlay, Share, Spending

SECOND = 1_000_000


def spending(thinking, starting, matches):
    """Return what bots have used, in seconds."""
    spending = Spending()
    spending.add_matches(matches)
    for bot, seconds in thinking.items():
        spending.add_thinking(bot, seconds * SECOND)
    spending.add({bot: Outlay(2, round(seconds * SECOND)) for bot, seconds in starting.items()})
    return spending


@pytest.mark.parametrize(
    ("thinking", "starting", "matches", "expected"),
    [
        ({"a@1": 60, "b@1": 2, "c@1": 3}, {}, 80, [("a@1", 0.75)]),
        ({"a@1": 1, "b@1": 2, "c@1": 3}, {"a@1": 59, "b@1": 1}, 20, [("a@1", 0.75)]),
        ({"a@1": 20, "b@1": 10, "c@1": 10}, {}, 40, []),  # twice the others is no outlier
        ({"a@1": 60, "b@1": 2, "c@1": 3}, {}, 1000, []),  # nor is a twentieth of the time
        ({"a@1": 4, "b@1": 0.1, "c@1": 0.1}, {}, 5, []),  # nor are four seconds
        ({"a@1": 60}, {}, 60, []),  # nor is who plays without others
        ({}, {}, 0, []),
    ],
)
def test_an_outlier_has_used_far_more_than_the_others_and_much_of_the_time(
    thinking, starting, matches, expected
):
    found = spending(thinking, starting, matches).outliers()
    assert expected == [(share.bot, share.part) for share in found]


def test_a_share_tells_thinking_from_starting():
    (share,) = spending({"a@1": 10, "b@1": 1}, {"a@1": 50}, 30).outliers()
    assert Share("a@1", 0.75, 10, 50, 2) == share


def test_what_workers_tell_adds_up():
    spending = Spending()
    for _ in range(2):
        spending.add({"a@1": Outlay(1, 5, 3), "b@1": Outlay(1, 7)})
    assert {"a@1": Outlay(2, 10, 6), "b@1": Outlay(2, 14)} == spending.outlays
    assert {"a@1": 6} == spending.count_overstays()


@pytest.mark.parametrize(
    ("waits", "expected"),
    [
        ({"a@1": 5, "b@1": 0}, {"a@1": (5, 10.0, 0)}),
        ({"a@1": 4, "b@1": 0}, {}),
        ({"a@1": 14, "b@1": 1, "c@1": 1}, {"a@1": (14, 28.0, 2)}),
        ({"a@1": 6, "b@1": 2}, {"a@1": (6, 12.0, 2)}),
        ({"a@1": 6, "b@1": 3}, {}),
        ({"a@1": 30, "b@1": 30, "c@1": 30}, {}),
    ],
)
def test_a_bot_that_was_waited_for_is_named_from_five_times_and_three_times_its_share_on(waits, expected):
    spending = Spending()
    for bot, times in waits.items():
        spending.add_thinking(bot, 1)
        spending.add({bot: Outlay(waits=times, waited_us=2 * SECOND * times)})
    assert expected == spending.waited_for()


@pytest.mark.slow
def test_the_end_of_a_run_names_who_used_the_time_and_who_would_not_leave(tmp_path):
    bots = {"slow": {"sleep": 0.4}, "quick": {}, "other": {}, "deaf": {"stays": True}}
    home = ladders.a_home(tmp_path / "home", bots)
    done = ladders.run_command(
        home.path, "--games", "12", "--seed", "1", "--schedule", "round-robin", "-j", "2"
    )
    assert 0 == done.returncode, done.stderr
    lines = done.stderr.splitlines()
    (used,) = [line for line in lines if " of the time: " in line]
    assert used.startswith("slow used ")
    assert " s thinking, " in used
    assert "match_s = SECONDS" in lines[lines.index(used) + 1]
    killed = [line for line in lines if "did not exit after bye" in line]
    assert 1 == len(killed)
    assert killed[0].startswith("deaf did not exit after bye: ")


@pytest.mark.slow
def test_the_end_of_a_run_of_alike_and_polite_bots_says_nothing_of_it(tmp_path):
    home = ladders.a_home(tmp_path / "home")
    done = ladders.run_command(home.path, "--games", "12", "--seed", "1")
    assert 0 == done.returncode, done.stderr
    assert " of the time: " not in done.stderr
    assert "after bye" not in done.stderr
