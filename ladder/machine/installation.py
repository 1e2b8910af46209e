"""This installation of the ladder: its version, and where it is."""

import os

__all__ = ["ROOT", "__version__", "version_line"]

__version__ = "0.5.0"

_MACHINE = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120  # spawners load no pathlib
ROOT = os.path.dirname(os.path.dirname(_MACHINE))  # noqa: PTH120
"""The folder that holds the packages, and bots/."""


def version_line() -> str:
    """Return what `ladder --version` prints: the version, and whether rules and referee are compiled."""
    from ladder.machine.build import read_build, warn_of_stray  # spawners do without it

    return f"ladder {__version__} ({warn_of_stray() or read_build().word})"
