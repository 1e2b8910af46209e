"""A home and an inbox for tests."""

from pathlib import Path

import pytest
from support import ladders

from ladder.admission.inbox_answers import InboxFolders
from ladder.home.home import Home


@pytest.fixture
def folders(tmp_path: Path) -> InboxFolders:
    made = InboxFolders(tmp_path / "inbox", tmp_path / "outbox", tmp_path / "done")
    for person in ("ann", "bob"):
        (made.inbox / person).mkdir(parents=True)
    return made


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return ladders.a_home(tmp_path / "home", {})
