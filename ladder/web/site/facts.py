"""Everything the pages of a site need, read from the home once."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ladder.errors import LadderError
from ladder.home.home import Home
from ladder.replay.review.reviewing import reviewed_matches, shown_review
from ladder.run.tournament.event_facts import EventFacts, read_events
from ladder.web.pages.bot_marks import BotMark, marks_of
from ladder.web.site.site_options import SiteOptions
from results.rating.cache import ratings_of
from results.rating.rated import Rated
from results.record import Match, Run
from results.reports.bot_facts import BotReader
from results.reports.digest import digest
from results.reports.document import Row
from results.reports.guessable import guessable_runs
from results.reports.labels import HomeNumbers, Key, file_names, labels
from results.reports.leaderboard import GameBoard, leaderboard
from results.reports.survey import MatchId, Survey
from results.reviewed import ReviewedStep
from results.storage.contents import Contents
from results.storage.store import Store

DIGEST_UP_TO = 20_000
"""The digest of more matches would take longer than the rest of the site: 91 us each."""


@dataclass(frozen=True)
class Facts:
    """What is known of a home at one moment."""

    home: Home
    contents: Contents
    versions: Sequence[Any]
    """Every version of every bot, by name and in the order of submission."""
    rated: Mapping[str, Rated]
    fault_kinds: Mapping[tuple[int, str], int]
    """The number of faults by run and kind that cost a match."""
    hidden: frozenset[Key]
    """The versions that leaderboards do not show."""
    tournaments: Mapping[str, EventFacts]
    """Those of all seasons, by name, the newest first."""

    @cached_property
    def digest(self) -> str:
        """The digest of the home; empty if it has too many matches."""
        return digest(self.contents).hex if 0 < self.survey.matches <= DIGEST_UP_TO else ""

    @property
    def runs(self) -> Sequence[Run]:
        """The runs of the season, the oldest first."""
        return self.contents.rated_runs

    @property
    def season(self) -> str:
        """The name of the season that is shown; empty if there is only one."""
        return self.contents.season_name

    @cached_property
    def reader(self) -> BotReader:
        """What reads the facts of each bot: all at once."""
        keys = {key for keys in self.keys.values() for key in keys}
        return BotReader(self.contents, self.rated, keys, self.hidden, at_once=True)

    @property
    def survey(self) -> Survey:
        """What all matches add up to."""
        return self.reader.survey

    @property
    def boards(self) -> dict[str, GameBoard]:
        """The leaderboards by game."""
        return self.reader.boards

    @cached_property
    def leaders(self) -> dict[str, list[Row]]:
        """The rows of the leaderboards by game."""
        return {game: leaderboard(board) for game, board in self.boards.items()}

    @cached_property
    def numbers(self) -> HomeNumbers:
        """The numbers of versions, with the names that people see."""
        return self.home.roster.numbers()

    @cached_property
    def bots(self) -> list[str]:
        """The names of all bots: those that were submitted, and those that only matches know."""
        played = {bot for each in self.rated.values() for bot, _ in each.standings}
        return sorted({version.bot for version in self.versions} | played)

    @cached_property
    def keys(self) -> dict[str, list[Key]]:
        """The versions of each bot, the oldest first; those that only matches know come last."""
        found: dict[str, list[Key]] = {bot: [] for bot in self.bots}
        for version in self.versions:
            found[version.bot].append((version.bot, version.version))
        for each in self.rated.values():
            for key in each.standings:
                if key not in found[key[0]]:
                    found[key[0]].append(key)
        return found

    @cached_property
    def label(self) -> dict[Key, str]:
        """The label of each version, the same on every page."""
        return labels((key for keys in self.keys.values() for key in keys), self.numbers)

    @cached_property
    def marks(self) -> dict[str, BotMark]:
        """The mark of each bot: in the order of first submission, so a newcomer changes none."""
        first: dict[str, str] = {}
        for version in self.versions:
            first[version.bot] = min(version.submitted, first.get(version.bot, version.submitted))
        return marks_of(sorted(self.bots, key=lambda bot: (bot not in first, first.get(bot, ""), bot)))

    @cached_property
    def guessable(self) -> dict[str, list[int]]:
        """The runs whose deals bots could know, by game."""
        return guessable_runs(self.contents)

    @cached_property
    def reviewed(self) -> frozenset[MatchId]:
        """The matches of the season that have a stored review."""
        runs = {run.run for run in self.runs}
        return frozenset(match for match in reviewed_matches(self.contents) if match[0] in runs)

    def find_review(self, match: Match) -> list[ReviewedStep]:
        """Return the rows of the whole review of *match*; no rows if it has none that is up to date."""
        return shown_review(self.contents, match) if (match.run, match.number) in self.reviewed else []

    def clock_ms(self, game: str, bot: str = "") -> int:
        """Return the free time of a decision of *bot*: that of the newest run, else that of the settings.

        Without *bot* it is that of all that have none of their own.
        """
        limits = self.runs[-1].settings.limits_at(bot, game) if self.runs else {}
        return limits.get("move_ms") or self.home.settings.held_to(0).limits_at(bot, game)["move_ms"]

    @cached_property
    def _file_names(self) -> dict[str, str]:
        return file_names(self.bots)

    def page_of_bot(self, bot: str) -> str:
        """Return the path of the page of *bot*."""
        return f"bots/{self._file_names[bot]}.html"


def page_of_match(match: tuple[int | str, int]) -> str:
    """Return the path of the page of *match*: its run, or the store of an unrated one, and its number."""
    return f"matches/{match[0]}-{match[1]}.html"


def gather(home: Home, options: SiteOptions) -> Facts:
    """Read everything that a site with *options* shows of *home*.

    Raises NoSuchSeason, LadderError, DamagedResults or NewerFormat.
    """
    contents = Store(home.results).contents().of_season(options.season)
    rated = ratings_of(contents)
    try:
        versions = home.roster.versions()
    except LadderError:  # a record of one version cannot be read; the others, and all matches, still can
        versions = []
    return Facts(
        home=home,
        contents=contents,
        versions=versions,
        rated={game: each for game, each in rated.items() if each.tables},
        fault_kinds=_fault_kinds(contents),
        hidden=frozenset() if options.all_versions else home.hidden_versions(contents),
        tournaments=read_events(home.results, home.roster.numbers()),
    )


def _fault_kinds(contents: Contents) -> dict[tuple[int, str], int]:
    """Return the faults that cost a match, counted by run and kind."""
    found: Counter[tuple[int, str]] = Counter()
    for run in contents.rated_runs:
        for part in contents.fault_parts(("kind", "charged"), run.run):
            kinds = part.filter(part.column("charged")).column("kind").to_pylist()
            found.update((run.run, kind) for kind in kinds)
    return found
