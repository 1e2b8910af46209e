"""What `ladder bench` measures with: its figures are shown, not tested."""

import shutil
from contextlib import closing
from pathlib import Path

import pytest
from support.need import need_program
from support.places import ROOT

from ladder.dev.benchmark.rig import CLIENT_BOT, Rig, build_c_bot


@pytest.mark.process
@pytest.mark.parametrize("program", [None, CLIENT_BOT])
def test_its_bots_lie_outside_of_the_installation_and_play(program):
    with closing(Rig("stellar", 1, program=program)) as stand:
        (folder,) = {Path(bot.folder) for bot in stand._bots}
        assert not folder.is_relative_to(ROOT)
        assert folder.is_dir()
        assert stand.record() > 20 * stand.matches  # decisions: two seats take turns 22 times
    assert not folder.exists()


@pytest.mark.tools
@pytest.mark.parametrize("game", ["stellar", "stella"])
def test_the_bot_in_c_plays_turns_and_simultaneous_choices(game):
    need_program("cc", "gcc")
    with build_c_bot() as program, closing(Rig(game, 32, program=program)) as stand:
        stand._blocks = stand._blocks[:1]
        stand.record()  # which ends only if all its answers are moves
        for player in stand._players():
            assert player.matches > 0
            assert not player.lost


def test_without_a_compiler_there_is_no_bot_in_c(monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with build_c_bot() as program:
        assert program is None
