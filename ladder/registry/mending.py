"""Mend what mail, class servers and Windows do to the files of a bot.

Only what would be refused is mended, so a bot that is fine as it is keeps its hash.  What is mended is the
copy that plays; the author's own files are not touched.
"""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from typing import NamedTuple

from ladder.registry.bot_manifest import BotManifest
from ladder.registry.file_kinds import EXECUTABLE
from ladder.registry.shebang import BYTE_ORDER_MARK, MARK


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
    program = PurePosixPath(manifest.run[0])
    return "" if "/" not in manifest.run[0] or program.is_absolute() else str(program)


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
