"""The schema of a game takes all that is seen and said in its matches, and next to nothing else."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import partial
from random import Random
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from engines.contract.game_schema import declared_schema, fits, kinds, properties, schema_of, steps, validator
from engines.contract.subject import Subject, matches_of
from engines.game import OneOf, Step


def rare(subject: Subject) -> Iterator[tuple[int, Step[Any]]]:
    """Yield table sizes and steps of what hardly ever happens."""
    return subject.known.rare(partial(matches_of, subject))


def list_steps(subject: Subject) -> Iterator[tuple[int, Any]]:
    """Yield table sizes and steps: all of the matches at all tables, and what is rare."""
    for seats in subject.game.seats:
        for _, match in matches_of(subject, seats):
            yield from ((seats, step) for step in match)
    yield from rare(subject)


def check(subject: Subject, seats: int, step: Any) -> None:
    """Assert that what every seat and a spectator see of a step fits the schema."""
    seats_and_spectator = (*range(seats), None)
    for seat in seats_and_spectator:
        validator(subject, "view").validate(subject.game.view(step.state, seat))
    for event in step.events:
        for seen_event in {json.dumps(event.seen_by(seat)) for seat in seats_and_spectator}:
            validator(subject, f"{event.kind}_event").validate(json.loads(seen_event))


# -- what fits


def test_the_schema_is_a_schema_of_this_version_of_the_game(subject: Subject) -> None:
    Draft202012Validator.check_schema(schema_of(subject))
    title, version = schema_of(subject)["title"].split(", version ")
    assert (subject.game.name, str(subject.game.version)) == (title.lower().replace(" ", "-"), version)


def test_the_schema_is_the_one_that_is_declared(subject: Subject) -> None:
    schema = declared_schema(subject)
    if schema is None:  # it is written by hand
        return
    assert schema == schema_of(subject), "rewrite it with --regold"


def test_all_that_is_seen_in_a_match_fits(subject: Subject, seats: int) -> None:
    for _, match in matches_of(subject, seats):
        for step in match:
            check(subject, seats, step)


def test_all_that_is_seen_of_what_is_rare_fits(subject: Subject) -> None:
    for seats, step in rare(subject):
        check(subject, seats, step)


def test_a_view_fits_with_its_text(subject: Subject, seats: int) -> None:
    for _, match in matches_of(subject, seats):
        view = subject.game.view(match[len(match) // 2].state, 0)
        assert fits(subject, "view", view | {"text": subject.game.text(view)})


def test_all_options_of_all_choices_fit_the_moves_of_their_step(subject: Subject, seats: int) -> None:
    moves: set[tuple[str, str]] = set()
    for _, match in matches_of(subject, seats):
        for step in match:
            view = subject.game.view(step.state, None)
            kind = f"{view['step']}_move" if "step" in view else "move"
            for choice in subject.game.choices(step.state).values():
                if isinstance(choice, OneOf):
                    moves |= {(kind, option) for option in choice.options}
                else:
                    sizes = [
                        n for n in range(len(choice.options)) if fits(subject, kind, [*choice.options[:n]])
                    ]
                    assert [*range(choice.low, choice.high + 1)] == sizes
    assert [] == [move for move in moves if not fits(subject, *move)]


def test_deals_and_options_fit(subject: Subject, seats: int) -> None:
    for deal, match in matches_of(subject, seats):
        assert fits(subject, "options", subject.game.view(match[0].state, None)["options"])
        assert fits(subject, "deal", deal)
        assert fits(subject, "deal", {key: value for key, value in deal.items() if key != "options"})


def test_the_options_and_their_defaults_are_those_of_the_game(subject: Subject) -> None:
    part = "given_options" if subject.game.options else "options"
    assert {*subject.game.options, *subject.game.custom} == properties(subject, part)
    for key, values in subject.game.options.items():
        assert values[0] == schema_of(subject)["$defs"][key]["default"]
        assert all(fits(subject, part, {key: value}) for value in values)
        assert not fits(subject, part, {key: "sometimes"})
    assert not fits(subject, part, {"foreign": True})


def test_every_event_of_the_schema_occurs_with_all_its_fields(subject: Subject) -> None:
    fields: dict[str, set[str]] = {}
    for _, step in list_steps(subject):
        for event in step.events:
            fields.setdefault(event.kind, set()).update(event.seen_by(0))
    assert {kind: properties(subject, f"{kind}_event") for kind in kinds(subject)} == fields


def test_every_step_and_every_field_of_views_occurs(subject: Subject) -> None:
    views = [subject.game.view(step.state, 0) for _, step in list_steps(subject)]
    assert properties(subject, "view") == {"text"}.union(*views)
    assert steps(subject) == {view["step"] for view in views if "step" in view}


def test_every_definition_of_the_schema_is_used_by_another(subject: Subject) -> None:
    refs = set(re.findall(r'"#/\$defs/(\w+)"', json.dumps(schema_of(subject))))
    assert schema_of(subject)["$defs"].keys() == refs


# -- what does not fit

GONE, FOREIGN, NAME, NUMBER = "missing fields", "foreign fields", "wrong names", "wrong numbers"
each_mistake = pytest.mark.parametrize("what", [GONE, FOREIGN, NAME, NUMBER])


def mistakes(value: Any, where: tuple[Any, ...] = ()) -> Iterator[tuple[str, tuple[Any, ...], Any]]:
    """Yield every way to spoil *value* in one place: what is wrong, where, and what it then looks like."""
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    if isinstance(value, dict):
        yield FOREIGN, where, value | {"Z 9": 0}
        yield from ((GONE, (*where, key), {k: value[k] for k in value if k != key}) for key in value)
    elif isinstance(value, str):
        yield NAME, where, "Z 9"
    elif isinstance(value, int):
        yield from ((NUMBER, where, wrong) for wrong in (-1, 999, str(value)))
    for key, part in parts:
        for what, there, wrong in mistakes(part, (*where, key)):
            copy = value.copy()
            copy[key] = wrong
            yield what, there, copy


def is_one(subject: Subject, what: str, where: tuple[Any, ...]) -> bool:
    """Return whether a mistake is one after all."""
    if what == GONE:
        return subject.known.maps.isdisjoint(where[:-1])
    return what != NAME or subject.known.free.isdisjoint(where)


def find_unnoticed(subject: Subject, part: str, value: Any, what: str) -> list[tuple[Any, ...]]:
    """Return where the schema does not notice a mistake in *value*, of some that are tried."""
    spoilt = [
        (at, wrong) for kind, at, wrong in mistakes(value) if kind == what and is_one(subject, what, at)
    ]
    tried = Random(1).sample(spoilt, min(16, len(spoilt)))
    return [at for at, wrong in tried if fits(subject, part, wrong)]


@each_mistake
def test_a_view_with_a_mistake_does_not_fit(subject: Subject, what: str) -> None:
    for seats in subject.game.seats:
        _, match = matches_of(subject, seats)[0]
        for step in [match[0], *Random(seats).sample(match, 3), match[-1]]:
            assert [] == find_unnoticed(subject, "view", subject.game.view(step.state, seats - 1), what)


@each_mistake
def test_an_event_with_a_mistake_does_not_fit(subject: Subject, what: str) -> None:
    told = {event.kind: event.seen_by(None) for _, step in list_steps(subject) for event in step.events}
    for event in told.values():
        for field in subject.known.optional:
            event.pop(field, None)
        assert fits(subject, "event", event)
        assert [] == find_unnoticed(subject, "event", event, what)


@each_mistake
def test_a_deal_with_a_mistake_does_not_fit(subject: Subject, what: str) -> None:
    for seats in subject.game.seats:
        deal, _ = matches_of(subject, seats)[0]
        deal = {key: value for key, value in deal.items() if key != "options"}  # which may be missing
        assert [] == find_unnoticed(subject, "deal", deal, what)


def test_a_seat_that_is_not_at_the_table_does_not_fit(subject: Subject, seats: int) -> None:
    view = subject.game.view(matches_of(subject, seats)[0][1][-1].state, 0)
    assert fits(subject, "view", view | {"seat": seats - 1})
    assert not fits(subject, "view", view | {"seat": seats})
    assert not fits(subject, "view", view | {"first": seats})


def test_a_view_of_a_smaller_or_larger_table_does_not_fit(subject: Subject, seats: int) -> None:
    view = subject.game.view(matches_of(subject, seats)[0][1][-1].state, 0)
    assert [seats] == [other for other in range(1, 8) if fits(subject, "view", view | {"seats": other})]


def test_a_spectators_view_has_nothing_of_a_seat(subject: Subject) -> None:
    state = matches_of(subject, subject.game.seats[0])[0][1][-1].state
    own, public = subject.game.view(state, 0), subject.game.view(state, None)
    assert fits(subject, "view", public)
    for key in own.keys() - public.keys():
        assert not fits(subject, "view", public | {key: own[key]})
