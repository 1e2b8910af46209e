"""Load the modules of the house bot `greedy`, for tests of its choices."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from types import ModuleType

from support.places import ROOT

FOLDER = ROOT / "bots" / "greedy"


def module(game: str) -> ModuleType:
    """Load the part of the bot that plays *game*: programs are no package."""
    spec = spec_from_file_location(f"greedy_{game}", FOLDER / f"{game}.py")
    assert spec
    assert spec.loader
    loaded = module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded
