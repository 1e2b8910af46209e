"""The plugin for pytest that hands games to the tests of this package.

Which games: those that `--game module:Class` names; or those in `SUBJECTS` of the module that imports the
tests, as the tests of a game of its own package do.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

_TESTS = (path.stem for path in Path(__file__).parent.glob("test_*.py"))
pytest.register_assert_rewrite(*(f"engines.contract.{name}" for name in ("secrets", *_TESTS)))

TRIALS = 40
"""How many random matches each test of a match plays; a game of many sizes has fewer of each."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("games of the ladder")
    group.addoption(
        "--game", action="append", default=[], metavar="MODULE:CLASS", help="a game for engines.contract"
    )
    group.addoption("--regold", action="store_true", help="rewrite golden records and schema.json")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test of this package over every game, table size and seed, as far as it takes them."""
    if not getattr(metafunc.function, "__module__", "").startswith("engines.contract."):
        return
    names = [name for name in ("subject", "seats", "seed") if name in metafunc.fixturenames]
    if not names:
        return
    rows: list[tuple[Any, ...]] = []
    for subject in _subjects(metafunc):
        sizes = subject.game.seats
        if "seed" in names:
            rows += [(subject, sizes[seed % len(sizes)], seed) for seed in range(TRIALS)]
        elif "seats" in names:
            rows += [(subject, seats) for seats in sizes]
        else:
            rows.append((subject,))
    labels = ["-".join([subject.game.name, *map(str, more)]) for subject, *more in rows]
    metafunc.parametrize(names, rows, ids=labels)


@pytest.hookimpl(tryfirst=True)  # before a process of xdist says that it is ready: then tests begin
def pytest_collection_finish(session: pytest.Session) -> None:
    """With `--regold`, rewrite before the first test: tests read the files, and some remember them."""
    if not session.config.getoption("--regold"):
        return
    for item in session.items:
        if isinstance(item, pytest.Function) and item.function.__module__.startswith("engines.contract."):
            _rewrite(item.function.__name__, item.callspec.params)


def _rewrite(test: str, over: Mapping[str, Any]) -> None:
    """Rewrite what *test* is about.  What cannot be rewritten stays: the test fails, and says why."""
    from engines.contract.game_schema import declared_schema
    from engines.contract.golden import rewrite_record, write
    from engines.schemas import schema_text

    with suppress(Exception, pytest.fail.Exception):
        if test == "test_a_golden_record_replays_to_the_letter":
            rewrite_record(over["subject"], over["seats"])
        if test == "test_the_schema_is_the_one_that_is_declared" and (
            told := declared_schema(over["subject"])
        ):
            write(over["subject"].folder / "schema.json", schema_text(told))


def _subjects(metafunc: pytest.Metafunc) -> list[Any]:
    from engines.contract.subject import subject_at

    found = getattr(metafunc.module, "SUBJECTS", None)
    named = metafunc.config.getoption("--game")
    if found is None and not named:
        raise pytest.UsageError("say which game is to be tested: --game my_package:MyGame")
    return [*found] if found is not None else [subject_at(target) for target in named]
