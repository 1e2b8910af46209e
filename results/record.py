"""The record of a match: values that workers send, the journal holds and Parquet stores.

Plain typed values, cheap to encode.  This module loads neither pyarrow nor any game.
Times are in microseconds, whole numbers; `started` counts from the Unix epoch, UTC.  `gc=False`: they hold no
cycles, so the garbage collector need not look at them, which makes reading many of them twice as fast.
"""

from collections.abc import Callable
from hashlib import sha256
from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Meta, UnsetType

from results.words import ScheduleKind, Until, find_fit

HASHED = "sha256:"
"""What a secret begins with of which only the hash is stored."""
HIDDEN_SEED = "a number"
"""What is stored for a number of `--seed` that was left out with the secret."""

Json: TypeAlias = Any
INT32_MOST = 2**31 - 1
Int32: TypeAlias = Annotated[int, Meta(ge=-(2**31), le=INT32_MOST)]
Int64: TypeAlias = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]
"""What the columns of Parquet hold, which follow from these types (results.storage.schema).  decode_block
refuses a block beyond it."""


class Note(msgspec.Struct, frozen=True, gc=False):
    """A bot's note on one of its decisions."""

    step: Int32
    text: str


class Usage(msgspec.Struct, frozen=True, gc=False):
    """The cost of a bot's answers in a match, as it says.  None is unknown; older ladders stored 0."""

    input_tokens: Int64 | None = None
    output_tokens: Int64 | None = None
    cost_usd: float | None = None
    requests: Int64 | None = None
    """How often it asked another service; None in records older than the field."""
    fallbacks: Int64 | None = None
    """How many moves were not its model's; None in records older than the field."""


class Seat(msgspec.Struct, frozen=True, gc=False):
    """One seat of a match: the bot and its result."""

    bot: str
    version: str
    name: str
    """The name of the match that was sent to this seat: 16 hex digits."""
    rank: Int32 | None
    """1 is best; None where the match is void."""
    score: Int64 | None
    """The game's points; None where the match did not end by the rules."""
    fault: str | None
    """The kind of the fault that ended the match for this seat, if any."""
    fault_step: Int32 | None
    """The step of that fault; from there on the referee moves for the seat.  -1: before the first step."""
    think_us: list[Int64]
    """The time of each decision that the bot itself answered, in order."""
    busy_us: list[Int64]
    """CPU time of the bot's process in each decision; empty where several matches were in progress."""
    outside_us: Int64 | None
    """CPU time that the bot and all processes it started used outside its decisions."""
    cpu_us: Int64 | None
    """CPU time of the bot's process during the match; None if it ended, or played another meanwhile."""
    notes: list[Note]
    usage: Usage | None
    memory_bytes: Int64 | None = None
    """The most memory in which all processes of the bot together were seen, from its start to the end of this
    match.  What several of them share counts several times.  None if unknown, or in older records.
    """

    @property
    def decisions(self) -> int:
        """The number of decisions that the bot itself answered."""
        return len(self.think_us)


LUCK_UNITS = 10
"""The luck of a match is a whole number of tenths of a result, so that sums are exact in any order."""


class Match(msgspec.Struct, frozen=True, gc=False):
    """One match: its number, game, deal, moves, seats and result."""

    run: Int32
    number: Int64
    attempt: Int32
    """The number of void attempts at this match before this one."""
    block: Int64
    rotation: Int32
    game: str
    game_version: Int32
    options: dict[str, Json]
    deal_seed: str
    """The seed of the deal's random generator: 64 hex digits."""
    deal_digest: str
    """SHA-256 of the deal's canonical JSON."""
    deal: Json
    """The deal itself if it does not follow from the seed, else None."""
    moves: str
    """Canonical JSON: a list of steps, each a list of [seat, move] or [seat, move, "referee"]."""
    seats: list[Seat]
    void: bool
    """Whether the runner itself failed.  A void match is stored, not rated, and played again."""
    paired: bool
    """Whether all rotations of the block played this deal."""
    sandbox: str
    started: Int64
    duration_us: Int64
    luck: Int32 | None = None
    """How lucky seat 0 was in its match against seat 1, in units of 1 / LUCK_UNITS of a result: a win is 1,
    a loss -1.  None where it was not asked for, and in records older than the field.
    """
    machine: str | None = None
    """The machine that played it, by name, for the operator alone; None in records older than the field."""


Lapse: TypeAlias = Literal["stray", "repeated", "unrepeated"]
"""What a bot is forgiven where a fault belongs to no match that can be named:

stray       a line or an end of a process that may belong to the match before
repeated    a process lost among several matches, and again when each was replayed alone
unrepeated  a process lost among several matches, but not when each was replayed alone
"""


# `gc=False`, here and elsewhere: there may be hundreds of thousands, and none is ever part of a cycle that
# Python's collector would have to find.
class Fault(msgspec.Struct, frozen=True, gc=False):
    """A bot's fault, with all that its author needs to reproduce it."""

    run: Int32
    number: Int64
    attempt: Int32
    seat: Int32
    bot: str
    version: str
    kind: str
    step: Int32
    charged: bool
    """Whether the fault cost the bot its match."""
    reason: str
    request: str
    """The beginning of the request line."""
    choice: str
    """The choice as in the request; empty if the bot was asked nothing."""
    answer: str
    """The beginning of the raw answer; bytes that are not UTF-8 are escaped."""
    elapsed_us: Int64
    limit_us: Int64
    exit_status: Int32 | None
    """The exit status, or minus the signal, of a process that ended."""
    stderr: str
    """The end of the bot's stderr output."""
    lapse: Lapse | None = None
    """The lapse that it counts as; None for all other faults, and in records older than the field."""


class Block(msgspec.Struct, frozen=True, gc=False):
    """One deal, played once per rotation: the unit of scheduling and of commit."""

    number: Int64
    matches: list[Match]
    faults: list[Fault]


Freeze: TypeAlias = Literal["auto", "on", "off"]
"""Whether bots are stopped between their turns: `auto`, those that compute then."""


class Contest(msgspec.Struct, frozen=True):
    """One game at one table size under one set of rule options, and the bots that play it."""

    game: str
    seats: int
    options: dict[str, Json]
    """In RunSettings a user's own deck is replaced by its hash: {"sha256": ...}."""
    bots: tuple[int, ...]
    """Indices into the run's list of bots."""

    @property
    def name(self) -> str:
        """The contest's name within its run."""
        return f"{self.game}-{self.seats}"


class RunCommand(
    msgspec.Struct,
    frozen=True,
    # the names of the options as they are typed: messages about a command that differs quote them
    rename=lambda name: "for" if name == "seconds" else name.replace("_", "-"),
    kw_only=True,
):
    """The options of the `ladder run` command, by name.  None: the option was not given."""

    bots: tuple[str, ...] = ()
    game: tuple[str, ...] = ()
    seats: tuple[int, ...] = ()
    option: tuple[str, ...] = ()
    games: int | None = None
    """The number of matches."""
    seconds: float | None = None
    seed: int | str | None = None
    """A number, which can be guessed; the first digits of a hash; or HIDDEN_SEED."""
    schedule: ScheduleKind | None = None
    until: Until | None = None
    max_faults: int | None = None
    secret_file: str | None = None
    """The first digits of a hash of the secret."""
    shard: str | None = None
    max_cost: float | None = None
    max_tokens: int | None = None
    limit: tuple[str, ...] | None = None
    """Limits that this run has instead of those of its home, as KEY=VALUE."""
    forever: bool | None = None
    """True for a link of a chain, whose number of matches is not asked for."""


class ShardBlocks(msgspec.Struct, frozen=True):
    """Shard *number* of *of*: the blocks from *first* up to *end* (exclusive)."""

    number: int
    of: int
    first: int
    end: int


class JoinedShard(msgspec.Struct, frozen=True):
    """The host and times of a shard that is now part of a merged run."""

    host: str
    started: int
    finished: int | None


class WithoutBot(msgspec.Struct, frozen=True, rename={"since": "from"}):
    """A bot that was removed from the run, and the first block that is planned without it."""

    name: str
    version: str
    since: int | None = None
    """None until the run is resumed."""


class JoinedBot(msgspec.Struct, frozen=True):
    """A bot that plays for the first time in its season."""

    name: str
    version: str
    submitted: str
    """When it was submitted, in UTC (ISO 8601)."""


class ChainLink(msgspec.Struct, frozen=True):
    """What a link of `ladder run --forever` begins with, beside what follows from the matches before it."""

    joined: tuple[JoinedBot, ...] = ()
    owed: tuple[tuple[tuple[int, int], ...], ...] | None = None
    """For each contest the bots, by their index, that lack their minimum, and how many blocks they lack.

    None in the first link of a season: it is planned as a run of its own.
    """


class DuelPart(msgspec.Struct, frozen=True):
    """What was played of a duel before more deals were asked for."""

    end: int
    """The number of blocks up to its end."""
    totals: tuple[int, ...]
    """The most blocks that each contest could have until then."""


DuelFaults: TypeAlias = Literal["count", "agree"]
"""What faults of the new and the old bot do to a duel:

count  they are results like all others
agree  where they ended too many matches, a verdict must hold without the blocks of those matches as well
"""


DuelLuck: TypeAlias = Literal["whole", "learnt"]
"""How much of the luck of a match is taken from its result, where results count less luck.

whole   all of what the game estimates
learnt  a share that the earlier blocks of the duel chose (results.rating.duel_tally)
"""
DuelRule: TypeAlias = Literal["before", "apart", "margin", "no worse", "not much worse"]
"""What a duel asks of its first bot, and where it ends.

before          is it better, or worse?  With a margin: or no more than that better?
apart           is it better, or worse, or are the two no more than the margin apart?
margin          is it better by more than the margin, or not?
not much worse  is it worse by no more than the margin, or by more?
no worse        is it worse by no more than the margin, or worse?  Duels up to 0.6 asked that
"""


class DuelTerms(msgspec.Struct, frozen=True, kw_only=True):
    """What makes a run a duel.  The first two bots of each contest are the new and the old one."""

    alpha: float
    """The probability of a false verdict that is accepted, over all contests and looks together."""
    rule: DuelRule = "before"
    """The question of the duel, which it keeps.  The default is that of duels older than the field."""
    margin: float | None = None
    """A mean score: wins of 100 more than 50, divided by 50.  None with the rule `before` only: no margin."""
    least: float | None = None
    """With the rule `margin`: better means by more than this mean score; None: by more than the margin."""
    field: tuple[str, ...] | None = None
    """The other bots at the tables, as they were asked for; None if the ladder chose them."""
    parts: tuple[DuelPart, ...] = ()
    """The parts of a duel that was undecided and went on, before the last one, which RunSettings describe."""
    most_luck: int | None = None
    """The most luck that a match can have, either way, in units of 1 / LUCK_UNITS, if results count without
    their luck; None if they count as they are.
    """
    luck: DuelLuck = "whole"
    """The rule for the luck, which the duel keeps.  The default is that of duels older than the field."""
    expect: float | None = None
    """The mean score that the bets expect; None: none."""
    faults: DuelFaults = "count"
    """The rule that the duel began with, and keeps.  The default is that of duels older than the field."""


class PlayTerms(msgspec.Struct, frozen=True):
    """What makes a run a single match that was played for people, by `ladder play` or `ladder serve`."""

    person: int | None = None
    """The seat of the person; None if bots had all seats."""


class ReferenceTerms(msgspec.Struct, frozen=True, kw_only=True):
    """What makes a run a measurement by a reference set: its bots are the measured one, then those."""

    name: str
    """The name of the set."""
    digest: str
    """The hash of its files."""
    little: int
    """How many of the others do little work."""
    blocks: int
    """How many blocks are played against those alone, before the blocks with the others."""
    deals: str | None = None
    """The first digits of the hash of secret deals; None: the public ones of the set."""
    new_deals_of: str | None = None
    """Where the deals were drawn for this run: the measurement whose public ones it stands beside."""


class LimitsApart(msgspec.Struct, frozen=True):
    """The limits that are not the same for all bots and games, by their names in hello."""

    bots: dict[str, dict[str, int]] = {}
    """By the name of the bot, or by a pattern: see find_fit.  They go before those of a game."""
    games: dict[str, dict[str, int]] = {}
    """By the name of the game: those of the clock of a match."""

    def of_bot(self, bot: str) -> dict[str, int]:
        """Return those of the bot with this name; empty if it has none."""
        name = find_fit(bot, self.bots)
        return {} if name is None else self.bots[name]


# Read back from runs of every older ladder, so a field is only added, and its default is what those runs did.
PairingRule: TypeAlias = Literal["before", "ahead"]
"""How a round of a tournament is paired.

before    for itself: a later round may need second meetings, and the lowest sit out in any case
ahead     so that the rounds to come need as few second meetings as can be found
"""


class TournamentTerms(msgspec.Struct, frozen=True):
    """The tournament that a run is.  Its bots are the entrants, in the order of their seeds."""

    name: str
    stages: str
    """The stages, as they are typed."""
    seats: int
    """The table size that was asked for."""
    round_blocks: int
    """The blocks of a table in a round."""
    series_blocks: int
    """The blocks of a series in a bracket."""
    authors: tuple[str, ...] = ()
    """The author of each bot; empty for house bots, and where none is known: any two of those may meet."""
    hidden: bool = False
    """Whether its results are secret until they are revealed: see results.storage.revealed."""
    rated: int | None = None
    """How many bots are seeded by their ratings; the secret draws the order of the others.  None: unknown."""
    pairing: PairingRule = "before"
    """The rule of its rounds, which it keeps.  The default is that of tournaments older than the field."""
    title: str | None = None
    """What people see it called; None: its name."""


class RunSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The matches of a run and the limits of its bots, fixed when the run began.

    Workers and referees hold it whole.  The defaults are for runs stored before a setting existed, and for
    matches that are not stored.
    """

    asked: RunCommand | None = None
    """None if unknown, because the file that held it was lost."""
    contests: tuple[Contest, ...] = ()
    tables: dict[str, Json] = {}
    """The user's own decks and the like, by their SHA-256."""
    left_out: tuple[str, ...] = ()
    """The games and table sizes that are not played, with the reasons."""
    blocks: tuple[int, ...] | None = None
    """The most blocks of each contest; None if only the clock ends the run."""
    for_s: float | None = None
    schedule: ScheduleKind = "adaptive"
    until: Until | None = None
    max_faults: int | None = None
    """The number of faults that ends the run; None: none does."""
    max_cost: float | None = None
    """The US dollars that bots may report as spent; None: no limit."""
    max_tokens: int | None = None
    """The tokens that bots may report as used; None: no limit."""
    epochs: tuple[int, ...] = ()
    """The number of blocks of each contest in an epoch."""
    shard: ShardBlocks | None = None
    shards: tuple[JoinedShard, ...] = ()
    """The shards of a merged run."""
    duel: DuelTerms | None = None
    """What it is that this run decides; None if it is no duel."""
    play: PlayTerms | None = None
    """Whom the only match of this run was played for; None for every other run."""
    reference: ReferenceTerms | None = None
    """What this run measures a bot by; None for every other run."""
    tournament: TournamentTerms | None = None
    """The tournament that this run is; None for every other run."""
    link: ChainLink | None = None
    """What this link of a chain begins with; None for every other run."""
    without: tuple[WithoutBot, ...] = ()
    limits: dict[str, int] = {}
    """The limits of a bot, by their names in its hello."""
    apart: LimitsApart | None = None
    """The limits of single bots and games that are others; None: there are none."""
    retries: int = 0
    """The number of times that an illegal move is asked again."""
    outage_s: int | None = None
    """How long the service of a bot may fail in a match, in seconds; None: failures cannot be reported."""
    threads: int | None = None
    """The most threads of a bot, whatever its manifest asks for; None if not fixed."""
    freeze: Freeze = "auto"
    persons: tuple[tuple[int, ...], ...] | UnsetType = UNSET
    """The bots, by their index, of each person who has several; no two of them meet.  Unset: all may meet."""

    def limits_at(self, bot: str, game: str) -> dict[str, int]:
        """Return the limits of the bot with this name in matches of *game*; empty if they are unknown."""
        if self.apart is None:
            return self.limits
        held = self.limits | self.apart.games.get(game, {}) | self.apart.of_bot(bot)
        if not held.get("match_s", True):  # 0 lifts a limit that the others have
            del held["match_s"]
        return held

    def goes_without(self, name: str, version: str) -> bool:
        """Return whether this bot was removed from the run."""
        return any((left.name, left.version) == (name, version) for left in self.without)


class Run(msgspec.Struct, frozen=True, gc=False):
    """One `ladder run`: everything that its matches follow from."""

    run: Int32
    secret: str
    """32 hex digits.  Never shown to a bot.  Empty if it is lost; HASHED and its hash if it was left out."""
    settings: RunSettings
    bots: list[dict[str, Json]]
    """The bot versions that take part, in order."""
    ratings: dict[str, Json]
    """The rating parameters per game."""
    versions: dict[str, str]
    """The versions of ladder, python and every library that matters."""
    host: str
    started: int
    finished: int | None = None
    blocks: int | None = None
    """The number of blocks of the finished run; None while it is unfinished."""

    @property
    def bot_keys(self) -> list[tuple[str, str]]:
        """The name and the version of each bot, in order."""
        return [(bot["name"], bot["version"]) for bot in self.bots]

    @property
    def bot_ids(self) -> list[str]:
        """NAME@VERSION of each bot, in order."""
        return [f"{name}@{version}" for name, version in self.bot_keys]

    @property
    def first_block(self) -> int:
        """The number of its first block: 0, except in a shard of a larger run."""
        return self.settings.shard.first if self.settings.shard else 0

    @property
    def has_secret(self) -> bool:
        """Whether its secret is here; else deals and names cannot be computed from it."""
        return bool(self.secret) and not self.secret.startswith(HASHED)

    @property
    def secret_hash(self) -> str:
        """The SHA-256 of the secret as it was stored, 64 hex digits."""
        if self.secret.startswith(HASHED):
            return self.secret.removeprefix(HASHED)
        return sha256(self.secret.encode()).hexdigest()

    def without_secret(self) -> "Run":
        """Return this run with the hash of its secret only, and without the number that it follows from."""
        asked, secret = self.settings.asked, self.secret and HASHED + self.secret_hash
        if asked is not None and isinstance(asked.seed, int):
            asked = msgspec.structs.replace(asked, seed=HIDDEN_SEED)
        settings = msgspec.structs.replace(self.settings, asked=asked)
        return msgspec.structs.replace(self, secret=secret, settings=settings)

    @property
    def guessable(self) -> bool | None:
        """Whether its secret was made from `--seed`, a number that can be guessed; None if unknown."""
        asked = self.settings.asked
        return None if asked is None else isinstance(asked.seed, int) or asked.seed == HIDDEN_SEED


class Season(msgspec.Struct, frozen=True):
    """Consecutive runs whose matches are rated together, and without those of other seasons."""

    name: str
    first_run: Int32
    """It ends with the run before the first one of the next season."""
    started: int


# The same bytes go from worker to parent and into the journal: a block is encoded once.
encode_block: Callable[[Block], bytes] = msgspec.json.Encoder().encode
"""Returns a block as one line of JSON, without its newline."""
decode_block: Callable[[bytes], Block] = msgspec.json.Decoder(Block).decode
"""Returns the block of a line that encode_block wrote.  Raises msgspec.MsgspecError."""
