"""A disk that tracks what is durable, and generates the states that a power cut may leave.

The model is stricter than any real file system: no byte of a file is durable without fsync, no name without
a sync of its folder, and any part of the rest may survive, in any order.
"""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import NamedTuple, TypeAlias

from results.storage.disk import Disk, Handle

SECTOR = 512
"""Bytes that a drive writes atomically."""

State: TypeAlias = frozenset[tuple[Path, bytes | None]]
"""The content of a disk: files with their bytes, folders with None."""


class Site(NamedTuple):
    """A place in the program that makes something safe: who calls what, and of a file in which folder."""

    function: str
    call: str
    folder: str


@dataclass
class Node:
    """A file or, with no bytes, a folder: as processes see it, and as it is safe."""

    data: bytes | None = b""
    safe: bytes = b""


class Change(NamedTuple):
    """A name that went, a name that came, or both at once; *node* is what the new name means."""

    old: Path | None
    new: Path | None
    node: Node | None

    @property
    def folder(self) -> Path:
        return next(path.parent for path in (self.new, self.old) if path)


@dataclass
class PowerDisk(Disk):
    """A real folder, with a record of what is durable in it."""

    folder: Path
    watch: Callable[[], None] = lambda: None
    """Called before every call that writes."""
    without: Site | None = None
    """The place where the disk only pretends to sync."""
    sites: set[Site] = field(default_factory=set)
    """The places where something was synced."""

    def __post_init__(self) -> None:
        self._seen: dict[Path, Node] = {}
        self._safe: dict[Path, Node] = {}
        self._changes: list[Change] = []
        self._open: dict[Handle, tuple[Path, Node]] = {}
        for path in sorted(self.folder.rglob("*")):  # what is there when the machine starts is safe
            data = path.read_bytes() if path.is_file() else None
            self._seen[path] = self._safe[path] = Node(data, data or b"")

    # -- the calls

    def make_dir(self, path: Path) -> None:
        self.watch()
        super().make_dir(path)
        if path not in self._seen:
            self._change(Change(None, path, Node(None)))

    def create(self, path: Path) -> Handle:
        self.watch()
        handle = super().create(path)
        self._open[handle] = (path, Node())
        self._change(Change(None, path, self._open[handle][1]))
        return handle

    def open(self, path: Path) -> Handle:
        self.watch()
        handle = super().open(path)
        self._open[handle] = (path, self._seen[path])
        return handle

    def append(self, handle: Handle, data: bytes) -> None:
        self.watch()
        super().append(handle, data)
        node = self._open[handle][1]
        node.data = (node.data or b"") + data

    def fsync(self, handle: Handle) -> None:
        self.watch()
        path, node = self._open[handle]
        if self._keeps_its_word("fsync", path.parent):
            node.safe = node.data or b""

    def close(self, handle: Handle) -> None:
        del self._open[handle]
        super().close(handle)

    def sync_dir(self, path: Path) -> None:
        self.watch()
        if self._keeps_its_word("sync_dir", path):
            for change in self._changes:
                if change.folder == path:
                    _apply(change, self._safe)
            self._changes = [change for change in self._changes if change.folder != path]

    def rename(self, old: Path, new: Path) -> None:
        self.watch()
        super().rename(old, new)
        self._change(Change(old, new, self._seen[old]))

    def link(self, old: Path, new: Path) -> None:
        self.watch()
        super().link(old, new)
        self._change(Change(None, new, self._seen[old]))

    def unlink(self, path: Path) -> None:
        self.watch()
        super().unlink(path)
        if path in self._seen:
            self._change(Change(path, None, None))

    def truncate(self, path: Path, size: int) -> None:
        self.watch()
        super().truncate(path, size)
        self._seen[path].data = (self._seen[path].data or b"")[:size]

    def _change(self, change: Change) -> None:
        _apply(change, self._seen)
        self._changes.append(change)

    def _keeps_its_word(self, call: str, folder: Path) -> bool:
        site = Site(sys._getframe(2).f_code.co_name, call, str(folder.relative_to(self.folder)))
        self.sites.add(site)
        return site != self.without

    # -- the cut

    def cuts(self, rng: Random, samples: int) -> Iterator[State]:
        """Yield states after a power cut now: the least, the most, then *samples* random ones."""
        yield self._left([], lambda node: node.safe)
        yield self._left(self._changes, lambda node: node.data or b"")
        for sample in range(samples):
            if sample % 2:
                changes = [change for change in self._changes if rng.random() < 0.5]
            else:  # as file systems with a journal do
                changes = self._changes[: rng.randint(0, len(self._changes))]
            yield self._left(changes, lambda node: _damage(node, rng))

    def _left(self, changes: list[Change], bytes_of: Callable[[Node], bytes]) -> State:
        names = dict(self._safe)
        for change in changes:
            _apply(change, names)
        contents: dict[int, bytes | None] = {}
        for node in names.values():  # two names may mean one file
            contents.setdefault(id(node), None if node.data is None else bytes_of(node))
        there = {self.folder}
        left = []
        for path in sorted(names):
            if path.parent in there:
                there.add(path)
                left.append((path.relative_to(self.folder), contents[id(names[path])]))
        return frozenset(left)


def _apply(change: Change, names: dict[Path, Node]) -> None:
    if change.old is not None:
        names.pop(change.old, None)
    if change.new is not None and change.node is not None:
        names[change.new] = change.node


def _damage(node: Node, rng: Random) -> bytes:
    """Return what is left of a file: the unsafe part lost, whole, torn, zero from or up to somewhere."""
    data, safe = node.data or b"", node.safe
    if len(data) < len(safe):  # cut off, perhaps
        return rng.choice((data, safe))
    place = rng.randint(len(safe), len(data))
    sector = max(len(safe), min(len(data), place // SECTOR * SECTOR))
    return rng.choice(
        (
            safe,
            data,
            data[:place],
            data[:place] + bytes(len(data) - place),
            safe + bytes(sector - len(safe)) + data[sector:],
        )
    )


def lay_out(state: State, folder: Path) -> Path:
    """Create *folder* with the content of *state*."""
    folder.mkdir()
    for path, data in sorted(state, key=lambda entry: entry[0]):
        if data is None:
            (folder / path).mkdir()
        else:
            (folder / path).write_bytes(data)
    return folder


def contents(folder: Path) -> State:
    """Return the content of *folder*."""
    return frozenset(
        (path.relative_to(folder), None if path.is_dir() else path.read_bytes())
        for path in folder.rglob("*")
        if path.name != "lock"
    )
