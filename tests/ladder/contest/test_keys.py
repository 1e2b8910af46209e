"""The keyed names and seeds of a run."""

import math
from collections import Counter

import pytest

from ladder.contest.keys import Keys, draw_secret, secret_of_seed, secret_of_text

KEYS = Keys(bytes(range(16)))


@pytest.mark.parametrize(
    ("expected", "found"),
    [
        ("8fff9117b2d0ec5c600c83768b4e90c9c53076ad08ef409ff46aa7fc9c4184c9", KEYS.deal(7).hex()),
        (5378267157301286, KEYS.bot(7, 1)),
        ("fd657984411d7912", KEYS.name(7, 1)),
        (["e6cc6a2dde2e1b98", "880d99395f008241"], KEYS.decisions(7, 1, 5)[:2]),
        (["118e1c372a545e18", "ff6e38d6a6971dfa"], KEYS.decisions(7, 1, 5, 1)[6:]),
        (0.29406234970989975, KEYS.substitute(7, 1, 5).random()),
        (0.03287620061702967, KEYS.schedule("stellar-2", 3).random()),
        ([2, 0, 1], KEYS.order(7, 5, 3)),
        ("55477462781abb7640ca1d45e1921b51", secret_of_seed(1).hex()),
        ("a5ab75e49d640b95336768fab44c31d9", secret_of_text("correct horse battery st").hex()),
    ],
)
def test_what_is_drawn_never_changes(expected, found):
    """Or else stored runs could be neither continued nor replayed.  All follows from the secret."""
    assert expected == found


def test_everything_has_a_name_of_its_own():
    drawn = [KEYS.deal(i).hex() for i in range(50)]
    drawn += [KEYS.name(i, j) for i in range(50) for j in range(4)]
    drawn += [id_ for i in range(20) for j in range(4) for k in range(5) for id_ in KEYS.decisions(i, j, k)]
    drawn += [id_ for i in range(20) for again in (1, 2) for id_ in KEYS.decisions(i, 0, 0, again)]
    drawn += [f"{KEYS.bot(i, j):014x}" for i in range(50) for j in range(4)]
    assert len(drawn) == len(set(drawn))


def test_numbers_do_not_run_into_one_another():
    assert KEYS.name(1, 23) != KEYS.name(12, 3)
    assert KEYS.decisions(1, 1, 11) != KEYS.decisions(1, 11, 1)


def test_what_is_drawn_for_one_purpose_tells_nothing_of_another():
    seen = [KEYS.deal(3)[:8], KEYS.bot(3, 3).to_bytes(8, "big"), bytes.fromhex(KEYS.name(3, 3))]
    seen += [bytes.fromhex(KEYS.decisions(3, 3, 3)[0])]
    assert 4 == len({data.hex() for data in seen})
    assert KEYS.substitute(3, 3, 3).random() != KEYS.schedule("3", 3).random()


@pytest.mark.parametrize("seats", range(2, 7))
def test_the_orders_of_asking_are_equally_likely(seats):
    steps = 20_000
    orders = Counter(tuple(KEYS.order(match, step, seats)) for match in range(200) for step in range(100))
    assert {tuple(range(seats))} == {tuple(sorted(order)) for order in orders}
    expected = steps / math.factorial(seats)
    chi_square = sum((count - expected) ** 2 / expected for count in orders.values())
    chi_square += (math.factorial(seats) - len(orders)) * expected
    freedom = math.factorial(seats) - 1
    assert chi_square < freedom + 6 * math.sqrt(2 * freedom)


def test_seeds_of_bots_are_integers_that_a_double_holds():
    seeds = [KEYS.bot(match, seat) for match in range(500) for seat in range(2)]
    assert all(0 <= seed < 2**53 for seed in seeds)
    assert max(seeds) > 2**52


def test_names_are_16_hex_digits():
    names = [KEYS.name(match, 0) for match in range(100)]
    names += [id_ for match in range(20) for id_ in KEYS.decisions(match, 1, 2)]
    assert {16} == set(map(len, names))
    assert set("0123456789abcdef") == set("".join(names))


def test_a_secret_has_128_bits():
    assert 16 == len(draw_secret())
    assert draw_secret() != draw_secret()


def test_every_seed_of_the_command_line_has_a_secret_of_its_own():
    assert 1000 == len({secret_of_seed(seed) for seed in range(-500, 500)})
