"""Use the bot at a path once, without submitting it."""

import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import msgspec

from ladder.admission.submission import OpenSubmission, Submission
from ladder.errors import UsageProblem
from ladder.home.home import Home, confinement_of
from ladder.machine.removal import remove_folder
from ladder.registry.bot_build import build_command, check_program, command_of
from ladder.registry.bot_manifest import source_of
from ladder.registry.roster import Roster, StagedVersion, scratch_folder
from ladder.registry.version import Version

_borrowed = count(1)
"""Numbers for the folders of this process."""


@contextmanager
def borrow_bot(home: Home, path: Path, *, in_place: bool = False) -> Iterator[Version]:
    """Yield a version of the bot at *path*, a file, folder or archive; afterwards nothing of it is left.

    It is copied and built as a submission is.  With *in_place* a script or folder is neither: it runs where
    its author has it, as a debugger needs it.  Raises UsageProblem, LadderError as a submission does.
    """
    with Submission(path).open(home, refuses=False) as opened:
        manifest = opened.manifest
        home.check_allowed(manifest)
        if in_place and opened.unpacked.folder == path:
            folder = source_of(path)
            folder = folder if folder.is_dir() else folder.parent
            version = Version(manifest.name, "in-place", str(folder.resolve()), manifest)
            _check_built(version, folder)
            check_program(version, path)
            yield version
            return
        folder = scratch_folder(home.path, f"borrowed-{next(_borrowed)}")
        try:
            staged = stage_alone(home, Roster(folder, most_mb=home.bot_mb), opened)
            yield msgspec.structs.replace(staged.version, number=0)  # it is not kept, so it has no number
        finally:
            remove_folder(folder)


def stage_alone(home: Home, roster: Roster, opened: OpenSubmission) -> StagedVersion:
    """Copy and build what is *opened* in *roster*, which has no versions.  Raises as a submission does."""
    passed = home.variables_for(opened.manifest.env)
    staged = roster.stage(opened.unpacked.folder, opened.manifest, passed, lambda: confinement_of(home))
    assert isinstance(staged, StagedVersion), "no version is there"
    return staged


def _check_built(version: Version, folder: Path) -> None:
    """Raise UsageProblem if the author must build *version* in *folder* before it can run there."""
    if version.manifest.remote:
        return
    program = command_of(version)[0]
    command = build_command(version, network=True)
    if not command or "/" not in program or (folder / program).exists():
        return
    if not isinstance(command, str):
        command = " ".join(word if word == "{python}" else shlex.quote(word) for word in command)
    there = "" if folder == Path() else f"cd {shlex.quote(str(folder))} && "
    raise UsageProblem(
        f"{version.bot} is not built: {folder / program} is missing (with --attach a path runs where it is)",
        f"build it first: {there}{command.replace('{python}', shlex.quote(sys.executable))}",
    )
