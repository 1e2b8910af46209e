"""The inbox: what counts, whose it is, and that nothing is lost."""

import errno
import os
import shutil
import time
import zipfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from support import ladders
from support.command_line import check_refused, run_here

from ladder.admission import inbox as inbox_module
from ladder.admission import inbox_entries
from ladder.admission.batch import BatchProgress, SubmissionAnswer
from ladder.admission.inbox import LOG, Inbox, InboxFolders, Taken
from ladder.admission.inbox_entries import Entry, InboxLook, entries_in
from ladder.home.class_list import ClassList, Entrant
from ladder.home.home import Home, open_home
from ladder.home.json_lines import append_line

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
    (told,) = said
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
        patch.setattr(inbox_module, "replace_file", full)
        with pytest.raises(OSError, match="No space"):
            take(home, folders)
    assert (folders.taking / "ann/river.py").exists()
    ((_, answer),) = take(home, folders, looks=1)
    assert "unchanged" == answer.result
    assert "river@1" in (folders.outbox / "ann/river.py.md").read_text()


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


def test_a_submission_that_is_not_judged_keeps_nobody_else_waiting(
    home: Home, folders: InboxFolders, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = inbox_module.submit_all

    def busy(home: Home, paths: list[Path], share: object, progress: BatchProgress, **how: object) -> None:
        late = [path for path in paths if path.parent.name == "ann"]
        for path in late:
            progress.end(SubmissionAnswer(path, "not judged", why="this machine is too busy"))
        real(home, [path for path in paths if path not in late], share, progress, **how)  # type: ignore[arg-type]

    put(folders, "ann/river.py")
    with monkeypatch.context() as patch:
        patch.setattr(inbox_module, "submit_all", busy)
        assert [("ann", "not judged")] == [(who, answer.result) for who, answer in take(home, folders)]
        put(folders, "bob/reed.py")
        found = {(who, answer.result) for who, answer in take(home, folders)}
    assert {("ann", "not judged"), ("bob", "new bot")} == found
    assert "not judged" in (folders.outbox / "ann/river.py.md").read_text().lower()
    assert [("ann", "new bot")] == [(who, answer.result) for who, answer in take(home, folders, looks=1)]
