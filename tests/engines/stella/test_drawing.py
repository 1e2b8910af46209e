"""Stella, drawn: crosses, sparks and falls on the board, lanterns and points, and what a click means."""

import json
import re
from itertools import pairwise
from pathlib import Path
from random import Random
from xml.etree import ElementTree as ET

import pytest
from support.pictures import HTML, roots_of, written

import engines.stella
from engines import playout, replay
from engines.drawing import WIDTH, text_width
from engines.stella import Stella
from engines.stella.deck import DEFAULT
from engines.stella.luck import complete_deal
from engines.stella.scenes import MOODS, SHAPES, SLOTS, picture_names, scene
from engines.stella.text import say, text

STELLA = Stella()
WORDS = [["Captain", "Honey"], ["Betrayal", "Olympia"], ["Memory", "Frost"], ["Feast", "Key"]]
HOSTILE = '<b onload="x">&amp;</b>]]>'


def after(*moves, seats=3, word_vote=False, **deal):
    """Return the last state of a match in which *moves* are made: c01 to c15 lie on the grid."""
    options = {"word_vote": word_vote} | deal.pop("options", {})
    dealt = complete_deal({"options": options, "words": WORDS} | deal)
    *_, step = replay(STELLA, dealt, seats, moves)
    return step.state


def crosses(*seats):
    """Return the crosses of all seats, written as "1 2 15" for c01, c02 and c15."""
    return {seat: [f"c{int(n):02}" for n in marks.split()] for seat, marks in enumerate(seats)}


CROSSED = crosses("1 2 3 4", "2 3", "3 5")
"""c02 is a super-spark of seats 0 and 1, c03 a spark of all; c01 and c04 make seat 0 fall, c05 seat 2."""


def picture(state, *seats):
    """Draw what *seats* know together; None is a spectator."""
    return STELLA.draw(*(STELLA.view(state, seat) for seat in seats))


def shapes(part, kind):
    """Return the hues of the shapes of seats in a part: "mark", or "mark-line" for hollow ones."""
    found = [element.get("class").split() for element in part.iter("path")]
    return [names[1] for names in found if names[0] == kind and len(names) == 2]


def marked(drawn, kind="mark-line"):
    """Return the pictures that show shapes of seats, with their hues."""
    found = {key.removeprefix("picture-"): shapes(part, kind) for key, part in roots_of(drawn).items()}
    return {name: hues for name, hues in found.items() if hues and name.startswith("c")}


BLUE, ORANGE, GREEN = "hue-blue", "hue-orange", "hue-green"


@pytest.mark.parametrize(
    ("seats", "expected"),
    [
        ([0], {"c01": [BLUE], "c02": [BLUE], "c03": [BLUE], "c04": [BLUE]}),
        ([1], {"c02": [ORANGE], "c03": [ORANGE]}),
        ([None], {}),
        (
            [0, 1, 2],
            {
                "c01": [BLUE],
                "c02": [BLUE, ORANGE],
                "c03": [BLUE, ORANGE, GREEN],
                "c04": [BLUE],
                "c05": [GREEN],
            },
        ),
    ],
)
def test_crosses_are_hollow_shapes_for_those_who_know_them(seats, expected):
    assert expected == marked(picture(after(CROSSED), *seats))


def test_a_spark_a_super_spark_and_a_fall_are_seen_by_all():
    drawn = picture(after(CROSSED, "show c02", "show c03", "show c05"), None)
    assert {"c02": [BLUE, ORANGE], "c03": [BLUE, ORANGE, GREEN], "c05": [GREEN]} == marked(drawn, "mark")
    found = roots_of(drawn)
    stars = {name: str(ET.tostring(found[f"result-{name}"])).count("M0 -12L3.1") for name in ("c02", "c03")}
    assert {"c02": 3, "c03": 2} == stars
    hues = [found[f"picture-c0{n}"].get("class").split()[1] for n in (1, 2, 3, 5)]
    assert ["hue-grey", "hue-yellow", "hue-yellow", "hue-vermilion"] == hues
    assert "fall-2" in found
    assert "fall-0" not in found


def test_a_lantern_tells_the_crosses_to_show_and_is_on_its_dark_side_in_the_dark():
    found = roots_of(picture(after(CROSSED, "show c02"), 1))
    assert ["3 of 4", "1 of 2", "2 of 2"] == [written(found[f"lantern-{seat}"]) for seat in range(3)]
    dark = [seat for seat in range(3) if "ground" in str(ET.tostring(found[f"lantern-{seat}"]))]
    assert [0] == dark
    assert ["3", "3", "0"] == [written(found[f"stars-{seat}"]) for seat in range(3)]
    assert ["1", "1", "0"] == [written(found[f"sparks-{seat}"]) for seat in range(3)]


def test_before_the_announcement_there_is_no_lantern():
    assert [] == [key for key in roots_of(picture(after(), 0)) if key.startswith("lantern")]


def test_both_words_of_a_vote_are_seen_and_can_be_clicked():
    state = after(word_vote=True)
    found = roots_of(picture(state, 0))
    keys = [STELLA.parts_of(STELLA.view(state, 0), option)[0].keys[0] for option in ("keep", "flip")]
    assert ["keep: Captain", "flip: Honey"] == [written(found[key]) for key in keys]
    flipped = after(dict.fromkeys(range(3), "flip"), word_vote=True)
    assert "all said flip Honey" == written(roots_of(picture(flipped, 0))["word"])


def test_the_board_has_three_rows_of_five():
    found = roots_of(picture(after(), 0))
    at = [
        tuple(map(float, re.findall(r"[\d.]+", found[f"picture-c{n:02}"].get("transform"))))
        for n in range(1, 16)
    ]
    assert (5, 3) == (len({x for x, _ in at}), len({y for _, y in at}))
    assert sorted(at, key=lambda place: place[::-1]) == at


def test_each_picture_has_a_caption_with_its_name_and_its_sentence():
    captions = picture(after(), None).captions
    grid = STELLA.view(after(), None)["grid"]
    assert [f"picture-{card['id']}" for card in grid] == [caption.key for caption in captions]
    assert [card["text"] for card in grid] == [caption.text for caption in captions]
    assert ("Bottled moonlight", "The fox as judge") == tuple(caption.name for caption in captions[:2])
    numbers = [written(part) for key, part in roots_of(picture(after(), None)).items() if "picture-" in key]
    assert [str(number) for number in range(1, 16)] == numbers


def test_a_new_round_outlines_its_new_pictures_and_no_result_that_is_gone():
    moves = [CROSSED, "show c02", "show c03", "show c05", "show c01"]
    now, before = after(*moves), after(*moves[:-1])
    drawn = ET.fromstring(picture(now, None).svg(picture(before, None)))
    changed = [
        group.get("data-key")
        for group in drawn
        if "changed" in group.get("class", "").split() and "calm" not in group.get("class")
    ]
    assert 2 == STELLA.view(now, None)["round"]
    assert [f"picture-c{n}" for n in range(16, 21)] == [key for key in changed if key.startswith("picture")]


def test_once_all_have_crossed_only_the_own_crosses_are_outlined():
    first = [CROSSED, "show c02", "show c03", "show c05", "show c01"]
    second = crosses("6 7", "7 8", "16 17")
    before, now = after(*first), after(*first, second)
    svg = ET.fromstring(picture(now, 0).svg(picture(before, 0)))
    kinds = {group.get("data-key"): group.get("class").split() for group in svg if group.get("data-key")}
    outlined = {key for key, names in kinds.items() if "changed" in names and "calm" not in names}
    assert {"picture-c06", "picture-c07"} == {key for key in outlined if key.startswith("picture")}


def test_small_pictures_show_what_was_shown_and_crossed():
    shown = {"event": "show", "seat": 0, "card": "c02", "crossed": [0, 1], "stars": [3, 3, 0], "scout": 1}
    assert ["c02"] == [small.title for small in STELLA.sketches(shown, {"word_vote": True})]
    assert [] == STELLA.sketches(shown, {"deck": {}})
    assert [] == STELLA.sketches(shown)
    told = {"event": "announce", "counts": [2, 1, 1], "dark": 0, "scout": 1, "crosses": ["c01", "c04"]}
    assert ["c01", "c04"] == [small.title for small in STELLA.sketches(told, {})]


def test_the_points_of_all_rounds_and_the_winners_are_told_at_the_end():
    *_, last = playout(STELLA, STELLA.deal(4, Random(3)), 4, Random(3))
    view = STELLA.view(last.state, None)
    found = roots_of(STELLA.draw(view))
    for seat, total in enumerate(view["scores"]):
        rounds = [written(part) for key, part in found.items() if re.fullmatch(rf"round-\d+-{seat}", key)]
        assert [str(told["scores"][seat]) for told in view["rounds"]] == rounds
        assert str(total) == written(found[f"total-{seat}"])
    best = [seat for seat, rank in enumerate(STELLA.outcome(last.state).ranks) if rank == 1]
    assert all(str(seat) in written(found["heading"]) for seat in best)
    assert "win" in written(found["heading"])


def test_the_shapes_of_six_seats_stay_on_their_card():
    state = after(crosses(*["1 2"] * 6), "show c01", seats=6)
    card = roots_of(picture(state, None))["picture-c01"]
    places = [
        element.get("transform") for element in card.iter("path") if len(element.get("class").split()) == 2
    ]
    right = max(float(re.findall(r"[\d.]+", place)[0]) for place in places)
    assert 6 == len(places)
    assert right + 9 <= float(card[1].get("width"))


def test_a_deck_of_ones_own_is_shown_as_text_and_cut_where_it_is_too_long():
    cards = [
        {"id": f"{HOSTILE[:14].replace(' ', '_')}-{n}", "text": f"{HOSTILE} picture {n} " * 20}
        for n in range(30)
    ]
    words = [["<i>" + "w" * 90, HOSTILE]] * 4
    deal = STELLA.deal(3, Random(1), {"deck": {"cards": cards, "words": words}, "word_vote": True})
    view = STELLA.view(STELLA.start(deal, 3).state, 0)
    drawn = STELLA.draw(view)
    assert text(view) == drawn.description
    root = ET.fromstring(drawn.svg())
    assert {"svg", "title", "desc", "g", "rect", "text", "path", "circle", "line"} | {
        "foreignObject",
        "p",
    } >= {element.tag.rpartition("}")[2] for element in root.iter()}
    found = roots_of(drawn)
    (key,) = STELLA.parts_of(view | {"step": "associate"}, cards[0]["id"])[0].keys
    assert key == f"picture-{cards[0]['id']}"
    for part in found.values():
        for element in part.iter("text"):
            assert text_width(element.text, float(element.get("font-size"))) <= WIDTH - 32


def test_a_picture_of_another_deck_is_not_called_as_ours_whatever_its_id():
    cards = [{"id": f"c{n:02}", "text": f"Fog {n}."} for n in range(1, 31)]
    cards[1]["text"] = DEFAULT.pictures["c02"].text
    deal = STELLA.deal(3, Random(1), {"deck": {"cards": cards}})
    view = STELLA.view(STELLA.start(deal, 3).state, None)
    fox = "The fox as judge"
    for caption in STELLA.draw(view).captions:
        assert caption.name == (fox if caption.key == "picture-c02" else "")
    said = {card["id"]: say(view | {"step": "associate"}, card["id"]) for card in view["grid"]}
    assert said == {card["id"]: fox if card["id"] == "c02" else card["text"] for card in view["grid"]}
    shown = {"event": "show", "seat": 0, "card": "c02", "crossed": [0], "stars": [0], "scout": 1}
    assert STELLA.tell(shown, options={"word_vote": True}).startswith(f"Seat 0 shows {fox};")
    assert STELLA.tell(shown, options=view["options"]).startswith("Seat 0 shows c02;")
    assert STELLA.tell(shown).startswith("Seat 0 shows c02;")


def test_a_long_word_is_shown_smaller_and_then_in_two_lines():
    long = [["The unbearable lightness of being at sea", "Honey"]] * 4
    (alone,) = roots_of(picture(after(words=long), 0))["word"].iter("text")
    assert long[0][0] == alone.text
    assert 20 <= float(alone.get("font-size")) < 34
    voted = roots_of(picture(after(words=long, word_vote=True), 0))
    assert f"keep: {long[0][0]}" == written(voted["word-keep"])
    assert {"two-lines"} == {each.get("class") for each in voted["word-keep"].iter(f"{HTML}p")}


def test_a_picture_whose_tags_have_no_shape_shows_the_beginning_of_its_sentence():
    cards = [{"id": f"p{n}", "text": f"Harbour at dawn {n}", "tags": ["harbour"]} for n in range(30)]
    deal = STELLA.deal(3, Random(1), {"deck": {"cards": cards}})
    found = roots_of(STELLA.draw(STELLA.view(STELLA.start(deal, 3).state, None)))
    cards_of_board = [written(part) for key, part in found.items() if key.startswith("scene-")]
    assert 15 == sum("Harbour" in shown for shown in cards_of_board)


def drawn_in(*tags):
    """Return the mood and the shapes of the scene of a user's own picture."""
    root = ET.fromstring(scene("own", "A picture.", tags))
    paths = {element.get("d") for element in root.iter("path")}
    shapes = {name for name, shape in SHAPES.items() if {shape.body, shape.limbs} & paths}
    return root.get("class").split()[1], shapes


def test_the_tags_of_a_deck_of_ones_own_make_a_scene():
    assert ("mood-night", {"moon", "waves", "ship", "fox"}) == drawn_in("odd", "night", "sea", "ship", "fox")
    assert ("mood-warm", {"bread"}) == drawn_in("feast", "bread")
    assert ("mood-warm", set()) == drawn_in("odd")


def test_every_picture_of_the_deck_has_a_name_and_a_scene_of_its_own():
    scenes = json.loads((Path(engines.stella.__file__).parent / "scenes.json").read_text("utf-8"))["scenes"]
    assert [*DEFAULT.pictures] == [*scenes]
    assert 84 == len({name for name, _ in scenes.values()}) == len({drawn for _, drawn in scenes.values()})
    assert picture_names()["c84"] == scenes["c84"][0]
    assert {*MOODS} == {drawn.split()[0] for _, drawn in scenes.values()}
    for name, (_, drawn) in scenes.items():
        _, *placed = drawn.split()
        assert 1 <= len(placed) <= 8, name
        assert {each[0] for each in placed} <= {*SLOTS}, name
        assert {each[1:] for each in placed} <= {*SHAPES}, name


def test_the_picture_of_everything_describes_all_crosses():
    description = picture(after(CROSSED), 0, 1, 2).description
    assert "Seat 0, crosses: c01, c02, c03, c04\n" in description
    assert "Seat 2, crosses: c03, c05\n" in description
    assert "Your crosses" not in description


def test_few_parts_are_outlined_when_a_scout_shows_a_picture():
    match = list(playout(STELLA, STELLA.deal(6, Random(4)), 6, Random(4)))
    shows = [
        (before, now)
        for before, now in pairwise(match[:12])
        if before.state.step == "show" == now.state.step and before.state.number == now.state.number
    ]
    assert shows
    for before, now in shows:
        svg = ET.fromstring(picture(now.state, None).svg(picture(before.state, None)))
        changed = [group.get("class") for group in svg if "changed" in group.get("class", "").split()]
        assert 1 <= sum("calm" not in kinds for kinds in changed) <= 1 + 3 * 6 + 1


def test_the_title_tells_the_round_and_from_where_the_table_is_seen():
    assert "Stella, round 1, as seat 1 sees it" == picture(after(CROSSED), 1).title
    assert "Stella, round 1, as spectators see it" == picture(after(CROSSED), None).title
    assert "Stella, round 1, everything" == picture(after(CROSSED), 0, 1, 2).title
