"""Arguments from Python: read as the command line reads them, and refused by name."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import pytest

import ladder
from ladder.contest.seed import Seed
from ladder.errors import LadderError
from ladder.machine.arguments import read_argument
from ladder.run.option import duration, whole


class Numpy:
    """Is a number of numpy's."""

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
        ([2, 3], [Numpy(2), Numpy(3)], Sequence[int], whole(2, 6)),
        ([2, 3], ["2", 3.0], Sequence[int], whole(2, 6)),
        (["stellar"], "stellar", Sequence[str], None),
        ([2], {2}, Sequence[int], whole(2, 6)),
        (90.0, "1m30s", float | None, duration),
        (0.5, 0.5, float | None, duration),
        (Path("x"), "x", Path | None, None),
        (Path("x"), Path("x"), str | Path | None, None),
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
        ({"seed": "x"}, "seed: expected a non-negative whole number of at most 18 digits, a secret text"),
        ({"seed": True}, "seed: expected Seed | int | None, got: True"),
        ({"seed": -1}, "seed: expected a non-negative whole number"),
        ({"games": 0}, "games: expected a whole number of at least 1, got: '0'"),
        ({"games": [1]}, "games: expected int | None, got: [1]"),
        ({"seconds": float("nan")}, "seconds: expected a time such as 90s"),
        ({"seats": 2}, "seats: expected Sequence[int], got: 2"),
        ({"seats": [7]}, "seats: expected a whole number from 2 to 6, got: '7'"),
        (
            {"schedule": "gaunlet"},
            "schedule: expected Optional[Literal['adaptive', 'round-robin', 'gauntlet']], got: 'gaunlet'",
        ),
        ({"game": ["stellar", 3]}, "game: expected str | Sequence[str], got: ['stellar', 3]"),
        ({"until": 4}, "until: expected str | Sequence[str] | None, got: 4"),
        ({"options": 5}, "options: expected Sequence[str], got: 5"),
        ({"bots": []}, "bots: expected one or more, got: []"),
        ({"bots": {}}, "bots: expected one or more, got: {}"),
        ({"new": "yes"}, "new: expected bool, got: 'yes'"),
        ({"secret_file": 4}, "secret_file: expected Path | None, got: 4"),
        ({"home": 5}, "home: expected Home | str | Path | None, got: 5"),
        ({"tell": 5}, "tell: expected Callable["),
        ({"bots": "greedy"}, "bots: expected Sequence["),
        ({"bots": {1: print}}, "bots: expected Sequence["),
        ({"bots": [5]}, "bots: expected names, paths and functions, got: 5"),
        ({"bots": {"a": None}}, "bots: expected names, paths and functions, got: None"),
        ({"bots": [ladder.Bot(print, name=5)]}, "name: expected str, got: 5"),
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
        (lambda home: home.matches("number"), "columns: expected Iterable"),
        (lambda home: home.matches(run="1"), "run: expected int"),
        (lambda home: home.reviews(run=1.5), "run: expected int"),
        (lambda home: home.leaderboard(5), "game: expected str, got: 5"),
        (lambda home: home.leaderboard("stellar", run=99), "there is no run 99"),
        (lambda home: ladder.open_home(5), "path: expected Path"),
    ],
)
def test_what_a_home_is_asked_is_read_alike(tmp_path, call, said):
    with pytest.raises(LadderError, match=said):
        call(ladder.open_home(tmp_path / "home"))
