"""All games by name: those of this package, and those of installed packages.

A package offers a game as an entry point of the group `ladder.games`.  A game is imported on first use,
because bots import `engines` and must start fast.
"""

from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from importlib import import_module
from typing import Any, Final, NamedTuple

from engines.game import Game

GROUP: Final = "ladder.games"
"""The group of entry points that offer games."""
REQUIRED: Final = (
    *("name", "version", "replays", "seats", "options", "custom", "summary", "beta", "draw_probability"),
    *("deal", "start", "choices", "play", "outcome", "view", "imagine", "text", "draw", "part_of"),
    *("points", "tell"),
)
"""The attributes that a game must have.  Subclasses of Game inherit those with a default."""
TYPES: Final = (
    *(("version", int), ("seats", Sequence), ("options", Mapping), ("custom", Mapping), ("summary", str)),
    *(("beta", int | float), ("draw_probability", int | float | Mapping)),
)
"""The types of some of them."""


class GameNotLoaded(Exception):
    """A package offers a game that cannot be used; *hint* says what to type next."""

    exit_code = 1
    whose = "game"

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.hint = hint


class _Offer(NamedTuple):
    """A game that has not been imported yet."""

    target: str
    """Its location, `module:Class`."""
    package: str = ""
    """The distribution that offers it, with its version; empty for this package."""
    rival: str = ""
    """Another distribution that offers a game of the same name."""


BUILT_IN: Final = {
    "stella-quest": _Offer("engines.stella_quest:StellaQuest"),
    "starry-sky": _Offer("engines.starry_sky:StarrySky"),
    "stellar": _Offer("engines.stellar:Stellar"),
    "stella": _Offer("engines.stella:Stella"),
}
"""The games of this package.  They are not entry points, so a checkout or a sandbox finds them as well."""


class Games(MutableMapping[str, Game[Any]]):
    """All games by name, built-in ones first.  Installed packages are searched only if necessary."""

    def __init__(self) -> None:
        self._games: dict[str, Game[Any] | _Offer] = {**BUILT_IN}
        self._packages: dict[str, str] = {}
        self._searched = False
        self.ignored: list[str] = []
        """The reasons why games that packages offer were ignored."""
        self.broken: dict[str, str] = {}
        """The reasons why games are left out of the list of all: their packages cannot be imported."""

    def __getitem__(self, name: str) -> Game[Any]:
        """Return a game.  Raises KeyError for an unknown name, GameNotLoaded if its package does not work."""
        if name not in self:
            raise KeyError(name)
        game = self._games[name]
        if isinstance(game, _Offer):
            game = self._games[name] = _load_offer(name, game)
        return game

    def __setitem__(self, name: str, game: Game[Any]) -> None:
        self._games[name] = game

    def __delitem__(self, name: str) -> None:
        del self._games[name]

    def __contains__(self, name: object) -> bool:
        return name in self._games or name in self._all()

    def __iter__(self) -> Iterator[str]:
        """Yield the names of all games, without those whose packages do not work."""
        return iter(self._sound())

    def __len__(self) -> int:
        return len(self._sound())

    def package(self, name: str) -> str:
        """Return the distribution that offers a game, and its version; empty for a built-in game."""
        return self._packages.get(name, "") if name in self else ""

    def trace(self, error: BaseException) -> str:
        """Return the game of another package through whose modules *error* came; empty if there is none."""
        loaded = {name: game for name in self._packages if not isinstance(game := self._games[name], _Offer)}
        tops = {type(game).__module__.partition(".")[0]: name for name, game in loaded.items()}
        frame = error.__traceback__ if tops else None
        while frame:
            top = str(frame.tb_frame.f_globals.get("__name__")).partition(".")[0]
            if top in tops.keys() - {"engines", "ladder"}:
                return tops[top]
            frame = frame.tb_next
        return ""

    def _sound(self) -> list[str]:
        found = []
        for name, game in list(self._all().items()):
            if isinstance(game, _Offer) and game.package and name not in self.broken:
                try:
                    self[name]
                except GameNotLoaded as error:
                    self.broken[name] = str(error)
            if name not in self.broken:
                found.append(name)
        return found

    def _all(self) -> dict[str, Game[Any] | _Offer]:
        if not self._searched:
            self._searched = True
            for name, offer in _offers():
                self._add(name, offer)
        return self._games

    def _add(self, name: str, offer: _Offer) -> None:
        if name in BUILT_IN:
            self.ignored.append(f"the game {name!r} of {offer.package} is ignored: the ladder has that game")
            return
        other = self._games.get(name)
        if isinstance(other, _Offer):
            offer = other._replace(rival=offer.package)
        self._games[name] = offer
        self._packages[name] = offer.package


def _offers() -> list[tuple[str, _Offer]]:
    """Return the games that installed packages offer, sorted by name."""
    from importlib.metadata import entry_points  # slow to load, and bots do not need it

    found = []
    for entry in entry_points(group=GROUP):
        package = f"{entry.dist.name} {entry.dist.version}" if entry.dist else "an unknown package"
        found.append((entry.name, _Offer(entry.value, package)))
    return sorted(found)


def _load_offer(name: str, offer: _Offer) -> Game[Any]:
    """Import a game.  Raises GameNotLoaded, naming the package, if that fails."""
    package = offer.package.partition(" ")[0]
    if offer.rival:
        raise GameNotLoaded(
            f"two packages offer the game {name!r}: {offer.package} and {offer.rival}",
            f"uninstall one of them: pip uninstall {package}",
        )
    try:
        game = load_game(offer.target)
        if game.name != name:
            raise ValueError(f"expected a game with the name {name!r}, got: {game.name!r}")
    except Exception as error:
        if not package:  # an error in this package
            raise
        raise GameNotLoaded(
            f"the game {name!r} of {offer.package} cannot be loaded: {type(error).__name__}: {error}",
            f"install another version of it, or remove it: pip uninstall {package}",
        ) from error
    return game


def load_game(target: str) -> Game[Any]:
    """Return the game at *target*, `module:Class`.  Raises TypeError for another object."""
    module, _, attribute = target.partition(":")
    if not attribute:
        raise ValueError(f"expected module:Class, got: {target!r}")
    made = getattr(import_module(module), attribute)
    game: Game[Any] = made() if isinstance(made, type) else made
    if missing := [part for part in REQUIRED if not hasattr(game, part)]:
        raise TypeError(f"expected a game, but {target} has no {', '.join(missing)}")
    if wrong := [part for part, kind in TYPES if not isinstance(getattr(game, part), kind)]:
        raise TypeError(f"expected a game, but in {target} this has a wrong type: {', '.join(wrong)}")
    return game


GAMES: Final = Games()
"""Every game by its name."""
