"""Bots: manifest, snapshot, build, versions.

A home keeps every version of every bot under `bots/NAME/VERSION/`: `version.json` says what it is, `files/`
holds the snapshot with what its build made, `source/` the snapshot alone where there was a build.  A version
is never changed; its identity is the hash of the snapshot and the manifest as they were submitted.
"""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import shutil
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import count
from math import isfinite
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta

from ladder.contents import Differences, differences, digest_of, list_files, read_listing, write_listing
from ladder.dependencies import BESIDE, recipe, wants_network
from ladder.errors import LadderError, NotFound, UsageProblem, short, suggest
from ladder.process import build
from ladder.sandbox import ENVIRONMENT, confine
from ladder.sandbox.toolchains import network_variables, toolchains
from ladder.shebang import interpreter_of
from ladder.toml import depth, read_toml
from protocol.messages import LARGEST
from results.reports.labels import DIGITS, HASH_SHOWN

__all__ = [
    "MOST_THREADS",
    "Manifest",
    "Roster",
    "Staged",
    "Version",
    "VersionRecord",
    "build_version",
    "can_be_checked",
    "changed_files",
    "check_program",
    "command_of",
    "files_of",
    "identity_of",
    "needs_build",
    "read_manifest",
    "source_is_sound",
    "source_of",
    "too_large",
    "workbench",
]

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,31}")
"""What a bot may be called."""
NUMBER = re.compile(rf"[0-9]{{1,{DIGITS}}}")
"""What is read as the number of a version, and not as the beginning of its hash."""
COMING = ".coming"
"""The file, beside the bots, with the names of the house bots that are to come in with the next run."""
HOUSE = "ladder"
"""The author of the house bots."""
MAX_FILES = 10_000
MAX_BYTES = 256 * 2**20
INTERPRETERS = {
    ".py": ("{python}", ("python", "python3")),
    ".js": ("node", ("node",)),
    ".mjs": ("node", ("node",)),
    ".sh": ("sh", ("sh", "/bin/sh")),
}
"""What runs a script that is submitted by itself, by its suffix; what names the same in its `#!` line."""


MOST_THREADS = 1_024
CONFIG_BYTES = 2**18
"""How long `config` may be as JSON: every process of the bot is sent it."""
CONFIG_DEPTH = 8
"""How deep tables and lists may nest in `config`, itself counted."""

Text = Annotated[str, Meta(max_length=4_096, pattern="^[^\\x00]*$")]
Texts = Annotated[tuple[Text, ...], Meta(max_length=256)]


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """bot.toml, typed.  `games` empty: every game; `parallel` None: as many as the bot itself says."""

    name: str
    run: Texts
    build: Text | Texts = ()
    build_timeout_s: Annotated[int, Meta(ge=1, le=86_400)] = 600
    games: Texts = ()
    env: Texts = ()
    parallel: Annotated[int, Meta(ge=1, le=1_024)] | None = None
    restart: Literal["never", "match"] = "never"
    threads: Annotated[int, Meta(ge=1, le=MOST_THREADS)] = 1
    network: bool = False
    config: dict[str, Any] = {}
    author: Text = ""
    description: Text = ""

    def __post_init__(self) -> None:
        """Raise ValueError for a `config` that bots in some languages could not read."""
        _check_config(self.config)


def _check_config(config: dict[str, Any]) -> None:
    if depth(config) > CONFIG_DEPTH:
        raise ValueError(f"expected `config` nested at most {CONFIG_DEPTH} deep, got more")
    level: list[Any] = [config]
    while level := [inner for each in level for inner in _values(each)]:
        for value in level:
            if isinstance(value, int) and abs(value) > LARGEST:
                got = short(str(value))
                raise ValueError(f"expected whole numbers within 2**53 of zero in `config`, got: {got}")
            if isinstance(value, float) and not isfinite(value):
                raise ValueError(f"expected finite numbers in `config`, got: {value}")
    if (size := len(msgspec.json.encode(config))) > CONFIG_BYTES:
        raise ValueError(f"expected a `config` of at most {CONFIG_BYTES:,} bytes as JSON, got {size:,}")


def _values(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


class Version(msgspec.Struct, frozen=True):
    """An immutable snapshot of a bot, ready to be started."""

    bot: str
    version: str
    folder: str
    """Where its files lie."""
    manifest: Manifest
    order: int = 0
    """Counts the submissions under this name: the highest is the newest."""
    submitted: str = ""
    """When, in UTC (ISO 8601)."""
    unfit: tuple[str, ...] = ()
    """Games in which it failed against itself, although its manifest does not exclude them."""
    number: int = 0
    """What people may call it in this home, as NAME@NUMBER; it has no meaning elsewhere."""
    note: str = ""
    """What its submitter said about it."""
    house: bool | None = None
    """Whether it came with the ladder; None: it is from before that was written down."""
    retired: bool = False
    """Whether it is to play only where it is named."""
    built: str = ""
    """The digest of its files with what its build made; empty without a build, and for older versions."""

    @property
    def id(self) -> str:
        """Return NAME@VERSION."""
        return f"{self.bot}@{self.version}"

    @property
    def of_house(self) -> bool:
        """Return whether it is one of the house bots."""
        return self.manifest.author == HOUSE if self.house is None else self.house

    def plays(self, game: str) -> bool:
        """Return whether it plays *game*: one that its manifest names, or any but those it is unfit for."""
        return game in self.manifest.games if self.manifest.games else game not in self.unfit


class VersionRecord(Version, frozen=True):
    """version.json: a version and what concerns its home alone.  Workers and bots never see it."""

    origin: str = ""
    """Where it was submitted from, an absolute path; empty if that is not known."""


# -- manifests


def read_manifest(path: Path, games: Iterable[str], name: str | None = None) -> Manifest:
    """Return the manifest of a folder with a bot.toml, of a manifest by itself, or of a single script.

    A manifest of another name than bot.toml makes another bot of the same folder.
    *name*, if given, is what the bot is to be called instead.
    Raises UsageProblem, saying what to change, for everything that cannot become a bot.
    """
    if not path.exists():
        raise UsageProblem(
            f"there is no file or folder {str(path)!r}", "ladder submit PATH, a script or a folder"
        )
    file = path / "bot.toml" if path.is_dir() else path
    data = _read_toml(file) if file.suffix == ".toml" else _of_script(file)
    return _checked(data | ({"name": name} if name else {}), file, games)


def source_of(path: Path) -> Path:
    """Return what is copied when *path* is submitted: the folder of a manifest, else *path* itself."""
    return path.parent if path.suffix == ".toml" and path.is_file() else path


def _read_toml(file: Path) -> dict[str, Any]:
    if not file.is_file():
        name = file.resolve().parent.name
        raise UsageProblem(
            f"{file.parent} has no {file.name}", f'write one: name = "{name}", run = ["./program"]'
        )
    try:
        return read_toml(file)
    except (OSError, ValueError) as error:
        raise UsageProblem(f"{file} is not valid TOML: {error}", "correct it and submit again") from None


def _of_script(path: Path) -> dict[str, Any]:
    if not path.is_file():
        raise UsageProblem(f"{path} is neither a script nor a folder", "ladder submit PATH")
    usual, names = INTERPRETERS.get(path.suffix, ("", ()))
    named = interpreter_of(path)
    if usual and (not named or named[0] in names):
        return {"name": path.stem, "run": [usual, *named[1:], path.name]}
    if not named and not os.access(path, os.X_OK):
        raise UsageProblem(f"{path} cannot be executed: it has no run bit", f"chmod +x {path}")
    return {"name": path.stem, "run": [f"./{path.name}"]}


def _checked(data: dict[str, Any], file: Path, games: Iterable[str]) -> Manifest:
    known = [field.name for field in msgspec.structs.fields(Manifest)]
    for key in data:
        if key not in known:
            raise UsageProblem(
                f"{file}: unknown key {short(repr(key))}{suggest(key, known)}", f"known: {', '.join(known)}"
            )
    for key in ("name", "run"):
        if not data.get(key):
            raise UsageProblem(f"{file}: the key {key!r} is missing", f"add it: {_EXAMPLE[key]}")
    try:
        manifest = msgspec.convert(data, Manifest)
    except (msgspec.ValidationError, OverflowError) as error:
        raise UsageProblem(f"{file}: {short(str(error), 300)}", "correct it and submit again") from None
    if not NAME.fullmatch(manifest.name):
        raise UsageProblem(
            f"{file}: {short(repr(manifest.name))} cannot be a bot's name",
            "1 to 32 letters, digits, dots, dashes and underscores, beginning with a letter or digit",
        )
    for game in manifest.games:
        if game not in games:
            raise UsageProblem(
                f"{file}: unknown game {short(repr(game))}{suggest(game, games)}", "ladder games"
            )
    return manifest


_EXAMPLE = {"name": 'name = "river-rat"', "run": 'run = ["{python}", "bot.py"]'}


def command_of(version: Version) -> tuple[str, ...]:
    """Return the arguments that start *version*: {python}, programs on PATH and `#!` lines resolved."""
    return _resolved(version.manifest.run, Path(version.folder))


def _resolved(arguments: Iterable[str], folder: Path) -> tuple[str, ...]:
    program, *rest = _located(arguments, folder)
    script = folder / program
    if script.is_file() and script.is_relative_to(folder) and (named := interpreter_of(script)):
        return (_found(named[0]), *named[1:], program, *rest)
    return (program, *rest)


def _located(arguments: Iterable[str], folder: Path) -> tuple[str, ...]:
    """Return *arguments* with the path of the program: in the snapshot, on the runner's PATH, or as it is."""
    program, *rest = [argument.replace("{python}", sys.executable) for argument in arguments]
    if "/" not in program:
        program = f"./{program}" if (folder / program).is_file() else shutil.which(program) or program
    return (program, *rest)


def _found(interpreter: str) -> str:
    """Return the path of an interpreter: where a bot would find it, else where the runner does."""
    return shutil.which(interpreter, path=ENVIRONMENT["PATH"]) or shutil.which(interpreter) or interpreter


# -- snapshots


def files_of(path: Path, home: Path | None = None) -> Iterator[tuple[str, Path]]:
    """Yield the regular files of a submission by their path in the snapshot; refuse everything else.

    The *home* itself is left out: it may have been made in the very folder that is submitted.
    """
    if path.is_file():
        yield path.name, path
        beside = (path.with_name(name) for name in BESIDE.get(path.suffix, ()))
        yield from ((file.name, file) for file in beside if file.is_file() and not file.is_symlink())
        return
    for folder, folders, names in os.walk(path, onerror=_raise):
        folders[:] = sorted(name for name in folders if name not in ("__pycache__", ".git"))
        folders[:] = [name for name in folders if not (home and Path(folder, name).samefile(home))]
        for name in sorted([*names, *(f for f in folders if Path(folder, f).is_symlink())]):
            file = Path(folder, name)
            mode = file.lstat().st_mode
            if not stat.S_ISREG(mode):
                kind = {stat.S_IFLNK: "a link", stat.S_IFSOCK: "a socket", stat.S_IFIFO: "a FIFO"}.get(
                    stat.S_IFMT(mode), "a device"
                )
                raise UsageProblem(
                    f"{file} is {kind}; a snapshot takes regular files and folders only",
                    "replace it by a copy, or leave it out, and submit again",
                )
            yield file.relative_to(path).as_posix(), file


def _raise(error: OSError) -> None:
    raise error


def identity_of(files: Iterable[tuple[str, bool, bytes]], manifest: Manifest) -> str:
    """Return the version that *files*, each by name, run bit and bytes, and a *manifest* make."""
    return _identity(((name, runs, hashlib.sha256(data)) for name, runs, data in files), manifest)


def _identity(files: Iterable[tuple[str, bool, hashlib._Hash]], manifest: Manifest) -> str:
    content = hashlib.sha256()
    for name, runs, digest in files:
        content.update(os.fsencode(f"{name}\0{runs:d}\0{digest.hexdigest()}\n"))
    return hashlib.sha256(content.hexdigest().encode() + msgspec.json.encode(manifest)).hexdigest()[:12]


def too_large(path: Path) -> UsageProblem:
    """Return what to say of a submission that is beyond the limits."""
    return UsageProblem(
        f"{path} holds more than {MAX_FILES:,} files or {MAX_BYTES // 2**20} MB",
        "submit the bot alone, without data that it does not need",
    )


def _copy(path: Path, target: Path, home: Path) -> Iterator[tuple[str, bool, bytes]]:
    """Copy a submission to *target*; yield each file that was copied: its name, run bit and bytes."""
    count = size = 0
    for name, file in files_of(path, home):
        count, size = count + 1, size + file.stat().st_size
        if count > MAX_FILES or size > MAX_BYTES:
            raise too_large(path)
        data = file.read_bytes()
        runs = bool(file.stat().st_mode & stat.S_IXUSR)
        copy = target / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(data)
        copy.chmod(0o755 if runs else 0o644)
        yield name, runs, data


class Staged:
    """A submission on its way into the roster: copied and built, but not yet anybody's version."""

    def __init__(self, version: Version, stage: Path, target: Path) -> None:
        self.version = version
        self._stage = stage
        self._target = target

    def accept(self, unfit: Iterable[str] = (), origin: str = "") -> Version:
        """Make it a version of its bot, in one rename; *unfit*, *origin*: see Version and VersionRecord."""
        version = msgspec.structs.replace(self.version, unfit=tuple(unfit))
        _write_record(version, self._stage, origin)
        self._target.parent.mkdir(parents=True, exist_ok=True)
        if self._target.exists():  # with other files than were submitted
            old = workbench(self._stage.parent, "replaced")
            self._target.rename(old)
            self._stage.rename(self._target)
            shutil.rmtree(old, ignore_errors=True)
        else:
            self._stage.rename(self._target)
        return msgspec.structs.replace(version, folder=str(self._target / "files"))

    def reject(self) -> None:
        """Leave no trace."""
        shutil.rmtree(self._stage, ignore_errors=True)


def _write_record(version: Version, folder: Path, origin: str) -> None:
    """Write version.json, whole or not at all; where it lies is not part of it."""
    fields = msgspec.structs.asdict(version) | {"folder": "files", "origin": origin}
    record = VersionRecord(**fields)
    new = folder / ".version.json"
    new.write_bytes(msgspec.json.format(msgspec.json.encode(record)) + b"\n")
    new.rename(folder / "version.json")


class Roster:
    """The bots of a home."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def versions(self) -> list[Version]:
        """Return every version of every bot, by name and in the order of submission."""
        found = [_read(file, Version) for file in self.path.glob("[!.]*/*/version.json")]
        return sorted(_numbered(found), key=lambda version: (version.bot, version.order, version.version))

    def read(self, folder: Path) -> Version:
        """Return the version in *folder*.  Raises LadderError if its record cannot be read."""
        return _read(folder / "version.json", Version)

    def active(self) -> list[Version]:
        """Return the newest version of every bot that is not retired, by name."""
        return list({version.bot: version for version in self.versions() if not version.retired}.values())

    def coming(self) -> list[str] | None:
        """Return the names of the house bots that are to come in; None where nothing is said about them."""
        try:
            return (self.path / COMING).read_text("utf-8").split()
        except FileNotFoundError:
            return None

    def expect(self, names: Iterable[str]) -> None:
        """Let the house bots of these *names*, and no others, come in with the next run."""
        new = self.path / f"{COMING}-{os.getpid()}"
        new.write_text("".join(f"{name}\n" for name in names), "utf-8")
        new.rename(self.path / COMING)

    def numbers(self) -> dict[tuple[str, str], int]:
        """Return the numbers of all versions, by name and version; none if a record cannot be read."""
        try:
            return {(version.bot, version.version): version.number for version in self.versions()}
        except LadderError:
            return {}

    def find(self, wanted: str) -> Version:
        """Return the version that NAME, NAME@NUMBER or NAME@HASH means; of HASH the beginning is enough.

        Raises NotFound.
        """
        name, at, version = wanted.partition("@")
        candidates = [v for v in self.versions() if v.bot == name]
        if not candidates:
            names = sorted({v.bot for v in self.versions()})
            raise NotFound(f"there is no bot {name!r}{suggest(name, names)}", "ladder bots")
        if not at:
            return ([v for v in candidates if not v.retired] or candidates)[-1]
        if NUMBER.fullmatch(version):
            matching = [v for v in candidates if v.number == int(version)]
        elif len(version) >= HASH_SHOWN:
            matching = [v for v in candidates if v.version.startswith(version)]
        else:
            what = f"a number of at most {DIGITS} digits or at least {HASH_SHOWN} characters of a hash"
            raise NotFound(f"expected {what} after {name}@, got: {version!r}", _known(candidates))
        if not matching:
            raise NotFound(f"{name} has no version {version!r}", _known(candidates))
        if len(matching) > 1:
            raise NotFound(f"{len(matching)} versions of {name} begin with {version!r}", _known(matching))
        return matching[0]

    def adopt(self, version: Version) -> None:
        """Copy another home's *version*, unless it is here; it counts as older than all that are here."""
        mine = [v for v in self.versions() if v.bot == version.bot]
        if any(v.version == version.version for v in mine):
            return
        stage = self.path / f".staging-{os.getpid()}"
        taken = {v.number for v in mine}
        copy = msgspec.structs.replace(
            version,
            order=mine[0].order - 1 if mine else version.order,
            number=_next(mine) if version.number in taken else version.number,
        )
        staged = Staged(copy, stage, self.path / version.bot / version.version)
        staged.reject()  # what a process of this number left
        try:
            for part in Path(version.folder).parent.iterdir():
                if part.name in ("files", "source"):
                    shutil.copytree(part, stage / part.name, symlinks=True)
            write_listing(list_files(stage / "files"), stage)
            staged.accept(version.unfit)
        except BaseException:
            staged.reject()
            raise

    def stage(
        self,
        path: Path,
        manifest: Manifest,
        passed: Mapping[str, str],
        tier: str,
        note: str = "",
        *,
        house: bool = False,
        readable: Sequence[str] = (),
        network: bool = False,
    ) -> Staged | Version:
        """Copy and build a submission; return it staged, or the version that it already is.

        *path* is what read_manifest was given; *note* is what the submitter says about it; *house* tells
        that it came with the ladder; the others are what its build has, see build_version.
        Raises UsageProblem for what cannot be taken, LadderError for a build that fails.
        """
        path = source_of(path)
        stage = workbench(self.path, "staging")
        (stage / "files").mkdir(parents=True)
        try:
            identity = self._copied(path, stage / "files", manifest)
            mine = [v for v in self.versions() if v.bot == manifest.name]
            order = mine[-1].order + 1 if mine else 1
            same = next((version for version in mine if version.version == identity), None)
            if same and not any(changed_files(same)):
                shutil.rmtree(stage)
                return self._submitted_again(same, mine, note)
            now = datetime.now(UTC).isoformat(timespec="seconds")
            files = str(stage / "files")
            version = Version(
                manifest.name,
                identity,
                files,
                manifest,
                order,
                same.submitted if same else now,
                number=same.number if same else _next(mine),
                note=note or (same.note if same else ""),
                house=same.house if same else house,
            )
            if needs_build(version):
                shutil.copytree(stage / "files", stage / "source")
                build_version(version, passed, tier, readable=readable, network=network)
            check_program(version, path)
            listing = list_files(stage / "files")
            write_listing(listing, stage)
            if (stage / "source").is_dir():
                version = msgspec.structs.replace(version, built=digest_of(listing))
        except BaseException:
            shutil.rmtree(stage, ignore_errors=True)
            raise
        return Staged(version, stage, self.path / manifest.name / identity)

    def _submitted_again(self, version: Version, mine: list[Version], note: str) -> Version:
        """Make *version* the newest of *mine*, the versions of its bot, and let it play; return it."""
        if version is mine[-1] and note in ("", version.note) and not version.retired:
            return version
        return self.rewrite(
            msgspec.structs.replace(
                version, order=mine[-1].order + 1, note=note or version.note, retired=False
            )
        )

    def _copied(self, path: Path, target: Path, manifest: Manifest) -> str:
        """Copy a submission; return its identity."""
        home = self.path.parent
        if path.is_dir() and path.samefile(home):
            raise UsageProblem(f"{path} is the ladder's own folder", "submit a bot: a script or a folder")
        try:
            return identity_of(_copy(path, target, home), manifest)
        except OSError as error:
            raise LadderError(f"{path} cannot be copied: {error}", "correct that and submit again") from None

    def rewrite(self, version: Version) -> Version:
        """Store what has changed in the record of *version*; return it."""
        folder = Path(version.folder).parent
        _write_record(version, folder, _read(folder / "version.json", VersionRecord).origin)
        return version

    def origins(self) -> dict[str, list[str]]:
        """Return where the versions of each bot were submitted from, the oldest first."""
        files = self.path.glob("[!.]*/*/version.json")
        found: dict[str, list[str]] = {}
        for record in sorted((_read(file, VersionRecord) for file in files), key=lambda record: record.order):
            found.setdefault(record.bot, []).append(record.origin)
        return found


def changed_files(version: Version) -> Differences:
    """Return how the files that *version* plays with differ from those that it was taken in with, in words.

    Both lists are empty if they do not, or if that cannot be told: see can_be_checked.
    """
    folder = Path(version.folder)
    if not folder.is_dir():
        return Differences(["its files are gone"], [])
    if not can_be_checked(version):
        return Differences([], [])
    if version.built:
        if digest_of(list_files(folder)) == version.built:
            return Differences([], [])
    elif _identity_in(folder, version.manifest) == version.version:
        return Differences([], [])
    then = read_listing(folder.parent)
    found = Differences([], []) if then is None else differences(then, list_files(folder))
    return found if any(found) else Differences(["its files or its manifest have changed"], [])


def can_be_checked(version: Version) -> bool:
    """Return whether it is known what the files of *version* were; of builds by older ladders it is not."""
    was_built = bool(version.manifest.build) or Path(version.folder).with_name("source").is_dir()
    return bool(version.built) or not was_built


def source_is_sound(version: Version) -> bool:
    """Return whether the snapshot that *version* was built from, where it was kept, is what was submitted."""
    source = Path(version.folder).with_name("source")
    return not source.is_dir() or _identity_in(source, version.manifest) == version.version


def _identity_in(folder: Path, manifest: Manifest) -> str:
    """Return the identity of the snapshot in *folder*; empty if it holds a link or the like."""
    try:
        return _identity(((name, *_hashed(file)) for name, file in files_of(folder)), manifest)
    except (UsageProblem, OSError):
        return ""


def _hashed(path: Path) -> tuple[bool, hashlib._Hash]:
    """Return the run bit of a file, and the hash of what it holds."""
    with path.open("rb") as file:
        runs = bool(os.fstat(file.fileno()).st_mode & stat.S_IXUSR)
        return runs, hashlib.file_digest(file, "sha256")


V = TypeVar("V", bound=Version)


def _read(file: Path, kind: type[V]) -> V:
    try:
        version = msgspec.json.decode(file.read_bytes(), type=kind)
    except (msgspec.MsgspecError, OSError, RecursionError, UnicodeDecodeError) as error:
        folder = shlex.quote(str(file.parent))
        raise LadderError(
            f"{file} cannot be read: {short(str(error), 300)}", f"submit the bot again after: rm -r {folder}"
        ) from None
    return msgspec.structs.replace(version, folder=str(file.parent / "files"))


def _numbered(versions: Iterable[Version]) -> Iterator[Version]:
    """Yield *versions*, those from before there were numbers with the lowest that are free."""
    taken: dict[str, set[int]] = {}
    old = []
    for version in versions:
        if version.number:
            taken.setdefault(version.bot, set()).add(version.number)
            yield version
        else:
            old.append(version)
    for version in sorted(old, key=lambda version: (version.submitted, version.order)):
        mine = taken.setdefault(version.bot, set())
        number = next(n for n in count(1) if n not in mine)
        mine.add(number)
        yield msgspec.structs.replace(version, number=number)


def _next(mine: Iterable[Version]) -> int:
    """Return the number of the next version of the bot whose versions are *mine*."""
    return max((version.number for version in mine), default=0) + 1


def _known(versions: Iterable[Version]) -> str:
    return "it has: " + ", ".join(f"{v.bot}@{v.number} ({v.version})" for v in versions)


def workbench(folder: Path, name: str) -> Path:
    """Return a place in *folder* that is this process's own and not there yet: remove it in the end.

    What processes of the same purpose have left, because they were killed, is removed.
    """
    for left in folder.glob(f".{name}-*"):
        owner = left.name.rpartition("-")[2]
        if owner.isdecimal() and (int(owner) == os.getpid() or not _runs(int(owner))):
            shutil.rmtree(left, ignore_errors=True)
    return folder / f".{name}-{os.getpid()}"


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def needs_build(version: Version) -> bool:
    """Return whether *version* as it was submitted has to be built."""
    return bool(_build_of(version, network=False))


def _build_of(version: Version, network: bool) -> str | tuple[str, ...]:
    """Return the command that builds *version*: its own, else what the dependencies in its folder ask for."""
    manifest = version.manifest
    if manifest.build or manifest.build == "":  # which says that there is nothing to do
        return manifest.build
    return recipe(Path(version.folder), manifest.run, network)


def build_version(
    version: Version,
    passed: Mapping[str, str],
    tier: str,
    *,
    readable: Sequence[str] = (),
    network: bool = False,
) -> None:
    """Build *version* where its files lie, confined by *tier*.

    The build finds the variables *passed*, the user's toolchains, the paths *readable*, and the *network* if
    it may.  Raises LadderError if it fails.
    """
    command, folder = _build_of(version, network), Path(version.folder)
    if isinstance(command, str):
        arguments: tuple[str, ...] = (
            "/bin/sh",
            "-c",
            command.replace("{python}", shlex.quote(sys.executable)),
        )
    else:
        arguments = _resolved(command, folder)
    paths = tuple(Path(path) for path in readable)
    tools = toolchains(paths)
    environment = {**tools.environment, **(network_variables() if network else {}), **passed}
    confined = confine(tier, arguments, folder, environment, network=network, readable=(*paths, *tools.shown))
    status, output = build(confined, version.manifest.build_timeout_s)
    if status != 0:
        raise _failed(version, command, status, output, network)


def _failed(
    version: Version, command: str | tuple[str, ...], status: int | None, output: str, network: bool
) -> LadderError:
    shown = command if isinstance(command, str) else " ".join(command)
    why = f"exit status {status}"
    if status is None:
        why = f"no end after {version.manifest.build_timeout_s} s"
    hint = "correct the build and submit again"
    if wants_network(output) and not network:
        why += "; it needs the network, which builds have not"
        hint = (
            "vendor what it needs (protocol/SPEC.md, Dependencies), or allow it: write in ladder.toml,"
            " below [allow]: build_network = true"
        )
    tail = output.strip()[-2000:]
    what = f"{version.bot}: the build {shown!r} failed: {why}"
    return LadderError(what + (f"\n{tail}" if tail else ""), hint)


def check_program(version: Version, path: Path) -> None:
    """Refuse a program that is not there or cannot be run, before anybody waits for its answer.

    *path* is where its author can mend it.
    """
    program = _located(version.manifest.run, Path(version.folder))[0]
    file, shown = Path(version.folder, program), path if path.is_file() else path / program
    if "/" not in program:
        raise LadderError(
            f"{version.bot}: the program {program!r} is not on this machine",
            f"install {program}, or correct `run`",
        )
    if not file.exists():
        raise UsageProblem(
            f"{version.bot}: `run` names {program}, which is not in the snapshot", "correct `run` in bot.toml"
        )
    ours = file.is_file() and file.is_relative_to(version.folder)
    named = interpreter_of(file, shown) if ours else ()
    if named and not shutil.which(_found(named[0])):
        raise LadderError(
            f"{version.bot}: the first line of {program} names {named[0]}, which is not on this machine",
            f"install {Path(named[0]).name}, or correct that line",
        )
    if not named and not os.access(file, os.X_OK):
        raise UsageProblem(
            f"{version.bot}: {program} cannot be executed: it has no run bit", f"chmod +x {shown}"
        )
