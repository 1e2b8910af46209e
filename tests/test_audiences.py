"""What each kind of reader may see: every document is built for each, with a mark in every secret."""

import re

import pytest
from support.marked_documents import MARKED, MARKS, marks_in
from support.media import MEDIA
from support.places import ROOT

NOBODY = {"RequestOfFault", "SecretOfRun", "987654321", "ThoughtOfOther"}
"""What lets bots know the cards, and what a bot thought for itself."""
ALLOWED = {
    "operator": {*MARKS} - NOBODY,
    "author": {
        *("NoteOfAuthor", "NameOfAuthor", "ReasonOfBan", "StderrOfBot", "ReasonOfFault", "AnswerOfBot"),
        "OwnReplay",
    },
    "public": set(),
}
"""By the reader, the marks that may be there."""
ELSEWHERE = {"event_document": "tests/ladder/run/tournament/test_event_drawings.py"}
"""Builders that another file tries for each reader, on a tournament that was played."""
COMMAND = re.compile(
    r"\bladder (run|submit|check|matrix|leaderboard|duel|bots|home|faults|matches|replay|play)\b"
)


@pytest.mark.parametrize("medium", MEDIA)
@pytest.mark.parametrize("audience", ALLOWED)
def test_a_reader_sees_the_secrets_that_it_may_and_no_others(audience, medium):
    written = {name: MEDIA[medium](build(audience)) for name, build in MARKED.items()}
    found = {name: marks_in(text) for name, text in written.items()}
    assert {} == {
        name: marks - ALLOWED[audience] for name, marks in found.items() if marks - ALLOWED[audience]
    }
    assert ALLOWED[audience] == set().union(*found.values()), "a mark that nobody sees tests nothing"


@pytest.mark.parametrize("medium", MEDIA)
def test_the_public_is_told_of_no_command(medium):
    for name, build in MARKED.items():
        assert not COMMAND.search(MEDIA[medium](build("public"))), name
    assert COMMAND.search(MEDIA["text"](MARKED["duel_document"]("operator")))


def test_every_builder_that_knows_readers_is_tried_with_marks():
    builders = {
        name
        for package in ("ladder", "results")
        for path in (ROOT / package).rglob("*.py")
        for name, _ in re.findall(
            r"^def ([a-z]\w+)\(([^)]*audience: (?:doc\.)?Audience[^)]*)\) -> (?:doc\.)?(?:Document|Facts):",
            path.read_text(),
            re.MULTILINE,
        )
    }
    assert builders == {name.partition(" ")[0] for name in MARKED} | {*ELSEWHERE}
    assert all(builder in (ROOT / path).read_text() for builder, path in ELSEWHERE.items())
