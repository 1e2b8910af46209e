"""The replay viewer: a stored match as a page, or as a block of a page.

`viewer.js` shows the positions that stand in the page as data.  Each distinct shape of a picture stands there
once.  A frame is one position from one point of view: a list of numbers of parts, kept as the difference to
the frame before.  Without JavaScript the last board, the result and the list of moves are shown.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Final, NamedTuple

from markupsafe import Markup

from engines.game import Move
from ladder.games.shown_game import ShownGame
from ladder.live.live_request import PERSON
from ladder.replay.replay import name_seats, story_of, without_notes
from ladder.replay.review.match_review import hide_others
from ladder.replay.review.review_document import MatchReview, Seen, match_review
from ladder.replay.steps import (
    EVERYTHING,
    SPECTATOR,
    FullPosition,
    Replayed,
    Viewpoint,
    replay_record,
)
from ladder.web.pages.as_html import parts_as_html
from ladder.web.pages.environment import packed_block, render, visible
from ladder.web.pages.file import GENERATOR
from ladder.web.pages.frame import Frame
from ladder.web.pages.step_charts import StepChart, draw_chances, draw_points, draw_thinking
from ladder.web.pages.values_as_html import NoPages, name_of, seat_icon, value_as_html
from ladder.web.pages.viewer_data import SeatShown, ViewerData
from results.record import Json
from results.reports.document import SeatRef
from results.reports.labels import Numbers
from results.reports.story import tell_result
from results.reviewed import ReviewedStep

VIEWER_ASSETS: Final = (
    *("board.css", "viewer.css", "boards.js", "viewer-elements.js", "viewer-panels.js", "viewer.js"),
)
"""What a page with a viewer needs besides what every page needs: give it to Frame as `more`.

Each script uses those before it.
"""
REVIEW_ASSETS: Final = ("review.css", "review.js")
"""What it needs besides if the match was reviewed."""
NO_NUMBERS: Final[Numbers] = MappingProxyType({})


def viewer_page(
    record: Mapping[str, Json],
    *,
    seat: int | None = None,
    notes: bool = True,
    numbers: Numbers = NO_NUMBERS,
    review: Sequence[ReviewedStep] = (),
) -> str:
    """Return *record* as one HTML file that needs nothing else: see viewer_block."""
    played = datetime.fromtimestamp(record["started"] / 1e6, UTC)
    measured = (
        f"{record['game']}, version {record['version']} of its rules; played {played:%Y-%m-%d %H:%M} UTC"
    )
    more = viewer_assets(review)
    frame = Frame(ladder="Replay", home="", more=more, inline=True, measured=(measured,))
    block = viewer_block(record, seat=seat, notes=notes, numbers=numbers, review=review)
    return render_match(frame, record, block, numbers=numbers, generator=GENERATOR)


class Asking(NamedTuple):
    """How a page asks where a match was lost, where a server can find that."""

    finding: str = ""
    """How far it is; empty if nothing looks for it."""
    problem: str = ""
    """Why it cannot be said."""
    is_offered: bool = False
    """Whether there is a button."""
    token: str = ""
    """What its form holds."""


def render_match(
    frame: Frame,
    record: Mapping[str, Json],
    block: Markup | str,
    *,
    numbers: Numbers = NO_NUMBERS,
    pages: Mapping[str, str] = MappingProxyType({}),
    rules: str = "",
    generator: str = "",
    asking: Asking | None = None,
) -> str:
    """Return the page of a match: who won, which match it is, and *block*, its viewer.

    *pages* are those of the bots, by name; *rules* is that of the rules; *asking* is for a server.
    """
    title = story_of(record, numbers)
    seats = [
        SeatRef(at, name, pages.get(seat["bot"], ""))
        for at, (name, seat) in enumerate(zip(name_seats(record, numbers), record["seats"], strict=True))
    ]
    about = ", ".join(
        (
            name_of(record["game"]),
            f"{len(seats)} seats",
            f"{datetime.fromtimestamp(record['started'] / 1e6, UTC):%-d %B %Y}",
            "rated" if isinstance(record["run"], int) else "unrated",
            f"match {record['run']}/{record['number']}",
        )
    )
    return render(
        "pages/templates/match.html",
        frame._replace(description=f"{title}. {about}. {frame.ladder}"),
        title=title,
        story=value_as_html(tell_result(record["seats"], seats), NoPages()),
        about=about,
        rules=rules,
        block=block,
        generator=Markup(generator),  # noqa: S704 - our own mark
        number=record["number"],
        asking=asking or Asking(),
    )


def viewer_assets(review: Sequence[ReviewedStep], *, finding: bool = False) -> tuple[str, ...]:
    """Return what a page with a viewer of a match with this *review*, or none, needs: see VIEWER_ASSETS.

    *finding*: a review is being made, of which the page tells.
    """
    return (*VIEWER_ASSETS[:-1], *REVIEW_ASSETS, VIEWER_ASSETS[-1]) if review or finding else VIEWER_ASSETS


def viewer_block(
    record: Mapping[str, Json],
    *,
    seat: int | None = None,
    notes: bool = True,
    numbers: Numbers = NO_NUMBERS,
    review: Sequence[ReviewedStep] = (),
) -> Markup:
    """Return *record*, as record_of returns it, as a block of a page that has viewer_assets(*review*).

    With *seat*, the block holds what the bot of this seat saw, thought and noted, and the result, no more.
    *numbers* are those of the home: they tell versions of one bot apart.  *review* has the rows of a stored
    review of the match: then the chances of the seats stand below the board, the decisions that cost most
    below them, and what their options promised beside the board.
    """
    record = record if notes else without_notes(record)
    replayed = replay_record(record)
    seats = _seats(record, numbers)
    rows = review if seat is None else hide_others(review, seat)
    viewpoints: list[Viewpoint] = [EVERYTHING, SPECTATOR, *range(len(seats))] if seat is None else [seat]
    collected = ViewerData(record, seats, replayed, rows)
    views = [collected.view(viewpoint) for viewpoint in viewpoints]
    chances = _chances(rows, replayed, seats)
    viewed = range(len(seats)) if seat is None else [seat]
    frame = Frame()
    return Markup(  # noqa: S704 - a template of this package, which escapes its values
        render(
            "pages/templates/viewer.html",
            frame,
            record=record,
            seats=seats,
            seat=seat,
            problem=replayed.problem,
            board=collected.last_board(viewpoints[0]),
            captions=collected.last_captions(viewpoints[0]),
            moves=_moves(record, seats, seat, replayed.positions),
            charts=[*chances, *_charts(replayed.positions, seats, seat)],
            losses=_losses(record, rows, replayed, [made.label for made in seats], viewed) if chances else "",
            data=packed_block(collected.pages(views), "viewer-data") if replayed.positions else "",
        )
    )


def _chances(rows: Sequence[ReviewedStep], replayed: Replayed, seats: Sequence[SeatShown]) -> list[StepChart]:
    """Return the chart of the chances of the seats, if *rows* review a match that can be replayed."""
    if replayed.problem or not rows:
        return []
    chart = draw_chances(rows, [made.label for made in seats], len(replayed.positions) - 1)
    return [chart] if chart else []


def _losses(
    record: Mapping[str, Json],
    rows: Sequence[ReviewedStep],
    replayed: Replayed,
    names: Sequence[str],
    seats: Sequence[int],
) -> Markup:
    """Return what *seats*, which have *names*, lost by their decisions."""

    def see(row: ReviewedStep) -> Seen:
        position = replayed.positions[row.step]
        moves = {decision.seat: decision.move for decision in position.decisions}
        return position.views[row.seat], moves.get(row.seat) or ()

    review = MatchReview(record, rows, names, seats, see, NO_NUMBERS)
    return parts_as_html(match_review(review, "public"), NoPages())


def _charts(
    positions: Sequence[FullPosition], seats: Sequence[SeatShown], seat: int | None
) -> Iterator[StepChart]:
    """Yield the charts of a match, of a *seat* with its own times; how long people thought is private."""
    bots = {
        made.number: made.label
        for made in seats
        if seat in (None, made.number) and made.version != PERSON.version
    }
    if len(positions) > 1:
        drawn = (draw_points(positions, [made.label for made in seats]), draw_thinking(positions, bots))
        yield from filter(None, drawn)


def _seats(record: Mapping[str, Json], numbers: Numbers) -> list[SeatShown]:
    names = name_seats(record, numbers)
    return [
        SeatShown(
            number=i,
            label=visible(names[i]),
            bot=made["bot"],
            version=made["version"],
            rank=made["rank"],
            score=made["score"],
            fault=made["fault"] or "",
            icon=seat_icon(i),
        )
        for i, made in enumerate(record["seats"])
    ]


def _moves(
    record: Mapping[str, Json],
    seats: Sequence[SeatShown],
    seat: int | None,
    positions: Sequence[FullPosition],
) -> list[dict[str, Json]]:
    """Return the recorded moves for the list that needs no JavaScript; with *seat*, its own moves alone.

    They are in words where the match can be replayed.
    """
    game = ShownGame(record["game"]) if positions else None

    def say(step: int, of: int, move: Move) -> str:
        options = [move] if isinstance(move, str) else move
        words = game.say(positions[step].views[of], options) if game and step < len(positions) else options
        return ", ".join(words)

    noted = {
        (note["step"], i): note["text"] for i, made in enumerate(record["seats"]) for note in made["notes"]
    }
    return [
        {
            "step": step,
            "seat": seats[move[0]],
            "move": say(step, *move[:2]),
            "referee": len(move) > 2,
            "note": noted.get((step, move[0]), ""),
        }
        for step, made in enumerate(record["moves"])
        for move in made
        if seat in (None, move[0])
    ]
