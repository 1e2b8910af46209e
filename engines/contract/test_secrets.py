"""No seat learns what it may not, and the tests would notice if one did."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from engines.contract.secrets import check_histories, check_imagination, check_secrets
from engines.contract.subject import Subject
from engines.game import Game


def test_no_seat_learns_what_it_may_not(subject: Subject, seats: int, seed: int) -> None:
    check_secrets(subject.game, seats, seed)


def test_imagination_is_not_memory(subject: Subject, seats: int, seed: int) -> None:
    check_imagination(subject.game, seats, seed)


def test_no_imagined_world_contradicts_what_a_seat_has_seen(subject: Subject, seats: int, seed: int) -> None:
    check_histories(subject, seats, seed)


def test_a_leak_is_noticed(subject: Subject) -> None:
    assert subject.known.leaks, "expected a leak or two in KNOWN, to see that they are noticed"
    assert [] == [what for what, game in subject.known.leaks.items() if not leaks(game)]


def leaks(game: Game[Any]) -> bool:
    """Return whether one of 40 matches shows a seat what it may not see."""
    try:
        for seed in range(40):
            check_secrets(game, game.seats[0], seed)
    except AssertionError:
        return True
    return False


def test_what_all_know_is_no_leak(subject: Subject) -> None:
    for game in subject.known.harmless.values():
        check_secrets(game, game.seats[0], 0)


def test_an_imagination_with_one_world_is_noticed(subject: Subject) -> None:
    class OneWorld(type(subject.game)):  # type: ignore[misc]  # a class that is a value
        def imagine(self, view: Mapping[str, Any], rng: Random) -> Any:
            return super().imagine(view, Random(0))

    with pytest.raises(AssertionError):
        check_imagination(OneWorld(), subject.game.seats[0], 0)


def test_an_imagination_that_forgets_is_noticed(subject: Subject) -> None:
    found = {what: replace(subject, game=game) for what, game in subject.known.forgetful.items()}
    assert [] == [what for what, forgetful in found.items() if not contradicts(forgetful)]


def contradicts(subject: Subject) -> bool:
    """Return whether a seat imagines in one of 10 matches what contradicts what it has seen."""
    try:
        for seed in range(10):
            check_histories(subject, subject.game.seats[0], seed)
    except AssertionError:
        return True
    return False
