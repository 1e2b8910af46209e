"""Views as text for people and language models, in lines of at most 100 columns."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from engines.game import Json, Move
from engines.page import fill_lines, page, tell_news
from engines.remember import remember
from engines.starry_sky.boards import BOARDS, IS_LARGE, PLACES, STARS
from engines.starry_sky.tokens import DOUBLE, HIDDEN, HOLE, TOKENS

_TOKENS: Final = {token: token for token in TOKENS} | {
    HOLE: "a black hole",
    DOUBLE: "a double star",
    HIDDEN: "a token face down",
}
_LARGE: Final = frozenset(place for star, place in enumerate(PLACES) if IS_LARGE[star])


def ask(view: Mapping[str, Json]) -> str:
    """Return what the seat of *view* is asked to do."""
    boards = [(board["large"], board["owners"]) for board in view["boards"]]
    sizes = {star in large for large, owners in boards for star, owner in enumerate(owners) if owner is None}
    if len(sizes) > 1:
        return "Lay a token on a free star, face down on a large one: choose both"
    return f"Lay a token {'face down on a large' if True in sizes else 'on a free'} star: choose both"


def say(view: Mapping[str, Json], option: str) -> str:
    """Return *option* in words."""
    token, _, place = option.partition("@")
    words = f"{_TOKENS[token]} on {in_words(place)}" + (", face down" if place in _LARGE else "")
    return words[0].upper() + words[1:]


def kind_of(view: Mapping[str, Json], move: Move) -> str:
    """Return of what kind the decision for *move* is."""
    return f"lay a token face {'down' if str(move).partition('@')[2] in _LARGE else 'up'}"


def in_words(name: str) -> str:
    """Return a token, "H", a board, "Leo", or a star, "Leo.3", in words; other text as it is."""
    board, dot, star = name.partition(".")
    if board not in BOARDS:
        return _TOKENS.get(name, name)
    title = BOARDS[board].name
    return f"star {star} of {title}" if dot else title


PHRASES: Final = {
    "start": "{first:seat} begins; the boards are {boards}",
    "place": "{seat} places {token} on {star}",
    "score": "{board} is full[; sums: {sums:each}][; the first pays {paid}]; coins: {coins:each}",
    "open": "{board} is the next board",
    "skip": "{seat} has no token in hand and is skipped",
}


_KEY: Final = "* large star, ? token face down, H black hole, D double star"
_MINE: Final = 'Only you know your tokens face down; after "not" stands what all know that they are not.'


def text(view: Mapping[str, Json], events: Sequence[Mapping[str, Json]] = ()) -> str:
    """Return *view* as lines of plain text, and *events*, which happened since the seat's last decision."""
    boards = [line for board in view["boards"] for line in _tell_board(view, board)]
    news = tell_news(events, PHRASES)
    scored = _tell_scored(view["scored"], _is_asked(view)) if view["scored"] else ()
    return page([_heading(view), news, _table(view), boards, scored, _answer(view)])


def _is_asked(view: Mapping[str, Json]) -> bool:
    return "seat" in view and bool(view["seat"] == view["next"])


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


def _tell_board(view: Mapping[str, Json], board: Mapping[str, Json]) -> Sequence[str]:
    """Return a board in play: its prizes, lines and free stars, and what each seat has there."""
    name = board["board"]
    hidden = {f"{name}.{star}": star for star, token in enumerate(board["tokens"]) if token == HIDDEN}
    known = [_on_stars(view.get(field), hidden) for field in ("mine", "excluded", "rarer")]
    return _board(board, view["seats"], *known)


def _on_stars(known: Mapping[str, Json] | None, hidden: Mapping[str, int]) -> dict[int, Json]:
    """Return what is *known* of the *hidden* tokens of a board, by star."""
    return {star: known[place] for place, star in hidden.items() if place in known} if known else {}


@remember
def _board(
    board: Mapping[str, Json],
    seats: int,
    mine: Mapping[int, str],
    excluded: Mapping[int, Sequence[str]],
    rarer: Mapping[int, int],
) -> Sequence[str]:
    """Return the lines of a board; of tokens face down, those that are *mine* and what is known by star."""
    name, owners = board["board"], board["owners"]
    first, second = board["prizes"]
    head = f"{name}: prizes {first} {second}; lines {_trails(board['edges'])}"
    free = [_star(board, star) for star, owner in enumerate(owners) if owner is None]
    parts = [f"free {' '.join(free) or 'none'}"]
    for seat in range(seats):
        laid = []
        for star in (star for star, owner in enumerate(owners) if owner == seat):
            told = f"{_star(board, star)}:{mine.get(star, board['tokens'][star])}"
            if board["tokens"][star] == HIDDEN and star in excluded:
                told += f" not {' '.join(excluded[star])}"
                told += f" (D is {rarer[star]} times rarer than another)" if star in rarer else ""
            laid.append(told)
        if laid:
            parts.append(f"seat {seat} has {', '.join(laid)}")
    return [head, *fill_lines(" ", "; ".join(parts).split(" "))]


@remember
def _trails(edges: Sequence[Sequence[int]]) -> str:
    """Return the lines of a board as few strokes: 0-1-2 joins 0 to 1, and 1 to 2."""
    left, trails = sorted(map(sorted, edges)), []
    while left:
        ends = Counter(star for edge in left for star in edge)
        star = min(ends, key=lambda each: (ends[each] % 2 == 0, each))  # where a stroke must begin or end
        trail = [star]
        # follow the lines from there as long as one is left, each once
        while edge := next((edge for edge in left if star in edge), None):
            left.remove(edge)
            star = sum(edge) - star
            trail.append(star)
        trails.append("-".join(map(str, trail)))
    return ", ".join(trails)


def _star(board: Mapping[str, Json], star: int) -> str:
    return f"{star}*" if star in board["large"] else f"{star}"


@remember
def _tell_scored(scored: Sequence[Mapping[str, Json]], asked: bool) -> Sequence[str]:
    """Return the coins that every scored board paid, and for a seat that is not *asked*, what lay there."""
    head = "Scored boards, the coins of each seat" + ("" if asked else " and SEAT:TOKEN on the stars")
    boards = []
    for done in scored:
        coins = " ".join(map(str, done["coins"]))
        laid = zip(done["owners"], done["tokens"], strict=True)
        lay = " ".join(f"{owner}:{token}" for owner, token in laid)
        boards.append(f"{done['board']} {coins}" if asked else f"{done['board']} {coins} ({lay})")
    return [head, *fill_lines(" ", boards, ";")]


def _answer(view: Mapping[str, Json]) -> Iterator[str]:
    """Yield what the seat may do, and how to say it, if it is asked."""
    if _is_asked(view):
        hand = view["hand"]
        board = next(board for board in view["boards"] if None in board["owners"])
        example = f"{hand[0]}@{board['board']}.{board['owners'].index(None)}"
        yield f"Your hand: {' '.join(hand)}"
        yield f'Answer with TOKEN@BOARD.STAR: any of your hand on any free star, like "{example}".'
    yield _KEY
    if view.get("mine"):
        yield _MINE
