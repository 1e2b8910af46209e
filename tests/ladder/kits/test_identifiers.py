"""Names, as each language writes them."""

import pytest

from ladder.kits.identifiers import camel, pascal, safe, snake


@pytest.mark.parametrize("name", ["past_crosses", "past-crosses", "pastCrosses", "Past crosses"])
def test_a_name_is_spelled_as_the_language_does(name):
    assert ["pastCrosses", "PastCrosses", "past_crosses"] == [camel(name), pascal(name), snake(name)]


def test_a_name_that_a_program_cannot_use_is_changed():
    assert ["from_", "seat", "_2nd", "_"] == [safe(name, {"from"}) for name in ("from", "seat", "2nd", "")]
