"""The figures of programs that learn: rates of each way, then the shares that have an aim."""

import sys

import pytest
from support.games import only
from support.need import need

from ladder.dev.benchmark import learning_speed


@pytest.fixture(autouse=True)
def short(monkeypatch):
    monkeypatch.setattr(learning_speed, "DECISIONS", 512)


def figures():
    with only("stella-quest"):
        return [*learning_speed.learning_figures(1)]


@pytest.mark.tools
@pytest.mark.parametrize("compiled", [False, True])
def test_each_way_has_a_rate_and_the_slowest_shares_an_aim_in_the_compiled_build(compiled, monkeypatch):
    need("pettingzoo")
    monkeypatch.setattr(learning_speed, "is_compiled", lambda: compiled)
    found = figures()
    environments = ("LadderEnv", "SeatEnv against greedy", "Tables of 256")
    ways = ("positions with numbers", *environments, "ends of rounds of greedy as features")
    assert [f"stella-quest, {seats} seats: {way}" for seats in (2, 4) for way in ways] == [
        figure.what for figure in found[:-2]
    ]
    rates = {figure.what.partition(": ")[::2]: figure.value for figure in found[:-2]}
    for figure, (way, aim) in zip(
        found[-2:], {"LadderEnv": 0.25, "Tables of 256": 0.75}.items(), strict=True
    ):
        share = min(rates[table, way] / rates[table, ways[0]] for table, _ in rates)
        assert f"slowest table: {way} / positions with numbers" == figure.what
        assert pytest.approx(share) == figure.value
        assert (f"at least {aim}" if compiled else "") == figure.aim


def test_without_the_extra_positions_alone_are_measured(monkeypatch):
    for module in [name for name in sys.modules if name.startswith("ladder.learn.")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "numpy", None)
    monkeypatch.setitem(sys.modules, "gymnasium", None)
    assert ["2", "4"] == [figure.what.split()[1] for figure in figures()]
