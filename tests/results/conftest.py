"""What tests of results share."""

import pytest

from results.storage.store import Store


@pytest.fixture
def root(tmp_path):
    """Return where results are to be: nothing is there."""
    return tmp_path / "results"


@pytest.fixture
def store(root):
    """Return the store at *root*, which is empty."""
    return Store(root)
