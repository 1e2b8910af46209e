"""Check the name and the author of a bot that is new to a home."""

import msgspec
from msgspec import UnsetType

from ladder.errors import RefusedBot
from ladder.home.home import Home
from ladder.home.house_bots import bundled_bots, came_with_ladder
from ladder.registry.bot_manifest import HOUSE, BotManifest
from ladder.registry.bot_names import is_house_author, is_reserved, look_of, spare_name
from ladder.registry.place import BotPlace


def free_word(home: Home, manifest: BotManifest, changes: list[str]) -> BotManifest:
    """Return *manifest* under a name that no program misreads; *changes* gets why.  Old bots keep theirs."""
    name, spare = manifest.name, spare_name(manifest.name)
    if name == spare or name in _names(home):
        return manifest
    changes.append(spare_words(name, spare))
    return msgspec.structs.replace(manifest, name=spare)


def spare_words(name: str, spare: str) -> str:
    """Return why a bot that calls itself *name* is called *spare*."""
    return f"programs read {name!r} as something else, so it is called {spare}"


def _names(home: Home) -> set[str]:
    return {version.bot for version in home.roster.versions()} | home.roster.names.keys()


def check_new_name(
    home: Home, name: str, hint: str = "use another name: --name NAME", but: str | None = None
) -> None:
    """Raise RefusedBot for a *name* that no new bot of *home* can have; it may look like *but*, its own."""
    names = _names(home)
    if name in names:
        return
    if is_reserved(name):
        message = f"{name!r} cannot be a new bot's name: programs read this word as something else"
        raise RefusedBot(message, hint, why=message, advice="use another name")
    for other in sorted(names | bundled_bots().keys()):
        if other not in (name, but) and look_of(other) == look_of(name):
            raise look_alike(name, other, hint)


def look_alike(name: str, other: str, hint: str) -> RefusedBot:
    """Return the refusal of a *name* that people cannot tell from that of *other*."""
    what = f"{name!r} differs from {other!r} in upper and lower case or final dots only"
    return RefusedBot(
        f"{what}, and that is another bot",
        hint,
        why=f"the name {name!r} is too much like that of another bot",
        advice="use another name",
    )


def check_author(home: Home, manifest: BotManifest, place: BotPlace) -> None:
    """Raise RefusedBot for the author of the house bots, unless it is one or had this author before."""
    if not is_house_author(manifest.author):
        return
    owned = [version for version in home.roster.versions_of(manifest.name) if not version.aside]
    if came_with_ladder(place.path) or (owned and owned[-1].manifest.author == manifest.author):
        return
    message = f"{HOUSE!r} is the author of the house bots, and {manifest.name} did not come with the ladder"
    hint = 'write your own name in bot.toml: author = "you"'
    raise RefusedBot(message, hint, why=message, advice=hint)


def check_display(home: Home, manifest: BotManifest) -> None:
    """Raise RefusedBot for a bot that reads as another of *home*; one that is shown so already stays so."""
    display, versions = manifest.display, home.roster.versions()
    same = {each.bot for each in versions if each.manifest.display == display and not each.aside}
    if isinstance(display, UnsetType) or manifest.name in same:
        return
    others = (_names(home) | bundled_bots().keys()) - {manifest.name} - same
    if look_of(display) in map(look_of, others):
        message = f"{manifest.name} cannot be shown as {display!r}: that is the name of another bot"
        raise RefusedBot(
            message,
            'write another one in its bot.toml: display = "..."',
            why=f"the name {display!r} is taken",
            advice="use another name",
        )
