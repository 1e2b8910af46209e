"""The program goes without pandas, which pyarrow would load; a game of a user may have it."""

import subprocess
import sys

import pytest
from support.need import need

pytestmark = pytest.mark.tools

PROGRAM = """
import contextlib, sys
from ladder.__main__ import main

LEFT_OUT = {"pandas"}
sys.argv = ["ladder", "--help"]
with contextlib.suppress(SystemExit):
    main()
exec("import pyarrow; assert [1, None] == pyarrow.array([1, None]).to_pylist()", {"__name__": "results.some"})
print(*sorted(LEFT_OUT & {*sys.modules}), "before")
# a module in C asks while Python loads it, and has no frame of its own
for name in LEFT_OUT:
    with contextlib.suppress(ModuleNotFoundError):
        importer = {"__name__": "importlib._bootstrap_external", "name": name}
        exec("exec('__import__(name)', importer)", {"__name__": "pyarrow.some", "importer": importer})
print(*sorted(LEFT_OUT & {*sys.modules}), "between")
import pandas
print(*sorted(LEFT_OUT & {*sys.modules}), "after")
"""


def test_results_are_written_without_pandas_which_others_find():
    need("pandas")
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True)
    assert ["before", "between", "pandas after"] == [
        line.strip() for line in done.stdout.splitlines()[-3:]
    ], done.stderr
