"""The life of an upload: each state from what lies there, and none goes back."""

import os
import threading
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import pytest
from support.ladders import a_home, play, start_run
from support.records import a_lone_match, a_seat
from support.stores import stored
from support.taken_in import take_in

from ladder.admission.batch import SubmissionAnswer
from ladder.admission.inbox_answers import InboxFolders, answer_entry, write_page
from ladder.admission.upload_states import UploadState, UploadStates
from ladder.home.home import open_home
from results.storage.locking import await_lock
from results.storage.unrated import make_unrated

STAGES = ("waiting", "checking", "later", "refused", "accepted", "playing", "played", "replaced")


class Life:
    """An inbox that this test moves entries through."""

    def __init__(self, path):
        self.home = a_home(path / "home", {"first": {}, "last": {"style": "last"}})
        self.folders = InboxFolders(path / "inbox", path / "outbox", path / "done")
        for folder in (self.folders.inbox, self.folders.outbox, self.folders.taking / "ann"):
            folder.mkdir(parents=True)
        self.states = UploadStates(self.folders)

    def put(self, name="first.py", person="ann", text="text"):
        (self.folders.inbox / person).mkdir(exist_ok=True)
        (self.folders.inbox / person / name).write_text(text)

    def take(self, name="first.py"):
        (self.folders.inbox / "ann" / name).rename(self.folders.taking / "ann" / name)

    def answer(self, result, name="first.py", bot="first"):
        path, accepted = self.folders.taking / "ann" / name, result.startswith("new")
        version = self.home.roster.versions_of(bot)[-1] if accepted else None
        given = SubmissionAnswer(path, result, bot, version, seconds=4.0, told="why", advice="what")
        if result == "not judged":
            write_page(self.home, self.folders, "ann", given)
        else:
            answer_entry(self.home, self.folders, "ann", given)

    def state(self, name="first.py", person="ann") -> UploadState:
        found = self.states.find(open_home(self.home.path), person, name)
        assert found
        return found


@pytest.fixture
def life(tmp_path):
    return Life(tmp_path)


def test_each_state_is_found_and_has_its_age(life, tmp_path):
    assert life.states.find(life.home, "ann", "first.py") is None
    seen = []

    def look(**facts):
        told = life.state()
        seen.append(told.state)
        assert facts == {key: getattr(told, key) for key in facts}
        assert (4, 0) == (told.bytes, told.age_s // 60)
        assert 64 == len(told.sha256)
        assert datetime.fromisoformat(told.since) <= datetime.now(UTC)

    life.put()
    look(place=1, why="no inbox has been at work")
    handle = await_lock(life.folders.done / ".lock")
    look(place=1, about_s=None, why="")
    os.close(handle)
    assert life.state().why.startswith("no inbox is at work since 20")
    life.take()
    look()
    life.answer("not judged")
    look(why="it was not judged, and is tried again")
    assert "Not judged" in life.state().page
    life.answer("new bot")
    look(bot="first", number=1)
    assert "Accepted as first@1" in life.state().page
    start_run(life.home, matches=2)
    look(run=1, number=1)
    play(life.home)
    look(match="1/0", number=1)
    assert ["waiting", "waiting", "checking", "later", "accepted", "playing", "played"] == seen


def test_a_refusal_has_its_page_and_a_newer_upload_of_the_name_begins_again(life):
    life.put()
    life.take()
    life.answer("refused")
    told = life.state()
    assert ("refused", None) == (told.state, told.number)
    assert "Refused" in told.page
    life.put(text="newer")
    assert ("waiting", 5) == (life.state().state, life.state().bytes)


def test_places_are_given_in_turn_and_about_how_long_is_told_after_three_answers(life):
    for number, person in enumerate(("bob", "bob", "bob", "ann", "cid")):
        life.put(f"{number}.py", person)
        os.utime(life.folders.inbox / person / f"{number}.py")
    places = {
        (person, number): life.state(f"{number}.py", person).place
        for person, number in (("bob", 0), ("ann", 3), ("cid", 4), ("bob", 1), ("bob", 2))
    }
    assert [1, 2, 3, 4, 5] == [*places.values()]
    for _ in range(3):
        life.put()
        life.take()
        life.answer("refused")
    handle = await_lock(life.folders.done / ".lock")
    assert 12 == life.state("4.py", "cid").about_s
    os.close(handle)


def test_what_was_told_is_told_by_a_server_that_was_started_again(life):
    for name, bot in (("first.py", "first"), ("last.py", "last")):
        life.put(name)
        life.take(name)
        life.answer("new bot", name, bot)
    play(life.home)
    life.states._rest.seconds = 1e9
    assert ["played", "played"] == [life.state(name).state for name in ("first.py", "last.py")]
    start_run(life.home, matches=2)
    life.states = UploadStates(life.folders)
    assert "played" == life.state().state
    life.states._rest.seconds = 1e9
    assert "played" == life.state("last.py").state


def test_what_waits_for_another_day_has_no_place(life):
    with (life.home.path / "ladder.toml").open("a") as settings:
        settings.write("[inbox]\nsubmissions_a_day = 1\n")
    life.put()
    life.take()
    life.answer("refused")
    life.put("second.py")
    life.put("other.py", "bob")
    later = life.state("second.py")
    assert ("later", None) == (later.state, later.place)
    assert 1 == life.state("other.py", "bob").place


def test_a_pipe_of_a_person_with_a_shell_is_not_read(life):
    (life.folders.inbox / "ann").mkdir()
    os.mkfifo(life.folders.inbox / "ann" / "pipe.py")
    assert ("waiting", "") == ((told := life.state("pipe.py")).state, told.sha256)


def test_a_share_of_a_day_is_told_with_its_end(life):
    (life.home.path / "ladder.toml").write_text("[inbox]\nsubmissions_a_day = 1\n")
    life.put()
    life.take()
    life.answer("refused")
    life.put()
    told = life.state()
    assert ("later", "you have had your share of a day") == (told.state, told.why)
    assert timedelta(hours=23) < datetime.fromisoformat(told.until) - datetime.now(UTC)


def test_an_upload_that_had_a_gate_is_one_of_the_share_of_a_day(life):
    (life.home.path / "ladder.toml").write_text("[inbox]\nsubmissions_a_day = 2\n")
    new, path = life.home.roster.versions_of("first")[-1], life.folders.taking / "ann/first.py"
    life.put()
    life.take()
    for result in ("proving", "accepted"):
        given = SubmissionAnswer(path, result, "first", new, against="old")
        answer_entry(life.home, life.folders, "ann", given)
    life.put("other.py")
    assert "waiting" == life.state("other.py").state


def test_a_version_that_another_took_the_place_of_is_replaced(life):
    life.put()
    life.take()
    life.answer("new bot")
    (version,) = life.home.roster.versions_of("first")
    other = msgspec.structs.replace(version, version="0" * 12, number=2, order=2)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ladder.registry.roster.Roster.versions", lambda self: [version, other])
        told = life.state()
        assert "replaced" == told.state
        assert 0 == told.age_s // 60, "not since the older version was handed in"
    assert "accepted" == life.state().state


@pytest.mark.parametrize("does", ["activates", "retires"])
def test_a_version_is_replaced_since_an_older_one_was_let_play_again(life, does):
    roster, program = life.home.roster, life.home.path.parent / "first.py"
    (old,) = roster.versions_of("first")
    program.write_text("#!/usr/bin/env python3\n")
    new = take_in(roster, program)
    life.put()
    life.take()
    life.answer("new version")
    log = life.home.path / "inbox.jsonl"
    log.write_text(log.read_text().replace(str(datetime.now(UTC).year), "2020", 1))
    for version in (new, old):
        os.utime(Path(version.folder).parent / "version.json", (0, 0))
    assert "accepted" == life.state().state
    if does == "retires":
        roster.retire([new])
    else:
        roster.activate(old)
    told = life.state()
    assert ("replaced", 0) == (told.state, told.age_s // 60)


def test_a_version_that_proves_itself_has_the_deals_and_the_share_of_its_duel(life):
    life.put()
    life.take()
    new = life.home.roster.versions_of("first")[-1]
    given = SubmissionAnswer(life.folders.taking / "ann/first.py", "proving", "first", new, against="old")
    answer_entry(life.home, life.folders, "ann", given)
    assert ("proving", None) == (life.state().state, life.state().deals)
    seats = [a_seat("first", 1, version=new.version), a_seat("first", 2, version="old")]
    draw = [a_seat("first", 1, version=new.version), a_seat("first", 1, version="old")]
    bots = [{"name": "first", "version": version} for version in (new.version, "old")]
    blocks = [a_lone_match(0, seats=seats), a_lone_match(1, seats=draw)]
    started = round(time.time() * 1e6)
    stored(make_unrated(life.home.results).folder.root, *blocks, bots=bots, started=started, ends=False)
    assert (2, 0.75) == (life.state().deals, life.state().share)


def test_an_answer_is_told_of_its_own_file_before_that_has_its_place(life, monkeypatch):
    for text, result in (("older", "refused"), ("newer one", "new bot")):
        life.put(text=text)
        life.take()
        life.answer(result)
        # a kill keeps the second one from its place
        monkeypatch.setattr("ladder.admission.inbox_answers.put_away", lambda *entry: None)
    told = life.state()
    assert ("accepted", len("newer one")) == (told.state, told.bytes)


def test_a_wish_that_waits_does_not_say_that_it_was_not_judged(life):
    life.put("w.wish.toml")
    life.take("w.wish.toml")
    life.answer("not judged", "w.wish.toml")
    assert ("later", "its page says why") == ((told := life.state("w.wish.toml")).state, told.why)


def test_a_clock_that_was_set_back_makes_no_age_below_zero(life):
    life.put()
    life.take()
    life.answer("refused")
    log = life.home.path / "inbox.jsonl"
    log.write_text(log.read_text().replace(str(datetime.now(UTC).year), "2999"))
    assert 0 == life.state().age_s


def test_no_state_goes_back_while_an_inbox_works(life):
    """A thread looks again and again while entries go through all folders."""
    seen: dict[str, list[str]] = {}
    failures: list[BaseException] = []
    ended = threading.Event()

    def look():
        try:
            while not ended.is_set():
                for state in life.states.states(life.home, "ann"):
                    seen.setdefault(state.upload, []).append(state.state)
        except BaseException as error:
            failures.append(error)

    watcher = threading.Thread(target=look)
    watcher.start()
    for number in range(40):
        name = f"b{number}.py"
        life.put(name)
        life.take(name)
        life.answer(("refused", "new bot")[number % 2], name)
    ended.set()
    watcher.join()
    assert [] == failures
    assert seen
    for stages in seen.values():
        places = [STAGES.index(stage) for stage in stages]
        assert places == sorted(places), stages
