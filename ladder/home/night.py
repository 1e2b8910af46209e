"""What is new since the last report: bots, faults, places, and what to do.

What was told last stands in the home, so a night that was killed and continued is told as one.
"""

import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from ladder.home.home import Home
from ladder.registry.version import Version, now_in_utc
from results.rating.rated import Rated
from results.record import Run
from results.reports.leaderboard import GameBoard
from results.storage.contents import Contents
from results.storage.disk import put_page
from results.words import count

TOLD = "last-report.json"
"""The file in the home with what was told last..."""
TOLD_TO_MEMBERS = "last-pages.json"
"""...and with what was written for the persons who played."""
OFTEN = 0.1
"""A bot that faults in this part of its matches is named among what is to be done."""
LOW_DISK = 2**30
"""Less free bytes than this are a warning."""


class NewVersion(msgspec.Struct, frozen=True):
    """A bot or a version that was submitted since the last report."""

    bot: str
    number: int
    is_new_bot: bool
    submitted: str
    """In UTC (ISO 8601)."""
    note: str


class NightFaults(msgspec.Struct, frozen=True):
    """Matches that ended for a bot by a fault of one kind, or its reports of one, which cost no match."""

    bot: str
    kind: str
    matches: int
    last: str
    """The last of them, as commands name it."""
    charged: bool = True


class NightPlace(msgspec.Struct, frozen=True):
    """A bot whose place has surely changed, or that has one for the first time."""

    game: str
    bot: str
    number: int | None
    low: int
    high: int
    was_low: int | None
    """The place that was told last; None for a bot that had none."""
    was_high: int | None


class NightReport(msgspec.Struct, frozen=True):
    """What has happened since the last report."""

    when: str
    """In UTC (ISO 8601)."""
    since: str | None
    """When the last report was written; None if there was none."""
    runs: list[int] = []
    matches: int = 0
    played: dict[str, int] = {}
    """The seats that were taken, by bot."""
    bots: list[NewVersion] = []
    faults: list[NightFaults] = []
    places: list[NightPlace] = []
    left_out: list[str] = []
    to_do: list[str] = []
    failed: str = ""
    """Why the night failed; empty if it did not."""


class ToldLast(msgspec.Struct, frozen=True):
    """What was told last."""

    when: str
    run: int
    """The last run that was told."""
    places: dict[str, dict[str, tuple[int, int]]]
    """The first and last place by game and bot."""
    versions: list[str] | None = None
    """The submissions that were there; None in old files, which have only `when`."""


def failed_night(error: Exception, hint: str) -> NightReport:
    """Return the report on a night that *error* ended; *hint* is what to type next."""
    return NightReport(now_in_utc(), None, to_do=[hint] if hint else [], failed=str(error))


def boards_of(home: Home, contents: Contents, rated: Mapping[str, Rated]) -> list[GameBoard]:
    """Return the leaderboards of *home* by game, which a report is about: *rated* are the ratings now."""
    hidden = home.hidden_versions(contents)
    return [GameBoard(rated[game], hidden) for game in sorted(rated)]


def new_runs(contents: Contents, told: ToldLast | None) -> list[Run]:
    """Return the runs that have ended since *told* was told."""
    return [run for run in contents.rated_runs if run.finished and (told is None or run.run > told.run)]


def night_report(
    home: Home, contents: Contents, boards: Sequence[GameBoard], file: str = TOLD
) -> NightReport:
    """Return what is new in *home*, given its *boards*, since what *file* says was told last."""
    import pyarrow.compute as pc  # loaded where matches are read, not before

    told = read_told(home, file)
    runs = new_runs(contents, told)
    faults = list(_list_faults(contents, runs))
    played: Counter[str] = Counter()
    matches = 0
    for run in runs:
        for part in contents.match_parts(["seats"], run.run):
            matches += len(part)
            bots = pc.struct_field(pc.list_flatten(part.column("seats")), "bot")
            for seats in pc.value_counts(bots).to_pylist():
                played[seats["values"]] += seats["counts"]
    left_out = [what for run in runs for what in run.settings.left_out]
    return NightReport(
        when=now_in_utc(),
        since=told.when if told else None,
        runs=[run.run for run in runs],
        matches=matches,
        played=dict(played),
        bots=list(_list_versions(home.roster.versions(), told)),
        faults=faults,
        places=list(_list_places(home, boards, told)),
        left_out=left_out,
        to_do=list(_list_tasks(home, runs, faults, played, left_out)),
    )


def keep_told(
    home: Home, report: NightReport, contents: Contents, boards: Sequence[GameBoard], file: str = TOLD
) -> None:
    """Store in *file* that *report* on *boards* was told: the next one begins there."""
    runs = new_runs(contents, None)
    places = {board.game: places_on(board) for board in boards}
    versions = [_submission(version) for version in home.roster.versions()]
    told = ToldLast(report.when, runs[-1].run if runs else 0, places, versions)
    put_page(home.path / file, msgspec.json.encode(told).decode() + "\n")


def read_told(home: Home, file: str = TOLD) -> ToldLast | None:
    """Return what *file* says was told last; None if nothing was, or it cannot be read."""
    try:
        return msgspec.json.decode((home.path / file).read_bytes(), type=ToldLast)
    except (OSError, msgspec.MsgspecError):
        return None


def _list_versions(versions: Sequence[Version], told: ToldLast | None) -> Iterator[NewVersion]:
    known: set[str] = set()
    # not by time: a clock that was set back would hide a version for good
    old = set(told.versions) if told and told.versions is not None else None
    for version in versions:
        if version.of_house or version.aside:
            continue
        # files of older releases have no submissions, only the time
        is_old = _submission(version) in old if old is not None else told and version.submitted <= told.when
        if not is_old:
            yield NewVersion(
                version.bot, version.number, version.bot not in known, version.submitted, version.note
            )
        known.add(version.bot)


def _submission(version: Version) -> str:
    """Return what tells this submission of a version from another one of the same files."""
    return f"{version.version}-{version.order}"


def _list_faults(contents: Contents, runs: Iterable[Run]) -> Iterator[NightFaults]:
    """Yield the faults of *runs* that cost matches or were reported, those of which there are most first."""
    counts: Counter[tuple[str, str, bool]] = Counter()
    last: dict[tuple[str, str, bool], str] = {}
    for run in runs:
        for part in contents.fault_parts(["run", "number", "bot", "kind", "charged"], run.run):
            for row in part.to_pylist():
                if row["charged"] or row["kind"] == "transport":
                    key = (row["bot"], row["kind"], row["charged"])
                    counts[key] += 1
                    last[key] = f"{row['run']}/{row['number']}"
    for key, matches in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        yield NightFaults(*key[:2], matches, last[key], key[2])


def places_on(board: GameBoard) -> dict[str, tuple[int, int]]:
    """Return the first and last place by bot; of several versions, that of the best."""
    found: dict[str, tuple[int, int]] = {}
    for i in board.ranked:
        # ranked bots come best first
        found.setdefault(board.fit.bots[i][0], board.places[i])
    return found


def _list_places(home: Home, boards: Sequence[GameBoard], told: ToldLast | None) -> Iterator[NightPlace]:
    """Yield the bots whose interval of places does not touch the one that was told last, and new ones."""
    newest: dict[str, int] = {version.bot: version.number for version in home.roster.versions()}
    for board in boards:
        before = told.places.get(board.game, {}) if told else {}
        for bot, (low, high) in places_on(board).items():
            was = before.get(bot)
            # intervals that touch may hold the same place, so nothing has surely changed
            if was is None or high < was[0] or low > was[1]:
                yield NightPlace(board.game, bot, newest.get(bot), low, high, *(was or (None, None)))


def _list_tasks(
    home: Home,
    runs: Sequence[Run],
    faults: Sequence[NightFaults],
    played: Mapping[str, int],
    left_out: Sequence[str],
) -> Iterator[str]:
    """Yield what the operator should do, each with the line to type."""
    total: Counter[str] = Counter()
    for fault in faults:
        total[fault.bot] += fault.matches * fault.charged
    here = {version.bot for version in home.roster.versions()}
    for bot, matches in total.most_common():
        if matches >= OFTEN * played[bot]:
            of = count(matches, "match", played[bot])
            hint = f": ladder bots feedback {bot}, for its author" if bot in here else ""
            yield f"{bot} ended {of} by faults{hint}"
    if left_out:
        yield "bots were left out, see above: ladder check BOT"
    for run in runs:
        if run.guessable:
            yield f"bots could know the cards of run {run.run}: leave out --seed"
    free = shutil.disk_usage(home.path).free
    if free < LOW_DISK:
        yield f"{free / 2**20:,.0f} MB are left on this disk: ladder home compact, or make room"
