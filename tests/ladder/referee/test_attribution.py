"""Whose fault it was: one row a case, and what holds for all of them."""

from __future__ import annotations

import itertools
from typing import get_args

import pytest

from ladder.referee.attribution import (
    AMONG_SEVERAL,
    BEARS,
    STRAYED,
    Evidence,
    Outcome,
    Verdict,
    attribute,
    machine_delay,
)
from ladder.referee.match import Fault
from protocol.faults import FaultKind
from results.record import Lapse

FIRST = Evidence()
"""A process that plays its first match, alone, and has said nothing yet."""
LATER = Evidence(first_match=False)
ANSWERED = Evidence(first_match=False, has_answered=True)
BETWEEN = Evidence(first_match=False, has_answered=True, between_matches=True)
SEVERAL = Evidence(first_match=False, has_answered=True, several_matches=True)
REQUEST = Evidence(names_request=True)
REQUEST_LATER = REQUEST._replace(first_match=False)
REQUEST_OF_SEVERAL = SEVERAL._replace(names_request=True)
DELAYED = REQUEST._replace(delay="the referee itself woke late")
BEARING = DELAYED._replace(bears_delays=True)
DELAYED_AMONG_SEVERAL = REQUEST_OF_SEVERAL._replace(delay="the referee itself woke late")
TRY = REQUEST._replace(tries_left=1)
LATE = "; but the referee itself woke late"
BORNE = "; the referee itself woke late" + BEARS

CASES: list[tuple[FaultKind, Evidence, Outcome, str]] = [
    # what a bot does in its own match, it pays for
    ("start", FIRST, "loses", ""),
    ("crash", FIRST, "loses", ""),
    ("protocol", FIRST, "loses", ""),
    ("memory", FIRST, "loses", ""),
    ("limit", FIRST, "loses", ""),
    ("illegal", REQUEST, "loses", ""),
    ("protocol", REQUEST, "loses", ""),
    ("timeout", REQUEST, "loses", ""),
    ("crash", ANSWERED, "loses", ""),
    ("protocol", ANSWERED, "loses", ""),
    # before its first answer, a warm process may still speak or end because of the match before
    ("crash", LATER, "stray", STRAYED),
    ("protocol", LATER, "stray", STRAYED),
    ("memory", LATER, "loses", ""),
    ("limit", LATER, "loses", ""),
    ("illegal", REQUEST_LATER, "loses", ""),
    ("protocol", REQUEST_LATER, "loses", ""),
    ("timeout", REQUEST_LATER, "loses", ""),
    # between two matches there is none to pay with
    ("crash", BETWEEN, "stray", STRAYED),
    ("protocol", BETWEEN, "stray", STRAYED),
    ("memory", BETWEEN, "stray", STRAYED),
    ("limit", BETWEEN, "stray", STRAYED),
    # among several matches only a wrong answer tells which match it belongs to
    ("crash", SEVERAL, "unclear", AMONG_SEVERAL),
    ("protocol", SEVERAL, "unclear", AMONG_SEVERAL),
    ("memory", SEVERAL, "unclear", AMONG_SEVERAL),
    ("limit", SEVERAL, "unclear", AMONG_SEVERAL),
    ("illegal", REQUEST_OF_SEVERAL, "loses", ""),
    ("protocol", REQUEST_OF_SEVERAL, "loses", ""),
    ("timeout", REQUEST_OF_SEVERAL, "unclear", AMONG_SEVERAL),
    # a delay of the machine is charged to no bot, unless all attempts failed by its delays alone
    ("start", DELAYED, "void", LATE),
    ("timeout", DELAYED, "void", LATE),
    ("timeout", DELAYED_AMONG_SEVERAL, "void", LATE),
    ("start", BEARING, "loses", BORNE),
    ("timeout", BEARING, "loses", BORNE),
    ("timeout", REQUEST._replace(bears_delays=True), "loses", ""),
    ("crash", DELAYED, "loses", ""),
    ("illegal", DELAYED, "loses", ""),
    ("protocol", DELAYED, "loses", ""),
    ("memory", DELAYED, "loses", ""),
    ("limit", DELAYED, "loses", ""),
    # only an illegal move is asked again
    ("illegal", TRY, "ask again", ""),
    ("illegal", TRY._replace(first_match=False), "ask again", ""),
    ("illegal", REQUEST_OF_SEVERAL._replace(tries_left=1), "ask again", ""),
    ("protocol", TRY, "loses", ""),
    ("timeout", TRY, "loses", ""),
    ("crash", TRY, "loses", ""),
]


@pytest.mark.parametrize(
    ("kind", "evidence", "outcome", "words"),
    CASES,
    ids=[
        f"{kind}: {' '.join(f'{name}={value}' for name, value in evidence._asdict().items() if value)}"
        for kind, evidence, _, _ in CASES
    ],
)
def test_a_fault_is_attributed(kind: FaultKind, evidence: Evidence, outcome: Outcome, words: str) -> None:
    verdict = attribute(Fault(kind, "what happened", b"answer"), evidence)
    assert (outcome, "what happened" + words) == verdict
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
def test_a_fault_that_belongs_to_no_match_counts_as_a_lapse(lapse: Lapse | None, outcome: Outcome) -> None:
    assert lapse == Verdict(outcome, "").lapse


def every_evidence() -> list[Evidence]:
    flags = (False, True)
    return [
        Evidence(names, tries, several, between, first, answered, delay, bears)
        for names, tries, several, between, first, answered, delay, bears in itertools.product(
            flags, (0, 1), flags, flags, flags, flags, ("", "a reason"), flags
        )
    ]


@pytest.mark.parametrize("kind", get_args(FaultKind))
def test_whatever_the_evidence_the_reason_says_what_happened_first(kind: FaultKind) -> None:
    for evidence in every_evidence():
        verdict = attribute(Fault(kind, "what happened"), evidence)
        assert verdict.outcome in get_args(Outcome)
        assert verdict.reason.startswith("what happened")
        says_more = verdict.outcome in ("void", "stray", "unclear") or verdict.reason.endswith(BEARS)
        assert says_more == (verdict.reason != "what happened")


@pytest.mark.parametrize("kind", get_args(FaultKind))
def test_nothing_is_void_for_a_bot_that_bears_its_delays(kind: FaultKind) -> None:
    bearing = [evidence for evidence in every_evidence() if evidence.bears_delays]
    assert "void" not in {attribute(Fault(kind, ""), evidence).outcome for evidence in bearing}


@pytest.mark.parametrize("kind", get_args(FaultKind))
def test_a_process_with_one_match_at_a_time_is_never_unclear(kind: FaultKind) -> None:
    alone = [evidence for evidence in every_evidence() if not evidence.several_matches]
    assert "unclear" not in {attribute(Fault(kind, ""), evidence).outcome for evidence in alone}


@pytest.mark.parametrize(
    ("expected", "woke_late", "cpu_us", "waited_us"),
    [
        ("the referee itself woke late", True, 499, 0),
        ("the process waited for a core for 0.0 s", False, 499, 500),
        ("", False, 499, 499),
        ("", True, 500, 0),
        ("", True, 500, 1000),
    ],
)
def test_the_machine_is_to_blame_where_a_bot_hardly_ran_and_it_was_late_or_had_no_core(
    expected: str, woke_late: bool, cpu_us: int, waited_us: int
) -> None:
    assert expected == machine_delay(woke_late, cpu_us, waited_us, elapsed_us=1000)
