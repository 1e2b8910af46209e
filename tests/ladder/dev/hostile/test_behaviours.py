"""B01 to B63: what bots do beside answering, a tiny program each."""

import pytest
from support.places import BAD_BOTS

from ladder.dev.hostile import BEHAVIOURS, CASES, RUNS, delays, try_cases
from ladder.dev.hostile.case_trial import programs
from ladder.sandbox import TIERS

pytestmark = pytest.mark.slow

TRIED = [(case, tier) for tier in TIERS for case in BEHAVIOURS if tier in case.tiers]
UNCHARGED = "not charged: hostile@1: no answer within"


@pytest.mark.parametrize(
    ("case", "tier"), TRIED, indirect=["tier"], ids=[f"{case.id} {case.what}-{tier}" for case, tier in TRIED]
)
def test_a_behaviour_gets_what_it_is_worth_and_harms_nobody_else(case, tier):
    (verdict,) = try_cases([case], tier)
    assert () == verdict.problems


def test_the_table_has_all_63_behaviours():
    ids = [case.id for case in BEHAVIOURS] + list(RUNS)
    of_the_runner = {"B54", "B55"}  # in tests/ladder/run/test_kills.py
    assert {f"B{number:02}" for number in range(1, 64)} - of_the_runner == {id_[:3] for id_ in ids}
    assert len(ids) == len(set(ids))


def test_the_programs_are_those_of_the_tests():
    assert programs() == BAD_BOTS
    for case in CASES:
        assert (BAD_BOTS / f"{case.program}.py").is_file()
        assert (BAD_BOTS / f"{case.opponent}.py").is_file()


# --- confederates that make the machine busy: B60 and B61


@pytest.mark.parametrize("attempt", [delays.try_confederate, delays.try_unplayable])
def test_who_has_a_confederate_take_its_core_loses_all_the_same(attempt, tier):
    """Other tests take the core, too, so an unplayable block may stay void; then no bot is charged."""
    for _ in range(3):
        result = attempt(tier)
        if result.found != "void":
            break
    may_be_void = attempt is delays.try_unplayable and result.found == "void"
    undecided = may_be_void and all(problem.startswith(UNCHARGED) for problem in result.problems)
    assert undecided or ("timeout", ()) == (result.found, result.problems)


# --- a busy core: B62 and B63


@pytest.mark.parametrize("case", [delays.ASLEEP, delays.AWAITING])
def test_no_match_is_played_again_because_children_had_no_core(case, tier):
    assert () == delays.try_on_a_busy_core(case, tier).problems
