"""What `ladder bench` measures with: its figures are shown, not tested."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from support.places import ROOT

from ladder.benchmark.rig import CLIENT_BOT, Rig


@pytest.mark.parametrize("program", [None, CLIENT_BOT])
def test_its_bots_lie_outside_of_the_installation_and_play(program: Path | None) -> None:
    with closing(Rig("stellar", 1, program=program)) as stand:
        (folder,) = {Path(bot.folder) for bot in stand._bots}
        assert not folder.is_relative_to(ROOT)
        assert folder.is_dir()
        assert stand.record() > 20 * stand.matches  # decisions: two seats take turns 22 times
    assert not folder.exists()
