"""Pages learn that results have changed."""

import asyncio
from pathlib import Path

from support.records import a_block
from support.stores import stored

from ladder.home.home import create_home
from ladder.web.serve.follow import Follower, signature


def test_the_results_change_when_matches_are_committed_and_not_when_they_are_read(tmp_path: Path) -> None:
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
