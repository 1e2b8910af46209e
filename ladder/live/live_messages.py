"""The messages between the process of a live match and the program that shows it: tagged structs, in JSON."""

from collections.abc import Callable
from typing import TypeAlias

import msgspec

from engines.game import Choice, Json, OneOf, Some
from ladder.errors import Whose
from ladder.worker.worker_messages import Setup


class LiveOrder(msgspec.Struct, frozen=True):
    """The match that is to be played, as its process gets it."""

    setup: Setup
    """Its bots are those of the match, in the order of their seats."""
    person: int | None
    """The seat of the person; None if bots have all seats."""
    connected: int | None = None
    """The seat of a bot that its author has started; its connection is handed over beside the order."""
    deal: Json = None
    """The deal, if it does not follow from the secret."""


class LiveMessage(msgspec.Struct, frozen=True, tag=True):
    """News: on the wire they name their class."""


class Seen(LiveMessage, frozen=True):
    """What the person, or a spectator, has seen happen, and what they know now."""

    step: int
    """The step that has just been played; -1: the deal."""
    events: list[dict[str, Json]]
    view: dict[str, Json]
    asked: tuple[int, ...]
    """The seats that must decide now.  Views tell this as well: the contract of games tests it."""


class Asked(LiveMessage, frozen=True):
    """The person must decide."""

    step: int
    kind: str
    options: tuple[str, ...]
    low: int = 1
    high: int = 1

    @property
    def choice(self) -> Choice:
        """The choice as the game offers it."""
        return OneOf(self.options) if self.kind == "one" else Some(self.options, self.low, self.high)


class Remark(LiveMessage, frozen=True):
    """Something that the operator should know, such as a bot that computes during others' turns."""

    text: str


class Over(LiveMessage, frozen=True):
    """The match is over."""

    block: str
    """Its record, as encode_block made it."""


class LiveFailed(LiveMessage, frozen=True):
    """The match could not be played to its end."""

    what: str
    hint: str
    whose: Whose = "ladder"


News: TypeAlias = Seen | Asked | Remark | Over | LiveFailed

encode: Callable[[LiveMessage], bytes] = msgspec.json.encode
"""Returns a message as it is sent."""
decode_news: Callable[[bytes], News] = msgspec.json.Decoder(News).decode
"""Returns the message that bytes hold.  Raises msgspec.MsgspecError."""
