"""The house bots of a home: which ones will still be added, and adding and removing them."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import msgspec

from ladder.errors import NotFound, suggest
from ladder.home.home import Home, first_house_bots, house_bots, reference_bots
from ladder.home.settings import Settings
from ladder.machine.installation import ROOT
from ladder.registry.bot_archive import is_same_place
from ladder.registry.bot_manifest import read_manifest, source_of
from ladder.registry.version import Version, now_in_utc

Say = Callable[[str], object]
TRIED = "tried.json"
"""The file, beside the house bots, with their versions that were tried; see tests/README.md."""


def bundled_bots() -> dict[str, Path]:
    """Return the house bots and those of the reference set, whose names no other bot takes, in any home."""
    return {**reference_bots(), **house_bots()}


def check_names(names: Iterable[str]) -> None:
    """Raise NotFound for a name of no house bot, and of none of the reference set."""
    known = house_bots()
    reference = reference_bots()
    for name in names:
        if name not in known and name not in reference:
            there = f"there are: {', '.join(known)}; and of the reference set: {', '.join(reference)}"
            raise NotFound(f"there is no house bot {name!r}{suggest(name, [*known, *reference])}", there)


def pending(home: Home) -> list[str]:
    """Return the names of the house bots that a run of all bots will add.

    A home without bots and without a list of pending house bots, from an older ladder, gets
    those of a new one.
    """
    if (names := home.roster.expected_house_bots()) is None:
        names = [] if home.roster.versions() else first_house_bots()
    return [name for name in names if name in house_bots()]


def check_here(home: Home, wanted: Sequence[str]) -> None:
    """Raise NotFound if one of the *wanted* bots is neither in the home nor a pending house bot."""
    here = {version.bot for version in home.roster.versions()} | set(pending(home))
    for name in (wanted_name.partition("@")[0] for wanted_name in wanted):
        if name not in here:
            home.roster.check_name(name)
            hint = f"ladder bots house add {name}" if name in bundled_bots() else "ladder bots"
            raise NotFound(f"there is no bot {name!r}{suggest(name, here)}", hint)


def tried_versions() -> dict[str, str]:
    """Return the versions of house bots that the tests of this release have let play, by name.

    Each has played at each table of its games against itself, in a home with the default settings.
    """
    return msgspec.json.decode(Path(ROOT, "bots", TRIED).read_bytes(), type=dict[str, str])


def was_tried(home: Home, version: Version) -> bool:
    """Return whether the bot *version* needs no try in *home*: it is as tested, and so is what it may use."""
    is_as_tested = version.of_house and tried_versions().get(version.bot) == version.version
    return is_as_tested and home.settings.limits.of(version.bot) == Settings().limits


def expecting(home: Home, names: Sequence[str] = ()) -> Home:
    """Return *home* as if it had the house bots with these *names*, to check by reading what it can play."""
    from engines import GAMES

    here = {version.bot for version in home.roster.versions()}
    manifests = {name: house_bots()[name] for name in names if name not in here}
    tried, now = tried_versions(), now_in_utc()
    coming = [
        Version(name, tried.get(name, "new"), str(file.parent), read_manifest(file, GAMES), 0, now, number=1)
        for name, file in manifests.items()
    ]
    return replace(home, coming=tuple(coming))


def belongs_to_another(home: Home, name: str) -> bool:
    mine = [version for version in home.roster.versions_of(name) if not version.aside]
    return bool(mine) and not mine[-1].of_house


def is_kept_name(name: str, origin: str) -> bool:
    """Return whether *name* is kept for a house bot, and *origin* is not the path of that bot itself."""
    file = bundled_bots().get(name)
    return file is not None and not is_same_place(origin, str(source_of(file).resolve()))


def came_with_ladder(origin: str) -> bool:
    """Return whether the path *origin* is that of a house bot, whatever name the bot is given."""
    return is_same_place(origin, *(str(source_of(file).resolve()) for file in bundled_bots().values()))


def remove(home: Home, names: Sequence[str]) -> list[str]:
    """Retire the house bots *names*; return those that played or were pending.  Files and matches stay."""
    coming = pending(home)
    home.roster.expect(name for name in coming if name not in names)
    mine = [version for version in home.roster.versions() if version.bot in names and version.of_house]
    gone = {version.bot for version in home.roster.retire(mine)}
    gone.update(name for name in coming if not belongs_to_another(home, name))
    return [name for name in names if name in gone]
