"""Names: one for each thing, and the old ones that still work."""
# the expected value stands on the left, in every test

from __future__ import annotations

import subprocess
import sys

import pytest
from support.places import ROOT

OLD = {  # imports that pages told people of, in the release before: tests/engines/test_named.py has one more
    "from ladder.pages.environment import render": "ladder.pages is now ladder.web.pages",
    "from ladder.pages.frame import Frame": "ladder.pages is now ladder.web.pages",
    "from ladder.pages.viewer import viewer_block": "ladder.pages is now ladder.web.pages",
}


@pytest.mark.parametrize("line", OLD)
def test_an_old_import_works_and_warns(line):
    done = subprocess.run(
        [sys.executable, "-W", "always", "-c", line], capture_output=True, text=True, cwd=ROOT
    )
    assert 0 == done.returncode, done.stderr
    assert OLD[line] in done.stderr
