"""A home: the directory with ladder.toml, bots/ and results/ that makes one ladder."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Literal, get_args, get_origin

import msgspec
from msgspec import Meta

from engines import GAMES
from ladder.errors import LadderError, UsageProblem, short, suggest
from ladder.roster import MOST_THREADS, Manifest, Roster, Version
from ladder.rule_options import check_names, complete
from ladder.sandbox import TIERS
from ladder.sandbox.runtimes import too_much, within
from ladder.sandbox.selftest import AUTO, chosen
from ladder.toml import read_toml
from protocol.messages import Limits
from results.storage.disk import Disk, sync_tree

__all__ = ["DEFAULT", "Home", "Settings", "create_home", "find_home", "house_bots", "open_home"]

DEFAULT = Path("ladder-home")
"""The home that is made on demand where there is none."""

DAY_MS = 86_400_000
Seats = Annotated[int, Meta(ge=1, le=64)]
Share = Annotated[float, Meta(ge=1e-9, le=1 - 1e-9)]
Time = Annotated[int, Meta(ge=1, le=DAY_MS)]
Words = Annotated[
    tuple[Annotated[str, Meta(max_length=4_096, pattern="^[^\\x00]*$")], ...], Meta(max_length=256)
]


class RunSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """[run]: what `ladder run` does where the command says nothing."""

    games: Words = ()
    seats: tuple[Seats, ...] = ()
    jobs: Annotated[int, Meta(ge=0, le=4_096)] = 0
    schedule: Literal["adaptive", "round-robin"] = "adaptive"
    processes: Annotated[int, Meta(ge=2, le=4_096)] = 64


class GameSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """[games.NAME]: the rule options that this home plays with."""

    options: dict[str, Any] = {}


class LimitSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """[limits]: what a bot may use; every bot is told in its hello."""

    start_ms: Time = 10_000
    move_ms: Time = 1_000
    bank_ms: Annotated[int, Meta(ge=0, le=DAY_MS)] = 10_000
    line_bytes: Annotated[int, Meta(ge=256, le=2**20)] = 65_536
    memory_mb: Annotated[int, Meta(ge=1, le=2**20)] = 512
    processes: Annotated[int, Meta(ge=1, le=2**16)] = 64
    stderr_bytes: Annotated[int, Meta(ge=1, le=2**34)] = 16_777_216
    match_s: Annotated[int, Meta(ge=0, le=DAY_MS // 1000)] = 0
    """The most time for a bot's start and decisions in a match; 0: no such limit."""
    threads: Annotated[int, Meta(ge=0, le=MOST_THREADS)] = 0
    """How many threads a manifest may ask for; 0: one per core.  Not told in hello, like what follows."""
    retries: Annotated[int, Meta(ge=0, le=1000)] = 0
    """How often an illegal move is asked again; not a limit, so hello does not name it."""

    def told(self) -> Limits:
        """Return the limits as hello names them."""
        limits = {field: getattr(self, field) for field in Limits.__struct_fields__}
        return Limits(**{**limits, "match_s": self.match_s or msgspec.UNSET})


class SandboxSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """[sandbox]: how bots are confined."""

    tier: str = AUTO
    freeze: Literal["auto", "on", "off"] = "auto"
    readable: Words = ()
    scratch_mb: Annotated[int, Meta(ge=0, le=2**20)] = 0


class AllowSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """[allow]: what is allowed to some bots, or to builds, and to no others."""

    network: Words = ()
    env: Words = ()
    build_network: bool = False


class RatingSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """[ratings.NAME]: TrueSkill's parameters for a game, where they differ from the built-in ones."""

    beta: Annotated[float, Meta(ge=1e-3, le=1e6)] | None = None
    draw_probability: Share | None = None


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """ladder.toml, typed."""

    run: RunSettings = RunSettings()
    games: dict[str, GameSettings] = {}
    limits: LimitSettings = LimitSettings()
    sandbox: SandboxSettings = SandboxSettings()
    allow: AllowSettings = AllowSettings()
    ratings: dict[str, RatingSettings] = {}


TEMPLATE = """\
# The settings of this ladder.  What stands behind a # is the default.

[run]
# games = ["stellar"]         # what `ladder run` plays; all games if left out
# seats = [2, 4]              # at which table sizes; all that a game has if left out
# jobs = 0                    # worker processes; 0: one per core
# schedule = "adaptive"       # or "round-robin"
# processes = 64              # bot processes that a worker keeps at most

[limits]                      # every bot is told them in its hello
# start_ms = 10000            # from the start of its process to `ready`
# move_ms = 1000              # free time for a decision
# bank_ms = 10000             # what decisions may take beyond that, in a match
# line_bytes = 65536          # the longest line a bot may write
# memory_mb = 512             # all its processes together
# processes = 64              # with all their threads
# stderr_bytes = 16777216     # in a match
# match_s = 0                 # its start and its decisions in a match together; 0: no such limit
# threads = 0                 # how many a bot's manifest may ask for; 0: one per core
# retries = 0                 # how often an illegal move is asked again

[sandbox]
# tier = "auto"               # the first that holds here: "bwrap", "landlock", "none"
# freeze = "auto"             # stop bots between their turns: those that compute then; or "on", "off"
# readable = ["/opt/models"]  # what bots may read besides the system's programs
# scratch_mb = 0              # room to write in /tmp, private and gone with the process; tier bwrap only

[allow]
# env = ["LLM_API_KEY"]       # variables that a bot's manifest may ask to have passed through
# network = ["my-bot"]        # bots that may use the network
# build_network = false       # builds may fetch what bots depend on

# [games.stellar.options]
# face_down_number = "printed"  # or "three"

# [games.stella.options]
# deck = "my-deck.toml"         # your own pictures and words, in a file beside this one

# [ratings.stellar]
# draw_probability = 0.02
"""


class Home:
    """One ladder: its folder, its settings, its bots and its results."""

    def __init__(self, path: Path, settings: Settings) -> None:
        self.path = path
        self.settings = settings
        self.roster = Roster(path / "bots")
        self.results = path / "results"

    def options(self, game: str, typed: Mapping[str, str] = MappingProxyType({})) -> dict[str, Any]:
        """Return all rule options that *game* is played with here: what is *typed* goes before the settings.

        Raises UsageProblem for an option or a table that the game does not take.
        """
        settings = self.settings.games.get(game, GameSettings())
        return complete(game, settings.options, self.path, typed)

    @property
    def tier(self) -> str:
        """How bots are confined: the tier of the settings; for `auto`, the first that holds on this machine.

        Raises LadderError for one that does not hold, or has no scratch space and should.
        """
        tier = chosen(self.settings.sandbox.tier).tier
        if self.settings.sandbox.scratch_mb and tier != "bwrap":
            raise LadderError(
                f"{self.path / 'ladder.toml'}: sandbox.scratch_mb needs the tier bwrap, here it is {tier}",
                "take it out, or see what bwrap lacks: ladder doctor",
            )
        return tier

    @property
    def readable(self) -> tuple[str, ...]:
        """What bots may read besides the system: existing absolute paths, of the settings.

        Raises UsageProblem for one that is not there or is more than any bot may see.
        """
        found = [
            Path(os.path.normpath(self.path.absolute() / Path(path).expanduser()))
            for path in self.settings.sandbox.readable
        ]
        for path in found:
            if not path.exists() or too_much(path) or within(self.path, [path]):
                why = "is more than a bot may see" if path.exists() else "is not there"
                raise UsageProblem(
                    f"{self.path / 'ladder.toml'}: sandbox.readable: {path} {why}", "correct it and try again"
                )
        return tuple(map(str, found))

    def make_safe(self, versions: Iterable[Version]) -> None:
        """Return when the settings and *versions* are safe from power cuts, as matches that name them are.

        Raises OSError.
        """
        disk = Disk()
        disk.sync_file(self.path / "ladder.toml")
        for folder in dict.fromkeys(Path(version.folder).parent for version in versions):
            sync_tree(disk, folder)
            disk.sync_dir(folder.parent)
        for folder in (self.roster.path, self.path, self.path.absolute().parent):
            disk.sync_dir(folder)

    @property
    def threads(self) -> int:
        """How many threads a bot may have."""
        from ladder.worker import usable_cores  # commands that only read need not load it

        return self.settings.limits.threads or len(usable_cores())

    def check_allowed(self, manifest: Manifest) -> None:
        """Raise UsageProblem if *manifest* asks for what this home does not allow, or for what is not set."""
        name, allow, file = manifest.name, self.settings.allow, self.path / "ladder.toml"
        refused = [variable for variable in manifest.env if variable not in allow.env]
        unset = [variable for variable in manifest.env if variable not in os.environ]
        offline = manifest.network and name not in allow.network
        if manifest.threads > self.threads:
            raise UsageProblem(
                f"{name} asks for {manifest.threads:,} threads, and {file} allows {self.threads:,}",
                f"write threads = {self.threads} in its bot.toml; or in {file}, below [limits]:"
                f" threads = {manifest.threads}",
            )
        if not (refused or unset or offline):
            return
        reasons = [f"the variable {variable}, which {file} does not allow" for variable in refused]
        reasons += ["the network, which it may not use"] if offline else []
        reasons += [
            f"the variable {variable}, which is not set" for variable in unset if variable not in refused
        ]
        lines = [f"env = {_toml([*allow.env, *refused])}"] if refused else []
        lines += [f"network = {_toml([*allow.network, name])}"] if offline else []
        todo = [f"write in {file}, below [allow]: {' and '.join(lines)}"] if lines else []
        todo += [f"export {variable}=..." for variable in unset]
        raise UsageProblem(f"{name} asks for {'; for '.join(reasons)}", "; ".join(todo))

    def passed(self, wanted: tuple[str, ...]) -> dict[str, str]:
        """Return the variables that a manifest asks for and this home allows, with their values."""
        return {
            name: os.environ[name]
            for name in wanted
            if name in self.settings.allow.env and name in os.environ
        }


def find_home(explicit: Path | None) -> Path:
    """Return where the home is: *explicit*, else the nearest ladder.toml upwards, else ./ladder-home."""
    if explicit is not None:
        return explicit
    here = Path.cwd()
    for folder in (here, *here.parents):
        if (folder / "ladder.toml").is_file():
            return folder
    return DEFAULT


def open_home(path: Path) -> Home:
    """Return the home at *path*.  Raises UsageProblem where there is none or its settings are wrong."""
    file = path / "ladder.toml"
    if not file.is_file():
        if path.is_dir() and any(path.iterdir()):
            raise UsageProblem(f"{path} is not a ladder home: it has no ladder.toml", "name one with --home")
        what = "is empty" if path.is_dir() else "is a file" if path.exists() else "does not exist"
        raise UsageProblem(
            f"{path} is not a ladder home: it {what}", f"make one: ladder init {shlex.quote(str(path))}"
        )
    try:
        data = read_toml(file)
    except (OSError, ValueError) as error:
        raise UsageProblem(f"{file} cannot be read: {error}", "correct it and try again") from None
    return Home(path, _settings(data, file))


def create_home(path: Path, coming: Iterable[str] = ()) -> Home:
    """Make a home at *path*, which must not exist or be empty, and return it.

    *coming* are the names of the house bots that come in with its first run.
    """
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise UsageProblem(
            f"{path} is not empty and has no ladder.toml, so it is no place for a new home",
            "name another folder: ladder init FOLDER",
        )
    try:
        path.mkdir(parents=True, exist_ok=True)
        with suppress(FileExistsError), (path / "ladder.toml").open("x", encoding="utf-8") as file:
            file.write(TEMPLATE)  # first: from here on it is a home, for whoever else is about to make one
        for folder in ("bots", "results"):
            (path / folder).mkdir(exist_ok=True)
        if coming:
            Roster(path / "bots").expect(coming)
    except OSError as error:
        raise LadderError(
            f"{path} cannot be made: {error}", "name another folder: ladder init FOLDER"
        ) from None
    return open_home(path)


def house_bots() -> dict[str, Path]:
    """Return the bots that come with the ladder: their manifests by their names.

    A manifest bot.toml is that of the bot its folder is named after; others share the folder.
    """
    folder = Path(__file__).resolve().parents[1] / "bots"
    found = {file.parent.name if file.stem == "bot" else file.stem: file for file in folder.glob("*/*.toml")}
    return dict(sorted(found.items()))


def _toml(words: Iterable[str]) -> str:
    """Return *words* as TOML has them: a string of JSON is one of TOML, too."""
    return msgspec.json.encode(list(words)).decode().replace('","', '", "')


def _settings(data: dict[str, Any], file: Path) -> Settings:
    _refuse_unknown(data, Settings, "", file)
    try:
        settings = msgspec.convert(data, Settings)
    except (msgspec.ValidationError, OverflowError) as error:
        raise UsageProblem(f"{file}: {short(str(error), 300)}", "correct it and try again") from None
    for where, names in (
        ("games.", settings.games),
        ("ratings.", settings.ratings),
        ("run.games: ", settings.run.games),
    ):
        for name in names:
            _refuse_unknown_word(name, GAMES, where, file)
    for name, game in settings.games.items():
        check_names(name, game.options, f"{file}: games.{name}.options.")
    if settings.sandbox.tier not in (tiers := (AUTO, *TIERS)):
        raise UsageProblem(
            f"{file}: unknown tier {short(repr(settings.sandbox.tier))}", f"known: {', '.join(tiers)}"
        )
    return settings


def _refuse_unknown(data: Any, kind: Any, where: str, file: Path) -> None:
    """Refuse keys that *kind* does not have, with a suggestion, however deep they stand."""
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


def _refuse_unknown_word(word: str, known: Any, where: str, file: Path) -> None:
    if word not in known:
        raise UsageProblem(
            f"{file}: unknown {where}{short(word)}{suggest(word, known)}", f"known: {', '.join(known)}"
        )
