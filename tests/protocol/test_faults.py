"""The table of fault kinds: complete, and the source of what the specification and the reports say."""

import re
from typing import get_args

import msgspec
import pytest
from support.records import a_fault

from protocol import schema
from protocol.faults import FAULTS, FaultKind, explain
from results.reports.fault_card import render_card


def test_every_kind_of_fault_has_a_sentence_and_advice():
    assert list(get_args(FaultKind)) == list(FAULTS)
    assert [] == [kind for kind, meaning in FAULTS.items() if not (meaning.sentence and meaning.advice)]


def test_the_schema_knows_every_kind():
    items = schema.schema()["$defs"]["End"]["properties"]["faults"]["items"]
    assert sorted(FAULTS) == items["anyOf"][0]["enum"]


def test_the_tables_of_the_specification_are_those_of_the_code():
    spec = schema.SPEC.read_text(encoding="utf-8")
    assert schema.spec_text() == spec, "run: python -m protocol.schema"
    found = re.findall(r"^\| `(\w+)` \| (.*) \|$", spec.split("## Faults")[1], re.MULTILINE)
    assert [(kind, meaning.sentence) for kind, meaning in FAULTS.items()] == found


@pytest.mark.parametrize("kind", FAULTS)
def test_a_card_says_what_the_kind_means_and_what_to_do(kind):
    rule, advice = explain(kind)
    fault = msgspec.to_builtins(a_fault(kind=kind, version="0123456789ab"))
    *_, shown_rule, shown_advice, again, last = render_card(fault, rule, advice)
    assert (f"  rule      {rule}", f"  advice    {advice}") == (shown_rule, shown_advice)
    assert "`" not in shown_rule
    asked = f"{fault['bot']}@{fault['version']} {fault['run']}/{fault['number']} {fault['step']}"
    assert f"  again     ladder bots ask {asked} --seat {fault['seat']}" == again
    assert last.startswith("  see it    ladder replay")


@pytest.mark.parametrize(
    ("fault", "asked"),
    [
        (a_fault(kind="start", step=-1, version="0123456789ab-1"), "alpha@0123456789ab 1/0 hello --seat 0"),
        (a_fault(kind="protocol", step=0, charged=False, lapse="stray"), "alpha@alpha 1/0 end --seat 0"),
        (a_fault(bot="connected", version="author", seat=1), "PATH 1/0 3 --seat 1"),
    ],
    ids=["its hello", "the end after a match", "by its path, if it was not submitted"],
)
def test_a_card_asks_the_bot_again(fault, asked):
    numbers = {("alpha", "0123456789ab"): 1, ("alpha", "alpha"): 1}
    *_, again, _ = render_card(msgspec.to_builtins(fault), numbers=numbers)
    assert f"  again     ladder bots ask {asked}" == again


def test_a_kind_of_another_version_is_shown_without_them():
    card = list(render_card(msgspec.to_builtins(a_fault(kind="vanished")), *explain("vanished")))
    assert [] == [line for line in card if line.startswith(("  rule", "  advice"))]
