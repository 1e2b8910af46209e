import errno
import os
from pathlib import Path

import pytest

from ladder.errors import LadderError, UsageProblem
from ladder.web.site import folder
from ladder.web.site.folder import MARKER, SiteFolder, Written


def write(path, files, keys=()):
    """Write *files* as a site; those in *keys* are made only if their key is new."""
    with SiteFolder(path) as target:
        for name, text in files.items():
            key = dict(keys).get(name, "")
            if not target.has(name, key):
                target.add(name, text, key)
        return target.switch()


def files_in(path):
    return {
        file.relative_to(path).as_posix(): file.read_text("utf-8")
        for file in path.rglob("*")
        if file.is_file() and file.name != MARKER
    }


def left_beside(path):
    return [other.name for other in path.parent.iterdir() if other != path]


FILES = {"index.html": "first", "bots/a.html": "a", "bots/b.html": "b"}


@pytest.fixture
def site(tmp_path):
    """Return the folder of a site of FILES."""
    write(tmp_path / "site", FILES)
    return tmp_path / "site"


def test_a_second_call_touches_nothing_if_nothing_changed(tmp_path):
    site = tmp_path / "site"
    assert Written(3, 3, 0) == write(site, FILES)
    before = {path: path.stat() for path in (site, *site.rglob("*"))}
    assert Written(3, 0, 0) == write(site, FILES)
    assert before == {path: path.stat() for path in (site, *site.rglob("*"))}


def test_a_second_call_writes_only_what_changed_and_removes_what_is_gone(site):
    before = (site / "bots/a.html").stat()
    later = {"index.html": "second", "bots/a.html": "a", "runs/1.html": "run"}
    assert Written(3, 2, 1) == write(site, later)
    assert later == files_in(site)
    after = (site / "bots/a.html").stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)
    assert [] == left_beside(site)


def test_a_page_with_the_same_key_is_not_made_again(tmp_path):
    site = tmp_path / "site"
    write(site, {"m.html": "as it was"}, {"m.html": "key"})
    write(site, {"m.html": "never looked at"}, {"m.html": "key"})
    assert {"m.html": "as it was"} == files_in(site)
    write(site, {"m.html": "new"}, {"m.html": "other key"})
    assert {"m.html": "new"} == files_in(site)


@pytest.mark.parametrize("name", ["notes.txt", ".hidden", "sub"])
def test_a_folder_with_other_content_is_refused_and_stays(tmp_path, name):
    other = tmp_path / "other"
    other.mkdir()
    (other / name).mkdir() if name == "sub" else (other / name).write_text("mine")
    with pytest.raises(UsageProblem, match="holds other files"):
        SiteFolder(other)
    assert [name] == [path.name for path in other.iterdir()]
    assert [] == left_beside(other)


def test_a_file_in_place_of_the_folder_is_refused(tmp_path):
    (tmp_path / "file").write_text("mine")
    with pytest.raises(UsageProblem, match="is a file"):
        SiteFolder(tmp_path / "file")


def test_files_of_others_in_a_site_stay(site):
    (site / "robots.txt").write_text("mine")
    (site / "photos").mkdir()
    (site / "photos/1.svg").write_text("mine, too")
    (site / "bots/b.html").write_text("changed by hand")
    write(site, {"index.html": "second"})
    assert {
        "index.html": "second",
        "robots.txt": "mine",
        "photos/1.svg": "mine, too",
        "bots/b.html": "changed by hand",
    } == files_in(site)


def test_a_page_never_replaces_a_file_of_others(site):
    (site / "about.html").write_text("mine")
    with pytest.raises(UsageProblem, match=r"about\.html is not a file of this site"):
        write(site, {**FILES, "about.html": "ours"})
    assert {**FILES, "about.html": "mine"} == files_in(site)


def test_a_full_disk_leaves_the_old_site(site, monkeypatch):
    real = Path.write_bytes

    def full(path, data):
        if path.name == "new.html":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return real(path, data)

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(LadderError, match="No space left") as raised:
        write(site, {"index.html": "second", "new.html": "x"})
    assert "is as it was" in raised.value.hint
    assert FILES == files_in(site)
    assert [] == left_beside(site)


def test_without_a_switch_the_old_site_stays(site):
    with SiteFolder(site) as target:
        target.add("index.html", "second")  # and no switch
    assert FILES == files_in(site)
    assert [] == left_beside(site)


def test_a_reader_finds_all_of_one_site_at_every_moment(site, monkeypatch):
    """What is found under the name is looked at before and after each step of the switch."""
    seen = []
    real = folder._exchange

    def exchange(new, old):
        seen.append(files_in(site))
        real(new, old)
        seen.append(files_in(site))

    monkeypatch.setattr(folder, "_exchange", exchange)
    changed = dict.fromkeys(FILES, "new")
    write(site, changed)
    assert [FILES, changed] == seen


def test_where_names_cannot_be_exchanged_two_renames_do_it(site, monkeypatch):
    monkeypatch.setattr(folder.ctypes, "CDLL", lambda *_, **__: object())
    write(site, {"index.html": "second"})
    assert {"index.html": "second"} == files_in(site)
    assert [] == left_beside(site)


def test_what_a_killed_call_left_is_removed_and_nothing_else(tmp_path):
    site = tmp_path / "site"
    ours, others = tmp_path / ".site.new-999999999", tmp_path / ".site.new-999999998"
    for left in (ours, others):
        left.mkdir()
    (ours / MARKER).write_text("{}")
    write(site, FILES)
    assert [others.name] == left_beside(site)


def test_a_link_to_the_folder_stays_a_link(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    write(tmp_path / "link", FILES)
    assert (tmp_path / "link").is_symlink()
    assert FILES == files_in(tmp_path / "real")


def test_a_new_site_can_be_read_by_a_web_server(site):
    modes = {path.stat().st_mode & 0o777 for path in (site, site / "index.html")}
    assert {0o755, 0o644} == modes
