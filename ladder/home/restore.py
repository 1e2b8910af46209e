"""Make a home from an archive, as a whole or not at all.

Archives are not trusted.  This module writes every file itself, into a new folder beside the home to come:
only what the archive lists, with the size and the SHA-256 that are listed, and links last.
"""

import gzip
import hashlib
import os
import shutil
import tarfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from ladder.errors import LadderError, UsageProblem, short
from ladder.home.bot_life import changed_bots
from ladder.home.home import Home, open_home
from ladder.home.packing import (
    FORMAT,
    LIST,
    MOST_FILES,
    MOST_LIST,
    PEOPLE,
    SETTINGS,
    ArchivedFile,
    ArchiveList,
    without_env,
)
from ladder.registry.bot_archive import Metered
from ladder.registry.roster import scratch_folder
from ladder.registry.transfer import machine_type
from results.errors import DamagedResults, NewerFormat
from results.rating.cache import save
from results.reports.digest import digest
from results.storage.disk import Disk, sync_tree
from results.storage.store import Store
from results.storage.unrated import unrated_stores

HEADERS = 8192
"""The most bytes that a file may take in the archive besides its content, on average."""
ENDING = 2**16
"""The most bytes behind the last file: tar fills its last record."""
BROKEN = (tarfile.TarError, zlib.error, EOFError, ValueError, OverflowError, MemoryError, gzip.BadGzipFile)
"""The exceptions of the readers for archives that they cannot read."""


class Restored(NamedTuple):
    """A home that was restored."""

    home: Home
    listed: ArchiveList
    digest: str
    """What `ladder home digest` prints for it here."""
    bots: int
    runs: int
    rebuild: tuple[str, ...]
    """The bots that were built on another type of machine, and may not run here."""
    allowed: tuple[str, ...]
    """What the settings allow to bots, in words."""
    changed: tuple[str, ...]
    """The bots with which no run begins, in words: they are not what was submitted."""
    without_secret: tuple[str, ...]
    """The runs with matches whose secrets the archive has not."""


def restore_home(file: Path, target: Path) -> Restored:
    """Make the home *target*, which is new, from *file*; after UsageProblem or LadderError there is none."""
    if os.path.lexists(target):
        raise UsageProblem(
            f"{target} exists already", f"name a folder that does not: ladder home restore {file} FOLDER"
        )
    parent = target.absolute().parent
    if not parent.is_dir():
        raise UsageProblem(f"{parent} is not there", "name a folder in one that exists")
    if not file.is_file():
        raise UsageProblem(
            f"{file} is not an archive: it is not a file", "ladder home archive FILE makes one"
        )
    stage = scratch_folder(parent, f"{target.name}.restoring")
    try:
        with _name_file(stage, file):
            stage.mkdir()
            listed = _unpack(file, stage)
            restored = _complete(stage, listed)
            sync_tree(Disk(), stage)
            stage.rename(target)
    except BaseException:
        shutil.rmtree(stage, ignore_errors=True)
        raise
    Disk().sync_dir(parent)
    return restored._replace(home=open_home(target))


@contextmanager
def _name_file(stage: Path, file: Path) -> Iterator[None]:
    """Let errors name the archive *file* instead of the folder that it is unpacked to, with what to do."""
    try:
        yield
    except BROKEN as error:
        raise _refuse(file, short(str(error), 200) or type(error).__name__) from None
    except (LadderError, DamagedResults) as error:  # their hints are for homes
        raise _refuse(file, str(error).replace(f"{stage}/", "")) from None
    except NewerFormat as error:
        raise _refuse(file, str(error).replace(f"{stage}/", ""), error.hint) from None
    except OSError as error:
        raise LadderError(
            f"{file} could not be restored: {error}", "check the disk, then try again"
        ) from None


def _refuse(
    file: Path, why: str, hint: str = "restore another copy; ladder home archive FILE makes one"
) -> UsageProblem:
    return UsageProblem(f"{file} cannot be restored: {why}", hint)


def _unpack(file: Path, stage: Path) -> ArchiveList:
    """Write all files of the archive below *stage*; return its list."""
    with file.open("rb") as raw, gzip.open(raw) as unpacked:
        too_much = partial(ValueError, "it holds more than it lists")
        metered: Any = Metered(unpacked, MOST_LIST + ENDING, too_much)
        with tarfile.open(fileobj=metered, mode="r|") as tar:
            members = iter(tar)
            listed = _read_list(tar, next(members, None), stage)
            metered.left = sum(each.size + HEADERS for each in listed.files) + ENDING
            wanted = iter(listed.files)
            links: list[tuple[Path, str]] = []
            for member in members:
                if (each := next(wanted, None)) is None:
                    raise ValueError(f"it holds {member.name!r}, which it does not list")
                _write(tar, member, each, stage, links)
            if (missing := next(wanted, None)) is not None:
                raise ValueError(f"it is cut off before {missing.path!r}")
        while metered.read(ENDING):  # gzip compares its checksum at the end
            pass
    for path, points_to in links:  # last, so that no file is written through one
        path.symlink_to(points_to)
    return listed


def _read_list(tar: tarfile.TarFile, member: tarfile.TarInfo | None, stage: Path) -> ArchiveList:
    """Return the list of the archive, its first *member*.  Raises ValueError for one that is not safe."""
    content = tar.extractfile(member) if member and member.name == LIST and member.isreg() else None
    if content is None:
        raise ValueError("it is not an archive of a home")
    data = content.read()
    written = msgspec.json.decode(data, type=_Format)
    if written.format != FORMAT:
        raise ValueError(
            f"it is of format {written.format}, of ladder {written.ladder}; this ladder reads format {FORMAT}"
        )
    listed = msgspec.json.decode(data, type=ArchiveList)
    paths = [each.path for each in listed.files]
    if unsafe := [each.path for each in listed.files if not each.is_safe]:
        raise ValueError(f"it lists {unsafe[0]!r}, which leads out of the home or is a link that may not be")
    folders = {folder.as_posix() for path in paths for folder in Path(path).parents}
    if len(set(paths)) < len(paths) or not folders.isdisjoint(paths):
        raise ValueError("it lists one path twice")
    if SETTINGS not in paths:
        raise ValueError(f"it has no {SETTINGS}")
    size = sum(each.size for each in listed.files)
    if len(paths) > MOST_FILES or any(each.size < 0 for each in listed.files):
        raise ValueError(f"it lists more than {MOST_FILES:,} files, or a size below 0")
    if size > (free := shutil.disk_usage(stage).free):
        raise ValueError(
            f"it holds {size / 2**20:,.0f} MB, but the disk has only {free / 2**20:,.0f} MB free"
        )
    return listed


class _Format(msgspec.Struct, frozen=True):
    """What every list says, of whatever format it is."""

    format: int
    ladder: str


def _write(
    tar: tarfile.TarFile,
    member: tarfile.TarInfo,
    listed: ArchivedFile,
    stage: Path,
    links: list[tuple[Path, str]],
) -> None:
    """Write *member*, which must be as *listed*, below *stage*; a link is added to *links*."""
    path = stage / listed.path
    if member.name != listed.path or member.size != listed.size:
        raise ValueError(f"it holds {member.name!r} where it lists {listed.path!r}, or with another size")
    _make_folder(stage, path.parent)
    if listed.kind == "link":
        found = hashlib.sha256(os.fsencode(member.linkname))
        links.append((path, member.linkname))
        is_right = member.issym()
    else:
        content = tar.extractfile(member) if member.isreg() and not member.issparse() else None
        is_right, found = content is not None, hashlib.sha256()
        if content is not None:
            with path.open("xb") as copy:
                while data := content.read(shutil.COPY_BUFSIZE):  # type: ignore[attr-defined]  # not in typeshed
                    found.update(data)
                    copy.write(data)
            path.chmod(0o755 if listed.kind == "program" else 0o600 if listed.path == PEOPLE else 0o644)
    if not is_right or found.hexdigest() != listed.sha256:
        raise ValueError(f"{listed.path!r} is not as it was archived")


def _make_folder(stage: Path, folder: Path) -> None:
    """Make *folder* and those above it below *stage*; those of results are closed to other users."""
    if not folder.is_dir():
        _make_folder(stage, folder.parent)
        folder.mkdir(0o700 if folder.is_relative_to(stage / "results") else 0o777)


def _complete(stage: Path, listed: ArchiveList) -> Restored:
    """Check the home in *stage*, and compute what an archive does not hold: ratings."""
    settings = (stage / SETTINGS).read_text("utf-8")
    (stage / SETTINGS).write_text(without_env(settings), "utf-8")
    for name in ("bots", "results"):
        _make_folder(stage, stage / name)
    home = open_home(stage)
    versions = home.roster.versions()
    store = Store(home.results)
    stores = (store, *unrated_stores(home.results, hidden=True).values())
    for each in stores:
        for damage in each.audit().damage:
            raise DamagedResults(damage.path, damage.what)
    contents = store.contents()
    if contents.runs:
        with store.lock():
            save(store)
    built = [version.id for version in versions if Path(version.folder).with_name("source").is_dir()]
    return Restored(
        home=home,
        listed=listed,
        digest=digest(contents).hex,
        bots=len({version.bot for version in versions}),
        runs=len(contents.runs),
        rebuild=tuple(built if listed.machine != machine_type() else ()),
        allowed=tuple(_list_allowed(home)),
        changed=tuple(changed_bots(home)),
        without_secret=tuple(
            str(each.folder.name_run(run.run))
            for each in map(Store.contents, stores)
            for run in each.runs
            if not run.has_secret and each.segments(run.run)
        ),
    )


def _list_allowed(home: Home) -> Iterator[str]:
    """Yield what the settings of *home* allow to bots beyond the default, in words."""
    allow, sandbox = home.settings.allow, home.settings.sandbox
    if allow.network:
        yield f"the network for {', '.join(allow.network)}"
    if allow.build_network:
        yield "the network for builds"
    if sandbox.readable:
        yield f"to read {', '.join(sandbox.readable)}"
    if sandbox.tier == "none":
        yield "everything, because the sandbox tier is none"
