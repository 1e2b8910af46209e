"""Folders that a stranger's program has left are removed, whatever they are."""

import pytest

from ladder.machine import removal


@pytest.mark.process
def test_folders_that_lie_too_deep_for_python_are_removed(tmp_path, monkeypatch):
    def recur(folder):
        recur(folder)

    monkeypatch.setattr(removal.shutil, "rmtree", recur)
    (tmp_path / "left/inner").mkdir(parents=True)
    removal.remove_folder(tmp_path / "left")
    assert [] == list(tmp_path.iterdir())


@pytest.mark.process
def test_folders_that_are_closed_are_removed_and_links_not_followed(tmp_path):
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept/file").write_text("")
    (tmp_path / "left/shut/in").mkdir(parents=True)
    (tmp_path / "left/link").symlink_to(tmp_path / "kept")
    (tmp_path / "left/shut").chmod(0)
    removal.remove_folder(tmp_path / "left")
    removal.remove_folder(tmp_path / "left")
    assert [tmp_path / "kept"] == list(tmp_path.iterdir())
    assert (tmp_path / "kept/file").exists()
