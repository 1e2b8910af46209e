"""The program that makes the set: it goes on where it was, and the same deals give the same results."""

import msgspec
from programs.record_set import record_set
from support.small_set import make_small_set

from ladder.reference.reference_set import FOLDER, Recorded, ReferenceSet


def results_of(folder):
    return msgspec.json.decode((folder / "results.json").read_bytes(), type=dict[str, Recorded])["stella/3"]


def test_a_record_in_two_parts_is_that_of_one(tmp_path):
    folders = [tmp_path / name / "r1" for name in ("parts", "whole")]
    for folder in folders:
        folder.parent.mkdir()
        make_small_set(folder)
    record_set(folders[0], 3, only=["stella/3"], anew=True)
    for folder in folders:
        record_set(folder, 4, only=["stella/3"], anew=folder is folders[1])
    parts, whole = map(results_of, folders)
    assert (4, whole.pairs, whole.ratings) == (parts.deals, parts.pairs, parts.ratings)
    others = [ReferenceSet(folder).contest("stella", 4).recorded for folder in (*folders, FOLDER)]
    assert others[0] == others[1] == others[2], "what was not named stays"
