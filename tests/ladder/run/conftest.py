"""What tests of runs share."""

from __future__ import annotations

from contextlib import ExitStack

import pytest
from support import ladders


@pytest.fixture
def home(tmp_path):
    """Return a home with the four bots of support.ladders."""
    return ladders.a_home(tmp_path / "home")


@pytest.fixture
def begun():
    """Start `ladder run`; what is left of it is killed after the test."""
    with ExitStack() as stack:
        yield lambda *arguments, **options: stack.enter_context(ladders.a_run(*arguments, **options))
