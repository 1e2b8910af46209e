"""Moves and views as numbers: nothing that is offered or seen is lost, and nothing else is told."""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from random import Random
from typing import Any

import pytest

from engines.contract.game_schema import fits
from engines.contract.secrets import random_options
from engines.contract.subject import Subject, matches_of
from engines.game import Game, Json, ViewColumn
from engines.position import Position

TRIES = 2
"""How many changes of each field are tried."""
FIXED = frozenset({"seats", "options", "text"})
"""Fields that are the same in all views of a table, or follow from the others."""


def changed_views(
    view: Mapping[str, Json], others: Sequence[Mapping[str, Json]], rng: Random
) -> Iterator[dict[str, Json]]:
    """Yield copies of *view*, each with one thing changed in one field; few of them can happen.

    What is put in place of something is taken from *others*, which are views of the same table as well.
    """
    for field in [each for each in view if each not in FIXED]:
        for _ in range(TRIES):
            other = rng.choice(others)
            if field in other and (changed := _change(view[field], other[field], rng)) != view[field]:
                yield {**view, field: changed}


def _change(value: Json, other: Json, rng: Random) -> Json:
    """Return *value* with one thing in it changed to what it is in *other*, or to what is near."""
    if isinstance(value, list) and value and rng.random() < 0.8:
        at = int(rng.random() * len(value))
        inside = other[at] if isinstance(other, list) and at < len(other) else rng.choice(value)
        return [*value[:at], _change(value[at], inside, rng), *value[at + 1 :]]
    if isinstance(value, dict) and value and rng.random() < 0.8:
        key = rng.choice([*value])
        inside = other[key] if isinstance(other, dict) and key in other else rng.choice([*value.values()])
        return {**value, key: _change(value[key], inside, rng)}
    if type(value) is int and rng.random() < 0.5:
        return value + rng.choice((1, -1))
    return (not value) if isinstance(value, bool) else other


def read_changed(
    subject: Subject, view: Mapping[str, Json], columns: int, rng: Random
) -> tuple[int, ...] | None:
    """Return the numbers of *view*, a changed one; None if no world looks like it."""
    game, buffer = subject.game, array("l", [0]) * columns
    try:
        world = game.imagine(view, rng)
        seen = json.loads(json.dumps(game.view(world, view["seat"])))
        game.position(world).numbers(view["seat"], buffer)
    except Exception:  # what a game does with a view that cannot be is its own affair
        return None
    return tuple(buffer) if seen == view and fits(subject, "view", view) else None


SIBLINGS = 12
"""Choices with more moves than this are looked at in part."""
VIEWS = 6
"""How many views of a match are changed in one thing after another."""


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


def test_options_are_places_in_the_vocabulary_where_the_game_says_so(subject: Subject, seats: int) -> None:
    says_so = getattr(subject.game, "options_are_places", False)
    for options, position, _ in tables(subject.game, seats, 1) if says_so else ():
        words = subject.game.vocabulary(seats, options)
        assert [*map(position.move_of, position.options())] == [words[each] for each in position.options()]


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


# -- the numbers


def columns_of(subject: Subject, seats: int, options: Any) -> Sequence[ViewColumn]:
    """Return the columns of a table; skip the test if the game has none."""
    if not hasattr(subject.game, "columns"):
        pytest.skip(f"{subject.game.name} has no columns()")
    try:
        return subject.game.columns(seats, options)
    except NotImplementedError as error:
        pytest.skip(str(error))


def numbers_of(position: Position, seat: int, columns: Sequence[ViewColumn]) -> tuple[int, ...]:
    """Return the numbers that a position writes, into a buffer that was full of something else."""
    buffer = array("l", [-1]) * len(columns)
    position.numbers(seat, buffer)
    return tuple(buffer)


def tables(game: Game[Any], seats: int, seeds: int) -> Iterator[tuple[Any, Position, Random]]:
    """Yield the options and the position of random matches, before each of their choices and at the end."""
    for seed in range(seeds):
        rng = Random(seed)
        deal = game.deal(seats, rng, random_options(game, rng))
        position = game.begin(deal, seats)
        yield deal["options"], position, rng
        while not position.over:
            options = position.options()
            position.play(options[int(rng.random() * len(options))])
            yield deal["options"], position, rng


def sample_of(options: Sequence[int], rng: Random) -> Sequence[int]:
    """Return *options*, or some of them if they are many."""
    if len(options) <= SIBLINGS:
        return options
    return [options[int(rng.random() * len(options))] for _ in range(SIBLINGS)]


class SeenViews:
    """Views with their numbers: what is seen twice has the same numbers, and nothing else has."""

    def __init__(self) -> None:
        self.views: dict[Any, bytes] = {}
        self.numbers: dict[bytes, Any] = {}

    def add(self, options: Any, view: bytes, numbers: tuple[int, ...]) -> None:
        """Take in a view; fail if its numbers tell less, or more, than it does."""
        before = self.views.setdefault((json.dumps(options), numbers), view)
        assert before == view or json.loads(before) == json.loads(view), "two views have the same numbers"
        told = self.numbers.setdefault(view, numbers)
        assert told == numbers, "worlds that look the same have other numbers"


def test_columns_have_names_of_their_own_and_numbers_within_their_bounds(
    subject: Subject, seats: int
) -> None:
    for options, position, _ in tables(subject.game, seats, 1):
        columns = columns_of(subject, seats, options)
        most = [column.most for column in columns]
        for seat in range(seats):
            numbers = numbers_of(position, seat, columns)
            assert min(numbers) >= 0
            assert [] == [each for each in zip(columns, numbers, strict=True) if each[1] > each[0].most]
    assert len(most) == len({column.name for column in columns})
    assert all(column.about for column in columns)


def test_numbers_tell_nothing_more_than_a_view_tells(subject: Subject, seats: int) -> None:
    game, seen = subject.game, SeenViews()
    for options, position, rng in tables(game, seats, 1):
        columns, seat = columns_of(subject, seats, options), int(rng.random() * seats)
        view, numbers = position.write_view(seat), numbers_of(position, seat, columns)
        world = game.position(game.imagine(json.loads(view), rng))
        assert numbers == numbers_of(world, seat, columns), "worlds that look the same have other numbers"
        for other in range(seats):
            for each in (
                position,
                world,
            ):  # what others see is imagined, and so one thing or some are different
                seen.add(options, each.write_view(other), numbers_of(each, other, columns))


def test_numbers_tell_apart_what_follows_from_each_option(subject: Subject, seats: int) -> None:
    seen = SeenViews()
    for options, position, rng in tables(subject.game, seats, 1):
        columns, asked = columns_of(subject, seats, options), [*position.seats()]
        others = len(asked) - 1 - asked.index(position.seat) if asked else 0
        seat = int(rng.random() * seats)
        for option in sample_of(position.options(), rng):
            after = position.copy()
            after.play(option)
            for _ in range(others):  # who choose at the same time, after this seat
                after.play(after.options()[0])
            seen.add(options, after.write_view(seat), numbers_of(after, seat, columns))


def test_numbers_tell_apart_views_in_which_one_thing_is_different(subject: Subject, seats: int) -> None:
    game, rng = subject.game, Random(1)
    options, _, _ = next(tables(game, seats, 1))
    columns = columns_of(subject, seats, options)
    views = [
        json.loads(position.write_view(seat))
        for chosen, position, _ in tables(game, seats, 2)
        for seat in range(seats)
        if chosen == options and not position.over  # at the end a view may say a thing twice
    ]
    told = 0
    for view in rng.sample(views, min(VIEWS, len(views))):
        numbers = numbers_of(game.position(game.imagine(view, rng)), view["seat"], columns)
        for changed in changed_views(view, views, rng):
            other = read_changed(subject, changed, len(columns), rng)
            assert numbers != other, changed
            told += other is not None
    assert told


def test_numbers_tell_apart_what_is_rare(subject: Subject) -> None:
    game, seen = subject.game, SeenViews()
    for seats, step in subject.known.rare(partial(matches_of, subject)):
        position = game.position(step.state)
        options = game.view(step.state, None)["options"]
        columns = columns_of(subject, seats, options)
        for seat in range(seats):
            numbers = numbers_of(position, seat, columns)
            seen.add(options, position.write_view(seat), numbers)
            assert [] == [each for each in zip(columns, numbers, strict=True) if each[1] > each[0].most]


def test_numbers_of_a_view_are_those_that_a_position_writes(subject: Subject, seats: int) -> None:
    for options, position, rng in tables(subject.game, seats, 1):
        columns, seat = columns_of(subject, seats, options), int(rng.random() * seats)
        view = json.loads(position.write_view(seat))
        assert numbers_of(position, seat, columns) == (*subject.game.numbers(view),)


def test_numbers_fit_buffers_of_many_types_and_no_other_size(subject: Subject, seats: int) -> None:
    options, position, _ = next(tables(subject.game, seats, 1))
    columns = columns_of(subject, seats, options)
    numbers = numbers_of(position, 0, columns)
    for kind in "fdiq":
        buffer = array(kind, [7]) * len(columns)
        position.numbers(0, buffer)
        assert [*numbers] == [*buffer]
    for wrong in (array("f", [0.0]) * (len(columns) + 1), array("f"), [0.0] * len(columns), b"", None):
        with pytest.raises(ValueError, match=r"^expected a"):
            position.numbers(0, wrong)


def test_a_table_or_an_option_that_there_is_not_has_no_columns(subject: Subject, seats: int) -> None:
    columns = columns_of(subject, seats, {key: values[0] for key, values in subject.game.options.items()})
    assert [*columns] == [*subject.game.columns(seats)]
    with pytest.raises(ValueError, match="seats"):
        subject.game.columns(max(subject.game.seats) + 1)
    with pytest.raises(ValueError, match="no_such_option"):
        subject.game.columns(seats, {"no_such_option": 1})


# -- the page


def rows_of(game: Game[Any]) -> list[str]:
    """Return the rows of the table of columns on the page of a game: one for each field."""
    fields: dict[str, dict[int, list[ViewColumn]]] = {}
    for seats in game.seats:
        for column in game.columns(seats):
            fields.setdefault(column.name.partition(".")[0], {}).setdefault(seats, []).append(column)
    rows = []
    for field, by_size in fields.items():
        how_many = ", ".join(dict.fromkeys(f"{len(columns)}" for columns in by_size.values()))
        most = ", ".join(dict.fromkeys(f"{columns[0].most}" for columns in by_size.values()))
        first = next(iter(by_size.values()))[0]
        rows.append(f"| `{field}` | {how_many} | {most}{', a code' if first.code else ''} | {first.about} |")
    return rows


def test_the_page_has_a_row_for_each_field_of_the_columns(subject: Subject) -> None:
    columns_of(subject, subject.game.seats[0], {})
    page = (subject.folder / "README.md").read_text("utf-8")
    section = page.partition("\n## The numbers\n")[2].partition("\n## ")[0]
    assert rows_of(subject.game) == [line for line in section.splitlines() if line.startswith("| `")]
