"""Manifests: the list of files in force, each under a number of its own."""

import pytest

from results.storage.disk import Disk
from results.storage.manifest import File, Segment, StoreManifest, publish, read_newest


def test_a_number_that_another_process_took_is_refused_and_its_manifest_stays(tmp_path):
    publish(Disk(), tmp_path, StoreManifest(1, "000001", []))
    with pytest.raises(FileExistsError):
        publish(Disk(), tmp_path, StoreManifest(1, "000002", []))
    newest = read_newest(Disk(), tmp_path)
    assert newest is not None
    assert "000001" == newest.journal


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [((0, 5), (5, 9), True), ((0, 4), (5, 9), False), ((5, 5), (5, 5), True), ((0, 9), (3, 4), True)],
)
def test_segments_overlap_that_may_hold_one_block_of_one_run(one, other, expected):
    def segment(first, last, run=1):
        return Segment("000001", run, last - first + 1, first, last, first, last, File(1, 1, ""), None)

    assert expected == segment(*one).overlaps(segment(*other)) == segment(*other).overlaps(segment(*one))
    assert not segment(*one).overlaps(segment(*other, run=2))
