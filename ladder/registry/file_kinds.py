"""Name what was handed in in place of a bot: a document, a notebook, a program for another system."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path
from typing import NamedTuple

__all__ = ["EXECUTABLE", "kind_of"]

EXECUTABLE = b"\x7fELF"
"""The first bytes of a program for Linux."""
HEAD = 4096
"""The most bytes that are looked at."""
PROGRAM = "submit the program: a script such as bot.py, or a folder with a bot.toml"
EXPORT = "export the code as a script (in Jupyter: File, Save and Export as, Executable Script), submit that"
HERE = "bots run on Linux here: submit the source, or a program that was built for Linux"
JAVA = "submit the source, in a folder with a bot.toml whose `build` compiles it: ladder new java"
UTF_8 = "save it as UTF-8 (editors have it below Save as, Encoding), and submit again"


class FileKind(NamedTuple):
    """What a file is that is no bot."""

    what: str
    """With its article."""
    advice: str
    may_be_a_script: bool = False
    """Whether an interpreter takes such a file if its suffix says so: Python does a zip archive."""


OFFICE = "a document of an office program"
PICTURE = FileKind("a picture", PROGRAM)
BEGINNINGS: tuple[tuple[bytes, FileKind], ...] = (
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
    (b"\x1f\x8b", FileKind("a packed file", "if it is an archive, name it .tar.gz; else unpack it")),
)
OFFICE_PARTS = {"[Content_Types].xml", "mimetype"}
"""A file in each zip archive that is a document: of Office Open XML, and of OpenDocument."""
WEB_PAGE = re.compile(rb"\s*(?:<!doctype html|<html)", re.IGNORECASE)
NOTEBOOK = re.compile(rb'\s*\{.*"(?:cells|nbformat)"\s*:', re.DOTALL)


def kind_of(file: Path) -> FileKind | None:
    """Return what *file* is, if it is known to be no program for this system; else None."""
    try:
        with file.open("rb") as opened:
            head = opened.read(HEAD)
    except OSError:
        return None
    for beginning, kind in BEGINNINGS:
        if head.startswith(beginning):
            return kind
    if _is_utf_16(head):  # a program for Windows has as many zeros
        return FileKind("a text in UTF-16", UTF_8)
    if head.startswith(b"PK\x03\x04"):
        return _kind_of_zip(file)
    if NOTEBOOK.match(head) and (file.suffix == ".ipynb" or b'"cell_type"' in head):
        return FileKind("a Jupyter notebook", EXPORT)
    if WEB_PAGE.match(head):
        return FileKind("a web page", PROGRAM)
    if file.suffix.lower() in (".txt", ".md", ".doc", ".docx", ".odt", ".csv"):
        return FileKind("a document", PROGRAM)
    return None


def _is_utf_16(head: bytes) -> bool:
    """Return whether a text that begins with *head* is UTF-16, as some editors of Windows save it."""
    return head.startswith((b"\xff\xfe", b"\xfe\xff")) or (
        len(head) >= 4 and head[1::2].count(0) > 0.9 * len(head[1::2]) and 0 not in head[:2:2]
    )


def _kind_of_zip(file: Path) -> FileKind:
    try:
        with zipfile.ZipFile(file) as archive:
            inside = archive.namelist()[:50]
    except (OSError, zipfile.BadZipFile, ValueError, NotImplementedError):
        inside = []
    if not OFFICE_PARTS.isdisjoint(inside):
        return FileKind(OFFICE, PROGRAM)
    if file.suffix.lower() == ".jar" or any(name.endswith(".class") for name in inside):
        return FileKind("an archive of compiled Java", JAVA)
    return FileKind("a zip archive", f"name it {file.stem}.zip, and submit again", may_be_a_script=True)
