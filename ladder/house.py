"""The house bots of a home: those that are still to come in, and how they come and go."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec.structs import replace

from engines import GAMES
from ladder.errors import NotFound, suggest
from ladder.home import Home, house_bots
from ladder.registry.manifest import read_manifest
from ladder.registry.version import Version

__all__ = [
    "Say",
    "belongs_to_another",
    "candidates",
    "check_here",
    "check_names",
    "pending",
    "remove",
]

Say = Callable[[str], object]


def check_names(names: Iterable[str]) -> None:
    """Raise NotFound for a name that no house bot has."""
    known = house_bots()
    for name in names:
        if name not in known:
            raise NotFound(
                f"there is no house bot {name!r}{suggest(name, known)}", f"there are: {', '.join(known)}"
            )


def pending(home: Home, wanted: Sequence[str] = ()) -> list[str]:
    """Return the names of the house bots that are to come in with a run of the *wanted* bots (empty: all).

    An empty home from before that was written down gets all of them.
    """
    names = home.roster.coming()
    if names is None:
        names = [] if home.roster.versions() else list(house_bots())
    named = {name.partition("@")[0] for name in wanted}
    return [name for name in names if name in house_bots() and (not named or name in named)]


def check_here(home: Home, wanted: Sequence[str]) -> None:
    """Raise NotFound if one of the *wanted* bots is neither here nor a house bot that is to come in."""
    here = {version.bot for version in home.roster.versions()} | set(pending(home))
    for name in (wanted_name.partition("@")[0] for wanted_name in wanted):
        if name not in here:
            hint = f"ladder house add {name}" if name in house_bots() else "ladder bots"
            raise NotFound(f"there is no bot {name!r}{suggest(name, here)}", hint)


def candidates(home: Home, names: Sequence[str]) -> list[Version]:
    """Return the house bots of these *names* that are not here: to be looked at, not to be started."""
    here = {version.bot for version in home.roster.versions()}
    manifests = {name: house_bots()[name] for name in names if name not in here}
    return [
        Version(name, "house", str(file.parent), read_manifest(file, GAMES))
        for name, file in manifests.items()
    ]


def belongs_to_another(home: Home, name: str) -> bool:
    mine = [version for version in home.roster.versions() if version.bot == name]
    return bool(mine) and not mine[-1].of_house


def remove(home: Home, names: Sequence[str]) -> list[str]:
    """Let the house bots of these *names* play no more; return the names of those that did, or would have.

    Their files and all that they played stay.
    """
    coming = pending(home)
    home.roster.expect(name for name in coming if name not in names)
    playing = [
        version
        for version in home.roster.versions()
        if version.bot in names and version.of_house and not version.retired
    ]
    for version in playing:
        home.roster.rewrite(replace(version, retired=True))
    gone = {version.bot for version in playing}
    gone.update(name for name in coming if not belongs_to_another(home, name))
    return [name for name in names if name in gone]
