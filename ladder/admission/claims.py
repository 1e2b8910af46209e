"""Decide which of many submissions gets which name, before any is tried."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from msgspec import UnsetType

from engines import GAMES
from ladder.admission.submit import Checks, name_taken
from ladder.errors import RefusedBot
from ladder.home.home import Home
from ladder.home.house_bots import bundled_bots
from ladder.home.new_names import look_alike, spare_words
from ladder.registry.bot_archive import open_submission, without_suffix
from ladder.registry.bot_manifest import read_manifest
from ladder.registry.bot_names import is_reserved, look_of, spare_name
from ladder.registry.handles import LONGEST_HANDLE, NAME, derive_handle
from ladder.registry.place import BotPlace, has_right

MOST_ALIKE = 100
"""The most bots whose names become the same handle."""


class Task(NamedTuple):
    """A submission for a process of the pool."""

    home: Home
    path: Path
    bot: str
    """The name of the bot; empty if it was not read."""
    place: BotPlace
    note: str
    replace: bool
    checks: Checks
    games: tuple[str, ...]
    name: str = ""
    """The name that the roster gives the bot; empty for its own."""
    author: str = ""
    """The author line that the roster gives it; empty for its own."""
    has_name_of_file: bool = False
    """Whether its name is that of the only file in its archive."""
    is_derived: bool = False
    """Whether its name was made of one that commands cannot take."""
    renamed: str = ""
    """Why it has another name than its own, in words; empty if it has its own."""

    def with_name(self, wanted: WantedName) -> Task:
        """Return it with the name that its bot asks for."""
        return self._replace(
            bot=wanted.name, has_name_of_file=wanted.is_of_file_inside, is_derived=wanted.is_derived
        )


class WantedName(NamedTuple):
    """The name that a submission asks for."""

    name: str
    is_of_file_inside: bool = False
    """Whether it is that of the only file in its archive."""
    is_derived: bool = False
    """Whether it was made of one that commands cannot take."""

    @property
    def spares(self) -> tuple[str, ...]:
        """The names that the bot has where this one is not to be had, the best first."""
        name = spare_name(self.name)
        ends = [f"-{number}" for number in range(2, MOST_ALIKE)] if self.is_derived else []
        numbered = [name[: LONGEST_HANDLE - len(end)] + end for end in ends]
        return tuple(numbered) if name == self.name else (name, *numbered)


def wanted_name(path: Path, most_mb: int, given: str = "") -> WantedName:
    """Return the name that the submission at *path* asks for; it is *given* by the roster, if not empty.

    It may hold *most_mb* MB.  Raises UsageProblem or OSError if it cannot be read.
    """
    with open_submission(path, most_mb=most_mb) as place:
        manifest = read_manifest(place, GAMES, given or None)
        if given:
            return WantedName(manifest.name)
        is_script = place.is_file() and place.suffix != ".toml"
        display = manifest.display
        is_handle = not isinstance(display, UnsetType) and manifest.name == derive_handle(display)
        is_derived = is_handle or (is_script and manifest.name != place.stem)
        return WantedName(manifest.name, is_script and place != path, is_derived)


def in_turn(
    home: Home, tasks: Sequence[Task], replace_bots: Collection[str]
) -> tuple[list[Task], list[tuple[Task, RefusedBot]]]:
    """Return *tasks*, those with a right to their name first, and refusals of names that come again.

    A name comes again if another is too much like it as well.  Names that nobody has chosen give way: that of
    the file in an archive, and handles that were derived.  So do words that programs read as something else.
    This depends on the order of *tasks* only.
    """
    places = home.roster.places()
    known = {version.bot for version in home.roster.versions()}
    looks = {*map(look_of, known | bundled_bots().keys())}
    # Resubmissions keep their names, whatever a newcomer in the same folder calls itself.
    owners = [task for task in tasks if has_right(task.place, places.get(task.bot, ()))]
    strangers = sorted((task for task in tasks if task not in owners), key=lambda task: task.is_derived)
    wanted = Counter(task.bot for task in strangers)
    first: dict[str, Task] = {}
    by_look: dict[str, Task] = {}
    waiting: list[Task] = []
    refused: list[tuple[Task, RefusedBot]] = []

    def clashes(task: Task) -> bool:
        """Return whether *task* cannot have its name: another bot has it, or one like it, or a command."""
        name, look = task.bot, look_of(task.bot)
        if task.replace or name in replace_bots:
            return False
        today = home.roster.names.get(name)  # another name, if it was renamed
        is_old = today is not None and not has_right(task.place, places.get(today, ()))
        return look in looks or look in by_look or is_old or is_reserved(name)

    def settle(task: Task) -> Task:
        """Return *task* with the name that it had before, or a free one, if its own may give way."""
        spare = list(_spares(task))
        own = [other for other in spare if has_right(task.place, places.get(other.bot, ()))]
        # an entry of a class is one bot, and goes on as that; a person's inbox may hold several
        goes_on = own and task.is_derived and not task.place.entry.endswith("/")
        if not (clashes(task) or goes_on):
            return task
        return next(iter([*own, *(other for other in spare if not clashes(other))]), task)

    for task in [*owners, *strangers]:
        if task not in owners:
            task = settle(task)
        name, other = task.bot, by_look.get(look_of(task.bot))
        hint = "use another name in bot.toml"
        if name in first and not task.replace:
            why = f"{name!r} is the name of another submission, {first[name].path.name}"
            refused.append((task, name_taken(name, why, hint)))
        elif name in replace_bots and name in known and task in strangers and wanted[name] > 1:
            why = f"{wanted[name]} submissions want to be the next version of {name!r}"
            refused.append((task, name_taken(name, why, "leave one of them in the folder")))
        elif other and other.bot != name and name not in known:
            refused.append((task, look_alike(name, other.bot, hint)))
        else:
            waiting.append(task._replace(replace=task.replace or name in replace_bots))
            first[name] = by_look[look_of(name)] = task
    return waiting, refused


def _name_of_place(place: BotPlace, path: Path) -> str:
    """Return the name of a bot that is called after its *place*: its entry, its person or its *path*."""
    entry = place.entry.rstrip("/").rpartition("/")[2] or without_suffix(path.name)
    return entry if NAME.fullmatch(entry) else derive_handle(entry)


def _spares(task: Task) -> Iterator[Task]:
    """Yield *task* under other names, the best first; nothing if its author has chosen its name."""
    name = task.bot
    if task.has_name_of_file:
        # Everybody in a class may hand in a bot.py, so the name of the archive tells them apart.
        why = "named after its archive, because another bot already uses the file's name"
        other = _name_of_place(task.place, task.path)
        yield task._replace(bot=other, name=other, renamed=why)
    for other in WantedName(name, is_derived=task.is_derived and bool(task.place.entry)).spares:
        why = f"commands call it {other}: {name} is another bot's name"
        if is_reserved(name):
            why = spare_words(name, other)
        yield task._replace(bot=other, name=other, renamed=why)
