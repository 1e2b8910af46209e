"""What is submitted: a file, folder or archive, and how; it is opened once and handed on."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, TypeAlias

import msgspec

from engines import GAMES
from ladder.errors import RefusedBot, of_the_bot
from ladder.home.class_list import Entrant
from ladder.home.home import Home
from ladder.registry.bot_archive import Unpacked, open_submission
from ladder.registry.bot_manifest import BotManifest, read_manifest
from ladder.registry.place import BotPlace, place_of

Checks: TypeAlias = Literal["full", "quick", "none"]
"""The matches of a bot against itself: at every table size of each game; a single one; none."""
EMPTY = 4096
"""A file of more bytes is not looked through for whether it is empty."""


@dataclass(frozen=True)
class Submission:
    """A bot that somebody submits."""

    path: Path
    """Its file, folder or archive."""
    place: BotPlace = BotPlace("")  # noqa: RUF009 - it is immutable
    """Where it comes from: its path, if nothing else is said."""
    name: str = ""
    """The name that it is given; empty for its own."""
    author: str = ""
    """The author line that it is given; empty for its own."""
    note: str = ""
    """The submitter's remark on this version (check_note)."""
    house: bool = False
    """Whether it comes with the ladder."""
    checks: Checks = "full"
    games: tuple[str, ...] = ()
    """What it is tried at if its manifest names no games; empty for what is played here."""
    replace: bool = False
    """Whether it may have a name that belongs to another author or place."""
    aside: bool = False
    """Whether it becomes a version that plays only if it is named, and takes no name from another."""
    gated: bool = False
    """Whether it becomes such a version for now, of a bot to whose name it has a right."""
    bot: str = ""
    """The name that it asks for; empty if that was not read."""
    has_name_of_file: bool = False
    """Whether that is the name of the only file in its archive."""
    is_derived: bool = False
    """Whether that was made of a name that commands cannot take."""
    renamed: str = ""
    """Why it has another name than its own, in words; empty if it has its own."""

    unpacked: Unpacked | None = None
    """Its files while it is open."""

    def __post_init__(self) -> None:
        if not self.place.path:
            object.__setattr__(self, "place", place_of(self.path))

    def listed_as(self, entrant: Entrant | None) -> "Submission":
        """Return it with the name and the author that a class list gives it."""
        return replace(self, name=entrant.handle, author=entrant.author) if entrant else self

    @contextmanager
    def open(self, home: Home, *, refuses: bool = True) -> "Iterator[OpenSubmission]":
        """Yield it with its files and its manifest; an archive is unpacked until then, unless it is already.

        What is wrong with it is raised as RefusedBot if it *refuses*; else an empty file is none of our
        business, and errors stay what they are: UsageProblem, OSError.
        """
        with ExitStack() as stack:
            with of_the_bot(self.path) if refuses else nullcontext():
                if unpacked := self.unpacked:
                    stack.enter_context(unpacked.name_archive())
                else:
                    unpacked = stack.enter_context(open_submission(self.path, home.bot_mb))
                file, changes = unpacked.folder, [*unpacked.told]
                is_small = refuses and file.is_file() and file.stat().st_size <= EMPTY
                if is_small and not file.read_bytes().strip():
                    raise RefusedBot(
                        f"{self.path} is an empty file", "save the program in it, and submit again"
                    )
                manifest = read_manifest(file, GAMES, self.name or None, changes)
            if self.author:
                manifest = msgspec.structs.replace(manifest, author=self.author)
            found = {"unpacked": unpacked, "manifest": manifest, "changes": changes}
            yield OpenSubmission(**(vars(self) | found))


@dataclass(frozen=True, kw_only=True)
class OpenSubmission(Submission):
    """A submission whose files can be read."""

    unpacked: Unpacked
    manifest: BotManifest
    changes: list[str]
    """What was changed to read it, in words."""
