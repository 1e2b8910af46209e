"""The pages of matches: which matches get one, and their replays."""

import gc
import inspect
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from itertools import chain, groupby, pairwise, zip_longest
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

from engines import GAMES
from engines.games import GameNotLoaded
from ladder.errors import LadderError
from ladder.machine.installation import ROOT, __version__
from ladder.machine.plugged_in import go_on_without
from ladder.replay.replay import deal_of, find_faults, make_record
from ladder.run.tournament.event_facts import EventFacts
from ladder.web.pages.frame import Frame
from ladder.web.pages.viewer import render_match, viewer_assets, viewer_block
from ladder.web.site.facts import Facts, page_of_match
from ladder.web.site.format import NEWEST, Shown, date_of, page_of_rules
from ladder.web.site.site_options import SiteOptions
from results.record import Match, RunSettings
from results.reports.labels import HomeNumbers
from results.reports.survey import MatchId
from results.reviewed import ReviewedStep
from results.storage.unrated import unrated_store

CODE = ("ladder/web/pages", "ladder/replay", "ladder/web/site", "engines/drawing")
"""The folders whose files decide what the page of a match is, besides the game's own and engines/*.py."""
SOURCES = frozenset({".py", ".html", ".toml", ".json"})
"""The suffixes of such files: code, templates, and data that is drawn."""


class MatchTask(NamedTuple):
    """All that the page of a match is made from."""

    path: str
    key: str
    """A hash of everything that the page follows from; a page with the same one need not be made again."""
    frame: Frame
    record: dict[str, Any]
    pages: Mapping[str, str]
    """Those of its bots, by name."""
    numbers: HomeNumbers
    notes: bool
    review: Sequence[ReviewedStep] = ()


def read_selection(facts: Facts, options: SiteOptions) -> dict[MatchId, tuple[Match, str]]:
    """Return the matches that get a page, each with the reason it was chosen."""
    chosen = _select_matches(facts, options.matches)
    matches = {
        (run, match.number): match
        for run, found in groupby(chosen, itemgetter(0))
        for match in facts.contents.some_matches(run, [number for _, number in found])
    }
    return {which: (matches[which], why) for which, why in chosen.items()}


def _select_matches(facts: Facts, most: int) -> dict[MatchId, str]:
    """Return at most *most* matches, each with the reason it was chosen, newest first.

    The reasons take turns, so that each has its share: neighbours on a leaderboard, notable matches of a bot,
    faults, the newest.  A match has the first of its reasons.
    """
    faults, newest = facts.survey.faulted.values(), facts.survey.newest.values()
    sources = [[*_neighbours(facts)], [*_notable(facts)], _in_turn(faults, "fault"), _in_turn(newest, NEWEST)]
    why = dict(reversed([*chain(*sources)]))
    turns = dict.fromkeys(found[0] for turn in zip_longest(*sources) for found in turn if found)
    return {which: why[which] for which in sorted([*turns][:most], reverse=True)}


def _in_turn(lists: Iterable[Sequence[MatchId]], why: str) -> list[tuple[MatchId, str]]:
    return [(match, why) for turn in zip_longest(*lists) for match in turn if match]


def _neighbours(facts: Facts) -> Iterator[tuple[MatchId, str]]:
    """Yield wins and losses of each bot against the next on the leaderboard."""
    for game, board in facts.boards.items():
        for i, j in pairwise(board.ranked):
            above, below = board.fit.bots[i], board.fit.bots[j]
            for winner, loser in ((above, below), (below, above)):
                if match := facts.survey.newest_win(game, winner, loser):
                    yield match, f"{facts.label[winner]} beats its neighbour {facts.label[loser]}"


def _notable(facts: Facts) -> Iterator[tuple[MatchId, str]]:
    for game, board in facts.boards.items():
        for i in board.ranked:
            bot = board.fit.bots[i]
            for what, match in facts.survey.notable(game, bot).items():
                yield match, f"{what} of {facts.label[bot]}"


def select_event_matches(facts: Facts, most: int) -> frozenset[tuple[str, int]]:
    """Return at most *most* matches of unrated tournaments, each as its store and its number.

    The first deal of each table, the last rounds first; then the second deal of each, and so on.
    Tournaments take turns.
    """
    events = (event for event in facts.tournaments.values() if _has_pages(facts, event))
    found = [each for turn in zip_longest(*map(_event_matches, events)) for each in turn if each]
    return frozenset(found[:most])


def _has_pages(facts: Facts, event: EventFacts) -> bool:
    """Return whether all its bots have pages, to which the page of a match leads, and its matches need some.

    Those of a rated one are among the matches of runs.
    """
    return not event.is_rated and all(bot in facts.marks for bot, _ in event.entrants)


def _event_matches(event: EventFacts) -> Iterator[tuple[str, int]]:
    """Yield the matches of a tournament, those most worth watching first."""
    played: list[Sequence[Sequence[int]]] = [
        event.state.deals.get(table.name, ())
        for stage in reversed(event.state.report)
        for each in reversed(stage.rounds)
        for table in each.tables
    ]
    for deals in zip_longest(*played, fillvalue=()):
        for deal in deals:
            yield from ((event.store, number) for number in deal)


def match_tasks(shown: Shown) -> Iterator[MatchTask]:
    """Yield a task for each match that gets a page."""
    facts, faults = shown.facts, _faults(shown)
    of_events = {event.game for event in facts.tournaments.values()}
    code = _hash_code({match.game for match, _ in shown.matches.values()} | of_events)
    for which, (match, _) in shown.matches.items():
        settings = facts.contents.run(which[0]).settings
        record = _record(match, which[0], settings, faults.get(which, []))
        yield _task(shown, match, record, code, facts.find_review(match))
    yield from _event_tasks(shown, code)


def _event_tasks(shown: Shown, code: str) -> Iterator[MatchTask]:
    """Yield a task for each match of a tournament that gets a page."""
    for event in shown.facts.tournaments.values():
        numbers = sorted(number for store, number in shown.event_matches if store == event.store)
        if not numbers:
            continue
        contents = unrated_store(shown.facts.home.results, event.store).contents()
        faults = find_faults(contents, event.run.run, numbers, private=shown.options.private)
        for match in contents.some_matches(event.run.run, numbers):
            record = _record(match, event.store, event.run.settings, faults.get(match.number, []))
            yield _task(shown, match, record, code)


def _record(
    match: Match, run: int | str, settings: RunSettings, faults: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """Return the record of *match*, of the run called *run*."""
    try:
        deal = deal_of(match, settings.tables)
    except (LadderError, GameNotLoaded, ValueError):
        deal = None  # the page says why it shows the moves alone
    return make_record(match, run, settings, deal, faults)


def _task(
    shown: Shown, match: Match, record: dict[str, Any], code: str, review: Sequence[ReviewedStep] = ()
) -> MatchTask:
    run, number = record["run"], record["number"]
    line = f"match {run}/{number}, {date_of(match.started)}; rules version {match.game_version}"
    tab = "matches.html" if run == match.run else "tournaments.html"
    frame = shown.frame(tab, "../", [line], viewer_assets(review))
    keys = [(seat.bot, seat.version) for seat in match.seats]
    known = shown.facts.numbers
    displays = {bot: known.displays[bot] for bot, _ in keys if bot in known.displays}
    numbers = HomeNumbers({bot: known[bot] for bot in keys if bot in known}, displays)
    pages = {seat.bot: f"../{shown.facts.page_of_bot(seat.bot)}" for seat in match.seats}
    path, notes = page_of_match((run, number)), shown.options.shows_notes
    task = MatchTask(path, "", frame, record, pages, numbers, notes, review)
    key = sha256(repr((code, task, displays)).encode("utf-8", "surrogatepass")).hexdigest()
    return task._replace(key=key)


def match_page(task: MatchTask) -> str:
    """Return the page of a match; one that this ladder cannot replay has its result and its moves."""
    with _without_collector():
        return _make_page(task)


@contextmanager
def _without_collector() -> Iterator[None]:
    """Let the collector of cycles rest.

    A page makes hundreds of thousands of small objects, few of them in cycles, and what is remembered for the
    next page is looked through again and again: that took up to 40 % of the time of a page.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _make_page(task: MatchTask) -> str:
    record = task.record
    block = go_on_without(
        f"match {record['run']}/{record['number']} cannot be shown step by step",
        lambda: viewer_block(record, notes=task.notes, numbers=task.numbers, review=task.review),
        "This match cannot be shown step by step: its record contradicts itself, or the game fails.",
        record["game"],
    )
    return render_match(
        task.frame,
        record,
        block,
        numbers=task.numbers,
        pages=task.pages,
        rules=page_of_rules(record["game"]),
    )


def _faults(shown: Shown) -> dict[MatchId, list[dict[str, Any]]]:
    """Return the faults in the matches that get a page."""
    found: dict[MatchId, list[dict[str, Any]]] = {}
    for run in {run for run, _ in shown.matches}:
        numbers = [number for of, number in shown.matches if of == run]
        rows = find_faults(shown.facts.contents, run, numbers, private=shown.options.private)
        found |= {(run, number): each for number, each in rows.items()}
    return found


def _hash_code(games: set[str]) -> str:
    """Return a hash of the code and the templates that make the pages of matches of *games*."""
    known = sorted(games & GAMES.keys())
    folders = [Path(ROOT, folder) for folder in CODE]
    folders += [Path(inspect.getfile(type(GAMES[game]))).parent for game in known]
    hashed = sha256(__version__.encode())
    files = [each for folder in folders for each in folder.rglob("*") if each.suffix in SOURCES]
    for file in sorted({*files, *Path(ROOT, "engines").glob("*.py")}):
        hashed.update(file.read_bytes())
    return hashed.hexdigest()
