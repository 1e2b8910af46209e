"""The table as a picture: boards with stars, lines and tokens, the tokens of each seat, and the coins."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import Final, NamedTuple

from engines import drawing
from engines.drawing import Part, Picture
from engines.game import Json, MovePart, Seat
from engines.remember import remember
from engines.starry_sky import sky
from engines.starry_sky.boards import BOARDS, NAMES, STARS
from engines.starry_sky.text import in_words, text
from engines.starry_sky.tokens import DOUBLE, HIDDEN, TOKENS

_MARGIN: Final = 14
_INSIDE: Final = drawing.WIDTH - 2 * _MARGIN
_BOARDS: Final = 52
_WIDE: Final = 301
_HIGH: Final = 286
_GAP: Final = 10
_STARS: Final = (32, 62)
"""Where the room of the stars begins on a board."""
_SEAT: Final = 46
"""The height of the line of a seat."""
_OWN: Final = 62
"""The height of the tray below all seats: the own tokens lie there, large, to be touched."""
_LEGEND: Final = 34
_LABEL: Final = 234
_TOKEN: Final = 17
_OWN_TOKEN: Final = 24
_STEP: Final = 42
"""The distance of two tokens of a seat."""
_LINE: Final = 32
_PAID: Final = 50
"""The width of the names of the boards in the table of what they paid."""
_EACH: Final = (*TOKENS, DOUBLE)
"""The nine tokens of a seat."""


class _Seen(NamedTuple):
    """What the holders of the views know together."""

    view: Mapping[str, Json]
    mine: Mapping[str, str]
    """The tokens that lie face down and are known, by their place."""
    left: list[dict[str, int]]
    """By seat, how many of each token are out of sight: in the hand, or face down and not known."""
    names: tuple[str, ...]
    """Those of the seats, if they have any."""


def draw(*views: Mapping[str, Json], names: Sequence[str] = ()) -> Picture:
    """Return what the holders of *views* know together."""
    view, seats = views[0], views[0]["seats"]
    owners = {each["seat"]: each for each in views if "seat" in each}
    mine = {place: token for each in owners.values() for place, token in each["mine"].items()}
    seen = _Seen(view, mine, _out_of_sight(view, mine), tuple(names))
    above = [*_heading(view, names)]
    boards = [_board(seen, index) for index in range(seats)]
    top = _BOARDS + (seats + 1) // 2 * (_HIGH + _GAP)
    hands = [_legend(top)]
    tray = top + _LEGEND + seats * _SEAT
    own = next(iter(owners)) if len(views) == len(owners) == 1 else None
    for seat in range(seats):
        hands += _seat(seen, seat, top + _LEGEND + seat * _SEAT, tray if seat == own else None)
    height = tray + _OWN + _MARGIN  # the same for all, so that a page does not jump
    if seats % 2:  # a quarter is free beside the last board
        left, down, across, columns = _MARGIN + _WIDE + _GAP, top - _HIGH - _GAP, _WIDE, 2
    else:
        left, down, across, columns = _MARGIN, height, _INSIDE, 3
        height += _LINE * (len(NAMES) // 3 + 1) + _MARGIN
    scores = _draw_scores(view, left, down, across, columns)
    parts = [*above, *(part for each in boards for part in each), *hands, *scores]
    up, step = _BOARDS + _HIGH + _GAP - top, _WIDE + _GAP
    wide = drawing.arrange(
        2 * _MARGIN + seats * step - _GAP,
        tray + _OWN + _MARGIN + up,
        *((each, at // 2 * 2 * step, -(at // 2) * (_HIGH + _GAP)) for at, each in enumerate(boards)),
        (above, 0, 0),
        (hands, 0, up),
        (scores, _MARGIN + 2 * step - left, top + up - down),
    )
    title = f"Starry Sky, {drawing.viewpoint(views, names)}"
    description = drawing.describe(text, views, ["hand", "mine"])
    return Picture(drawing.WIDTH, height, title, description, tuple(parts), wide=wide)


def parts_of(view: Mapping[str, Json], option: str) -> list[MovePart]:
    """Return the token that *option* lays, of two double stars either, and the star on which it lays it."""
    seat, (token, _, place) = view["seat"], option.partition("@")
    held = [_key(seat, token, f"hand-{each + 1}") for each in range(view["hand"].count(token))]
    called = f"token {token}" if token.isdecimal() else in_words(token)
    return [MovePart(called, tuple(held)), MovePart(in_words(place), (f"star-{place}",))]


def _heading(view: Mapping[str, Json], names: Sequence[str]) -> Iterator[Part]:
    turn, seat = view["turn"], view["next"]
    now = "The match is over"
    if seat is not None:
        now = f"Token {turn + 1} of {STARS}: {drawing.seat_name(seat, names)}"
    left = f"{view['pile'] or 'no'} board{'' if view['pile'] == 1 else 's'} to come"
    room = _INSIDE - drawing.text_width(left) - 14
    yield drawing.heading(now, _MARGIN, 27, room)
    yield drawing.label("pile", drawing.WIDTH - _MARGIN, 27, left, 22, "muted", "end")


def _board(seen: _Seen, index: int) -> Sequence[Part]:
    """Return the board at *index* with its stars and tokens.

    Once the pile is empty there are fewer boards; in their places are those that were scored last.
    """
    x = _MARGIN + index % 2 * (_WIDE + _GAP)
    y = _BOARDS + index // 2 * (_HIGH + _GAP)
    boards, scored = seen.view["boards"], seen.view["scored"]
    if index >= len(boards):
        return _scored_board(*_scored_as(scored[len(boards) - index - 1]), x, y)
    board = boards[index]
    name, owners, tokens = board["board"], board["owners"], board["tokens"]
    known: list[str | None] = []
    clues: list[tuple[int, str]] = []
    for star, token in enumerate(tokens):
        mine = None
        if token == HIDDEN:
            place = f"{name}.{star}"
            mine = seen.mine.get(place)
            if mine is None and (clue := _clue(seen, place, owners[star])):
                clues.append((star, clue))
        known.append(mine)
    return _board_parts(
        name, tuple(owners), tuple(tokens), tuple(board["large"]), tuple(known), tuple(clues), x, y
    )


@lru_cache(maxsize=4096)
def _board_parts(
    name: str,
    owners: tuple[Seat | None, ...],
    tokens: tuple[str | None, ...],
    large: tuple[int, ...],
    known: tuple[str | None, ...],
    clues: tuple[tuple[int, str], ...],
    x: float,
    y: float,
) -> Sequence[Part]:
    """Return a board in play, by star: what lies there, and the token that is *known* to lie face down."""
    parts = [_sheet(name, x, y)]
    for star, (owner, token, mine) in enumerate(zip(owners, tokens, known, strict=True)):
        at_x, at_y = _star(name, star, x, y)
        place = f"{name}.{star}"
        if owner is None or token is None:
            part = drawing.star(f"star-{place}", at_x, at_y, str(star), large=star in large)
        elif token != HIDDEN:
            part = drawing.token(_key(owner, token, place), at_x, at_y, owner, token)
        elif mine is not None:
            part = drawing.token(_key(owner, mine, place), at_x, at_y, owner, mine, hidden=True)
        else:
            part = drawing.token(f"hidden-{place}", at_x, at_y, owner, HIDDEN, hidden=True)
        parts.append(part)
    return [*parts, *_clues(name, clues, x, y)]  # clues above the tokens


def _clues(name: str, clues: tuple[tuple[int, str], ...], x: float, y: float) -> Iterator[Part]:
    """Yield the clues to the tokens on some stars of a board, where they cover neither tokens nor others."""
    for star, clue, right, down in sky.clue_places(name, clues):
        at = (x + _STARS[0] + right, y + _STARS[1] + down)
        yield drawing.label(f"clue-{name}.{star}", *at, clue, sky.CLUE, "ink halo", "middle")


def _scored_as(scored: Mapping[str, Json]) -> tuple[str, tuple[Seat, ...], tuple[str, ...]]:
    """Return the name of a board that has been scored, and by star whose token lay there, and which."""
    return scored["board"], tuple(scored["owners"]), tuple(scored["tokens"])


@lru_cache(maxsize=1024)
def _scored_board(
    name: str, owners: tuple[Seat, ...], tokens: tuple[str, ...], x: float, y: float
) -> Sequence[Part]:
    """Return a board that has been scored, with its tokens as they were turned up."""
    parts = [_sheet(name, x, y, scored=True)]
    for star, (owner, token) in enumerate(zip(owners, tokens, strict=True)):
        at_x, at_y = _star(name, star, x, y)
        parts.append(drawing.token(f"scored-{name}.{star}", at_x, at_y, owner, token, kind="calm"))
    return parts


def _star(name: str, star: int, x: float, y: float) -> tuple[float, float]:
    right, down = sky.places(name)[star]
    return x + _STARS[0] + right, y + _STARS[1] + down


@cache
def _sheet(name: str, x: float, y: float, *, scored: bool = False) -> Part:
    """Return a board without tokens: its frame, its names, its prizes and its lines."""
    board, places = BOARDS[name], sky.places(name)
    first, second = board.prizes
    content = drawing.rectangle(_WIDE, _HIGH, kind="slot" if scored else "surface", radius=12)
    content += drawing.words(name, 14, 22, 23, "ink strong")
    note, kind = ("scored", "muted") if scored else (f"{first} / {second}", "ink")
    after = 14 + drawing.text_width(name, 23, "ink strong") + 7
    room = _WIDE - 14 - drawing.text_width(note) - 10 - after
    title = board.name if board.name != name else board.title
    content += drawing.words(title, after, 22, 22, "muted", room=room)
    content += drawing.words(note, _WIDE - 14, 22, 22, kind, "end")
    left, top = _STARS
    for one, other in board.edges:
        (x1, y1), (x2, y2) = places[one], places[other]
        content += drawing.edge(left + x1, top + y1, left + x2, top + y2)
    return drawing.make_part(f"board-{name}", x, y, drawing.outline(_WIDE, _HIGH, radius=12), content)


def sketches(event: Mapping[str, Json], options: Mapping[str, Json] | None = None) -> list[Picture]:
    """Return the token of *event*, small, in the shape of its seat; or the board that was scored."""
    if event["event"] == "score":
        return [Picture(_WIDE, _HIGH, event["board"], "", tuple(_scored_board(*_scored_as(event), 0, 0)))]

    def draw_token(text: str) -> Part | None:
        if text not in TOKENS:
            return None
        return drawing.token(text, 30, 30, event["seat"], text)

    return drawing.sketch_things(event, ("token",), draw_token, (60, 60))


def _key(seat: Seat, token: str, place: str) -> str:
    """Return the key of a token that is known; the two double stars are alike, so theirs says the place."""
    return f"token-{seat}-{token}-{place}" if token == DOUBLE else f"token-{seat}-{token}"


def _clue(seen: _Seen, place: str, owner: Seat) -> str:
    """Return what a hidden token is not, or what it may be, whichever is shorter."""
    excluded = seen.view["excluded"].get(place, [])
    possible = seen.left[owner]
    never = {token for token in excluded if token != DOUBLE or excluded.count(DOUBLE) == 2}
    may_be = [token for token in TOKENS if possible[token] and token not in never]
    is_not = [token for token in TOKENS if possible[token] and token not in may_be]
    if not is_not:
        return ""
    return f"{' '.join(may_be)}?" if len(may_be) <= len(is_not) else f"not {' '.join(is_not)}"


def _out_of_sight(view: Mapping[str, Json], mine: Mapping[str, str]) -> list[dict[str, int]]:
    """Return of each seat the tokens that lie face up on no board and are not known face down."""
    left = [dict.fromkeys(TOKENS, 1) | {DOUBLE: 2} for _ in range(view["seats"])]
    for board in view["boards"]:
        for star, (owner, token) in enumerate(zip(board["owners"], board["tokens"], strict=True)):
            token = mine.get(f"{board['board']}.{star}", token) if token == HIDDEN else token
            if owner is not None and token != HIDDEN:
                left[owner][token] -= 1
    return left


def _seat(seen: _Seen, seat: Seat, y: float, tray: float | None) -> Sequence[Part]:
    """Return the line of a seat: its coins, and its tokens that lie on no board, as far as can be told."""
    view, left = seen.view, seen.left[seat]
    unsure = sum(left.values()) != view["hands"][seat]
    asked = view["next"] == seat
    held = tuple(left.values())
    return _seat_line(seat, y, view["coins"][seat], seen.names, tray, asked, held, unsure)


@lru_cache(maxsize=4096)
def _seat_line(
    seat: Seat,
    y: float,
    coins: int,
    names: tuple[str, ...],
    tray: float | None,
    asked: bool,
    held: tuple[int, ...],
    unsure: bool,
) -> Sequence[Part]:
    """Return the line of a seat, which has *held* of each of TOKENS in the hand, or *unsure*: face down.

    Tokens that may be either are drawn as face down.  The own ones lie at the height of the *tray*.
    """
    left = dict(zip(TOKENS, held, strict=True))
    label = drawing.seat_label(
        f"seat-{seat}",
        _MARGIN,
        y + 5,
        seat,
        _LABEL,
        str(coins),
        names=names,
        own=tray is not None,
        asked=asked,
        kind="calm",
    )
    parts = [label, _supply(seat, y, tray)]
    for place, token in enumerate(_EACH):
        second = place == len(TOKENS)
        if left[token] > second:
            key, at = _key(seat, token, f"hand-{1 + second}"), _in_supply(place, y, tray)
            radius = _TOKEN if tray is None else _OWN_TOKEN
            parts.append(drawing.token(key, *at, seat, token, radius=radius, hidden=unsure, kind="calm"))
    return parts


@cache
def _legend(y: float) -> Part:
    content = drawing.words("coins", _LABEL, 0, 21, "muted", "end")
    content += drawing.words("dashed: in hand or face down", _INSIDE, 0, 21, "muted", "end")
    return drawing.make_part("legend", _MARGIN, y + _LEGEND / 2, drawing.NO_OUTLINE, content)


def _in_supply(place: int, y: float, tray: float | None) -> tuple[float, float]:
    """Return where a token of the seat whose line is at *y* lies; those of the own seat are in the *tray*."""
    if tray is not None:
        return _MARGIN + (place + 0.5) * _INSIDE / len(_EACH), tray + _OWN / 2 - 2
    return drawing.WIDTH - _MARGIN - _TOKEN - (len(_EACH) - 1 - place) * _STEP, y + 21


@cache
def _supply(seat: Seat, y: float, tray: float | None) -> Part:
    """Return the places of the tokens of a seat; where one is away, its name shows."""
    content = "".join(
        drawing.words(token, *_in_supply(place, y, tray), 21, "muted", "middle")
        for place, token in enumerate(_EACH)
    )
    return drawing.make_part(f"supply-{seat}", 0, 0, drawing.NO_OUTLINE, content)


def _draw_scores(view: Mapping[str, Json], x: float, y: float, width: float, columns: int) -> Sequence[Part]:
    """Return a table of what the scored boards paid, oldest first, in *columns* beside each other."""
    paid = [(done["board"], done["coins"]) for done in view["scored"]]
    return _score_parts(paid, view["seats"], x, y, width, columns)


@remember
def _score_parts(
    paid: Sequence[tuple[str, Sequence[int]]], seats: int, x: float, y: float, width: float, columns: int
) -> Sequence[Part]:
    rows = len(NAMES) // columns
    wide = (width - (columns - 1) * 12) / columns
    across = (wide - _PAID) / seats
    parts = [_scored_heads(seats, x, y, wide, columns)]
    for index, (board, coins) in enumerate(paid):
        left = x + index // rows * (wide + 12)
        height = y + _LINE * (index % rows + 1.5)
        content = drawing.words(board, 0, 0, 21, room=_PAID - 4)
        for seat, each in enumerate(coins):
            middle = _column(wide, seats, seat)
            content += drawing.words(
                str(each), middle, 0, 21, "ink" if each else "muted", "middle", across - 3
            )
        frame = drawing.outline(wide, _LINE - 4, 0, 2 - _LINE / 2, 4)
        parts.append(drawing.make_part(f"scored-{board}", left, height, frame, content))
    return parts


def _column(wide: float, seats: int, seat: Seat) -> float:
    """Return the middle of the column of a seat in a table that is *wide*."""
    return _PAID + (wide - _PAID) * (seat + 0.5) / seats


@cache
def _scored_heads(seats: int, x: float, y: float, wide: float, columns: int) -> Part:
    content = ""
    for column in range(columns):
        left = x + column * (wide + 12)
        for seat in range(seats):
            content += drawing.seat_mark(seat, left + _column(wide, seats, seat), y + _LINE / 2, 17)
        content += drawing.line(left, y + _LINE, left + wide, y + _LINE)
        content += drawing.words("paid", left, y + _LINE / 2, 21, "muted")
    return drawing.make_part("scored", 0, 0, drawing.NO_OUTLINE, content)
