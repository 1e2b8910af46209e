"""This installation of the ladder: its version, and where it is."""

import os

__version__ = "0.6.0"

_MACHINE = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120  # spawners load no pathlib
ROOT = os.path.dirname(os.path.dirname(_MACHINE))  # noqa: PTH120
"""The folder that holds the packages, and bots/."""
