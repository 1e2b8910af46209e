"""The program goes without pandas, which pyarrow would load; a game of a user may have it."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
import contextlib, sys
from ladder.__main__ import main

sys.argv = ["ladder", "--help"]
with contextlib.suppress(SystemExit):
    main()
exec("import pyarrow; assert [1, None] == pyarrow.array([1, None]).to_pylist()", {"__name__": "results.some"})
print("pandas" in sys.modules)
# a module in C asks while Python loads it, and has no frame of its own
with contextlib.suppress(ModuleNotFoundError):
    exec("exec('import pandas', {'__name__': 'importlib._bootstrap_external'})", {"__name__": "pyarrow.some"})
print("pandas" in sys.modules)
import pandas
print("pandas" in sys.modules)
"""


def test_results_are_written_without_pandas_which_others_find() -> None:
    pytest.importorskip("pandas")
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True)
    assert ["False", "False", "True"] == done.stdout.splitlines()[-3:], done.stderr
