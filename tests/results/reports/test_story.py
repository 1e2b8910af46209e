"""One line says who won, by how much, or whose fault decided it."""

import pytest

from protocol.faults import FAULTS
from results.reports.story import DEEDS, tell_result
from results.reports.values_as_text import say


def seats(*told):
    return [dict(zip(("rank", "score", "fault"), (*each, None, None)[:3], strict=True)) for each in told]


LINES = {
    "higher first": (seats((2, 39), (1, 52)), ["You", "greedy"], "greedy beat You, 52 : 39"),
    "more seats": (seats((1, 56), (3, 38), (2, 45)), "ann arab bold", "ann won, 56 : 45 : 38 (bold, arab)"),
    "tie": (seats((1, 69), (1, 69)), "greedy rival", "a tie of greedy and rival, 69 each"),
    "tie of some": (seats((3, 1), (1, 7), (1, 7)), "a b c", "a tie of b and c, 7 : 7 : 1 (a)"),
    "fault": (seats((1,), (2, None, "crash")), "greedy mine", "greedy wins: mine crashed"),
    "fault of one among three": (
        seats((1,), (3, None, "timeout"), (1,)),
        "a b c",
        "a and c win: b timed out",
    ),
    "fault with points": (seats((1, 5), (2, 9, "illegal")), "a b", "a beat b, 5 : 9; b made an illegal move"),
    "kind of another ladder": (seats((1,), (2, None, "odd")), "a b", "a wins: b failed: odd"),
    "six seats": (
        seats(*((n, 10 - n) for n in range(1, 7))),
        "a b c d e f",
        "a won, 9 : 8 : 7 : 6 (b, c, d and 2 more)",
    ),
    "tie of six": (seats(*[(1, 4)] * 6), "a b c d e f", "a tie of a, b, c, d and 2 more, 4 each"),
    "void": (seats((None,), (None,)), "a b", "a, b, round 3"),
    "as it stands": (seats((None, 3), (None, 5)), "a b", "a 3, b 5, round 3"),
    "one seat": (seats((1, 7)), "a", "a won, 7"),
}


@pytest.mark.parametrize("case", LINES)
def test_a_line_says_who_won(case):
    rows, names, line = LINES[case]
    names = names.split() if isinstance(names, str) else names
    assert line == say(tell_result(rows, names, state="round 3"), {})


def test_you_win():
    assert "You win: b crashed" == say(tell_result(seats((1,), (2, None, "crash")), ["You", "b"], you=0), {})


def test_each_kind_of_fault_has_a_word():
    assert FAULTS.keys() == DEEDS.keys()
