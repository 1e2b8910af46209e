"""Wishes, gates and notices of an inbox: each has its answer, touches one's own bots, and blocks nobody."""

import subprocess
import time

import pytest
from support import ladders
from support.commands import process_group
from support.inboxes import NOBODY, Here, add_setting, answers_in, put, rename, take

from ladder.admission import errands
from ladder.admission import inbox as inbox_module
from ladder.admission.grants import home_of
from ladder.admission.inbox import Inbox
from ladder.errors import TooBusy
from ladder.home.bot_life import retire
from ladder.home.home import open_home
from ladder.registry.version import Version
from results.storage.store import Store
from results.storage.unrated import unrated_stores

pytestmark = pytest.mark.usefixtures("threads")


@pytest.fixture(autouse=True)
def _here(monkeypatch):
    monkeypatch.setattr(errands, "Aside", Here)


@pytest.fixture
def river(home, folders):
    """Let ann have two versions of a bot, and bob have one of another."""
    for entry, mark in (("ann/river.py", "1"), ("ann/river.py", "2"), ("bob/reed.py", "3")):
        put(folders, entry, f"{ladders.PLAYER}# {mark}\n")
        ((_, answer),) = take(home, folders)
        assert answer.version
    return home


def wish(home, folders, text, person="ann", name="w.wish.toml", **more):
    """Return the answer to a wish, and its page."""
    put(folders, f"{person}/{name}", text)
    ((who, answer),) = take(home, folders, looks=5, **more)
    assert who == person
    return answer, (folders.outbox / person / f"{name}.md").read_text()


def active(home):
    return {f"{version.bot}@{version.number}" for version in open_home(home.path).roster.active()}


def rows(verdict):
    row = {
        "game": "stellar",
        "seats": 2,
        "deals": 500,
        "wins_low": 47.0,
        "wins_high": 53.0,
        "verdict": verdict,
    }
    return lambda asked: [row]


def busy(duel):
    raise TooBusy("a start took 40 s")


def means(play):
    return play, lambda asked: []


def test_wishes_retire_activate_and_rename_ones_own_bots(river, folders):
    answer, page = wish(river, folders, 'wish = "retire"\nbot = "river@2"\n')
    assert ("done", "wish") == (answer.result, answer.wish)
    assert "river@1 keeps playing" in page
    assert {"river@1", "reed@1"} == active(river)
    wish(river, folders, 'wish = "activate"\nbot = "river@2"\n')
    assert {"river@2", "reed@1"} == active(river)
    (pages := folders.outbox / "ann/bots").mkdir(exist_ok=True)
    (pages / "river.md").write_text("of before")
    answer, page = wish(river, folders, 'wish = "rename"\nbot = "river"\nto = "brook"\n')
    assert not (pages / "river.md").exists()
    assert "river is called brook now" in page
    assert {"brook@2", "reed@1"} == active(river)
    assert ["done"] * 3 == [line["result"] for line in answers_in(river) if "wish" in line]
    assert [] == [*folders.taking.glob("*/*")]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('wish = "retire"\nbot = "reed"\n', "you have no bot 'reed' here"),
        ('wish = "retire"\nbot = "nobody"\n', "you have no bot 'nobody' here"),
        ('wish = "activate"\nbot = "river@9"\n', "river has no version '9'"),
        ('wish = "rename"\nbot = "river"\nto = "reed"\n', "there is a bot 'reed' already"),
        ('wish = "rename"\nbot = "river@1"\nto = "x"\n', "river@1 is one version"),
        ('wish = "rename"\nbot = "straw"\nto = "reed"\n', "you have no bot 'straw' here"),
        ('wish = "challenge"\nbot = "river"\nagainst = "reed"\ngame = "stellar"\ndeals = 5', "no challenges"),
        ('wish = "retire"\nbot = "river"\n[[wish]]', "this is no wish"),
        ("x" * 2**20, "this is no wish: expected at most 4,096 bytes"),
    ],
)
def test_what_cannot_be_granted_is_refused_and_changes_nothing(river, folders, text, why):
    (river.results / "names.json").write_text('{"straw": "reed"}')
    before = active(river)
    answer, page = wish(river, folders, text)
    assert "refused" == answer.result
    assert why in page
    assert "ladder bots" not in page, "that is for the operator"
    assert str(river.path) not in page
    assert before == active(river)


def test_a_link_is_no_wish(river, folders):
    (folders.inbox / "ann/.l").symlink_to(river.path / "ladder.toml")
    rename(folders.inbox / "ann/.l", folders.inbox / "ann/l.wish.toml")
    ((_, answer),) = take(river, folders)
    assert "this is no wish: it is not a regular file" == answer.why


def test_wishes_of_a_day_have_a_quota_of_their_own(river, folders):
    add_setting(river, "wishes_a_day = 1\nsubmissions_a_day = 3")
    wish(river, folders, 'wish = "retire"\nbot = "river@2"\n')
    put(folders, "ann/x.wish.toml", 'wish = "activate"\nbot = "river@2"\n')
    put(folders, "ann/river.py", f"{ladders.PLAYER}# new\n")
    said = []
    assert ["river.py"] == [answer.path.name for _, answer in take(river, folders, said=said)]
    assert "by wishes_a_day" in said[0][0]
    assert "Waits." in (folders.outbox / "ann/x.wish.toml.md").read_text()


def test_wishes_that_come_together_have_the_same_quota(river, folders):
    add_setting(river, "wishes_a_day = 2")
    for number in range(4):
        put(folders, f"ann/{number}.wish.toml", 'wish = "retire"\nbot = "river@2"\n')
    assert ["0.wish.toml", "1.wish.toml"] == [answer.path.name for _, answer in take(river, folders, looks=4)]


def test_a_wish_that_was_granted_before_a_kill_is_answered_once(river, folders, monkeypatch):
    text = 'wish = "rename"\nbot = "river"\nto = "brook"\n'
    with monkeypatch.context() as patch:

        def kill(*_):
            raise KeyboardInterrupt

        patch.setattr(inbox_module, "answer_entry", kill)
        put(folders, "ann/w.wish.toml", text)
        with pytest.raises(KeyboardInterrupt):
            take(river, folders, looks=5)
    assert "brook@2" in active(river)
    ((_, answer),) = take(river, folders, looks=5)
    assert ("done", "river is called brook now") == (answer.result, answer.why)


def test_a_bot_whose_run_was_interrupted_is_renamed_later_and_keeps_nothing_waiting(river, folders):
    ladders.start_run(river)
    put(folders, "ann/w.wish.toml", 'wish = "rename"\nbot = "river"\nto = "brook"\n')
    put(folders, "ann/other.py", f"{ladders.PLAYER}# other\n")
    said = []
    assert ["other.py"] == [answer.path.name for _, answer in take(river, folders, looks=5, said=said)]
    assert "run 1 is not finished, and river plays in it; it is tried again" in said[0][0]
    assert "it is done between two runs" in (folders.outbox / "ann/w.wish.toml.md").read_text()


def test_a_bot_that_is_in_a_match_now_plays_it_to_its_end(river, folders):
    run = ladders.start_run(river)
    with Store(river.results).lock():
        for text in ('"retire"\nbot = "river"', '"activate"\nbot = "river@1"'):
            answer, page = wish(river, folders, f"wish = {text}\n")
            assert "done" == answer.result
            assert ("a run that goes on plays it to its end" in page) == ("retire" in text)
    assert {"river@1", "reed@1"} == active(river)
    assert run == Store(river.results).unfinished_run()


def test_a_version_that_is_activated_counts_as_a_bot_that_plays(river, folders):
    add_setting(river, "bots_a_person = 1")
    retire(river, "river")
    put(folders, "ann/other.py", f"{ladders.PLAYER}# other\n")
    take(river, folders)
    answer, page = wish(river, folders, 'wish = "activate"\nbot = "river@2"\n')
    assert "refused" == answer.result
    assert "retire another one before" in page


def test_a_challenge_is_played_aside_and_has_a_quota(river, folders):
    add_setting(river, "challenges_a_day = 1")
    asked = []

    def play(duel):
        asked.append(duel)
        return rows("undecided")(duel)

    text = 'wish = "challenge"\nbot = "river"\nagainst = "reed"\ngame = "stellar"\ndeals = 50'
    answer, page = wish(river, folders, text, means=means(play))
    assert "done" == answer.result
    assert "stellar for 2: undecided after 500 deals, 47.0 to 53.0 wins of 100" in page
    ((mine, rival, deals),) = [(duel.new, duel.old, duel.deals) for duel in asked]
    assert ("river@", "reed@", 50) == (mine[:6], rival[:5], deals)
    answer, page = wish(river, folders, text, name="again.wish.toml", means=means(play))
    assert "you have had your 1 challenge of a day" in page
    assert 1 == len(asked)


def test_a_wish_that_waits_is_not_replaced_by_another_of_its_name(river, folders):
    add_setting(river, "challenges_a_day = 9")
    text = 'wish = "challenge"\nbot = "river"\nagainst = "reed"\ngame = "stellar"\ndeals = 5'
    box = Inbox(folders, NOBODY, *means(busy))
    with box.lock():
        for _ in range(2):
            put(folders, "ann/w.wish.toml", text)
            for _ in range(3):
                assert [] == [*box.take(river, 1, lambda *_: None)]
    assert 2 == len([*folders.inbox.glob("ann/*"), *folders.taking.glob("ann/*")]), "each is answered once"


@pytest.mark.parametrize(
    ("against", "game", "why"),
    [
        ("river", "stellar", "no other bot 'river' plays here"),
        ("reed@2", "stellar", "no other bot 'reed@2' plays here"),
        ("reed", "chess", "do not both play 'chess' here"),
        ("reed", "stellar", "do not both play 'stellar' here"),
    ],
)
def test_a_challenge_needs_two_bots_that_play_the_game(river, folders, monkeypatch, against, game, why):
    only = {"river": 2, "reed": 3}  # no table of stellar is for both
    monkeypatch.setattr(Version, "plays", lambda bot, game, seats=None: seats in (None, only[bot.bot]))
    add_setting(river, "challenges_a_day = 9")
    text = f'wish = "challenge"\nbot = "river"\nagainst = "{against}"\ngame = "{game}"\ndeals = 5'
    answer, _ = wish(river, folders, text)
    assert why in answer.why


# -- gates


def hand_in(home, folders, mark, play, looks=5, entry="river.py"):
    put(folders, f"ann/{entry}", f"{ladders.PLAYER}# {mark}\n")
    return [answer.result for _, answer in take(home, folders, looks=looks, means=means(play))]


def gates_in(home):
    return [line for line in answers_in(home) if "version" in line]


@pytest.mark.parametrize(
    ("verdict", "end", "plays"),
    [("worse", "kept back", 2), ("no worse", "accepted", 3), ("undecided", "accepted", 3)],
)
def test_a_new_version_plays_unless_a_duel_shows_it_to_be_worse(river, folders, verdict, end, plays):
    add_setting(river, 'replace = "gate"')
    seen = []

    def play(duel):
        seen.append((active(river), duel.game, duel.deals))
        return rows(verdict)(duel)

    assert ["proving", end] == hand_in(river, folders, "3", play)
    assert [({"river@2", "reed@1"}, "", 0)] == seen, "it does not play before"
    assert f"river@{plays}" in active(river)
    page = (folders.outbox / "ann/river.py.md").read_text()
    assert "500 deals" in page
    assert "1 version tried in 30 days" in page
    assert ["proving", end] == [line["result"] for line in gates_in(river)]
    if end == "kept back":
        answer, _ = wish(river, folders, 'wish = "activate"\nbot = "river@3"\n')
        assert "river@3 is kept back" == answer.why, "or a wish would be the way round the gate"
        assert ["proving", end] == hand_in(river, folders, "3", play), "and so would be the same files"


def test_files_of_before_prove_themselves_too_unless_they_play(river, folders):
    add_setting(river, 'replace = "gate"')
    assert ["unchanged"] == hand_in(river, folders, "2", rows("worse"))
    assert ["proving", "kept back"] == hand_in(river, folders, "1", rows("worse"))
    assert {"river@2", "reed@1"} == active(river)
    assert ["proving", "accepted"] == hand_in(river, folders, "1", rows("no worse"))
    assert {"river@1", "reed@1"} == active(river)


def test_settings_that_cannot_be_read_end_no_gate(river, folders, monkeypatch):
    def play(duel):
        text = (river.path / "ladder.toml").read_text()
        (river.path / "ladder.toml").write_text("[run")
        try:
            return home_of(duel)
        finally:
            (river.path / "ladder.toml").write_text(text)

    add_setting(river, 'replace = "gate"')
    assert ["proving"] == hand_in(river, folders, "3", play)
    assert {"river@2", "reed@1"} == active(river)


def test_a_new_bot_has_no_gate(river, folders):
    add_setting(river, 'replace = "gate"')
    put(folders, "ann/other.py", f"{ladders.PLAYER}# other\n")
    assert ["new bot"] == [answer.result for _, answer in take(river, folders)]
    assert "other@1" in active(river)


def test_a_gate_goes_on_after_a_kill_and_waits_where_the_machine_fails(river, folders):
    add_setting(river, 'replace = "gate"')
    assert ["proving"] == hand_in(river, folders, "3", busy)
    assert {"river@2", "reed@1"} == active(river)
    ((_, answer),) = take(river, folders, means=means(rows("no worse")))
    assert "accepted" == answer.result
    assert [] == take(river, folders, means=means(rows("worse"))), "it has ended"


def test_a_newer_version_ends_the_gate_of_the_older(river, folders):
    add_setting(river, 'replace = "gate"')
    hand_in(river, folders, "3", busy)
    asked = []

    def play(duel):
        asked.append(duel.new)
        return rows("no worse")(duel)

    (folders.inbox / "ann/.d").mkdir()
    (folders.inbox / "ann/.d/bot.toml").write_text('name = "river"\nrun = ["{python}", "-S", "main.py"]\n')
    (folders.inbox / "ann/.d/main.py").write_text(ladders.PLAYER + "# 4\n")
    rename(folders.inbox / "ann/.d", folders.inbox / "ann/second")
    found = [answer.result for _, answer in take(river, folders, looks=4, means=means(busy))]
    assert ["kept back", "proving"] == found
    assert "a newer version has taken its place" in (folders.outbox / "ann/river.py.md").read_text()
    ended = [(line["entry"], line["result"]) for line in gates_in(river)]
    assert [("river.py", "proving"), ("river.py", "kept back"), ("second", "proving")] == ended
    assert ["accepted"] == [answer.result for _, answer in take(river, folders, means=means(play))]
    newest = open_home(river.path).roster.find("river@4")
    assert [newest.id] == asked
    assert "river@4" in active(river)


def test_a_gate_of_a_bot_that_was_retired_is_kept_back(river, folders):
    add_setting(river, 'replace = "gate"')
    hand_in(river, folders, "3", busy)
    wish(river, folders, 'wish = "retire"\nbot = "river"\n', means=means(busy))
    ((_, answer),) = take(river, folders, means=means(rows("no worse")))
    assert "kept back" == answer.result
    assert {"reed@1"} == active(river)


@pytest.mark.parametrize("mark", ["2", "4"])
def test_any_newer_upload_ends_a_gate_also_one_that_has_none(river, folders, mark):
    add_setting(river, 'replace = "gate"')
    hand_in(river, folders, "3", busy)
    if mark == "4":
        retire(river, "river")
    result = "unchanged" if mark == "2" else "new version"
    assert ["kept back", result] == hand_in(river, folders, mark, busy)
    assert {f"river@{mark}", "reed@1"} == active(river)
    assert [] == take(river, folders, looks=5, means=means(rows("no worse")))


def test_who_has_gone_back_to_another_version_stays_there(river, folders):
    add_setting(river, 'replace = "gate"')
    hand_in(river, folders, "3", busy)
    wish(river, folders, 'wish = "activate"\nbot = "river@1"\n', means=means(busy))
    ((_, answer),) = take(river, folders, means=means(rows("no worse")))
    assert ("kept back", "river@1 plays by now") == (answer.result, answer.why)
    assert {"river@1", "reed@1"} == active(river)


# -- what still waits, and notices


def test_what_waits_is_said_with_until_when(river, folders):
    add_setting(river, 'replace = "gate"')
    (folders.inbox / "bob/young.py").write_text(ladders.PLAYER)
    put(folders, "ann/river.py", f"{ladders.PLAYER}# 3\n")
    box = Inbox(folders, NOBODY, *means(busy))
    with box.lock():
        for _ in range(3):
            [*box.take(river, 1, lambda *_: None)]
        young, gate = box.waiting()
        assert not box.is_at_work
    assert young.startswith("bob: young.py waits until ")
    assert "ann: river.py waits until its duel can be played" == gate


def test_each_answer_is_told_to_the_program_of_the_operator(river, folders):
    with (river.path / "ladder.toml").open("a") as file:
        file.write('[notify]\ncommand = ["./tell.sh"]\n')
    sent, said = [], []

    class Telling(Here):
        def __init__(self, work, task, **more):
            sent.append(task)
            super().__init__(lambda _: ["it has failed"], task, **more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(errands, "Aside", Telling)
        put(folders, "ann/bad.py", "")
        put(folders, "bob/reed.py", f"{ladders.PLAYER}# 3\n")
        take(river, folders, looks=5, said=said)
    assert [("bad.py", "refused"), ("reed.py", "accepted")] == sorted(
        (event["upload"], event["state"]) for _, _, event in sent
    )
    assert str(folders.outbox / "ann/bad.py.md") in [event["page"] for _, _, event in sent]
    assert 1 == sum("warning: it has failed" == text for text, _ in said)


@pytest.mark.process
def test_a_kill_in_the_middle_of_a_duel_loses_nothing(river, folders):
    add_setting(river, "challenges_a_day = 1")
    text = 'wish = "challenge"\nbot = "river"\nagainst = "reed"\ngame = "stellar"\ndeals = 40'
    put(folders, "ann/w.wish.toml", text)
    put(folders, "bob/other.py", f"{ladders.PLAYER}# other\n")
    command = [*ladders.command(river.path)[:1], "inbox", folders.inbox, "--home", river.path]
    with process_group(command, stderr=subprocess.DEVNULL) as process:
        deadline = time.monotonic() + 60
        while not any(store.runs() for store in unrated_stores(river.results).values()):
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.02)
    ended = subprocess.run([*command, "--once"], capture_output=True, text=True, check=True)
    assert "ann: w.wish.toml: done: stellar for 2" in ended.stderr
    (store,) = unrated_stores(river.results).values()
    assert [True] == [bool(run.finished) for run in store.runs()]
    assert {"other.py", "w.wish.toml"} <= {line["entry"] for line in answers_in(river)}
