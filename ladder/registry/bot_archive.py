"""Unpack archives of bots into a temporary folder.

Archives are not trusted.  This module writes every file itself, never by `extractall`: only regular files
below the folder, counted and measured while they are read.
"""

import bz2
import gzip
import lzma
import os
import shutil
import struct
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from stat import S_IFDIR, S_IFMT, S_IFREG, S_IXUSR
from typing import IO, Any, NamedTuple

from ladder.errors import OF_MACHINE, LadderError, UsageProblem, first_of
from ladder.registry.bot_manifest import BOT_MB
from ladder.registry.dependencies import BIN, venv_of
from ladder.registry.file_kinds import EXECUTABLE, PROGRAM, TWIN, ShortReads, kind_of, open_regular
from ladder.registry.submission_size import MAX_FILES, SubmissionSize

MOST_FOLDERS = 64
"""The most folders in which a file of a submission may lie, one in the other."""

ZIP = ".zip"
TARS: Mapping[str, Callable[[Any], Any]] = {
    ".tar": lambda file: file,
    ".tar.gz": gzip.open,
    ".tgz": gzip.open,
    ".tar.bz2": bz2.open,
    ".tbz2": bz2.open,
    ".tar.xz": lzma.open,
    ".txz": lzma.open,
}
"""The function that opens a tar archive, by suffix."""
MARKS = ((b"PK\x03\x04", ZIP), (b"\x1f\x8b", ".tar.gz"), (b"BZh", ".tar.bz2"), (b"\xfd7zXZ", ".tar.xz"))
"""The first bytes of archives, and the suffix of each."""
OFFICE_PART = "[Content_Types].xml"
"""A file that documents of office programs have, which are zip archives."""
OTHERS = (".7z", ".rar", ".gz", ".bz2", ".xz", ".zst", ".lz", ".lz4", ".jar", ".whl")
"""Suffixes of archives that cannot be submitted."""
HEADERS = 4096
"""The most bytes that a file may take in a tar archive besides its content, on average."""
PROGRAMS = {".py", ".js", ".mjs", ".sh", ".rb", ".lua", ".php", ".pl", ".jar", ".class", ".exe", ".toml"}
"""Suffixes of files without which a bot most likely does not start."""
LEFT_OUT = {"__MACOSX", ".DS_Store"}
"""Names that macOS adds to archives; they are skipped."""
PACK = "pack the bot as .zip or .tar.gz"
MANIFEST = "bot.toml"
LOCKED = 1
"""The flag of a file in a zip archive that wants a password."""
DEEPEST = 3
"""How many folders deep a manifest is searched for."""
BROKEN = (
    *(tarfile.TarError, zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, EOFError),
    *(OSError, ValueError, NotImplementedError, RuntimeError, OverflowError, MemoryError),
)
"""The exceptions of the archive readers for files that they cannot read."""


def is_same_place(origin: str, *origins: str) -> bool:
    """Return whether the path *origin* is among *origins*; a folder and its archive are the same place."""
    return without_suffix(origin) in map(without_suffix, origins)


def without_suffix(origin: str) -> str:
    """Return the path *origin* without the suffix of an archive."""
    return next((origin[: -len(end)] for end in (ZIP, *TARS) if origin.lower().endswith(end)), origin)


class _Member(NamedTuple):
    """A file in an archive, open for reading."""

    name: str
    runs: bool | None
    """Whether it has a run bit; None if the archive cannot tell."""
    content: IO[bytes] | None
    """None for what is no file."""
    kind: str = ""
    """What it is then."""


class Unpacked(NamedTuple):
    """The files of a submission while it is open."""

    folder: Path
    """The folder or script of the bot."""
    place: Path
    """Where the archive is unpacked..."""
    path: Path
    """...and the archive itself, which errors name.  Both are the path of a submission that is no archive."""
    told: list[str]
    """What was done otherwise than the author may expect."""

    @contextmanager
    def name_archive(self) -> Iterator[None]:
        """Let errors name the archive instead of the temporary folder."""
        try:
            yield
        except LadderError as error:
            error.args = (str(error).replace(str(self.place), str(self.path)),)
            error.hint = error.hint.replace(str(self.place), str(self.path))
            raise


@contextmanager
def open_submission(path: Path, most_mb: int = BOT_MB) -> Iterator[Unpacked]:
    """Yield the unpacked folder or script in the archive *path*, or *path* itself if it is no archive.

    A folder without a manifest stands for the only folder in it that has one.  Errors name the archive
    instead of the temporary folder.  It may hold *most_mb* MB.  Raises UsageProblem for an archive that is
    not accepted.
    """
    told: list[str] = []
    if path.is_dir() and (only := _only_archive(path)):
        with open_submission(only, most_mb) as found:
            yield found._replace(told=[f"the bot is what lies in {only.name}", *found.told])
        return
    kind = next((suffix for suffix in (ZIP, *TARS) if path.name.lower().endswith(suffix)), "")
    if not path.is_file() or not (kind or path.suffix.lower() in OTHERS):
        yield Unpacked(_find_inner(path, told), path, path, told)
        return
    if not kind:
        known = kind_of(path)
        raise UsageProblem(
            f"{path} is {known.what}, not a bot" if known else f"{path} cannot be unpacked",
            known.advice if known else PACK,
        )
    kind = _kind_by_content(path) or kind
    with tempfile.TemporaryDirectory(prefix="ladder-unpacked-") as folder:
        # a bot without a manifest is called after its folder
        name = without_suffix(path.name)
        place = Path(folder, "unpacked" if name in ("", ".", "..") else name)
        with Unpacked(place, place, path, told).name_archive():
            _unpack(path, kind, place, SubmissionSize(path, most_mb))
            if kind == ZIP:
                _split_names(path, place, told)
            bot = _find_bot(place)
            _refuse_archives(path, bot)
            if (bot / OFFICE_PART).is_file() and not (bot / MANIFEST).is_file():
                raise UsageProblem(f"{path} is a document of an office program, not a bot", PROGRAM)
            yield Unpacked(_find_inner(bot, told), place, path, told)


def _only_archive(folder: Path) -> Path | None:
    """Return the archive in *folder* if nothing else in it can be the bot, as course systems hand it out."""
    archives, others = [], []
    for file in (each for each in folder.iterdir() if not each.name.startswith(TWIN)):
        if file.name.lower().endswith((ZIP, *TARS)) and file.is_file() and not file.is_symlink():
            archives.append(file)
        elif file.is_dir() or file.suffix.lower() in PROGRAMS:
            others.append(file)
    return archives[0] if len(archives) == 1 and not others else None


def _kind_by_content(path: Path) -> str:
    """Return the suffix that an archive should have by its first bytes; "" if these say nothing."""
    with open_regular(path, follow=True) as file:
        head = file.read(262)
    plain = ".tar" if head.endswith(b"ustar") else ""  # tar(5)
    return next((suffix for mark, suffix in MARKS if head.startswith(mark)), plain)


def _find_bot(place: Path) -> Path:
    """Return the bot in *place*: the only folder, the only script, or *place* itself."""
    inside = [each for each in place.iterdir() if not each.name.startswith(TWIN)]
    if len(inside) == 1 and inside[0].is_dir():
        return _find_bot(inside[0])
    return inside[0] if len(inside) == 1 and inside[0].suffix != ".toml" else place


def _refuse_archives(path: Path, found: Path) -> None:
    """Raise UsageProblem if what was *found* in the archive *path* are archives again."""
    inside = [found] if found.is_file() else sorted(file for file in found.rglob("*") if file.is_file())
    names = [file.name for file in inside if file.name.lower().endswith((ZIP, *TARS, *OTHERS))]
    if names and len(names) == len(inside):
        raise UsageProblem(
            f"{path} holds archives, and no bot: {first_of([*map(repr, names)], 3)}",
            "unpack it, and submit what is in it" if names[1:] else f"submit {names[0]} itself",
        )


def _find_inner(folder: Path, told: list[str]) -> Path:
    """Return the only folder below *folder* that has a manifest, if it has none itself; else *folder*."""
    if not folder.is_dir() or (folder / MANIFEST).exists():
        return folder
    found = []
    for inner, folders, names in os.walk(folder):
        depth = len(Path(inner).relative_to(folder).parts)
        folders[:] = [
            each for each in folders if depth < DEEPEST and not each.startswith(".") and each not in LEFT_OUT
        ]
        found += [Path(inner)] if MANIFEST in names else []
    if len(found) != 1 or (found[0] / "ladder.toml").exists():
        return folder
    told.append(f"the bot is what lies in {found[0].relative_to(folder)}/, where its {MANIFEST} is")
    return found[0]


def _split_names(path: Path, place: Path, told: list[str]) -> None:
    """Move files whose names have backslashes, as some programs of Windows pack them, into folders.

    On this system such a name is allowed, so it stays where nothing shows that the bot needs the folder: its
    manifest is not in that folder, and no program is.
    """
    odd = [file for file in sorted(place.rglob("*")) if "\\" in file.name and file.is_file()]
    needed = not list(place.rglob(MANIFEST)) or any(file.suffix in PROGRAMS for file in odd)
    if not odd or not needed:
        return
    for file in odd:
        parts = _parts(path, "/".join(file.relative_to(place).parts).replace("\\", "/"))
        if LEFT_OUT.isdisjoint(parts):
            target = place.joinpath(*parts)
            target.parent.mkdir(parents=True, exist_ok=True)
            if target.exists():
                raise UsageProblem(f"{path} holds {'/'.join(parts)!r} twice", "pack it again")
            file.rename(target)
        else:
            file.unlink()
    told.append("its names have backslashes, which are read as folders")


def _unpack(path: Path, kind: str, place: Path, size: SubmissionSize) -> None:
    """Write the files of an archive below *place*, a new folder; *size* is told what they hold."""
    place.mkdir()
    odd = []
    try:
        for member in _read_zip(path, size) if kind == ZIP else _read_tar(path, TARS[kind], size):
            parts = _parts(path, member.name)
            # The names in an archive are a stranger's: each is checked before anything is written, links and
            # devices are refused by kind, and the sizes are those of the bytes that come, not those that the
            # archive states.
            if member.content is None:
                odd.append(member)
            elif LEFT_OUT.isdisjoint(parts):
                _write(member, member.content, place.joinpath(*parts), size)
    except BROKEN as error:
        # a full disk, or memory that ran out, says nothing of the archive
        if isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno in OF_MACHINE):
            raise
        why = f"{error or type(error).__name__}"
        raise UsageProblem(f"{path} cannot be unpacked: {why}", "pack it again, as .zip or .tar.gz") from None
    for member in odd:
        if not (venv_of(place / member.name) or PurePosixPath(member.name).parts[-3:-1] == BIN):  # left out
            raise UsageProblem(
                f"{path} holds {member.name!r}, which is {member.kind}; a snapshot takes regular files and"
                " folders only",
                "replace it by a copy, or leave it out, and submit again",
            )


def _parts(path: Path, name: str) -> tuple[str, ...]:
    """Return the parts of the path *name*.  Raises UsageProblem if it leads out of the folder."""
    parts = PurePosixPath(name).parts
    if name.startswith("/") or ".." in parts or "\0" in name or not parts:
        raise UsageProblem(
            f"{path} holds {name!r}, which leads out of the folder it is unpacked to",
            "pack the bot's folder by a relative path",
        )
    if len(parts) > MOST_FOLDERS:
        raise too_deep(path)
    return parts


def _write(member: _Member, content: IO[bytes], file: Path, size: SubmissionSize) -> None:
    """Write *member* to *file*; *size* is told how much it is, before that is written."""
    file.parent.mkdir(parents=True, exist_ok=True)
    # "x": an archive may hold one name twice, and the second must not replace the first
    with file.open("xb") as copy:
        while data := content.read(shutil.COPY_BUFSIZE):  # type: ignore[attr-defined]  # not in typeshed
            size.add(member.name, len(data))
            copy.write(data)
    if (runs := member.runs) is None:
        with file.open("rb") as written:
            runs = written.read(len(EXECUTABLE)) == EXECUTABLE
    file.chmod(0o755 if runs else 0o644)


def too_deep(path: Path) -> UsageProblem:
    """Return the error for a submission whose folders lie too deep in each other."""
    return UsageProblem(f"{path} holds folders more than {MOST_FOLDERS} deep", "put its files higher up")


def _read_zip(path: Path, size: SubmissionSize) -> Iterator[_Member]:
    with (
        open_regular(path, follow=True) as raw,
        ShortReads(raw.raw) as file,
        zipfile.ZipFile(file) as archive,
    ):
        infos = archive.infolist()
        for info in infos:
            size.add(info.filename)
        if sum(info.file_size for info in infos) > size.most_bytes:
            raise size.too_large(max(infos, key=lambda info: info.file_size).filename)
        for info in infos:
            mode = info.external_attr >> 16
            if info.flag_bits & LOCKED:
                raise UsageProblem(f"{path} is locked by a password", "pack it again, without one")
            if S_IFMT(mode) not in (0, S_IFREG, S_IFDIR):
                yield _Member(info.filename, None, None, "a link or a device")
            elif not info.is_dir():
                with archive.open(info) as content:
                    yield _Member(info.filename, bool(mode & S_IXUSR) if mode else None, content)


class Metered:
    """A stream that raises *too_much*() when more than *left* unpacked bytes are read."""

    def __init__(
        self, stream: IO[bytes] | gzip.GzipFile, left: int, too_much: Callable[[], Exception]
    ) -> None:
        self.left = left
        self._stream = stream
        self._too_much = too_much

    def read(self, size: int) -> bytes:
        data = self._stream.read(size)
        self.left -= len(data)
        if self.left < 0:
            raise self._too_much()
        return data


def _read_tar(path: Path, unpacked: Callable[[Any], Any], size: SubmissionSize) -> Iterator[_Member]:
    limit = size.most_bytes + HEADERS * MAX_FILES
    with open_regular(path, follow=True) as file, unpacked(file) as stream:
        metered: Any = Metered(stream, limit, size.too_large)
        # As a stream: the size of what is unpacked is known only by unpacking it, and a bomb must end early.
        with tarfile.open(fileobj=metered, mode="r|") as archive:
            for member in archive:
                size.add(member.name)
                if member.size > size.most_bytes:
                    raise size.too_large(member.name)
                if not member.isdir():
                    is_file = member.isfile() and not member.issparse()
                    kind = "a link" if member.issym() or member.islnk() else "special"
                    content = archive.extractfile(member) if is_file else None
                    yield _Member(member.name, bool(member.mode & S_IXUSR), content, kind)
