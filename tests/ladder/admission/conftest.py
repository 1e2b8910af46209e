"""A home and an inbox for tests."""

import pytest
from support import ladders

from ladder.admission.inbox_answers import InboxFolders


@pytest.fixture
def folders(tmp_path):
    made = InboxFolders(tmp_path / "inbox", tmp_path / "outbox", tmp_path / "done")
    for person in ("ann", "bob"):
        (made.inbox / person).mkdir(parents=True)
    return made


@pytest.fixture
def home(tmp_path):
    return ladders.a_home(tmp_path / "home", {})
