"""The settings of a home: ladder.toml, checked and complete."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin

import msgspec
from msgspec import Meta

from ladder.errors import UsageProblem, short, suggest
from ladder.machine.cores import Pin
from ladder.registry.bot_manifest import BOT_MB, MOST_THREADS
from ladder.registry.seat_caps import SeatCap
from ladder.registry.version import Version
from ladder.sandbox import AUTO, TIERS
from protocol.messages import Limits
from results.record import Freeze, LimitsApart, RunSettings
from results.words import find_fit

DAY_MS = 86_400_000
REQUIRED = "required"
"""The tier `auto`, where that finds one that confines."""
ONLINE_TABLES = 8
"""The seats that a bot with the network may have in matches in progress, unless its limits say otherwise."""
Seats = Annotated[int, Meta(ge=1, le=64)]
Tables = Annotated[int, Meta(ge=1, le=2**16)]
Share = Annotated[float, Meta(ge=1e-9, le=1 - 1e-9)]
Time = Annotated[int, Meta(ge=1, le=DAY_MS)]
Words = Annotated[
    tuple[Annotated[str, Meta(max_length=4_096, pattern="^[^\\x00]*$")], ...], Meta(max_length=256)
]


class RunDefaults(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """[run]: the defaults of `ladder run`."""

    games: Words = ()
    seats: tuple[Seats, ...] = ()
    jobs: Annotated[int, Meta(ge=0, le=4_096)] = 0
    schedule: Literal["adaptive", "round-robin"] = "adaptive"
    processes: Annotated[int, Meta(ge=2, le=4_096)] | None = None
    in_progress: Annotated[int, Meta(ge=1, le=1_024)] = 32
    pin: Pin = "auto"
    tls: Annotated[str, Meta(max_length=4_096, pattern="^[^\\x00]*$")] | None = None
    """The folder with certificates of a cluster, below the home unless it begins at the root."""
    wait: bool = False
    one_bot_a_person: bool = False
    remote: bool = False


class GameSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """[games.NAME]: the rule options of a game in this home."""

    options: dict[str, Any] = {}


class GameLimits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """[limits.games.NAME]: the clock of a game; None: as for all games."""

    move_ms: Time | None = None
    bank_ms: Annotated[int, Meta(ge=0, le=DAY_MS)] | None = None
    match_s: Annotated[int, Meta(ge=0, le=DAY_MS // 1000)] | None = None


class LimitSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """[limits]: what a bot may use.  Hello tells every bot, except for those that UNTOLD names.

    The descriptions stand in the ladder.toml of a new home.
    """

    start_ms: Annotated[Time, Meta(description="from the start of its process until `ready`")] = 10_000
    move_ms: Annotated[Time, Meta(description="free time for a decision")] = 1_000
    bank_ms: Annotated[int, Meta(ge=0, le=DAY_MS, description="extra time for slow decisions, per match")] = (
        10_000
    )
    line_bytes: Annotated[int, Meta(ge=256, le=2**20, description="the longest line a bot may write")] = (
        65_536
    )
    memory_mb: Annotated[int, Meta(ge=1, le=2**20, description="for all its processes together")] = 512
    processes: Annotated[int, Meta(ge=1, le=2**16, description="its processes and threads, together")] = 64
    stderr_bytes: Annotated[int, Meta(ge=1, le=2**34, description="per match")] = 16_777_216
    match_s: Annotated[
        int,
        Meta(
            ge=0,
            le=DAY_MS // 1000,
            description="its start and all its decisions, per match; 0: no such limit",
        ),
    ] = 0
    threads: Annotated[
        int,
        Meta(
            ge=0, le=MOST_THREADS, description="the most that a bot's manifest may ask for; 0: one per core"
        ),
    ] = 0
    retries: Annotated[
        int, Meta(ge=0, le=1000, description="how often a bot may try again after an illegal move")
    ] = 0

    outage_s: Annotated[
        int, Meta(ge=0, le=DAY_MS // 1000, description="how long a bot's own service may fail, per match")
    ] = 300

    def for_hello(self) -> Limits:
        """Return the limits as hello names them."""
        told = {}
        for field in msgspec.structs.fields(Limits):
            if field.name == "outage_s":  # told to those alone who may report failures
                continue
            value = getattr(self, field.name)
            told[field.name] = value if value or field.default is not msgspec.UNSET else msgspec.UNSET
        return Limits(**told)


# A bot's own limits are those of hello, each of which may be missing: None.
BotLimits = msgspec.defstruct(
    "BotLimits",
    [
        (field.name, field.type | None, None)
        for field in msgspec.structs.fields(LimitSettings)
        if field.name in Limits.__struct_fields__ and field.name != "outage_s"
    ]
    + [("tables", Tables | None, None)],
    frozen=True,
    forbid_unknown_fields=True,
    module=__name__,
)
"""[limits.bots.NAME]: what a bot may use; None: as all bots.  Hello does not tell its seats, `tables`."""


class RemoteLimits(BotLimits, frozen=True, forbid_unknown_fields=True):  # type: ignore[valid-type,misc,call-arg]  # made above
    """[limits.remote]: `serve` takes up to 15 s to see that a line is cut, and a bot loses nothing by it."""

    start_ms: Time | None = 30_000
    move_ms: Time | None = 10_000
    bank_ms: Time | None = 60_000


class AllLimits(LimitSettings, frozen=True, forbid_unknown_fields=True):
    """[limits], with those of single bots and games, and of the files of a new bot."""

    bot_mb: Annotated[int, Meta(ge=1, le=2**20)] = BOT_MB
    bots: dict[str, BotLimits] = {}  # type: ignore[valid-type]  # a struct that is made above
    games: dict[str, GameLimits] = {}
    remote: RemoteLimits = RemoteLimits()

    def apart(self, remote: Iterable[str] = ()) -> LimitsApart | None:
        """Return the limits of single bots and games, as a run of these *remote* bots keeps them, or None."""
        bots, games = (
            {name: _set_limits(of) for name, of in kinds.items()} for kinds in (self.bots, self.games)
        )
        elsewhere = _set_limits(self.remote)
        bots |= {name: elsewhere | bots.get(find_fit(name, bots) or "", {}) for name in remote}
        # an empty one stays: it is for a bot that a pattern fits, and says that this is not for it
        return LimitsApart(bots, games) if any((*bots.values(), *games.values())) else None

    def of(self, bot: str) -> "AllLimits":
        """Return the limits that concern the bot with this name."""
        # the clocks of games stay, because they hold for every bot
        name = find_fit(bot, self.bots)
        bots = {} if name is None else {bot: self.bots[name]}
        return msgspec.structs.replace(self, bot_mb=BOT_MB, bots=bots, remote=AllLimits().remote)

    def with_changes(self, changes: Mapping[str, int]) -> "AllLimits":
        """Return these limits with *changes*, which hold for every bot and game."""
        # a change is for all, so what single bots and games have apart of it no longer holds
        gone = dict.fromkeys(changes)
        return msgspec.structs.replace(
            self,
            **changes,
            bots={name: _without(of, gone) for name, of in self.bots.items()},
            games={name: _without(of, gone) for name, of in self.games.items()},
            remote=_without(self.remote, gone),
        )


def _set_limits(limits: msgspec.Struct) -> dict[str, int]:
    held = msgspec.structs.asdict(limits).items()
    return {name: value for name, value in held if value is not None and name != "tables"}


def _without(limits: Any, gone: Mapping[str, None]) -> Any:
    return msgspec.structs.replace(limits, **dict.fromkeys(gone.keys() & {*limits.__struct_fields__}))


class SandboxSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """[sandbox]: how bots are confined."""

    tier: str = AUTO
    freeze: Freeze = "auto"
    readable: Words = ()
    scratch_mb: Annotated[int, Meta(ge=0, le=2**20)] = 0


class AllowSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """[allow]: what only some bots, or builds, may use."""

    network: Words = ()
    env: Words = ()
    build_network: bool = False


class QuotaSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """[quota.NAME]: bots that share a service, and how many seats they may have in matches in progress."""

    bots: Words
    tables: Tables


class InboxSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """[inbox]: how much a person may hand in through `ladder inbox`; 0: as much as they like."""

    bots_a_person: Annotated[int, Meta(ge=0, le=10_000)] = 0
    submissions_a_day: Annotated[int, Meta(ge=0, le=10_000)] = 0
    waiting: Annotated[int, Meta(ge=0, le=1_000)] = 2
    """How many uploads of a person may wait for their answers."""
    wishes_a_day: Annotated[int, Meta(ge=0, le=10_000)] = 20
    challenges_a_day: Annotated[int, Meta(ge=0, le=10_000)] = 0
    """0: none."""
    replace: Literal["at-once", "gate"] = "at-once"
    """When a new version of a bot that plays takes its place: "gate": if a duel does not show it worse."""


class NotifySettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """[notify]: the program that is told what happens, as JSON; empty: none."""

    command: Words = ()


class SiteSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """[site]: what the pages of `ladder site` and `ladder serve` say of this ladder."""

    title: Annotated[str, Meta(max_length=100, pattern=r"^ *[^\x00- ][^\x00-\x1f]*$")] = "A ladder of bots"
    """The name of the ladder."""
    hand_in: Annotated[str, Meta(max_length=2_000, pattern="^[^\\x00]*$")] | None = None
    """How people hand in a bot here, in words; None: they give it to those who run the ladder."""


class ServeSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """[serve]: what stands between `ladder serve` and its visitors."""

    behind_proxy: Annotated[str, Meta(max_length=256)] = ""
    """The header whose last entry, set by a proxy, is the visitor's address; empty: there is no proxy."""
    proxy: Annotated[str, Meta(max_length=256)] = ""
    """The address of that proxy, if it runs on another machine."""
    url: Annotated[str, Meta(max_length=2_000)] = ""
    """The address under which the proxy shows the pages."""


class RatingSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """[ratings.NAME]: TrueSkill's parameters for a game, if they differ from those of the game."""

    beta: Annotated[float, Meta(ge=1e-3, le=1e6)] | None = None
    draw_probability: Share | dict[Seats, Share] | None = None
    """One number for all table sizes, or one for each that differs."""
    anchor: Annotated[str, Meta(max_length=256)] | None = None
    """The bot, NAME@VERSION, whose rating is fixed."""
    anchor_rating: Annotated[float, Meta(ge=-1e6, le=1e6)] | None = None


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """ladder.toml, typed."""

    run: RunDefaults = RunDefaults()
    games: dict[str, GameSettings] = {}
    limits: AllLimits = AllLimits()
    sandbox: SandboxSettings = SandboxSettings()
    allow: AllowSettings = AllowSettings()
    quota: dict[str, QuotaSettings] = {}
    inbox: InboxSettings = InboxSettings()
    notify: NotifySettings = NotifySettings()
    site: SiteSettings = SiteSettings()
    serve: ServeSettings = ServeSettings()
    ratings: dict[str, RatingSettings] = {}

    def caps_of(self, bots: Sequence[Version]) -> tuple[SeatCap, ...]:
        """Return the caps of *bots*, and of those of each quota.  All versions of a bot share its seats."""
        places: dict[str, list[int]] = {}
        for index, bot in enumerate(bots):
            places.setdefault(bot.bot, []).append(index)
        caps = []
        for name, mine in places.items():
            own: Any = self.limits.of(name).bots.get(name, BotLimits())
            manifests = [bots[index].manifest for index in mine]
            remote = self.limits.remote if any(each.remote for each in manifests) else None
            asks = any(each.network for each in manifests)
            is_online = asks and find_fit(name, self.allow.network) is not None
            usual = ONLINE_TABLES if is_online or remote else 0
            caps.append(SeatCap(tuple(mine), own.tables or (remote and remote.tables) or usual))
        for quota in self.quota.values():
            fit = [index for name in places if find_fit(name, quota.bots) for index in places[name]]
            caps.append(SeatCap(tuple(sorted(fit)), quota.tables))
        return tuple(cap for cap in caps if cap.bots and cap.seats)

    def held_to(self, threads: int, remote: Iterable[str] = ()) -> RunSettings:
        """Return the settings of a run that plays nothing yet: what its bots, some *remote*, are held to.

        What hello does not tell of the limits has a field of the same name there.
        """
        untold = {name: getattr(self.limits, name) for name in (*UNTOLD, "outage_s")}
        return RunSettings(
            **{
                **untold,
                "limits": msgspec.to_builtins(self.limits.for_hello()),
                "apart": self.limits.apart(remote),
                "threads": threads,
                "freeze": self.sandbox.freeze,
            }
        )


UNTOLD = tuple(name for name in LimitSettings.__struct_fields__ if name not in Limits.__struct_fields__)
"""The limits that hello does not tell."""


def _lines_of_limits() -> str:
    """Return the limits as TEMPLATE has them: each with its default and its description."""
    lines = []
    for field in msgspec.structs.fields(LimitSettings):
        meta = next(part for part in field.type.__metadata__ if part.description)
        lines.append(f"{f'# {field.name} = {field.default}':<30}# {meta.description}\n")
    return "".join(lines)


TEMPLATE = f"""\
# The settings of this ladder.  Lines that are commented out show the defaults.

[run]
# games = ["stellar"]         # what `ladder run` plays and bots are tried at; default: all games
# seats = [2, 4]              # at which table sizes; default: all that a game has
# jobs = 0                    # worker processes; 0: one per core
# schedule = "adaptive"       # or "round-robin"
# processes = 64              # the most bot processes per worker; default: as memory allows
# in_progress = 32            # the most matches that a worker plays at once, with bots that allow it
# pin = "auto"                # keep each worker and its bots on one core: "auto" if there are enough
# tls = "tls"                 # certificates for `run --on tls://...`: the folder that `ladder tls` made
# wait = false                # commands that write wait while another process uses the home
# one_bot_a_person = false    # no two bots of one person at a rated table
# remote = false              # bots on other machines play rated matches

[limits]                      # `hello` tells bots all of them except {" and ".join((*UNTOLD, "bot_mb"))}
{_lines_of_limits()}# bot_mb = {BOT_MB}                # the most that the files of a new bot hold

# [limits.bots.my-bot]        # what one bot, or all of "my-*", may use; any of the limits that `hello` tells
# move_ms = 60_000
# tables = 4                  # seats in progress; default: {ONLINE_TABLES} with the network, else any number

# [quota.my-key]              # bots that share a service, and their seats in progress
# bots = ["my-*"]
# tables = 16

# [limits.remote]             # what bots on other machines may use: any of the limits that `hello` tells
# start_ms = 30_000
# move_ms = 10_000
# bank_ms = 60_000

# [limits.games.stella]       # the clock of one game: move_ms, bank_ms, match_s
# move_ms = 5_000

[sandbox]
# tier = "auto"               # the strongest that works; "required": never none; "bwrap", "landlock", "none"
# freeze = "auto"             # suspend bots between their turns: "auto" those that compute then, "on", "off"
# readable = ["/opt/models"]  # what bots may read, besides the system's programs
# scratch_mb = 0              # private space in /tmp, deleted with the process; tier bwrap only

[allow]
# env = ["LLM_API_KEY"]       # variables that a bot's manifest may ask for
# network = ["my-bot"]        # bots that may use the network
# build_network = false       # builds may download what bots depend on

[inbox]                       # what a person may hand in through `ladder inbox`; 0: no such limit
# bots_a_person = 0           # bots that play at a time
# submissions_a_day = 0       # in the last 24 hours
# waiting = 2                 # uploads that wait for their answers: `ladder serve --uploads`
# wishes_a_day = 20           # to retire, activate, rename or challenge
# challenges_a_day = 0        # of these; here 0 means none
# replace = "at-once"         # "gate": a new version plays once a duel has not shown it to be worse

[notify]                      # a program that gets each answer and each link of a ladder without end as JSON
# command = ["./tell.sh"]

[site]                        # what web pages say of this ladder
# title = "A ladder of bots"   # its name
# hand_in = "Send it to Ann."  # how people hand in a bot here, on the page `Submit a bot`

[serve]                       # `ladder serve` behind a proxy: ladder/web/serve/README.md
# behind_proxy = "X-Forwarded-For"      # the header whose last entry is the visitor's address
# proxy = "192.0.2.1"                   # where the proxy runs, if not on this machine
# url = "https://example.org/ladder/"   # what people type

# [games.stellar.options]
# face_down_number = "printed"  # or "three"

# [games.stella.options]
# deck = "my-deck.toml"         # your own pictures and words, in a file beside this one

# [ratings.stellar]
# draw_probability = 0.02       # how often equal bots tie; default: measured; or {{2 = 0.02, 4 = 0.1}}
# anchor = "random@1"           # ratings are shifted so that this bot...
# anchor_rating = 25.0          # ...always has this rating
"""


def settings_from(data: dict[str, Any], file: Path) -> Settings:
    # before msgspec, whose message has no suggestion
    _refuse_unknown(data, Settings, "", file)
    try:
        settings = msgspec.convert(data, Settings, str_keys=True)
    except (msgspec.ValidationError, OverflowError) as error:
        raise UsageProblem(f"{file}: {short(_in_words(error), 300)}", "correct it and try again") from None
    if settings.games or settings.ratings or settings.run.games or settings.limits.games:
        _check_games(settings, file)
    if settings.sandbox.tier not in (tiers := (AUTO, REQUIRED, *TIERS)):
        raise UsageProblem(
            f"{file}: unknown tier {short(repr(settings.sandbox.tier))}", f"known: {', '.join(tiers)}"
        )
    return settings


def change_settings(settings: Settings, typed: Mapping[tuple[str, str], str]) -> Settings:
    """Return *settings* with values that were *typed*, by table and key.  Raises UsageProblem."""
    for (table, key), value in typed.items():
        changed = msgspec.to_builtins(getattr(settings, table)) | {key: value}
        try:
            section = msgspec.convert(changed, type(getattr(settings, table)), strict=False)
        except msgspec.ValidationError as error:
            what = f"[{table}] {key}: {short(value)!r}: {_in_words(error).partition(' - at')[0]}"
            raise UsageProblem(what, "correct it") from None
        settings = msgspec.structs.replace(settings, **{table: section})
    return settings


def _in_words(error: Exception) -> str:
    """Return what msgspec says of a number in plain words."""
    text = str(error)
    for sign, words in ((">=", "at least"), ("<=", "at most")):
        text = text.replace(f"Expected `int` {sign} ", f"expected a whole number of {words} ")
    return text


def read_limits(texts: Iterable[str]) -> dict[str, int]:
    """Return the limits that *texts* such as move_ms=60000 mean.  Raises UsageProblem for other texts."""
    limits: dict[str, int] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        said = f"--limit {short(text)}"
        if not equals:
            raise UsageProblem(f"expected --limit KEY=VALUE, got: {said}", "such as: --limit move_ms=60000")
        _refuse_unknown_word(name, LimitSettings.__struct_fields__, "limit ", "--limit")
        if name in limits:
            raise UsageProblem(f"--limit: {name} is given twice", "leave one of them out")
        try:
            limits[name] = int(value)
        except ValueError:
            what = f"expected a whole number, got: {said}"
            raise UsageProblem(what, "such as: --limit move_ms=60000") from None
        # the bounds are those of the settings, told by the same sentence
        try:
            msgspec.convert({name: limits[name]}, LimitSettings)
        except (msgspec.ValidationError, OverflowError) as error:
            raise UsageProblem(
                f"{said}: {_in_words(error).partition(' - at')[0]}", "choose another value"
            ) from None
    return limits


def _check_games(settings: Settings, file: Path) -> None:
    """Refuse names of no game, and options that a game does not have."""
    from engines import GAMES  # the settings of most homes name none
    from ladder.games.rule_options import check_names

    for where, names in (
        ("games.", settings.games),
        ("ratings.", settings.ratings),
        ("limits.games.", settings.limits.games),
        ("run.games: ", settings.run.games),
    ):
        for name in names:
            _refuse_unknown_word(name, GAMES, where, file)
    for name, game in settings.games.items():
        check_names(name, game.options, f"{file}: games.{name}.options.")


def _refuse_unknown(data: Any, kind: Any, where: str, file: Path) -> None:
    """Refuse keys that *kind* does not have, at any depth, with a suggestion."""
    if not isinstance(data, dict):
        return
    if get_origin(kind) is dict:
        for name, value in data.items():
            _refuse_unknown(value, get_args(kind)[1], f"{where}{name}.", file)
    elif isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        fields = {field.name: field.type for field in msgspec.structs.fields(kind)}
        for key, value in data.items():
            _refuse_unknown_word(key, fields, where, file)
            _refuse_unknown(value, fields[key], f"{where}{key}.", file)


def _refuse_unknown_word(word: str, known: Any, where: str, file: Path | str) -> None:
    if word not in known:
        place = f"; {word} stands below [ratings.GAME]" if word in RatingSettings.__struct_fields__ else ""
        raise UsageProblem(
            f"{file}: unknown {where}{short(word)}{suggest(word, known)}", f"known: {', '.join(known)}{place}"
        )
