"""Whose fault it was: one row a case, and what holds for all of them."""

import itertools
from typing import get_args

import pytest

from ladder.process.patience import MOST_TIMES, ClockSpell, State, judge_clock
from ladder.referee.attribution import (
    AMONG_SEVERAL,
    BEARS,
    STRAYED,
    FaultEvidence,
    FaultVerdict,
    Outcome,
    attribute,
)
from ladder.referee.match import SeatFault
from protocol.faults import FaultKind

FIRST = FaultEvidence()
"""A process that plays its first match, alone, and has said nothing yet."""
LATER = FaultEvidence(first_match=False)
ANSWERED = FaultEvidence(first_match=False, has_answered=True)
BETWEEN = FaultEvidence(first_match=False, has_answered=True, between_matches=True)
SEVERAL = FaultEvidence(first_match=False, has_answered=True, several_matches=True)
REQUEST = FaultEvidence(names_request=True)
REQUEST_LATER = REQUEST._replace(first_match=False)
REQUEST_OF_SEVERAL = SEVERAL._replace(names_request=True)
DELAYED = REQUEST._replace(delay="the referee itself woke late")
BEARING = DELAYED._replace(bears_delays=True)
DELAYED_AMONG_SEVERAL = REQUEST_OF_SEVERAL._replace(delay="the referee itself woke late")
TRY = REQUEST._replace(tries_left=1)
LATE = "; but the referee itself woke late"
BORNE = "; the referee itself woke late" + BEARS

CASES: list[tuple[str, FaultEvidence, Outcome, str]] = [
    # what a bot does in its own match, it pays for
    ("start crash protocol memory limit", FIRST, "loses", ""),
    ("illegal protocol timeout", REQUEST, "loses", ""),
    ("crash protocol", ANSWERED, "loses", ""),
    # before its first answer, a warm process may still speak or end because of the match before
    ("crash protocol", LATER, "stray", STRAYED),
    ("memory limit", LATER, "loses", ""),
    ("illegal protocol timeout", REQUEST_LATER, "loses", ""),
    # between two matches there is none to pay with
    ("crash protocol memory limit", BETWEEN, "stray", STRAYED),
    # among several matches only a wrong answer tells which match it belongs to
    ("crash protocol memory limit", SEVERAL, "unclear", AMONG_SEVERAL),
    ("illegal protocol", REQUEST_OF_SEVERAL, "loses", ""),
    ("timeout", REQUEST_OF_SEVERAL, "unclear", AMONG_SEVERAL),
    # a delay of the machine is charged to no bot, unless all attempts failed by its delays alone
    ("start timeout", DELAYED, "void", LATE),
    ("timeout", DELAYED_AMONG_SEVERAL, "void", LATE),
    ("start timeout", BEARING, "loses", BORNE),
    ("timeout", REQUEST._replace(bears_delays=True), "loses", ""),
    ("crash illegal protocol memory limit", DELAYED, "loses", ""),
    # only an illegal move is asked again
    ("illegal", TRY, "ask again", ""),
    ("illegal", TRY._replace(first_match=False), "ask again", ""),
    ("illegal", REQUEST_OF_SEVERAL._replace(tries_left=1), "ask again", ""),
    ("protocol timeout crash", TRY, "loses", ""),
]


@pytest.mark.parametrize(("kinds", "evidence", "outcome", "words"), CASES)
def test_a_fault_is_attributed(kinds, evidence, outcome, words):
    for kind in kinds.split():
        verdict = attribute(SeatFault(kind, "what happened", b"answer"), evidence)  # type: ignore[arg-type]
        assert (outcome, "what happened" + words) == verdict, kind
        assert (outcome == "loses") == verdict.charged


@pytest.mark.parametrize(
    ("lapse", "outcome"),
    [
        (None, "loses"),
        (None, "ask again"),
        (None, "void"),
        ("stray", "stray"),
        ("repeated", "unclear"),  # until the matches have been replayed
    ],
)
def test_a_fault_that_belongs_to_no_match_counts_as_a_lapse(lapse, outcome):
    assert lapse == FaultVerdict(outcome, "").lapse


FLAGS = (False, True)


@pytest.mark.parametrize("kind", get_args(FaultKind))
def test_whatever_the_evidence_the_reason_says_what_happened_first(kind):
    """Nothing is void for who bears its delays, or unclear for a process with one match at a time."""
    every = itertools.product(FLAGS, (0, 1), FLAGS, (300,), *4 * (FLAGS,), ("", "a reason"), FLAGS)
    for evidence in itertools.starmap(FaultEvidence, every):
        verdict = attribute(SeatFault(kind, "what happened"), evidence)
        assert verdict.outcome in get_args(Outcome)
        assert verdict.reason.startswith("what happened")
        says_more = verdict.outcome in ("void", "stray", "unclear") or verdict.reason.endswith(BEARS)
        says_more = says_more or (kind == "transport" and verdict.outcome == "loses")
        assert says_more == (verdict.reason != "what happened")
        assert "void" != verdict.outcome or not evidence.bears_delays
        assert "unclear" != verdict.outcome or evidence.several_matches


# --- the clock of a bot that the machine delays

LIMIT = 1_000

SPELLS: list[tuple[State, int, ClockSpell]] = [
    # not delayed: charged at its limit, as it sleeps or computes
    ("runs", 999, ClockSpell(999)),
    ("over", 1000, ClockSpell(1000)),
    ("over", 1000, ClockSpell(1000, cpu_us=1000)),
    ("over", 1000, ClockSpell(1000, cpu_us=2000)),
    # it waits for a core: its clock stands still meanwhile, up to ten times the limit
    ("runs", 0, ClockSpell(1000, waited_us=1000)),
    ("runs", 999, ClockSpell(3000, waited_us=2001)),
    ("runs", 0, ClockSpell(9999, waited_us=9999)),
    ("too late", 0, ClockSpell(10_000, waited_us=10_000)),
    ("too late", 999, ClockSpell(10_000, waited_us=9001)),
    # then it has used the limit's CPU time, or sleeps
    ("over", 1000, ClockSpell(3000, waited_us=2000, cpu_us=1000)),
    ("over", 1000, ClockSpell(3000, waited_us=2000)),
    ("over", 1000, ClockSpell(10_000, waited_us=9000)),
    # its own processes have taken the core from each other
    ("over", 1000, ClockSpell(1000, waited_us=900, cpu_us=1000)),
    ("runs", 500, ClockSpell(1000, waited_us=900, cpu_us=500)),
    ("over", 1000, ClockSpell(2000, waited_us=2000, cpu_us=1000)),
    # it may use several cores
    ("runs", 500, ClockSpell(1000, waited_us=900, cpu_us=1000, cores=2)),
    ("over", 1000, ClockSpell(1000, waited_us=900, cpu_us=2000, cores=2)),
    # the machine has stood still
    ("runs", 200, ClockSpell(1000, frozen_us=800)),
    ("over", 1000, ClockSpell(1800, frozen_us=800)),
    ("over", 1000, ClockSpell(1000, frozen_us=800, cpu_us=1000)),
    ("too late", 0, ClockSpell(10_000, frozen_us=10_000)),
    ("runs", 100, ClockSpell(1000, waited_us=500, frozen_us=400)),
    ("runs", 0, ClockSpell(1000, waited_us=800, frozen_us=800)),  # no time is excused twice
    # processes came and went, and nobody knows what they have used
    ("over", 1000, ClockSpell(1000, waited_us=900, uncounted=True)),
    ("over", 1000, ClockSpell(1000, frozen_us=900, uncounted=True)),
    ("runs", 999, ClockSpell(999, waited_us=900, uncounted=True)),
]


@pytest.mark.parametrize(("state", "had_us", "spell"), SPELLS)
def test_a_clock_runs_while_its_bot_has_the_machine(state, had_us, spell):
    assert (state, had_us) == (judge_clock(LIMIT, spell), spell.had_us)


AMOUNTS = (0, 1, 499, 1000, 5000, 20_000)


def every_spell():
    every = itertools.product(AMOUNTS, AMOUNTS, AMOUNTS, AMOUNTS, (1, 4), FLAGS)
    return [*itertools.starmap(ClockSpell, every)]


def test_no_bot_is_charged_more_than_the_time_that_passed_or_less_than_it_ran():
    for spell in every_spell():
        assert min(spell.elapsed_us, spell.cpu_us // spell.cores) <= spell.had_us <= spell.elapsed_us


def test_a_bot_that_had_the_machine_all_the_time_is_charged_as_the_time_passes():
    calm = [spell for spell in every_spell() if spell.waited_us == spell.frozen_us == 0]
    assert {spell.elapsed_us for spell in calm} == {*AMOUNTS}
    for spell in calm:
        assert spell.elapsed_us == spell.had_us


def test_who_computes_more_is_never_excused_more():
    for spell in every_spell():
        assert spell.had_us <= spell._replace(cpu_us=spell.cpu_us + 1000).had_us
        assert spell.had_us <= spell._replace(uncounted=True).had_us


def test_every_clock_ends():
    for spell in every_spell():
        assert "runs" != judge_clock(spell.elapsed_us // MOST_TIMES, spell)


@pytest.mark.parametrize(
    ("expected", "spell"),
    [
        ("in 20.0 s its processes waited 19.5 s for a core", ClockSpell(20_000_000, 19_500_000)),
        ("in 20.0 s the machine stood still for 19.5 s", ClockSpell(20_000_000, 0, 19_500_000)),
        (
            "in 20.0 s its processes waited 12.0 s for a core and the machine stood still for 7.5 s",
            ClockSpell(20_000_000, 12_000_000, 7_500_000),
        ),
    ],
)
def test_a_delay_is_told_in_words(expected, spell):
    assert expected == spell.delay
