"""What the tests of all games must be told of this one."""

from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any, Final

from engines.contract.known import Known, Match, Matches, Past, forgetting, showing, telling
from engines.game import Step
from engines.starry_sky import StarrySky
from engines.starry_sky.boards import NAMES, PLACES
from engines.starry_sky.state import State
from engines.starry_sky.table import TOKEN_THAT
from engines.starry_sky.tokens import TOKENS


def past(deal: Mapping[str, Any], match: Match, world: Any, seat: int | None) -> Past:
    pile = pile_of(world)
    boards = deal["boards"][: len(deal["boards"]) - len(pile)]
    lying = {  # the tokens that lie face down: a star is used once in a match
        (seat, PLACES[star]): TOKENS[TOKEN_THAT[world.laid[star]]]
        for seat, stars in enumerate(world.hidden)
        for star in stars
    }

    def name_laid(seat: int, move: Any) -> str:
        token, place = move.split("@")
        return f"{lying.get((seat, place), token)}@{place}"

    moves = [{seat: name_laid(seat, move) for seat, move in played.moves.items()} for played in match[1:]]
    return {**deal, "boards": [*boards, *pile]}, moves


def pile_of(state: State) -> list[str]:
    """Return the boards to come, next one first."""
    return [NAMES[board] for board in state.pile[state.opened :]]


def rare(matches: Callable[[int], Matches]) -> Iterator[tuple[int, Step[State]]]:
    """Yield a step after which a seat is skipped."""
    game = StarrySky()
    state, _ = game.start(game.deal(3, Random(1)) | {"first": 0}, 3)
    state.hands[1] = 0
    yield 3, game.play(state, {0: game.choices(state)[0].options[0]})


KNOWN: Final = Known(
    past=past,
    golden_seed=845,
    shown_by_golden={
        3: ('"token":"?"', '"event":"skip"', '"coins":[1,1,1]', '"ranks":[1,3,1]'),  # ties
        4: ('"token":"?"', '"coins":[2,0,2,8]'),  # the second are tied
        5: ('"token":"?"', '"coins":[10,0,0,0,0]'),  # a seat that is alone on a board gets both prizes
    },
    rare=rare,
    maps=frozenset({"excluded", "mine", "rarer"}),
    leaks={
        "tokens that lie face down": showing(
            StarrySky, lambda state: [state.laid[star] for stars in state.hidden for star in stars]
        ),
        "the token of a move": telling(StarrySky, lambda moves, state: [*moves.values()]),
        "tokens in hand": showing(StarrySky, lambda state: list(state.hands)),
        "the next board": showing(StarrySky, lambda state: pile_of(state)[:1]),
    },
    forgetful={"what was seen on scored boards": forgetting(StarrySky, "excluded", lambda excluded: {})},
    harmless={"whose turn it is": telling(StarrySky, lambda moves, state: state.turn)},
)
