"""Starry Sky, drawn: stars, lines, tokens face up and face down, what is known of them, and clicks."""

import re
from math import hypot
from random import Random
from xml.etree import ElementTree as ET

import pytest
from support.pictures import list_changed, parts_of
from support.told import told

from engines import playout, replay
from engines.starry_sky import StarrySky
from engines.starry_sky.boards import BOARDS, NAMES
from engines.starry_sky.luck import complete_deal

SKY = StarrySky()
BOARDS_IN_PLAY = ["Ari", "Cnc", "Lib", "Aqr", "Tau"]
ARI_IS_FULL = ["10@Ari.1", "6@Ari.0", "H@Lib.0", "D@Ari.2", "5@Cnc.2", "5@Ari.3", "7@Ari.4"]
"""Moves of seats 0, 1, 2, and so on; stars 1 and 2 of Ari, 0 of Lib and 2 of Cnc are large."""


def after(*moves, seats=3):
    *_, step = replay(SKY, complete_deal({"boards": BOARDS_IN_PLAY}), seats, moves)
    return step.state


def seen(state, *seats):
    """Return the picture of what *seats* know together; None is a spectator."""
    return SKY.draw(*[SKY.view(state, seat) for seat in seats])


def parts(state, *seats):
    return parts_of(seen(state, *seats))


def test_a_board_has_its_name_its_prizes_its_lines_and_its_stars():
    picture = seen(after(), None)
    (sheet,) = [part.svg for part in picture.parts if part.key == "board-Ari"]
    assert ["Ari", "Aries", "5 / 3"] == parts_of(picture)["board-Ari"].texts
    assert len(BOARDS["Ari"].edges) == len([*ET.fromstring(sheet).iter("line")])
    stars = [parts_of(picture)[f"star-Ari.{star}"] for star in range(5)]
    assert [["0"], ["1"], ["2"], ["3"], ["4"]] == [star.texts for star in stars]
    assert [1, 2] == [at for at, star in enumerate(stars) if "large" in star.classes]


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_as_many_boards_lie_open_as_there_are_seats(seats):
    drawn = parts(after(seats=seats), None)
    assert BOARDS_IN_PLAY[:seats] == [key.removeprefix("board-") for key in drawn if key.startswith("board-")]
    assert f"{12 - seats} boards to come" == drawn["pile"].texts[0]


def test_a_line_ends_at_the_stars_that_it_joins():
    picture = seen(after(), None)
    drawn = parts_of(picture)
    (sheet,) = [ET.fromstring(part.svg) for part in picture.parts if part.key == "board-Cnc"]
    names = ("x1", "y1", "x2", "y2")
    lines = {tuple(round(float(line.get(name, ""))) for name in names) for line in sheet.iter("line")}
    board = drawn["board-Cnc"]
    ends = {
        tuple(
            round(number)
            for star in edge
            for number in (drawn[f"star-Cnc.{star}"].x - board.x, drawn[f"star-Cnc.{star}"].y - board.y)
        )
        for edge in BOARDS["Cnc"].edges
    }
    assert ends == lines


def test_a_token_on_a_small_star_lies_face_up_in_the_shape_of_its_seat():
    token = parts(after("3@Ari.1", "6@Ari.0"), None)["token-1-6"]
    assert (["6"], ["square"]) == (token.texts, token.marks)
    assert {"hue-orange", "token"} <= token.classes


def test_a_token_on_a_large_star_lies_face_down_and_only_its_owner_sees_which_it_is():
    state = after("3@Ari.1")
    own, others = parts(state, 0)["token-0-3"], parts(state, 1)["hidden-Ari.1"]
    assert (["3"], ["?"]) == (own.texts, others.texts)
    assert "token-back" in own.classes & others.classes
    assert (own.x, own.y) == (others.x, others.y)
    assert others == parts(state, None)["hidden-Ari.1"]
    assert not [key for key in parts(state, 0, 1, 2) if key.startswith("hidden")]


def test_the_tokens_of_a_seat_are_in_its_hand_or_may_be():
    state = after("3@Ari.1", "6@Ari.0")
    own, others = parts(state, 0), parts(state, 2)
    in_line = {key: token for key, token in own.items() if key.startswith("token-0") and token.y > 600}
    assert 8 == len(in_line)  # the 3 lies on Ari
    assert not [key for key, token in in_line.items() if "token-back" in token.classes]
    in_line = {key: token for key, token in others.items() if key.startswith("token-0")}
    assert 9 == len(in_line)  # one of them lies face down
    assert all("token-back" in token.classes for token in in_line.values())
    sure = [token for key, token in others.items() if key.startswith("token-1")]
    assert 9 == len(sure)  # 8 in the hand, and the 6 on Ari
    assert not [token for token in sure if "token-back" in token.classes]


def test_a_clue_says_what_a_hidden_token_is_not():
    state = after(*ARI_IS_FULL)
    assert {"Cnc.2": ["6"], "Lib.0": ["5"]} == SKY.view(state, None)["excluded"]
    drawn = parts(state, None)
    assert (["not 6"], ["not 5"]) == (drawn["clue-Cnc.2"].texts, drawn["clue-Lib.0"].texts)
    assert "clue-Cnc.2" not in parts(state, 1)  # it knows its own token
    assert "clue-Lib.0" in parts(state, 1)


def test_a_clue_says_what_a_token_may_be_where_that_is_shorter():
    state = after(*ARI_IS_FULL)
    view = SKY.view(state, None)
    view["excluded"]["Lib.0"] = ["1", "3", "5", "6", "7", "D", "D"]
    assert ["10 H?"] == parts_of(SKY.draw(view))["clue-Lib.0"].texts
    view["excluded"]["Lib.0"] = ["D"]  # it may be the other double star
    assert "clue-Lib.0" not in parts_of(SKY.draw(view))


@pytest.mark.parametrize("seed", range(6))
def test_no_clue_rules_out_the_token_that_lies_there(seed):
    seats, rng = SKY.seats[seed % 3], Random(seed)
    clues = 0
    for played in playout(SKY, SKY.deal(seats, rng), seats, rng):
        hidden = {at: name for mine in told(played.state).mine for at, name in mine.items()}
        for key, clue in parts(played.state, None).items():
            if key.startswith("clue-"):
                names = clue.texts[0].removeprefix("not ").removesuffix("?").split()
                assert clue.texts[0].endswith("?") == (hidden[key.removeprefix("clue-")] in names)
                clues += 1
    assert clues


def test_a_scored_board_stands_in_the_table_with_what_it_paid():
    drawn = parts(after(*ARI_IS_FULL), None)
    assert ["Ari", "4", "1", "3"] == drawn["scored-Ari"].texts
    assert ["4", "1", "3"] == [drawn[f"seat-{seat}"].texts[-1] for seat in range(3)]
    assert "board-Ari" not in drawn
    assert (drawn["board-Aqr"].x, drawn["board-Aqr"].y) == (
        parts(after(), None)["board-Ari"].x,
        parts(after(), None)["board-Ari"].y,
    )


def test_a_board_that_was_scored_is_told_with_its_tokens_turned_up():
    (scored,) = SKY.view(after(*ARI_IS_FULL), None)["scored"]
    (small,) = SKY.sketches({"event": "score", **scored})
    drawn = parts_of(small)
    assert "Ari" == drawn["board-Ari"].texts[0]
    shown = [drawn[f"scored-Ari.{star}"].texts[0] for star in range(len(scored["tokens"]))]
    assert scored["tokens"] == shown


def test_a_token_that_is_laid_is_told_as_a_small_picture_in_the_shape_of_its_seat():
    (small,) = SKY.sketches({"event": "place", "seat": 1, "token": "H", "star": "Ari.0"})
    assert [["H"]] == [part.texts for part in parts_of(small).values()]
    assert [] == SKY.sketches({"event": "place", "seat": 1, "token": "?", "star": "Ari.0"})


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_in_the_end_the_boards_that_were_scored_last_lie_there_with_their_tokens(seats):
    rng = Random(seats)
    *_, last = playout(SKY, SKY.deal(seats, rng), seats, rng)
    drawn = parts(last.state, None)
    scored = SKY.view(last.state, None)["scored"]
    shown = [key.removeprefix("board-") for key in drawn if key.startswith("board-")]
    assert [board["board"] for board in scored[: -seats - 1 : -1]] == shown
    for board in scored[-seats:]:
        names = [drawn[f"scored-{board['board']}.{star}"].texts[0] for star in range(len(board["tokens"]))]
        assert board["tokens"] == names
    assert {f"scored-{name}" for name in NAMES} <= drawn.keys()
    assert ["The match is over"] == drawn["heading"].texts


def test_a_token_keeps_its_key_on_its_way_to_a_star_and_home():
    before, now = seen(after(), 0), seen(after("6@Ari.0"), 0)
    assert parts_of(before)["token-0-6"].y > parts_of(now)["token-0-6"].y
    assert {"heading", "seat-0", "seat-1", "token-0-6"} == list_changed(now, before)


def test_the_seat_that_must_act_is_marked():
    drawn = parts(after("3@Ari.1"), 0)
    assert [1] == [seat for seat in range(3) if "asked" in drawn[f"seat-{seat}"].classes]
    assert "Seat 0 (you)" in drawn["seat-0"].texts


def test_a_move_is_a_token_and_a_star_and_either_double_star_will_do():
    view = SKY.view(after("3@Ari.1"), 1)
    hole, star = SKY.parts_of(view, "H@Cnc.4")
    assert (("token-1-H",), ("star-Cnc.4",)) == (hole.keys, star.keys)
    assert ("a black hole", "star 4 of Cancer") == (hole.name, star.name)
    double, _ = SKY.parts_of(view, "D@Ari.0")
    assert ("token-1-D-hand-1", "token-1-D-hand-2") == double.keys


def test_the_title_tells_who_sees_it_and_the_description_of_all_views_has_their_hands():
    state = after(*ARI_IS_FULL)
    assert "Starry Sky, as spectators see it" == seen(state, None).title
    assert "Seat 1, mine: 5 on Cnc.2" in seen(state, 0, 1, 2).description


def test_what_a_person_touches_may_be_32_pixels_wide_in_a_window_of_375():
    """A page in play makes what is smaller that wide; nothing may be in the way of it."""
    view = SKY.view(SKY.start(SKY.deal(4, Random(1)), 4).state, 0)
    drawn = parts_of(SKY.draw(view))
    wide = 343 / 640  # pixels of a unit: the board is as wide as the window, less its margins
    touched = re.compile(r'<circle class="outline" [^>]*?r="([0-9.]+)"')
    radii = {
        part.key: max(16 / wide, *map(float, touched.findall(part.svg)))
        for part in SKY.draw(view).parts
        if part.key.startswith(("star-", "token-0-"))
    }
    assert len(radii) == len(view["hand"]) + sum(len(board["owners"]) for board in view["boards"])
    for key, radius in radii.items():
        assert 2 * radius * wide >= 32, key
        for other, its in radii.items():
            apart = hypot(drawn[key].x - drawn[other].x, drawn[key].y - drawn[other].y)
            assert other == key or apart >= radius + its, (key, other)
