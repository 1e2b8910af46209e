"""What is told of the faults of a bot: how many of each kind, and how many of them cost it no match."""

import msgspec
import pytest
from support.records import a_fault

from ladder.replay.faults_document import faults_section
from results.reports.bot_facts import BotFaults
from results.reports.document import Table

NEWEST = [msgspec.to_builtins(a_fault())]


@pytest.mark.parametrize("audience", ["operator", "author", "public"])
def test_all_kinds_are_counted_with_those_that_cost_no_match(audience):
    versions = [
        BotFaults({"crash": 2, "timeout": 1}, {}, NEWEST),
        BotFaults({"crash": 1}, {"transport": 20, "illegal": 1}, NEWEST),
    ]
    table = next(part for part in faults_section(versions, audience, 0, "").parts if isinstance(part, Table))
    assert [("crash", 3, None), ("illegal", 0, 1), ("timeout", 1, None), ("transport", 0, 20)] == [
        (row["kind"], row["faults"], row["forgiven"]) for row in table.rows
    ]
    assert all(row["rule"] and row["advice"] for row in table.rows)
