"""Repair results: move damaged files aside and make the rest consistent.

Every damaged file first gets a second name in `results/damaged/`.  Cached ratings that may rest on lost
matches are removed.  Then follow a journal of the good lines, a manifest of the sound segments, and the runs.
If a repair is interrupted, sound data is still found and the next repair continues.
"""

from itertools import count
from pathlib import Path

from results.record import encode_block
from results.storage import journal, manifest
from results.storage.audit import Audit
from results.storage.disk import Disk
from results.storage.layout import Folder
from results.storage.manifest import StoreManifest, format_number
from results.storage.revealed import Revealed, write_revealed
from results.storage.runs import write_runs
from results.storage.writer import clear, write_format


def repair(disk: Disk, folder: Folder, audit: Audit) -> list[Path]:
    """Repair the damage in *audit*; return the new paths of the damaged files.  The lock must be held."""
    if not audit.damage:
        return []
    clear(disk, folder)
    broken = [path for damage in audit.damage for path in (damage.path, damage.also) if path]
    if not audit.complete:
        broken.append(folder.ratings)
    moved = {path: _link_aside(disk, folder, path) for path in broken if path.name in disk.list(path.parent)}
    if folder.ratings in moved:
        for path in (folder.ratings, folder.pairs, *(folder.cache(name) for name in ("ratings", "counts"))):
            disk.unlink(path)
        disk.sync_dir(folder.root)
    contents, sheet = audit.contents, audit.contents.manifest
    if sheet and not audit.manifest_is_good:
        name = format_number(sheet.number + 1)
        journal.create(disk, folder.journal(name), map(encode_block, contents.journal_blocks))
        mended = StoreManifest(sheet.number + 1, name, sheet.segments)
        manifest.publish(disk, folder.manifests, mended)
    if not audit.runs_are_good:
        write_runs(disk, folder, contents.runs)
    if folder.revealed in [damage.path for damage in audit.damage]:
        terms = next((run.settings.tournament for run in contents.runs if run.settings.tournament), None)
        # if the runs are lost, too, the name of the tournament is not known
        write_revealed(disk, folder, Revealed(terms.name if terms else folder.unrated_name))
    if folder.format in moved or folder.format.name not in disk.list(folder.root):
        write_format(disk, folder)
    kept = {path for segment in (sheet.segments if sheet else ()) for path, _ in folder.segment(segment)}
    for path in moved.keys() - kept - {folder.runs, folder.format, folder.revealed}:
        disk.unlink(path)
        disk.sync_dir(path.parent)
    return sorted(moved.values())


def _link_aside(disk: Disk, folder: Folder, path: Path) -> Path:
    """Link *path* into the folder of damaged files; return that path, also if it is there already."""
    disk.make_dir(folder.damaged)
    disk.sync_dir(folder.root)
    names = disk.list(folder.damaged)
    stem = "-".join([*path.relative_to(folder.root).parts[:-1], path.stem])
    for times in count(1):
        new = folder.damaged / f"{stem}{f'-{times}' if times > 1 else ''}{path.suffix}"
        if new.name not in names:
            disk.link(path, new)
            disk.sync_dir(folder.damaged)
            return new
        if disk.read(new) == disk.read(path):
            return new
    raise AssertionError("numbers do not end")
