"""Pictures and their parts: what is escaped, what counts as changed, what the style sheet knows."""

import re
from xml.etree import ElementTree as ET

import pytest
from support.pictures import contrast, list_changed

from engines import drawing
from engines.contract.texts import layout_faults, wide_lines
from engines.drawing import Layout, Picture, arrange

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "<script>alert(1)</script>\"' onload='x' &amp; ]]> \u202e\u0000\x1b\ud800\ufffe --> </svg>"
ONE_OF_EACH = (
    drawing.card("card", 0, 0, "M3", "moon", "hue-blue", stars=2),
    drawing.back("back", 80, 0, "3", mark_name="cloud"),
    drawing.back("plain back", 160, 0),
    drawing.slot("slot", 240, 0, "T1"),
    drawing.pile("pile", 320, 0, 27, "pile"),
    drawing.pile("empty", 400, 0, 0, "discards"),
    *(drawing.token(f"token {seat}", 30 + 60 * seat, 200, seat, "10", hidden=seat > 2) for seat in range(6)),
    drawing.star("star", 30, 300),
    drawing.star("large star", 90, 300, "β", large=True),
    drawing.seat_label("seat", 0, 400, 1, 300, "12", own=True, asked=True),
    drawing.label("label", 0, 500, "a word", width=100),
    drawing.make_part("edges", 0, 0, drawing.circle(1, kind="outline"), drawing.edge(0, 0, 9, 9)),
)


def a_picture(*parts):
    return Picture(640, 600, "A game", "in words", parts)


def read(svg):
    return ET.fromstring(svg)


def classes(svg):
    return {name for found in re.findall(r'class="([^"]*)"', svg) for name in found.split()}


def test_a_picture_has_a_title_a_description_a_size_and_its_parts_in_order():
    root = read(a_picture(*ONE_OF_EACH).svg())
    assert ("0 0 640 600", "img") == (root.get("viewBox"), root.get("role"))
    assert ["A game", "in words"] == [root.findtext(f"{SVG}title"), root.findtext(f"{SVG}desc")]
    assert [part.key for part in ONE_OF_EACH] == [each.get("data-key") for each in root.findall(f"{SVG}g")]


def test_the_outline_comes_first_in_every_part():
    for group in read(a_picture(*ONE_OF_EACH).svg()).findall(f"{SVG}g"):
        assert "outline" == group[0].get("class"), group.get("data-key")


def test_what_is_new_moved_or_drawn_otherwise_is_changed():
    same, moved, other = (drawing.slot(key, 0, 0, "T1") for key in ("same", "moved", "other"))
    before = a_picture(same, moved, other, drawing.slot("gone", 0, 0))
    now = a_picture(
        same,
        drawing.slot("moved", 5, 0, "T1"),
        drawing.slot("other", 0, 0, "T2"),
        drawing.slot("new", 9, 9),
    )
    assert {"moved", "other", "new"} == list_changed(now, before)
    assert "changed" not in classes(now.svg())
    assert "changed" not in classes(now.svg(now))


def test_a_loose_part_may_move_but_not_become_another():
    before = a_picture(*(drawing.card(key, 0, 0, "M3", kind="loose") for key in ("moved", "other")))
    now = a_picture(
        drawing.card("moved", 80, 0, "M3", kind="loose"),
        drawing.card("other", 80, 0, "M4", kind="loose"),
        drawing.card("new", 160, 0, "M3", kind="loose"),
    )
    assert {"other", "new"} == list_changed(now, before)


def test_hostile_text_stays_text():
    parts = (
        drawing.card(HOSTILE, 0, 0, HOSTILE),
        drawing.token(HOSTILE + "1", 0, 0, 0, HOSTILE),
        drawing.seat_label("seat", 0, 0, 0, 100, HOSTILE),
        drawing.pile("pile", 0, 0, 1, HOSTILE),
        drawing.slot("slot", 0, 0, HOSTILE),
        drawing.star("star", 0, 0, HOSTILE),
        drawing.back("back", 0, 0, HOSTILE),
        drawing.label("label", 0, 0, HOSTILE),
    )
    root = read(Picture(10, 10, HOSTILE, HOSTILE, parts).svg())
    shown = HOSTILE.translate(dict.fromkeys([0, 0x1B, 0xD800, 0xFFFE], "\ufffd"))
    assert [shown] * 2 == [root.findtext(f"{SVG}title"), root.findtext(f"{SVG}desc")]
    assert [shown, shown + "1"] == [group.get("data-key") for group in root.findall(f"{SVG}g")][:2]
    assert {"svg", "title", "desc", "g", "rect", "text", "circle", "path"} == {
        each.tag.removeprefix(SVG) for each in root.iter()
    }
    assert not [name for each in root.iter() for name in each.attrib if name.startswith("on")]


@pytest.mark.parametrize("alone", [False, True])
def test_a_picture_has_styles_only_if_it_stands_alone(alone):
    svg = a_picture(*ONE_OF_EACH).svg(alone=alone)
    read(svg)
    assert alone == ("<style>" in svg)
    assert " style=" not in svg


def test_the_style_sheet_knows_every_class_and_loads_nothing():
    sheet = drawing.style_sheet()
    known = set(re.findall(r"\.([a-z][a-z-]*)", sheet))
    assert classes(a_picture(*ONE_OF_EACH).svg(a_picture())) <= known | {"part"}
    assert {hue for _, hue in drawing.SEAT_MARKS} <= known
    assert not re.search(r"url|@import|http|</", sheet)


def test_dark_is_the_same_by_the_switch_and_by_the_system():
    blocks = re.findall(r"--board-ground: #14181d[^}]*", drawing.style_sheet())
    assert 2 == len(blocks)
    assert [line.strip() for line in blocks[0].splitlines()] == [
        line.strip() for line in blocks[1].splitlines()
    ]


@pytest.mark.parametrize("ground", ["#f4f5f7", "#14181d"], ids=["light", "dark"])
def test_text_and_graphics_have_contrast_in_light_and_dark(ground):
    (block,) = re.findall(rf"--board-ground: {ground}[^}}]*", drawing.style_sheet())[:1]
    colours = dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6})", "--board-ground" + block[14:]))
    hues = [name for name in colours if f"{name}-pale" in colours]
    assert 8 == len(hues)
    grounds = [colours[name] for name in ("board-ground", "board-surface", "board-back")]
    pales = [colours[f"{hue}-pale"] for hue in hues]
    assert min(contrast(colours["board-ink"], under) for under in grounds + pales) >= 4.5
    assert min(contrast(colours["board-muted"], under) for under in grounds) >= 4.5
    for hue in hues:
        on = [colours["board-ground"], colours["board-surface"], colours[f"{hue}-pale"]]
        assert min(contrast(colours[hue], under) for under in on) >= 3, hue
    assert contrast(colours["board-place"], colours["board-ground"]) >= 3


def test_every_seat_and_every_mark_has_a_shape_of_its_own():
    assert len(drawing.MARKS) == len(set(drawing.MARKS.values()))
    assert 6 == len({shape for shape, _ in drawing.SEAT_MARKS}) == len({hue for _, hue in drawing.SEAT_MARKS})


def test_a_hand_stands_in_a_row_and_overlaps_where_the_room_is_narrow():
    def places(room):
        row = drawing.hand(
            10, 5, ["a", "b", "c"], lambda x, y, key: drawing.slot(key, x, y), room, width=70, gap=6
        )
        return [float(re.findall(r"translate\(([\d.]+) 5\)", part.svg)[0]) for part in row]

    assert [10, 86, 162] == places(0) == places(300)
    assert [10, 60, 110] == places(170)


def test_the_text_of_a_game_that_draws_nothing_is_its_picture():
    long = " ".join(["word"] * 30)
    picture = drawing.draw_text("toy", [f"TOY\n\n  {long}\n", "x" * 100])
    root = read(picture.svg())
    shown = [text.text or "" for text in root.iter(f"{SVG}text")]
    assert ["TOY", *long.split(), "x" * 100] == [
        "TOY",
        *" ".join(shown[1:-3]).split(),
        "".join(shown[-3:]),
    ]
    assert [] == wide_lines(shown, 46)
    assert (f"TOY\n\n  {long}\n\n" + "x" * 100, "toy") == (picture.description, picture.title)
    assert len(picture.parts) == len({part.key for part in picture.parts})
    assert picture.width <= 720


LEFT, RIGHT = drawing.card("a", 10, 10, "1"), drawing.card("b", 200, 10, "2")


def a_wide_one(layout):
    return a_picture(LEFT, RIGHT)._replace(wide=layout)


def test_blocks_of_parts_are_moved_to_their_places_in_the_wide_layout():
    layout = arrange(900, 300, ([LEFT], 0, 5), ([RIGHT], 400.25, -10))
    assert Layout(900, 300, {"a": (10, 15), "b": (600.25, 0)}) == layout
    svg = a_wide_one(layout).svg(both=True)
    assert 'viewBox="0 0 640 600" data-wide="900 300"' in svg
    root = ET.fromstring(svg)
    assert ["10 15", "600.25 0"] == [each.get("data-wide") for each in root.iter(f"{SVG}g")]
    assert "data-wide" not in a_wide_one(layout).svg()  # paper, and pages without scripts
    assert a_wide_one(None).svg() == a_wide_one(None).svg(both=True) == a_wide_one(layout).svg()


@pytest.mark.parametrize(
    ("places", "faults"),
    [
        ({"a": (10, 10), "b": (600, 10)}, []),
        ({"a": (10, 10), "b": (30, 10)}, ["part a covers b in the wide layout"]),
        ({"a": (10, 10), "b": (890, 10)}, ["part b leaves the wide layout by 63.0 units"]),
        ({"a": (10, 10)}, ["expected a place for each part, and no other: {'b'}"]),
    ],
)
def test_a_wide_layout_that_hides_or_loses_a_part_is_noticed(places, faults):
    assert faults == [*layout_faults(a_wide_one(Layout(900, 300, places)))]
