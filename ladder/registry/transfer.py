"""Pack bots on the machine of the home and unpack them on the machines that play.

A machine of the same type uses the built files; another builds again from the snapshot.
"""

import hashlib
import os
import platform
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import msgspec
from msgspec.structs import replace

from ladder.errors import LadderError
from ladder.registry.bot_build import build_version, check_program
from ladder.registry.snapshot import files_of, identity_of
from ladder.registry.version import Version
from ladder.sandbox.confinement import Confinement


class PackedFile(msgspec.Struct, frozen=True, array_like=True):
    """A file, or a link made by a build."""

    name: bytes
    runs: bool
    data: bytes
    """The content of the file, or the target of the link."""
    is_link: bool = False


class PackedBot(msgspec.Struct, frozen=True):
    """A version with all files that another machine needs to play it."""

    version: Version
    snapshot: tuple[PackedFile, ...] | None
    """Its files as submitted; None if only the built files were stored."""
    built: tuple[PackedFile, ...] | None
    """Its files after the build; None if there was no build."""
    built_digest: str
    """The SHA-256 of *built*.  The snapshot needs none, because its hash is the version."""


def machine_type() -> str:
    """Return the type of this machine.  Built files can move between machines of the same type."""
    python = ".".join(map(str, sys.version_info[:2]))
    return f"{platform.system()} {platform.machine()}, Python {python}"


def pack(version: Version) -> PackedBot:
    """Return *version* with its files.  Raises LadderError if they are gone."""
    folder = Path(version.folder)
    if not folder.is_dir():
        what = f"the files of {version.id} are gone, so no cluster can have them"
        raise LadderError(what, "the same command without --on")
    source = folder.with_name("source")
    if not version.manifest.build and not source.is_dir():
        return PackedBot(version, tuple(_read_snapshot(folder)), None, "")
    built = tuple(_read_all(folder))
    return PackedBot(
        version, tuple(_read_snapshot(source)) if source.is_dir() else None, built, _digest(built)
    )


def unpack(
    packed: PackedBot, folder: Path, origin: str, passed: Mapping[str, str], confinement: Confinement
) -> Version:
    """Unpack *packed* into the new *folder* and return its version, ready to start.

    *origin* is the type of the machine that packed it.  The others are for a build, if one is needed: see
    build_version.  Raises LadderError, which names the bot, if it cannot play on this machine.
    """
    version = replace(packed.version, folder=str(folder))
    if packed.built is not None and origin == machine_type():
        if _digest(packed.built) != packed.built_digest:
            raise _damage_error(version)
        _write(packed.built, folder)
    else:
        _write(_verify_snapshot(packed, origin), folder)
        if packed.built is not None:
            build_version(version, passed, confinement)
    check_program(version, folder)
    return version


def _read_snapshot(folder: Path) -> Iterator[PackedFile]:
    for name, file in files_of(folder):
        yield PackedFile(os.fsencode(name), os.access(file, os.X_OK), file.read_bytes())


def _read_all(folder: Path) -> Iterator[PackedFile]:
    """Yield all files and links in *folder*."""
    for path in sorted(folder.rglob("*")):
        name = os.fsencode(path.relative_to(folder))
        if path.is_symlink():
            yield PackedFile(name, False, os.fsencode(path.readlink()), is_link=True)
        elif path.is_file():
            yield PackedFile(name, os.access(path, os.X_OK), path.read_bytes())


def _verify_snapshot(packed: PackedBot, origin: str) -> tuple[PackedFile, ...]:
    """Return the snapshot of *packed*.  Raises LadderError if it is missing or damaged."""
    version = packed.version
    if packed.snapshot is None:
        raise LadderError(
            f"{version.id} was built on {origin}, which this machine ({machine_type()}) is not,"
            " and there is no snapshot to build from",
            f"submit {version.bot} again: the ladder now stores the snapshot beside the built files",
        )
    files = ((os.fsdecode(file.name), file.runs, file.data) for file in packed.snapshot)
    if identity_of(files, version.manifest) != version.version:
        raise _damage_error(version)
    return packed.snapshot


def _damage_error(version: Version) -> LadderError:
    return LadderError(
        f"the files of {version.id} are not those that were submitted",
        f"submit {version.bot} again, which makes a version of what they are now",
    )


def _write(files: Iterable[PackedFile], folder: Path) -> None:
    """Write *files* into *folder*; links come last, so that no file is written through one."""
    folder.mkdir(parents=True)
    for file in sorted(files, key=lambda file: file.is_link):
        path = folder / os.fsdecode(file.name)
        path.parent.mkdir(parents=True, exist_ok=True)
        if file.is_link:
            path.symlink_to(os.fsdecode(file.data))
        else:
            path.write_bytes(file.data)
            path.chmod(0o755 if file.runs else 0o644)


def _digest(files: Iterable[PackedFile]) -> str:
    return hashlib.sha256(msgspec.msgpack.encode(tuple(files))).hexdigest()
