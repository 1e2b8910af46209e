"""Views as text for people and language models, in lines of at most 100 columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import zip_longest
from typing import Final

from engines.game import Json
from engines.page import page, seat_name
from engines.starry_sky.boards import BOARDS, STARS
from engines.starry_sky.chart import chart
from engines.starry_sky.tokens import HIDDEN

__all__ = ["text"]

_LEFT: Final = 63


def text(view: Mapping[str, Json]) -> str:
    """Return *view* as lines of plain text."""
    parts = [_heading(view), _table(view)]
    parts += [_board(view, board) for board in view["boards"]]
    parts += [_scored_boards(view)] if view["scored"] else []
    return page(parts)


def _heading(view: Mapping[str, Json]) -> Iterator[str]:
    turn, seat = view["turn"], view["next"]
    if seat is None:
        yield f"STARRY SKY, after the last of {STARS} tokens: the match is over."
    else:
        yield f"STARRY SKY, token {turn + 1} of {STARS}: seat {seat} places a token."
    you = f"You are seat {view['seat']}" if "seat" in view else "You are a spectator"
    boards = f"Boards in play: {len(view['boards'])}, to come: {view['pile']}"
    yield f"{you}. Seat {view['first']} began. {boards}."


def _table(view: Mapping[str, Json]) -> Iterator[str]:
    """Yield coins and hands."""
    yield f"{'':<14}{'coins':>6}{'in hand':>9}"
    for seat, (coins, size) in enumerate(zip(view["coins"], view["hands"], strict=True)):
        own = "   " + " ".join(view["hand"]) if view.get("seat") == seat else ""
        yield f"{seat_name(view, seat):<14}{coins:>6}{size:>9}{own}"


def _board(view: Mapping[str, Json], board: Mapping[str, Json]) -> Iterator[str]:
    """Yield a board in play, its stars on the left and its chart on the right."""
    name = board["board"]
    printed = BOARDS[name]
    first, second = board["prizes"]
    worth = f"{first} for the first, {second} for the second"
    yield f"{name}, {printed.name} {printed.title}: {worth}; {board['owners'].count(None)} free"
    stars = [_star(view, board, star) for star in range(len(board["owners"]))]
    for left, right in zip_longest(stars, chart(name), fillvalue=""):
        yield f"{left:<{_LEFT}} {right}"
    for star in range(len(stars)):
        if tokens := view["excluded"].get(f"{name}.{star}"):
            rarer = view["rarer"].get(f"{name}.{star}")
            rare = f"; D is {rarer} times rarer than another" if rarer else ""
            yield f"  {name}.{star} is not: {' '.join(tokens)}{rare}"


def _star(view: Mapping[str, Json], board: Mapping[str, Json], star: int) -> str:
    name = board["board"]
    large = star in board["large"]
    index = f"({star})" if large else f" {star} "
    beside = sorted(end for edge in board["edges"] if star in edge for end in edge if end != star)
    lines = " ".join(map(str, beside))
    return f"{index} {BOARDS[name].stars[star].name:<18} {_lies(view, board, star):<22} lines to {lines}"


def _lies(view: Mapping[str, Json], board: Mapping[str, Json], star: int) -> str:
    owner, token = board["owners"][star], board["tokens"][star]
    if owner is None:
        return "free"
    own = view.get("mine", {}).get(f"{board['board']}.{star}", token)
    return f"seat {owner}: {own}{', face down' if token == HIDDEN else ''}"


def _scored_boards(view: Mapping[str, Json]) -> Iterator[str]:
    """Yield the coins that every scored board paid, and the tokens on its stars."""
    seats = "".join(f"{f'seat {seat}':>8}" for seat in range(view["seats"]))
    yield f"{'Scored':<7}{seats}   owner:token on its stars"
    for done in view["scored"]:
        coins = "".join(f"{coins:>8}" for coins in done["coins"])
        lay = "  ".join(
            f"{owner}:{token}" for owner, token in zip(done["owners"], done["tokens"], strict=True)
        )
        yield f"{done['board']:<7}{coins}   {lay}"
