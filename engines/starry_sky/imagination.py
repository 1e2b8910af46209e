"""Sample a state that fits a view: tokens face down are drawn from those that their owner may have laid."""

from collections.abc import Mapping, Sequence
from random import Random

from engines.dice import shuffled
from engines.game import Json, Seat
from engines.starry_sky.boards import CODES, NAMES, PLACE_CODES, STARS_ON
from engines.starry_sky.state import State, new_state
from engines.starry_sky.table import laid_by
from engines.starry_sky.tokens import ALL, BOTH, EACH_IN, HIDDEN, MEMBERS, ONE_DOUBLE, hand_of, remove_token
from engines.starry_sky.tokens import CODES as TOKEN_CODES


def imagine(view: Mapping[str, Json], rng: Random) -> State:
    """Return a random state that is consistent with *view*.

    All ways in which the tokens can have been laid since the start of the match are equally likely, counting
    the two double stars of a seat as different; so are all orders of the pile.
    """
    boards: list[int] = [CODES[board["board"]] for board in view["boards"]]
    state = new_state(view["seats"], view["first"], boards, [])
    state.turn = view["turn"]
    state.seat = view["next"] or 0
    state.coins = [*view["coins"]]
    state.excluded = {PLACE_CODES[place]: _set_of(tokens) for place, tokens in view["excluded"].items()}
    state.rarer = {PLACE_CODES[place]: times for place, times in view["rarer"].items()}
    for board in view["scored"]:
        _record(state, board)
    for seat, hidden in enumerate(_lay_open(state, view["boards"])):
        if seat == view.get("seat"):
            _lay_own(state, seat, view)
        else:
            _lay_hidden(state, seat, hidden, rng)
    gone = boards + state.scored
    state.pile = shuffled([board for board in range(len(NAMES)) if board not in gone], rng)
    return state


def _set_of(tokens: Sequence[str]) -> int:
    """Return a set of excluded tokens; a single double star in it has the bit of the second."""
    known = hand_of([TOKEN_CODES[token] for token in tokens])
    return known ^ BOTH if known & BOTH == ONE_DOUBLE else known


def _record(state: State, board: Mapping[str, Json]) -> None:
    """Add a board that was scored."""
    code = CODES[board["board"]]
    state.scored.append(code)
    state.paid.append([*board["coins"]])
    state.left[code] = 0
    for star, owner, token in zip(STARS_ON[code], board["owners"], board["tokens"], strict=True):
        state.laid[star] = laid_by(owner, TOKEN_CODES[token])


def _lay_open(state: State, boards: Sequence[Mapping[str, Json]]) -> list[list[int]]:
    """Lay what lies face up on *boards*; return by seat the stars on which its tokens lie face down."""
    hidden: list[list[int]] = [[] for _ in state.hands]
    for board in boards:
        stars = STARS_ON[CODES[board["board"]]]
        for star, owner, token in zip(stars, board["owners"], board["tokens"], strict=True):
            if token == HIDDEN:
                hidden[owner].append(star)
            elif owner is not None:
                code = TOKEN_CODES[token]
                state.put(star, laid_by(owner, code))
                state.hands[owner] = remove_token(state.hands[owner], 1 << code)
    return hidden


def _lay_own(state: State, seat: Seat, view: Mapping[str, Json]) -> None:
    """Lay what the holder of *view* has laid face down, and give it its hand."""
    for place, token in view["mine"].items():
        star = PLACE_CODES[place]
        state.put(star, laid_by(seat, TOKEN_CODES[token]))
        state.hidden[seat].append(star)
    state.hands[seat] = hand_of([TOKEN_CODES[token] for token in view["hand"]])


def _lay_hidden(state: State, seat: Seat, stars: list[int], rng: Random) -> None:
    """Lay tokens of *seat* face down on *stars* at random, out of those that may lie there."""
    excluded, rarer = state.excluded, state.rarer
    bound = [star for star in stars if star in excluded]
    allowed = [ALL & ~excluded[star] for star in bound]
    weights = [1 / rarer.get(star, 1) for star in bound]
    tokens = state.hands[seat]
    for star, bit in zip(bound, _draw_tokens(allowed, weights, tokens, rng), strict=True):
        state.put(star, laid_by(seat, EACH_IN[bit][0]))
        tokens -= bit
    rest = shuffled(EACH_IN[tokens], rng)
    others = [star for star in stars if star not in bound]
    for star in others:
        state.put(star, laid_by(seat, rest.pop()))
    state.hidden[seat] = bound + others
    state.hands[seat] = hand_of(rest)


def _draw_tokens(allowed: list[int], weights: list[float], tokens: int, rng: Random) -> list[int]:
    """Draw for every place the bit of one of *tokens*, out of the set that is *allowed* there.

    All ways are equally likely, except that each place has a weight for ways with a double star there.
    """
    ways = _Ways()
    ways.allowed, ways.weights = allowed, weights
    ways.known = [{} for _ in allowed]
    drawn: list[int] = []
    for at, here in enumerate(allowed):
        rank = rng.random() * ways.count(at, tokens)
        last = 0
        for bit in MEMBERS[tokens & here]:
            rank -= ways.count_with(at, tokens, bit)
            last = bit
            if rank < 0:
                break
        drawn.append(last)
        tokens -= last
    return drawn


class _Ways:
    """Counts the ways to lay tokens on places, weighted."""

    __slots__ = ("allowed", "known", "weights")

    allowed: list[int]
    weights: list[float]
    known: list[dict[int, float]]
    """By place, the ways to fill it and those after it, for every set of tokens that was asked for."""

    def count(self, at: int, left: int) -> float:
        """Count the ways to fill the places from *at* on with the tokens that are *left*."""
        if at == len(self.allowed):
            return 1.0
        known = self.known[at]
        if left not in known:
            total = 0.0
            for bit in MEMBERS[left & self.allowed[at]]:
                total += self.count_with(at, left, bit)
            known[left] = total
        return known[left]

    def count_with(self, at: int, left: int, bit: int) -> float:
        """Count those among them with the token of *bit* at the first place."""
        return self.count(at + 1, left - bit) * (self.weights[at] if bit & BOTH else 1.0)
