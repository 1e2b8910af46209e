"""The calls by which the store writes."""

import os

import pytest

from results.storage.disk import Disk, replace_file, sync_tree, temporary_path


def test_a_short_write_is_continued_to_its_end(tmp_path, monkeypatch):
    write = os.write
    monkeypatch.setattr(os, "write", lambda handle, data: write(handle, data[:2]))
    replace_file(Disk(), tmp_path / "file", b"all of it")
    assert b"all of it" == (tmp_path / "file").read_bytes()


def test_a_new_file_does_not_replace_one_that_is_there(tmp_path):
    (tmp_path / "file").write_bytes(b"old")
    with pytest.raises(FileExistsError):
        Disk().create(tmp_path / "file")


def test_a_listing_tells_sizes_and_leaves_folders_out_and_a_missing_folder_is_empty(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_bytes(b"12345")
    assert {"file": 5} == Disk().list(tmp_path)
    assert {} == Disk().list(tmp_path / "nowhere")


def test_removing_what_is_gone_already_is_no_error(tmp_path):
    Disk().unlink(tmp_path / "nothing")


def test_replacing_a_file_leaves_no_temporary_one(tmp_path):
    (tmp_path / "file").write_bytes(b"old")
    replace_file(Disk(), tmp_path / "file", b"new")
    assert {"file": 3} == Disk().list(tmp_path)
    assert b"new" == (tmp_path / "file").read_bytes()


def test_an_unfinished_file_bears_a_name_that_data_tools_ignore(tmp_path):
    assert temporary_path(tmp_path / "000001.parquet").name.startswith(".")


def test_a_tree_is_safe_when_every_file_and_every_folder_of_it_is(tmp_path):
    class Told(Disk):
        def __init__(self):
            self.files, self.folders = [], []

        def sync_file(self, path):
            self.files.append(path.name)

        def sync_dir(self, path):
            self.folders.append(path.name)

    (tmp_path / "tree/below/empty").mkdir(parents=True)
    (tmp_path / "tree/below/file").touch()
    (tmp_path / "tree/other").touch()
    (tmp_path / "tree/link").symlink_to("/nowhere")
    told = Told()
    sync_tree(told, tmp_path / "tree")
    assert ["file", "other"] == sorted(told.files)
    assert ["below", "empty", "tree"] == sorted(told.folders)
