"""Take bots in for tests, without a match against themselves."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from engines import GAMES
from ladder.registry.bot_manifest import BotManifest, read_manifest
from ladder.registry.roster import Roster, StagedVersion
from ladder.registry.version import Version
from ladder.sandbox.confinement import Confinement


def take_in(
    roster: Roster,
    path: Path,
    manifest: BotManifest | str | None = None,
    tier: str = "none",
    readable: Sequence[str] = (),
    **how: Any,
) -> Version:
    """Make the bot at *path* a version in *roster*; *manifest* is another name, or all that is said of it."""
    if not isinstance(manifest, BotManifest):
        manifest = read_manifest(path, GAMES, manifest)
    staged = roster.stage(path, manifest, {}, Confinement(tier, readable=tuple(readable)), **how)
    return staged.accept() if isinstance(staged, StagedVersion) else staged


def make_unfit(roster: Roster, name: str, *places: str) -> None:
    """Store that the bot called *name* has failed at *places*, such as `stella/4`."""
    roster.rewrite(replace(roster.find(name), unfit=places))
