"""Manifests: the list of files in force, each under a number of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from results.storage.disk import Disk
from results.storage.manifest import StoreManifest, publish, read_newest


def test_a_number_that_another_process_took_is_refused_and_its_manifest_stays(tmp_path: Path) -> None:
    publish(Disk(), tmp_path, StoreManifest(1, "000001", []))
    with pytest.raises(FileExistsError):
        publish(Disk(), tmp_path, StoreManifest(1, "000002", []))
    newest = read_newest(Disk(), tmp_path)
    assert newest is not None
    assert "000001" == newest.journal
