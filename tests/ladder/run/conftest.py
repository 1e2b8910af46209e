"""What tests of runs share."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import pytest
from support import ladders

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from ladder.home.home import Home


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """Return a home with the four bots of support.ladders."""
    return ladders.a_home(tmp_path / "home")


@pytest.fixture
def begun() -> Iterator[Callable[..., Any]]:
    """Start `ladder run`; what is left of it is killed after the test."""
    with ExitStack() as stack:
        yield lambda *arguments, **options: stack.enter_context(ladders.a_run(*arguments, **options))
