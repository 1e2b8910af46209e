"""Stores of matches that are not rated, beside the results of their home."""

from __future__ import annotations

from pathlib import Path

from results.storage.unrated import make_unrated, unrated_stores


def test_a_home_without_results_can_have_one(tmp_path: Path) -> None:
    results = tmp_path / "home/results"
    make_unrated(results)
    make_unrated(results)
    assert ["d1", "d2"] == [*unrated_stores(results)]
