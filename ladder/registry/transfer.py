"""Bots on their way to another machine: packed where the home is, unpacked where they are to play.

A machine of the same type gets the files as they are here, with what a build made; another one gets the
snapshot and builds for itself.
"""

from __future__ import annotations

import hashlib
import os
import platform
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec.structs import replace

from ladder.errors import LadderError
from ladder.registry.build import build_version, check_program
from ladder.registry.snapshot import files_of, identity_of
from ladder.registry.version import Version

__all__ = ["PackedBot", "PackedFile", "machine_type", "pack", "unpack"]


class PackedFile(msgspec.Struct, frozen=True, array_like=True):
    """A file, or a link that a build has made."""

    name: bytes
    runs: bool
    data: bytes
    """What it holds, or where the link leads."""
    is_link: bool = False


class PackedBot(msgspec.Struct, frozen=True):
    """All that another machine needs to let a version play."""

    version: Version
    snapshot: tuple[PackedFile, ...] | None
    """Its files as they were submitted; None where they were not kept beside what a build made."""
    built: tuple[PackedFile, ...] | None
    """Its files with what its build made; None where there was no build."""
    built_digest: str
    """SHA-256 of *built*; the snapshot has its own, for the version is named by it."""


def machine_type() -> str:
    """Return what must be the same on two machines for one to run what was built on the other."""
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
    parcel: PackedBot,
    folder: Path,
    origin: str,
    passed: Mapping[str, str],
    tier: str,
    *,
    readable: Sequence[str] = (),
    network: bool = False,
) -> Version:
    """Return the version of *parcel*, ready to be started in *folder*, a new one.

    *origin* is the machine type of who packed it; the others are for a build that has to be made.
    Raises LadderError, which names the bot, if it cannot play on this machine.
    """
    version = replace(parcel.version, folder=str(folder))
    if parcel.built is not None and origin == machine_type():
        if _digest(parcel.built) != parcel.built_digest:
            raise _damage_error(version)
        _write(parcel.built, folder)
    else:
        _write(_verify_snapshot(parcel, origin), folder)
        if parcel.built is not None:
            build_version(version, passed, tier, readable=readable, network=network)
    check_program(version, folder)
    return version


def _read_snapshot(folder: Path) -> Iterator[PackedFile]:
    for name, file in files_of(folder):
        yield PackedFile(os.fsencode(name), os.access(file, os.X_OK), file.read_bytes())


def _read_all(folder: Path) -> Iterator[PackedFile]:
    """Yield what lies in *folder*; empty folders are left out."""
    for path in sorted(folder.rglob("*")):
        name = os.fsencode(path.relative_to(folder))
        if path.is_symlink():
            yield PackedFile(name, False, os.fsencode(path.readlink()), is_link=True)
        elif path.is_file():
            yield PackedFile(name, os.access(path, os.X_OK), path.read_bytes())


def _verify_snapshot(parcel: PackedBot, origin: str) -> tuple[PackedFile, ...]:
    """Return the snapshot of *parcel*, if it is what was submitted."""
    version = parcel.version
    if parcel.snapshot is None:
        raise LadderError(
            f"{version.id} was built on {origin}, which this machine ({machine_type()}) is not,"
            " and there is no snapshot to build from",
            f"submit {version.bot} again: the ladder now keeps the snapshot beside what is built",
        )
    files = ((os.fsdecode(file.name), file.runs, file.data) for file in parcel.snapshot)
    if identity_of(files, version.manifest) != version.version:
        raise _damage_error(version)
    return parcel.snapshot


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
