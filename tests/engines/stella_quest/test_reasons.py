"""Stella Quest: why a round is won and what it costs, as people read it."""

from random import Random

import pytest

from engines import GAMES
from engines.playout import playout

QUEST = GAMES["stella-quest"]
NAMES = ["Ann", "You", "Bob"]
START = {"event": "start", "options": {}, "first": 0, "backs": [], "back": "B?"}
FIRST, TRUMP = "the highest card of the colour led; ", "the highest trump"
TWIN = "a super trump: the twin of "


def told(*events, top="R5"):
    explain = QUEST.explainer()
    return [QUEST.tell(explain(event), NAMES, {}) for event in ({**START, "top": top}, *events)][1:]


def plays(*cards, by=(0, 1, 2)):
    return [{"event": "play", "seat": who, "card": card} for who, card in zip(by, cards, strict=True)]


def win(seat, lights=5):
    return {"event": "win", "seat": seat} | ({} if seat in (None, "dummy") else {"lights": lights})


def take(seat, card, lights=5):
    return {"event": "take", "seat": seat, "card": card, "lights": lights}


@pytest.mark.parametrize(
    ("top", "cards", "seat", "by"),
    [  # the worked counts of the page
        ("G1", "B6 B2 B5", 0, f"blue 6, {FIRST}no trump was played"),
        ("R5", "B6 R2 B3", 1, f"red 2, {TRUMP}"),
        ("R5", "R1 R2 B3", 1, f"red 2, {TRUMP}"),
        ("R5", "B6 R2 R5", 2, f"red 5, {TWIN}the top discard"),
        ("G1", "B3 Y3 B3", 2, f"blue 3, {TWIN}a card of this round"),
        ("XX", "B2 R6 B4", 2, f"blue 4, {FIRST}there is no trump"),
        ("R5", "XX Y2 Y4", 2, f"yellow 4, {FIRST}no trump was played"),
    ],
)
def test_it_is_told_why_a_round_is_won(top, cards, seat, by):
    who = "You win" if seat == 1 else f"{NAMES[seat]} wins"
    *_, won = told(*plays(*cards.split()), win(seat), top=top)
    assert f"{who} the round with {by}; lights left: 5" == won


def test_it_is_told_who_cannot_follow():
    assert ["Ann plays a Break Card", "You play blue 6", "Bob plays red 2, having no blue card"] == told(
        *plays("XX", "B6", "R2")
    )
    assert "You play red 2, having no blue card" == told(*plays("B6", "R2", "XX"))[1]
    # the Dummy follows nothing
    assert "The dummy plays red 2" == told(*plays("B6", "R2", "B1", by=(0, "dummy", 1)))[1]


def test_a_round_that_no_seat_wins_is_told():
    assert (
        "No seat wins the round; all cards are Break Cards" == told(*plays("XX", "XX", "XX"), win(None))[-1]
    )
    *_, won = told(*plays("B6", "R2", "B1", by=(0, "dummy", 1)), win("dummy"))
    assert f"The dummy wins the round with red 2, {TRUMP}" == won


def test_it_is_told_what_a_light_was_lost_for():
    first = [*plays("B6", "B2", "B5"), win(0), take(0, "B6"), {"event": "discard", "top": "B5", "marker": 0}]
    again = [*plays("B3", "G1", "G6"), win(0, 4), take(0, "G6", 3)]
    *_, won, taken = told(*first, *again)
    assert (
        f"Ann wins the round with blue 3, {TRUMP}; the Black Star from an earlier win costs a light; " in won
    )
    assert "Ann takes green 6; another 6 costs 1 light; lights left: 3" == taken
    assert "Ann takes blue 6; lights left: 5" in told(*first)
    *_, others = told(*first, *plays("B3", "B4", "G6"), win(1))
    assert "Black Star" not in others


@pytest.mark.parametrize("seats", QUEST.seats)
def test_the_reasons_agree_with_what_happens(seats):
    for seed in range(5):
        rng, explain, lights = Random(seed), QUEST.explainer(), [5] * seats
        played = {}
        for step in playout(QUEST, QUEST.deal(seats, rng), seats, rng):
            for event in step.events:
                one = explain(event.seen_by(None))
                if one["event"] == "play":
                    played[one["seat"]] = one["card"]
                elif one["event"] == "draw":
                    lights[one["seat"]] = one["lights"]
                elif one["event"] == "discard":
                    played.clear()
                elif one["event"] in ("win", "take") and one["seat"] not in (None, "dummy"):
                    assert ("price" in one) == (one["lights"] < lights[one["seat"]])
                    lights[one["seat"]] = one["lights"]
                if one["event"] == "win":
                    assert one.get("with") == played.get(one["seat"])
