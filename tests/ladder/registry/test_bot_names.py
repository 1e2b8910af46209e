"""Names that look like others."""

import unicodedata

import pytest

from ladder.registry.bot_names import ALIKE, look_of


@pytest.mark.parametrize(
    "name",
    [
        "RAT",
        "rat..",
        " rat",
        "r\u200bat",
        "\uff32\uff21\uff34",  # full-width
        "r\u0430\u0442",  # Cyrillic a, te
        "\U0001d5cb\U0001d5ba\U0001d5cd",  # mathematical
        "r\u0391\u03a4",  # Greek
        "\u13a1\u13aa\u13a2",  # Cherokee
    ],
)
def test_names_that_people_take_for_the_same_look_alike(name):
    assert "rat" == look_of(name)


@pytest.mark.parametrize("name", ["rät", "r a t", "rat-2", "rot", "r\u0436t", "鼠"])
def test_other_names_do_not(name):
    assert "rat" != look_of(name)


def test_letters_of_other_scripts_that_look_alike_are_listed_once():
    letters = "".join(word[1:] for word in ALIKE.split())
    assert len(letters) == len({*letters})
    assert {"GREEK", "CYRILLIC", "ARMENIAN", "CHEROKEE"} < {
        unicodedata.name(each).split()[0] for each in letters
    }
    assert "v\u0456ctim" != "victim" == look_of("v\u0456ctim")
    assert letters == unicodedata.normalize("NFKC", letters)
    assert not any(each.isascii() for each in letters)
