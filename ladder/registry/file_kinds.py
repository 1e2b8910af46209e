"""Name what was handed in in place of a bot: a document, a notebook, a program for another system."""

import io
import os
import re
import stat
import zipfile
from pathlib import Path
from typing import NamedTuple

from ladder.errors import UsageProblem

TWIN = "._"
"""How the name of a file begins that macOS adds beside another for what it knows of that one."""
EXECUTABLE = b"\x7fELF"
"""The first bytes of a program for Linux."""
NOT_TEXT = frozenset({*range(9), *range(14, 32), 127})
"""Bytes that no text has."""
HEAD = 4096
"""The most bytes that are looked at."""
AT_ONCE = 2**24
"""The most bytes read at once, and so the longest list of files in a zip archive."""
PROGRAM = "submit the program: a script such as bot.py, or a folder with a bot.toml"
EXPORT = "export the code as a script (in Jupyter: File, Save and Export as, Executable Script), submit that"
HERE = "bots run on Linux here: submit the source, or a program that was built for Linux"
JAVA = "submit the source, in a folder with a bot.toml whose `build` compiles it: ladder new java"
SOURCES = {
    **dict.fromkeys((".c", ".h"), ("C", "c")),
    **dict.fromkeys((".cpp", ".cc", ".cxx", ".hpp"), ("C++", "cpp")),
    ".cs": ("C#", "csharp"),
    ".go": ("Go", "go"),
    ".java": ("Java", "java"),
    ".rs": ("Rust", "rust"),
    ".ts": ("TypeScript", "typescript"),
}
"""What a source is written in, by suffix, and the word for it in `ladder new`."""
BUILDS = {
    "[Mm]akefile": ("make", '"./NAME"'),
    "CMakeLists.txt": ("cmake -B out && cmake --build out", '"out/NAME"'),
    "meson.build": ("meson setup out && meson compile -C out", '"out/NAME"'),
    "dune-project": ("dune build", '"_build/default/NAME.exe"'),
    "pom.xml": ("mvn -o -q package", '"java", "-jar", "target/NAME.jar"'),
    "build.gradle*": ("gradle --offline jar", '"java", "-jar", "build/libs/NAME.jar"'),
    "Package.swift": ("swift build -c release", '".build/release/NAME"'),
    "build.zig": ("zig build", '"zig-out/bin/NAME"'),
    "*.csproj": ("dotnet build -o out", '"dotnet", "out/NAME.dll"'),
    "*.cabal": ("cabal install --offline --installdir=.", '"./NAME"'),
    "pyproject.toml": (
        "{python} -m pip install --no-index --target site-packages .",
        '"{python}", "-m", "NAME"',
    ),
    "Cargo.toml": ("", '"target/release/NAME"'),
    "go.mod": ("", '"./NAME"'),
}
"""The `build` and the `run` of a bot.toml, by the file of a build system; an empty `build` is not needed."""
FOR_WINDOWS = (".bat", ".cmd", ".ps1", ".vbs", ".lnk")
UTF_8 = "save it as UTF-8 (editors have it below Save as, Encoding), and submit again"


class FileKind(NamedTuple):
    """What a file is that is no bot."""

    what: str
    """With its article."""
    advice: str
    may_be_a_script: bool = False
    """Whether an interpreter takes such a file if its suffix says so, as Python takes some zip archives."""


OFFICE = "a document of an office program"
PICTURE = FileKind("a picture", PROGRAM)
POINTER = FileKind("a pointer of git-lfs in place of a file", "type git lfs pull, and submit again")
POINTER_HEAD = b"version https://git-lfs."
BEGINNINGS: tuple[tuple[bytes, FileKind], ...] = (
    (POINTER_HEAD, POINTER),
    (b"%PDF-", FileKind("a PDF document", PROGRAM)),
    (b"{\\rtf", FileKind(OFFICE, PROGRAM)),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", FileKind(OFFICE, PROGRAM)),
    (b"\x89PNG\r\n", PICTURE),
    (b"\xff\xd8\xff", PICTURE),
    (b"GIF8", PICTURE),
    (b"MZ", FileKind("a program for Windows", HERE)),
    (b"\xcf\xfa\xed\xfe", FileKind("a program for macOS", HERE)),
    (b"\xca\xfe\xba\xbe\x00\x00\x00\x02", FileKind("a program for macOS", HERE)),
    (b"Rar!", FileKind("an archive of kind RAR", "pack the bot as .zip or .tar.gz")),
    (b"7z\xbc\xaf'\x1c", FileKind("an archive of kind 7z", "pack the bot as .zip or .tar.gz")),
    (b"\xca\xfe\xba\xbe", FileKind("a compiled Java class", JAVA)),
    (b"L\0\0\0\x01\x14\x02\0", FileKind("a shortcut of Windows", PROGRAM)),
    (b"\x1f\x8b", FileKind("a packed file", "if it is an archive, name it .tar.gz; else unpack it")),
)
OFFICE_PARTS = {"[Content_Types].xml", "mimetype"}
"""A file in each zip archive that is a document: of Office Open XML, and of OpenDocument."""
WEB_PAGE = re.compile(rb"\s*(?:<!doctype html|<html)", re.IGNORECASE)
NOTEBOOK = re.compile(rb'\s*\{.*"(?:cells|nbformat)"\s*:', re.DOTALL)


def kind_of(file: Path) -> FileKind | None:
    """Return what *file* is, if it is known to be no program for this system; else None."""
    try:
        with open_regular(file, follow=True) as opened:
            head = opened.read(HEAD)
    except OSError:
        return None
    suffix = file.suffix.lower()
    if head.startswith(EXECUTABLE):
        return None
    # content before suffix: browsers and mail rename what they save
    for beginning, kind in BEGINNINGS:
        if head.startswith(beginning):
            return kind
    if suffix in (".pyc", ".pyo"):
        return FileKind("a compiled Python file", "submit the source, which ends in .py")
    if _is_utf_16(head):
        return FileKind("a text in UTF-16", UTF_8)
    if head.startswith(b"PK\x03\x04"):
        return _kind_of_zip(file)
    if NOTEBOOK.match(head) and (file.suffix == ".ipynb" or b'"cell_type"' in head):
        return FileKind("a Jupyter notebook", EXPORT)
    if WEB_PAGE.match(head):
        return FileKind("a web page", PROGRAM)
    if suffix in (".txt", ".md", ".doc", ".docx", ".odt", ".csv"):
        return FileKind("a document", PROGRAM, may_be_a_script=True)
    if suffix in SOURCES:
        language, kit = SOURCES[suffix]
        build = f"submit a folder whose bot.toml says how to build it, as that of: ladder new {kit} NAME"
        return FileKind(f"source of {language}", build)
    return FileKind("a script for Windows", HERE) if suffix in FOR_WINDOWS else None


def build_advice(folder: Path) -> str:
    """Return the lines of a bot.toml that build the bot in *folder*; "" if nothing says how it is built."""
    for file, (build, run) in BUILDS.items():
        if found := next(folder.glob(file), None):
            lines = (f'build = "{build}" and ' if build else "") + f"run = [{run}]"
            return f"for {found.name}, write in bot.toml: {lines}, with the name of the program"
    return ""


def _is_utf_16(head: bytes) -> bool:
    """Return whether a text that begins with *head* is UTF-16, as some editors of Windows save it."""
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return True
    # a program has as many zeros in places, but other bytes that no text has
    halves = (head[1::2], head[::2])
    high, low = halves if halves[0].count(0) >= halves[1].count(0) else halves[::-1]
    return len(head) >= 4 and high.count(0) > 0.9 * len(high) and not any(byte in NOT_TEXT for byte in low)


def open_regular(file: Path, *, follow: bool = False) -> io.BufferedReader:
    """Open *file*, which its author may change at any moment: into a link, a FIFO that keeps us waiting.

    A link is refused unless to *follow*.  Raises UsageProblem for what is no regular file, and OSError.
    """
    handle = os.open(file, os.O_RDONLY | os.O_NONBLOCK | (0 if follow else os.O_NOFOLLOW))
    if stat.S_ISREG(os.fstat(handle).st_mode):
        return os.fdopen(handle, "rb")
    os.close(handle)
    raise UsageProblem(f"{file} is no regular file", "leave it out, and submit again")


class ShortReads(io.BufferedReader):
    """A file with short reads only, because the zip reader loads an archive's list of files at once."""

    def read(self, size: int | None = -1, /) -> bytes:
        if size is not None and size > AT_ONCE:
            raise zipfile.BadZipFile("its list of files is too long")
        return super().read(AT_ONCE if size is None or size < 0 else size)


def _kind_of_zip(file: Path) -> FileKind:
    try:
        with ShortReads(io.FileIO(file)) as opened, zipfile.ZipFile(opened) as archive:
            inside = archive.namelist()[:50]
    except (OSError, zipfile.BadZipFile, ValueError, NotImplementedError):
        inside = []
    if not OFFICE_PARTS.isdisjoint(inside):
        return FileKind(OFFICE, PROGRAM)
    if file.suffix.lower() == ".jar" or any(name.endswith(".class") for name in inside):
        return FileKind("an archive of compiled Java", JAVA)
    runs = "__main__.py" in inside
    return FileKind("a zip archive", f"name it {file.stem}.zip, and submit again", may_be_a_script=runs)
