"""How far a bot is above an anchor: which one, and what the rows and tables of its history say."""

from dataclasses import replace
from itertools import combinations

import pytest
from support.boards import rate_results, record_wins

from results.rating.fit import fit
from results.rating.outcomes import Counts, FinishOrder
from results.rating.parameters import Draws, Parameters
from results.reports.anchors import above_of, columns_above, find_anchor
from results.reports.render import render


def even(*bots):
    return [each for a, b in combinations(bots, 2) for each in record_wins(a, b, 30) + record_wins(b, a, 20)]


def anchor_of(results, bot="mine"):
    found = find_anchor(rate_results(results), (bot, f"{bot}-1"))
    return found and found[0]


@pytest.mark.parametrize(
    ("results", "anchor"),
    [
        (even("mine", "greedy", "r1-greedy", "random"), "r1-greedy"),
        (even("mine", "greedy", "random"), "greedy"),
        (even("mine", "greedy") + record_wins("mine", "r1-greedy", 30), "greedy"),
        (even("mine", "random") + record_wins("mine", "greedy", 30), "random"),
        (record_wins("mine", "random", 30) + even("mine", "other"), None),
        (even("mine", "other") + even("greedy", "random"), None),
    ],
    ids=["the reference", "the house", "no bound to it", "neither to greedy", "bounds alone", "never met"],
)
def test_the_anchor_is_the_first_to_which_the_difference_has_both_ends(results, anchor):
    assert anchor == anchor_of(results)


def test_a_bot_and_its_versions_are_no_anchor_of_their_own():
    assert "random" == anchor_of(even("mine", "greedy", "random"), "greedy")
    assert None is anchor_of(even("greedy", "other"), "greedy")


def test_the_anchor_of_the_settings_goes_first_also_if_it_no_longer_plays_but_not_if_it_met_nobody():
    rated = rate_results(even("mine", "greedy", "old"))
    for anchor, found in ((("old", "old-1"), "old"), (("gone", "gone-1"), "greedy"), (None, "greedy")):
        of = replace(rated, parameters=replace(rated.parameters, anchor=anchor))
        assert found == find_anchor(of, ("mine", "mine-1"))[0]


def test_what_is_told_beside_an_anchor_does_not_move_when_others_come():
    """The rating of a fell by 5 in a dozen matches when a version more came: the mean had moved."""
    a, g = ("a", "1"), ("greedy", "1")
    of = Parameters(25 / 6, Draws.of(0.01))
    first = {FinishOrder((a, g), (False,)): 60, FinishOrder((g, a), (False,)): 40}
    come = {}
    for number in range(12):
        other = (f"n{number}", "1")
        come |= {FinishOrder((other, a), (False,)): 40, FinishOrder((a, other), (False,)): 2}
    before, after = fit(Counts(first), of), fit(Counts(first | come), of)
    fell = before.mu[before.bots.index(a)] - after.mu[after.bots.index(a)]
    rows = [above_of(known, a, g) for known in (before, after)]
    assert fell > 3
    assert rows[0]["above"] == pytest.approx(rows[1]["above"], abs=0.6)
    assert all(row["above_low"] < row["above"] < row["above_high"] for row in rows)


def test_without_an_anchor_a_rating_is_beside_the_bots_that_it_met():
    for others, beside in (((), "all bots"), (even("x", "y"), "the bots that it has met")):
        board = rate_results([*even("mine", "other"), *others])
        told = above_of(board.fit, ("mine", "mine-1"), None)["beside"]
        assert f"beside the mean of {beside}, which moves when others come" == told


def test_rows_from_before_the_anchor_came_have_empty_cells_and_bounds_have_no_margin():
    rated = rate_results(even("mine", "greedy"))
    known, mine, greedy = rated.fit, ("mine", "mine-1"), ("greedy", "greedy-1")
    row = above_of(known, mine, greedy)
    assert (known.mu[1] - known.mu[0], "greedy") == (row["above"], row["anchor"])
    none = above_of(known, mine, ("other", "other-1"))
    assert ["other", None, None, None] == [*none.values()][:4]
    rows = [none, row | {"above_high": None}, row]
    _, _, empty, bound, both = render(rows, columns_above(rows), "table").splitlines()
    assert "" == empty.strip()
    assert [">=", f"{row['above_low']:.1f}"] == bound.split()[:2]
    assert [f"{row['above']:.1f}", f"{(row['above_high'] - row['above_low']) / 2:.1f}"] == both.split()[:2]
    assert ["above greedy", "+-", "95 % interval"] == [column.title for column in columns_above(rows)]
    assert ["rating", "+-", "95 % interval"] == [
        column.title for column in columns_above([none | {"anchor": None}])
    ]
