"""Bots in a home that nothing has tried."""

from pathlib import Path

from ladder.home.home import Home
from ladder.registry.bot_manifest import BotManifest
from ladder.registry.roster import StagedVersion
from ladder.sandbox.confinement import Confinement


def enlist(home: Home, file: Path, manifest: BotManifest, tier: str = "none") -> None:
    """Add a bot to *home* without a trial."""
    staged = home.roster.stage(file, manifest, {}, Confinement(tier))
    assert isinstance(staged, StagedVersion), "it is there already"
    staged.accept()
