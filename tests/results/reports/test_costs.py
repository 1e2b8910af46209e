"""What bots said that matches cost: means over what was said, and nothing made of silence."""

import pytest
from support.records import a_lone_match, a_seat
from support.stores import stored

from results.record import Usage
from results.reports.costs import (
    COSTS,
    Costs,
    Said,
    add_costs,
    costs_of,
    match_costs,
    say_costs,
    say_run_costs,
)
from results.reports.render import write_cells

SAID = [Usage(100, 10, 0.5, 2, 3), None, Usage(cost_usd=0.25), Usage(300, 30)]
"""What `alpha` said of four matches; `beta` says nothing."""
ALPHA = ("stellar", ("alpha", "alpha-1"))


@pytest.fixture
def contents(tmp_path):
    blocks = [
        a_lone_match(number, seats=[a_seat("alpha", 1, usage=usage), a_seat("beta", 2, usage=None)])
        for number, usage in enumerate(SAID)
    ]
    return stored(tmp_path, *blocks).contents()


def test_means_are_over_the_matches_of_which_a_bot_said_so(contents):
    costs = costs_of(contents)
    alpha = costs[ALPHA]
    assert (4, 3) == (alpha.matches, alpha.matches_said)
    names = ("input_tokens", "output_tokens", "requests", "cost_usd", "fallbacks")
    assert (200, 20, 2, 0.375, 3) == tuple(alpha.part(name).mean for name in names)
    assert "" == say_costs(costs["stellar", ("beta", "beta-1")])


def test_columns_of_a_bot_that_said_nothing_are_empty(contents):
    rows = [{"game": "stellar", "bot": bot, "version": f"{bot}-1"} for bot in ("alpha", "beta", "gone")]
    alpha, beta, gone = add_costs(rows, costs_of(contents))
    assert (0.375, 0.75, 200) == (alpha["cost_usd"], alpha["total_cost_usd"], alpha["input_tokens"])
    for row in (beta, gone):
        assert {None} == {
            value for key, value in row.items() if key not in ("game", "bot", "version", "costs")
        }


def test_only_tables_of_a_size_or_matches_of_a_run_may_count(contents):
    assert {} == costs_of(contents, seats=3)
    assert costs_of(contents) == costs_of(contents, seats=2) == costs_of(contents, run=1)


def test_a_sentence_says_what_is_known_of_how_many_matches(contents):
    costs = costs_of(contents)
    assert say_costs(costs[ALPHA]) == (
        "200 tokens in, 20 out, $0.3750 a match in the 2 of 4 of which it said so;"
        " 2.0 requests, 3.0 fallback moves a match in the 1 of 4 of which it said so; $0.75 in all"
    )
    assert "this run cost, as bots report: 440 tokens, $0.75 (alpha $0.75)" == say_run_costs(costs)
    assert "" == say_run_costs({})


def test_each_mean_names_the_matches_of_which_it_was_said_where_that_is_not_all():
    said = {"input_tokens": Said(100_000, 100), "cost_usd": Said(0.1, 2)}
    costs = Costs(100, 100, said)
    assert say_costs(costs) == (
        "1,000 tokens in a match; $0.0500 a match in the 2 of 100 of which it said so; $0.10 in all"
    )
    row = {"game": "stellar", "bot": "alpha", "version": "alpha-1"}
    cells = write_cells(add_costs([row], {ALPHA: costs}), COSTS, {}, "table", 40)
    shown = {column.title: of[0] for column, of in cells.items()}
    assert ("1000", "0.0500 (2 of 100)") == (shown["tokens in"], shown["$/match"])
    everywhere = Costs(2, 2, {"cost_usd": Said(0.1, 2)})
    assert "$0.0500 a match; $0.10 in all" == say_costs(everywhere)


def test_a_match_costs_what_its_seats_said():
    assert {"tokens": 110, "cost_usd": 0.75} == match_costs([SAID[0], None, SAID[2]])
    assert {"tokens": None, "cost_usd": None} == match_costs([None, Usage(requests=1)])
