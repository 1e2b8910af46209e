"""Some moments of a match as boards, which the first page shows one after another."""

import gzip
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from markupsafe import Markup

from engines.drawing import Picture
from engines.games import GameNotLoaded
from ladder.errors import LadderError
from ladder.games.shown_game import ShownGame
from ladder.machine.plugged_in import go_on_without
from ladder.replay.replay import deal_of, make_record
from ladder.replay.steps import EVERYTHING, look, replay_record
from ladder.web.pages.environment import packed_block, visible
from ladder.web.site.format import Shown
from results.reports.document import BotRef
from results.reports.labels import tell_apart
from results.reports.survey import MatchId

MOST: Final = 16
"""At most this many moments are shown."""
ROOM: Final = 24_000
"""The most bytes, compressed, that they may take: less than half of what the first page may have."""


class Moments(NamedTuple):
    """Moments of a match, as they stand in a page."""

    board: Markup
    """The first one, which is there without JavaScript as well."""
    step: int
    place: str
    """Its step in words."""
    data: Markup
    """All of them, for front.js; empty if there is only one, or no room for more."""


def moments_of(shown: Shown, which: MatchId, *, only_middle: bool = False) -> Moments | None:
    """Return moments of a match that has a page, from where it turned to its end, or *only_middle*.

    None if this ladder cannot replay it to its end, or has no room for its board.
    """
    match, _ = shown.matches[which]
    settings = shown.facts.contents.run(which[0]).settings
    try:
        record = make_record(match, which[0], settings, deal_of(match, settings.tables), [])
        replayed = replay_record(record)
    except (LadderError, GameNotLoaded, ValueError):
        return None  # the match's own page says why
    positions = replayed.positions
    if replayed.problem or not positions:
        return None
    chances: dict[int, dict[int, float]] = {}
    for row in shown.facts.find_review(match):
        if row.chance_seen is not None:
            chances.setdefault(row.step, {})[row.seat] = row.chance_seen
    lines = [chances.get(at.step, {}) if chances else dict(enumerate(at.points or ())) for at in positions]
    last, turn = len(positions) - 1, _turning_point(lines)
    first = last // 2 if turn is None or only_middle else turn
    steps = [first] if only_middle else _spread(first, last)
    label, game = shown.names().label, ShownGame(match.game)
    names = tell_apart([visible(label(BotRef(seat.bot, seat.version))) for seat in match.seats])

    def draw() -> Moments | None:
        pictures = [game.draw(*look(positions[step], EVERYTHING).views, names=names) for step in steps]
        board = _with_room_for(pictures).svg(both=not only_middle)
        block = packed_block(_collect(pictures, steps), "moments")
        if _weigh(board.encode()) > ROOM // (4 if only_middle else 1):
            return None
        has_room = len(steps) > 1 and _weigh(block.encode()) <= ROOM
        place = f"Step {first} of {last}{', where it turned' if first == turn else ''}"
        data = block if has_room else Markup("")
        return Moments(Markup(board), first, place, data)  # noqa: S704 - a picture, which escapes its texts

    what = f"the moments of match {which[0]}/{which[1]} cannot be drawn"
    return go_on_without(what, draw, None, match.game)


def _turning_point(lines: Sequence[Mapping[int, float]]) -> int | None:
    """Return the last step at which the lead changed; *lines* are the points or chances by seat, by step.

    The first quarter of a match does not count, as its boards are almost empty, nor does the end.
    """
    leads = [
        (step, {seat for seat, value in line.items() if value == max(line.values())})
        for step, line in enumerate(lines)
        if line
    ]
    turns = [step for (_, before), (step, now) in pairwise(leads) if now != before]
    return max((step for step in turns if len(lines) // 4 <= step < len(lines) - 1), default=None)


def _spread(first: int, last: int) -> list[int]:
    """Return at most MOST numbers from *first* to *last*, both among them, as evenly as can be."""
    number = min(MOST, last - first + 1)
    return [first + round(i * (last - first) / max(1, number - 1)) for i in range(number)]


def _collect(pictures: Sequence[Picture], steps: Sequence[int]) -> dict[str, Sequence[object]]:
    """Return what the script needs: each part once, and by moment the numbers of its parts."""
    parts: dict[str, int] = {}
    frames = [
        [parts.setdefault(part, len(parts)) for part in picture.fragments(both=True)] for picture in pictures
    ]
    return {"parts": list(parts), "frames": frames, "steps": steps}


def _with_room_for(pictures: Sequence[Picture]) -> Picture:
    """Return the first of *pictures*, as large as the largest: what follows on the page stays where it is."""
    width, height = (
        max(sizes) for sizes in zip(*((each.width, each.height) for each in pictures), strict=True)
    )
    first, wides = pictures[0], [each.wide[:2] for each in pictures if each.wide]
    wide = first.wide and first.wide._replace(width=max(wides)[0], height=max(high for _, high in wides))
    return first._replace(width=width, height=height, wide=wide)


def _weigh(data: bytes) -> int:
    return len(gzip.compress(data, mtime=0))
