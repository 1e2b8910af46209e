"""A state told in names: to look at, to compare, and to write by hand in tests.  No match needs it."""

from __future__ import annotations

from typing import NamedTuple

from engines.game import Seat
from engines.starry_sky.boards import CODES, IS_LARGE, NAMES, PLACE_CODES, PLACES, STARS_ON
from engines.starry_sky.state import State, new_state
from engines.starry_sky.table import EMPTY, OWNER_IN, TOKEN_THAT, laid_by
from engines.starry_sky.tokens import CODES as TOKEN_CODES
from engines.starry_sky.tokens import HIDDEN, TOKENS

__all__ = ["state_of", "told"]


class OpenBoard(NamedTuple):
    """A board in play; every tuple is by star."""

    name: str
    owners: tuple[Seat | None, ...]
    tokens: tuple[str | None, ...]
    """The token on each star, or None."""
    shown: tuple[str | None, ...]
    """The public face of the token: its name, or "?"."""


class ScoredBoard(NamedTuple):
    """A board that is complete and scored, with the tokens that lay on it."""

    name: str
    owners: tuple[Seat, ...]
    tokens: tuple[str, ...]
    coins: tuple[int, ...]
    """The coins that every seat won, after the payment of the first to others."""


class NamedState(NamedTuple):
    """A match that is being played or is over."""

    first: Seat
    turn: int
    next: Seat
    """The seat that chooses next; 0 when the match is over."""
    pile: tuple[str, ...]
    """The boards to come, next one first."""
    boards: tuple[OpenBoard, ...]
    hands: tuple[int, ...]
    """The tokens in hand of every seat, as sets."""
    coins: tuple[int, ...]
    mine: tuple[dict[str, str], ...]
    """For every seat its tokens that lie face down, by board and star."""
    excluded: dict[str, int]
    """By place, the tokens that a token face down cannot be, by public knowledge.  See recall."""
    rarer: dict[str, int]
    """By place, how many times rarer a double star is than another token.  See recall."""
    scored: tuple[ScoredBoard, ...]

    def __hash__(self) -> int:
        return hash((self.turn, self.pile, self.boards, self.hands, self.coins))


def told(state: State) -> NamedState:
    """Return *state* in names.  What its last step did is left out."""
    laid = state.laid
    mine = [
        {PLACES[star]: TOKENS[TOKEN_THAT[laid[star]]] for star in state.hidden[seat]}
        for seat in range(len(state.hands))
    ]
    return NamedState(
        state.first,
        state.turn,
        state.seat,
        tuple([NAMES[board] for board in state.pile[state.opened :]]),
        tuple([_open_board(state, board) for board in state.boards]),
        tuple(state.hands),
        tuple(state.coins),
        tuple(mine),
        {PLACES[star]: tokens for star, tokens in state.excluded.items()},
        {PLACES[star]: times for star, times in state.rarer.items()},
        tuple([_scored_board(state, *done) for done in zip(state.scored, state.paid, strict=True)]),
    )


def _open_board(state: State, board: int) -> OpenBoard:
    stars = STARS_ON[board]
    lies = [state.laid[star] for star in stars]
    owners = tuple([None if lie == EMPTY else OWNER_IN[lie] for lie in lies])
    tokens = tuple([None if lie == EMPTY else TOKENS[TOKEN_THAT[lie]] for lie in lies])
    shown = [HIDDEN if IS_LARGE[star] and token else token for star, token in zip(stars, tokens, strict=True)]
    return OpenBoard(NAMES[board], owners, tokens, tuple(shown))


def _scored_board(state: State, board: int, coins: list[int]) -> ScoredBoard:
    lies = [state.laid[star] for star in STARS_ON[board]]
    owners = tuple([OWNER_IN[lie] for lie in lies])
    return ScoredBoard(NAMES[board], owners, tuple([TOKENS[TOKEN_THAT[lie]] for lie in lies]), tuple(coins))


def state_of(named: NamedState) -> State:
    """Return the state that told() tells like this."""
    boards = [CODES[board.name] for board in named.boards]
    state = new_state(len(named.hands), named.first, boards, [CODES[name] for name in named.pile])
    state.turn, state.seat = named.turn, named.next
    for board in named.boards:
        for star, owner, token in zip(STARS_ON[CODES[board.name]], board.owners, board.tokens, strict=True):
            if owner is not None and token is not None:
                state.put(star, laid_by(owner, TOKEN_CODES[token]))
    for done in named.scored:
        state.left[CODES[done.name]] = 0
        for star, owner, token in zip(STARS_ON[CODES[done.name]], done.owners, done.tokens, strict=True):
            state.laid[star] = laid_by(owner, TOKEN_CODES[token])
    state.hands, state.coins = [*named.hands], [*named.coins]
    state.hidden = [[PLACE_CODES[place] for place in own] for own in named.mine]
    state.scored = [CODES[board.name] for board in named.scored]
    state.paid = [[*board.coins] for board in named.scored]
    state.excluded = {PLACE_CODES[place]: tokens for place, tokens in named.excluded.items()}
    state.rarer = {PLACE_CODES[place]: times for place, times in named.rarer.items()}
    return state
