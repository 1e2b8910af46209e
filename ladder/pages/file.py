"""Write a page as a file: whole or not at all, and never over a file of somebody else."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ladder.errors import UsageProblem
from results.storage.disk import temporary_path

__all__ = ["GENERATOR", "check_file", "choose_file", "make_folder", "write_page"]

GENERATOR = '<meta name="generator" content="ladder">'
"""Stands in every page that may be overwritten by the next one."""


def choose_file(wanted: Path | None, name: str) -> Path:
    """Return the file that *wanted* means: a folder means the file *name* in it, None this folder."""
    return Path(name) if wanted is None else wanted / name if wanted.is_dir() else wanted


def check_file(path: Path, generator: str = GENERATOR) -> None:
    """Raise UsageProblem if *path* cannot be written, or has a file without *generator*, a mark of ours."""
    if not path.parent.is_dir():
        raise UsageProblem(f"there is no folder {str(path.parent)!r}", f"mkdir -p {path.parent}")
    if path.exists() and not (path.is_file() and generator in path.read_text("utf-8", errors="replace")):
        raise UsageProblem(f"{str(path)!r} exists, and this command did not write it", "choose another name")


def make_folder(folder: Path, names: Iterable[str], generator: str = GENERATOR) -> list[Path]:
    """Make *folder*, and return the files of these *names* in it, to which pages can be written.

    Raises UsageProblem for a folder that is a file, and as check_file does.
    """
    if folder.exists() and not folder.is_dir():
        raise UsageProblem(f"{str(folder)!r} is no folder", "choose another name")
    folder.mkdir(parents=True, exist_ok=True)
    files = [folder / name for name in names]
    for file in files:
        check_file(file, generator)
    return files


def write_page(page: str, path: Path, generator: str = GENERATOR) -> None:
    """Write *page*, which has the mark *generator*, to *path* under another name, then rename it.

    Raises UsageProblem as check_file does; OSError if the disk is full, and then an older page is still
    there.
    """
    check_file(path, generator)
    name = temporary_path(path)
    try:
        name.write_text(page, "utf-8")
        name.replace(path)
    finally:
        name.unlink(missing_ok=True)  # it still exists after an error only
