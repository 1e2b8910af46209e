"""What a test of the mark `tools` needs, or a skip that says what to type."""

import shutil
from importlib import import_module
from typing import Any

import pytest


def need(module: str) -> Any:
    """Return *module*, of a package of the extra `test-all`; skip the test where it is not installed."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name != module.partition(".")[0]:
            raise
        pytest.skip(f"needs {error.name}: pip install -e '.[test-all]'", allow_module_level=True)


def need_program(program: str, package: str = "") -> str:
    """Return the path of *program*, of Debian's *package*; skip the test where it is not installed."""
    if found := shutil.which(program):
        return found
    return pytest.skip(
        f"{program} is not installed: apt install {package or program}", allow_module_level=True
    )
