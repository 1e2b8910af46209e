"""Whether bots played under several sets of limits, and the ratings under those of now, or without faults."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain, pairwise
from typing import NamedTuple

from results.rating.rated import Rated, rate_totals
from results.rating.segment_counts import SegmentCounts
from results.rating.tally import MatchTotals
from results.record import Run, RunSettings
from results.reports.board_notes import fit_note, list_some
from results.reports.document import Note
from results.reports.labels import Key, Numbers, labels
from results.reports.leaderboard import GameBoard
from results.storage.arrow import pa, pc
from results.storage.contents import Contents
from results.storage.finishes import Finishes


class RatedUnder(NamedTuple):
    """The ratings from some matches of a season."""

    rated: dict[str, Rated]
    left_out: int
    """The number of the others."""


def _limits_of(settings: RunSettings, bot: str, game: str) -> Mapping[str, int]:
    """Return all that the bot with this name is held to in matches of *game*."""
    return settings.limits_at(bot, game) | {"retries": settings.retries}


def remote_bots(contents: Contents) -> set[Key]:
    """Return the bots that were on the machines of their authors."""
    return {(bot["name"], bot["version"]) for run in contents.runs for bot in run.bots if "remote" in bot}


def limit_notes(contents: Contents, board: GameBoard, numbers: Numbers) -> list[Note]:
    """Say which bots on *board* are remote, and which played under more than one set of limits."""
    sets: dict[Key, list[Mapping[str, int]]] = {}
    for run in contents.rated_runs:
        keys = run.bot_keys
        played = {keys[i] for each in run.settings.contests if each.game == board.game for i in each.bots}
        for key in played:
            held = _limits_of(run.settings, key[0], board.game)
            if run.settings.limits and held not in sets.setdefault(key, []):  # of old runs they are unknown
                sets[key].append(held)
    on_board = [board.fit.bots[i] for i in board.by_rating]
    label = labels(on_board, numbers)
    away = remote_bots(contents)
    remote = [label[key] for key in on_board if key in away]
    told = fit_note(lambda *room: f"remote, on the machines of their authors: {list_some(remote, *room)}")
    notes = [Note(told)] if remote else []
    mixed = [key for key in on_board if len(sets.get(key, ())) > 1]
    if not mixed:
        return notes
    names = [label[key] for key in mixed]
    pairs = ((held, other) for key in mixed for held, other in pairwise(sets[key]))
    differ = sorted({name for held, other in pairs for name, _ in held.items() ^ other.items()})

    def say(most: int, width: int) -> str:
        who = "all bots here" if len(mixed) == len(on_board) else list_some(names, most, width)
        which = list_some(differ, most, width)
        return f"{who} played under more than one set of limits ({which}), and all matches count"

    hint = "ladder leaderboard --limits current, which takes those under the limits of now"
    return [*notes, Note(fit_note(say), hint)]


def rated_under(
    contents: Contents, now: RunSettings | None, seats: int = 0, *, clean: bool = False
) -> RatedUnder:
    """Return the ratings of the season of *contents* under the limits of *now*; see ratings_of for *seats*.

    A match counts if each of its bots was held to what it would be held to now; with None, under all limits.
    With *clean*, one in which a bot was charged with a fault does not count.
    """
    tally, counts, left_out = MatchTotals(), SegmentCounts.load(contents), 0
    for run in contents.rated_runs:
        tally.begin(run)
        others = _held_otherwise(run, now) if now else set()
        parts = [contents.journal_finishes(run.run)]
        for segment in contents.segments(run.run):
            counted = counts.of(segment)
            seated = [of for part in counted for of in part.standings]
            if any((clean and of.faults) or f"{of.game}\0{of.bot}" in others for of in seated):
                parts.append(contents.files.finishes(segment))
            else:
                tally.add_counted(counted)
        for finishes in chain.from_iterable(parts):
            fitting = _without_matches_of(finishes, others, clean=clean)
            left_out += finishes.matches - (fitting.matches if fitting else 0)
            if fitting:
                tally.add_finished(fitting)
    return RatedUnder(rate_totals(tally.totals, tally.parameters, seats), left_out)


def _held_otherwise(run: Run, now: RunSettings) -> set[str]:
    """Return the bots of *run* that were held to other limits than *now*: game and name, joined by a NUL."""
    return {
        f"{game}\0{name}"
        for game in run.ratings
        for name in {name for name, _ in run.bot_keys}
        if _limits_of(run.settings, name, game) != _limits_of(now, name, game)
    }


def _without_matches_of(finishes: Finishes, others: set[str], *, clean: bool) -> Finishes | None:
    """Return *finishes* without matches of *others* and, if *clean*, with a charged fault; None if none."""
    seats = finishes.seats
    who = pc.binary_join_element_wise(seats.column("game"), seats.column("bot"), "\0")
    is_other = pc.is_in(who, value_set=pa.array(sorted(others), pa.string()))
    if clean:
        is_other = pc.or_(is_other, pc.is_valid(seats.column("fault")))
    gone = pc.unique(seats.filter(is_other).column("number"))
    left = seats.filter(pc.invert(pc.is_in(seats.column("number"), value_set=gone)))
    return finishes._replace(seats=left) if len(left) else None
