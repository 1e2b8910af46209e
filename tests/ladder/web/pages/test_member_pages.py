"""The pages of persons after a run: for those who played, once a run, and again after a kill."""

import errno
import os

import pytest
from support.rated_homes import rate
from support.records import a_fault, a_lone_match, a_seat
from support.stores import keep_run
from support.taken_in import take_in

from ladder.home import night
from ladder.home.home import create_home, open_home
from ladder.registry.place import BotPlace
from ladder.web.pages import member_pages
from ladder.web.pages.member_pages import write_member_pages
from results.storage.store import Store

pytestmark = pytest.mark.usefixtures("threads")


@pytest.fixture
def asked(tmp_path):
    """Return a home with a bot of ann, one of bob, and one of the operator; and an outbox."""
    home = create_home(tmp_path / "home")
    for bot in ("river", "reed", "greedy"):
        (tmp_path / f"{bot}.py").write_text(f"# {bot}\n")
        take_in(home.roster, tmp_path / f"{bot}.py")
    for bot, person in (("river", "ann"), ("reed", "bob")):
        home.roster.remember(home.roster.find(bot), BotPlace("", f"{person}/"))
    (tmp_path / "outbox").mkdir()
    return home.path, tmp_path / "outbox"


def play(asked, *bots):
    roster = open_home(asked[0]).roster
    rate(asked[0], [(bot, roster.find(bot).version) for bot in bots])


def pages(asked):
    return {str(path.relative_to(asked[1])): path.read_text() for path in asked[1].glob("*/*/*")}


def test_each_person_who_played_reads_what_has_happened_since_the_last_time(asked):
    assert [] == write_member_pages(asked)
    assert {} == pages(asked), "nothing was played"
    play(asked, "river", "reed", "greedy")
    assert [] == write_member_pages(asked)
    first = pages(asked)
    assert {"ann/bots/river.md", "bob/bots/reed.md"} == first.keys()
    news = first["ann/bots/river.md"].partition("# `river@1`")[0]
    assert "- 40 matches\n- place at stellar: 1 to 3; before: none\n" in news
    play(asked, "reed", "greedy")
    write_member_pages(asked)
    second = pages(asked)
    assert first["ann/bots/river.md"] == second["ann/bots/river.md"], "it did not play"
    assert "- 20 matches since 20" in second["bob/bots/reed.md"]


def test_a_run_is_told_once_and_again_where_a_kill_came_between(asked, monkeypatch):
    play(asked, "river", "reed")

    def kill(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(night, "keep_told", kill)
        with pytest.raises(KeyboardInterrupt):
            write_member_pages(asked)
    before = pages(asked)
    (asked[1] / "ann/bots/.river.md.tmp").write_text("half")
    write_member_pages(asked)
    assert before == pages(asked)
    monkeypatch.setattr(member_pages, "ratings_of", kill)
    assert [] == write_member_pages(asked), "nothing is read where nothing is new"


def test_a_run_that_goes_on_is_told_when_it_has_ended(asked):
    play(asked, "river", "reed")
    write_member_pages(asked)
    store = Store(asked[0] / "results")
    with store.lock():
        keep_run(store, [], 2, ends=False, bots=store.runs()[0].bots)
    before = pages(asked)
    write_member_pages(asked)
    assert before == pages(asked)
    assert 1 == night.read_told(open_home(asked[0]), night.TOLD_TO_MEMBERS).run


def test_faults_and_reports_of_a_service_are_told_apart(asked):
    bots = [(bot, open_home(asked[0]).roster.find(bot).version) for bot in ("river", "reed")]
    river = dict(zip(("bot", "version"), bots[0], strict=True))
    seats = [a_seat(bot, rank, version=version) for rank, (bot, version) in enumerate(bots, 1)]
    faults = [a_fault(**river), *[a_fault(kind="transport", charged=False, **river)] * 3]
    store = Store(asked[0] / "results")
    with store.lock():
        told = [{"name": bot, "version": version} for bot, version in bots]
        keep_run(store, [a_lone_match(0, *faults, seats=seats)], bots=told)
    write_member_pages(asked)
    page = pages(asked)["ann/bots/river.md"]
    assert "- 3 reports of transport, which cost no match: 1/0\n- 1 match lost by timeout: 1/0\n" in page
    assert "slow" in page, "what it wrote to stderr"


def test_a_closed_folder_keeps_no_other_page_back(asked, monkeypatch):
    real = member_pages.put_page

    def put_page(path, page):
        if "ann" in path.parts:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        real(path, page)

    play(asked, "river", "reed")
    monkeypatch.setattr(member_pages, "put_page", put_page)
    (warning,) = write_member_pages(asked)
    assert warning.endswith("ann/bots/river.md is not written: Permission denied")
    assert {"bob/bots/reed.md"} == pages(asked).keys()
