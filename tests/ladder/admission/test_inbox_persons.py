"""The inbox, by person: whose a folder and an entry is, quotas, and that no person stops the others."""

import errno
import os
import subprocess
import time
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from support import ladders
from support.commands import process_group
from support.inboxes import (
    NO_MEANS,
    NOBODY,
    add_setting,
    answers_in,
    link_to_itself,
    put,
    refuse_renames,
    rename,
    take,
)

from ladder.admission import inbox as inbox_module
from ladder.admission import inbox_entries
from ladder.admission.batch import refusal_of
from ladder.admission.inbox import Inbox
from ladder.admission.inbox_answers import LOG, Taken
from ladder.admission.inbox_entries import Entry, entries_in
from ladder.errors import TooBusy
from ladder.home.class_list import ClassList, Entrant
from ladder.home.home import open_home
from ladder.home.json_lines import append_line

pytestmark = pytest.mark.usefixtures("threads")


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
def test_a_persons_folder_that_others_can_write_to_is_warned_of_once(home, folders, mode, group, command):
    if group and os.getuid() != 0:
        pytest.skip("only root can give folders to a group that it is not in")
    folder = folders.inbox / "ann"
    if group:
        os.chown(folder, -1, group)
    folder.chmod(mode)
    (folders.inbox / "bob").chmod(0o700)
    said = []
    assert [] == take(home, folders, looks=3, said=said)
    warning = f"warning: others can put bots into folders of persons; type: {command}{folder}"
    assert ([(warning, "")] if command else []) == said


@pytest.mark.parametrize("closed", ["ann", "ann/mine", "ann/bot.py"])
def test_what_cannot_be_moved_is_said_once_and_stops_nobody_else(home, folders, closed, monkeypatch):
    may = os.access
    refuse_renames(monkeypatch, lambda path, _: path.parent == folders.inbox / "ann" and path.name[0] != ".")
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
    said = []
    assert ["bob"] == [person for person, _ in take(home, folders, looks=4, said=said)]
    assert entry.exists()
    ((told, _),) = said
    assert f"may not move {folders.inbox / closed}: Permission denied" in told
    (page,) = (folders.outbox / "ann").iterdir()
    assert f"chmod -R g+rwX {entry.name}" in page.read_text()


def test_what_lies_in_no_persons_folder_is_nobodys_unless_the_roster_names_it(folders):
    (folders.inbox / "flat.py").write_text("")
    (folders.inbox / "two words").mkdir()
    entries, strangers = entries_in(folders.inbox, ClassList())
    assert [] == entries
    assert [folders.inbox / "flat.py", folders.inbox / "two words"] == [each.path for each in strangers]
    people = ClassList((Entrant("flat.py", "s07"),))
    assert [Entry(folders.inbox / "flat.py", "s07")] == entries_in(folders.inbox, people)[0]


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give files away")
def test_in_a_folder_of_several_users_a_file_is_its_owners(folders):
    path = folders.inbox / "flat.py"
    path.write_text("")
    os.chown(path, 54321, -1)
    assert [Entry(path, "user-54321")] == entries_in(folders.inbox, ClassList())[0]


def test_a_bot_is_the_persons_in_whose_folder_it_lay_whatever_its_file_is_called(home, folders):
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
    put(folders, "ann/broken.py", "(")
    ((_, answer),) = take(home, folders)
    assert ("refused", "") == (answer.result, answer.plays), "it is no version of river"
    assert "Accepted as river@2" in (folders.outbox / "ann/second.md").read_text()


def test_a_roster_gives_flat_entries_their_handles(home, folders):
    people = ClassList((Entrant("flat.py", "s07", "Ann", "A."),))
    put(folders, "flat.py")
    ((person, answer),) = take(home, folders, people)
    assert ("s07", "s07") == (person, answer.bot)
    assert "A." == open_home(home.path).roster.find("s07").manifest.author


def test_a_person_has_so_many_bots_and_so_many_submissions_a_day(home, folders):
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


def test_a_person_above_a_quota_that_was_lowered_is_told_when_it_has_room(home, folders):
    add_setting(home, "submissions_a_day = 2")
    now = datetime.now(UTC)
    for hours in (20, 10, 1):
        append_line(home.path / LOG, Taken(now - timedelta(hours=hours), "ann", "one.py", "refused"), 0o600)
    put(folders, "ann/one.py")
    assert [] == take(home, folders)
    assert f"{now + timedelta(hours=14):%Y-%m-%d %H:%M} UTC" in (folders.outbox / "ann/one.py.md").read_text()


def test_the_next_version_of_a_bot_that_has_another_name_than_its_file_is_within_the_quota(home, folders):
    add_setting(home, "bots_a_person = 1")
    for person, mark in (("ann", "a"), ("bob", "b"), ("bob", "c")):
        hidden = folders.inbox / person / ".bot.zip"
        with zipfile.ZipFile(hidden, "w") as archive:
            archive.writestr("bot.py", f"{ladders.PLAYER}# {mark}\n")
        rename(hidden, folders.inbox / person / "bot.zip")
        ((_, answer),) = take(home, folders)
    assert ("bob", "new version") == (answer.bot, answer.result)


def test_of_two_new_bots_of_one_name_the_older_entry_has_it_and_each_person_gets_a_turn(home, folders):
    put(folders, "bob/river.py", ladders.PLAYER + "# b\n")
    for number in range(3):
        put(folders, f"ann/river{number or ''}.py", f"{ladders.PLAYER}# {number}\n")
    put(folders, "bob/reed.py", ladders.PLAYER + "# reed\n")
    found = [(person, answer.path.name, answer.result) for person, answer in take(home, folders, looks=5)]
    assert ("bob", "river.py", "new bot") in found
    assert ("ann", "river.py", "refused") in found
    assert 3 > [name for _, name, _ in found].index("reed.py"), "though two of ann's are older"


def folder_with(inside):
    def make(place):
        (place / ".made").mkdir()
        inside(place / ".made")
        (place / ".made/bot.py").write_text(ladders.PLAYER)
        rename(place / ".made", place / place.name)

    return make


def file_called(name, text=ladders.PLAYER):
    def make(place):
        (place / ".x").write_text(text)
        rename(place / ".x", place / name)

    return make


def deep(place):
    (place / "/".join("d" * 70)).mkdir(parents=True)
    (place / "/".join("d" * 70) / "x").write_text("")


def linked(at):
    (at / "of-another").write_text('name = "a secret!"\nrun = ["./x"]')
    (at / "bot.toml").symlink_to("of-another")


def sparse(name):
    def make(place):
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
    "manifest-link": (folder_with(linked), "bot.toml is a link"),
    "fifo": (folder_with(lambda at: os.mkfifo(at / "f")), "f is a FIFO"),
    "deep": (folder_with(deep), "folders more than 64 deep"),
    "sparse": (sparse("s.py"), "more than 256 MB"),
}


def test_what_one_person_hands_in_keeps_nobody_else_waiting(home, folders):
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


def test_a_persons_folder_that_is_closed_is_said_once_and_stops_nobody_else(home, folders, monkeypatch):
    real = os.scandir

    def scandir(path="."):
        if Path(path) == folders.inbox / "ann":
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return real(path)

    put(folders, "ann/river.py")
    put(folders, "bob/river.py")
    monkeypatch.setattr(os, "scandir", scandir)
    said = []
    assert ["bob"] == [person for person, _ in take(home, folders, looks=3, said=said)]
    ((text, hint),) = said
    assert f"{folders.inbox}/ann is left alone: Permission denied" in text
    assert hint.startswith("chmod g+rwx ")


def test_whatever_fails_for_one_entry_is_not_judged_and_stops_no_other(home, folders, monkeypatch):
    real = inbox_module.answer_entry

    def answer_entry(home, folders, person, answer):
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


def test_a_persons_folder_stays_one_whatever_lies_in_it(home, folders, monkeypatch):
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


def test_what_rests_long_gives_way_to_what_its_person_hands_in_now(home, folders, monkeypatch):
    def busy(home, asked, tell):
        return refusal_of(home, asked, TooBusy("a start took 40 s"))

    monkeypatch.setattr(inbox_module, "PAUSES", (0.0, 0.0, 3600.0))
    put(folders, "ann/river.py")
    box = Inbox(folders, NOBODY, *NO_MEANS)

    def look():
        return [(answer.path.name, answer.result) for _, answer in box.take(home, 1, lambda *_: None)]

    with box.lock():
        with monkeypatch.context() as patch:
            patch.setattr(inbox_module.batch, "submit_one", busy)
            assert [("river.py", "not judged")] == [*look(), *look()]
        put(folders, "ann/reed.py")
        assert [("reed.py", "new bot")] == [*look(), *look()]
        put(folders, "ann/river.py")
        assert [("river.py", "new bot")] == [*look(), *look()]
    assert 3 == len([*(folders.done / "ann").iterdir()])
    assert [] == [*folders.taking.glob("*/*")]


@pytest.mark.process
def test_a_slow_bot_keeps_nobodys_answer_back(home, folders):
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
