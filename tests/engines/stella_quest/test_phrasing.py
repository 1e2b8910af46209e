"""What people are asked and told of moves: prompts name all kinds on offer, and costs are true."""

from collections import Counter
from random import Random

import pytest

from engines.stella_quest import StellaQuest
from engines.stella_quest.scoring import jewels

QUEST = StellaQuest()
TAKEN = {
    "Y2": "costs your last 2 lights: you hold number 2 already. You come last",
    "R6": "costs 1 of your 2 lights and your jewels of this number: you hold number 6 already",
    "G5": "",
}


@pytest.mark.parametrize("card", TAKEN)
def test_a_second_number_costs_lights_and_jewels(card):
    view = {"turn": 0, "lights": [2], "collections": [["B2", "R2", "Y6"]]}
    assert TAKEN[card] == QUEST.cost(view, f"take {card}")


@pytest.mark.parametrize("seats", QUEST.seats)
def test_a_move_costs_what_it_says_and_no_other_costs_anything(seats):
    told = Counter()
    for seed in range(8):
        rng = Random(seed)
        state = QUEST.start(QUEST.deal(seats, rng), seats).state
        while asked := QUEST.choices(state):
            ((seat, choice),) = asked.items()
            view, move = QUEST.view(state, seat), rng.choice(choice.options)
            assert ("burn a light" in QUEST.ask(view)) == ("draw" in choice.options)
            state = QUEST.play(state, {seat: move}).state
            before, after = view["lights"][seat], state.lights[seat]
            cost = QUEST.cost(view, move)
            if move.startswith("play"):  # other seats decide who wins
                assert not cost
                continue
            told[move.split()[0]] += bool(cost)
            assert bool(cost) == (after < before), (move, cost)
            assert ("come last" in cost) == (not after), cost
            lost = jewels(view["collections"][seat]) > jewels(QUEST.view(state, seat)["collections"][seat])
            assert ("jewels" in cost) == lost, cost
    assert all(told[verb] for verb in ("draw", "take"))
