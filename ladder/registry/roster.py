"""The bots of a home and all their versions.

Each version is in `bots/NAME/VERSION/`: its record in `version.json`, the snapshot with the results of its
build in `files/`, and the snapshot alone in `source/` if there was a build.  The files of a version never
change; its identity is the hash of the snapshot and the manifest as submitted.
"""

import os
import re
import shlex
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from ladder.errors import LadderError, NotFound, RefusedBot, UsageProblem, of_the_bot, short, suggest
from ladder.machine.removal import remove_folder
from ladder.registry.bot_manifest import BOT_MB, BotManifest, check_name, source_of
from ladder.registry.dependencies import SIDE_FILES
from ladder.registry.file_hashes import (
    Differences,
    compare_hashes,
    digest_hashes,
    hash_files,
    read_hashes,
    write_hashes,
)
from ladder.registry.place import BotPlace, Origin, has_right
from ladder.registry.snapshot import copy_files, identity_in, identity_of
from ladder.registry.version import Ban, Version, now_in_utc
from ladder.sandbox.confinement import Confinement
from results.reports.labels import DIGITS, HASH_SHOWN, HomeNumbers, Key
from results.storage.layout import Folder
from results.storage.locking import is_running
from results.storage.names import Names, read_names

NUMBER = re.compile(rf"[0-9]{{1,{DIGITS}}}")
"""A number of a version, as opposed to the beginning of its hash."""
EXPECTED = ".coming"
"""The file, beside the bots, with the names of the house bots that the next run submits."""


class VersionRecord(Version, frozen=True):
    """The content of version.json: a version and facts for its home only.  Workers and bots never see it."""

    origin: str = ""
    """The absolute path that it was submitted from; empty if unknown."""
    entry: str | None = None
    """The name of its entry, as BotPlace has it; None if an older ladder stored it."""
    also: tuple[Origin, ...] = ()
    """The other places from which the same files came later, with a right to the name."""

    @property
    def origins(self) -> list[Origin]:
        """All places that it was submitted from."""
        return [Origin(self.origin, self.entry), *self.also]


class StagedVersion:
    """A submission that was copied and built but not accepted into the roster yet."""

    def __init__(self, version: Version, stage: Path, target: Path, changes: Sequence[str] = ()) -> None:
        self.version = version
        self.changes = tuple(changes)
        """What was mended in its files, in words."""
        self._stage = stage
        self._target = target

    def accept(self, version: Version | None = None, place: BotPlace | None = None) -> Version:
        """Make it a version of its bot, from *place*, by one rename; *version* is it after its trials."""
        version = version or self.version
        place = place or BotPlace("")
        _write_record(version, self._stage, [Origin(place.path, place.entry)])
        self._target.parent.mkdir(parents=True, exist_ok=True)
        if self._target.exists():  # its files were changed since
            old = scratch_folder(self._stage.parent, "replaced")
            # The files that runs refer to are gone for the blink between these renames only; the new ones
            # have the same hash, so they are what the old ones were before someone changed them.
            self._target.rename(old)
            self._stage.rename(self._target)
            remove_folder(old)
        else:
            self._stage.rename(self._target)
        return replace(version, folder=str(self._target / "files"))

    def reject(self) -> None:
        """Remove all files of the submission."""
        remove_folder(self._stage)


def _write_record(version: Version, folder: Path, origins: Sequence[Origin]) -> None:
    """Write version.json atomically, with a relative path for the files."""
    first, *others = origins
    fields = msgspec.structs.asdict(version) | {"folder": "files", "also": tuple(others)}
    fields |= {"origin": first.path, "entry": first.entry}
    record = VersionRecord(**fields)
    new = folder / ".version.json"
    new.write_bytes(msgspec.json.format(msgspec.json.encode(record)) + b"\n")
    new.rename(folder / "version.json")


class Roster:
    """The bots of a home."""

    def __init__(
        self, path: Path, results: Path | None = None, coming: Sequence[Version] = (), most_mb: int = BOT_MB
    ) -> None:
        """Refer to the bots in *path*; *results* has the names of renamed ones, and *coming* are to come.

        A new one may hold *most_mb* MB.
        """
        self.path = path
        self._most_mb = most_mb
        self._results = results
        self._coming = coming

    @property
    def names(self) -> dict[str, str]:
        """What renamed bots are called today, by the names that they had.  Raises DamagedResults."""
        return read_names(Folder(self._results)) if self._results else {}

    def versions(self) -> list[Version]:
        """Return every version of every bot, by name and in the order of submission."""
        read = (_read(file, Version) for file in self.path.glob("[!.]*/*/version.json"))
        found = [*_rename(read, self.names), *self._coming]
        bans = {version.bot: version.ban for version in found if version.ban}
        banned = [replace(version, ban=bans.get(version.bot)) for version in found]
        return sorted(
            _assign_numbers(banned), key=lambda version: (version.bot, version.order, version.version)
        )

    def read(self, folder: Path) -> Version:
        """Return the version in *folder*, as submitted.  Raises LadderError if its record is unreadable."""
        return _read(folder / "version.json", Version)

    def active(self) -> list[Version]:
        """Return the newest version of every bot that is neither retired nor banned, by name."""
        return _active(self.versions())

    def resting(self) -> frozenset[Key]:
        """Return the names and versions of all versions that are not active; none if a record is unreadable.

        Bots that were never submitted are not among them: Python functions, and those of older ladders.
        """
        try:
            versions = self.versions()
        except LadderError:
            return frozenset()
        active = {version.id for version in _active(versions)}
        return frozenset((version.bot, version.version) for version in versions if version.id not in active)

    def versions_of(self, bot: str) -> list[Version]:
        """Return every version of *bot*, in the order of submission."""
        return [version for version in self.versions() if version.bot == bot]

    def retire(self, versions: Iterable[Version]) -> list[Version]:
        """Let *versions* play only where they are named; return those that were not retired before."""
        playing = [version for version in versions if not version.retired]
        return [self.rewrite(replace(version, retired=True)) for version in playing]

    def activate(self, version: Version) -> Version:
        """Let *version* be the one of its bot that plays; return it."""
        newest = self.versions_of(version.bot)[-1]
        # The newest version plays, so going back to an old one makes it the newest: there is no pointer
        # beside the order that could disagree with it.
        order = version.order if version.id == newest.id else newest.order + 1
        return self.rewrite(replace(version, order=order, retired=False, aside=False))

    def ban(self, bot: str, ban: Ban | None) -> None:
        """Ban all versions of *bot*; None lifts it.  Interrupted, a ban holds; lifting can be repeated."""
        for version in self.versions_of(bot):
            self.rewrite(replace(version, ban=ban))

    def expected_house_bots(self) -> list[str] | None:
        """Return the names of the house bots that the next run submits; None if none were ever expected."""
        try:
            return (self.path / EXPECTED).read_text("utf-8").split()
        except FileNotFoundError:
            return None

    def expect(self, names: Iterable[str]) -> None:
        """Let the next run submit the house bots of these *names*, and no others."""
        new = self.path / f"{EXPECTED}-{os.getpid()}"
        new.write_text("".join(f"{name}\n" for name in names), "utf-8")
        new.rename(self.path / EXPECTED)

    def numbers(self) -> HomeNumbers:
        """Return the numbers of all versions, with the names that people see; none if a record is damaged."""
        try:
            versions = self.versions()
        except LadderError:
            versions = []
        displays = {bot: of.display for bot, of in {of.bot: of for of in versions}.items() if of.display}
        return HomeNumbers({(of.bot, of.version): of.number for of in versions}, displays)

    def find(self, wanted: str) -> Version:
        """Return the version NAME, NAME@NUMBER or NAME@HASH, which may be cut short.  Raises NotFound."""
        name, at, version = wanted.partition("@")
        candidates = [v for v in self.versions() if v.bot == name]
        if not candidates:
            self.check_name(name)
            names = sorted({v.bot for v in self.versions()})
            hint = f"ladder submit {shlex.quote(name)}" if Path(name).exists() else "ladder bots"
            raise NotFound(f"there is no bot {name!r}{suggest(name, names)}", hint)
        if not at:
            return ([v for v in candidates if not v.retired] or candidates)[-1]
        if NUMBER.fullmatch(version):
            matching = [v for v in candidates if v.number == int(version)]
        elif len(version) >= HASH_SHOWN:
            matching = [v for v in candidates if v.version.startswith(version)]
        else:
            what = f"a number of at most {DIGITS} digits or at least {HASH_SHOWN} characters of a hash"
            raise NotFound(f"expected {what} after {name}@, got: {version!r}", _list_versions(candidates))
        if not matching:
            raise NotFound(f"{name} has no version {version!r}", _list_versions(candidates))
        if len(matching) > 1:
            raise NotFound(
                f"{len(matching)} versions of {name} begin with {version!r}", _list_versions(matching)
            )
        return matching[0]

    def check_name(self, name: str) -> None:
        """Raise NotFound for a *name* that a bot had before it was renamed."""
        if today := self.names.get(name):
            raise NotFound(f"{name!r} is called {today!r} now", f"the same command with {today}")

    def find_player(self, wanted: str) -> Version:
        """Return the version *wanted*, to play.  Raises NotFound, and UsageProblem if its bot is banned."""
        version = self.find(wanted)
        check_ban(version)
        return version

    def adopt(self, version: Version) -> None:
        """Copy another home's *version* unless it is here already; it counts as older than those here."""
        mine = [v for v in self.versions() if v.bot == version.bot]
        if any(v.version == version.version for v in mine):
            return
        stage = scratch_folder(self.path, "staging")
        taken = {v.number for v in mine}
        copy = replace(
            version,
            order=mine[0].order - 1 if mine else version.order,
            number=_next_number(mine) if version.number in taken else version.number,
        )
        staged = StagedVersion(copy, stage, self.path / version.bot / version.version)
        try:
            for part in Path(version.folder).parent.iterdir():
                if part.name in ("files", "source"):
                    shutil.copytree(part, stage / part.name, symlinks=True)
            write_hashes(hash_files(stage / "files"), stage)
            staged.accept()
        except BaseException:
            staged.reject()
            raise

    def stage(
        self,
        path: Path,
        manifest: BotManifest,
        passed: Mapping[str, str],
        confinement: Confinement | Callable[[], Confinement] | None,
        note: str = "",
        *,
        house: bool = False,
        aside: bool = False,
    ) -> StagedVersion | Version:
        """Copy and build a submission; return it staged, or the existing version if it is unchanged.

        *path* is that of read_manifest, *note* is the submitter's, and *house* marks a bundled bot.  A new
        version that is kept *aside* plays only where it is named, and counts as older than the others.  For
        the other arguments see build_version; a function is called if there is something to build, and with
        None nothing is built.  Raises UsageProblem for files that cannot be submitted, LadderError for a
        failed build.
        """
        # loads what starts bots
        from ladder.registry.bot_build import build_version, check_program, needs_build

        path = source_of(path)
        stage = scratch_folder(self.path, "staging")
        (stage / "files").mkdir(parents=True)
        try:
            # Hashed from the copy, not from the original, which its author may change at any moment.
            changes: list[str] = []
            identity = self._copy(path, stage / "files", manifest, changes)
            mine = [v for v in self.versions() if v.bot == manifest.name]
            same = next((version for version in mine if version.version == identity), None)
            if same and same.aside <= aside and not any(changed_files(same)):
                remove_folder(stage)
                return same if aside else self._make_newest(same, mine, note)
            version = _version_of(manifest, identity, stage / "files", mine, note, house=house, aside=aside)
            if is_built := needs_build(version) and confinement is not None:
                shutil.copytree(stage / "files", stage / "source")
                build_version(version, passed, confinement() if callable(confinement) else confinement)
            if is_built or not needs_build(version):
                check_program(version, path)
            hashes = hash_files(stage / "files")
            write_hashes(hashes, stage)
            if (stage / "source").is_dir():
                version = replace(version, built=digest_hashes(hashes))
        except BaseException:
            remove_folder(stage)
            raise
        return StagedVersion(version, stage, self.path / manifest.name / identity, changes)

    def _make_newest(self, version: Version, mine: list[Version], note: str) -> Version:
        """Make *version* the newest of *mine*, the versions of its bot, and not retired; return it."""
        if version is mine[-1] and note in ("", version.note) and not version.retired:
            return version
        return self.rewrite(
            replace(version, order=mine[-1].order + 1, note=note or version.note, retired=False)
        )

    def _copy(self, path: Path, target: Path, manifest: BotManifest, told: list[str]) -> str:
        """Copy a submission to *target*; return its identity.  *told* gets what was mended."""
        home = self.path.parent
        if path.is_dir() and path.samefile(home):
            raise RefusedBot(f"{path} is the ladder's own folder", "submit a bot: a script or a folder")
        beside = (path.with_name(name) for name in SIDE_FILES.get(path.suffix, ()))
        with of_the_bot(path, *beside):
            return identity_of(copy_files(path, target, home, manifest, told, self._most_mb), manifest)

    def rewrite(self, version: Version) -> Version:
        """Store *version* as its own new record; return it."""
        folder = Path(version.folder).parent
        record = _read(folder / "version.json", VersionRecord)
        _write_record(replace(version, bot=record.bot), folder, record.origins)
        return version

    def remember(self, version: Version, place: BotPlace) -> None:
        """Store that *version* was submitted again from *place*, if nothing stored gives it the right."""
        folder = Path(version.folder).parent
        record = _read(folder / "version.json", VersionRecord)
        known = [origin.entry for origin in record.origins] if place.entry else []
        if place.entry not in known and (place.entry or not has_right(place, record.origins)):
            origins = [*record.origins, Origin(place.path, place.entry)]
            _write_record(replace(version, bot=record.bot), folder, origins)

    def origins(self) -> dict[str, list[str]]:
        """Return, by bot, the paths that its versions were submitted from, the oldest version first."""
        found: dict[str, list[str]] = {}
        for record in self._records():
            found.setdefault(record.bot, []).append(record.origin)
        return found

    def places(self) -> dict[str, list[Origin]]:
        """Return, by bot, all places that its versions were submitted from, the oldest version first."""
        found: dict[str, list[Origin]] = {}
        for record in self._records():
            if not record.aside:
                found.setdefault(record.bot, []).extend(record.origins)
        return found

    def persons(self) -> dict[str, str]:
        """Return by bot the person in whose folder of an inbox it was handed in, if there is one."""
        # an entry of a folder that is no person's has no slash at its end
        entries = ((bot, origin.entry or "") for bot, of in self.places().items() for origin in of)
        return {bot: entry[:-1] for bot, entry in entries if entry.endswith("/")}

    def _records(self) -> list[VersionRecord]:
        """Return all records, in the order of submission."""
        files = self.path.glob("[!.]*/*/version.json")
        records = _rename((_read(file, VersionRecord) for file in files), self.names)
        return sorted(records, key=lambda record: record.order)


def _active(versions: Iterable[Version]) -> list[Version]:
    """Return the active ones of *versions*, which are in the order of submission."""
    return list({version.bot: version for version in versions if not version.rests}.values())


def check_ban(version: Version) -> None:
    """Raise RefusedBot if the bot of *version* is banned."""
    if version.ban:
        day = version.ban.since.partition("T")[0]
        why = f"{version.bot} is banned since {day}: {version.ban.why}"
        hint = f"ladder bots ban {version.bot} --lift, if the ban is over"
        raise RefusedBot(why, hint, why=why, advice="ask the person who runs the ladder")


def changed_files(version: Version) -> Differences:
    """Return the differences between the files of *version* now and when it was accepted, in words.

    Both lists are empty if there are none, or if that is unknown: see can_be_checked.
    """
    folder = Path(version.folder)
    if not folder.is_dir():
        return Differences(["its files are gone"], [])
    if not can_be_checked(version):
        return Differences([], [])
    if version.built:
        if digest_hashes(hash_files(folder)) == version.built:
            return Differences([], [])
    elif identity_in(folder, version.manifest) == version.version:
        return Differences([], [])
    then = read_hashes(folder.parent)
    found = Differences([], []) if then is None else compare_hashes(then, hash_files(folder))
    return found if any(found) else Differences(["its files or its manifest have changed"], [])


def can_be_checked(version: Version) -> bool:
    """Return whether the original files of *version* are known.  Those built by older ladders are not."""
    was_built = bool(version.manifest.build) or Path(version.folder).with_name("source").is_dir()
    return bool(version.built) or not was_built


def source_is_sound(version: Version) -> bool:
    """Return whether the snapshot that *version* was built from is unchanged, or was not stored."""
    source = Path(version.folder).with_name("source")
    return not source.is_dir() or identity_in(source, version.manifest) == version.version


V = TypeVar("V", bound=Version)


def _read(file: Path, kind: type[V]) -> V:
    try:
        version = msgspec.json.decode(file.read_bytes(), type=kind)
        check_name(version.bot)  # a home may be from elsewhere, and names are printed as they are
    except (msgspec.MsgspecError, OSError, RecursionError, UnicodeDecodeError, UsageProblem) as error:
        folder = shlex.quote(str(file.parent))
        raise LadderError(
            f"{file} cannot be read: {short(str(error), 300)}", f"submit the bot again after: rm -r {folder}"
        ) from None
    return replace(version, folder=str(file.parent / "files"))


def _rename(versions: Iterable[V], names: Names) -> list[V]:
    """Return *versions* under the names of today."""
    return [replace(each, bot=names.get(each.bot, each.bot)) for each in versions]


def _assign_numbers(versions: Iterable[Version]) -> Iterator[Version]:
    """Yield *versions*; those that an older ladder stored without a number get the lowest free ones."""
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
        yield replace(version, number=number)


def _version_of(
    manifest: BotManifest,
    identity: str,
    files: Path,
    mine: Sequence[Version],
    note: str,
    *,
    house: bool,
    aside: bool,
) -> Version:
    """Return the version of a submission; *mine* are the bot's versions so far, which it may be one of."""
    oldest, newest = (mine[0].order - 1, mine[-1].order + 1) if mine else (0, 1)
    new = Version(
        manifest.name,
        identity,
        str(files),
        manifest,
        order=oldest if aside else newest,
        submitted=now_in_utc(),
        retired=aside,
        aside=aside,
        number=_next_number(mine),
        note=note,
        house=house,
    )
    if (same := next((version for version in mine if version.version == identity), None)) is None:
        return new
    kept = replace(
        new, submitted=same.submitted, number=same.number, note=note or same.note, house=same.house
    )
    if not aside:
        return kept
    return replace(kept, order=same.order, retired=same.retired, aside=same.aside)


def _next_number(mine: Iterable[Version]) -> int:
    """Return the number of the next version of the bot whose versions are *mine*."""
    return max((version.number for version in mine), default=0) + 1


def _list_versions(versions: Iterable[Version]) -> str:
    return "it has: " + ", ".join(f"{v.bot}@{v.number} ({v.version})" for v in versions)


def scratch_folder(folder: Path, name: str) -> Path:
    """Return a path in *folder* for this process alone.  The caller creates it, and removes it at the end.

    Folders of the same *name* that killed processes left are removed.
    """
    for left in folder.glob(f".{name}-*"):
        owner = left.name.rpartition("-")[2]
        if owner.isdecimal() and (int(owner) == os.getpid() or not is_running(int(owner))):
            remove_folder(left)
    return folder / f".{name}-{os.getpid()}"


@contextmanager
def scratch(folder: Path, name: str) -> Iterator[Path]:
    """Yield the scratch_folder of that *name*, which only this user can read, and remove it at the end."""
    made = scratch_folder(folder, name)
    made.mkdir(0o700)
    try:
        yield made
    finally:
        remove_folder(made)
