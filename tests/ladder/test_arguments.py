"""Arguments from Python: read as the command line reads them, and refused by name."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import pytest

import ladder
from ladder.arguments import read_argument
from ladder.contest.seed import Seed
from ladder.errors import LadderError
from ladder.run.option import duration, whole


class Numpy:
    """Has numbers as an array of numpy has them."""

    def __init__(self, value):
        self.tolist = lambda: value


@pytest.mark.parametrize(
    ("found", "value", "kind", "read"),
    [
        (Seed(123, None), "0123", Seed | int | None, Seed.read),
        (Seed(5, None), 5, Seed | int | None, Seed.read),
        (Seed(5, None), Seed(5, None), Seed | int | None, Seed.read),
        (None, None, Seed | int | None, Seed.read),
        (10_000, "10k", int, whole(1)),
        (10_000, 1e4, int, whole(1)),
        (7, Numpy(7), int, whole(1)),
        ([2, 3], Numpy([2, 3]), Sequence[int], whole(2, 6)),
        ([2, 3], ["2", 3.0], Sequence[int], whole(2, 6)),
        ([2], {2}, Sequence[int], whole(2, 6)),
        (90.0, "1m30s", float | None, duration),
        (0.5, 0.5, float | None, duration),
        (Path("x"), "x", Path | None, None),
        ("auto", "auto", Literal["auto", "none"], None),
        ({"a": 1}, {"a": 1}, Sequence[Any] | Mapping[str, Any], None),
        (["a", "b"], iter("ab"), Iterable[str] | None, None),
        (print, print, Callable[[str], None], None),
        (True, True, bool, None),
    ],
)
def test_a_value_is_read_as_its_type_has_it(found, value, kind, read):
    assert found == read_argument("it", value, kind, read)


@pytest.mark.parametrize(
    ("argument", "said"),
    [
        ({"seed": "x"}, "seed: expected a non-negative whole number of at most 18 digits, or a secret text"),
        ({"seed": True}, "seed: expected Seed or a whole number, got: True"),
        ({"seed": -1}, "seed: expected a non-negative whole number"),
        ({"games": 0}, "games: expected a whole number of at least 1, got: '0'"),
        ({"games": [1]}, "games: expected a whole number, got: [1]"),
        ({"seconds": float("nan")}, "seconds: expected a time such as 90s"),
        ({"seats": 2}, "seats: expected a list, got: 2"),
        ({"seats": [7]}, "seats: expected a whole number from 2 to 6, got: '7'"),
        (
            {"schedule": "gaunlet"},
            "schedule: expected one of adaptive, round-robin, gauntlet, got: 'gaunlet'",
        ),
        ({"game": ["stellar", 3]}, "game: expected a text or a list, got: ['stellar', 3]"),
        ({"until": 4}, "until: expected a text, got: 4"),
        ({"options": "a=b"}, "options: expected a list, got: 'a=b'"),
        ({"new": "yes"}, "new: expected True or False, got: 'yes'"),
        ({"secret_file": 4}, "secret_file: expected a path, got: 4"),
        ({"home": 5}, "home: expected Home or a text or a path, got: 5"),
        ({"tell": 5}, "tell: expected a function, got: 5"),
        ({"bots": "greedy"}, "bots: expected a list or a dict, got: 'greedy'"),
        ({"bots": {1: print}}, "bots: expected a list or a dict, got: {1: "),
        ({"bots": [5]}, "bots: expected names, paths and functions, got: 5"),
        ({"bots": {"a": None}}, "bots: expected names, paths and functions, got: None"),
        ({"bots": [ladder.Bot(print, name=5)]}, "name: expected a text, got: 5"),
    ],
    ids=str,
)
def test_a_wrong_value_is_refused_with_the_name_of_its_argument(tmp_path, argument, said):
    with pytest.raises(LadderError) as refused:
        ladder.play(**{"bots": [print], "home": tmp_path / "home", **argument})
    assert str(refused.value).startswith(said)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda home: home.matches("number"), "columns: expected a list, got: 'number'"),
        (lambda home: home.matches(run="1"), "run: expected a whole number, got: '1'"),
        (lambda home: home.reviews(run=1.5), "run: expected a whole number, got: 1.5"),
        (lambda home: home.leaderboard(5), "game: expected a text, got: 5"),
        (lambda home: home.leaderboard("stellar", run=99), "there is no run 99"),
        (lambda home: ladder.open_home(5), "path: expected a path, got: 5"),
    ],
)
def test_what_a_home_is_asked_is_read_alike(tmp_path, call, said):
    with pytest.raises(LadderError, match=said):
        call(ladder.open_home(tmp_path / "home"))
