"""Are lines of R1 true: intervals of shares, marks for carried deals and for changed policies?"""

from functools import partial
from importlib import import_module
from random import Random

import pytest
from support.measured import carry, draw_measurement, mover, play_measurement
from support.worlds import FULL, halve_count, scale_count

from ladder.reference import set_match
from ladder.reference.reference_set import load_set
from ladder.reference.set_match import share_beaten

pytestmark = pytest.mark.slow

SET = load_set()
HONEST = ("greedy", "careful", "bold", "half", "most")
TABLES = {
    of.key: of
    for name, game in SET.listed.games.items()
    for of in (SET.contest(name, n) for n in game.blocks)
}
QUICK = {"stellar/2": 200, "stella-quest/3": 60, "stella/3": 50}
"""The tables of the gate, and how many blocks stand for a measurement there."""


def blocks_of(of):
    """Return the numbers of public and of new blocks."""
    if not FULL:
        return QUICK[of.key], QUICK[of.key] // 10
    return of.count_blocks(full=False)[0], of.count_blocks(full=False, is_new=True)[0]


def test_of_40_honest_measurements_at_most_one_is_marked():
    """The bots of the set that do not search, as they play."""
    keys, rng, marked = list(TABLES if FULL else QUICK), Random("honest"), []
    for number in range(scale_count(6, 44)):
        of, bot = TABLES[keys[number % len(keys)]], HONEST[number // len(keys) % len(HONEST)]
        public, new = (play_measurement(of, n, rng.randbytes(16), mover(of.game, bot)) for n in blocks_of(of))
        marked.append(new.is_worse_than(public))
    assert sum(marked) <= len(marked) / 40


@pytest.mark.parametrize("key", ["stellar/2", "stella-quest/4", "starry-sky/5"])
def test_of_drawn_measurements_few_honest_ones_are_marked_and_all_that_fall_by_8_points(key):
    of, rng = TABLES[key], Random(f"drawn/{key}")
    first, later = of.count_blocks(full=False)[0], of.count_blocks(full=False, is_new=True)[0]
    number = halve_count(*((40, 400) if of.seats == 2 else (6, 100)))
    for fall, least, most in ((0.0, 0, max(1, number / 100)), (8.0, number, number)):
        drawn = [
            (draw_measurement(of, 28.0, first, rng), draw_measurement(of, 28.0 - fall, later, rng))
            for _ in range(number)
        ]
        assert least <= sum(new.is_worse_than(public) for public, new in drawn) <= most


@pytest.mark.parametrize(("key", "blocks"), [("stellar/2", 30)] + [("stella-quest/2", 60)] * FULL)
def test_a_bot_that_carries_the_deals_is_marked(key, blocks):
    """It plays on with the cards as they lie; elsewhere it is as good as greedy.

    A few public deals stand for all: with more of them its rating would only be surer.
    """
    of, rng = TABLES[key], Random(f"carried/{key}")
    public = play_measurement(of, blocks, rng.randbytes(16), carry(of.game))
    new = play_measurement(
        of, of.count_blocks(full=False, is_new=True)[0], rng.randbytes(16), mover(of.game, "greedy")
    )
    assert new.is_worse_than(public)


@pytest.mark.parametrize("key", ["stella/3", "stella/6"] if FULL else ["stella/3"])
def test_intervals_of_shares_hold_95_percent_of_real_deals_drawn_again(key):
    of, rng, held = TABLES[key], Random(f"shares/{key}"), []
    for bot in ("careful", "half"):
        pool = play_measurement(of, scale_count(60, 250), rng.randbytes(16), mover(of.game, bot))
        truth = share_beaten(pool.deals).share
        for _ in range(scale_count(60, 400)):
            drawn = share_beaten(rng.choices(pool.deals, k=blocks_of(of)[0]))
            held.append(drawn.low <= truth <= drawn.high)
    assert 0.93 <= sum(held) / len(held) <= 0.99


@pytest.mark.parametrize("game", SET.listed.games if FULL else ["stella-quest"])
def test_of_weights_that_are_set_to_0_three_of_four_are_found(game, monkeypatch):
    of = SET.contest(game, min(SET.listed.games[game].blocks))
    of_game = import_module(f"engines.{game.replace('-', '_')}.greedy")
    policies = of_game.POLICIES
    policy_of = getattr(of_game, "greedy", partial(partial, of_game._choose))
    found = []
    for name, style in of_game.STYLES.items():
        for field, weight in style._asdict().items():
            if isinstance(weight, float) and weight and f"{name}-1" in policies:
                with monkeypatch.context() as patch:
                    changed = policy_of(style._replace(**{field: 0.0}))
                    patch.setitem(policies, f"{name}-1", changed)
                    set_match._player_of.cache_clear()
                    found.append(set_match.find_otherwise(of, SET.folder, full=False).bots != ())
    set_match._player_of.cache_clear()
    assert sum(found) >= 0.75 * len(found)
