"""The ends of matches and the names in the schema of Stella Quest."""

from engines.contract.game_schema import schema_of
from engines.contract.subject import subject_of
from engines.contract.test_schema import list_steps
from engines.stella_quest import StellaQuest

SUBJECT = subject_of(StellaQuest())


def test_every_end_of_stella_quest_occurs():
    ends = schema_of(SUBJECT)["$defs"]["ending"]["properties"]["why"]["enum"]
    overs = [event for _, step in list_steps(SUBJECT) for event in step.events if event.kind == "over"]
    assert {*ends} == {event.public["why"] for event in overs}
