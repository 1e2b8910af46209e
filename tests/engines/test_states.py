"""What the pages say a state is made of: the names are there, with that type, and none is left out."""

import ast
import re
from importlib import import_module
from random import Random

import pytest
from support.places import ROOT

from engines import GAMES
from engines.games import BUILT_IN
from engines.int_state import IntState
from engines.playout import playout

COMMON = {*dir(IntState), "FIELDS"}
"""What bots/SEARCH.md tells of the states of all games."""
WHO = {"all", "own", "nobody"}
each_game = pytest.mark.parametrize("name", BUILT_IN)


def package_of(name):
    return type(GAMES[name]).__module__


def section_of(name):
    page = (ROOT / package_of(name).replace(".", "/") / "README.md").read_text("utf-8")
    return page.partition("\n## What a state is made of\n")[2].partition("\n## ")[0]


def rows_of(name):
    """Return what the page says of each name: its arguments, its type, and who sees it."""
    told = {}
    for line in section_of(name).splitlines():
        if line.startswith("| `"):
            called, type_, seen_by, _ = (cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:5])
            attribute, _, arguments = called.strip("`").partition("(")
            told[attribute] = arguments.rstrip(")"), type_.strip("`").replace("\\|", "|"), seen_by
    return told


def declared_of(name):
    """Return what the sources say of each public attribute and method: its arguments and its type."""
    declared = {}
    for module in ("table", "turns", "state"):
        source = (ROOT / package_of(name).replace(".", "/") / f"{module}.py").read_text("utf-8")
        for node in ast.walk(ast.parse(source)):
            for part in node.body if isinstance(node, ast.ClassDef) else ():
                if isinstance(part, ast.AnnAssign):
                    declared[ast.unparse(part.target)] = "", ast.unparse(part.annotation)
                elif isinstance(part, ast.FunctionDef):
                    arguments = ", ".join(each.arg for each in part.args.args[1:])
                    declared[part.name] = arguments, ast.unparse(part.returns) if part.returns else ""
    return declared


def public_names(name):
    state = import_module(f"{package_of(name)}.state").State
    return {each for each in dir(state) if not each.startswith("_")} - COMMON


def methods_of(name):
    state = import_module(f"{package_of(name)}.state").State
    return {each for each in dir(state) if callable(getattr(state, each))}


def states_of(name):
    """Yield the states of a match at each table size."""
    game, rng = GAMES[name], Random(1)
    for seats in game.seats:
        for step in playout(game, game.deal(seats, rng), seats, rng):
            yield step.state


def fits(value, type_):
    """Return whether a value has the type that stands on a page."""
    if " | " in type_:
        return any(fits(value, each) for each in type_.split(" | "))
    outer, _, inner = type_.rstrip("]").partition("[") if type_.endswith("]") else (type_, "", "")
    if outer == "list":
        inner += "]" * (inner.count("[") - inner.count("]"))
        return type(value) is list and all(fits(each, inner) for each in value)
    if outer == "dict":
        return type(value) is dict and all(type(each) is int for pair in value.items() for each in pair)
    if outer == "Parts":
        return fits(value, "list[list[int]]")
    return type(value).__name__ == {"Seat": "int", "None": "NoneType"}.get(outer, outer)


@each_game
def test_every_name_on_the_page_is_declared_with_its_arguments_and_its_type(name):
    declared = declared_of(name)
    assert {each: declared.get(each) for each in rows_of(name)} == {
        each: (arguments, type_) for each, (arguments, type_, _) in rows_of(name).items()
    }


@each_game
def test_every_attribute_of_a_state_has_the_type_on_the_page(name):
    told = {each: type_ for each, (arguments, type_, _) in rows_of(name).items() if not arguments}
    for state in states_of(name):
        for attribute, type_ in told.items():
            value = getattr(state, attribute)
            assert fits(value() if callable(value) else value, type_), (attribute, value)


@each_game
def test_every_public_attribute_is_on_the_page_for_bots_or_named_as_not_for_them(name):
    told, (_, _, others) = rows_of(name), section_of(name).partition("Not for bots")
    named = {*re.findall(r"`(\w+)`", others)}
    left = {each for each in public_names(name) - told.keys() - named if not each.startswith("last_")}
    assert set() == left - methods_of(name), "say what it is on the page of the game"
    assert told.keys() <= public_names(name)
    assert not named & told.keys()
    assert all(each in {*public_names(name), "play"} or each == "last_" for each in named)


@each_game
def test_every_name_on_the_page_says_who_sees_it(name):
    assert all(seen_by.split()[0].strip(",") in WHO for _, _, seen_by in rows_of(name).values())


@each_game
def test_what_all_see_is_the_same_in_worlds_that_look_the_same_to_a_spectator(name):
    game, rng = GAMES[name], Random(2)
    told = rows_of(name)
    for state in states_of(name):
        other = game.imagine(game.view(state, None), rng)
        for attribute, (arguments, type_, seen_by) in told.items():
            if seen_by == "all" and not arguments and type_ not in ("Grid", "Luck"):
                one, two = getattr(state, attribute), getattr(other, attribute)
                if not callable(one):
                    assert in_any_order(one) == in_any_order(two), attribute


@each_game
def test_what_is_a_seats_own_is_the_same_in_worlds_that_look_the_same_to_it(name):
    game, rng = GAMES[name], Random(3)
    rows = rows_of(name).items()
    own = [each for each, (arguments, _, seen_by) in rows if seen_by == "own" and not arguments]
    for state in states_of(name):
        seat = state.seat
        other = game.imagine(game.view(state, seat), rng)
        for attribute in own:
            one, two = getattr(state, attribute), getattr(other, attribute)
            if isinstance(one, list) and one:
                assert in_any_order(one[seat]) == in_any_order(two[seat]), attribute


def in_any_order(value):
    """Return a value to be compared: some lists are multisets in any order, which a page may not promise."""
    return sorted(map(in_any_order, value), key=repr) if isinstance(value, list) else value
