"""The form of an archive of a home: one gzipped tar file, whose first member lists the others.

The list has the size and the SHA-256 of every file.  What is not in it is not taken out of the archive.
"""

import os
import re
import tomllib
from typing import Literal, TypeAlias
from urllib.parse import quote, unquote_to_bytes

import msgspec

from ladder.errors import LadderError

FORMAT = 1
LIST = "archive.json"
"""The name of the list."""
SETTINGS = "ladder.toml"
PEOPLE = "people.json"
"""The people who may upload, with the hashes of their tokens."""
MOST_LIST = 2**28
"""The most bytes of a list."""
MOST_FILES = 10**6
"""The most files in an archive: a thousand bots of a thousand files each."""


Kind: TypeAlias = Literal["file", "program", "link"]


class ArchivedFile(msgspec.Struct, frozen=True):
    """One file of an archive."""

    name: str
    """Its path in the home, percent-encoded, because names of bots' files may be any bytes."""
    kind: Kind
    size: int
    """In bytes; 0 for a link."""
    sha256: str
    """Of its content, or of the target of the link."""

    @classmethod
    def describe(cls, path: str, kind: Kind, size: int, sha256: str) -> "ArchivedFile":
        """Return the description of the file at *path*, relative to the home."""
        return cls(quote(os.fsencode(path)), kind, size, sha256)

    @property
    def path(self) -> str:
        """The path in the home."""
        return os.fsdecode(unquote_to_bytes(self.name))

    @property
    def is_safe(self) -> bool:
        """Whether the path stays in the home.  Links are for files of bots: the ladder reads all others."""
        path = self.path
        parts = path.split("/")
        if "\0" in path or {"", ".", ".."} & set(parts):
            return False
        in_bot = len(parts) > 4 and parts[0] == "bots" and parts[3] in ("files", "source")
        return in_bot or self.kind != "link"


class ArchiveList(msgspec.Struct, frozen=True):
    """The content of LIST."""

    format: int
    ladder: str
    """The version of the ladder that wrote it."""
    made: str
    """When, in UTC."""
    machine: str
    """The type of machine on which bots were built."""
    digest: str
    """What `ladder home digest` prints for it."""
    matches: int
    ended: tuple[str, ...]
    """The runs that were unfinished; they end in the archive as they are, without their secrets."""
    without_secrets: bool
    files: tuple[ArchivedFile, ...]
    digest_form: int = 3
    """The form of the digest; archives from before forms were named have form 3."""


_HEADER = re.compile(r"(?m)^[ \t]*\[")
_VALUE = r"""[ \t]*=[ \t]*\[(?:[^\]"'#]|"[^"\n]*"|'[^'\n]*'|#.*$)*\][ \t]*(?:#.*)?(?:\n|\Z)"""
OF_THIS_MACHINE = (("allow", "env"), ("notify", "command"))
"""What no archive has: variables that bots may get, and a program that runs unconfined."""


def without_env(settings: str) -> str:
    """Return the text of ladder.toml without OF_THIS_MACHINE; everything else stays as it is.

    Raises LadderError if the text says it in another way than ladder.toml shows.
    """
    for table, key in OF_THIS_MACHINE:
        if key in tomllib.loads(settings).get(table, {}):
            settings = _without_line(settings, table, key)
    return settings


def _without_line(settings: str, table: str, key: str) -> str:
    wanted = tomllib.loads(settings)
    del wanted[table][key]
    if heading := re.search(rf"(?m)^[ \t]*\[[ \t]*{table}[ \t]*\][ \t]*(?:#.*)?$", settings):
        following = _HEADER.search(settings, heading.end())
        end = following.start() if following else len(settings)
        line = re.compile(rf"(?m)^[ \t]*{key}{_VALUE}")
        changed = settings[: heading.end()] + line.sub("", settings[heading.end() : end]) + settings[end:]
        try:
            if tomllib.loads(changed) == wanted:
                return changed
        except tomllib.TOMLDecodeError:
            pass
    raise LadderError(
        f"the {key} of [{table}] cannot be taken out of {SETTINGS}",
        f"write it in {SETTINGS} as a line of its own below [{table}]: {key} = [...]",
    )
