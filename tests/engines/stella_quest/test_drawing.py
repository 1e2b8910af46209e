"""Stella Quest, drawn: what lies where, what keeps its key, and what a click means."""

import re
from itertools import pairwise
from random import Random
from xml.etree import ElementTree as ET

import pytest
from support.pictures import roots_of, written
from support.stella_quest_by_name import keeper

from engines import playout, replay
from engines.drawing import text_width
from engines.stella_quest import StellaQuest
from engines.stella_quest.luck import complete_deal

QUEST = StellaQuest()
CARDS = "B4 B6 G2 R3 Y1  B2 G5 R6 XX Y4  G1  R5 B5 Y2 G3 XX"  # two hands, the first discard, the draw pile


def after(*moves, cards=CARDS, seats=2):
    """Return the last state of a match in which *moves* are made."""
    *_, step = replay(QUEST, complete_deal({"deck": cards.split()}), seats, moves)
    return step.state


def picture(state, *seats):
    """Draw what *seats* know together; None is a spectator."""
    return QUEST.draw(*(QUEST.view(state, seat) for seat in seats))


def faces(drawn):
    """Return the keys of all cards that lie face up, except on the table: the hands and collections."""
    return {key for key in roots_of(drawn) if re.fullmatch(r"\w\w-\w+(-\d+)?", key) and key[:2] != "ha"}


def place(drawn, key):
    return tuple(map(float, re.findall(r"[\d.]+", roots_of(drawn)[key].get("transform"))))


def lights(drawn, seat):
    return [star.get("class") for star in roots_of(drawn)[f"lights-{seat}"].findall("path")]


OWN = {"B4-0-1", "B6-0-1", "G2-0-1", "R3-0-1", "Y1-0-1"}
OTHER = {"B2-1-1", "G5-1-1", "R6-1-1", "XX-1-1", "Y4-1-1"}


@pytest.mark.parametrize(
    ("seats", "expected"), [([0], OWN), ([1], OTHER), ([None], set()), ([0, 1], OWN | OTHER)]
)
def test_a_hand_lies_face_up_for_its_seat_and_in_the_picture_of_everything(seats, expected):
    assert expected | {"G1-first"} == faces(picture(after(), *seats))


def test_other_hands_show_the_colours_of_their_backs_without_a_number():
    hidden = {key: part for key, part in roots_of(picture(after(), 0)).items() if key.startswith("back-")}
    assert ["back-1-B-1", "back-1-G-1", "back-1-R-1", "back-1-X-1", "back-1-Y-1"] == list(hidden)
    assert ["hue-blue", "hue-green", "hue-vermilion", "hue-grey", "hue-yellow"] == [
        part.get("class").split()[1] for part in hidden.values()
    ]
    assert {""} == {written(part) for part in hidden.values()}


def test_a_card_keeps_its_key_from_the_hand_to_the_table_and_to_a_collection():
    moves = ["play B6", "play B2", "take B2", "top R5"]  # the Dummy plays R5
    was = [place(picture(after(*moves[:count]), 0, 1), "B2-1-1") for count in range(5)]
    assert was[0] == was[1]
    assert 3 == len(set(was))
    assert was[3] == was[4] == (66, 314)  # the second place of the collection of seat 0
    assert (112, 124) == place(picture(after(*moves), None), "R5-dummy-1")  # on the discards


def test_two_like_cards_have_two_keys_and_the_one_that_is_left_keeps_its_own():
    cards = "B4 B4 G2 R3 Y1  G1 G5 R6 XX Y4  Y3  R5 B5 Y2"
    assert {"B4-0-1", "B4-0-2"} <= faces(picture(after(cards=cards), 0))
    drawn = picture(after("play B4", cards=cards), 0)
    assert {"B4-0-1", "B4-0-2"} <= faces(drawn)
    assert place(drawn, "B4-0-1")[1] < place(drawn, "B4-0-2")[1]  # on the table, and in the hand


@pytest.mark.parametrize("seed", range(4))
def test_nearly_all_cards_that_are_taken_come_from_the_table_by_their_keys(seed):
    """Which of two like cards was taken cannot always be told; then the taken one is new."""
    match = list(playout(QUEST, QUEST.deal(4, Random(seed)), 4, keeper(Random(seed))))
    views = [QUEST.view(step.state, None) for step in match]
    kept = []
    for before, now in pairwise(views):
        taken = [
            new[-1] for old, new in zip(before["collections"], now["collections"], strict=True) if new > old
        ]
        if taken:
            was, drawn = ({part.key for part in QUEST.draw(view).parts} for view in (before, now))
            moved = [key for key in was & drawn if re.fullmatch(rf"{taken[0]}-\d-\d", key)]
            kept.append(bool(moved))
    assert len(kept) > 5
    assert sum(kept) >= 0.9 * len(kept)


def test_the_dummy_plays_between_two_seats():
    drawn = picture(after("play B6"), None)
    assert place(drawn, "place-0")[0] < place(drawn, "R5-dummy-1")[0] < place(drawn, "place-1")[0]


def test_a_place_says_who_leads_who_is_ahead_and_who_wins():
    def notes(*moves):
        drawn = picture(after(*moves), None)
        said = {who: written(roots_of(drawn)[f"place-{who}"]) for who in (0, "dummy", 1)}
        return {who: text.split()[-1] for who, text in said.items()}

    assert {0: "leads", "dummy": "Dummy", 1: "1"} == notes()
    assert {0: "ahead", "dummy": "Dummy", 1: "1"} == notes("play B4")
    assert {0: "wins", "dummy": "Dummy", 1: "1"} == notes("play B4", "play B2")


def test_a_twin_is_said_to_be_a_super_trump():
    drawn = picture(after("play B4", cards="B4 B6 G2 R3 Y1  B2 G5 R6 XX Y4  G1  B4 B5 Y2 G3 XX"), None)
    assert "Dummy super" == written(roots_of(drawn)["place-dummy"])


def test_lights_go_out_and_the_black_star_goes_to_the_winner():
    drawn = picture(after("play B6", "play B2", "take B2", "top R5", "draw"), None)
    assert (["mark"] * 4 + ["unlit"], ["mark"] * 5) == (lights(drawn, 0), lights(drawn, 1))
    assert place(drawn, "lights-0")[1] == place(drawn, "marker")[1]


def test_like_numbers_of_a_collection_lie_on_one_another_and_both_are_seen():
    moves = ["play B6", "play B2", "take B2", "top R5", "play G2", "play G1", "take G2"]
    cards = "B6 G2 G4 R3 Y1  B2 G1 R6 XX Y4  Y6  R5 B5 Y2 G3 XX"
    drawn = picture(after(*moves, cards=cards), None)
    assert [(66, 314), (66, 334)] == [place(drawn, "B2-of-0-0"), place(drawn, "G2-0-1")]


def test_the_end_is_drawn_with_points():
    *_, last = playout(QUEST, QUEST.deal(3, Random(5)), 3, keeper(Random(5)))
    drawn = roots_of(picture(last.state, None))
    for seat, score in enumerate(QUEST.view(last.state, None)["scores"]):
        assert f"= {score['total']} points" in written(drawn[f"seat-{seat}"])
    assert not re.search("plays|takes|chooses", written(drawn["heading"]))


def test_different_options_of_a_turn_are_different_parts():
    match = list(playout(QUEST, QUEST.deal(4, Random(9)), 4, keeper(Random(9))))
    for step in match:
        for seat, choice in QUEST.choices(step.state).items():
            view = QUEST.view(step.state, seat)
            assert len(set(choice)) == len({QUEST.parts_of(view, option)[0].keys for option in choice})


def test_a_step_changes_few_parts_that_are_outlined():
    match = list(playout(QUEST, QUEST.deal(4, Random(2)), 4, keeper(Random(2))))
    drawn = [QUEST.draw(QUEST.view(step.state, None)) for step in match]
    outlined = []
    for before, now in pairwise(drawn):
        changed = [group.get("class", "").split() for group in ET.fromstring(now.svg(before))]
        outlined.append(sum("changed" in kinds and "calm" not in kinds for kinds in changed))
    assert min(outlined) >= 1
    assert max(outlined) <= 8
    assert sum(outlined) <= 5 * len(outlined)


def test_the_picture_of_everything_describes_all_hands():
    description = picture(after(), 0, 1).description
    assert "Seat 0, hand: B4, B6, G2, R3, Y1\n" in description
    assert "Seat 1, hand: B2, G5, R6, XX, Y4\n" in description
    assert "Your hand" not in description


def test_the_title_tells_the_round_and_from_where_the_table_is_seen():
    assert "Stella Quest, round 1, as seat 1 sees it" == picture(after(), 1).title
    assert "Stella Quest, round 1, as spectators see it" == picture(after(), None).title
    assert "Stella Quest, round 1, everything" == picture(after(), 0, 1).title


@pytest.mark.parametrize("seats", [2, 4])
def test_names_of_colours_do_not_touch_what_follows_them(seats):
    drawn = roots_of(QUEST.draw(QUEST.view(QUEST.start(QUEST.deal(seats, Random(3)), seats).state, None)))
    for key in ("trump", "lead"):
        name, value = [element for element in drawn[key].iter() if element.tag == "text"]
        assert float(value.get("x")) > 1.1 * text_width(name.text) + 6


def test_the_black_star_of_the_dummy_covers_neither_a_name_nor_a_card():
    held = {**QUEST.view(after(), None), "marker": "dummy"}
    drawn = QUEST.draw(held)
    x, y = place(drawn, "marker")
    (left, top), (right, _) = place(drawn, "place-dummy"), place(drawn, "place-1")
    width, height = 72, 96
    assert left + width + 14 <= x <= right - 14
    assert top + height <= y - 14


def test_a_card_that_must_not_be_played_is_a_candidate_that_no_option_means():
    game = StellaQuest()
    deal = complete_deal({"deck": ["B1", "B2", "B3", "B4", "B5", "B6", "R2", "XX", "Y1", "Y2"], "first": 0})
    state = game.start(deal, 3).state
    barred = [_barred(game, state, 0)]
    state = game.play(state, {0: "play B1"}).state
    barred.append(_barred(game, state, 1))
    assert [set(), {"R2-1-1", "Y1-1-1", "Y2-1-1"}] == barred


def _barred(game, state, seat):
    view = game.view(state, seat)
    offered = {
        key
        for option in game.choices(state)[seat].options
        for part in game.parts_of(view, option)
        for key in part.keys
    }
    return {key for (key,) in game.candidates(view)} - offered
