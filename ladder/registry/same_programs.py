"""Find bots whose programs are the same: their files, whatever these are called, without the manifest."""

import os
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import unquote_to_bytes

from ladder.machine.toml import read_toml
from ladder.registry.file_hashes import hash_files, read_hashes
from ladder.registry.version import Version

NOTHING = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
"""The SHA-256 of an empty file, such as __init__.py: it is no program."""


def find_same_programs(versions: Iterable[Version]) -> list[list[Version]]:
    """Return groups of bots that have had the same program, each by its newest version with it.

    The first submitted comes first.  House bots are left out: some of them share a program.
    """
    by_program: dict[tuple[str, ...], dict[str, Version]] = {}
    for version in sorted(versions, key=lambda version: version.order):
        if not version.of_house and (program := _program_of(version)):
            by_program.setdefault(program, {})[version.bot] = version
    groups = [list(bots.values()) for bots in by_program.values() if len(bots) > 1]
    for group in groups:
        group.sort(key=lambda version: (version.submitted, version.bot))
    return sorted(groups, key=lambda group: (group[0].submitted, group[0].bot))


def _program_of(version: Version) -> tuple[str, ...]:
    """Return the SHA-256 of the submitted files in a fixed order; empty if none could be a program."""
    files = Path(version.folder)
    source = files.with_name("source")
    if source.is_dir():  # what a build made is the same for many, or never
        folder, hashes = source, hash_files(source)
    else:
        folder, hashes = files, read_hashes(files.parent) or hash_files(files)
    found = []
    for path, mark in hashes.items():
        name, digest = os.fsdecode(unquote_to_bytes(path)), mark.rpartition(" ")[2]
        if digest != NOTHING and not (
            name.endswith(".toml") and "/" not in name and _is_manifest(folder / name)
        ):
            found.append(digest)
    return tuple(sorted(found))


def _is_manifest(file: Path) -> bool:
    try:
        return {"name", "run"} <= read_toml(file).keys()
    except (OSError, ValueError):
        return False
