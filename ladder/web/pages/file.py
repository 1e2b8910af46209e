"""Write a page as a file: whole or not at all, and never over a file of somebody else."""

from collections.abc import Iterable
from pathlib import Path

from ladder.errors import UsageProblem
from results.storage.disk import temporary_path

GENERATOR = '<meta name="generator" content="ladder">'
"""Stands in every page that may be overwritten by the next one."""


def choose_file(wanted: Path | None, name: str) -> Path:
    """Return the file that *wanted* means: a folder means the file *name* in it, None this folder."""
    return Path(name) if wanted is None else wanted / name if wanted.is_dir() else wanted


def _check(path: Path, generator: str) -> None:
    """Raise UsageProblem if *path* cannot be written, or has a file without *generator*, a mark of ours."""
    if not path.parent.is_dir():
        raise UsageProblem(f"there is no folder {str(path.parent)!r}", f"mkdir -p {path.parent}")
    if path.exists() and not (path.is_file() and generator in path.read_text("utf-8", errors="replace")):
        raise UsageProblem(f"{str(path)!r} exists, and this command did not write it", "choose another name")


def make_folder(folder: Path, names: Iterable[str], generator: str = GENERATOR) -> list[Path]:
    """Make *folder*, and return the files of these *names* in it, to which pages can be written.

    Raises UsageProblem if *folder* is a file, or if one of its files is there without *generator*, our mark.
    """
    if folder.exists() and not folder.is_dir():
        raise UsageProblem(f"{str(folder)!r} is not a folder", "choose another name")
    folder.mkdir(parents=True, exist_ok=True)
    files = [folder / name for name in names]
    for file in files:
        _check(file, generator)
    return files


def write_page(page: str, path: Path, generator: str = GENERATOR) -> None:
    """Write *page*, which has the mark *generator*, to *path* under another name, then rename it.

    Raises UsageProblem if a file is there without that mark; OSError if the disk is full, and then an older
    page is still there.
    """
    _check(path, generator)
    name = temporary_path(path)
    try:
        name.write_text(page, "utf-8")
        name.replace(path)
    finally:
        name.unlink(missing_ok=True)  # it still exists after an error only
