"""Bots that follow the events and never look at a view, and games whose events or views are wrong."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from engines.game import Event, Game, Json, Seat, Step
from support.kits import as_json


class EventFollower:
    """A bot that never looks at a view and knows all that is in it: it has a `hear_KIND` for each event."""

    def hear(self, event: dict[str, Json]) -> None:
        getattr(self, f"hear_{event['event']}")(event)

    def view(self) -> dict[str, Json]:
        """Return what the view of its seat must be."""
        raise NotImplementedError


def match_views(
    game: Game[Any], steps: Iterable[Step[Any]], followers: Mapping[Seat | None, EventFollower]
) -> None:
    """Assert that at every seat the events say just what the view says, whichever of them a bot follows."""
    for step in steps:
        for seat, follower in followers.items():
            for event in step.events:
                follower.hear(as_json(event.seen_by(seat)))
            assert game.view(step.state, seat) == follower.view()


def send_to_the_wrong_seat(game: type[Any], seats: int) -> type[Any]:
    """Return a *game* in which the next of *seats* gets what only one of them may know."""

    def cross(events: tuple[Event, ...]) -> list[Event]:
        return [
            Event(
                event.kind, event.public, {(seat + 1) % seats: event.private[seat] for seat in event.private}
            )
            for event in events
        ]

    return _with_events(game, cross)


def leave_out_events(game: type[Any], kind: str) -> type[Any]:
    """Return a *game* without the events of this *kind*."""
    return _with_events(game, lambda events: [event for event in events if event.kind != kind])


def _with_events(game: type[Any], change: Callable[[tuple[Event, ...]], list[Event]]) -> type[Any]:
    class OtherEvents(game):  # type: ignore[misc]  # a class that is a value
        def play(self, state, moves):
            state, events = super().play(state, moves)
            return Step(state, tuple(change(events)))

    return OtherEvents


def forget_in_views(game: type[Any], **fields: Json) -> type[Any]:
    """Return a *game* whose views always have these *fields*."""

    class OtherViews(game):  # type: ignore[misc]  # a class that is a value
        def view(self, state, seat):
            return super().view(state, seat) | fields

    return OtherViews
