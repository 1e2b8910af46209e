"""A version of a bot: the record of one submission."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

import msgspec

from ladder.errors import UsageProblem, first_of
from ladder.registry.bot_manifest import HOUSE, BotManifest

NAMED = 5
"""The most bots that a line names."""
LONGEST_NOTE = 200
"""The most characters of a submitter's note."""


def check_note(note: str) -> None:
    """Raise UsageProblem if the submitter's *note* is longer than LONGEST_NOTE."""
    if len(note) > LONGEST_NOTE:
        raise UsageProblem(
            f"expected a note of at most {LONGEST_NOTE} characters, got: {len(note)}", "say it in fewer words"
        )


def now_in_utc() -> str:
    """Return the time in UTC, to the second (ISO 8601)."""
    return datetime.now(UTC).isoformat(timespec="seconds")


class Ban(msgspec.Struct, frozen=True):
    """An order that a bot plays nowhere, not even where it is named."""

    why: str
    """The operator's reason, in words."""
    since: str
    """When it was given, in UTC (ISO 8601)."""


class GameTried(msgspec.Struct, frozen=True):
    """A game in which a version played against itself."""

    game: str
    when: str
    """In UTC (ISO 8601)."""


class Version(msgspec.Struct, frozen=True):
    """An immutable version of a bot, ready to be started."""

    bot: str
    version: str
    folder: str
    """The path of its files."""
    manifest: BotManifest
    order: int = 0
    """The position among the submissions of this bot; the highest is the newest."""
    submitted: str = ""
    """The time of submission in UTC (ISO 8601)."""
    unfit: tuple[str, ...] = ()
    """Games in which it failed against itself, although its manifest does not exclude them.

    `stella-quest/4` is a single table size of a game in which it played at others.
    """
    number: int = 0
    """The number in NAME@NUMBER, valid in this home only."""
    note: str = ""
    """The submitter's note."""
    house: bool | None = None
    """Whether it came with the ladder; None if an older ladder, which did not store this, accepted it."""
    retired: bool = False
    """Whether it plays only in runs that name it."""
    aside: bool = False
    """Whether it was only kept for a duel: it is retired, and gives no right to its name."""
    built: str = ""
    """The digest of its files after the build; empty without a build, and in records of older ladders."""
    ban: Ban | None = None
    """That of its bot: a ban is for all versions, also those to come."""
    tried: tuple[GameTried, ...] | None = None
    """The games in which it played against itself; it failed in those of `unfit`.

    None: it is not noted, by an older ladder or because no match was asked for.  Then nothing is to be tried.
    """

    @property
    def id(self) -> str:
        """NAME@VERSION."""
        return f"{self.bot}@{self.version}"

    @property
    def display(self) -> str:
        """The name that people see beside that of commands; empty if there is no other."""
        display = self.manifest.display
        return "" if isinstance(display, msgspec.UnsetType) or display == self.bot else display

    @property
    def of_house(self) -> bool:
        """Whether it is a house bot."""
        # records of older ladders do not say it; only house bots may have that author
        return self.manifest.author == HOUSE if self.house is None else self.house

    @property
    def rests(self) -> bool:
        """Whether it plays only where it is named, or nowhere."""
        return self.retired or self.ban is not None

    def plays(self, game: str, seats: int | None = None) -> bool:
        """Return whether it plays *game*, also at *seats*: by its manifest, or any it is fit for."""
        named = self.manifest.games
        # games that the manifest names are not looked up in `unfit`: a bot that fails in one of them is not
        # accepted
        if game not in named if named else game in self.unfit:
            return False
        sizes = self.manifest.sizes_of(game)
        return seats is None or (f"{game}/{seats}" not in self.unfit and (not sizes or seats in sizes))

    def sizes(self, game: str, known: Iterable[int]) -> tuple[int, ...]:
        """Return those of the table sizes *known* at which it plays *game*."""
        return tuple(seats for seats in known if self.plays(game, seats))

    def say_sizes(self, game: str, known: Sequence[int]) -> str:
        """Return *game*, with the table sizes at which it plays it where they are not all *known* ones."""
        sizes = self.sizes(game, known)
        return game if len(sizes) == len(known) else f"{game} ({', '.join(map(str, sizes))} seats)"

    def check_sizes(self, game: str, wanted: Iterable[int], known: Iterable[int]) -> None:
        """Raise UsageProblem unless it plays *game* at all sizes *wanted*; *known* are those of the game."""
        if lacking := [seats for seats in wanted if not self.plays(game, seats)]:
            sizes = ", ".join(map(str, self.sizes(game, known)))
            raise UsageProblem(
                f"{self.id} plays {game} at tables of {sizes}, not of {lacking[0]}",
                "choose another bot or other tables",
            )

    def needs_trial(self, game: str) -> bool:
        """Return whether it must play *game* against itself before it plays it in a run."""
        return self.tried is not None and self.plays(game) and all(each.game != game for each in self.tried)

    def note_tried(self, games: Iterable[str], failed: Iterable[str]) -> "Version":
        """Return the version after trials of *games* now, of which it *failed* some, or some sizes."""
        games, now = tuple(games), now_in_utc()
        before = [each for each in self.tried or () if each.game not in games]
        # the newest trial of a game decides: what failed in an earlier one is forgotten
        still = [place for place in self.unfit if game_of(place) not in games]
        return msgspec.structs.replace(
            self, tried=(*before, *(GameTried(game, now) for game in games)), unfit=(*still, *failed)
        )

    def games_among(self, games: Iterable[str]) -> tuple[str, ...]:
        """Return the games that its hello names in a run of *games*."""
        return self.manifest.games or tuple(sorted({game for game in games if self.plays(game)}))


def game_of(place: str) -> str:
    """Return the game of *place*, which is a game, or a table size of it as in Version.unfit."""
    return place.partition("/")[0]


def say_place(place: str) -> str:
    """Return *place* in words."""
    game, at, seats = place.partition("/")
    return f"{game} at tables of {seats}" if at else game


class Untried(NamedTuple):
    """A version, and games that it must try before it plays them."""

    version: Version
    games: tuple[str, ...]


def say_untried(wanted: Sequence[Untried]) -> str:
    """Return which bots were not tried at which games, in words."""
    by_games: dict[tuple[str, ...], list[str]] = {}
    for version, games in wanted:
        by_games.setdefault(games, []).append(version.bot)
    return "; ".join(f"{first_of(bots, NAMED)} at {', '.join(games)}" for games, bots in by_games.items())
