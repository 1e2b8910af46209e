"""Many positions at once: the rows and masks of each by itself, and plays that a cut does not change."""

from array import array
from random import Random

import pytest
from support.learning import IDS, NUMBERED

from engines import GAMES, find_policy
from engines.many import flags_of, play_on_all, write_masks, write_rows


def table_of(kind, rows, columns):
    """Return a buffer of two dimensions that is full of something else."""
    flat = array(kind, [7]) * (rows * columns)
    return memoryview(flat).cast("B").cast(kind, (rows, columns))


def positions_of(game, seats, matches=5):
    """Return positions of matches, each some decisions further than the one before, and one at its end."""
    found, rng = [], Random(seats)
    for number in range(matches):
        position = game.begin(game.deal(seats, rng), seats)
        for _ in range(10**6 if number == matches - 1 else 3 * number):
            if position.over:
                break
            position.play(position.options()[int(rng.random() * len(position.options()))])
        found.append(position)
    assert found[-1].over
    return found


@pytest.mark.parametrize(("game", "seats"), NUMBERED, ids=IDS)
def test_each_row_has_the_numbers_and_each_mask_the_options_of_its_position(game, seats):
    positions, columns = positions_of(game, seats), len(game.columns(seats))
    words = [*game.vocabulary(seats)]
    rows, chosen = table_of("f", len(positions), columns), table_of("H", len(positions), columns)
    masks = table_of("b", len(positions), len(words))
    places = None if game.options_are_places else {word: place for place, word in enumerate(words)}
    write_rows(positions, rows)
    write_rows(positions, chosen, [number % seats for number in range(len(positions))])
    write_masks(positions, masks, places)
    for number, position in enumerate(positions):
        for seat, written in ((position.seat, rows), (number % seats, chosen)):
            expected = array("f", bytes(4 * columns))
            position.numbers(seat, expected)
            assert expected.tolist() == written.tolist()[number]
        offered = set()
        for option in position.options()[:3000]:
            move = position.move_of(option)
            offered.update([move] if isinstance(move, str) else move)
        assert offered == {word for word, flag in zip(words, masks.tolist()[number], strict=True) if flag}


@pytest.mark.parametrize("kind", "bBhHiIlLqQd")
def test_any_type_of_numbers_will_do(kind):
    positions = positions_of(GAMES["stellar"], 2)
    rows, masks = table_of(kind, 5, 416), table_of(kind, 5, 1257)
    write_rows(positions, rows)
    write_masks(positions, masks)
    assert {0, 1} == {flag for row in masks.tolist() for flag in row}
    assert rows.tolist()[0][0] == positions[0].seat


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (
            lambda: table_of("f", 4, 416),
            ValueError,
            r"writable buffer of 5 rows of numbers, got .*\(4, 416\)",
        ),
        (
            lambda: array("f", [0.0]) * 2080,
            ValueError,
            r"writable buffer of 5 rows of numbers, got .*\(2080,\)",
        ),
        (lambda: table_of("f", 5, 416).toreadonly(), ValueError, "writable buffer of 5 rows"),
        (lambda: table_of("f", 5, 415), ValueError, "expected a (buffer|column)"),
        (lambda: memoryview(bytearray(2080)).cast("c", (5, 416)), ValueError, "writable buffer of 5 rows"),
        (lambda: [[0.0] * 416] * 5, TypeError, "list"),
        (lambda: None, TypeError, "None"),
    ],
)
def test_another_buffer_is_refused(make, error, words):
    positions = positions_of(GAMES["stellar"], 2)
    with pytest.raises(error, match=words):
        write_rows(positions, make())
    with pytest.raises(error, match=words):
        write_masks(positions, make())


def test_there_must_be_a_seat_for_each_position():
    positions = positions_of(GAMES["stellar"], 2)
    with pytest.raises(ValueError, match="expected a seat for each of 5 positions, got 2"):
        write_rows(positions, table_of("f", 5, 416), [0, 1])


def test_of_no_positions_nothing_is_written():
    assert [] == play_on_all([], Random(1))
    with pytest.raises(ValueError, match="expected a writable buffer of 0 rows"):
        write_rows([], table_of("f", 1, 2))


@pytest.mark.parametrize("policy", [None, "greedy-1"])
def test_a_cut_does_not_change_how_positions_are_played_on(policy):
    game = GAMES["stella-quest"]
    positions = positions_of(game, 3)
    looks = [position.write_view(None) for position in positions]
    chooser = policy and find_policy(game, policy)
    whole = play_on_all(positions, Random(4), chooser, 2)
    rng = Random(4)
    halves = [*play_on_all(positions[:2], rng, chooser, 2), *play_on_all(positions[2:], rng, chooser, 2)]
    assert whole == halves
    assert looks == [position.write_view(None) for position in positions]
    assert all(
        after.over or after.round == before.round + 2 for before, after in zip(positions, whole, strict=True)
    )


def test_flags_stand_at_their_places():
    assert bytearray([0, 1, 0, 1]) == flags_of([3, 1], 4)
    assert bytearray(2) == flags_of((), 2)
