"""Stages are read and written; what cannot be played is refused with what to type."""
# the expected value stands on the left, in every test

from typing import get_args

import pytest

from ladder.errors import UsageProblem
from ladder.pairing.stages import (
    FORMS,
    DoubleKnockout,
    FinalTable,
    Groups,
    Knockout,
    RoundRobin,
    Stage,
    Swiss,
    check_stages,
    parse_stages,
    write_stages,
)
from ladder.run.tournament.event_words import STAGES as WORDS

STAGES = {
    "swiss:5+knockout:8": (Swiss(5), Knockout(8)),
    "swiss": (Swiss(None),),
    "round-robin+final:4,20": (RoundRobin(), FinalTable(4, 20)),
    "groups:4,2+double-knockout:8": (Groups(4, 2), DoubleKnockout(8)),
}


@pytest.mark.parametrize("text", STAGES)
def test_stages_are_read_and_written(text):
    assert STAGES[text] == parse_stages(text)
    assert text == write_stages(STAGES[text])


def test_every_stage_can_be_typed_and_has_a_word():
    """Where a stage decides what is done, mypy names the places that lack one; in these tables it cannot."""
    typed = [stage for _, example, _ in FORMS.values() for stage in parse_stages(example)]
    assert [*get_args(Stage)] == [*map(type, typed)]
    assert [*FORMS] == [*WORDS]


@pytest.mark.parametrize(("entrants", "rounds"), [(2, 3), (8, 5), (9, 6), (24, 7), (64, 8)])
def test_a_swiss_has_rounds_for_its_field_by_default(entrants, rounds):
    assert rounds == Swiss().rounds_for(entrants)
    assert 4 == Swiss(4).rounds_for(entrants)


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("", "expected stages", "swiss:5+knockout:8"),
        (" ", "expected stages", "swiss:5+knockout:8"),
        ("swiss:5+", "a + stands at the end", "in the order"),
        ("swiss++knockout:8", "without a stage", "in the order"),
        ("swis:5", "'swis' (did you mean 'swiss'?)", "the stages are swiss:ROUNDS"),
        ("Swiss", "there is no stage 'Swiss' (did you mean 'swiss'?)", "the stages are"),
        ("knockout:1", "of one entrant", "knockout:8"),
        ("double-knockout:1", "of one entrant", "double-knockout:8"),
        ("knockout", "expected knockout:ENTRANTS, got 'knockout'", "knockout:8"),
        ("knockout:8,9", "expected knockout:ENTRANTS", "knockout:8"),
        ("knockout:٣", "expected knockout:ENTRANTS", "knockout:8"),
        ("swiss:", "expected swiss:ROUNDS", "swiss:5"),
        ("swiss:-1", "expected swiss:ROUNDS", "swiss:5"),
        ("swiss:2.5", "expected swiss:ROUNDS", "swiss:5"),
        ("swiss:0", "numbers from 1 to 1000 in swiss:ROUNDS, got 0", "swiss:5"),
        ("swiss:" + "9" * 99, "expected swiss:ROUNDS", "swiss:5"),
        ("round-robin:2", "expected round-robin", "round-robin"),
        ("groups:4", "expected groups:GROUPS,TAKE", "groups:4,2"),
        ("final:4", "expected final:SEATS,BLOCKS", "final:4,20"),
    ],
)
def test_nonsense_is_refused(text, message, hint):
    with pytest.raises(UsageProblem) as caught:
        parse_stages(text)
    assert message in str(caught.value)
    assert hint in caught.value.hint


@pytest.mark.parametrize(
    ("text", "entrants", "sizes", "seats", "message", "hint"),
    [
        ("swiss", 1, (2,), 2, "one entrant cannot fill a table of 2", "at least 2 bots"),
        ("swiss", 0, (2,), 2, "0 entrants", "at least 2 bots"),
        ("swiss", 3, (4,), 4, "3 entrants cannot fill a table of 4", "at least 4 bots"),
        ("swiss", 9, (2, 3), 4, "no tables of 4 seats, but of 2, 3", "one of 2, 3"),
        ("swiss:3+knockout:16", 12, (2,), 2, "takes 16 entrants, but there are 12", "knockout:12"),
        ("knockout:8+double-knockout:9", 12, (2,), 2, "but there are 8", "double-knockout:8"),
        ("groups:4,2+knockout:16", 20, (2,), 2, "but there are 8", "knockout:8"),
        ("groups:5,1", 8, (2,), 2, "groups of 1 of 8 entrants", "at most 4 groups"),
        ("groups:2,1", 5, (4,), 4, "groups of 2 of 5 entrants", "round-robin"),
        ("groups:2,5", 8, (2,), 2, "takes 5 of groups that may have 4", "groups:2,2"),
        ("final:5,20", 8, (2, 3, 4), 4, "no tables of 5 seats, but of 2, 3, 4", "final:4,20"),
        ("final:4,20", 3, (2, 4), 2, "takes 4 entrants, but there are 3", "final:2,20"),
        ("groups:2,1+swiss", 8, (4,), 4, "swiss gets 2 entrants", "pass more on"),
        ("knockout:3", 8, (4,), 4, "takes 3 entrants, too few for a table of 4", "at least 4"),
        ("double-knockout:4", 8, (4,), 4, "those who fall cannot fill a table", "knockout:4"),
    ],
)
def test_stages_that_do_not_fit_are_refused(text, entrants, sizes, seats, message, hint):
    with pytest.raises(UsageProblem) as caught:
        check_stages(parse_stages(text), entrants, sizes, seats)
    assert message in str(caught.value)
    assert hint in caught.value.hint


def test_a_hint_for_a_stage_can_be_typed():
    check_stages(parse_stages("groups:2,2"), 8, (2,), 2)
    check_stages(parse_stages("swiss:5+knockout:8"), 8, (2,), 2)
