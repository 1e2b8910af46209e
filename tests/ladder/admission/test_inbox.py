"""The inbox: what counts, whose it is, and that nothing is lost."""

import errno
import json
import os
import shutil
import subprocess
import time
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from support import ladders
from support.command_line import check_refused, run_here
from support.commands import process_group

from ladder.admission import inbox as inbox_module
from ladder.admission import inbox_answers, inbox_entries
from ladder.admission.batch import SubmissionAnswer, refusal_of
from ladder.admission.claims import Task
from ladder.admission.inbox import Inbox, InboxFolders
from ladder.admission.inbox_answers import LOG, Taken
from ladder.admission.inbox_entries import Entry, InboxLook, entries_in
from ladder.errors import TooBusy
from ladder.home.class_list import ClassList, Entrant
from ladder.home.home import Home, open_home
from ladder.home.json_lines import append_line
from results.storage.disk import Disk

pytestmark = pytest.mark.usefixtures("threads")

NOBODY = ClassList()


@pytest.fixture
def folders(tmp_path: Path) -> InboxFolders:
    made = InboxFolders(tmp_path / "inbox", tmp_path / "outbox", tmp_path / "done")
    for person in ("ann", "bob"):
        (made.inbox / person).mkdir(parents=True)
    return made


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return ladders.a_home(tmp_path / "home", {})


def put(folders: InboxFolders, name: str, text: str = ladders.PLAYER) -> Path:
    """Rename a file into the inbox, as a program that uploads files does."""
    path = folders.inbox / name
    hidden = path.with_name(f".{path.name}")
    hidden.write_text(text)
    return rename(hidden, path)


def rename(hidden: Path, path: Path) -> Path:
    time.sleep(0.02)  # the clock of a disk has steps of some milliseconds
    return hidden.rename(path)


def add_setting(home: Home, line: str) -> None:
    with (home.path / "ladder.toml").open("a") as file:
        file.write(f"[inbox]\n{line}\n")


def take(
    home: Home, folders: InboxFolders, people: ClassList = NOBODY, looks: int = 2
) -> list[tuple[str, SubmissionAnswer]]:
    """Look several times, as the command does, with a new process each."""
    box, found = Inbox(folders, people), []
    with box.lock():
        for _ in range(looks):
            found += box.take(open_home(home.path), 1, lambda text, hint: None)
    return found


# -- who may write there


@pytest.mark.parametrize(
    ("mode", "group", "command"),
    [
        (0o755, 0, ""),
        (0o2770, 0, ""),  # our own group, as the page for operators has it
        (0o777, 0, "chmod o-w "),
        (0o1777, 0, "chmod o-w "),  # others cannot delete there, and can still put bots there
        (0o775, 54321, "chmod g-w "),
        (0o777, 54321, "chmod go-w "),
        (0o755, 54321, ""),
    ],
)
def test_a_persons_folder_that_others_can_write_to_is_warned_of_once(
    home: Home, folders: InboxFolders, mode: int, group: int, command: str
) -> None:
    if group and os.getuid() != 0:
        pytest.skip("only root can give folders to a group that it is not in")
    folder = folders.inbox / "ann"
    if group:
        os.chown(folder, -1, group)
    folder.chmod(mode)
    (folders.inbox / "bob").chmod(0o700)
    box, said = Inbox(folders, NOBODY), []
    with box.lock():
        for _ in range(3):
            box.take(home, 1, lambda text, hint: said.append((text, hint)))
    warning = f"warning: others can put bots into folders of persons; type: {command}{folder}"
    assert ([(warning, "")] if command else []) == said


@pytest.mark.parametrize("closed", ["ann", "ann/mine", "ann/mine/bot.py", "ann/bot.py"])
def test_what_cannot_be_moved_is_said_once_and_stops_nobody_else(
    home: Home, folders: InboxFolders, closed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    may = os.access
    monkeypatch.setattr(
        os, "access", lambda path, mode: Path(path) != folders.inbox / closed and may(path, mode)
    )
    if "mine" in closed:
        (folders.inbox / "ann/.mine").mkdir()
        (folders.inbox / "ann/.mine/bot.py").write_text(ladders.PLAYER)
        entry = rename(folders.inbox / "ann/.mine", folders.inbox / "ann/mine")
    else:
        entry = put(folders, "ann/bot.py")
    put(folders, "bob/bot.py")
    box, said, found = Inbox(folders, NOBODY), [], []
    with box.lock():
        for _ in range(4):
            found += box.take(home, 1, lambda text, hint: said.append(text))
    assert ["bob"] == [person for person, _ in found]
    assert entry.exists()
    (told,) = [text for text in said if "bots are not confined" not in text]
    assert f"may not read or move {folders.inbox / closed}" in told
    (page,) = (folders.outbox / "ann").iterdir()
    assert f"chmod -R g+rwX {entry.name}" in page.read_text()


# -- what counts


def test_what_is_hidden_or_unfinished_is_left_alone(folders: InboxFolders) -> None:
    for name in ("bot.py", ".hidden.py", "half.py.part", "half.zip.filepart", "__MACOSX"):
        (folders.inbox / "ann" / name).write_text("")
    entries, strangers = entries_in(folders.inbox, ClassList())
    assert [Entry(folders.inbox / "ann/bot.py", "ann")] == entries
    assert [] == strangers


def test_what_lies_in_no_persons_folder_is_nobodys_unless_the_roster_names_it(folders: InboxFolders) -> None:
    (folders.inbox / "flat.py").write_text("")
    (folders.inbox / "two words").mkdir()
    entries, strangers = entries_in(folders.inbox, ClassList())
    assert [] == entries
    assert [folders.inbox / "flat.py", folders.inbox / "two words"] == [each.path for each in strangers]
    people = ClassList((Entrant("flat.py", "s07"),))
    assert [Entry(folders.inbox / "flat.py", "s07")] == entries_in(folders.inbox, people)[0]


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give files away")
def test_in_a_folder_of_several_users_a_file_is_its_owners(folders: InboxFolders) -> None:
    path = folders.inbox / "flat.py"
    path.write_text("")
    os.chown(path, 54321, -1)
    assert [Entry(path, "user-54321")] == entries_in(folders.inbox, ClassList())[0]


def test_a_file_counts_at_once_if_it_was_renamed_and_after_a_minute_if_it_was_written(
    folders: InboxFolders, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(folders, "ann/renamed.py")
    (folders.inbox / "bob/written.py").write_text("a")
    look = InboxLook()

    def complete() -> list[str]:
        return [entry.path.name for entry in look.complete(entries_in(folders.inbox, ClassList())[0])]

    assert [] == complete(), "the first look"
    assert ["renamed.py"] == complete()
    monkeypatch.setattr(inbox_entries, "STILL_SECONDS", 0.0)
    assert ["renamed.py", "written.py"] == complete()
    (folders.inbox / "bob/written.py").write_text("ab")
    assert ["renamed.py"] == complete(), "the other is still being written"


def test_a_clock_that_jumps_makes_no_file_old(folders: InboxFolders, monkeypatch: pytest.MonkeyPatch) -> None:
    look = InboxLook()
    (folders.inbox / "bob/written.py").write_text("a")
    real = time.time
    for jump in (0, 86_400, -86_400):
        monkeypatch.setattr(time, "time", lambda jump=jump: real() + jump)
        assert [] == look.complete(entries_in(folders.inbox, ClassList())[0])
    monkeypatch.setattr(inbox_entries, "STILL_SECONDS", 0.0)
    assert 1 == len(look.complete(entries_in(folders.inbox, ClassList())[0])), "it was seen long enough"


@pytest.mark.parametrize("name", ["bot.zip", "bot.tar.gz", "bot.tar"])
def test_an_archive_counts_when_it_is_whole(
    name: str, folders: InboxFolders, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "source"
    source.mkdir()
    (source / "bot.py").write_bytes(os.urandom(20_000))
    kind = {"bot.zip": "zip", "bot.tar.gz": "gztar", "bot.tar": "tar"}[name]
    whole = Path(shutil.make_archive(str(tmp_path / "made"), kind, source)).read_bytes()
    path = folders.inbox / "ann" / name
    look = InboxLook()
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


# -- whose it is


def test_a_bot_is_the_persons_in_whose_folder_it_lay_whatever_its_file_is_called(
    home: Home, folders: InboxFolders
) -> None:
    put(folders, "ann/river.py")
    ((person, answer),) = take(home, folders)
    assert ("ann", "new bot") == (person, answer.result)
    put(folders, "bob/river.py", ladders.PLAYER + "# mine\n")
    ((_, answer),) = take(home, folders)
    assert "refused" == answer.result
    page = (folders.outbox / "bob/river.py.md").read_text()
    assert "the name 'river' is taken" in page
    assert "ann" not in page
    folder = folders.inbox / "ann/.second"
    folder.mkdir()
    (folder / "bot.toml").write_text('name = "river"\nauthor = "bob"\nrun = ["{python}", "-S", "main.py"]\n')
    (folder / "main.py").write_text(ladders.PLAYER + "# second\n")
    rename(folder, folders.inbox / "ann/second")
    ((_, answer),) = take(home, folders)
    assert "new version" == answer.result, answer
    assert [] == list((folders.inbox / "ann").iterdir())
    assert ["river.py", "second"] == [path.name[16:] for path in sorted((folders.done / "ann").iterdir())]
    assert "Accepted as river@2" in (folders.outbox / "ann/second.md").read_text()


def test_a_roster_gives_flat_entries_their_handles(home: Home, folders: InboxFolders) -> None:
    people = ClassList((Entrant("flat.py", "s07", "Ann", "A."),))
    put(folders, "flat.py")
    ((person, answer),) = take(home, folders, people)
    assert ("s07", "s07") == (person, answer.bot)
    assert "A." == open_home(home.path).roster.find("s07").manifest.author


@pytest.mark.parametrize(
    ("kind", "why"), [("link", "bot.py is a link"), ("pipe", "bot.py is neither a script nor a folder")]
)
def test_what_is_no_file_is_refused_and_not_read(
    home: Home, folders: InboxFolders, tmp_path: Path, kind: str, why: str
) -> None:
    hidden, secret = folders.inbox / "ann/.bot", tmp_path / "secret.py"
    secret.write_text(ladders.PLAYER)
    hidden.symlink_to(secret) if kind == "link" else os.mkfifo(hidden)
    rename(hidden, folders.inbox / "ann/bot.py")
    ((_, answer),) = take(home, folders)
    assert ("refused", why) == (answer.result, answer.why)
    assert secret.exists()


# -- quotas


def test_a_person_has_so_many_bots_and_so_many_submissions_a_day(home: Home, folders: InboxFolders) -> None:
    add_setting(home, "bots_a_person = 1\nsubmissions_a_day = 3")
    put(folders, "ann/one.py")
    put(folders, "ann/two.py")
    results = [answer.result for _, answer in take(home, folders, looks=4)]
    assert ["new bot", "refused"] == results, "one entry of a person at a time"
    page = (folders.outbox / "ann/two.py.md").read_text()
    assert "a person may have 1: one" in page
    put(folders, "ann/one.py", ladders.PLAYER + "# again\n")
    assert ["new version"] == [answer.result for _, answer in take(home, folders)]
    waits = put(folders, "ann/one.py", ladders.PLAYER + "# and again\n")
    put(folders, "bob/three.py")
    assert ["bob"] == [person for person, _ in take(home, folders)]
    assert waits.exists()
    assert "waits" in (folders.outbox / "ann/one.py.md").read_text()
    log = home.path / LOG
    log.write_text(log.read_text().replace('"when":"20', '"when":"19') + '{"when":"20')
    assert ["new version"] == [answer.result for _, answer in take(home, folders)], "a day later"


def test_a_person_above_a_quota_that_was_lowered_is_told_when_it_has_room(
    home: Home, folders: InboxFolders
) -> None:
    add_setting(home, "submissions_a_day = 2")
    now = datetime.now(UTC)
    for hours in (20, 10, 1):
        append_line(home.path / LOG, Taken(now - timedelta(hours=hours), "ann", "one.py", "refused"), 0o600)
    put(folders, "ann/one.py")
    assert [] == take(home, folders)
    assert f"{now + timedelta(hours=14):%Y-%m-%d %H:%M} UTC" in (folders.outbox / "ann/one.py.md").read_text()


def test_the_next_version_of_a_bot_that_has_another_name_than_its_file_is_within_the_quota(
    home: Home, folders: InboxFolders
) -> None:
    add_setting(home, "bots_a_person = 1")
    for person, mark in (("ann", "a"), ("bob", "b"), ("bob", "c")):
        hidden = folders.inbox / person / ".bot.zip"
        with zipfile.ZipFile(hidden, "w") as archive:
            archive.writestr("bot.py", f"{ladders.PLAYER}# {mark}\n")
        rename(hidden, folders.inbox / person / "bot.zip")
        ((_, answer),) = take(home, folders)
    assert ("bob", "new version") == (answer.bot, answer.result)


# -- nothing is lost


def test_what_a_killed_process_had_taken_is_taken_by_the_next(home: Home, folders: InboxFolders) -> None:
    left = folders.taking / "ann"
    left.mkdir(parents=True)
    (left / "river.py").write_text(ladders.PLAYER)
    assert [("ann", "new bot")] == [(who, answer.result) for who, answer in take(home, folders, looks=1)]
    assert ["river.py"] == [path.name[16:] for path in (folders.done / "ann").iterdir()]


def test_a_full_disk_loses_nothing(
    home: Home, folders: InboxFolders, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    put(folders, "ann/river.py")
    with monkeypatch.context() as patch:
        patch.setattr(inbox_answers, "replace_file", full)
        assert [] == take(home, folders), "it is tried again"
    assert (folders.taking / "ann/river.py").exists()
    ((_, answer),) = take(home, folders, looks=1)
    assert "unchanged" == answer.result
    assert "river@1" in (folders.outbox / "ann/river.py.md").read_text()


class Killed(BaseException):
    """Ends the process, as far as this can be shown in a test."""


@pytest.mark.parametrize(
    ("where", "lines"), [("write_page", 0), ("append_line", 0), ("put_away", 1), ("_page_half_written", 0)]
)
def test_an_entry_has_one_answer_whenever_the_process_is_killed(
    home: Home, folders: InboxFolders, where: str, lines: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*_: object) -> None:
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


def answers_in(home: Home) -> list[dict[str, str]]:
    path = home.path / LOG
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


@pytest.mark.parametrize("is_folder", [False, True])
def test_from_another_disk_nothing_is_taken_half(
    home: Home, folders: InboxFolders, is_folder: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Path.rename

    def rename(path: Path, target: Path) -> Path:
        if folders.inbox in path.parents:
            raise OSError(errno.EXDEV, "Invalid cross-device link")
        return real(path, target)

    if is_folder:
        (folders.inbox / "ann/.river").mkdir()
        (folders.inbox / "ann/.river/bot.py").write_text(ladders.PLAYER)
        (folders.inbox / "ann/.river").rename(folders.inbox / "ann/river")
        (folders.inbox / "bob/.deep").joinpath(*["d"] * 100).mkdir(parents=True)
        (folders.inbox / "bob/.deep/bot.py").write_text(ladders.PLAYER)
        (folders.inbox / "bob/.deep").rename(folders.inbox / "bob/deep")
    else:
        put(folders, "ann/river.py")
    (folders.done / ".taking/ann").mkdir(parents=True)
    (folders.done / ".taking/ann/.copy").write_text("what a kill has left")
    monkeypatch.setattr(Path, "rename", rename)
    time.sleep(0.02)
    results = {person: answer.result for person, answer in take(home, folders)}
    assert {"ann": "new bot", **({"bob": "refused"} if is_folder else {})} == results
    assert [] == [*(folders.inbox / "ann").iterdir(), *(folders.taking / "ann").iterdir()]
    assert 70 > max((len(deep.parts) for deep in folders.done.rglob("d")), default=0) - len(
        folders.done.parts
    )
    monkeypatch.setattr(inbox_answers, "BOT_MB", 0)
    put_there = folders.inbox / "ann/large.py"
    put_there.write_text(ladders.PLAYER)
    os.utime(put_there, (0, 0))
    assert [] == take(home, folders)
    assert put_there.exists()
    assert "cannot be taken in" in (folders.outbox / "ann/large.py.md").read_text()


# -- one person never stops the others


def test_of_two_new_bots_of_one_name_the_older_entry_has_it_and_each_person_gets_a_turn(
    home: Home, folders: InboxFolders
) -> None:
    put(folders, "bob/river.py", ladders.PLAYER + "# b\n")
    for number in range(3):
        put(folders, f"ann/river{number or ''}.py", f"{ladders.PLAYER}# {number}\n")
    put(folders, "bob/reed.py", ladders.PLAYER + "# reed\n")
    found = [(person, answer.path.name, answer.result) for person, answer in take(home, folders, looks=5)]
    assert ("bob", "river.py", "new bot") in found
    assert ("ann", "river.py", "refused") in found
    assert 3 > [name for _, name, _ in found].index("reed.py"), "though two of ann's are older"


def link_to_itself(place: Path) -> None:
    (place / ".s").symlink_to("s.py")
    rename(place / ".s", place / "s.py")


def folder_with(inside: Callable[[Path], object]) -> Callable[[Path], None]:
    def make(place: Path) -> None:
        (place / ".made").mkdir()
        inside(place / ".made")
        (place / ".made/bot.py").write_text(ladders.PLAYER)
        rename(place / ".made", place / place.name)

    return make


def file_called(name: str, text: str = ladders.PLAYER) -> Callable[[Path], None]:
    def make(place: Path) -> None:
        (place / ".x").write_text(text)
        rename(place / ".x", place / name)

    return make


def deep(place: Path) -> None:
    (place / "/".join("d" * 70)).mkdir(parents=True)
    (place / "/".join("d" * 70) / "x").write_text("")


def sparse(name: str) -> Callable[[Path], None]:
    def make(place: Path) -> None:
        with (place / ".x").open("wb") as file:
            file.truncate(2**40)
        rename(place / ".x", place / name)

    return make


ODD: dict[str, tuple[Callable[[Path], None], str]] = {
    "link": (link_to_itself, "s.py is a link"),
    "bytes": (file_called("b\udcff.py"), "is not in UTF-8"),
    "inner": (folder_with(lambda at: (at / "bot\udcff.py").write_text("")), ""),
    "long": (file_called("a" * 248 + ".py"), ""),
    "control": (file_called("c\x1b]0;x\x07\n.py"), ""),
    "manifest": (file_called("bot.toml", 'name = "x"\nrun = ["./x"]'), "bot.toml is not all of a bot"),
    "fifo": (folder_with(lambda at: os.mkfifo(at / "f")), "f is a FIFO"),
    "deep": (folder_with(deep), "folders more than 64 deep"),
    "sparse": (sparse("s.py"), "more than 256 MB"),
}


def test_what_one_person_hands_in_keeps_nobody_else_waiting(home: Home, folders: InboxFolders) -> None:
    append_line(home.path / LOG, Taken(datetime(2026, 1, 1, tzinfo=UTC), "manifest", "x.py", "refused"))
    for person, (make, _) in ODD.items():
        (folders.inbox / person).mkdir()
        make(folders.inbox / person)
    put(folders, "bob/river.py")
    found = dict(take(home, folders))
    assert {*ODD, "bob"} == found.keys()
    for person, (_, why) in ODD.items():
        assert (why in found[person].why) if why else found[person].version, found[person]
        (page,) = (folders.outbox / person).iterdir()
        assert page.name.isprintable()
        assert len(f"{page.name}.tmp".encode()) <= 255
        assert not set("\x1b\x07\udcff") & set(page.read_text())
        (kept,) = (folders.done / person).iterdir()
        assert kept.name.isprintable()
    assert 1 + len(ODD) + 1 == len(answers_in(home))
    assert "folder of its own" in (folders.outbox / "manifest/bot.toml.md").read_text()


def test_a_persons_folder_that_is_closed_is_said_once_and_stops_nobody_else(
    home: Home, folders: InboxFolders, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.scandir

    def scandir(path: str | Path = ".") -> Any:
        if Path(path) == folders.inbox / "ann":
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return real(path)

    put(folders, "ann/river.py")
    put(folders, "bob/river.py")
    monkeypatch.setattr(os, "scandir", scandir)
    box, said, found = Inbox(folders, NOBODY), [], []
    with box.lock():
        for _ in range(3):
            found += box.take(home, 1, lambda text, hint: said.append((text, hint)))
    assert ["bob"] == [person for person, _ in found]
    ((text, hint),) = [each for each in said if "bots are not confined" not in each[0]]
    assert f"{folders.inbox}/ann is left alone: Permission denied" in text
    assert hint.startswith("chmod g+rwx ")


def test_whatever_fails_for_one_entry_is_not_judged_and_stops_no_other(
    home: Home, folders: InboxFolders, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = inbox_module.answer_entry

    def answer_entry(home: Home, folders: InboxFolders, person: str, answer: SubmissionAnswer) -> None:
        if person == "ann":
            raise KeyError("nobody has foreseen this")
        real(home, folders, person, answer)

    put(folders, "ann/river.py")
    put(folders, "bob/reed.py")
    with monkeypatch.context() as patch:
        patch.setattr(inbox_module, "answer_entry", answer_entry)
        assert ["bob"] == [person for person, _ in take(home, folders)]
    page = (folders.outbox / "ann/river.py.md").read_text()
    assert "Not judged" in page
    assert "KeyError" not in page
    assert ["ann"] == [person for person, _ in take(home, folders)]


def test_a_persons_folder_stays_one_whatever_lies_in_it(
    home: Home, folders: InboxFolders, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = ClassList((Entrant("flat.py", "s07"),))
    persons: set[str] = set()
    entries_in(folders.inbox, people, persons)
    assert {"ann", "bob"} == persons
    for person in ("ann", "s07", "new"):
        (folders.inbox / person).mkdir(exist_ok=True)
        (folders.inbox / person / "bot.toml").write_text("")
    entries, strangers = entries_in(folders.inbox, people, persons | {"s07"})
    assert ["ann", "s07"] == [entry.person for entry in entries]
    assert [folders.inbox / "new"] == [each.path for each in strangers], "or it is an entry"
    for person in ("ann", "new"):
        append_line(home.path / LOG, Taken(datetime.now(UTC), person, "x.py", "refused"))
    monkeypatch.setattr(inbox_entries, "STILL_SECONDS", 0.0)
    assert {"ann", "s07", "new"} == {person for person, _ in take(home, folders, people)}
    assert {"ann", "bob", "s07", "new"} == {path.name for path in folders.inbox.iterdir()}


# -- the command


@pytest.mark.process
def test_the_command_takes_in_what_is_there_and_ends(home: Home, folders: InboxFolders) -> None:
    put(folders, "ann/river.py")
    done = run_here("inbox", folders.inbox, "--once", "--home", home.path)
    assert 0 == done.code, done.err
    assert "ann: river.py: new bot river@1" in done.err
    assert "river" in run_here("bots", "--home", home.path).out


def test_folders_that_cannot_be_used_are_refused(home: Home, folders: InboxFolders, tmp_path: Path) -> None:
    at = ("--home", home.path)
    check_refused(run_here("inbox", tmp_path / "none", *at), 2, "none is not a folder", "mkdir -p")
    inside = folders.inbox / "answers"
    check_refused(
        run_here("inbox", folders.inbox, "--outbox", inside, *at), 2, "is in", "name another folder"
    )
    with Inbox(folders, ClassList()).lock():
        check_refused(run_here("inbox", folders.inbox, "--once", *at), 7, "is using")
    add_setting(home, "bots_a_person = -1")
    check_refused(run_here("inbox", folders.inbox, "--once", *at), 2, "bots_a_person")


def test_what_is_not_judged_is_tried_three_times_and_keeps_nobody_else_waiting(
    home: Home, folders: InboxFolders, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, tried = inbox_module.submit_task, []

    def busy(task: Task, tell: Callable[[str], object]) -> SubmissionAnswer:
        tried.append(task.path.parent.name)
        if tried[-1] == "ann":
            return refusal_of(task, TooBusy("a start took 40 s"))
        return real(task, tell)

    add_setting(home, "submissions_a_day = 1")
    put(folders, "ann/river.py")
    put(folders, "bob/reed.py")
    monkeypatch.setattr(inbox_module, "PAUSES", (0.0, 0.0, 3600.0))
    monkeypatch.setattr(inbox_module, "LOOK_SECONDS", 0.02)
    with monkeypatch.context() as patch:
        patch.setattr(inbox_module, "submit_task", busy)
        done = run_here("inbox", folders.inbox, "--once", "--home", home.path)
    assert 8 == done.code
    assert ["ann", "ann", "ann", "bob"] == sorted(tried)
    assert 1 == done.err.count("ann: river.py: not judged: this machine is too busy: a start took 40 s")
    assert f"it stays in {folders.taking}, and is tried again" in done.err
    assert "not judged" in (folders.outbox / "ann/river.py.md").read_text().lower()
    assert ["bob"] == [line["person"] for line in answers_in(home)], "it used up nothing of a day"
    assert [("ann", "new bot")] == [(who, answer.result) for who, answer in take(home, folders, looks=1)]


def test_where_bots_cannot_be_confined_nobody_is_refused(
    home: Home, folders: InboxFolders, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(home: Home, say: Callable[[str], object]) -> Home:
        raise TooBusy("no sandbox was made in 40 s")

    monkeypatch.setattr(inbox_module, "confine_home", fail)
    monkeypatch.setattr(inbox_module, "PAUSES", (0.0, 0.0, 3600.0))
    put(folders, "ann/river.py")
    put(folders, "bob/reed.py")
    found = take(home, folders)
    assert [("ann", "not judged"), ("bob", "not judged")] == sorted((who, each.result) for who, each in found)
    assert [] == answers_in(home)


def test_what_rests_long_gives_way_to_what_its_person_hands_in_now(
    home: Home, folders: InboxFolders, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(task: Task, tell: Callable[[str], object]) -> SubmissionAnswer:
        return refusal_of(task, TooBusy("a start took 40 s"))

    monkeypatch.setattr(inbox_module, "PAUSES", (0.0, 0.0, 3600.0))
    put(folders, "ann/river.py")
    box = Inbox(folders, NOBODY)

    def look() -> list[tuple[str, str]]:
        return [(answer.path.name, answer.result) for _, answer in box.take(home, 1, lambda *_: None)]

    with box.lock():
        with monkeypatch.context() as patch:
            patch.setattr(inbox_module, "submit_task", busy)
            assert [("river.py", "not judged")] == [*look(), *look()]
        put(folders, "ann/reed.py")
        assert [("reed.py", "new bot")] == [*look(), *look()]
        put(folders, "ann/river.py")
        assert [("river.py", "new bot")] == [*look(), *look()]
    assert 3 == len([*(folders.done / "ann").iterdir()])
    assert [] == [*folders.taking.glob("*/*")]


@pytest.mark.process
def test_each_entry_has_one_answer_though_the_command_is_killed_often(
    home: Home, folders: InboxFolders, tmp_path: Path
) -> None:
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


@pytest.mark.process
def test_a_slow_bot_keeps_nobodys_answer_back(home: Home, folders: InboxFolders) -> None:
    with (home.path / "ladder.toml").open("a") as file:
        file.write("[limits]\nstart_ms = 60_000\n")
    put(folders, "ann/slow.py", "import time; time.sleep(600)")
    put(folders, "bob/river.py")
    command = [*ladders.command(home.path)[:1], "inbox", folders.inbox, "--home", home.path, "--jobs", "2"]
    with process_group(command, stderr=subprocess.DEVNULL):
        deadline = time.monotonic() + 60
        while not answers_in(home) and time.monotonic() < deadline:
            time.sleep(0.05)
        put(folders, "bob/late.py", ladders.PLAYER + "# late\n")
        while len(answers_in(home)) < 2 and time.monotonic() < deadline:
            time.sleep(0.05)
    assert ["river.py", "late.py"] == [line["entry"] for line in answers_in(home)]
