"""The matches of a bot that are reviewed."""

import pytest
from support.rated_homes import a_rated_home, rate

from ladder.replay.review.bot_review import newest_matches, tell_one_sided
from results.errors import NoSuchMatch
from results.storage.store import Store


def test_the_newest_matches_of_a_bot_are_read_run_by_run(tmp_path):
    """They are those that are read one by one, the newest first."""
    home = a_rated_home(tmp_path / "home", ["alpha", "beta", "gamma"], 3)
    rate(home, [("gamma", "gamma-1"), ("alpha", "alpha-2")], 2)
    contents = Store(home / "results").contents()
    found = newest_matches(contents, "alpha", None, 10)
    assert [(2, 3), (2, 2), (2, 1), (2, 0)] == [(each.run, each.number) for each in found[:4]]
    assert {1} == {each.run for each in found[4:]}
    assert sorted({each.number for each in found[4:]}, reverse=True) == [each.number for each in found[4:]]
    assert [contents.match(each.run, each.number) for each in found] == found
    assert 10 == len(found)
    assert 12 == len(newest_matches(contents, "alpha", "alpha-1", 99))
    assert [] == newest_matches(contents, "nobody", None, 5)
    with pytest.raises(NoSuchMatch):
        [*contents.some_matches(1, [0, 99])]


@pytest.mark.parametrize(
    ("beaten", "told"),
    [
        (0.0, "it beat 0 % of the others: where a match is as good as lost"),
        (0.98, "it beat 98 % of the others: where a match is as good as won"),
        (0.3, ""),
    ],
)
def test_a_rate_from_matches_that_were_decided_early_is_no_measure(beaten, told):
    assert tell_one_sided(beaten).startswith(told)
    assert bool(told) == bool(tell_one_sided(beaten))
