"""The names in the schema of Stellar."""

from __future__ import annotations

import pytest
from support.schema_names import names_that_fit

from engines.contract.subject import subject_of
from engines.stellar import Stellar
from engines.stellar.cards import CARDS, SLOTS, STARTERS

SUBJECT = subject_of(Stellar())


@pytest.mark.parametrize(
    ("part", "names"),
    [
        ("card", CARDS),
        ("starter", STARTERS),
        ("slot", SLOTS),
    ],
)
def test_the_names_are_those_of_the_game_and_no_others_like_them(part, names):
    assert {*names} == names_that_fit(SUBJECT, part, names)
