"""Of the matches of a test that is given seeds, the first few are played fast, and the rest when it is slow.

The tests of all games play as many as authors of games get: see engines.contract.plugin.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

FAST = 10
HERE = Path(__file__).parent


@pytest.hookimpl(tryfirst=True)  # before tests are chosen by their marks
def pytest_collection_modifyitems(items: Iterable[pytest.Item]) -> None:
    for item in items:
        given = item.callspec.params if hasattr(item, "callspec") else {}
        if item.path.is_relative_to(HERE) and given.get("seed", 0) >= FAST:
            item.add_marker("slow")
