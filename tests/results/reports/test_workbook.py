"""Workbooks: texts stay texts and numbers numbers, whatever they look like."""

import pytest
from support.need import need
from support.workbooks import cells_of

from results.errors import ResultsError
from results.reports import export as module
from results.reports.export import EXACT, LONGEST, workbook

pytestmark = pytest.mark.tools


@pytest.fixture(autouse=True)
def _xlsxwriter():
    need("xlsxwriter")


TEXTS = (
    "=1+1",
    "+1",
    "-1",
    "@x",
    "{=A1}",
    "7/7",
    "2026-11-29",
    "NA",
    "1e5",
    "007",
    "http://x.org",
    " a\n",
    "机",
)


@pytest.mark.parametrize("waits", [False, True], ids=["in memory", "on disk"])
def test_a_cell_has_the_kind_of_its_value(tmp_path, waits):
    rows = [
        [*TEXTS],
        [1, 0, -1.5, 1e-9, EXACT - 1, None, True, False],
        [EXACT, -(10**20), float("nan"), float("inf"), "x" * (LONGEST + 9)],
    ]
    (heads, texts, numbers, others) = cells_of(workbook(["=a", "b"], rows, tmp_path if waits else None))
    assert ["=a", "b"] == heads
    assert [*TEXTS] == texts
    assert [1.0, 0.0, -1.5, 1e-9, EXACT - 1.0, None, True, False] == numbers
    assert [str(EXACT), str(-(10**20)), "nan", "inf", "x" * LONGEST] == others
    assert [] == [*tmp_path.iterdir()]


def test_more_rows_than_a_sheet_has_are_refused(monkeypatch):
    monkeypatch.setattr(module, "MOST_ROWS", 3)
    assert 3 == len(cells_of(workbook(["a"], [[1], [2]])))
    with pytest.raises(ResultsError, match="a sheet has room for 2 rows, and there are more"):
        workbook(["a"], [[1], [2], [3]])
