"""Charts as SVG: lines of ratings in their intervals, and histograms of thinking times.

Vega-Lite draws them in this process, without a browser, a network or a style attribute.  Colours are the
variables of site.css, so one picture serves light and dark.  Vega-Lite places texts by the fonts of this
machine, and readers have others: so ticks and margins are given, with room for the widest of common fonts.
"""

import json
import math
import re
import resource
from collections.abc import Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from markupsafe import Markup, escape

from engines.drawing import cut
from ladder.errors import LadderError
from ladder.web.pages.assets import read_asset
from ladder.web.pages.environment import visible
from results.reports.document import RatingPoint

Spec: TypeAlias = dict[str, Any]

WIDTH, HEIGHT = 290, 170
"""Of the plot itself; with its axes a chart fits a telephone."""
LABEL: Final = 11
"""The size of all texts."""
MARGINS: Final = {"left": 70, "right": 24, "top": 18, "bottom": 40}
"""Room for the labels and the titles of axes."""
LABELS_WIDE: Final = 48
"""How far from its axis the title stands: labels such as 10,500 are between."""
MATCHES_APART, TIMES_APART = 34, 46
"""The least distances of two ticks on logarithmic axes: labels are as long as 500k and 200 ms."""
VEGA_LITE: Final = "6.1"
"""The version that draws: another may draw otherwise, and every page would change."""
ADDRESSES: Final = 100 << 30
"""The address space that its engine of JavaScript reserves; with less it ends the process (measured)."""
FILE_MARK: Final = "<metadata>ladder</metadata>"
"""Stands in every chart that is a file: the next one may overwrite it."""
TITLE: Final = 18
"""How much higher than its chart a file is, for the title."""
_CONFIG: Final[Spec] = {
    "background": "transparent",
    "font": "system-ui, sans-serif",
    "autosize": {"type": "none"},
    "padding": MARGINS,
    "view": {"stroke": None},
    "axis": {
        "labelColor": "var(--muted)",
        "titleColor": "var(--muted)",
        "titleFontWeight": "normal",
        "gridColor": "var(--line)",
        "domainColor": "var(--line)",
        "tickColor": "var(--line)",
        "labelFontSize": LABEL,
        "titleFontSize": LABEL,
        "labelOverlap": False,
        "labelFlush": False,
    },
    "axisY": {"minExtent": LABELS_WIDE, "maxExtent": LABELS_WIDE},
}


class Line(NamedTuple):
    """The ratings of one version of a bot."""

    label: str
    series: int
    """The number of its colour, from 1 to 8."""
    points: Sequence[RatingPoint]


def draw_ratings(lines: Sequence[Line], title: str, axis: str = "rating") -> Markup:
    """Return ratings over numbers of matches, each line in its 95 % interval, with its label at its end.

    Where an interval has no end on one side, it reaches to the edge.  *axis* says what the heights are.
    """
    matches = [point.matches for line in lines for point in line.points]
    low, high = min(matches), max(matches)
    ends = [each for line in lines for point in line.points for each in point[1:] if each is not None]
    bottom, top = min(ends), max(ends)

    def rating(field: str) -> Spec:
        scale = {"zero": False, "domain": [bottom, top] if top > bottom else [bottom - 1, top + 1]}
        return {
            "field": field,
            "type": "quantitative",
            "scale": scale,
            "axis": {"title": visible(axis), "tickCount": 5},
        }

    # Most is learned in the first matches: on a linear axis they would be a few pixels.
    is_log = high > 4 * low
    scale = {"type": "log" if is_log else "linear", "nice": False, "zero": False}
    x = {"field": "matches", "type": "quantitative", "scale": scale}
    x["axis"] = {
        "title": "matches of the version",
        "grid": False,
        "format": "~s",
        **(
            {"values": _log_ticks(low, high, MATCHES_APART)} if is_log else {"tickCount": 4, "tickMinStep": 1}
        ),
    }
    layers: list[Spec] = []
    for line in lines:
        rows = [
            {
                "matches": p.matches,
                "rating": p.rating,
                "low": bottom if p.low is None else p.low,
                "high": top if p.high is None else p.high,
            }
            for p in line.points
        ]
        data, colour = {"values": rows}, f"var(--series-{line.series})"
        area = {"type": "area", "color": colour, "opacity": 0.2}
        dots = {"type": "line", "color": colour, "point": {"filled": True, "color": colour, "size": 16}}
        span = {"x": x, "y": rating("low"), "y2": {"field": "high"}}
        layers.append({"data": data, "mark": area, "encoding": span})
        layers.append({"data": data, "mark": dots, "encoding": {"x": x, "y": rating("rating")}})
        if len(lines) > 1:
            end = rows[-1]["matches"]
            # Vega places labels without knowing their widths, so the side with room is chosen here.
            share = math.log(end / low) / math.log(high / low) if is_log else (end - low) / max(1, high - low)
            layers.append(_label_at({**rows[-1], "label": line.label}, share, x, rating("rating"), dy=-8))
    return _draw({"layer": layers}, title)


def draw_histogram(
    bars: Sequence[tuple[float, float, int]], limit_ms: float, series: int, title: str
) -> Markup:
    """Return a histogram of times: *bars* have their start and end in ms, and the number of decisions.

    The axis is logarithmic; a line marks the free time of a decision, *limit_ms*.
    """
    low = min([start for start, _, _ in bars])
    high = max([limit_ms * 2, *(end for _, end, _ in bars)])
    scale = {"type": "log", "domain": [low, high], "nice": False}
    axis = {
        "title": "time of a decision",
        "grid": False,
        "labelExpr": _UNITS,
        "values": _log_ticks(low, high, TIMES_APART),
    }
    x = {"field": "start", "type": "quantitative", "scale": scale, "axis": axis}
    rows = [{"start": start, "end": end, "decisions": count} for start, end, count in bars]
    y = {
        "field": "decisions",
        "type": "quantitative",
        "axis": {"title": "decisions", "tickCount": 4, "format": "~s"},
    }
    limit = {"start": limit_ms, "label": "limit"}
    share = math.log(limit_ms / low) / math.log(high / low)
    layers = [
        {
            "data": {"values": rows},
            "mark": {"type": "bar", "color": f"var(--series-{series})"},
            "encoding": {"x": {**x, "bin": "binned"}, "x2": {"field": "end"}, "y": y},
        },
        {
            "data": {"values": [limit]},
            "mark": {"type": "rule", "color": "var(--text)", "strokeDash": [4, 3]},
            "encoding": {"x": x},
        },
        _label_at(limit, share, x, {"value": 6}, dx=4),
    ]
    return _draw({"layer": layers}, title)


def as_file(drawn: Markup, title: str, *, dark: bool = False) -> str:
    """Return a chart as an SVG file that needs no page: with its *title*, in the colours of one theme."""
    found = re.findall(r"--([\w-]+): light-dark\((.+), (.+)\);", read_asset("site.css"))
    colours = {name: themes[dark] for name, *themes in found}
    wide = WIDTH + MARGINS["left"] + MARGINS["right"]
    high = HEIGHT + MARGINS["top"] + MARGINS["bottom"] + TITLE
    size = f'width="{wide}" height="{high}"'
    font = f'font-family="{_CONFIG["font"]}" font-size="{LABEL}" fill="var(--text)"'
    told = escape(cut(visible(title), wide - 20, LABEL))
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {wide} {high}" {size}>{FILE_MARK}'
        f'<rect {size} fill="var(--background)"/><text x="10" y="14" {font}>{told}</text>'
        f'<g transform="translate(0 {TITLE})">{drawn.partition(">")[2].removesuffix("</svg>")}</g></svg>\n'
    )
    return re.sub(r"var\(--([\w-]+)\)", lambda found: colours[found[1]], svg)


def _label_at(row: Spec, share: float, x: Spec, y: Spec, dx: int = 0, dy: int = 0) -> Spec:
    """Return the label of *row* beside its place, at a *share* of the width, on the side that has more room.

    It is cut where it would leave the plot in a wide font.
    """
    left = share > 0.5
    text = cut(visible(row["label"]), max(share, 1 - share) * WIDTH - dx, LABEL)
    mark = {"type": "text", "align": "right" if left else "left", "dx": -dx if left else dx, "dy": dy}
    return {
        "data": {"values": [{**row, "label": text}]},
        "mark": {**mark, "color": "var(--text)", "fontSize": LABEL},
        "encoding": {"x": x, "y": y, "text": {"field": "label"}},
    }


def _log_ticks(low: float, high: float, apart: float) -> list[float]:
    """Return round numbers from *low* to *high* that are so far *apart* on a logarithmic axis, at least."""
    decade = WIDTH / math.log10(high / low)
    digits, step = ((1, 2, 5), 1) if decade * math.log10(2) >= apart else ((1,), math.ceil(apart / decade))
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    ticks = [float(f"{digit}e{power}") for power in powers if power % step == 0 for digit in digits]
    return [tick for tick in ticks if low <= tick <= high]


_UNITS: Final = (
    "datum.value >= 1000 ? datum.value / 1000 + ' s'"
    " : datum.value >= 1 ? datum.value + ' ms' : datum.value * 1000 + ' µs'"
)


def _draw(spec: Spec, title: str) -> Markup:
    """Return *spec* as an SVG element named *title*.  Raises LadderError where addresses are limited."""
    if -1 < resource.getrlimit(resource.RLIMIT_AS)[0] < ADDRESSES:
        raise LadderError(
            "charts need 100 GB of address space, hardly any of it memory, and this user may have less",
            "ulimit -v unlimited, then the same command again",
        )
    import vl_convert  # 0.1 s: only pages with charts need it

    whole = {"width": WIDTH, "height": HEIGHT, "config": _CONFIG, **spec}
    drawn = vl_convert.vegalite_to_svg(json.dumps(whole), vl_version=VEGA_LITE)
    start = drawn.index(">") + 1
    size = drawn[:start].partition('viewBox="')[2].partition('"')[0]
    head = Markup('<svg class="plot" role="img" viewBox="{}"><title>{}</title>').format(size, visible(title))
    return head + Markup(drawn[start:])  # noqa: S704 - Vega escapes the texts of marks
