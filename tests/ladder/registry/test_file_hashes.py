"""What lies in a folder, file by file, and how it differs from what lay there."""

import os

import pytest

from ladder.registry.file_hashes import (
    Differences,
    compare_hashes,
    digest_hashes,
    hash_files,
    read_hashes,
    write_hashes,
)


@pytest.fixture
def folder(tmp_path):
    """Return a folder with a script, a program, a file further down and a link."""
    folder = tmp_path / "files"
    (folder / "part").mkdir(parents=True)
    (folder / "bot.py").write_text("print()")
    (folder / "tool").write_text("#!/bin/sh")
    (folder / "tool").chmod(0o755)
    (folder / "part" / "data").write_text("1")
    (folder / "link").symlink_to("part/data")
    return folder


def test_every_file_and_link_is_hashed(folder):
    assert ["bot.py", "link", "part/data", "tool"] == list(hash_files(folder))
    assert ["file", "link", "file", "program"] == [mark.split()[0] for mark in hash_files(folder).values()]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda folder: (folder / "bot.py").write_text("evil()"), "bot.py has changed"),
        (lambda folder: (folder / "part" / "data").unlink(), "part/data is missing"),
        (lambda folder: (folder / "tool").chmod(0o644), "tool is no longer executable"),
        (lambda folder: (folder / "bot.py").chmod(0o755), "bot.py has become executable"),
        (
            lambda folder: ((folder / "link").unlink(), (folder / "link").symlink_to("bot.py")),
            "link has changed",
        ),
        (lambda folder: ((folder / "bot.py").unlink(), os.mkfifo(folder / "bot.py")), "bot.py has changed"),
    ],
)
def test_what_has_changed_is_named(folder, change, told):
    then = hash_files(folder)
    change(folder)
    assert Differences([told], []) == compare_hashes(then, hash_files(folder))
    assert digest_hashes(then) != digest_hashes(hash_files(folder))


def test_what_is_new_is_told_apart(folder):
    then = hash_files(folder)
    (folder / "part" / "log.txt").write_text("x")
    assert Differences([], ["part/log.txt is new"]) == compare_hashes(then, hash_files(folder))


def test_times_other_modes_empty_folders_and_what_python_keeps_are_no_change(folder):
    then = hash_files(folder)
    os.utime(folder / "bot.py", (1, 1))
    (folder / "bot.py").chmod(0o600)
    (folder / "empty").mkdir()
    for place in (folder, folder / "part"):
        (place / "__pycache__").mkdir()
        (place / "__pycache__" / "bot.cpython-311.pyc").write_bytes(b"x")
    assert then == hash_files(folder)


def test_hashes_are_stored_whatever_files_are_called(folder, tmp_path):
    (folder / os.fsdecode(b"\xff\n%")).write_text("")
    write_hashes(hash_files(folder), tmp_path)
    assert hash_files(folder) == read_hashes(tmp_path)
    (folder / os.fsdecode(b"\xff\n%")).write_text("x")
    assert [os.fsdecode(b"\xff\n% has changed")] == compare_hashes(
        read_hashes(tmp_path) or {}, hash_files(folder)
    ).changed


def test_hashes_that_are_missing_or_damaged_are_none(tmp_path):
    assert read_hashes(tmp_path) is None
    (tmp_path / "contents.json").write_text("[" * 100_000)
    assert read_hashes(tmp_path) is None
