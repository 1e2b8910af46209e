"""The parameters of the ratings in a game: what a run stores, and what is refused."""

import json

import pytest

from results.rating.parameters import Draws, Parameters, parameters


@pytest.mark.parametrize("probability", [0, 0.0, 1, -0.1, float("nan")])
def test_a_draw_probability_that_breaks_ratings_is_refused(probability):
    with pytest.raises(ValueError, match="draw_probability above 0"):
        Parameters(draw_probability=Draws({2: 0.1, 4: probability}))


@pytest.mark.parametrize("wrong", [{"beta": 0.0}, {"beta": float("inf")}, {"anchor_rating": float("nan")}])
def test_other_numbers_that_break_ratings_are_refused(wrong):
    with pytest.raises(ValueError, match=f"{next(iter(wrong))} "):
        Parameters(**wrong)  # type: ignore[arg-type]


def test_a_draw_probability_holds_for_its_table_size_or_for_all():
    assert (0.1, 0.1) == (Draws.of(0.1)[2], Draws.of(0.1)[6])
    assert (0.0005, 0.07) == (Draws.of({2: 0.0005, 0: 0.07})[2], Draws.of({2: 0.0005, 0: 0.07})[3])
    assert 0.02 == Draws.of({2: 0.3})[4]


def test_parameters_are_those_of_the_games_unless_overridden():
    games = {"lucky": Parameters(9.0, Draws.of(0.1)), "new": Parameters(draw_probability={2: 0.02, 4: 0.07})}
    chosen = parameters(games, {"lucky": {"draw_probability": 0.25}, "new": {"draw_probability": {4: 0.3}}})
    assert {"beta": 9.0, "draw_probability": 0.25, "fixed_draws": [0]} == chosen["lucky"]
    draws = {"2": 0.02, "4": 0.3}
    assert {"beta": 25 / 6, "draw_probability": draws, "fixed_draws": [4]} == chosen["new"]
    assert {"beta": 9.0, "draw_probability": 0.1} == parameters(games, {"lucky": {"beta": 9.0}})["lucky"]


def test_measured_draws_give_way_to_those_that_are_set():
    of, measured = Parameters(draw_probability={2: 0.02, 4: 0.3}, fixed=frozenset({4})), {2: 0.1, 4: 0.2}
    assert {2: 0.1, 4: 0.3} == of.with_draws(measured).draw_probability
    assert {0: 0.5} == Parameters(draw_probability=Draws.of(0.5), fixed=frozenset({0})).with_draws(
        measured
    ).draw_probability
    assert {0: 0.5, **measured} == Parameters(draw_probability=Draws.of(0.5)).with_draws(
        measured
    ).draw_probability


@pytest.mark.parametrize(
    "of",
    [
        Parameters(),
        Parameters(9.0, Draws.of(0.3)),
        Parameters(draw_probability={2: 0.1}, fixed=frozenset({2})),
        Parameters(draw_probability={2: 0.1, 10: 0.2}, anchor=("random", "ab12"), anchor_rating=20.0),
    ],
)
def test_stored_parameters_are_read_back(of):
    assert of == Parameters.read(json.loads(json.dumps(of.to_json())))


def test_parameters_of_a_run_that_was_stored_before_are_read():
    assert Parameters(4.0, Draws.of(0.1)) == Parameters.read({"beta": 4.0, "draw_probability": 0.1})
    with pytest.raises(TypeError, match="gamma"):
        Parameters.read({"gamma": 4.0})
