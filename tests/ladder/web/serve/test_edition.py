"""Editions of a server's pages: pages learn of newer results, also while results rest."""

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path
from unittest.mock import Mock

import pytest
from support.live import a_home
from support.records import a_block
from support.stores import stored

from ladder.home.home import Home, create_home
from ladder.web.serve import edition
from ladder.web.serve.edition import Editions, Follower, signature


@pytest.fixture
def home(tmp_path):
    return a_home(tmp_path / "home", mark="mark-of-editions")


def change(home, store):
    """Make something that looks like new results."""
    (home.results / "unrated" / store).mkdir(parents=True)


def named(shown):
    """Return the name of the edition of a page as a browser reads it."""
    (name,) = re.findall(r'data-edition="([^"]+)"', shown.page("index.html") or "")
    return name


async def told(stream: AsyncIterator[str]) -> str:
    """Return the name that the next event tells."""
    async for event in stream:
        if event.startswith("id: "):
            return event.split()[1]
    raise AssertionError("the stream ended")


async def test_a_page_learns_of_what_came_while_it_was_loaded(home: Home) -> None:
    editions = Editions(home)
    loaded = named(await editions.read())
    change(home, "d1")
    editions._rest.seconds = 0.0  # nothing rests
    newer = named(await editions.read())  # asked for by another visitor, before this page listens
    assert loaded != newer
    assert newer == await asyncio.wait_for(told(editions.changes(loaded)), 20)


async def test_a_page_of_a_server_that_was_here_before_is_renewed(home: Home) -> None:
    editions = Editions(home)
    before = named(await Editions(home).read())
    name = await asyncio.wait_for(told(editions.changes(before)), 20)
    assert named(await editions.read()) == name


async def test_an_event_comes_when_a_browser_gets_what_it_tells_of(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Results that come while others rest are told of later: else the page would keep the old ones."""
    made = []
    edition_of = edition.read_edition
    monkeypatch.setattr(edition, "read_edition", lambda *of: made.append(of) or edition_of(*of))
    editions = Editions(home)
    shown = named(await editions.read())
    change(home, "d1")
    editions._rest.seconds = 2.0  # as if making them had taken so long
    assert shown == named(await editions.read())
    waiting = asyncio.create_task(told(editions.changes(shown)))
    done, _ = await asyncio.wait([waiting], timeout=0.5)
    assert not done
    name = await asyncio.wait_for(waiting, 20)
    assert named(await editions.read()) == name
    assert 2 == len(made)


async def test_a_failure_to_read_is_not_taken_for_the_newest_edition(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    editions = Editions(home)
    before = named(await editions.read())
    change(home, "d1")
    editions._rest.seconds = 0.0
    with monkeypatch.context() as patch:
        patch.setattr(edition, "read_edition", Mock(side_effect=OSError("once")))
        with pytest.raises(OSError, match="once"):
            await editions.read()
    assert before != named(await editions.read())


def test_the_results_change_when_matches_are_committed_and_not_when_they_are_read(tmp_path):
    home = create_home(tmp_path / "home")
    follower = Follower(home.results)
    follower.look()
    assert 0 == follower.version
    stored(home.results, *map(a_block, range(4)))
    follower.look()
    assert 1 == follower.version
    before = signature(home.results)
    home.matches()
    assert before == signature(home.results)
    (home.results / "unrated" / "d1").mkdir(parents=True)
    follower.look()
    assert 2 == follower.version


async def test_a_change_is_waited_for(tmp_path: Path) -> None:
    follower = Follower(tmp_path)
    waiting = asyncio.create_task(follower.next_change(0, 30))
    await asyncio.sleep(0)
    (tmp_path / "unrated" / "d1").mkdir(parents=True)
    await asyncio.wait_for(waiting, 20)
    assert 1 == follower.version
