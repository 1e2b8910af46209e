"""Run a confined build command to its end."""

import os
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from ladder.errors import RefusedBot, TooBusy
from ladder.machine.removal import open_up, remove_folder
from ladder.process.bot import READ_BYTES
from ladder.process.patience import Patience
from ladder.process.spawn import CannotStart
from ladder.process.tree import Tree
from ladder.process.unmeasured import is_readable
from ladder.sandbox import BUILD, Confined

OUTPUT_KEPT = 2**20
"""The last this many bytes of a build's output are kept."""
BUILT_BYTES = 2**30
"""The most bytes that a build may have in its folder, at any time."""
BUILT_FILES = 100_000
BUILT_PATH = 1_000
"""The most bytes of a path in it: longer ones can be neither measured nor removed as others are."""
LOOK_SECONDS = 0.5
"""The time between two checks of the size of a build, if a check is quick."""


def build(confined: Confined, timeout_s: float) -> tuple[int | None, str]:
    """Run a build command to its end; return its exit status (None if out of time) and its output.

    It may write to its folder and has higher limits than a bot.  Raises CannotConfine, TooBusy if the machine
    took its time, and RefusedBot if it writes too much.
    """
    folder = confined.folder
    confined = replace(confined, building=True, bounds=BUILD)
    with tempfile.TemporaryDirectory(prefix="ladder-build-") as scratch:
        try:
            tree = Tree(confined, Path(scratch), together=True)
        except CannotStart as error:
            return 127, str(error)
        try:
            tree.spawned.close(tree.spawned.stdin_fd)
            output = _read_output(tree, Patience(timeout_s, tree.pids), [folder, Path(scratch)])
            status = tree.status()
        finally:
            tree.kill()
            tree.close()
            remove_folder(Path(scratch))
    open_up(folder)  # what was closed was not measured
    _check_sizes([folder])
    return status, output.decode("utf-8", "backslashreplace")


def _read_output(tree: Tree, patience: Patience, folders: Sequence[Path]) -> bytes:
    """Return what *tree* writes until its end or time.  Raises RefusedBot for a full folder, or TooBusy."""
    output, said = b"", b"-"
    look_at = time.monotonic() + LOOK_SECONDS
    while True:
        fds = (tree.spawned.stdout_fd, tree.spawned.exit_fd) if said else (tree.spawned.exit_fd,)
        state = patience.wait(*fds, most_s=max(0.0, look_at - time.monotonic()))
        if (now := time.monotonic()) >= look_at:
            _check_sizes(folders)
            look_at = time.monotonic() + max(LOOK_SECONDS, 10 * (time.monotonic() - now))
        if state == "too late":
            raise TooBusy(f"the build had not ended after {patience.elapsed_s:.0f} s")
        if state == "over":
            break
        if state == "came" and said and is_readable(tree.spawned.stdout_fd, 0):
            said = os.read(tree.spawned.stdout_fd, READ_BYTES)
            output = (output + said)[-OUTPUT_KEPT:]
        elif state == "came":
            break
    return output


def _check_sizes(folders: Iterable[Path]) -> None:
    """Raise RefusedBot if one of *folders* holds more than a build may write."""
    for folder in folders:
        files = size = 0
        for each in _entries(str(folder)):
            with suppress(OSError):  # it was removed meanwhile
                files, size = files + 1, size + each.stat(follow_symlinks=False).st_size
            length = len(os.fsencode(each.path)) - len(os.fsencode(folder))
            if files > BUILT_FILES or size > BUILT_BYTES or length > BUILT_PATH:
                most = f"{BUILT_BYTES >> 20:,} MB or {BUILT_FILES:,} files, or {BUILT_PATH:,} bytes of a path"
                raise RefusedBot(
                    f"the build was ended: it wrote more than {most}",
                    "write less, or remove files that the bot does not need during the build; submit again",
                    exit_code=1,
                )


def _entries(folder: str) -> Iterator[os.DirEntry[str]]:
    """Yield all files and folders below *folder*, at any depth."""
    waiting = [folder]
    while waiting:
        with suppress(OSError), os.scandir(waiting.pop()) as found:
            for each in found:
                yield each
                if each.is_dir(follow_symlinks=False):
                    waiting.append(each.path)
