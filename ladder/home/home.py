"""A home: the folder of one ladder, with ladder.toml, bots/ and results/."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import msgspec

from ladder.errors import FIRST_RUN, LadderError, NotFound, RefusedBot, UsageProblem
from ladder.home.settings import REQUIRED, TEMPLATE, GameSettings, Settings, change_settings, settings_from
from ladder.machine.arguments import read_argument
from ladder.machine.cores import usable_cores
from ladder.machine.installation import ROOT
from ladder.machine.toml import read_toml
from ladder.machine.user_home import user_home
from ladder.registry.bot_manifest import BotManifest
from ladder.registry.roster import Roster
from ladder.registry.version import Version
from ladder.sandbox import AUTO, TIERS
from ladder.sandbox.confinement import Confinement
from results.record import RunSettings
from results.storage.disk import Disk, sync_tree
from results.words import find_fit

if TYPE_CHECKING:
    from ladder.process.tiers import TierChoice
    from results.reports.labels import Key
    from results.storage.contents import Contents
    from results.storage.schema import Table

DEFAULT = Path("ladder-home")
"""The home that commands create if they find no other."""
SEARCH = "search"
"""The house bot that searches, and the folder that it shares with its weaker and stronger settings."""


@dataclass(frozen=True)
class Home:
    """One ladder: its folder, its settings, its bots and its results."""

    path: Path
    settings: Settings
    is_temporary: bool = False
    """Whether it is made for one command, so that its settings cannot be changed."""
    coming: tuple[Version, ...] | None = None
    """House bots that count as if they were here, if this only serves to check: house_bots.expecting."""
    tier: str = ""
    """The tier that this command has found to hold here, for all its processes: see confine_home."""

    def __fspath__(self) -> str:
        """Return its folder: a home is given where a path is taken."""
        return str(self.path)

    @property
    def roster(self) -> Roster:
        """The bots that were submitted."""
        return Roster(self.path / "bots", self.results, self.coming or (), self.bot_mb)

    @property
    def bot_mb(self) -> int:
        """The most that a new bot may hold, in MB."""
        return self.settings.limits.bot_mb

    @property
    def results(self) -> Path:
        """The folder of the results."""
        return self.path / "results"

    @property
    def transcripts(self) -> Path:
        """The folder of the lines to and from the bots, where a run has kept them."""
        return self.path / "transcripts"

    def with_tier(self, tier: str | None) -> Home:
        """Return this home with *tier*, if one is named, in place of its own; nothing is written."""
        if tier is None:
            return self
        sandbox = msgspec.structs.replace(self.settings.sandbox, tier=tier)
        return replace(self, settings=msgspec.structs.replace(self.settings, sandbox=sandbox), tier="")

    @property
    def requires_sandbox(self) -> bool:
        """Whether bots must be confined."""
        return self.settings.sandbox.tier == REQUIRED

    def with_typed(self, typed: Mapping[tuple[str, str], str]) -> Home:
        """Return this home with settings that were *typed*, by table and key; nothing is written."""
        return replace(self, settings=change_settings(self.settings, typed)) if typed else self

    def with_limits(self, changes: Mapping[str, int]) -> Home:
        """Return this home with other limits, for all bots and games; nothing is written."""
        limits = self.settings.limits.with_changes(changes)
        return replace(self, settings=msgspec.structs.replace(self.settings, limits=limits))

    def matches(self, columns: Iterable[str] | None = None, run: int | None = None) -> Table:
        """Return the matches as a pyarrow table, by run and number; those of one *run*, if it is named.

        *columns* are those of matches/*.parquet, or fields of their seats: ["game", "seats.bot"].
        """
        from results.storage.store import Store

        columns = read_argument("columns", columns, Iterable[str] | None)
        return Store(self.results).matches(columns, read_argument("run", run, int | None))

    def reviews(self, columns: Iterable[str] | None = None, run: int | None = None) -> Table:
        """Return what decisions cost as a pyarrow table, by run, number, step and seat.

        It has the rows of matches that were reviewed (`ladder review`), and that are still there: those of
        one *run*, if it is named.  *columns* are those of reviews/*.parquet; None stands for all.
        """
        from results.storage.store import Store

        columns = read_argument("columns", columns, Iterable[str] | None)
        return Store(self.results).read_reviews(columns, read_argument("run", run, int | None))

    def leaderboard(
        self, game: str, season: str | None = None, *, all_versions: bool = False, run: int | None = None
    ) -> Table:
        """Return the leaderboard of *game* as a pyarrow table, the best bot first.

        It is that of the current season, or of the *season* of this name, and has the active version of each
        bot, the bots of *run*, and with *all_versions* all others.  Raises NoSuchSeason.
        """
        from results.rating import cache
        from results.reports.leaderboard import GameBoard, leaderboard, leaderboard_table
        from results.storage.store import Store

        game, run = read_argument("game", game, str), read_argument("run", run, int | None)
        contents = Store(self.results).contents().of_season(read_argument("season", season, str | None))
        if run and run > len(contents.runs):
            raise NotFound(f"there is no run {run}", f"a run from 1 to {len(contents.runs)}")
        rated = cache.ratings_of(contents).get(game)
        hidden = frozenset() if all_versions else self.hidden_versions(contents)
        # a leaderboard after a run shows all bots of that run, retired ones as well
        hidden -= {*contents.runs[run - 1].bot_keys} if run else set()
        return leaderboard_table(leaderboard(GameBoard(rated, hidden)) if rated else [])

    def hidden_versions(self, contents: Contents | None = None) -> frozenset[Key]:
        """Return the versions that leaderboards leave out: those that do not play; in old seasons none."""
        return frozenset() if contents and contents.season_is_over else self.roster.resting()

    def options(self, game: str, typed: Mapping[str, str] = MappingProxyType({})) -> dict[str, Any]:
        """Return all rule options of *game*; *typed* ones override the settings.  Raises UsageProblem."""
        from ladder.games.rule_options import complete  # loads games

        settings = self.settings.games.get(game, GameSettings())
        return complete(game, settings.options, self.path, typed)

    def readable_paths(self) -> tuple[str, ...]:
        """Return the paths of the settings that bots may read besides the system, absolute.

        Raises UsageProblem for a path that does not exist, or that contains more than bots may see.
        """
        from ladder.sandbox.runtimes import is_shared, is_within

        found, key = [], f"{self.path / 'ladder.toml'}: sandbox.readable"
        for text in self.settings.sandbox.readable:
            first, _, rest = text.partition("/")
            named = user_home() if first == "~" else Path(first or "/")
            if named is None:
                whole = f'write the whole path: readable = ["/home/NAME/{rest}"]'
                raise UsageProblem(f"{key}: {text}, and this user has no home folder", whole)
            path = Path(os.path.normpath(self.path.absolute() / named / rest))
            is_there = os.access(path, os.F_OK)
            # the home itself holds the files of other bots, and their results
            if not is_there or is_shared(path) or is_within(self.path, [path]):
                why = "is more than a bot may see" if is_there else "is not there"
                raise UsageProblem(f"{key}: {path} {why}", "correct it and try again")
            found.append(path)
        return tuple(map(str, found))

    def make_safe(self, versions: Iterable[Version]) -> None:
        """Write the settings and *versions* to the disk, before matches name them.  Raises OSError."""
        disk = Disk()
        disk.sync_file(self.path / "ladder.toml")
        for folder in dict.fromkeys(Path(version.folder).parent for version in versions):
            sync_tree(disk, folder)
            disk.sync_dir(folder.parent)
        for folder in (self.roster.path, self.path, self.path.absolute().parent):
            disk.sync_dir(folder)

    def most_threads(self) -> int:
        """Return how many threads a bot may have."""
        return self.settings.limits.threads or len(usable_cores())

    def held_to(self, bots: Iterable[Version]) -> RunSettings:
        """Return the settings of a run of *bots* that plays nothing yet: what they are held to."""
        remote = dict.fromkeys(bot.bot for bot in bots if bot.manifest.remote)
        return self.settings.held_to(self.most_threads(), remote)

    def limits_of(self, version: Version) -> dict[str, Any]:
        """Return what *version* is held to: in any game, and in `games` where it is other things."""
        held = self.held_to([version])
        in_any = held.limits_at(version.bot, "")
        by_game = {}
        for game in held.apart.games if held.apart else ():
            here = held.limits_at(version.bot, game)
            other = {name: value for name, value in here.items() if value != in_any.get(name)}
            if other and version.plays(game):
                by_game[game] = other
        caps = [cap.seats for cap in self.settings.caps_of([version])]
        tables = {"tables": min(caps)} if caps else {}
        return {**in_any, "retries": held.retries, **tables, "games": by_game}

    def check_allowed(self, manifest: BotManifest) -> None:
        """Raise RefusedBot if *manifest* asks for what is not allowed here, or for an unset variable."""
        name, allow = manifest.name, self.settings.allow
        file = "the ladder.toml of your home" if self.is_temporary else self.path / "ladder.toml"
        refused = [variable for variable in manifest.env if variable not in allow.env]
        unset = [variable for variable in manifest.env if variable not in os.environ]
        offline = manifest.network and find_fit(name, allow.network) is None
        if manifest.threads > (most := self.most_threads()):
            asked, less = f"{name} asks for {manifest.threads:,} threads, and", f"write threads = {most} in"
            raise RefusedBot(
                f"{asked} {file} allows {most:,}",
                f"{less} its bot.toml; or in {file}, below [limits]: threads = {manifest.threads}",
                why=f"{asked} {most:,} are allowed",
                advice=f"{less} bot.toml",
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
        wanted = [f"the variable {variable}" for variable in dict.fromkeys([*refused, *unset])]
        wanted += ["the network"] if offline else []
        raise RefusedBot(
            f"{name} asks for {'; for '.join(reasons)}",
            "; ".join(todo),
            why=f"{name} asks for {', '.join(wanted)}, which bots do not have here",
            advice="do without, or ask the person who runs the ladder",
        )

    def variables_for(self, wanted: tuple[str, ...]) -> dict[str, str]:
        """Return the variables that a manifest asks for and this home allows, with their values."""
        return {
            name: os.environ[name]
            for name in wanted
            if name in self.settings.allow.env and name in os.environ
        }


def confine_home(home: Home, say: Callable[[str], object], *, require: bool = False) -> Home:
    """Return *home* with the tier that confines its bots, the first of which starts next.

    It is tried once for each command: pools and workers get it with the home.  *say* is told what it lacks;
    with *require* that something confines is required.  Raises LadderError for a tier that does not hold, and
    for settings that it does not offer; TooBusy where the machine leaves no time to try it.
    """
    if home.coming is not None:
        return home
    home.readable_paths()
    if not home.tier:
        from ladder.process.tiers import choose  # loads all that starts a bot

        choice = choose(AUTO if home.requires_sandbox else home.settings.sandbox.tier)
        if require or home.requires_sandbox:
            choice.require()
        _check_no_weaker(home, choice)
        if choice.warning:
            say(f"warning: {choice.warning}")
        home = replace(home, tier=choice.tier)
    if home.settings.sandbox.scratch_mb and home.tier != "bwrap":
        raise LadderError(
            f"{home.path / 'ladder.toml'}: sandbox.scratch_mb needs the tier bwrap, here it is {home.tier}",
            "take it out, or see what bwrap lacks: ladder doctor",
        )
    return home


def _check_no_weaker(home: Home, choice: TierChoice) -> None:
    """Raise LadderError if `auto` has found a weaker tier than the last run had; a warning may be unread."""
    if home.settings.sandbox.tier not in (AUTO, REQUIRED) or choice.tier == TIERS[0]:
        return
    from results.storage.store import Store

    store = Store(home.results)
    contents, runs = store.contents(), reversed(store.runs())
    parts = (part for run in runs for part in contents.match_parts(["sandbox"], run.run))
    last = next((tier for part in parts for tier in part["sandbox"].to_pylist()), choice.tier)
    if TIERS.index(choice.tier) > TIERS.index(last):
        less = f'write tier = "{choice.tier}" below [sandbox] in {home.path / "ladder.toml"}'
        raise LadderError(
            f"the last run here was confined by {last}, and that fails now ({choice.why})",
            f"see what it lacks: ladder doctor; or allow less: {less}",
        )


def tier_of(home: Home) -> str:
    """Return the tier that confines bots in *home*, also if that only serves to check.  Raises as above."""
    return confine_home(replace(home, coming=None), lambda text: None).tier


def confinement_of(home: Home) -> Confinement:
    """Return how bots are confined in *home*.  Raises what confine_home raises."""
    settings, home = home.settings, confine_home(home, lambda text: None)
    return Confinement(
        tier=settings.sandbox.tier if home.coming is not None else home.tier,
        network=settings.allow.network,
        readable=home.readable_paths(),
        scratch_mb=settings.sandbox.scratch_mb,
        build_network=settings.allow.build_network,
    )


def find_home(explicit: PathLike[str] | str | None) -> Path:
    """Return where the home is: *explicit*, else the nearest ladder.toml upwards, else ./ladder-home."""
    if explicit is not None:
        return Path(read_argument("path", explicit, Path))
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
            f"{path} is not a ladder home: it {what}", f"make one: ladder home init {shlex.quote(str(path))}"
        )
    try:
        data = read_toml(file)
    except (OSError, ValueError) as error:
        raise UsageProblem(f"{file} cannot be read: {error}", "correct it and try again") from None
    return Home(path, settings_from(data, file))


def read_home(path: PathLike[str] | str | None) -> Home:
    """Return the home to read, which must exist: see find_home.  Raises UsageProblem."""
    if isinstance(path, Home):
        return path
    where = find_home(path)
    if path is None and where == DEFAULT and not where.exists():
        raise UsageProblem(
            "there is no ladder here: no ladder.toml in this folder or above it, and no ladder-home",
            f"{FIRST_RUN}, which makes one; or say where it is, with --home",
        )
    return open_home(where)


@contextmanager
def home_to_check_in(
    path: PathLike[str] | str | None, read: Callable[[PathLike[str] | str | None], Home] = read_home
) -> Iterator[Home]:
    """Yield the home to check a bot in, as *read* opens it; a temporary one if none is named or found."""
    from tempfile import TemporaryDirectory

    # an author without a ladder may check as well; a home that a command makes would stay behind
    if path is not None or find_home(path) != DEFAULT or DEFAULT.exists():
        yield read(path)
        return
    with TemporaryDirectory(prefix="ladder-check-") as folder:
        yield replace(create_home(Path(folder) / "home"), is_temporary=True)


def create_home(path: Path, coming: Iterable[str] = ()) -> Home:
    """Make a home at *path*, a new or empty folder; the house bots *coming* join with its first run."""
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise UsageProblem(
            f"{path} is not empty and has no ladder.toml, so a new home cannot be made there",
            "name another folder: ladder home init FOLDER",
        )
    try:
        path.mkdir(parents=True, exist_ok=True)
        with suppress(FileExistsError), (path / "ladder.toml").open("x", encoding="utf-8") as file:
            file.write(TEMPLATE)  # first: another process then finds a home here
        for folder in ("bots", "results"):
            (path / folder).mkdir(exist_ok=True)
        if coming:
            Roster(path / "bots").expect(coming)
    except OSError as error:
        raise LadderError(
            f"{path} cannot be made: {error}", "name another folder: ladder home init FOLDER"
        ) from None
    return open_home(path)


def house_bots() -> dict[str, Path]:
    """Return the bots that come with the ladder: their manifests by their names.

    A manifest bot.toml is that of the bot its folder is named after; others share the folder.
    """
    folder = Path(ROOT, "bots")
    found = {file.parent.name if file.stem == "bot" else file.stem: file for file in folder.glob("*/*.toml")}
    return dict(sorted(found.items()))


def reference_bots() -> dict[str, Path]:
    """Return the manifests of the reference set by name: no house bots, but a home may take one as anchor."""
    return {file.stem: file for file in sorted(Path(ROOT, "bots", "reference").glob("*/*.toml"))}


def first_house_bots() -> list[str]:
    """Return the house bots of a first run: not those that search, whose decisions take 100 times longer."""
    return [name for name, file in house_bots().items() if file.parent.name != SEARCH]


def _toml(words: Iterable[str]) -> str:
    """Return *words* as a TOML list.  JSON strings are TOML strings."""
    return msgspec.json.encode(list(words)).decode().replace('","', '", "')
