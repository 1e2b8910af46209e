"""The way back: the match that led to a world, played again from its deal."""

from collections.abc import Mapping

from engines.game import Json, Seat
from engines.starry_sky import luck
from engines.starry_sky.boards import NAMES, PLACE_CODES
from engines.starry_sky.moves import OPTIONS
from engines.starry_sky.state import State
from engines.starry_sky.table import TOKEN_THAT
from engines.starry_sky.tokens import HIDDEN, TOKENS
from engines.weighing import PastChoice, Told, complete, play_again


def unplay(world: State, told: Told, own: Seat) -> list[PastChoice]:
    """Return what the other seats decided, in this *world*."""
    opened = [event["board"] for event in told if event["event"] == "open"]
    to_come = [NAMES[board] for board in world.pile[world.opened :]]
    boards = complete([*told[0]["boards"], *opened, *to_come], [*NAMES])
    start = luck.begin({"options": {}, "first": told[0]["first"], "boards": boards}, world.table_size())

    def option_in(position: State, event: Mapping[str, Json]) -> int:
        token = event["token"]
        if token == HIDDEN:  # what lies there stays there, also when the board is scored
            token = TOKENS[TOKEN_THAT[world.laid[PLACE_CODES[event["star"]]]]]
        return OPTIONS[f"{token}@{event['star']}"]

    return play_again(start, told, own, option_in)
