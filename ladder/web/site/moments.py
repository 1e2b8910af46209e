"""Some moments of a match as boards, which the first page shows one after another."""

import gzip
from collections.abc import Sequence
from typing import Final, NamedTuple

import msgspec
from markupsafe import Markup

from engines.drawing import Picture
from engines.games import GameNotLoaded
from ladder.errors import LadderError
from ladder.games.shown_game import ShownGame
from ladder.machine.plugged_in import go_on_without
from ladder.replay.replay import deal_of, make_record
from ladder.replay.steps import EVERYTHING, FullPosition, look, replay_record
from ladder.web.pages.environment import data_block, visible
from ladder.web.site.format import Shown
from results.record import Json
from results.reports.document import BotRef
from results.reports.labels import tell_apart
from results.reports.survey import MatchId

MOST: Final = (16, 12, 8)
"""At most this many moments are shown; fewer if the drawings of the first number take more than ROOM."""
ROOM: Final = 30_000
"""The most bytes, compressed, that moments may take: half of what the first page may have."""


class Moments(NamedTuple):
    """The moments of a match, as they stand in a page."""

    board: Markup
    """The last one, which is there without JavaScript as well."""
    steps: int
    """The steps of the match."""
    data: Markup
    """All of them, for front.js; empty if there is only one, or no room for more."""


def moments_of(shown: Shown, which: MatchId) -> Moments | None:
    """Return moments of a match that has a page; None if this ladder cannot replay it to its end."""
    match, _ = shown.matches[which]
    settings = shown.facts.contents.run(which[0]).settings
    try:
        record = make_record(match, which[0], settings, deal_of(match, settings.tables), [])
        replayed = replay_record(record)
    except (LadderError, GameNotLoaded, ValueError):
        return None  # the match's own page says why
    if replayed.problem or not replayed.positions:
        return None
    label = shown.names().label
    names = [visible(label(BotRef(seat.bot, seat.version))) for seat in match.seats]
    what = f"the moments of match {which[0]}/{which[1]} cannot be drawn"
    return go_on_without(
        what, lambda: _draw_moments(match.game, replayed.positions, tell_apart(names)), None, match.game
    )


def _draw_moments(game: str, positions: Sequence[FullPosition], names: Sequence[str]) -> Moments | None:
    """Return as many moments as there is room for; None where not even one fits."""
    shown = ShownGame(game)

    def draw(position: FullPosition) -> Picture:
        return shown.draw(*look(position, EVERYTHING).views, names=names)

    last = draw(positions[-1])
    svg = last.svg()
    if _weigh(svg.encode()) > ROOM:
        return None
    steps = len(positions) - 1
    for most in MOST:
        chosen = _spread(steps, most)
        data = _collect([*map(draw, (positions[step] for step in chosen[:-1])), last], chosen)
        if steps and _weigh(msgspec.json.encode(data)) <= ROOM:
            return Moments(_trust(svg), steps, data_block(data, "moments"))
    return Moments(_trust(svg), steps, Markup(""))


def _spread(steps: int, most: int) -> list[int]:
    """Return at most *most* numbers from 0 to *steps*, both among them, as evenly as whole numbers can be."""
    number = min(most, steps + 1)
    return [round(i * steps / max(1, number - 1)) for i in range(number)]


def _collect(pictures: Sequence[Picture], steps: Sequence[int]) -> dict[str, Json]:
    """Return what the script needs: each part once, and by moment the numbers of its parts."""
    parts: dict[str, int] = {}
    frames = [[parts.setdefault(part.svg, len(parts)) for part in picture.parts] for picture in pictures]
    # All have one size, the largest: what follows on the page stays where it is.
    width, height = (
        max(sizes) for sizes in zip(*((each.width, each.height) for each in pictures), strict=True)
    )
    return {"width": width, "height": height, "parts": list(parts), "frames": frames, "steps": list(steps)}


def _weigh(data: bytes) -> int:
    return len(gzip.compress(data, mtime=0))


def _trust(svg: str) -> Markup:
    return Markup(svg)  # noqa: S704 - a picture of engines.drawing, which escapes its texts
