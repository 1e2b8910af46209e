"""Sample a state that fits a view: tokens face down are drawn from those that their owner may have laid."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from random import Random

from engines.game import Json, shuffled
from engines.starry_sky.boards import NAMES as BOARD_NAMES
from engines.starry_sky.moves import PLACES, choice
from engines.starry_sky.state import OpenBoard, ScoredBoard, State, free_stars
from engines.starry_sky.tokens import ALL, BITS, BOTH, DOUBLE, HIDDEN, MEMBERS, NAMES, hand_of, remove_token

__all__ = ["imagine"]


def imagine(view: Mapping[str, Json], rng: Random) -> State:
    """Return a random state that is consistent with *view*.

    All ways in which the tokens can have been laid since the start of the match are equally likely, counting
    the two double stars of a seat as different; so are all orders of the pile.
    """
    excluded = {place: _parse_excluded(tokens) for place, tokens in view["excluded"].items()}
    hands, mine = _deal_hidden(view, excluded, rng)
    boards = tuple(_open(board, mine) for board in view["boards"])
    scored = tuple(
        ScoredBoard(done["board"], tuple(done["owners"]), tuple(done["tokens"]), tuple(done["coins"]))
        for done in view["scored"]
    )
    gone = {board.name for board in boards} | {board.name for board in scored}
    pile = tuple(shuffled([name for name in BOARD_NAMES if name not in gone], rng))
    seat = view["next"]
    free, coins = free_stars(boards), tuple(view["coins"])
    asked = {} if seat is None else {seat: choice(free, hands[seat])}
    known = excluded, dict(view["rarer"])
    return State(view["first"], view["turn"], pile, boards, free, hands, coins, mine, *known, scored, asked)


def _parse_excluded(tokens: Sequence[str]) -> int:
    """Return a set of excluded tokens; a single double star in it has the bit of the second."""
    known = hand_of(tokens)
    return known ^ BOTH if tokens.count(DOUBLE) == 1 else known


def _deal_hidden(
    view: Mapping[str, Json], excluded: Mapping[str, int], rng: Random
) -> tuple[tuple[int, ...], tuple[dict[str, str], ...]]:
    """Deal the hidden tokens: return the hand of every seat and its tokens that lie face down."""
    hands = [ALL] * view["seats"]
    hidden: list[list[str]] = [[] for _ in hands]
    for board in view["boards"]:
        for place, owner, token in zip(PLACES[board["board"]], board["owners"], board["tokens"], strict=True):
            if token == HIDDEN:
                hidden[owner].append(place)
            elif owner is not None:
                hands[owner] = remove_token(hands[owner], BITS[token])
    mine = []
    for seat, places in enumerate(hidden):
        if seat == view.get("seat"):
            own = dict(view["mine"])
            hands[seat] = hand_of(view["hand"])
        else:
            own, hands[seat] = _lay_tokens(places, hands[seat], excluded, view["rarer"], rng)
        mine.append(own)
    return tuple(hands), tuple(mine)


def _lay_tokens(
    places: Sequence[str], tokens: int, excluded: Mapping[str, int], rarer: Mapping[str, int], rng: Random
) -> tuple[dict[str, str], int]:
    """Lay *tokens* of one seat on *places* at random; return them by place, and the hand that is left."""
    bound = [place for place in places if place in excluded]
    allowed = [(ALL & ~excluded[place], 1 / rarer.get(place, 1)) for place in bound]
    drawn = _draw_tokens(allowed, tokens, rng)
    own = {place: NAMES[bit][0] for place, bit in zip(bound, drawn, strict=True)}
    rest = shuffled(NAMES[tokens - sum(drawn)], rng)
    for place in places:
        if place not in own:
            own[place] = rest.pop()
    return own, hand_of(rest)


def _draw_tokens(allowed: Sequence[tuple[int, float]], tokens: int, rng: Random) -> list[int]:
    """Draw for every place one of *tokens* that is *allowed* there.

    All ways are equally likely, except that each place has a weight for ways with a double star there.
    """

    @cache
    def ways(at: int, left: int) -> float:
        if at == len(allowed):
            return 1.0
        return sum([way(at, left, bit) for bit in MEMBERS[left & allowed[at][0]]])

    def way(at: int, left: int, bit: int) -> float:
        return ways(at + 1, left - bit) * (allowed[at][1] if bit & BOTH else 1.0)

    drawn = []
    for at, (here, _) in enumerate(allowed):
        rank = rng.random() * ways(at, tokens)
        for bit in MEMBERS[tokens & here]:
            rank -= way(at, tokens, bit)
            if rank < 0:
                break
        drawn.append(bit)
        tokens -= bit
    return drawn


def _open(board: Mapping[str, Json], mine: Sequence[Mapping[str, str]]) -> OpenBoard:
    """Return a board of a view with its hidden tokens filled in from *mine*."""
    name, owners, shown = board["board"], board["owners"], board["tokens"]
    tokens = tuple(
        mine[owner][place] if token == HIDDEN else token
        for place, owner, token in zip(PLACES[name], owners, shown, strict=True)
    )
    return OpenBoard(name, tuple(owners), tokens, tuple(shown))
