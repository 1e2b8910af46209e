"""The effect of each move: the next state and its events."""

from __future__ import annotations

from operator import add

from engines.game import NOTHING, Event, OneOf, Seat, Step, new
from engines.starry_sky.moves import PLAYS, choice
from engines.starry_sky.recall import after_face_up, after_scoring
from engines.starry_sky.scoring import payment
from engines.starry_sky.state import EMPTY, NUMBERS, OpenBoard, ScoredBoard, State
from engines.starry_sky.tokens import DOUBLE, HIDDEN, SECOND, add_token, remove_token

__all__ = ["place"]


def place(state: State, seat: Seat, move: str) -> Step[State]:
    """Put a token on a star: face down on a large one, face up on a small one (B19)."""
    first, turn, pile, boards, free, hands, coins, mine, excluded, rarer, scored, asked = state
    token, bit, name, star, where, number, large = PLAYS[move]
    at = 0
    while boards[at][0] != name:
        at += 1
    _, owners, tokens, faces = boards[at]
    after = star + 1
    face, secret = token, NOTHING
    if large:
        face, secret = HIDDEN, {seat: {"token": token}}
        mine = (*mine[:seat], {**mine[seat], where: token}, *mine[seat + 1 :])
    owners = (*owners[:star], seat, *owners[after:])
    tokens = (*tokens[:star], token, *tokens[after:])
    hands = (*hands[:seat], remove_token(hands[seat], bit), *hands[seat + 1 :])
    if excluded and token == DOUBLE and not large:
        rarer = after_face_up(rarer, excluded, hands[seat], mine[seat])
    told = ("place", {"seat": seat, "star": where, "token": face}, secret)
    news: tuple[Event, ...] = (new(Event, told),)
    index = free.index(number)
    if None not in owners:
        full = (name, owners, tokens, payment(name, owners, tokens, len(hands)))
        placed = (first, turn + 1, pile, boards, free, hands, coins, mine, excluded, rarer, scored, asked)
        return _score(new(State, placed), seat, (at, index), new(ScoredBoard, full), news)

    faces = (*faces[:star], face, *faces[after:])
    boards = (*boards[:at], new(OpenBoard, (name, owners, tokens, faces)), *boards[at + 1 :])
    free = free[:index] + free[index + 1 :]
    following = (seat + 1) % len(hands)
    if not hands[following]:
        following, skips = _skip_empty_hands(hands, following)
        news += skips
    asked = {following: choice(free, hands[following])}
    result = (first, turn + 1, pile, boards, free, hands, coins, mine, excluded, rarer, scored, asked)
    return new(Step, (new(State, result), news))


def _score(
    state: State, seat: Seat, where: tuple[int, int], full: ScoredBoard, news: tuple[Event, ...]
) -> Step[State]:
    """Pay for the board that *seat* has filled, return its tokens and open the next board (B3).

    *where* is the index of the board, and the index of its last star among the free ones.
    """
    at, index = where
    first, turn, pile, boards, free, hands, coins, mine, excluded, rarer, scored, _ = state
    name, owners, tokens, won = full
    told = {"board": name, "owners": [*owners], "tokens": [*tokens], "coins": [*won]}
    news += (Event("score", told),)
    seen, hands = _return_tokens(hands, full)
    mine = tuple([_without(own, name) for own in mine])
    excluded, rarer = after_scoring(excluded, rarer, full, seen, hands, mine)
    fresh, stars = ((EMPTY[pile[0]],), NUMBERS[pile[0]]) if pile else ((), ())
    boards = (*boards[:at], *fresh, *boards[at + 1 :])  # B5
    free = (*free[:index], *stars, *free[index + 1 :])
    if pile:
        news += (Event("open", {"board": pile[0], "at": at}),)
        pile = pile[1:]
    asked: dict[Seat, OneOf] = {}
    if boards:
        following, skips = _skip_empty_hands(hands, (seat + 1) % len(hands))
        news += skips
        asked = {following: choice(free, hands[following])}
    coins = tuple(map(add, coins, won))
    result = (first, turn, pile, boards, free, hands, coins, mine, excluded, rarer, (*scored, full), asked)
    return new(Step, (new(State, result), news))


def _skip_empty_hands(hands: tuple[int, ...], seat: Seat) -> tuple[Seat, tuple[Event, ...]]:
    """Return the first seat from *seat* on with tokens in hand, and an event per seat skipped (SS1, B4)."""
    skips = []
    while not hands[seat]:
        skips.append(Event("skip", {"seat": seat}))
        seat = (seat + 1) % len(hands)
    return seat, tuple(skips)


def _return_tokens(hands: tuple[int, ...], full: ScoredBoard) -> tuple[dict[Seat, int], tuple[int, ...]]:
    """Return the tokens of every seat on a *full* board, and *hands* after the tokens have come back."""
    seen: dict[Seat, int] = {}
    for owner, token in zip(full.owners, full.tokens, strict=True):
        seen[owner] = add_token(seen.get(owner, 0), token)
    home = [*hands]
    for owner, back in seen.items():
        home[owner] |= back | SECOND if home[owner] & back else back  # a token in both is a double star
    return seen, tuple(home)


def _without(own: dict[str, str], name: str) -> dict[str, str]:
    """Return *own*, tokens that lie face down, without those on board *name*."""
    return {where: token for where, token in own.items() if not where.startswith(name)} if own else own
