"""What `ladder bench` measures of whole runs: its figures are shown, not tested."""

import pytest

from ladder.dev.benchmark.run_speed import house_figures, run_figures


@pytest.mark.slow
def test_a_run_of_the_house_bots_is_measured_from_the_command_to_its_end():
    time, use = house_figures(8)
    assert time.what.startswith("house bots, all games, 8 matches, ")
    assert ("s/10,000", "at most 120") == (time.unit, time.aim)
    assert 0 < use.value <= 100


@pytest.mark.slow
def test_a_run_is_compared_with_its_messages_over_bare_pipes():
    ratio = next(figure for figure in run_figures(16) if "bare pipes" in figure.what)
    assert "32 in progress" in ratio.what
    assert "at most 1.35" == ratio.aim
    assert 1 < ratio.value
