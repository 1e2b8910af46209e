"""What is refused in a deal that comes from outside, and how the fault is named."""

from collections import Counter
from random import Random

import pytest

from engines import GAMES
from engines.deals import (
    check_first,
    check_keys,
    check_names,
    check_order,
    check_orders,
    check_seats,
    complete_options,
)

OPTIONS = {"moons": (True, False), "rounds": (2, 3)}
KEYS = "expected a deal with the keys options, first, deck"
CARDS = ["A1", "A1", "B2", "C3"]


@pytest.mark.parametrize(
    ("sizes", "seats", "fault"),
    [
        (range(2, 5), 5, "game is played by 2 to 4, got seats: 5"),
        (range(2, 3), 1, "game is played by 2, got seats: 1"),
        (range(1, 3), True, "game is played by 1 to 2, got seats: True"),
        (range(2, 5), "3", "game is played by 2 to 4, got seats: '3'"),
    ],
)
def test_another_table_size_is_refused(sizes, seats, fault):
    with pytest.raises(ValueError, match=f"^{fault}$"):
        check_seats("game", sizes, seats)


@pytest.mark.parametrize(
    ("deal", "fault"),
    [
        ({"first": 0}, f"{KEYS}; missing: deck"),
        ({"first": 0, "deck": [], "colour": 1}, f"{KEYS}; unknown: 'colour'"),
        ({"first": 0, "deck": [], 7: 1, "b": 2, "c": 3}, f"{KEYS}; unknown: 7 and 2 more"),
        ({"x": 1}, f"{KEYS}; missing: first, deck; unknown: 'x'"),
        ([0, []], r"expected a deal as an object, got: \[0, \[\]\]"),
        (None, "expected a deal as an object, got: None"),
    ],
)
def test_a_deal_with_a_key_too_few_or_too_many_is_refused(deal, fault):
    with pytest.raises(ValueError, match=f"^{fault}$"):
        check_keys(deal, ["first", "deck"])


def test_options_that_are_not_given_have_their_first_value():
    assert {"moons": True, "rounds": 2} == complete_options("game", OPTIONS, {})
    assert {"moons": True, "rounds": 3} == complete_options("game", OPTIONS, {"rounds": 3})


def test_a_table_comes_as_its_check_returns_it_and_only_if_it_is_given():
    tables = {"deck": sorted}
    assert {"moons": True, "rounds": 2} == complete_options("game", OPTIONS, {}, tables)
    assert {"deck": [1, 2]} == complete_options("game", {}, {"deck": [2, 1]}, tables)


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ({"moon": True}, r"expected an option of \['moons', 'rounds'\], got: 'moon'"),
        ({"moons": 1}, r"expected moons to be one of \[True, False\], got: 1"),
        ({"rounds": 2.0}, r"expected rounds to be one of \[2, 3\], got: 2.0"),
        ({"rounds": [2]}, r"expected rounds to be one of \[2, 3\], got: \[2\]"),
        (["moons"], r"expected options as an object, got: \['moons'\]"),
    ],
)
def test_an_option_or_a_value_that_there_is_not_is_refused(options, fault):
    with pytest.raises(ValueError, match=f"^{fault}$"):
        complete_options("game", OPTIONS, options)


def test_a_game_without_options_says_so():
    with pytest.raises(ValueError, match=r"^expected no options, for game has none, got: 'moons'$"):
        complete_options("game", {}, {"moons": True})


@pytest.mark.parametrize("first", [3, -1, True, 1.0, "1", None])
def test_the_first_must_be_a_seat(first):
    assert None is check_first(2, 3)
    with pytest.raises(ValueError, match=f"^expected first to be a seat from 0 to 2, got: {first!r}$"):
        check_first(first, 3)


def test_the_same_cards_in_any_order_are_taken():
    assert None is check_order("deck", ["C3", "A1", "B2", "A1"], CARDS)
    assert None is check_order("deck", ("C3", "A1", "B2", "A1"), CARDS)
    assert None is check_orders("reshuffles", [CARDS, CARDS[::-1]], CARDS)


@pytest.mark.parametrize(
    ("names", "fault"),
    [
        (["A1", "B2", "C3"], "expected deck to hold 2 of 'A1', got 1"),
        ([*CARDS, "C3"], "expected deck to hold 1 of 'C3', got 2"),
        (["A1", "A1", "B2", "Z9"], "expected deck to hold 0 of 'Z9', got 1"),
        ([], "expected deck to hold 2 of 'A1', got 0"),
        (["A1", "A1", "B2", 3], r"expected deck as a list of names, got: \['A1', 'A1', 'B2', 3\]"),
        ([["A1"]], r"expected deck as a list of names, got: \[\['A1'\]\]"),
        (dict.fromkeys(CARDS), "expected deck as a list of names, got: {'A1': None, 'B2': None, 'C3': None}"),
        ("A1", "expected deck as a list of names, got: 'A1'"),
        (None, "expected deck as a list of names, got: None"),
    ],
)
def test_a_list_that_lacks_a_card_or_has_one_too_many_is_refused_and_the_card_named(names, fault):
    with pytest.raises(ValueError, match=f"^{fault}$"):
        check_order("deck", names, CARDS)


@pytest.mark.parametrize("orders", [[], None, "A1", {}])
def test_orders_are_one_or_more(orders):
    with pytest.raises(ValueError, match=r"^expected at least one order in reshuffles, got: "):
        check_orders("reshuffles", orders, CARDS)


def test_the_order_with_a_fault_is_named():
    with pytest.raises(ValueError, match=r"^expected reshuffles\[1\] to hold 1 of 'C3', got 0$"):
        check_orders("reshuffles", [CARDS, CARDS[:3]], CARDS)


@pytest.mark.parametrize(
    "check",
    [
        lambda long: check_seats("game", range(2, 5), long),
        lambda long: check_keys(long, []),
        lambda long: check_keys({long: 1}, []),
        lambda long: complete_options("game", OPTIONS, long),
        lambda long: complete_options("game", OPTIONS, {long: 1}),
        lambda long: complete_options("game", OPTIONS, {"rounds": long}),
        lambda long: check_first(long, 3),
        lambda long: check_names("deck", long),
        lambda long: check_order("deck", [long], CARDS),
        lambda long: check_orders("reshuffles", {long: 1}, CARDS),
    ],
)
def test_what_came_is_quoted_in_short(check):
    with pytest.raises(ValueError, match=r"expected|played") as refusal:
        check("x" * 100_000)
    assert len(str(refusal.value)) < 200


@pytest.mark.parametrize("name", GAMES)
def test_each_game_names_itself_where_it_refuses_an_option(name):
    game = GAMES[name]
    seats = max(game.seats)
    known = rf"expected (an option of .*|no options, for {name} has none), got: 'moons'"
    with pytest.raises(ValueError, match=known):
        game.deal(seats, Random(1), {"moons": True})
    deal = game.deal(seats, Random(1))
    with pytest.raises(ValueError, match=known):
        game.start(deal | {"options": deal["options"] | {"moons": True}}, seats)


# -- the deals of the built-in games

SIZES = {"stellar": (2, 2), "stella-quest": (2, 4), "starry-sky": (3, 5), "stella": (3, 6)}
TABLES = [(name, seats) for name, game in GAMES.items() for seats in game.seats]


def dealt(name):
    return GAMES[name].deal(GAMES[name].seats[0], Random(1))


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_random_deals_begin_with_every_seat_about_equally_often(name, seats):
    rng = Random(name)
    firsts = Counter(GAMES[name].deal(seats, rng)["first"] for _ in range(600))
    assert all(0.75 < firsts[seat] * seats / 600 < 1.25 for seat in range(seats))
    assert 600 == sum(firsts[seat] for seat in range(seats))


FORMATS = {
    "stellar": {"starters": 5, "deck": 56, "reshuffles": 3},
    "stella-quest": {"deck": 54, "reshuffles": 8},
    "starry-sky": {"boards": 12},
    "stella": {"cards": 84, "words": 4},
}


@pytest.mark.parametrize("name", GAMES)
def test_a_deal_has_options_the_first_seat_and_lists_of_so_many(name):
    deal = dealt(name)
    assert ["options", "first", *FORMATS[name]] == [*deal]
    assert FORMATS[name] == {key: len(part) for key, part in deal.items() if isinstance(part, list)}
    assert {key: values[0] for key, values in GAMES[name].options.items()} == deal["options"]


@pytest.mark.parametrize("name", GAMES)
def test_each_game_is_for_so_many_seats(name):
    game, (least, most) = GAMES[name], SIZES[name]
    assert range(least, most + 1) == game.seats
    for wrong in (0, 1, least - 1, most + 1, float(least), True, str(least), None, [least]):
        for refuse in (lambda: game.start(dealt(name), wrong), lambda: game.deal(wrong, Random(1))):  # noqa: B023
            with pytest.raises(ValueError, match=f"{name} is played by {least}.*, got seats: "):
                refuse()


@pytest.mark.parametrize("name", GAMES)
def test_a_deal_may_lack_its_options_and_hold_tuples_and_nothing_else(name):
    game, seats, deal = GAMES[name], GAMES[name].seats[0], dealt(name)
    without = {key: deal[key] for key in deal if key != "options"}
    assert game.start(deal, seats) == game.start({**deal, "options": {}}, seats)
    if name != "stella-quest":
        assert game.start(deal, seats) == game.start(without, seats)
    tuples = {key: tuple(part) if isinstance(part, list) else part for key, part in deal.items()}
    assert game.start(deal, seats) == game.start(tuples, seats)
    for key in deal.keys() - {"options"}:
        with pytest.raises(ValueError, match=f"; missing: {key}$"):
            game.start({name: part for name, part in deal.items() if name != key}, seats)
    for wrong in (None, 5, "deal", [], [deal], {"first"}):
        with pytest.raises(ValueError, match="expected a deal as an object, got: "):
            game.start(wrong, seats)
    for options in ({"colour": 1}, dict.fromkeys(game.options, 1.5) or [1], 5, "three", [1]):
        with pytest.raises(ValueError, match="expected"):
            game.deal(seats, Random(1), options)


@pytest.mark.parametrize(
    ("key", "value", "fault"),
    [
        *(("first", wrong, f"first .*, got: {wrong!r}$") for wrong in (-1, 6, True, 0.0, "0", None)),
        *(("options", wrong, f"options as an object, got: {wrong!r}$") for wrong in (5, None)),
        *((wrong, "blue", f"; unknown: {wrong!r}$") for wrong in ("colour", 5, None)),
    ],
)
@pytest.mark.parametrize("name", GAMES)
def test_each_game_refuses_a_first_that_is_no_seat_options_that_are_no_object_and_other_keys(
    name, key, value, fault
):
    with pytest.raises(ValueError, match=fault):
        GAMES[name].start(dealt(name) | {key: value}, GAMES[name].seats[0])
