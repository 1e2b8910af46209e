"""Start a bot that has failed once more, to see what it does beyond its time."""

from collections.abc import Mapping
from math import ceil
from pathlib import Path

import msgspec

from engines import GAMES
from engines.wording import tell_rules
from ladder.admission.advice import Heard, Symptoms
from ladder.admission.finding import ENDING_SECONDS, LATER_SECONDS
from ladder.admission.self_play import practice_settings
from ladder.contest.keys import draw_secret
from ladder.errors import LadderError
from ladder.home.home import Home, confinement_of
from ladder.process.bot import BotProcess
from ladder.process.patience import Patience
from ladder.registry.version import Version
from ladder.worker.practice import practice_setup
from ladder.worker.worker import Worker
from protocol import encode as message
from protocol.lines import LineTooLong
from results.record import Contest


def examine(
    home: Home,
    version: Version,
    game: str,
    seats: int,
    symptoms: Symptoms,
    passed: Mapping[str, str] | None = None,
) -> Symptoms:
    """Return *symptoms* of how *version* failed at *game*, with *seats*, and what else is to be known of it.

    A bot that was silent until its time was over is started once more, with the variables *passed*, and asked
    the same: the first decision of a process needs no other message.
    """
    contest = Contest(game, seats, home.options(game), ())
    settings, confinement = practice_settings(home, version), confinement_of(home)
    symptoms = symptoms._replace(
        bot=version.bot,
        folder=Path(version.folder),
        limits=settings.limits_at(version.bot, game),
        has_network=confinement.gives_network(version.bot, asked=version.manifest.network),
        scratch_mb=confinement.scratch_mb,
    )
    is_start = symptoms.reason.startswith("no ready within")
    if not is_start and (symptoms.kind != "timeout" or symptoms.answer or not symptoms.request):
        return symptoms
    variables = dict(home.variables_for(version.manifest.env) if passed is None else passed)
    version = msgspec.structs.replace(version, folder=str(Path(version.folder).resolve()))
    setup = practice_setup(
        (contest,), (version,), settings, confinement, secret=draw_secret(), passed={version.id: variables}
    )
    worker = Worker(setup, practice=True)
    try:
        return _look_again(worker, version, contest, symptoms)
    except (LadderError, LineTooLong):  # so nothing more is known
        return symptoms
    finally:
        worker.kill()


def _look_again(worker: Worker, version: Version, contest: Contest, symptoms: Symptoms) -> Symptoms:
    """Start *version* again, ask it the same, and return *symptoms* with what it did."""
    limits = symptoms.limits
    if symptoms.kind != "timeout":
        (player,) = worker.invite([version])
        return _listen(player.process, limits["start_ms"], symptoms) if player.process else symptoms
    player = worker.start_ready(version)
    if not player.process or not player.ready:
        return symptoms
    rules = GAMES[contest.game]
    start = message.start(
        msgspec.json.decode(symptoms.request)["match"],
        contest.game,
        rules.version,
        symptoms.seat,
        contest.seats,
        contest.options,
        tell_rules(rules, contest.options) if player.ready.rules else None,
    )
    player.process.send(start + symptoms.request.encode())
    return _listen(player.process, limits["move_ms"] + limits["bank_ms"], symptoms)


def _listen(process: BotProcess, limit_ms: int, symptoms: Symptoms) -> Symptoms:
    """Return *symptoms* with what *process* says until its limit is long over, or as its stdin ends."""
    patience = Patience(limit_ms / 1000 + LATER_SECONDS, process.pids)
    state: str = "came"
    while process.stdout_open and (state := patience.wait(process.stdout_fd)) == "came":
        if process.receive():
            return symptoms._replace(heard="late", took_ms=100 * ceil(10 * patience.elapsed_s))
    heard: Heard = "cut off" if process.unfinished_line else ""
    if not heard and state == "over":
        process.say_bye(b"")
        if process.exit_fd is not None:
            Patience(ENDING_SECONDS, process.pids).wait(process.exit_fd)
        heard = "at its end" if process.receive() or process.unfinished_line else ""
    return symptoms._replace(heard=heard, answer=process.unfinished_line[:80].decode("utf-8", "replace"))
