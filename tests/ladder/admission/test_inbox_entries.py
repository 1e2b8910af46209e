"""The inbox, by entry: when it counts, and that it has one answer, whatever happens."""

import errno
import os
import shutil
import subprocess
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from support import ladders
from support.command_line import check_refused, run_here
from support.commands import process_group
from support.inboxes import (
    NO_MEANS,
    add_setting,
    answers_in,
    link_to_itself,
    put,
    refuse_renames,
    rename,
    take,
)

from ladder.admission import inbox as inbox_module
from ladder.admission import inbox_answers, inbox_entries
from ladder.admission.arrivals import Arrival
from ladder.admission.batch import refusal_of
from ladder.admission.entry_look import is_whole
from ladder.admission.inbox import Inbox
from ladder.admission.inbox_entries import Entry, InboxLook, entries_in
from ladder.errors import TooBusy
from ladder.home.class_list import ClassList
from results.storage.disk import Disk


class Killed(BaseException):
    """Ends the process, as far as this can be shown in a test."""


pytestmark = pytest.mark.usefixtures("threads")


def test_what_is_hidden_or_unfinished_is_left_alone(folders):
    for name in ("bot.py", ".hidden.py", "half.py.part", "half.zip.filepart", "__MACOSX"):
        (folders.inbox / "ann" / name).write_text("")
    entries, strangers = entries_in(folders.inbox, ClassList())
    assert [Entry(folders.inbox / "ann/bot.py", "ann")] == entries
    assert [] == strangers


def test_a_file_counts_at_once_if_it_was_renamed_and_after_a_minute_if_it_was_written(folders, monkeypatch):
    put(folders, "ann/renamed.py")
    (folders.inbox / "bob/written.py").write_text("a")
    look = InboxLook(lambda state: is_whole(state.path, 256))

    def complete():
        return [entry.path.name for entry in look.complete(entries_in(folders.inbox, ClassList())[0])]

    assert [] == complete(), "the first look"
    assert ["renamed.py"] == complete()
    monkeypatch.setattr(inbox_entries, "STILL_SECONDS", 0.0)
    assert ["renamed.py", "written.py"] == complete()
    (folders.inbox / "bob/written.py").write_text("ab")
    assert ["renamed.py"] == complete(), "the other is still being written"


def test_a_clock_that_jumps_makes_no_file_old(folders, monkeypatch):
    look = InboxLook(lambda state: is_whole(state.path, 256))
    (folders.inbox / "bob/written.py").write_text("a")
    real = time.time
    for jump in (0, 86_400, -86_400):
        monkeypatch.setattr(time, "time", lambda jump=jump: real() + jump)
        assert [] == look.complete(entries_in(folders.inbox, ClassList())[0])
    monkeypatch.setattr(inbox_entries, "STILL_SECONDS", 0.0)
    assert 1 == len(look.complete(entries_in(folders.inbox, ClassList())[0])), "it was seen long enough"


@pytest.mark.parametrize("name", ["bot.zip", "bot.tar.gz", "bot.tar"])
def test_an_archive_counts_when_it_is_whole(name, folders, tmp_path, monkeypatch):
    source = tmp_path / "source"
    source.mkdir()
    (source / "bot.py").write_bytes(os.urandom(20_000))
    kind = {"bot.zip": "zip", "bot.tar.gz": "gztar", "bot.tar": "tar"}[name]
    whole = Path(shutil.make_archive(str(tmp_path / "made"), kind, source)).read_bytes()
    path = folders.inbox / "ann" / name
    look = InboxLook(lambda state: is_whole(state.path, 256))
    entries = [Entry(path, "ann")]
    path.with_suffix(".part").write_bytes(whole[: len(whole) // 2])
    rename(path.with_suffix(".part"), path)
    assert [] == look.complete(entries)
    assert [] == look.complete(entries)
    monkeypatch.setattr(inbox_entries, "BROKEN_SECONDS", 0.0)
    assert entries == look.complete(entries), "its author is told that it cannot be unpacked"
    monkeypatch.undo()
    path.with_suffix(".part").write_bytes(whole)
    rename(path.with_suffix(".part"), path)
    look.complete(entries)
    assert entries == look.complete(entries)


def test_a_broken_archive_that_came_over_http_is_answered_at_once(home, folders):
    with Arrival(folders.inbox, "ann") as arrival:
        arrival.write(b"no archive")
        arrival.sync()
        arrival.keep("bot.zip")
    ((_, answer),) = take(home, folders)
    assert "refused" == answer.result


@pytest.mark.parametrize(
    ("kind", "why"), [("link", "bot.py is a link"), ("pipe", "bot.py is neither a script nor a folder")]
)
def test_what_is_no_file_is_refused_and_not_read(home, folders, tmp_path, kind, why):
    hidden, secret = folders.inbox / "ann/.bot", tmp_path / "secret.py"
    secret.write_text(ladders.PLAYER)
    hidden.symlink_to(secret) if kind == "link" else os.mkfifo(hidden)
    rename(hidden, folders.inbox / "ann/bot.py")
    ((_, answer),) = take(home, folders)
    assert ("refused", why) == (answer.result, answer.why)
    assert secret.exists()


def test_what_a_killed_process_had_taken_is_taken_by_the_next(home, folders):
    left = folders.taking / "ann"
    left.mkdir(parents=True)
    (left / "river.py").write_text(ladders.PLAYER)
    assert [("ann", "new bot")] == [(who, answer.result) for who, answer in take(home, folders, looks=1)]
    assert ["river.py"] == [path.name[16:] for path in (folders.done / "ann").iterdir()]


def test_a_full_disk_loses_nothing(home, folders, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    put(folders, "ann/river.py")
    with monkeypatch.context() as patch:
        patch.setattr(inbox_answers, "put_page", full)
        assert [] == take(home, folders), "it is tried again"
    assert (folders.taking / "ann/river.py").exists()
    ((_, answer),) = take(home, folders, looks=1)
    assert "unchanged" == answer.result
    assert "river@1" in (folders.outbox / "ann/river.py.md").read_text()


def test_what_is_withdrawn_while_it_is_taken_leaves_no_page(home, folders, monkeypatch):
    real = Path.rename

    def too_late(path, target):
        if path == entry:
            path.unlink()
        return real(path, target)

    entry = put(folders, "ann/river.py")
    monkeypatch.setattr(Path, "rename", too_late)
    assert [] == take(home, folders)
    assert [] == [*folders.outbox.glob("*/*")]


def test_a_folder_that_its_owner_closes_while_it_is_checked_has_one_answer(home, folders, monkeypatch):
    def is_refused(path, target):
        touched = path.parent == folders.taking / "ann" and target.parent != path.parent
        if touched:
            path.touch()
        return touched

    put(folders, "ann/river.py")
    refuse_renames(monkeypatch, is_refused)
    assert ["new bot"] == [answer.result for _, answer in take(home, folders, looks=3)]
    assert 1 == len(answers_in(home))


@pytest.mark.skipif(os.getuid() == 0, reason="root may read all")
@pytest.mark.parametrize("name", ["bot.py", "bot.zip"])
def test_what_cannot_be_read_is_refused_at_once(home, folders, name):
    path = put(folders, f"ann/{name}")
    path.chmod(0)
    ((_, answer),) = take(home, folders)
    assert ("refused", f"{name} cannot be read: Permission denied") == (answer.result, answer.why)


@pytest.mark.parametrize(
    ("where", "lines"), [("write_page", 0), ("append_line", 0), ("put_away", 1), ("_page_half_written", 0)]
)
def test_an_entry_has_one_answer_whenever_the_process_is_killed(home, folders, where, lines, monkeypatch):
    def killed(*_):
        raise Killed

    put(folders, "ann/river.py")
    with monkeypatch.context() as patch:
        if where == "_page_half_written":
            patch.setattr(Disk, "rename", killed)
        else:
            patch.setattr(inbox_answers, where, killed)
        with pytest.raises(Killed):
            take(home, folders)
    assert lines == len(answers_in(home))
    take(home, folders)
    assert ["river.py"] == [line["entry"] for line in answers_in(home)]
    assert ["river.py"] == [path.name[16:] for path in (folders.done / "ann").iterdir()]
    assert ["river.py.md"] == [path.name for path in (folders.outbox / "ann").iterdir()]
    put(folders, "ann/river.py")
    assert ["unchanged"] == [answer.result for _, answer in take(home, folders)], (
        "the same name, another entry"
    )


def test_an_answer_for_which_there_is_no_room_is_written_later_and_not_found_anew(home, folders, monkeypatch):
    submit, write, tried, has_room = inbox_module.batch.submit_one, inbox_answers.append_line, [], []

    def submit_one(home, asked, tell):
        tried.append(asked.bot)
        return submit(home, asked, tell)

    def append_line(*how):
        if not has_room:
            raise OSError(errno.ENOSPC, "No space left on device")
        write(*how)

    monkeypatch.setattr(inbox_module, "PAUSES", (0.0, 0.0, 0.0))
    monkeypatch.setattr(inbox_module.batch, "submit_one", submit_one)
    monkeypatch.setattr(inbox_answers, "append_line", append_line)
    put(folders, "ann/river.py")
    box = Inbox(folders, ClassList(), *NO_MEANS)

    def look():
        found = [answer for _ in range(2) for _, answer in box.take(home, 1, lambda *_: None)]
        return [answer.result for answer in found if not answer.not_judged]

    with box.lock():
        assert [] == look()
        has_room.append(True)
        assert ["new bot"] == look()
        assert ["river"] == tried
        put(folders, "ann/river.py", ladders.PLAYER + "# next\n")
        assert ["new version"] == look()


def test_a_full_disk_is_told_as_that_where_an_entry_is_taken(home, folders, monkeypatch):
    entry, said = put(folders, "ann/river.py"), []
    refuse_renames(monkeypatch, lambda path, _: path == entry, errno.ENOSPC)
    assert [] == take(home, folders, looks=3, said=said)
    ((text, hint),) = said
    assert "No space left" in text
    assert "make room on the disk" in hint
    assert [] == [*folders.outbox.glob("*/*")]


def test_what_lies_on_another_disk_stays_there_and_is_told(home, folders, monkeypatch):
    entry, said = put(folders, "ann/river.py"), []
    put(folders, "bob/reed.py")
    refuse_renames(monkeypatch, lambda path, _: path == entry, errno.EXDEV)
    assert ["bob"] == [person for person, _ in take(home, folders, looks=3, said=said)]
    assert entry.exists()
    ((text, hint),) = said
    assert f"may not move {entry}: Invalid cross-device link" in text
    assert hint == f"give each person a folder on the disk of {folders.done}"
    assert "cannot be taken in" in (folders.outbox / "ann/river.py.md").read_text()


@pytest.mark.process
def test_the_command_takes_in_what_is_there_and_ends(home, folders):
    put(folders, "ann/river.py")
    done = run_here("inbox", folders.inbox, "--once", "--home", home.path)
    assert 0 == done.code, done.err
    assert "ann: river.py: new bot river@1" in done.err
    assert "river" in run_here("bots", "--home", home.path).out


def test_folders_that_cannot_be_used_are_refused(home, folders, tmp_path):
    at = ("--home", home.path)
    check_refused(run_here("inbox", tmp_path / "none", *at), 2, "none is not a folder", "mkdir -p")
    inside = folders.inbox / "answers"
    check_refused(
        run_here("inbox", folders.inbox, "--outbox", inside, *at), 2, "is in", "name another folder"
    )
    with Inbox(folders, ClassList(), *NO_MEANS).lock():
        check_refused(run_here("inbox", folders.inbox, "--once", *at), 7, "is using")
    shm = Path("/dev/shm")
    if os.access(shm, os.W_OK) and shm.stat().st_dev != tmp_path.stat().st_dev:
        with TemporaryDirectory(dir=shm) as other:
            done = run_here("inbox", folders.inbox, "--done", other, *at)
        check_refused(done, 2, "is on another disk", "--done")
    add_setting(home, "bots_a_person = -1")
    check_refused(run_here("inbox", folders.inbox, "--once", *at), 2, "bots_a_person")


def test_what_is_not_judged_is_tried_three_times_and_keeps_nobody_else_waiting(home, folders, monkeypatch):
    real, tried = inbox_module.batch.submit_one, []

    def busy(home, asked, tell):
        tried.append(asked.path.parent.name)
        if tried[-1] == "ann":
            return refusal_of(home, asked, TooBusy("a start took 40 s"))
        return real(home, asked, tell)

    add_setting(home, "submissions_a_day = 1")
    put(folders, "ann/river.py")
    put(folders, "bob/reed.py")
    monkeypatch.setattr(inbox_module, "PAUSES", (0.0, 0.0, 3600.0))
    monkeypatch.setattr(inbox_module, "LOOK_SECONDS", 0.02)
    with monkeypatch.context() as patch:
        patch.setattr(inbox_module.batch, "submit_one", busy)
        done = run_here("inbox", folders.inbox, "--once", "--home", home.path)
    assert 8 == done.code
    assert ["ann", "ann", "ann", "bob"] == sorted(tried)
    assert 1 == done.err.count("ann: river.py: not judged: this machine is too busy: a start took 40 s")
    assert f"it stays in {folders.taking}, and is tried again" in done.err
    assert "not judged" in (folders.outbox / "ann/river.py.md").read_text().lower()
    assert ["bob"] == [line["person"] for line in answers_in(home)], "it used up nothing of a day"
    assert [("ann", "new bot")] == [(who, answer.result) for who, answer in take(home, folders, looks=1)]


def test_where_bots_cannot_be_confined_nobody_is_refused(home, folders, monkeypatch):
    def fail(home, say):
        raise TooBusy("no sandbox was made in 40 s")

    monkeypatch.setattr(inbox_module, "confine_home", fail)
    monkeypatch.setattr(inbox_module, "PAUSES", (0.0, 0.0, 3600.0))
    put(folders, "ann/river.py")
    put(folders, "bob/reed.py")
    found = take(home, folders)
    assert [("ann", "not judged"), ("bob", "not judged")] == sorted((who, each.result) for who, each in found)
    assert [] == answers_in(home)


@pytest.mark.process
def test_each_entry_has_one_answer_though_the_command_is_killed_often(home, folders, tmp_path):
    with (home.path / "ladder.toml").open("a") as file:
        file.write("[limits]\nstart_ms = 1500\n")
    (folders.inbox / "cy").mkdir()
    put(folders, "cy/slow.py", "import time; time.sleep(600)")
    wanted = {("cy", "slow.py")}
    for number, person in enumerate(("ann", "bob", "ann", "bob")):
        put(folders, f"{person}/same{number}.py", f"{ladders.PLAYER}# {number}\n")
        wanted.add((person, f"same{number}.py"))
    link_to_itself(folders.inbox / "bob")
    wanted.add(("bob", "s.py"))
    command = [*ladders.command(home.path)[:1], "inbox", folders.inbox, "--once", "--home", home.path]
    for sign in ("done/.taking/*/*", "outbox/*/*", "done/[!.]*/*", "outbox/bob/*3.py.md"):
        with process_group(command, stderr=subprocess.DEVNULL) as door:
            while door.poll() is None and not any(tmp_path.glob(sign)):
                time.sleep(0.005)
            door.kill()
    assert 0 == subprocess.run(command, stderr=subprocess.DEVNULL, check=False).returncode
    lines = answers_in(home)
    assert sorted(wanted) == sorted((line["person"], line["entry"]) for line in lines)
    assert sorted(wanted) == sorted((p.parent.name, p.name[16:]) for p in folders.done.glob("[!.]*/*"))
    assert sorted(wanted) == sorted((p.parent.name, p.name[:-3]) for p in folders.outbox.glob("*/*"))
    results = {line["entry"]: line["result"] for line in lines}
    assert {"slow.py": "refused", "s.py": "refused"} == {k: v for k, v in results.items() if v == "refused"}
