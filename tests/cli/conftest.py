"""What tests of several commands share."""

import pytest
from support import ladders


@pytest.fixture
def home(tmp_path):
    """Return a home with three bots, one of which has two versions."""
    made = ladders.a_home(tmp_path / "home", {"ann": {"style": "first"}, "bob": {}, "cid": {}})
    ladders.enlist(made, "ann", {"style": "last"})
    return made
