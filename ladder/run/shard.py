"""Shards: parts of one run that separate machines play without a connection."""

import re
import shlex
from pathlib import Path
from typing import NamedTuple

from ladder.errors import UsageProblem

MAKE_SECRET = "(umask 077; python3 -c 'import secrets; print(secrets.token_hex(16))' > {file})"  # noqa: S105
"""The command that makes a file for --seed @FILE."""


class Shard(NamedTuple):
    """A part of a run: 3/64 is the third of 64."""

    number: int
    of: int

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"

    @classmethod
    def read(cls, text: str) -> "Shard":
        """Parse I/N.  Raises ValueError."""
        match = re.fullmatch(r"([0-9]{1,6})/([0-9]{1,6})", text)
        shard = cls(*map(int, match.groups())) if match else cls(0, 0)
        if not 1 <= shard.number <= shard.of:
            raise ValueError(f"expected I/N, such as 3/64 for the third of 64 shards, got: {text!r}")
        return shard

    def blocks(self, total: int) -> range:
        """Return the block numbers of this shard, of a run of *total* blocks; shards are consecutive."""
        return range(total * (self.number - 1) // self.of, total * self.number // self.of)


def read_secret(file: Path) -> bytes:
    """Return the 128 bits that *file* holds as 32 hex digits.  Raises UsageProblem."""
    hint = f"make one: {MAKE_SECRET.format(file=shlex.quote(str(file)))}"
    try:
        with file.open("rb") as opened:  # it may be a pipe without end
            text = opened.read(4_096).decode("ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageProblem(f"the secret in {file} cannot be read: {error}", hint) from None
    if not re.fullmatch(r"[0-9a-fA-F]{32}", text):
        raise UsageProblem(f"expected 32 hex digits in {file}, got {len(text)} characters that are not", hint)
    return bytes.fromhex(text)
