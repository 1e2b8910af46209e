"""Views as text for people and language models, in lines of at most 100 columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from engines.game import Json
from engines.page import fill_lines, page, tell_news
from engines.starry_sky.boards import STARS
from engines.starry_sky.news import PHRASES
from engines.starry_sky.tokens import HIDDEN

__all__ = ["text"]

_KEY: Final = "* large star, ? token face down, H black hole, D double star"


def text(view: Mapping[str, Json], events: Sequence[Mapping[str, Json]] = ()) -> str:
    """Return *view* as lines of plain text, and *events*, which happened since the seat's last decision."""
    boards = [line for board in view["boards"] for line in _board(view, board)]
    news = tell_news(events, PHRASES)
    return page([_heading(view), news, _table(view), boards, _scored_boards(view), _answer(view)])


def _heading(view: Mapping[str, Json]) -> Iterator[str]:
    turn, seat = view["turn"], view["next"]
    if seat is None:
        yield f"STARRY SKY, after the last of {STARS} tokens: the match is over."
    else:
        yield f"STARRY SKY, token {turn + 1} of {STARS}: seat {seat} places a token."
    you = f"You are seat {view['seat']}" if "seat" in view else "You are a spectator"
    yield f"{you}. Seat {view['first']} began. Boards to come: {view['pile']}."


def _table(view: Mapping[str, Json]) -> Iterator[str]:
    """Yield coins and hands."""
    coins, sizes = (" ".join(map(str, view[key])) for key in ("coins", "hands"))
    yield f"By seat, from seat 0: coins {coins}; tokens in hand {sizes}"
    if "hand" in view and view["seat"] != view["next"]:
        yield f"Your hand: {' '.join(view['hand']) or 'nothing'}"


def _board(view: Mapping[str, Json], board: Mapping[str, Json]) -> Iterator[str]:
    """Yield a board in play: its prizes, lines and free stars, and what each seat has there."""
    name, owners = board["board"], board["owners"]
    first, second = board["prizes"]
    yield f"{name}: prizes {first} {second}; lines {', '.join(_trails(board['edges']))}"
    free = [_star(board, star) for star, owner in enumerate(owners) if owner is None]
    parts = [f"free {' '.join(free) or 'none'}"]
    for seat in range(view["seats"]):
        laid = [_tell_token(view, board, star) for star, owner in enumerate(owners) if owner == seat]
        if laid:
            parts.append(f"seat {seat} has {', '.join(laid)}")
    yield from fill_lines(" ", "; ".join(parts).split(" "))


def _trails(edges: Iterable[Sequence[int]]) -> list[str]:
    """Return the lines of a board as few strokes: 0-1-2 joins 0 to 1, and 1 to 2."""
    left, trails = sorted(map(sorted, edges)), []
    while left:
        ends = Counter(star for edge in left for star in edge)
        star = min(ends, key=lambda each: (ends[each] % 2 == 0, each))  # where a stroke must begin or end
        trail = [star]
        while edge := next((edge for edge in left if star in edge), None):
            left.remove(edge)
            star = sum(edge) - star
            trail.append(star)
        trails.append("-".join(map(str, trail)))
    return trails


def _star(board: Mapping[str, Json], star: int) -> str:
    return f"{star}*" if star in board["large"] else f"{star}"


def _tell_token(view: Mapping[str, Json], board: Mapping[str, Json], star: int) -> str:
    """Return what lies on a star, and what all know of it if it lies face down."""
    place, token = f"{board['board']}.{star}", board["tokens"][star]
    told = f"{_star(board, star)}:{view.get('mine', {}).get(place, token)}"
    if token == HIDDEN and (excluded := view["excluded"].get(place)):
        told += f" not {' '.join(excluded)}"
        if rarer := view["rarer"].get(place):
            told += f" (D is {rarer} times rarer than another)"
    return told


def _scored_boards(view: Mapping[str, Json]) -> Iterator[str]:
    """Yield the coins that every scored board paid, and to whom asks no decision, what lay there."""
    if not view["scored"]:
        return
    asked = "seat" in view and view["seat"] == view["next"]
    yield "Scored boards, the coins of each seat" + ("" if asked else " and SEAT:TOKEN on the stars")
    boards = []
    for done in view["scored"]:
        coins = " ".join(map(str, done["coins"]))
        laid = zip(done["owners"], done["tokens"], strict=True)
        lay = " ".join(f"{owner}:{token}" for owner, token in laid)
        boards.append(f"{done['board']} {coins}" if asked else f"{done['board']} {coins} ({lay})")
    yield from fill_lines(" ", boards, ";")


def _answer(view: Mapping[str, Json]) -> Iterator[str]:
    """Yield what the seat may do, and how to say it, if it is asked."""
    if "seat" in view and view["seat"] == view["next"]:
        hand = view["hand"]
        board = next(board for board in view["boards"] if None in board["owners"])
        example = f"{hand[0]}@{board['board']}.{board['owners'].index(None)}"
        yield f"Your hand: {' '.join(hand)}"
        yield f'Answer with TOKEN@BOARD.STAR: any of your hand on any free star, like "{example}".'
    yield _KEY
