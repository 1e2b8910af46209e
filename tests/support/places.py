"""Where the project and its tests are, for tests that start programs."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TESTS = ROOT / "tests"
BAD_BOTS = TESTS / "bad_bots"


def with_support() -> dict[str, str]:
    """Return the environment of a program that imports `support`."""
    return {**os.environ, "PYTHONPATH": str(TESTS)}
