"""Bots that follow the events and never look at a view."""

from collections.abc import Callable, Sequence
from typing import Any

from engines.game import Game, Json, Seat, Step
from support.kits import as_json


class EventFollower:
    """A bot that never looks at a view and knows all that is in it: it has a `hear_KIND` for each event."""

    def hear(self, event: dict[str, Json]) -> None:
        getattr(self, f"hear_{event['event']}")(event)

    def view(self) -> dict[str, Json]:
        """Return what the view of its seat must be."""
        raise NotImplementedError


def match_views(
    game: Game[Any], match: Sequence[Step[Any]], follower: Callable[[Seat | None], EventFollower]
) -> None:
    """Assert that at every seat the events say just what the view says, whichever of them a bot follows."""
    seats: int = game.view(match[0].state, None)["seats"]
    followers = {seat: follower(seat) for seat in (*range(seats), None)}
    for step in match:
        for seat, follower in followers.items():
            for event in step.events:
                follower.hear(as_json(event.seen_by(seat)))
            assert game.view(step.state, seat) == follower.view()
