"""What tests of results share."""

from pathlib import Path

import pytest

from results.storage.store import Store


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return where results are to be: nothing is there."""
    return tmp_path / "results"


@pytest.fixture
def store(root: Path) -> Store:
    """Return the store at *root*, which is empty."""
    return Store(root)
