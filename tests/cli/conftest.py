"""What tests of several commands share."""

from pathlib import Path

import pytest
from support import ladders

from ladder.home.home import Home


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """Return a home with three bots, one of which has two versions."""
    made = ladders.a_home(tmp_path / "home", {"ann": {"style": "first"}, "bob": {}, "cid": {}})
    ladders.enlist(made, "ann", {"style": "last"})
    return made
