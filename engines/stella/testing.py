"""What the tests of all games must be told of this one."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any, Final

from engines.contract.known import Known, Match, Past, forgetting, showing, telling
from engines.stella import Stella
from engines.stella.view import crosses_names

FELL_AND_FLIPPED = ('"event":"fall"', '"flipped":true', '"flipped":false', '"dark":null')


def past(deal: Mapping[str, Any], match: Match, world: Any, seat: int | None) -> Past:
    rounds = dict(enumerate([*world.past, world], 1))
    moves = []
    for before, played in pairwise(match):
        together = dict(played.moves)
        if before.state.step == "associate":
            round_ = rounds[before.state.number]
            together.update(enumerate(tuple(crosses_names(round_.grid, made)) for made in round_.crosses))
        moves.append(together)
    luck = world.luck
    cards = [luck.cards.names[card] for card in luck.order]
    return {**deal, "cards": cards, "words": [[*pair] for pair in luck.words]}, moves


KNOWN: Final = Known(
    past=past,
    golden_seed=81,
    shown_by_golden={
        seats: (*FELL_AND_FLIPPED, f'"dark":{dark}') for seats, dark in ((3, 1), (4, 2), (5, 4), (6, 0))
    },
    maps=frozenset({"shown"}),
    free=frozenset({"image", "tags", "text", "word", "words"}),
    leaks={
        "crosses of all while scouts show": showing(Stella, lambda state: [*state.crosses]),
        "who made which choice in secret": telling(
            Stella, lambda moves, state: [[*move] for move in moves.values()]
        ),
        "the words to come": showing(Stella, lambda state: [list(pair) for pair in state.luck.words]),
    },
    forgetful={"its own crosses": forgetting(Stella, "past_crosses", lambda crosses: [[] for _ in crosses])},
    harmless={"the round": showing(Stella, lambda state: state.number)},
)
