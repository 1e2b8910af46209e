"""Stella Quest: how often each world is imagined where a card may have come in several periods."""

from collections import Counter
from random import Random

import pytest
from support.stella_quest_by_name import ByName

from engines.stella_quest.cards import BACKS
from engines.stella_quest.luck import complete_deal

QUEST = ByName()
FIRST = "B1 B2 B3 B4 G1  B5 B6 G2 G3 R1  R2 R3 R4 Y1 Y2  Y3"  # three hands, and the first discard


def after_a_reshuffle(held, fresh, came):
    """Return what seat 0 sees after seat 1 has played B5.

    Seat 1 has received *held* blue cards before the reshuffle, and *came* since, of the cards *fresh*.
    """
    view = QUEST.view(QUEST.start(complete_deal({"deck": FIRST.split()}), 3).state, 0)
    own, hand = view["drawn"][0], ["B?"] * held + ["G?", "R?"]
    before = {
        "cards": None,
        "received": [[sorted(BACKS[card] for card in own)], [hand], [["R?", "Y?"]]],
        "played": [[[]], [[]], [[]]],
    }
    since = {"cards": fresh, "received": [[[]], [["B?"] * came], [[]]], "played": [[[]], [["B5"]], [[]]]}
    left = Counter(BACKS[card] for card in fresh) - Counter(["B?"] * came)
    return view | {
        "reshuffles": 1,
        "periods": [before, since],
        "drawn": [own, []],
        "table": [[1, "B5"]],
        "lead": "B?",
        "turn": 2,
        "pile": left.total(),
        "back": max(left),
    }


@pytest.mark.parametrize(
    ("held", "fresh", "came", "odds", "not_since"),
    [
        # seat 0 has four blue cards, so eight are out of sight, two of them B5
        (4, ["B1", "B2", "B5", "B6", "Y1"], 1, (2 * 4 / 8, 1 / 4), 3 / 4),
        (1, ["B1", "B5", "B6", "Y1"], 2, (2 * 1 / 8, 2 / 3), 1 / 3),
    ],
)
def test_a_card_comes_from_a_period_as_often_as_that_period_may_have_brought_it(
    held, fresh, came, odds, not_since
):
    """The odds are the copies that the hand would have if the cards of each period were dealt at random.

    To take all periods for equally likely is wrong: where four of eight came, the card is rather among them
    than where one of four did.  If it came before, the hand may hold the one of the second period or not.
    """
    view, rng, times = after_a_reshuffle(held, fresh, came), Random(1), 3000
    worlds = [QUEST.imagine(view, rng) for _ in range(times)]
    assert all("B5" in (*world.past[0].received[1], *world.received[1]) for world in worlds)
    before, since = odds
    expected = before / (before + since) * not_since
    without = sum("B5" not in world.received[1] for world in worlds)
    assert expected == pytest.approx(without / times, abs=0.03)
