"""The order of seeds."""
# the expected value stands on the left, in every test

from ladder.pairing.bracket import bracket_order, spread


def test_a_bracket_has_the_usual_order():
    assert [1, 8, 4, 5, 2, 7, 3, 6] == [1 + seed for seed in bracket_order(8)]
    assert [0] == bracket_order(1)
    assert list(range(64)) == sorted(bracket_order(64))


def test_seeds_are_spread_forwards_and_backwards():
    assert [[0, 5, 6], [1, 4, 7], [2, 3, 8]] == spread(range(9), (3, 3, 3))
    assert [[0, 3, 4, 6], [1, 2, 5]] == spread(range(7), (4, 3))
