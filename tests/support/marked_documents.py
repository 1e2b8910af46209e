"""Documents with a mark in each secret that their facts hold, for each kind of reader."""

from collections.abc import Callable

import msgspec

from engines import GAMES
from ladder.home.night import NewVersion, NightFaults, NightPlace, NightReport, failed_night
from ladder.home.night_document import night_document
from ladder.reference.reference_result import RatedRow, ReferenceResult, reference_document
from ladder.registry.bot_manifest import BotManifest
from ladder.registry.version import Ban, Version
from ladder.replay.bot_document import BotSubject, ShownLoss, bot_document
from ladder.replay.bot_identity import identity
from ladder.replay.replay import rebuild_deal
from ladder.replay.review.bot_review import BotReview, SeenDecision
from ladder.replay.review.decisions_document import ShownDecision
from ladder.replay.review.summary import Rate
from ladder.replay.review.walk import walk
from ladder.web.site.run_pages import run_facts
from results.rating.betting import Interval
from results.rating.duel_question import Verdict
from results.rating.duel_tally import BlockResult, Tally
from results.rating.reference_score import ReferenceScore
from results.record import Note, RunCommand
from results.reports.bot_facts import BotFacts, BotFaults, GameFacts
from results.reports.costs import Costs
from results.reports.document import Audience, BotRef, Document
from results.reports.duel_document import DuelSubject, duel_document, duels_document
from results.reports.duel_report import ContestResult, duel_rows
from results.reports.losses import LostMatch
from support.records import a_fault, a_match, a_run, a_seat
from support.reviewed import a_review

SEED = 987_654_321
"""The seed of a run, which people may have typed."""
MARKS = (
    *("NoteOfAuthor", "NameOfAuthor", "ReasonOfBan", "FolderOfBot", "OriginOfBot", "CommandOfBot"),
    *("StderrOfBot", "ReasonOfFault", "RequestOfFault", "AnswerOfBot", "ThoughtOfOther", "SecretOfRun"),
    *("HostOfRun", str(SEED), "PlaceOfResults", "ProgramOfNight", "ErrorOfNight", "TaskOfNight"),
    *("PathInFault", "OwnReplay"),
)


def marks_in(text: str) -> set[str]:
    """Return the marks in *text*, whose lines may be broken."""
    return {mark for mark in MARKS if mark in text}


def _bot(audience: Audience) -> Document:
    manifest = BotManifest("alpha", ("CommandOfBot",), author="NameOfAuthor")
    version = Version(
        "alpha",
        "alpha-1",
        "/FolderOfBot",
        manifest,
        number=1,
        note="NoteOfAuthor",
        ban=Ban("ReasonOfBan", "2026-01-01"),
    )
    fault = a_fault(
        reason="ReasonOfFault in PathInFault",
        stderr="StderrOfBot",
        request='{"type":"act","seed":"RequestOfFault"}',
        answer="AnswerOfBot",
    )
    newest = [msgspec.to_builtins(fault)]
    game = GameFacts("stellar", {}, [], [], [], [], [], None, Costs(), [], {}, 1000)
    row = a_review()[0]
    match = a_match(options={}, seats=[a_seat("alpha"), a_seat("beta", 2, notes=[Note(0, "ThoughtOfOther")])])
    first = next(walk(GAMES["stellar"], rebuild_deal(match, {}), 2, []))
    seen = SeenDecision(match, first.view_of(0), ["keep"])
    review = BotReview(
        bot="alpha",
        matches=1,
        quick=0,
        rates={("stellar", 2): Rate(1, 0.1, None, 1.0, None)},
        kinds={},
        played={("stellar", 2): 1},
        beaten={("stellar", 2): 0.5},
        named={"mistake": 1},
        worst=[row],
    )
    subject = BotSubject(
        "alpha",
        [BotFacts(("alpha", "alpha-1"), [], [game], BotFaults({"timeout": 1}, {}, newest))],
        [version],
        {("alpha", "alpha-1"): 1},
        identity(version, {"move_ms": 1000}, "OriginOfBot"),
        review=review,
        decisions=[ShownDecision(row, seen)],
        losses=[ShownLoss("stellar", LostMatch(1.0, 3, (1, 0), 0, 2, (1, 0)), "OwnReplay")],
        cards=1,
        hide_paths=lambda text: text.replace("PathInFault", "..."),
    )
    return bot_document(subject, audience)


def _run(audience: Audience) -> Document:
    run = a_run(
        secret="SecretOfRun",
        host="HostOfRun",
        settings=msgspec.structs.replace(a_run().settings, asked=RunCommand(seed=SEED)),
    )
    return Document("Run 1", [run_facts(run, {"timeout": 1}, audience)])


def _duel_results() -> list[ContestResult]:
    tally = Tally(2, {BlockResult(2, 0, 0): 30})
    interval = Interval(0.1, 0.9)
    return [ContestResult("stellar", tally, interval, Verdict.UNDECIDED, 0.05, ({"crash": 1}, {}))]


def _duel(audience: Audience) -> Document:
    bots = BotRef("alpha", "alpha-1"), BotRef("beta", "beta-1")
    return duel_document(DuelSubject(bots, _duel_results(), "d1", "/PlaceOfResults", 64), audience)


def _duels(audience: Audience) -> Document:
    run = a_run(secret="SecretOfRun", host="HostOfRun")
    return duels_document(duel_rows("d1", run, _duel_results()), audience)


def _night(audience: Audience) -> Document:
    report = NightReport(
        when="2026-11-26T23:20:38+00:00",
        since=None,
        runs=[4],
        matches=1200,
        bots=[NewVersion("alpha", 1, True, "2026-11-26", "NoteOfAuthor")],
        faults=[NightFaults("alpha", "crash", 6, "4/75")],
        places=[NightPlace("stellar", "alpha", 1, 1, 2, 4, 6)],
        left_out=["beta: ProgramOfNight is not installed"],
        to_do=["TaskOfNight"],
    )
    return night_document(report, audience)


def _failed_night(audience: Audience) -> Document:
    return night_document(failed_night(ValueError("ErrorOfNight"), "TaskOfNight"), audience)


def _reference(audience: Audience) -> Document:
    result = ReferenceResult(
        set="R1",
        key="stellar/2",
        bot="alpha",
        run="d1",
        score=ReferenceScore(30.0, 28.0, 32.0),
        rows=(RatedRow("greedy", 25.0, 0.7, 100),),
        matches=100,
        faults=1,
        voids=0,
        full=False,
    )
    return reference_document(result, audience)


MARKED: dict[str, Callable[[Audience], Document]] = {
    "bot_document": _bot,
    "run_facts": _run,
    "duel_document": _duel,
    "duels_document": _duels,
    "night_document": _night,
    "night_document of one that failed": _failed_night,
    "reference_document": _reference,
}
"""By the builder, what makes its document for an audience, of facts that hold marks."""
