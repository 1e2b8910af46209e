"""Start a bot that has failed once more, to see what it does beyond its time."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from pathlib import Path

import msgspec

from engines import GAMES
from engines.wording import tell_rules
from ladder.admission.advice import Evidence, Heard
from ladder.admission.finding import ENDING_SECONDS, LATER_SECONDS
from ladder.contest.blocks import Contest
from ladder.contest.keys import draw_secret
from ladder.errors import TooBusy
from ladder.home.home import Home, confinement_of
from ladder.process.link import BotLink
from ladder.process.patience import Patience
from ladder.registry.version import Version
from ladder.worker.practice import practice_settings, practice_setup
from ladder.worker.worker import Worker
from protocol import encode as message
from protocol.lines import LineTooLong

__all__ = ["examine"]


def examine(
    home: Home,
    version: Version,
    game: str,
    seats: int,
    evidence: Evidence,
    passed: Mapping[str, str] | None = None,
) -> Evidence:
    """Return *evidence* of how *version* failed at *game*, with *seats*, and what else is to be known of it.

    A bot that was silent until its time was over is started once more, with the variables *passed*, and asked
    the same: the first decision of a process needs no other message.
    """
    contest = Contest(game, seats, home.options(game), ())
    settings, confinement = practice_settings(home), confinement_of(home)
    evidence = evidence._replace(
        bot=version.bot,
        folder=Path(version.folder),
        limits=settings.limits_at(version.bot, game),
        has_network=version.manifest.network and version.bot in confinement.network,
        scratch_mb=confinement.scratch_mb,
    )
    is_start = evidence.reason.startswith("no ready within")
    if not is_start and (evidence.kind != "timeout" or evidence.answer or not evidence.request):
        return evidence
    variables = dict(home.variables_for(version.manifest.env) if passed is None else passed)
    version = msgspec.structs.replace(version, folder=str(Path(version.folder).resolve()))
    setup = practice_setup(
        (contest,), (version,), settings, confinement, secret=draw_secret(), passed={version.id: variables}
    )
    worker = Worker(setup, practice=True)
    try:
        return _look_again(worker, version, contest, evidence)
    except (TooBusy, LineTooLong):  # so nothing is known of its time
        return evidence
    finally:
        worker.kill()


def _look_again(worker: Worker, version: Version, contest: Contest, evidence: Evidence) -> Evidence:
    """Start *version* again, ask it the same, and return *evidence* with what it did."""
    limits = evidence.limits
    if evidence.kind != "timeout":
        (player,) = worker.invite([version])
        return _listen(player.process, limits["start_ms"], evidence) if player.process else evidence
    player = worker.start_ready(version)
    if not player.process or not player.ready:
        return evidence
    rules = GAMES[contest.game]
    start = message.start(
        msgspec.json.decode(evidence.request)["match"],
        contest.game,
        rules.version,
        evidence.seat,
        contest.seats,
        contest.options,
        tell_rules(rules, contest.options) if player.ready.rules else None,
    )
    player.process.send(start + evidence.request.encode())
    return _listen(player.process, limits["move_ms"] + limits["bank_ms"], evidence)


def _listen(process: BotLink, limit_ms: int, evidence: Evidence) -> Evidence:
    """Return *evidence* with what *process* says until its limit is long over, or as its stdin ends."""
    patience = Patience(limit_ms / 1000 + LATER_SECONDS, process.pids)
    state: str = "came"
    while process.stdout_open and (state := patience.wait(process.stdout_fd)) == "came":
        if process.receive():
            return evidence._replace(heard="late", took_ms=100 * ceil(10 * patience.elapsed_s))
    heard: Heard = "cut off" if process.unfinished_line else ""
    if not heard and state == "over":
        process.say_bye(b"")
        if process.exit_fd is not None:
            Patience(ENDING_SECONDS, process.pids).wait(process.exit_fd)
        heard = "at its end" if process.receive() or process.unfinished_line else ""
    return evidence._replace(heard=heard, answer=process.unfinished_line[:80].decode("utf-8", "replace"))
