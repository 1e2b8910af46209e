"""Hash the files of a version, to find out later whether one was changed."""

import hashlib
import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple, TypeAlias
from urllib.parse import quote, unquote_to_bytes

import msgspec

FileHashes: TypeAlias = Mapping[str, str]
"""The kind and the SHA-256 of each file and link in a folder, by percent-encoded path."""

_RUN_BIT = {("program", "file"): "is no longer executable", ("file", "program"): "has become executable"}
FILE = "contents.json"
"""The file with the hashes of a version, beside its version.json."""


class Differences(NamedTuple):
    """The differences between a folder now and before, in words."""

    changed: list[str]
    """Files that are missing or have changed."""
    new: list[str]
    """Files that were added."""


def hash_files(folder: Path) -> dict[str, str]:
    """Return the hashes of all files in *folder*.

    They do not cover times, modes except the owner's run bit, empty folders, or __pycache__.
    """
    found = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder)
        if "__pycache__" not in name.parts and not (path.is_dir() and not path.is_symlink()):
            found[quote(os.fsencode(name))] = _hash_entry(path)
    return found


def _hash_entry(path: Path) -> str:
    mode = path.lstat().st_mode
    if stat.S_ISLNK(mode):
        return f"link {hashlib.sha256(os.fsencode(path.readlink())).hexdigest()}"
    if not stat.S_ISREG(mode):
        return "special"
    kind = "program" if mode & stat.S_IXUSR else "file"
    try:
        with path.open("rb") as file:
            return f"{kind} {hashlib.file_digest(file, 'sha256').hexdigest()}"
    except PermissionError:  # a build may leave such files
        return f"{kind} unreadable"


def digest_hashes(hashes: FileHashes) -> str:
    """Return the SHA-256 over all hashes."""
    return hashlib.sha256(msgspec.json.encode(hashes, order="deterministic")).hexdigest()


def write_hashes(hashes: FileHashes, folder: Path) -> None:
    """Store *hashes* in the folder of their version."""
    (folder / FILE).write_bytes(msgspec.json.format(msgspec.json.encode(hashes)) + b"\n")


def read_hashes(folder: Path) -> dict[str, str] | None:
    """Return the hashes stored in the folder of a version; None if missing or unreadable."""
    try:
        return msgspec.json.decode((folder / FILE).read_bytes(), type=dict[str, str])
    except (OSError, msgspec.MsgspecError, RecursionError):
        return None


def compare_hashes(then: FileHashes, now: FileHashes) -> Differences:
    """Return the differences of *now* from *then*."""
    changed = [f"{_name(path)} is missing" for path in then if path not in now]
    for path, mark in then.items():
        if path in now and now[path] != mark:
            (kind, *content), (kind_now, *content_now) = mark.split(), now[path].split()
            how = _RUN_BIT.get((kind, kind_now)) if content == content_now else None
            changed.append(f"{_name(path)} {how or 'has changed'}")
    return Differences(changed, [f"{_name(path)} is new" for path in now if path not in then])


def _name(path: str) -> str:
    return os.fsdecode(unquote_to_bytes(path))
