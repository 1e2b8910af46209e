"""What bots are called where people read."""

import pickle

import pytest

from results.reports.labels import HomeNumbers, display_of, file_name, labels

A, B = ("mine", "aaaaaabbbbbb"), ("mine", "aaaaaacccccc")
C, D = ("mine", "dddddddddddd"), ("yours", "aaaaaabbbbbb")


@pytest.mark.parametrize(
    ("expected", "numbers"),
    [
        pytest.param({A: "mine", D: "yours"}, {A: 1, D: 2}, id="a unique name stands alone"),
        pytest.param({A: "mine@1", C: "mine@3", D: "yours"}, {A: 1, C: 3, D: 1}, id="versions have numbers"),
        pytest.param({A: "mine@1", C: "mine@dddddd"}, {A: 1}, id="one that is not known has its hash"),
        pytest.param(
            {A: "mine@aaaaaabbbbbb", B: "mine@aaaaaacccccc", C: "mine@dddddd"}, {}, id="hashes begin alike"
        ),
        pytest.param({A: "mine@9999", C: "mine@1"}, {A: 9999, C: 1}, id="the largest number"),
        pytest.param({A: "mine@aaaaaa", C: "mine@1"}, {A: 10_000, C: 1}, id="a number that cannot be typed"),
    ],
)
def test_names_that_are_not_unique_have_a_number_or_the_beginning_of_a_hash(expected, numbers):
    assert expected == labels([*expected, *expected], numbers)


def test_a_bot_that_sits_at_a_table_twice_has_one_label():
    twice = [("greedy", "3ee38e47f473"), ("greedy", "3ee38e47f473-1")]
    assert dict.fromkeys(twice, "greedy") == labels(twice, {})
    other = ("greedy", "0b11530c7242")
    expected = {**dict.fromkeys(twice, "greedy@1"), other: "greedy@2"}
    assert expected == labels([*twice, other], {twice[0]: 1, other: 2})


def test_what_a_stranger_names_is_a_file_of_its_own_in_its_folder():
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


def test_people_see_the_names_that_bots_chose_and_two_alike_by_their_handles():
    numbers = {("a", "v1"): 1, ("a", "v2"): 2, ("b", "v1"): 1, ("c", "v1"): 1, ("d", "v1"): 1, ("e", "v1"): 1}
    displays = {"a": "机器人", "b": "Zoë", "c": "ZOË", "e": "D"}
    known = HomeNumbers(numbers, displays)
    label = labels(numbers, known)
    assert ["机器人@1", "机器人@2"] == [label["a", "v1"], label["a", "v2"]]
    assert ["Zoë (b)", "ZOË (c)", "d", "D (e)"] == [label[bot, "v1"] for bot in "bcde"]
    assert ("x", "x") == (display_of("x", known), display_of("x", {}))
    assert known.displays == pickle.loads(pickle.dumps(known)).displays
