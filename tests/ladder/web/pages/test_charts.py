import re
import resource
from xml.etree import ElementTree as ET

import pytest

from ladder.errors import LadderError
from ladder.web.pages.charts import Line, draw_histogram, draw_ratings
from results.reports.document import RatingPoint

HOSTILE = "</svg><script>alert(1)</script>\u202e"


def point(matches, rating, margin):
    return RatingPoint(matches, rating, rating - margin, rating + margin)


POINTS = [point(matches, 25 + matches / 100, 5 / matches) for matches in (10, 20, 50, 100, 200)]
BARS = [(0.1, 1.0, 5), (1.0, 10.0, 70), (10.0, 100.0, 3)]


def charts():
    return [
        draw_ratings([Line(HOSTILE, 1, POINTS), Line("@2", 2, POINTS[:3])], HOSTILE),
        draw_histogram(BARS, 1000, 3, HOSTILE),
    ]


def test_a_chart_is_well_formed_named_and_obeys_the_policy_of_pages():
    for chart in charts():
        root = ET.fromstring(chart)
        assert "img" == root.get("role")
        assert HOSTILE.replace("\u202e", "\\u202e") == root[0].text
        assert not re.search(r"\bstyle=|<style|<script|<image|href=|\bid=|\u202e", chart)


def test_colours_are_those_of_the_theme():
    for chart in charts():
        colours = set(re.findall(r'(?:fill|stroke)="([^"]*)"', chart))
        assert any(colour.startswith("var(--") for colour in colours)
        assert colours <= {"none", "transparent"} | {c for c in colours if c.startswith("var(--")}, colours


def test_where_addresses_are_limited_the_limit_is_named_and_the_process_lives(monkeypatch):
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (512_000_000, -1))
    with pytest.raises(LadderError, match="charts need 100 GB of address space") as error:
        draw_histogram(BARS, 1000, 3, "times")
    assert "ulimit -v unlimited" in error.value.hint


def test_one_point_and_equal_points_are_drawn():
    assert "<path" in draw_ratings([Line("a", 1, POINTS[:1])], "one")
    assert "<path" in draw_ratings([Line("a", 1, [point(10, 25, 0.0)] * 2)], "equal")


def test_the_axis_of_few_matches_counts_no_half_matches():
    few = [
        point(matches, 20.0, 30.0) for matches in (5, 6, 8)
    ]  # ratings from -10 to 50: those ticks are whole
    assert not re.search(r">\d+\.\d+<", draw_ratings([Line("a", 1, few)], "few"))


def test_an_interval_without_an_end_reaches_to_the_edge():
    """So a bot that won all of its first matches is not said to be at most so good."""
    lines = [
        Line("won all", 1, [point(10, 26, 2)._replace(high=None), POINTS[1]]),
        Line("lost all", 2, [point(10, 26, 2)._replace(low=None), POINTS[1]]),
        Line("neither", 3, [point(10, 26, 4), POINTS[1]]),
    ]
    drawn = ET.fromstring(draw_ratings(lines, "open"))
    groups = [each for each in drawn.iter() if (each.get("class") or "").startswith("mark-area")]
    ends = []
    for group in groups:
        heights = [float(y) for x, y in re.findall(r"[ML]([\d.]+),([\d.]+)", group[0].get("d")) if x == "0"]
        ends.append((min(heights), max(heights)))
    bottom, top = ends[2][1], ends[2][0]
    assert [top, bottom] == [ends[0][0], ends[1][1]]
    assert ends[0][1] < bottom
    assert ends[1][0] > top
