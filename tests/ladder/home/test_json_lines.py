"""Lists that only grow: no line is lost, and none takes another one with it."""

import os

import msgspec
import pytest

from ladder.home.json_lines import append_line, read_lines


class Line(msgspec.Struct):
    said: str


def test_a_line_that_was_cut_short_takes_no_other_with_it(tmp_path):
    path = tmp_path / "list"
    append_line(path, Line("one"))
    with path.open("a") as file:
        file.write('{"said":"tw')
    append_line(path, Line("three"))
    assert ["one", "three"] == [line.said for line in read_lines(path, Line)]


def test_where_the_disk_is_full_nothing_is_added(tmp_path, monkeypatch):
    path, real = tmp_path / "list", os.write
    append_line(path, Line("one"))
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", lambda handle, data: real(handle, data[:5]))
        with pytest.raises(OSError, match="No space left"):
            append_line(path, Line("two"))
    assert b'{"said":"one"}\n' == path.read_bytes()
