"""`ladder home verify`: check that no result has changed."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Literal

from ladder.cli.options import HomeOption, existing_home, note, print_rows, store_of
from ladder.machine.cores import usable_cores
from ladder.run.match_options import OWN_JOBS
from ladder.run.option import Option, whole
from results.errors import UnsoundResults
from results.reports.document import Column
from results.reports.values_as_text import escape
from results.words import count, pace

if TYPE_CHECKING:
    from ladder.home.home import Home
    from ladder.replay.verify import Problem, Report, Verification
    from results.storage.store import Store

REPLAYERS = replace(OWN_JOBS, help="Processes that play matches again.")


def verify(
    repair: Annotated[
        bool, Option("Move damaged files to results/damaged and continue without them.")
    ] = False,
    jobs: Annotated[int | None, REPLAYERS] = None,
    sample: Annotated[
        int | None, Option("Replay N matches only, drawn at random each time.", metavar="N", read=whole(1))
    ] = None,
    reviews: Annotated[
        int, Option("Also make N of the stored reviews again, and compare them.", metavar="N", read=whole(0))
    ] = 0,
    home: HomeOption = None,
    format: Annotated[  # noqa: A002
        Literal["table", "json"], Option("How to print the findings.", ("--format", "-f"))
    ] = "table",
) -> None:
    """Check that no result has changed.

    Files are compared with their checksums, and bots with the hashes of their versions. The engines play
    every match again, 500 to 1,000 a second per core, and the ratings are computed again. With --sample N,
    they play N matches only; all else is checked in whole. Duels, unrated runs and the files of reviews are
    checked as well; with --reviews N, N reviews are made again. The pairings of tournaments are computed
    again from their secrets. Nothing is written, and a run may be in progress. The exit code is 4 if anything
    is wrong.

    With --repair, damaged files are moved aside, never deleted, and the report says what was lost. A
    finished run stays finished and is rated by the matches that are left. An unfinished run plays lost
    blocks again when it continues. An older manifest replaces a damaged one.

    Example: ladder home verify --repair
    """
    from engines import GAMES

    len(GAMES)  # imports them; a game that cannot be imported is warned of at the end

    jobs = jobs or len(usable_cores())
    where = existing_home(home)
    store = store_of(where)
    with _progress() as report:
        verification, mended = _verify_all(where, repair, report, jobs, sample)
    _print_verification(verification, mended, format)
    if any(finding.lost for finding in mended):
        note(
            "finished runs stay finished, rated by what is left; an unfinished run replays what is lost",
            "ladder run --resume" if store.unfinished_run() else "ladder leaderboard",
        )
    other_reviews = _remake_reviews(store, reviews)
    if not verification.sound:
        listed = verification.damaged, verification.changed, verification.misrated, verification.mispaired
        wrong = sum(map(len, listed)) + verification.wrong_matches
        raise UnsoundResults(f"{wrong:,} found wrong", _advice(verification))
    if other_reviews:
        raise UnsoundResults(
            f"{other_reviews:,} reviews found wrong", "ladder review --drop, then review again"
        )


def _verify_all(
    home: Home, repair: bool, report: Report, jobs: int, sample: int | None
) -> tuple[Verification, list[Problem]]:
    """Verify the rated results of *home* and all others; return what is wrong, and what a *repair* mended."""
    from ladder.home.bot_life import may_write
    from ladder.replay.verify import check_bots, share_sample
    from ladder.replay.verify import repair as repair_results
    from ladder.replay.verify import verify as verify_results
    from results.storage.unrated import unrated_stores

    store, others = store_of(home), unrated_stores(home.results, hidden=True).values()
    share, *shares = share_sample(sample, [store, *others])
    mended: list[Problem] = []
    if repair:
        whole, mended = repair_results(store, report, jobs, share)
    else:
        whole = verify_results(store, report, jobs, share)
    check_bots(whole, home.roster, lambda: may_write(home))
    if not whole.damaged:
        _check_pairings(store, whole)
    for unrated, share in zip(others, shares, strict=True):
        found = verify_results(unrated, report, jobs, share)
        if repair and (found.damaged or found.misrated):  # else a duel may be going on in it
            found, more = repair_results(unrated, report, jobs, share)
            mended += more
        if not found.damaged:
            _check_pairings(unrated, found)
        whole.include(found)
    return whole, mended


def _check_pairings(store: Store, verification: Verification) -> None:
    """Add to *verification* whether all tournaments in *store* were paired by their secrets."""
    from ladder.replay.verify import Problem
    from ladder.run.tournament.pairing_check import check_pairings
    from ladder.run.tournament.stored_tournaments import read_tournament

    for run in store.runs():
        if found := read_tournament(store, run.run):
            check = check_pairings(found)
            verification.pairings += check.blocks
            verification.unpaired += check.left
            verification.mispaired += [Problem(where, what) for where, what in check.wrong]


def _remake_reviews(store: Store, most: int) -> int:
    """Make at most *most* reviews again; return how many differ, and name them."""
    if not most:
        return 0
    from ladder.replay.review.reviewing import remake_reviews

    made, outdated, wrong = remake_reviews(store.contents(), most)
    note(f"made {count(made, 'review')} again: {len(wrong) or 'none'} differ")
    if outdated:
        note(f"not made again, since an older ladder estimated otherwise: {outdated:,}")
    for name in wrong[:10]:
        note(f"another review of match {name}")
    return len(wrong)


def _advice(verification: Verification) -> str:
    if verification.damaged or verification.misrated:
        return "restore the files from a backup, or: ladder home verify --repair, which goes on without them"
    if verification.changed:
        return "submit these bots again, or restore their folders from a backup"
    if not verification.wrong:
        return "restore results/ from a backup, or hold the tournament again"
    match = verification.wrong[0].where
    return f"ladder replay {match} --format json; a match can be wrong only if the ladder has changed"


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
            fast = pace(done / (now - began))
            print(f"\r{count(done, 'match', total)}, {fast}\x1b[K", end="", file=sys.stderr, flush=True)

    try:
        yield show
    finally:
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def _print_verification(verification: Verification, mended: list[Problem], form: str) -> None:
    from msgspec import to_builtins

    from results.reports.render import json_text

    counts = {
        "files": (verification.files, len(verification.damaged)),
        "bots": (verification.bots, len(verification.changed)),
        "matches": (verification.replayed, verification.wrong_matches),
        "ratings": (verification.standings, len(verification.misrated)),
    }
    if verification.pairings or verification.mispaired:
        counts["pairings"] = verification.pairings, len(verification.mispaired)
    if verification.reviews:
        counts["reviews"] = verification.reviews, 0
    checked = [{"what": what, "checked": of, "wrong": wrong} for what, (of, wrong) in counts.items()]
    found = [*verification.damaged, *verification.changed, *verification.wrong, *verification.misrated]
    found += verification.mispaired
    if form == "json":
        answer = {
            "sound": verification.sound,
            "checked": checked,
            "wrong": found,
            "mended": mended,
            "moved": list(map(str, verification.moved)),
            "not_drawn": verification.left_out,
            "not_played_again": verification.other_rules,
            "without_secret": verification.unproved,
        }
        print(json_text(to_builtins(answer)))
        return
    numbers = [Column(name, name, "{:,}".format, right=True) for name in ("checked", "wrong")]
    print_rows(checked, [Column("what", "what"), *numbers], form)
    for word, findings in (("wrong", found), ("mended", mended)):
        for finding in findings:
            print(f"\n{word}: {finding.where}: {escape(finding.what)}")
            if finding.lost:
                print(f"  lost: {finding.lost}")
    _note_exceptions(verification)


def _note_exceptions(verification: Verification) -> None:
    """Say what was moved, what is not listed, and what could not be checked."""
    if verification.left_out:
        drawn, said = verification.replayed, ""
        if drawn > 3 and not verification.wrong_matches:  # the rule of three
            said = f": at most {300 / drawn:.2g} % of all can be wrong (95 %)"
        total = count(drawn + verification.left_out, "match")
        note(f"replayed {drawn:,} of {total}, chosen at random{said}")
    for path in verification.moved:
        note(f"moved to {path}")
    if hidden := verification.wrong_matches - len(verification.wrong):
        note(f"and {hidden:,} more matches")
    if verification.unknown_bots:
        note(f"{verification.unknown_bots:,} versions that an older ladder built cannot be checked")
    if strays := verification.stray_reviews:
        note(f"reviews of matches that are not here, which are not shown: {strays:,}")
    for why, matches in verification.other_rules.items():
        note(f"not played again: {count(matches, 'match')} {why}")
    if verification.unpaired:
        note(
            f"pairings that cannot be checked, after one that is wrong or missing: {verification.unpaired:,}"
        )
    if verification.unproved:
        runs, matches = [*verification.unproved], verification.unproved.total()
        more = f" and {len(runs) - 5:,} more" if runs[5:] else ""
        deals = f"the deals of {count(matches, 'match')}, and moves by the referee"
        secrets = f"secrets: those of run {', '.join(runs[:5])}{more} are not here"
        note(f"not checked whether {deals}, follow from {secrets}")
