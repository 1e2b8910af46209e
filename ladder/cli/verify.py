"""`ladder digest`, `ladder verify` and `ladder rate`: whether the results are what was played."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from ladder.cli.leaderboard import known_run, print_leaderboards
from ladder.cli.options import (
    FormatOption,
    GameOption,
    HomeOption,
    RunOption,
    existing_home,
    jobs_option,
    known_game,
    note,
    nothing_yet,
    print_rows,
    store_of,
)

if TYPE_CHECKING:
    from ladder.replay.verify import Problem, Report, Verification
    from results.rating.fold import Fold
    from results.storage.store import Store

__all__ = ["digest", "rate", "verify"]


def digest(run: RunOption = None, home: HomeOption = None) -> None:
    """Print one hash over what happened: two ladders with the same hash have played the same.

    It covers, for every standing match, its number, bots, deal, rule options, moves, notes, faults, ranks and
    scores, besides the secret of each run and the ratings in the end; nothing that is measured. With --run,
    that run as if it were the only one.

    Example: ladder digest --run 1
    """
    from results.reports.digest import digest as digest_of

    store = store_of(existing_home(home))
    number = known_run(store, run)
    contents = store.contents()
    found = digest_of(contents, number)
    print(found.hex)
    runs = f"run {number}" if number else f"{found.runs:,} runs" if found.runs != 1 else "1 run"
    note(f"{found.matches:,} matches of {runs}")
    if (unfinished := contents.unfinished_run) and number in (None, unfinished.run):
        note(f"run {unfinished.run} is not finished: this is how far it is", "ladder run --resume")


def rate(
    engine: Annotated[
        Literal["flat", "package"],
        typer.Option(help="What computes: the ladder's own TrueSkill, or the package, which only compares."),
    ] = "flat",
    game: GameOption = None,
    home: HomeOption = None,
    format: FormatOption = "table",  # noqa: A002
) -> None:
    """Rate all matches again, from the first on, whatever ratings are stored, and show how the bots stand.

    One engine writes: flat. With --engine package nothing is stored; the ratings of the trueskill package are
    shown, with their largest difference from those of the flat engine, which is ten times as fast.

    Example: ladder rate --engine package
    """
    games = [known_game(game)] if game else None
    where = existing_home(home)
    store = store_of(where)
    fold = _compared(store) if engine == "package" else _rated_again(store)
    standings = fold.standings.values()
    games = games or sorted({standing.game for standing in standings})
    print_leaderboards(standings, games, format, where)
    if not standings:
        nothing_yet("matches")


def _rated_again(store: Store) -> Fold:
    """Return the ratings, folded and stored again; nothing is made where nothing was played."""
    from results.rating.cache import fold_afresh, save

    if not store.runs():
        return fold_afresh(store.contents())
    with store.lock():
        fold = fold_afresh(store.contents())
        save(store, fold)
    return fold


def _compared(store: Store) -> Fold:
    """Return the ratings as the trueskill package computes them; say how far the flat engine's are."""
    from results.rating import trueskill_package
    from results.rating.cache import fold_afresh

    contents = store.contents()
    flat, package = fold_afresh(contents), fold_afresh(contents, trueskill_package.update_skills)
    pairs = [(flat.standings[key], package.standings[key]) for key in flat.standings]
    mu = max((abs(one.mu - other.mu) for one, other in pairs), default=0.0)
    sigma = max((abs(one.sigma - other.sigma) for one, other in pairs), default=0.0)
    note(f"largest difference between flat and package: {mu:.1e} in mu, {sigma:.1e} in sigma")
    if flat.unrated != package.unrated:
        note(f"matches that stay unrated: {flat.unrated:,} by flat, {package.unrated:,} by package")
    return package


def verify(
    repair: Annotated[
        bool,
        typer.Option("--repair", metavar="", help="Move damaged files to results/damaged, go on without."),
    ] = False,
    jobs: Annotated[int | None, jobs_option("Processes that play matches again.")] = None,
    home: HomeOption = None,
    format: Annotated[  # noqa: A002
        Literal["table", "json"], typer.Option("--format", "-f", help="How to print what was found.")
    ] = "table",
) -> None:
    """Check that nothing stored has changed: every file and bot, every match played again, every rating.

    Files are held against their checksums, bots against the hashes of their versions; each match is dealt
    and played again by its engine, some 500 to 1,000 a second on a core; ratings are folded again. Nothing
    is written, and a run may be under way. Exit code 4 if anything is wrong.

    With --repair, what is damaged is moved aside, never deleted, and what was lost is said. A finished run
    stays finished, and is rated by what is left of it; an unfinished one plays lost blocks again when it is
    continued. An older manifest stands in for a damaged one.

    Example: ladder verify --repair
    """
    from ladder.cores import usable_cores
    from ladder.home import chosen_tier
    from ladder.replay.verify import repair as repair_results
    from ladder.replay.verify import verify as verify_results
    from results.errors import UnsoundResults

    jobs = jobs or len(usable_cores())
    where = existing_home(home)
    store, may_write = store_of(where), chosen_tier(where) == "none"
    mended: list[Problem] = []
    with _progress() as report:
        if repair:
            verification, mended = repair_results(store, report, jobs, where.roster, may_write)
        else:
            verification = verify_results(store, report, jobs, where.roster, may_write)
    _print_verification(verification, mended, format)
    if any(finding.lost for finding in mended):
        note(
            "finished runs stay finished, rated by what is left; an unfinished one plays what is lost again",
            "ladder run --resume" if store.unfinished_run() else "ladder leaderboard",
        )
    if not verification.sound:
        wrong = (
            sum(map(len, (verification.damaged, verification.changed, verification.misrated)))
            + verification.wrong_matches
        )
        raise UnsoundResults(f"{wrong:,} found wrong", _advice(verification))


def _advice(verification: Verification) -> str:
    """Return what to do about what is wrong."""
    if verification.damaged or verification.misrated:
        return "restore the files from a backup, or: ladder verify --repair, which goes on without them"
    if verification.changed:
        return "submit these bots again, or restore their folders from a backup"
    match = verification.wrong[0].where
    return f"ladder replay {match} --json; a match can be wrong only if the ladder has changed"


@contextmanager
def _progress() -> Iterator[Report]:
    """Show how far it is, where stderr is a terminal: one line, a few times a second."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    began = shown = time.monotonic()

    def show(done: int, total: int) -> None:
        nonlocal shown
        if (now := time.monotonic()) - shown > 0.2:
            shown = now
            pace = f"{done / (now - began):,.0f}/s"
            print(f"\r{done:,} of {total:,} matches, {pace}\x1b[K", end="", file=sys.stderr, flush=True)

    try:
        yield show
    finally:
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def _print_verification(verification: Verification, mended: list[Problem], form: str) -> None:
    from msgspec import json

    from results.reports.render import Column, escape

    checked = [
        {"what": "files", "checked": verification.files, "wrong": len(verification.damaged)},
        {"what": "bots", "checked": verification.bots, "wrong": len(verification.changed)},
        {
            "what": "matches",
            "checked": verification.matches - verification.other_rules.total(),
            "wrong": verification.wrong_matches,
        },
        {"what": "ratings", "checked": verification.standings, "wrong": len(verification.misrated)},
    ]
    found = [*verification.damaged, *verification.changed, *verification.wrong, *verification.misrated]
    if form == "json":
        answer = {"sound": verification.sound, "checked": checked, "wrong": found, "mended": mended}
        answer["moved"] = list(map(str, verification.moved))
        answer["not_played_again"] = verification.other_rules
        print(json.format(json.encode(answer)).decode())
        return
    numbers = [Column(name, name, "{:,}".format, right=True) for name in ("checked", "wrong")]
    print_rows(checked, [Column("what", "what"), *numbers], form)
    for word, findings in (("wrong", found), ("mended", mended)):
        for finding in findings:
            print(f"\n{word}: {finding.where}: {escape(finding.what)}")
            if finding.lost:
                print(f"  lost: {finding.lost}")
    for path in verification.moved:
        note(f"moved to {path}")
    if hidden := verification.wrong_matches - len(verification.wrong):
        note(f"and {hidden:,} more matches")
    if verification.unknown_bots:
        note(f"{verification.unknown_bots:,} versions that an older ladder built cannot be checked")
    for why, matches in verification.other_rules.items():
        note(f"not played again: {matches:,} {'match' if matches == 1 else 'matches'} {why}")
