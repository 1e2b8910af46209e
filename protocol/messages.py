"""The messages as structs.  Keys on the wire have the order of the fields."""

from typing import Annotated, Any, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

from protocol import VERSION
from protocol.faults import FaultKind

Json: TypeAlias = Any
"""What json.loads returns."""

LARGEST = 2**53
"""The largest distance of an integer from zero: a double holds these exactly in every language."""

LARGEST_COST = 1_000_000
"""The largest cost in US dollars that one answer may report, and the largest sum for a match."""
LONGEST_NOTE = 1_000
"""The most characters of the note of an answer.  client.py, which imports nothing, has the number as well."""
LONGEST_NOTES = 10_000
"""At most this many characters of a seat's notes are stored per match; the rest is dropped."""

GRACE_MS = 50
"""The time added to each decision for delays of the machine, in milliseconds."""
LONGEST_WHY = 200
"""The most characters of the reason that a bot gives for a failure."""
LONGEST_PAUSE_MS = 60_000
"""The longest time for which a bot may ask to be left alone after a failure."""
FORGIVEN_KEPT = 20
"""The most forgiven illegal answers stored per seat and match: each takes some kilobytes."""

Version: TypeAlias = Annotated[int, Meta(ge=VERSION, le=VERSION)]
Count: TypeAlias = Annotated[int, Meta(ge=0, le=LARGEST)]
Integer: TypeAlias = Annotated[int, Meta(ge=-LARGEST, le=LARGEST)]
Cost: TypeAlias = Annotated[float, Meta(ge=0, le=LARGEST_COST)]
Hex: TypeAlias = Annotated[str, Meta(pattern="^[0-9a-f]{16}$")]
Text: TypeAlias = Annotated[str, Meta(max_length=4096)]
Why: TypeAlias = Annotated[str, Meta(max_length=LONGEST_WHY)]
Pause: TypeAlias = Annotated[int, Meta(ge=0, le=LONGEST_PAUSE_MS)]
Move: TypeAlias = Text | tuple[Text, ...]
"""An option of a OneOf, or options of a Some in any order."""
SeenEvent: TypeAlias = Annotated[Json, Meta(extra_json_schema={"type": "object", "required": ["event"]})]
"""One event, as the seat saw it.  Not typed further, because events arrive already encoded."""
Object: TypeAlias = Annotated[Json, Meta(extra_json_schema={"type": "object"})]


# The descriptions are the table of SPEC.md and of schema.json: one text in three places.
def _about(limit: str) -> Meta:
    return Meta(description=limit)


class Limits(Struct, frozen=True):
    """The limits of a bot.  Times are in milliseconds, except *match_s*, in seconds."""

    start_ms: Annotated[Count, _about("time from the start of the process to `ready`")] = 10_000
    move_ms: Annotated[Count, _about("free time for a decision: [the clock](#the-clock)")] = 1_000
    bank_ms: Annotated[
        Count, _about("what decisions may take beyond that, in a match: [the clock](#the-clock)")
    ] = 10_000
    line_bytes: Annotated[
        Count, _about("the longest line that the bot may write, including the line feed")
    ] = 65_536
    memory_mb: Annotated[
        Count,
        _about(
            "memory of the bot and all its child processes. Pages that they share count once."
            " Each open pipe counts 68 KB and each socket 400 KB, which is what they can hold"
        ),
    ] = 512
    processes: Annotated[Count, _about("processes and threads")] = 64
    stderr_bytes: Annotated[
        Count,
        _about(
            "bytes that the bot may write to stderr in a match. What exceeds a sixteenth of "
            "this limit also counts in the next match. The stored log is shorter"
        ),
    ] = 16_777_216
    match_s: Annotated[
        Count | UnsetType,
        _about(
            "optional: the time limit for the bot's start and its decisions in a match together, in seconds"
        ),
    ] = UNSET
    outage_s: Annotated[
        Count | UnsetType,
        _about(
            "only for bots that may [report failures](#failures): how long, in a match, their service may "
            "fail to answer, in seconds"
        ),
    ] = UNSET


class Hello(Struct, frozen=True, tag="hello"):
    """The first message to a new process."""

    protocol: Version
    ladder: str
    bot: str
    games: tuple[str, ...]
    config: dict[str, Json]
    limits: Limits


class Ready(Struct, frozen=True, tag="ready", omit_defaults=True):
    """The bot's answer to hello."""

    protocol: Version
    name: Annotated[str, Meta(max_length=64)] = ""
    """For display only."""
    parallel: Annotated[int, Meta(ge=1, le=1024)] = 1
    """The number of matches that may be in progress in this process at once."""
    view: Literal["full", "none"] = "full"
    text: bool = False
    """Whether views come with `text`."""
    rules: bool = False
    """Whether the start of a match comes with the game's `rules`."""


class Absent(Struct, frozen=True, tag="absent", omit_defaults=True):
    """What a bot says in place of ready where nobody is there to play; then it ends."""

    why: Why = ""
    after_ms: Pause = 0


# *rules* stand first, though they are optional: what follows them differs from match to match.
class Start(Struct, frozen=True, tag="start", kw_only=True):
    """A match begins."""

    rules: str | UnsetType = UNSET
    """The game in short, for bots that asked for `"rules":true`."""
    match: Hex
    game: str
    version: Count
    seat: Count
    seats: Count
    options: dict[str, Json]


class OneOf(Struct, frozen=True, tag_field="kind", tag="one"):
    """The choice of exactly one option."""

    options: tuple[str, ...]


class Some(Struct, frozen=True, tag_field="kind", tag="some"):
    """The choice of *low* to *high* different options."""

    options: tuple[str, ...]
    low: Count
    high: Count


class Clock(Struct, frozen=True):
    """The time for a decision: *move_ms*, then the rest of the match's *bank_ms*."""

    move_ms: Count
    bank_ms: Count
    match_ms: Count | UnsetType = UNSET
    """The rest of the limit *match_s*, if there is one; a decision gets no more than this."""


class Retry(Struct, frozen=True):
    """The *reason* why the decision is asked again, and the number of tries *left* after this one."""

    reason: str
    left: Count


class Again(Struct, frozen=True):
    """*why* the decision is asked again, how many *tries* failed, and how long they may fail from now on."""

    why: str
    tries: Count
    left_ms: Count


class Act(Struct, frozen=True, tag="act", omit_defaults=True):
    """A request for the seat's decision."""

    id: Hex
    match: Hex
    step: Count
    seed: Count
    choice: OneOf | Some
    clock: Clock
    events: tuple[SeenEvent, ...]
    view: Object | UnsetType = UNSET
    """Left out for bots that asked for `"view":"none"`."""
    retry: Retry | UnsetType = UNSET
    again: Again | UnsetType = UNSET
    """After a failure of transport."""


class Usage(Struct, frozen=True):
    """The cost of an answer, as the bot reports it; what it leaves out is unknown."""

    input_tokens: Count | UnsetType = UNSET
    output_tokens: Count | UnsetType = UNSET
    cost_usd: Cost | UnsetType = UNSET
    requests: Count | UnsetType = UNSET
    fallbacks: Count | UnsetType = UNSET
    """How many moves were not the model's."""


NO_USAGE = Usage()
"""The usage of an answer without one."""


# Unknown fields are ignored, here as in every message, so that a newer bot or ladder can add some.
class Answer(Struct, frozen=True, omit_defaults=True):
    """A bot's answer to an act; the only message without a type."""

    id: Text
    move: Move
    note: Annotated[str, Meta(max_length=LONGEST_NOTE)] = ""
    """Stored with the decision and shown in replays."""
    usage: Usage = NO_USAGE


class Failure(Struct, frozen=True, omit_defaults=True):
    """The answer of a bot that has no move, and says why; it has no type, either."""

    id: Text
    fail: Literal["transport", "unreadable", "truncated"]
    why: Why = ""
    after_ms: Pause = 0
    """After which time its service may answer again."""
    usage: Usage = NO_USAGE


class End(Struct, frozen=True, tag="end"):
    """The match is over.  *faults* has the kind or null for each seat."""

    match: Hex
    ranks: tuple[Annotated[int, Meta(ge=1, le=LARGEST)], ...]
    scores: tuple[Integer, ...] | None
    faults: tuple[FaultKind | None, ...]
    events: tuple[SeenEvent, ...]


class Bye(Struct, frozen=True, tag="bye"):
    """The bot should exit."""
