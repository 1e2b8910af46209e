import contextlib
from html import unescape
from random import Random

import pytest
from support.hostile_game import PACKAGE, WRONG, hostile_game
from support.random_matches import random_record
from support.records import a_match, a_run
from support.sites import unpacked

from engines.drawing import Caption, Layout, Part, Picture
from engines.game import MovePart
from ladder.errors import LadderError, Told
from ladder.games.shown_game import ShownGame
from ladder.replay.replay import narrate
from ladder.replay.replayer import Replayer
from ladder.replay.review.effort import COARSE
from ladder.replay.review.match_review import NoReview
from ladder.replay.review.reviewing import review_safely
from ladder.replay.seat import narrate_seat, seat_record
from ladder.web.pages.viewer import viewer_page
from results.reports.render import json_text

EVENT = {"event": "take", "seat": 1}
ASKED = {  # how each is asked, and what there is otherwise
    "text": (lambda game, view: game.text(view), lambda view: "seats: 3\noptions: "),
    "draw": (lambda game, view: game.draw(view).description, lambda view: "TOY"),
    "tell": (lambda game, view: game.tell(EVENT, ["You", "Ann"]), lambda view: "take: seat 1"),
    "say": (lambda game, view: game.say(view, ["bid 1", "bid 2"]), lambda view: ["bid 1", "bid 2"]),
    "cost": (lambda game, view: game.costs(view, ["bid 1", "bid 2"]), lambda view: ["", ""]),
    "ask": (lambda game, view: game.ask(view), lambda view: ""),
    "words_for": (lambda game, view: game.hand({"hand": ["c1"]}, {}), lambda view: "c1"),
    "kind_of": (lambda game, view: game.kind_of(view, "bid 1"), lambda view: ""),
    "parts_of": (lambda game, view: game.parts_of(view, "bid 1"), lambda view: []),
    "candidates": (lambda game, view: game.candidates(view), lambda view: []),
    "sketches": (lambda game, view: game.sketches(EVENT, {}), lambda view: []),
    "points": (lambda game, view: game.points(view, 3), lambda view: None),
    "tallies": (lambda game, view: game.tallies(view, 3), lambda view: {}),
    "explainer": (lambda game, view: game.explain()(EVENT), lambda view: EVENT),
}


def first_view(game):
    return game.view(game.start(game.deal(3, Random(1)), 3).state, 0)


@pytest.mark.parametrize("hook", ASKED)
def test_what_a_game_fails_to_say_is_left_out_with_one_warning_that_names_its_package(hook, caplog):
    ask, otherwise = ASKED[hook]
    for name, wrong in WRONG.items():
        caplog.clear()
        with hostile_game(**{hook: wrong}) as game:
            shown, view = ShownGame("hostile"), first_view(game)
            found = [ask(shown, view) for _ in range(2)]
        expected = otherwise(view)
        if (hook, name) == ("points", "None"):  # as a game may
            continue
        assert found[0] == found[1]
        assert found[0].startswith(expected) if isinstance(expected, str) else expected == found[0], name
        (told,) = caplog.messages
        assert told.startswith(
            f"{hook}() of hostile is left out: the game 'hostile' of {PACKAGE} has failed: "
        )
        assert len(told) < 500
        assert told.isprintable()


SOUND = Part("a", '<g class="part" data-key="a"><rect/></g>')
UNSOUND = {
    "not XML": Picture(9, 9, "", "", (SOUND._replace(svg='<g class="part"><b>'),)),
    "a control character": Picture(9, 9, "", "", (SOUND._replace(svg="<g>\x1b</g>"),)),
    "no size": Picture(0, 9, "", "", (SOUND,)),
    "a wide layout without a part": Picture(9, 9, "", "", (SOUND,), wide=Layout(9, 9, {})),
    "a wide layout without a size": Picture(9, 9, "", "", (SOUND,), wide=Layout(9, 0, {SOUND.key: (0, 0)})),
    "a size in words": Picture("9", None, "", "", (SOUND,)),
    "no parts": Picture(9, 9, "", "", None),
    "a part without SVG": Picture(9, 9, "", "", (SOUND._replace(svg=None),)),
    "no title": Picture(9, 9, None, "", (SOUND,)),
    "a key that is none": Picture(9, 9, "", "", (SOUND._replace(key=5),)),
    "a caption without words": Picture(9, 9, "", "", (SOUND,), (Caption("a", None, None),)),
    "too much": Picture(9, 9, "", "", (SOUND._replace(svg=f"<g>{'x' * 2_000_000}</g>"),)),
}


@pytest.mark.parametrize("picture", UNSOUND.values(), ids=UNSOUND)
def test_a_picture_that_no_page_can_hold_is_shown_as_text(picture, caplog):
    with hostile_game(draw=lambda *_, **__: picture, sketches=lambda *_: [picture]) as game:
        shown = ShownGame("hostile")
        assert shown.draw(first_view(game)).description.startswith("TOY")
        assert [] == shown.sketches(EVENT, {})
    assert 2 == len(caplog.messages)
    assert all(PACKAGE in told for told in caplog.messages)


def test_a_sound_picture_of_another_package_is_shown():
    picture = Picture(9, 9, "", "", (SOUND,), (Caption("a", "A", "a card"),))
    with hostile_game(draw=lambda *_, **__: picture, parts_of=lambda *_: (MovePart("A", ["a"]),)):
        shown = ShownGame("hostile")
        assert picture == shown.draw({})
        assert [MovePart("A", ("a",))] == shown.parts_of({}, "bid 1")


@pytest.fixture(scope="module")
def record():
    with hostile_game():
        return random_record("hostile", 3)


@pytest.mark.parametrize("hook", [*ASKED, "part_of"])
def test_a_replay_goes_on_without_it(record, hook, caplog):
    with hostile_game(**{hook: WRONG["raises"]}):
        assert "<b>cards</b>" not in unpacked(viewer_page(record)).replace(r"\u003c", "<")
        assert 40 < len([*narrate(record)])
        assert 40 < len([*narrate_seat(record, 0)])
        assert json_text(seat_record(record, 0))
    assert len(caplog.messages) <= 1


@pytest.mark.parametrize("wrong", ["raises", "says not what", "bytes", "wrong shape"])
@pytest.mark.parametrize("hook", ["start", "choices", "play", "view"])
def test_rules_that_fail_on_a_replay_are_named_and_end_it_there(record, hook, wrong):
    named = "the game 'hostile' of evil 1.0 has failed"
    with hostile_game(**{hook: WRONG[wrong]}):
        assert named in unescape(viewer_page(record))
        with pytest.raises(LadderError, match=named):
            [*narrate_seat(record, 0)]
        with contextlib.suppress(Told):
            assert [*narrate(record)]  # it needs no choices


def test_a_match_that_cannot_be_played_again_names_the_package(record):
    match = a_match(deal=record["deal"], game="hostile", paired=False)
    with hostile_game(start=WRONG["raises"]):
        assert "'hostile' of evil 1.0 has failed" in Replayer(a_run()).wrong_with(match)


@pytest.mark.parametrize("wrong", ["raises", "bytes", "wrong shape"])
def test_a_judge_that_fails_costs_the_review_and_names_the_package(record, wrong):
    with (
        hostile_game(judge=WRONG[wrong]),
        pytest.raises(NoReview, match=r"judge of hostile \(evil 1\.0\) failed"),
    ):
        review_safely(record, COARSE)
    with hostile_game(play=WRONG[wrong]), pytest.raises(NoReview, match=r"evil 1\.0"):
        review_safely(record, COARSE)
