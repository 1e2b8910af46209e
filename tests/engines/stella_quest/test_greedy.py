"""The greedy policies of Stella Quest where no recorded decision leads."""

from random import Random

import pytest

from engines import GAMES
from engines.position import chosen_by
from engines.stella_quest.cards import BACK_OF, CODES, codes_of
from engines.stella_quest.state import new_state
from engines.stella_quest.turns import STEPS


@pytest.mark.parametrize("policy", ["greedy-1", "bold-1", "careful-1"])
def test_without_any_card_the_first_trump_is_chosen(policy):
    state = new_state(3, 0, CODES["Y4"], [])
    state.seat, state.stage = 2, STEPS.index("top")
    state.table, state.by, state.lead = codes_of(["B1", "G3"]), [0, 1], BACK_OF[CODES["B1"]]
    state.hands = [codes_of(["Y5"]), codes_of(["Y5"]), []]
    chosen = chosen_by(GAMES["stella-quest"].policies()[policy], state, Random(0))
    assert "top B1" == state.move_of(chosen)
