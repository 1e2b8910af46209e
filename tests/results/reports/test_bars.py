"""Intervals as bars."""

from hypothesis import given
from hypothesis import strategies as st

from results.reports.anchors import draw_intervals
from results.reports.document import Interval

NUMBERS = st.floats(-1e6, 1e6)


def span(middle, half):
    return Interval(middle, middle - half, middle + half)


def test_bars_stand_on_a_common_axis():
    spans = [span(2, 2), span(6, 2), span(4, 0)]
    assert ["├─●─┤    ", "    ├─●─┤", "    ●    "] == draw_intervals(spans, 9)
    assert ["├───●───┤", "         ", "  ├─●─┤  "] == draw_intervals([span(5, 4), None, span(5, 2)], 9)


def test_no_doubt_is_a_point():
    assert ["●        "] == draw_intervals([span(5, 0)], 9)


def test_a_side_without_an_end_goes_on_to_the_edge():
    spans = [Interval(6, 4, None), Interval(2, None, 3), span(4, 4)]
    assert ["    ├─●──", "──●┤     ", "├───●───┤"] == draw_intervals(spans, 9)


ENDS = st.none() | NUMBERS
SPANS = st.builds(
    lambda low, middle, high: Interval(
        middle, low if low is None else min(low, middle), high if high is None else max(high, middle)
    ),
    ENDS,
    NUMBERS,
    ENDS,
)


@given(st.lists(st.none() | SPANS, max_size=5), st.integers(1, 60))
def test_a_bar_is_as_wide_as_its_column(spans, width):
    drawn = draw_intervals(spans, width)
    assert len(spans) == len(drawn)
    assert {width} >= {len(bar) for bar in drawn}
    assert all(("●" in bar) == (span is not None) for bar, span in zip(drawn, spans, strict=True))
