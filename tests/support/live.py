"""Live matches for tests: homes with small bots, and a person who plays by a rule."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from socket import socket
from unittest.mock import Mock

from engines.game import Move
from ladder.home.home import Home
from ladder.live.live_match import LiveMatch
from ladder.live.live_messages import Asked, News
from ladder.live.live_request import PlayPlan, plan_match
from ladder.live.play_request import PlayRequest
from support import ladders
from support.main_module import ladder_as_main

ALL_GAMES = '[sandbox]\ntier = "none"\n'
"""Settings for homes of all games without a sandbox."""


def a_home(path: Path, mark: str = "") -> Home:
    """Make a home with two bots that play every game; *mark* is among the arguments of their processes."""
    return ladders.a_home(path, {"first": {"style": "first"}, "mixed": {}}, ALL_GAMES, mark)


def plan_live_match(home: Home, game: str, *bots: str, **more: object) -> PlayPlan:
    """Return a plan for a match of *game*."""
    return plan_match(home, PlayRequest(game=game, bots=bots, **more), Mock(side_effect=AssertionError))  # type: ignore[arg-type]


@contextmanager
def going_on(plan: PlayPlan, connected: socket | None = None) -> Iterator[LiveMatch]:
    """Start the match of *plan*, with a bot that has *connected*, and close it at the end."""
    with ladder_as_main():
        match = LiveMatch.start(plan, connected)
    with closing(match):
        yield match


def all_news(
    match: LiveMatch, decide: Callable[[Asked], Move] = lambda asked: next(iter(asked.choice))
) -> list[News]:
    """Play *match* to its end, the person by *decide*; return all its news."""
    found: list[News] = []
    while not match.ended:
        for news in match.read(60):
            found.append(news)
            if isinstance(news, Asked):
                match.answer(decide(news))
    return found
