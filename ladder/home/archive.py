"""Put a home into one file: its bots, results and settings, without what must not leave this machine."""

import gzip
import hashlib
import io
import os
import stat
import tarfile
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Literal, NamedTuple

import msgspec

from ladder.errors import LadderError, UsageProblem
from ladder.home import packing
from ladder.home.bot_life import changed_bots
from ladder.home.home import Home
from ladder.machine.installation import __version__
from ladder.registry.roster import EXPECTED, scratch
from ladder.registry.transfer import machine_type
from ladder.registry.version import now_in_utc
from results.record import Run
from results.reports.digest import FORM, digest
from results.storage.copying import copy_results
from results.storage.disk import Disk
from results.storage.store import Store
from results.storage.unrated import unrated_stores
from results.words import count

LEVEL = 6
"""Of gzip: Parquet files are compressed already."""
SCRATCH = "ladder-archive"
"""What a killed process leaves has this name whatever its file is called: the next is of another date."""
NOT_STORED = ("lock",)
"""Files of a copy of results that a restored home makes anew, as it does all that can be computed."""


class Archived(NamedTuple):
    """What is in an archive that was written."""

    listed: packing.ArchiveList
    size: int
    """Of the archive, in bytes."""
    sha256: str
    """Of the archive."""
    left_out: tuple[str, ...]
    """What is not in it, in words."""
    changed: tuple[str, ...]
    """The bots with which no run begins, in words."""


def write_archive(
    home: Home, file: Path, *, without_secrets: bool = False, with_reviews: bool = False
) -> Archived:
    """Write *home* to *file*, which must not exist; a run may go on meanwhile.

    The secret of an unfinished run is left out, because its deals are still to come; *without_secrets*, those
    of all runs are.  Reviews are in it only *with_reviews*.  Raises UsageProblem, LadderError, DamagedResults
    or OSError; then there is no such file.
    """
    if os.path.lexists(file):
        raise UsageProblem(f"{file} exists already", "name another file, or remove this one")
    if not file.absolute().parent.is_dir():
        raise UsageProblem(f"{file.absolute().parent} is not there", "name a file in a folder that exists")
    with scratch(file.absolute().parent, SCRATCH) as stage:
        contents = _Contents(home, stage / "home", without_secrets=without_secrets, with_reviews=with_reviews)
        packed = stage / "archive"
        with packed.open("xb") as raw:
            contents.write(raw)
        packed.chmod(0o600)  # secrets of runs and programs of others are in it
        Disk().sync_file(packed)
        try:
            file.hardlink_to(packed)
        except FileExistsError:
            raise UsageProblem(f"{file} exists now", "name another file, or remove this one") from None
        except OSError:  # a disk without hard links
            packed.rename(file)
        Disk().sync_dir(file.absolute().parent)
    with file.open("rb") as raw:
        sha256 = hashlib.file_digest(raw, "sha256").hexdigest()
    left_out, changed = tuple(contents.left_out), tuple(changed_bots(home))
    return Archived(contents.listed, file.stat().st_size, sha256, left_out, changed)


class _Contents:
    """What goes into an archive, collected in a folder beside it."""

    def __init__(self, home: Home, stage: Path, *, without_secrets: bool, with_reviews: bool) -> None:
        self.left_out: list[str] = []
        self._files: dict[str, Path] = {}
        """The paths in the home, with the files that hold their content."""
        stage.mkdir()
        ended = self._take_results(home, stage, without_secrets=without_secrets, with_reviews=with_reviews)
        self._take_bots(home)
        self._take_settings(home, stage)
        if (people := home.path / packing.PEOPLE).is_file():
            if without_secrets:
                self.left_out.append(f"{packing.PEOPLE}: no person can upload where it is restored")
            else:
                self._files[packing.PEOPLE] = people
        found = digest(Store(stage / "results").contents())
        self.listed = packing.ArchiveList(
            format=packing.FORMAT,
            ladder=__version__,
            made=now_in_utc(),
            machine=machine_type(),
            digest=found.hex,
            digest_form=FORM,
            matches=found.matches,
            ended=tuple(ended),
            without_secrets=without_secrets,
            files=tuple(_describe(name, path) for name, path in self._files.items()),
        )

    def _take_results(
        self, home: Home, stage: Path, *, without_secrets: bool, with_reviews: bool
    ) -> list[str]:
        """Copy all results; return the names of the runs that were unfinished."""

        def hide(run: Run) -> Run:
            return run.without_secret() if without_secrets or run.finished is None else run

        ended = []
        results = stage / "results"
        copies = {results: Store(home.results)}
        unrated = unrated_stores(home.results, hidden=True)
        copies |= {results / "unrated" / name: store for name, store in unrated.items()}
        for target, source in copies.items():
            target.parent.mkdir(exist_ok=True)
            _, unfinished = copy_results(source, target, hide, reviews=with_reviews)
            if unfinished:
                ended.append(str(source.folder.name_run(unfinished.run)))
        for path in _walk(results):
            if path.name not in NOT_STORED and path.suffix != ".cache":
                self._files[path.relative_to(stage).as_posix()] = path
        return ended

    def _take_bots(self, home: Home) -> None:
        """List the files of all bots; a version that is being submitted is not one yet."""
        special = 0
        for path in _walk(home.roster.path):
            name = path.relative_to(home.path).as_posix()
            top = name.split("/")[1]
            if (top.startswith(".") and top != EXPECTED) or "__pycache__" in name.split("/"):
                continue
            if path.is_symlink() or path.is_file():
                self._files[name] = path
            else:
                special += 1
        if special:
            self.left_out.append(f"{count(special, 'special file')} of bots: no plain file, no link")

    def _take_settings(self, home: Home, stage: Path) -> None:
        """Write the settings, and list the tables that they name, if these are in the home."""
        text = (home.path / packing.SETTINGS).read_text("utf-8")
        found = tomllib.loads(text)
        there = [(table, key) for table, key in packing.OF_THIS_MACHINE if key in found.get(table, {})]
        self.left_out += [f"{key} below [{table}] in {packing.SETTINGS}" for table, key in there]
        (stage / packing.SETTINGS).write_text(packing.without_env(text), "utf-8")
        self._files[packing.SETTINGS] = stage / packing.SETTINGS
        inside = home.path.resolve()
        for game in home.settings.games.values():
            for value in game.options.values():
                table = (inside / value).resolve() if isinstance(value, str) else inside
                if table.is_file() and table.is_relative_to(inside):
                    self._files[table.relative_to(inside).as_posix()] = table
                elif table.is_file():
                    self.left_out.append(
                        f"{value}, which {packing.SETTINGS} names and which is not in the home"
                    )

    def write(self, raw: IO[bytes]) -> None:
        """Write the archive to *raw*.  Raises LadderError if a file has changed since it was listed."""
        with (
            gzip.GzipFile(filename="", mode="wb", compresslevel=LEVEL, fileobj=raw, mtime=0) as packed,
            tarfile.open(fileobj=packed, mode="w|", format=tarfile.PAX_FORMAT) as tar,
        ):
            listed = msgspec.json.format(msgspec.json.encode(self.listed))
            tar.addfile(_member(packing.LIST, len(listed)), io.BytesIO(listed))
            for file, path in zip(self.listed.files, self._files.values(), strict=True):
                member = _member(file.path, file.size)
                member.mode = 0o755 if file.kind == "program" else 0o644
                if file.kind == "link":
                    member.type, member.linkname = tarfile.SYMTYPE, str(path.readlink())
                    tar.addfile(member)
                    continue
                with path.open("rb") as content:
                    hashed = _Hashed(content)
                    try:
                        tar.addfile(member, hashed)
                    except OSError as error:
                        raise LadderError(f"{path} cannot be archived: {error}", _AGAIN) from None
                if hashed.hex != file.sha256:
                    raise LadderError(f"{path} has changed while it was archived", _AGAIN)


_AGAIN = "run the same command again when no bot is at work there"


class _Hashed:
    """A file that is hashed while it is read."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._hash = hashlib.sha256()

    @property
    def hex(self) -> str:
        return self._hash.hexdigest()

    def read(self, size: int = -1) -> bytes:
        data = self._file.read(size)
        self._hash.update(data)
        return data


def _member(name: str, size: int) -> tarfile.TarInfo:
    """Return a member of a tar archive, without times and owners."""
    member = tarfile.TarInfo(name)
    member.size = size
    return member


def _walk(folder: Path) -> Iterator[Path]:
    """Yield everything in *folder* but folders, in order."""
    for path in sorted(folder.rglob("*")):
        if path.is_symlink() or not path.is_dir():
            yield path


def _describe(name: str, path: Path) -> packing.ArchivedFile:
    """Return the description of the file at *path*, whose path in the home is *name*."""
    mode = path.lstat().st_mode
    if stat.S_ISLNK(mode):
        return packing.ArchivedFile.describe(
            name, "link", 0, hashlib.sha256(os.fsencode(path.readlink())).hexdigest()
        )
    try:
        with path.open("rb") as content:
            found = hashlib.file_digest(content, "sha256").hexdigest()
    except OSError as error:
        raise LadderError(f"{path} cannot be archived: {error}", "check its permissions") from None
    kind: Literal["file", "program"] = "program" if mode & stat.S_IXUSR else "file"
    return packing.ArchivedFile.describe(name, kind, path.stat().st_size, found)
