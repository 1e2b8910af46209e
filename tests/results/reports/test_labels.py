"""What bots are called where people read."""

import pytest

from results.reports.labels import file_name, labels

A, B = ("mine", "aaaaaabbbbbb"), ("mine", "aaaaaacccccc")
C, D = ("mine", "dddddddddddd"), ("yours", "aaaaaabbbbbb")


def test_a_name_that_is_unique_stands_alone() -> None:
    assert {A: "mine", D: "yours"} == labels([A, D, A], {A: 1, D: 2})


def test_two_versions_have_the_numbers_of_their_home() -> None:
    assert {A: "mine@1", C: "mine@3", D: "yours"} == labels([A, C, D], {A: 1, C: 3, D: 1})


def test_a_version_that_the_home_does_not_know_has_the_beginning_of_its_hash() -> None:
    assert {A: "mine@1", C: "mine@dddddd"} == labels([A, C], {A: 1})


def test_where_two_hashes_begin_alike_they_stand_in_full() -> None:
    assert {A: "mine@aaaaaabbbbbb", B: "mine@aaaaaacccccc", C: "mine@dddddd"} == labels([A, B, C], {})


@pytest.mark.parametrize(("number", "called"), [(9999, "mine@9999"), (10_000, "mine@aaaaaa")])
def test_a_number_that_could_not_be_typed_is_not_shown(number: int, called: str) -> None:
    assert called == labels([A, C], {A: number, C: 1})[A]


def test_a_bot_that_sits_at_a_table_twice_has_one_label() -> None:
    twice = [("greedy", "3ee38e47f473"), ("greedy", "3ee38e47f473-1")]
    assert dict.fromkeys(twice, "greedy") == labels(twice, {})
    assert dict.fromkeys(twice, "greedy@1") == {
        bot: label
        for bot, label in labels(
            [*twice, ("greedy", "0b11530c7242")],
            {("greedy", "3ee38e47f473"): 1, ("greedy", "0b11530c7242"): 2},
        ).items()
        if bot in twice
    }


def test_what_a_stranger_names_is_a_file_of_its_own_in_its_folder() -> None:
    plain = ["stellar", "stella-quest", "go-9.1"]
    assert plain == [*map(file_name, plain)]
    strange = [
        "../../home",
        "a/b",
        "a b",
        "",
        "..",
        "Stellar",
        "STELLAR",
        "\u202ex",
        "\ud800",
        "x" * 300,
        "con\0",
    ]
    names = [*map(file_name, strange)]
    assert len(strange) == len({name.lower() for name in names} - {*plain})
    assert all(name.isalnum() and len(name) <= 64 for name in names)
