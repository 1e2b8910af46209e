"""Charts as SVG: lines of ratings in their intervals, and histograms of thinking times.

Vega-Lite draws them in this process, without a browser, a network or a style attribute.  Colours are the
variables of site.css, so one picture serves light and dark.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from markupsafe import Markup

from ladder.pages.environment import visible

__all__ = ["Line", "Point", "draw_histogram", "draw_ratings"]

Spec: TypeAlias = dict[str, Any]

WIDTH, HEIGHT = 290, 170
"""Of the plot itself; with its axes a chart fits a telephone."""
VEGA_LITE: Final = "6.1"
"""The version that draws: another may draw otherwise, and every page would change."""
_CONFIG: Final[Spec] = {
    "background": "transparent",
    "font": "system-ui",
    "view": {"stroke": None},
    "axis": {
        "labelColor": "var(--muted)",
        "titleColor": "var(--muted)",
        "titleFontWeight": "normal",
        "gridColor": "var(--line)",
        "domainColor": "var(--line)",
        "tickColor": "var(--line)",
        "labelFontSize": 11,
        "titleFontSize": 11,
    },
}


class Point(NamedTuple):
    """A rating after a number of matches."""

    matches: int
    rating: float
    margin: float
    """Half of its 95 % interval."""


class Line(NamedTuple):
    """The ratings of one version of a bot."""

    label: str
    series: int
    """The number of its colour, from 1 to 8."""
    points: Sequence[Point]


def draw_ratings(lines: Sequence[Line], title: str) -> Markup:
    """Return ratings over numbers of matches, each line in its 95 % interval, with its label at its end."""
    matches = [point.matches for line in lines for point in line.points]
    scale = {"type": "log" if max(matches) > 4 * min(matches) else "linear", "nice": False, "zero": False}
    x = {"field": "matches", "type": "quantitative", "scale": scale}
    x["axis"] = {
        "title": "matches of the version",
        "grid": False,
        "tickCount": 5,
        "tickMinStep": 1,
        "format": "~s",
    }
    layers: list[Spec] = []
    for line in lines:
        rows = [
            {
                "matches": p.matches,
                "rating": p.rating,
                "low": p.rating - p.margin,
                "high": p.rating + p.margin,
            }
            for p in line.points
        ]
        colour = f"var(--series-{line.series})"
        layers += [
            {
                "data": {"values": rows},
                "mark": {"type": "area", "color": colour, "opacity": 0.2},
                "encoding": {"x": x, "y": _rating("low"), "y2": {"field": "high"}},
            },
            {
                "data": {"values": rows},
                "mark": {
                    "type": "line",
                    "color": colour,
                    "point": {"filled": True, "color": colour, "size": 16},
                },
                "encoding": {"x": x, "y": _rating("rating")},
            },
        ]
        if len(lines) > 1:
            layers.append(
                {
                    "data": {"values": [{**rows[-1], "label": visible(line.label)}]},
                    "mark": {
                        "type": "text",
                        "align": "right",
                        "dy": -8,
                        "color": "var(--text)",
                        "fontSize": 11,
                    },
                    "encoding": {"x": x, "y": _rating("rating"), "text": {"field": "label"}},
                }
            )
    return _draw({"layer": layers}, title)


def _rating(field: str) -> Spec:
    return {
        "field": field,
        "type": "quantitative",
        "scale": {"zero": False},
        "axis": {"title": "rating", "tickCount": 5},
    }


def draw_histogram(
    bars: Sequence[tuple[float, float, int]], limit_ms: float, series: int, title: str
) -> Markup:
    """Return a histogram of times: *bars* have their start and end in ms, and the number of decisions.

    The axis is logarithmic; a line marks the free time of a decision, *limit_ms*.
    """
    low = min([start for start, _, _ in bars])
    high = max([limit_ms * 2, *(end for _, end, _ in bars)])
    scale = {"type": "log", "domain": [low, high], "nice": False}
    axis = {"title": "time of a decision", "grid": False, "labelExpr": _UNITS, "tickCount": 5}
    x = {"field": "start", "type": "quantitative", "scale": scale, "axis": axis}
    rows = [{"start": start, "end": end, "decisions": count} for start, end, count in bars]
    y = {
        "field": "decisions",
        "type": "quantitative",
        "axis": {"title": "decisions", "tickCount": 4, "format": "~s"},
    }
    limit = [{"start": limit_ms, "label": "limit"}]
    layers = [
        {
            "data": {"values": rows},
            "mark": {"type": "bar", "color": f"var(--series-{series})"},
            "encoding": {"x": {**x, "bin": "binned"}, "x2": {"field": "end"}, "y": y},
        },
        {
            "data": {"values": limit},
            "mark": {"type": "rule", "color": "var(--text)", "strokeDash": [4, 3]},
            "encoding": {"x": x},
        },
        {
            "data": {"values": limit},
            "mark": {"type": "text", "align": "right", "dx": -4, "color": "var(--text)", "fontSize": 11},
            "encoding": {"x": x, "y": {"value": 6}, "text": {"field": "label"}},
        },
    ]
    return _draw({"layer": layers}, title)


_UNITS: Final = (
    "datum.value >= 1000 ? datum.value / 1000 + ' s'"
    " : datum.value >= 1 ? datum.value + ' ms' : datum.value * 1000 + ' µs'"
)


def _draw(spec: Spec, title: str) -> Markup:
    """Return *spec* as an SVG element that is named *title*."""
    import vl_convert  # 0.1 s: only pages with charts need it

    whole = {"width": WIDTH, "height": HEIGHT, "padding": 4, "config": _CONFIG, **spec}
    drawn = vl_convert.vegalite_to_svg(json.dumps(whole), vl_version=VEGA_LITE)
    start = drawn.index(">") + 1
    size = drawn[:start].partition('viewBox="')[2].partition('"')[0]
    head = Markup('<svg class="plot" role="img" viewBox="{}"><title>{}</title>').format(size, visible(title))
    return head + Markup(drawn[start:])  # noqa: S704 - Vega escapes the texts of marks
