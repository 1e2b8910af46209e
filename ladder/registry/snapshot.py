"""Copy the files of a bot, mend its program, and compute the hash that identifies its version."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import NamedTuple

import msgspec

from ladder.errors import UsageProblem
from ladder.registry.bot_archive import MOST_FOLDERS, too_deep
from ladder.registry.bot_manifest import BotManifest
from ladder.registry.dependencies import BIN, SIDE_FILES, venv_of
from ladder.registry.file_kinds import EXECUTABLE, open_regular
from ladder.registry.shebang import BYTE_ORDER_MARK, MARK, interpreter_of
from ladder.registry.submission_size import SubmissionSize


def files_of(
    path: Path, home: Path | None = None, skips: Callable[[Path], bool] = lambda folder: False
) -> Iterator[tuple[str, Path]]:
    """Yield the path in the snapshot and the file for each regular file of a submission.

    The *home* is skipped, because it may lie in the submitted folder, and folders of which *skips* says so.
    Raises UsageProblem for other kinds of
    files.
    """
    if path.is_file():
        yield path.name, path
        beside = (path.with_name(name) for name in SIDE_FILES.get(path.suffix, ()))
        yield from ((file.name, file) for file in beside if file.is_file() and not file.is_symlink())
        return
    for folder, folders, names in os.walk(path, onerror=_raise):
        if len(Path(folder).relative_to(path).parts) > MOST_FOLDERS:
            raise too_deep(path)
        folders[:] = sorted(name for name in folders if name not in ("__pycache__", ".git"))
        folders[:] = [name for name in folders if not (home and Path(folder, name).samefile(home))]
        folders[:] = [name for name in folders if not skips(Path(folder, name))]
        for name in sorted([*names, *(f for f in folders if Path(folder, f).is_symlink())]):
            file = Path(folder, name)
            mode = file.lstat().st_mode
            if not stat.S_ISREG(mode):
                kind = {stat.S_IFLNK: "a link", stat.S_IFSOCK: "a socket", stat.S_IFIFO: "a FIFO"}.get(
                    stat.S_IFMT(mode), "a device"
                )
                if venv := venv_of(file):
                    raise UsageProblem(
                        f"{venv} is a virtual environment, which works only where it was made",
                        "leave it out, name its packages in requirements.txt, and submit again",
                    )
                raise UsageProblem(
                    f"{file} is {kind}; a snapshot takes regular files and folders only",
                    "replace it by a copy, or leave it out, and submit again",
                )
            yield file.relative_to(path).as_posix(), file


def _raise(error: OSError) -> None:
    raise error


def identity_of(files: Iterable[tuple[str, bool, bytes]], manifest: BotManifest) -> str:
    """Return the identity of a version from its *files* (name, run bit and bytes of each) and *manifest*."""
    return _identity(((name, runs, hashlib.sha256(data)) for name, runs, data in files), manifest)


def _identity(files: Iterable[tuple[str, bool, hashlib._Hash]], manifest: BotManifest) -> str:
    content = hashlib.sha256()
    for name, runs, digest in files:
        content.update(os.fsencode(f"{name}\0{runs:d}\0{digest.hexdigest()}\n"))
    return hashlib.sha256(content.hexdigest().encode() + msgspec.json.encode(manifest)).hexdigest()[:12]


def copy_files(
    path: Path, target: Path, home: Path, manifest: BotManifest, told: list[str], most_mb: int
) -> Iterator[tuple[str, bool, bytes]]:
    """Copy a submission, of at most *most_mb* MB, to *target*; yield name, run bit and bytes of each file.

    Its program is mended, its virtual environment left out, and *told* gets what was changed.
    """
    size, place = SubmissionSize(path, most_mb), (path if path.is_dir() else path.parent).resolve()
    program, is_built = program_in(path, manifest), bool(manifest.build)
    is_own = (path / program).is_file() and not (path / program).is_symlink()
    starts = {*manifest.run, *(interpreter_of(path / program, mends=True) if is_own else ())}
    named = {part for word in starts for part in PurePosixPath(word).parts}

    def is_left_out(folder: Path) -> bool:
        """Return whether *folder* works only where it was made: a virtual environment, links of npm."""
        found = folder.name not in named and (folder / "pyvenv.cfg").is_file()
        if found:
            told.append(
                f"{folder.name} is a virtual environment, and is left out: requirements.txt brings packages"
            )
        return found or (folder.parts[-2:] == BIN and all(each.is_symlink() for each in folder.iterdir()))

    for name, file in files_of(path, home, is_left_out):
        with open_regular(file, follow=file == path) as opened:
            state = os.fstat(opened.fileno())
            size.add(name, state.st_size)
            data = opened.read(state.st_size)  # and no more, if it grows at this moment
            # a folder on the way may have become a link, to files of others
            if file != path and Path(f"/proc/self/fd/{opened.fileno()}").readlink() != place / name:
                raise UsageProblem(f"{file} has changed", "submit it again")
        runs = bool(state.st_mode & stat.S_IXUSR)
        if name == program:
            data, runs, changes = mend_program(name, data, runs=runs, is_built=is_built)
            told += changes
        copy = target / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(data)
        copy.chmod(0o755 if runs else 0o644)
        yield name, runs, data


def identity_in(folder: Path, manifest: BotManifest) -> str:
    """Return the identity of the snapshot in *folder*; "" if it holds a link or is unreadable."""
    try:
        return _identity(((name, *_hash(file)) for name, file in files_of(folder)), manifest)
    except (UsageProblem, OSError):
        return ""


def _hash(path: Path) -> tuple[bool, hashlib._Hash]:
    """Return the run bit and the hash of a file."""
    with path.open("rb") as file:
        runs = bool(os.fstat(file.fileno()).st_mode & stat.S_IXUSR)
        return runs, hashlib.file_digest(file, "sha256")


# -- what mail, class servers and Windows do to a program, and how that is mended
#
# Only what would be refused is mended, so a bot that is fine as it is keeps its hash.  What is mended is the
# copy that plays; the author's own files are not touched.


class MendedProgram(NamedTuple):
    """The file that a bot is started by, as it can be started."""

    data: bytes
    runs: bool
    """Whether it has a run bit."""
    changes: tuple[str, ...] = ()
    """What was mended, in words."""


def program_in(path: Path, manifest: BotManifest) -> str:
    """Return the name, in a snapshot of *path*, of the file that is started; "" if none of the bot's is."""
    if path.is_file() and path.suffix != ".toml":
        return path.name
    program = PurePosixPath(*manifest.run[:1])
    return "" if "/" not in "".join(manifest.run[:1]) or program.is_absolute() else str(program)


def mend_program(name: str, data: bytes, *, runs: bool, is_built: bool) -> MendedProgram:
    """Return the program *name*, which has a run bit if it *runs*, mended where it could not be started.

    If a bot *is_built*, the build may still make another file of that name, so only scripts are mended.
    """
    changes = []
    text = data.removeprefix(BYTE_ORDER_MARK)
    if text.startswith(MARK):
        if text != data:
            changes.append(f"{name}: the byte order mark before #! is left out")
        if text.splitlines(keepends=True)[0].endswith((b"\r\n", b"\r")):
            text = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
            changes.append(f"{name}: its line ends are those of Windows, and are changed")
        return MendedProgram(text, runs, tuple(changes)) if changes else MendedProgram(data, runs)
    if data.startswith(EXECUTABLE) and not runs and not is_built:
        return MendedProgram(data, True, (f"{name}: its executable bit was lost, and is set",))
    return MendedProgram(data, runs)
