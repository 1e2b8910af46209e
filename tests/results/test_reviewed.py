"""What options promise, as a short text."""

import pytest

from results.reviewed import Promise, read_promises, write_promises


@pytest.mark.parametrize(
    ("promises", "best", "played", "text"),
    [
        ([Promise("a 1", 0.614), Promise("b", 0.5), Promise("c", 0.0)], "a 1", "c", "61; -11 b; -61="),
        ([Promise("a", 1.0), Promise("b; c", 0.5)], "a", "a", "100=; -50 b; c"),
        ([Promise("x, y", 0.5), Promise("=", 0.5), Promise("z", 0.4)], "x, y", "z", "50; -0 =; -10="),
        ([], "a", "b", ""),
    ],
)
def test_promises_are_a_short_text_without_the_names_that_stand_elsewhere(promises, best, played, text):
    assert text == write_promises(promises, best, played)
    whole = [Promise(option, round(result, 2)) for option, result in promises]
    assert whole == read_promises(text, best, played)


def test_an_older_text_has_whole_numbers():
    assert [Promise("a", 0.61), Promise("b", 0.5), Promise("c", 0.0)] == read_promises(
        "61; 50 b; 0=", "a", "c"
    )


def test_an_older_review_and_a_text_that_is_none_promise_nothing():
    assert [] == read_promises(None, "a", "b")
    assert [] == read_promises("what", "a", "b")
