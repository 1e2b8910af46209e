"""What `bench.py` measures of many bots and of bots that wait: its figures are shown, not tested."""

import pytest
from programs.benchmark import crowds
from programs.benchmark.crowds import crowd_figures


def test_few_matches_say_nothing_about_many_bots():
    assert [] == list(crowd_figures(crowds.LEAST - 1))


WAITING = {"WAITING_TABLES": 2, "SETTLED_S": 0.1, "MEASURED_S": 1.0}


@pytest.mark.slow
def test_each_row_has_a_figure(monkeypatch):
    bots = {"FEW_BOTS": 2, "MANY_BOTS": 3, "VERY_MANY_BOTS": 4}
    for name, value in {"LEAST": 8, **bots, "SLOW_MATCHES": 4, **WAITING}.items():
        monkeypatch.setattr(crowds, name, value)
    shown = list(crowd_figures(8))
    assert not shown[0].aim, "so few matches are mostly starts"
    figures = {figure.what: figure.value for figure in shown}
    assert 7 == len(figures)
    assert 0 < figures["2 waiting tables: CPU of the ladder"] < 200
    assert 2 <= figures["3 bots, 8 matches: process starts per bot"] <= 4
    assert 1 <= figures["slow bots, 4 matches: most tables in progress"] <= 4
    assert 1 < figures["slow bots, 4 matches: run / ideal with these tables"]
