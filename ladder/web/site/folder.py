"""Write a folder so that a web server never sees half of it.

The new files are written to a folder beside the old one, which gets its name in one step: Linux and macOS can
exchange two names (renameat2 with RENAME_EXCHANGE, renamex_np with RENAME_SWAP).  Elsewhere two renames do
it, with a moment between them in which the folder has no name.  Files that did not change are links to the
old ones, so they keep their times and their inodes.
"""

import ctypes
import os
import shlex
import shutil
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from types import TracebackType

import msgspec

from ladder.errors import LadderError, UsageProblem
from results.storage.locking import is_running

MARKER = ".ladder-site.json"
"""The file that says what in the folder is ours: without it, nothing is touched."""
_AT_FDCWD = -100 if os.uname().sysname == "Linux" else -2
_EXCHANGE = 2
"""RENAME_EXCHANGE of Linux, RENAME_SWAP of macOS."""


class _File(msgspec.Struct, frozen=True):
    """A file that the site wrote."""

    sha256: str
    key: str = ""
    """What its text follows from, hashed."""


class _Marker(msgspec.Struct, frozen=True):
    """The content of MARKER."""

    ladder_site: int
    """The version of this form: 1."""
    files: dict[str, _File]


class Written(msgspec.Struct, frozen=True):
    """What a call wrote."""

    files: int
    """The number of files of the site."""
    changed: int
    """The number of those that are new or have another text."""
    removed: int
    """The number of earlier files of the site that are gone."""


class SiteFolder:
    """A folder that is being written.  Leaving the block without `switch` changes nothing."""

    def __init__(self, path: Path) -> None:
        """Begin to write the folder *path*, which must be new, empty, or a site.

        Raises UsageProblem for any other folder; nothing in it is touched.
        """
        self.path = Path(os.path.realpath(path))  # a link to the folder stays, and leads to the new one
        self._old = _read_marker(self.path, path)
        self._files: dict[str, _File] = {}
        self._changed = 0
        _remove_leftovers(self.path)
        self._new = self.path.with_name(f".{self.path.name}.new-{os.getpid()}")

    def __enter__(self) -> "SiteFolder":
        """Create the folder beside it.  Raises LadderError."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._new.mkdir()
            _write(self._new / MARKER, msgspec.json.encode(_Marker(1, {})))
        except OSError as error:
            self._discard()
            raise _name_failure(self.path, error) from None
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Remove what was not switched over."""
        self._discard()

    def has(self, name: str, key: str) -> bool:
        """Take over the old file *name* if it was made from what *key* stands for; return whether it was."""
        old = self._old.get(name)
        if not (old and key and old.key == key and self._is_whole(name, old)):
            return False
        self._link(name)
        self._files[name] = old
        return True

    def add(self, name: str, text: str, key: str = "") -> None:
        """Write the file *name*, a path in the folder with `/`; an old one with the same text stays as it is.

        Raises LadderError if the disk is full, and UsageProblem if a file of that name is not the site's.
        """
        data = text.encode("utf-8", "backslashreplace")
        file = _File(sha256(data).hexdigest(), key)
        old = self._old.get(name)
        self._files[name] = file
        if old and old.sha256 == file.sha256 and self._is_whole(name, old):
            self._link(name)
            return
        if not old and os.path.lexists(self.path / name):
            raise UsageProblem(
                f"{self.path / name} is not a file of this site", "move it away, or name another folder"
            )
        self._changed += 1
        try:
            target = self._new / name
            target.parent.mkdir(parents=True, exist_ok=True)
            _write(target, data)
        except OSError as error:
            raise _name_failure(self.path, error) from None

    def switch(self) -> Written:
        """Put the new folder in the place of the old one.  If nothing has changed, nothing is touched.

        Files in the old folder that the site did not write stay.  Raises LadderError.
        """
        removed = len(self._old.keys() - self._files.keys())
        written = Written(len(self._files), self._changed, removed)
        if not self._changed and not removed and self._files == self._old:
            return written
        try:
            for name in self._strangers():
                self._link(name)
            _write(self._new / MARKER, msgspec.json.format(msgspec.json.encode(_Marker(1, self._files))))
            if self.path.exists():
                shutil.copymode(self.path, self._new)
                _exchange(self._new, self.path)
            else:
                self._new.chmod(0o755)  # a web server runs as another user
                self._new.rename(self.path)
                return written
        except OSError as error:
            raise _name_failure(self.path, error) from None
        self._keep_late_strangers()
        return written

    # -- the old folder

    def _is_whole(self, name: str, file: _File) -> bool:
        """Return whether the old file is as the site wrote it."""
        path = self.path / name
        with suppress(OSError):
            return not path.is_symlink() and sha256(path.read_bytes()).hexdigest() == file.sha256
        return False

    def _strangers(self) -> Iterator[str]:
        """Yield the files of the old folder that are not the site's: others', or changed since."""
        for name in _walk(self.path):
            ours = self._old.get(name)
            if name != MARKER and name not in self._files and not (ours and self._is_whole(name, ours)):
                yield name

    def _keep_late_strangers(self) -> None:
        """Move files that somebody put into the old folder after it was looked at."""
        for name in _walk(self._new):
            target = self.path / name
            if name not in self._old and not os.path.lexists(target):
                with suppress(OSError):
                    target.parent.mkdir(parents=True, exist_ok=True)
                    (self._new / name).rename(target)

    def _link(self, name: str) -> None:
        """Give the old file *name* a second name in the new folder; copy it where that does not work."""
        target = self._new / name
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            try:
                os.link(self.path / name, target, follow_symlinks=False)
            except OSError:
                shutil.copy2(self.path / name, target, follow_symlinks=False)
        except OSError as error:
            raise _name_failure(self.path, error) from None

    def _discard(self) -> None:
        shutil.rmtree(self._new, ignore_errors=True)


def _write(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    path.chmod(0o644)


def _walk(folder: Path) -> Iterator[str]:
    """Yield the paths of all files and links in *folder*, relative to it."""
    for place, folders, files in os.walk(folder):
        links = [name for name in folders if Path(place, name).is_symlink()]
        for name in (*files, *links):
            yield Path(place, name).relative_to(folder).as_posix()


def _read_marker(path: Path, said: Path) -> dict[str, _File]:
    """Return the files of the site in the folder *path*.  Raises UsageProblem if it is not a site's."""
    hint = f"name a new folder: ladder site {shlex.quote(str(said) + '-site')}"
    if not path.exists():
        return {}
    if not path.is_dir():
        raise UsageProblem(f"{said} is a file", hint)
    try:
        return msgspec.json.decode((path / MARKER).read_bytes(), type=_Marker).files
    except FileNotFoundError:
        if any(path.iterdir()):
            raise UsageProblem(f"{said} holds other files: it is not a site of a ladder", hint) from None
        return {}
    except (msgspec.MsgspecError, OSError, UnicodeDecodeError) as error:
        raise UsageProblem(f"{path / MARKER} cannot be read: {error}", hint) from None


def _remove_leftovers(path: Path) -> None:
    """Remove folders of calls that were killed."""
    for left in path.parent.glob(f".{path.name}.new-*"):
        number = left.name.rpartition("-")[2]
        if number.isdigit() and (left / MARKER).is_file() and not is_running(int(number)):
            shutil.rmtree(left, ignore_errors=True)


def _exchange(new: Path, old: Path) -> None:
    """Let the folders *new* and *old* exchange their names."""
    libc = ctypes.CDLL(None, use_errno=True)
    names = (os.fsencode(new), os.fsencode(old))
    if rename := getattr(libc, "renameat2", None):
        done = rename(_AT_FDCWD, names[0], _AT_FDCWD, names[1], _EXCHANGE)
    elif rename := getattr(libc, "renamex_np", None):
        done = rename(*names, _EXCHANGE)
    else:
        done = -1
    if done != 0:  # an old kernel, or a file system that cannot: for a moment there is no folder
        aside = new.with_name(f"{new.name}-old")
        old.rename(aside)
        new.rename(old)
        aside.rename(new)


def _name_failure(path: Path, error: OSError) -> LadderError:
    return LadderError(
        f"the site cannot be written: {error}", f"{path} is as it was; make room and try again"
    )
