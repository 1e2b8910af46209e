"""Copies of results: what a reader sees at one moment, whatever is joined meanwhile."""

from support.stores import begin_run, numbers

from results.storage.contents import Contents
from results.storage.copying import copy_results
from results.storage.store import Store


def sealed(root):
    store = Store(root)
    with begin_run(store, 0, 1, 2):
        store.seal()
    return store


class Joining(Store):
    """A store whose segments are joined, so that one is gone, after they have been listed once."""

    seen: Contents | None = None

    def contents(self):
        found, self.seen = self.seen, None
        return found or super().contents()


def test_a_copy_begins_again_if_a_segment_is_gone_meanwhile(tmp_path):
    before = sealed(tmp_path / "before")
    store = Joining(sealed(tmp_path / "now").folder.root)
    store.seen = before.contents()
    (before.folder.root / "matches/000001.parquet").unlink()
    copy, unfinished = copy_results(store, tmp_path / "copy", lambda run: run)
    assert store.seen is None
    assert unfinished is not None
    assert [0, 1, 2] == numbers(copy)
