import re
from xml.etree import ElementTree as ET

from ladder.web.pages.charts import Line, Point, draw_histogram, draw_ratings

HOSTILE = "</svg><script>alert(1)</script>\u202e"
POINTS = [Point(matches, 25 + matches / 100, 5 / matches) for matches in (10, 20, 50, 100, 200)]
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


def test_a_chart_is_the_same_each_time():
    assert charts() == charts()


def test_one_point_and_equal_points_are_drawn():
    assert "<path" in draw_ratings([Line("a", 1, POINTS[:1])], "one")
    assert "<path" in draw_ratings([Line("a", 1, [POINTS[0]._replace(margin=0.0)] * 2)], "equal")


def test_the_axis_of_few_matches_counts_no_half_matches():
    few = [
        Point(matches, 20.0, 30.0) for matches in (5, 6, 8)
    ]  # ratings from -10 to 50: those ticks are whole
    assert not re.search(r">\d+\.\d+<", draw_ratings([Line("a", 1, few)], "few"))
