"""The anchors of `ladder.toml`: what is wrong with one, and from when on it counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ladder.errors import LadderError
from ladder.home.settings import RatingSettings
from results.rating.parameters import NEW
from results.reports.labels import HASH_SHOWN, Key

if TYPE_CHECKING:
    from ladder.home.home import Home
    from results.rating.rated import Rated


class AnchorFault(NamedTuple):
    """What is wrong with an anchor, and what to type next."""

    what: str
    next: str
    is_void: bool = True
    """Whether it shifts no rating."""


def find_anchor_key(home: Home, wanted: str) -> Key:
    """Return the name and version of the bot that an anchor in `ladder.toml` means, also of one not here."""
    try:
        version = home.roster.find(wanted)
    except LadderError:
        name, _, number = wanted.partition("@")
        return name, number
    return version.bot, version.version


def say_anchor(home: Home, rated: Rated) -> tuple[str, str] | None:
    """Return what there is to say of the anchor of a game in `ladder.toml`, and what to type next.

    That is what is wrong with it; else that the ratings of all matches, *rated*, do not rest on it yet: they
    rest on what the game's last run began with.  None: neither is so, or there is no anchor.
    """
    game, wanted = rated.game, home.settings.ratings.get(rated.game, RatingSettings())
    had, had_at = rated.parameters.anchor, rated.parameters.anchor_rating
    at = NEW.mu if wanted.anchor_rating is None else wanted.anchor_rating
    rest = f"{_label(home, had)} at {had_at:g}" if had and had in rated.fit.bots else ""
    if wanted.anchor is None:
        told = f"the ratings of {game} rest on the anchor {rest} until the next run: ladder.toml has none now"
        return (told, _play(game)) if rest else None
    if fault := _fault_of(home, rated, wanted.anchor):
        told = f"the anchor of {game} in ladder.toml, {wanted.anchor or repr(wanted.anchor)}, {fault.what}"
        old = f"; until the next run the ratings rest on {rest}" if rest and fault.is_void else ""
        return f"{told}{old}", fault.next
    if rest and (had, had_at) == (find_anchor_key(home, wanted.anchor), at):
        return None
    told = f"{wanted.anchor} at {at:g}, the anchor of {game} in ladder.toml, counts from the next run on"
    return f"{told}; until then the ratings rest on {rest or 'no anchor'}", _play(game)


def _fault_of(home: Home, rated: Rated, wanted: str) -> AnchorFault | None:
    """Return what is wrong with the anchor *wanted*, if anything is: first what no match can mend."""
    game, key = rated.game, find_anchor_key(home, wanted)
    has_met = key in rated.fit.bots
    try:
        version = home.roster.find(wanted)
    except LadderError as error:
        if has_met:  # it has left the home, and its matches have not
            return None
        today = home.roster.names.get(key[0])
        return AnchorFault(
            f"shifts no rating: {error}",
            f"write {today}@{key[1] or 1} there" if today else _another(home, rated),
        )
    if not has_met and not version.plays(game):
        return AnchorFault(f"shifts no rating: it does not play {game}", _another(home, rated))
    if "@" not in wanted:
        what = "names no version: with a new one of it all ratings move"
        return AnchorFault(what, f"write {_label(home, key)} there", is_void=not has_met)
    if version.ban and not has_met:
        return AnchorFault(f"shifts no rating: it is banned and has not played {game}", _another(home, rated))
    if not has_met:
        resting = "is retired and " if version.retired else ""
        what = f"shifts no rating: it {resting}has met no bot in {game}"
        other = next(iter(_playing(home, rated, key[0])), "")
        return AnchorFault(what, f"ladder run {wanted} {other} --game {game}" if other else _play(game))
    if version.rests:
        what = f"is {'banned' if version.ban else 'retired'}: it meets no bot that comes from now on"
        hint = _another(home, rated) if version.ban else f"ladder bots activate {wanted}"
        return AnchorFault(what, hint, is_void=False)
    return None


def _playing(home: Home, rated: Rated, name: str = "") -> list[str]:
    """Return the rated bots that still play but the one called *name*, those with most matches first."""
    active = {(each.bot, each.version) for each in home.roster.active()}
    order = sorted(range(len(rated.fit.bots)), key=lambda i: -rated.fit.matches[i])
    bots = [rated.fit.bots[i] for i in order]
    return [_label(home, bot) for bot in bots if bot in active and bot[0] != name]


def _another(home: Home, rated: Rated) -> str:
    """Return what to write in place of an anchor that shifts nothing."""
    found = _playing(home, rated)
    return f"write {found[0]} there, or another bot that plays {rated.game}" if found else "ladder bots"


def _label(home: Home, bot: Key) -> str:
    """Return NAME@NUMBER, or NAME@HASH for a bot that is not here."""
    name, version = bot
    return f"{name}@{home.roster.numbers().get(bot) or version[:HASH_SHOWN]}"


def _play(game: str) -> str:
    return f"ladder run --game {game}"
