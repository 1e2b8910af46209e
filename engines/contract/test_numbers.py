"""Moves and views as numbers: nothing that is offered or seen is lost, and nothing else is told."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import pytest

from engines.contract.subject import Subject, matches_of


def vocabulary_of(subject: Subject, seats: int, deal: Any) -> Sequence[str]:
    """Return all moves at the table of a deal; skip the test if the game does not list them."""
    if not hasattr(subject.game, "vocabulary"):  # it fits the interface without having it from Game
        pytest.skip(f"{subject.game.name} has no vocabulary()")
    try:
        return subject.game.vocabulary(seats, deal["options"])
    except NotImplementedError as error:
        pytest.skip(str(error))


# -- the vocabulary


def test_every_option_that_is_offered_is_in_the_vocabulary(subject: Subject, seats: int) -> None:
    for deal, match in matches_of(subject, seats):
        known = {*vocabulary_of(subject, seats, deal)}
        for step in match:
            for choice in subject.game.choices(step.state).values():
                assert set() == {*choice.options} - known


def test_every_option_of_what_is_rare_is_in_the_vocabulary(subject: Subject) -> None:
    for seats, step in subject.known.rare(partial(matches_of, subject)):
        known = {*vocabulary_of(subject, seats, subject.game.view(step.state, None))}
        for choice in subject.game.choices(step.state).values():
            assert set() == {*choice.options} - known


def test_a_vocabulary_names_each_move_once_in_a_fixed_order(subject: Subject, seats: int) -> None:
    for deal, _ in matches_of(subject, seats):
        words = vocabulary_of(subject, seats, deal)
        assert all(isinstance(word, str) for word in words)
        assert len(words) == len({*words})
        assert [*words] == [*vocabulary_of(subject, seats, deal)]


def test_missing_options_have_the_vocabulary_of_the_first_ones(subject: Subject, seats: int) -> None:
    first = {key: values[0] for key, values in subject.game.options.items()}
    words = vocabulary_of(subject, seats, {"options": first})
    assert [*words] == [*subject.game.vocabulary(seats)]


def test_a_table_or_an_option_that_there_is_not_has_no_vocabulary(subject: Subject, seats: int) -> None:
    vocabulary_of(subject, seats, {"options": {}})
    with pytest.raises(ValueError, match="seats"):
        subject.game.vocabulary(max(subject.game.seats) + 1)
    with pytest.raises(ValueError, match="no_such_option"):
        subject.game.vocabulary(seats, {"no_such_option": 1})
