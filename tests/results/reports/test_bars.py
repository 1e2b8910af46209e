"""Intervals as bars."""

from hypothesis import given
from hypothesis import strategies as st

from results.reports.bars import draw_intervals

NUMBERS = st.floats(-1e6, 1e6)


def test_bars_stand_on_a_common_axis():
    assert ["├─●─┤    ", "    ├─●─┤", "    ●    "] == draw_intervals([(2, 2), (6, 2), (4, 0)], 9)
    assert ["├───●───┤", "         ", "  ├─●─┤  "] == draw_intervals([(5, 4), None, (5, 2)], 9)


def test_no_doubt_is_a_point():
    assert ["●        "] == draw_intervals([(5, 0)], 9)


@given(st.lists(st.none() | st.tuples(NUMBERS, st.floats(0, 1e6)), max_size=5), st.integers(1, 60))
def test_a_bar_is_as_wide_as_its_column(spans, width):
    drawn = draw_intervals(spans, width)
    assert len(spans) == len(drawn)
    assert {width} >= {len(bar) for bar in drawn}
    assert all(("●" in bar) == (span is not None) for bar, span in zip(drawn, spans, strict=True))
