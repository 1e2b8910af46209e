"""Copy results to another folder, without the secrets that must not go with them.

A copy needs no lock: it is what a reader sees at one moment.  Segments never change, so a copy on the same
disk shares their files.
"""

import shutil
from collections.abc import Callable
from pathlib import Path

from results.errors import DamagedResults
from results.record import Run, encode_block
from results.storage import journal, manifest
from results.storage.contents import Contents
from results.storage.disk import Disk
from results.storage.layout import Folder
from results.storage.manifest import StoreManifest
from results.storage.names import write_names
from results.storage.revealed import read_revealed, write_revealed
from results.storage.runs import write_runs
from results.storage.seasons import write_seasons
from results.storage.store import Store
from results.storage.writer import clear, write_format

_TRIES = 20
"""The copy begins again if segments were joined meanwhile, which takes longer than to copy them."""


def copy_results(
    source: Store, target: Path, hide: Callable[[Run], Run], *, reviews: bool = False
) -> tuple[Store, Run | None]:
    """Copy the results of *source* to the new folder *target*, each run as *hide* returns it.

    With *reviews*, those of the matches go with them.

    An unfinished run ends in the copy as it is.  Return the copy, and the run that was unfinished, if any.
    Raises DamagedResults, NewerFormat or OSError.
    """
    for _ in range(_TRIES):
        contents = source.contents()
        target.mkdir()
        try:
            _write(contents, Folder(target), hide)
            for path in source.reviews.files() if reviews else ():
                Folder(target).reviews.mkdir(mode=0o700, exist_ok=True)
                _share(path, Folder(target).reviews / path.name)
        except FileNotFoundError:
            shutil.rmtree(target)
            continue
        copy = Store(target)
        with copy.lock():
            if unfinished := copy.unfinished_run():
                copy.abandon(unfinished.run)
        for damage in copy.audit().damage:  # of the source, whose files these are
            raise DamagedResults(damage.path, damage.what)
        return copy, unfinished
    raise DamagedResults(
        source.folder.matches, "its files are missing, or change faster than they can be read"
    )


def _write(contents: Contents, folder: Folder, hide: Callable[[Run], Run]) -> None:
    """Write *contents* to *folder*, format.json last."""
    disk = Disk()
    names, contents = contents.names, contents.as_stored()
    clear(disk, folder)
    if names and folder.names.parent == folder.root:
        write_names(disk, folder, names)
    if revealed := read_revealed(contents.folder, contents.runs):  # before the matches that it hides
        write_revealed(disk, folder, revealed)
    if (sheet := contents.manifest) is None:
        return
    for segment in sheet.segments:
        for (old, _), (new, _) in zip(contents.folder.segment(segment), folder.segment(segment), strict=True):
            _share(old, new)
    journal.create(disk, folder.journal(sheet.journal), map(encode_block, contents.journal_blocks))
    manifest.publish(disk, folder.manifests, StoreManifest(sheet.number, sheet.journal, sheet.segments))
    if contents.runs:
        write_runs(disk, folder, [hide(run) for run in contents.runs])
    write_seasons(disk, folder, contents.seasons)
    write_format(disk, folder)


def _share(old: Path, new: Path) -> None:
    """Give the file *old* a second name, or copy it to another disk."""
    try:
        new.hardlink_to(old)
    except FileNotFoundError:
        raise
    except OSError:
        shutil.copyfile(old, new)
