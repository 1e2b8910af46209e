"""L01 to L70: every line that a bot may write where one answer is asked for, through real pipes."""

from functools import cache

import pytest

from ladder.dev.hostile import LINES, try_cases

pytestmark = pytest.mark.slow

SAID = [case for case in LINES if case.sin]
GREETINGS = [case for case in LINES if not case.sin]


@cache
def verdicts(tier):
    """Return what all lines get under *tier*: one worker, one line a match."""
    return {verdict.case.id: verdict for verdict in try_cases(SAID, tier)}


@pytest.mark.parametrize("case", SAID, ids=lambda case: f"{case.id} {case.what}")
def test_a_line_gets_what_it_is_worth_and_harms_nobody_else(case, tier):
    verdict = verdicts(tier)[case.id]
    assert () == verdict.problems


@pytest.mark.parametrize("case", GREETINGS, ids=lambda case: f"{case.id} {case.what}")
def test_so_does_an_answer_to_hello(case, tier):
    (verdict,) = try_cases([case], tier)
    assert () == verdict.problems


def test_the_table_has_all_70_lines():
    assert {f"L{number:02}" for number in range(1, 71)} == {case.id[:3] for case in LINES}
    assert len(LINES) == len({case.id for case in LINES})
