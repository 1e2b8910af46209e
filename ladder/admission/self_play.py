"""A bot against itself, before it plays against others: what fails, and where."""

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from signal import SIGKILL

import msgspec

from engines import GAMES
from ladder.contest.blocks import PlannedBlock, matches_of
from ladder.contest.keys import draw_secret
from ladder.errors import TooBusy
from ladder.home.home import Home, confinement_of
from ladder.referee.handshake import ending
from ladder.registry.bot_manifest import BotManifest
from ladder.registry.version import Version, game_of
from ladder.worker.check_progress import CheckProgress
from ladder.worker.practice import practice_setup, twin
from ladder.worker.side_by_side import SideBySide
from ladder.worker.worker import VOIDS, Worker
from ladder.worker.worker_messages import TranscriptPlace
from results.record import Block, Contest, Fault, RunSettings

KILLED = "`dmesg` shows if memory ran out; free some, then run the same command again"


def is_refused(manifest: BotManifest, failed: Mapping[str, Fault]) -> bool:
    """Return whether *failed*, as Version.unfit, refuses a bot: no start, or a game or size that it names."""
    return any(
        fault.kind == "start" or place in manifest.games or manifest.sizes_of(game_of(place))
        for place, fault in failed.items()
    )


def name_others(manifest: BotManifest, place: str, failed: Collection[str]) -> str:
    """Return how to name the others of a bot that *failed* at these places, in an advice on *place*."""
    game, at, _ = place.partition("/")
    known = manifest.sizes_of(game) or GAMES[game].seats
    sizes = [seats for seats in known if f"{game}/{seats}" not in failed]
    told = f"; if it is for other tables, name them in bot.toml: seats = {{ {game} = {sizes} }}"
    return told if at and sizes else ""


def play_itself(
    home: Home,
    version: Version,
    games: Sequence[str],
    progress: CheckProgress,
    transcript: TranscriptPlace | None = None,
    *,
    passed: Mapping[str, str] | None = None,
    one_match: bool = False,
) -> dict[str, Fault]:
    """Let *version* play a match against itself at each table size of *games* that its manifest allows.

    Return its first fault in each game in which it failed at all sizes, else its fault at each size: see
    Version.unfit.  With *one_match*, play at the smallest size of each game alone.  Stop after a game for
    which it is refused.  *passed* are the environment variables that it may have, if they are others than in
    a run.  *transcript* is where all lines are written down.

    Raises TooBusy where the machine delays the bot too much, three times, or has killed its process.
    """
    if not games:
        return {}
    failed: dict[str, Fault] = {}
    passed = home.variables_for(version.manifest.env) if passed is None else passed
    most = 1 if one_match else None
    contests = [
        Contest(game, seats, home.options(game), tuple(range(seats)))
        for game in games
        for seats in (version.manifest.sizes_of(game) or GAMES[game].seats)[:most]
    ]
    twins = tuple(twin(version, i) for i in range(max(contest.seats for contest in contests)))
    setup = practice_setup(
        tuple(contests),
        twins,
        practice_settings(home, version),
        confinement_of(home),
        secret=draw_secret(),
        passed={bot.id: dict(passed) for bot in twins},
        transcript=transcript,
        caps=home.settings.caps_of(twins),
    )
    with Worker(setup, on_event=progress.hear, practice=True) as worker:
        matches = {
            number: partial(_first_fault, worker, number, version.bot) for number in range(len(contests))
        }
        with SideBySide(worker, matches, progress.hear_tables) as played:
            for game in games:
                numbers = [number for number, contest in enumerate(contests) if contest.game == game]
                found: dict[str, Fault] = {}
                for number in numbers:
                    seats = contests[number].seats
                    progress.play(f"{version.bot} against itself: {game} for {seats}", 1, seats)
                    if fault := played.result(number):
                        found[f"{game}/{seats}"] = fault
                        if fault.kind == "start":
                            numbers = [number]
                            break
                failed |= {game: next(iter(found.values()))} if len(found) >= len(numbers) else found
                if is_refused(version.manifest, failed):
                    break
    return failed


def _first_fault(worker: Worker, number: int, bot: str) -> Fault | None:
    """Return the first fault in a match of contest *number*, which has the same processes as those before.

    In a match against itself a bot has every seat, so one match shows what a block does.  Raises TooBusy.
    """
    contest = worker.setup.contests[number]
    match = matches_of(PlannedBlock(number, number, number, contest.bots), contest)[0]
    try:
        played = worker.play_match(match, VOIDS, warm=True)
        if faults_in(played) and number:
            # alone, so that what it remembers of another game is not held against this one
            played = worker.play_match(match, VOIDS)
    except TooBusy as error:
        raise TooBusy(error.reason, judged=bot) from None
    check_not_killed(played, worker.setup.settings, bot)
    return next(iter(faults_in(played)), None)


def faults_in(played: Block) -> list[Fault]:
    """Return the faults of a practice match without reports of a service that answered in the end."""
    return [fault for fault in played.faults if fault.charged or fault.kind != "transport"]


def check_not_killed(played: Block, settings: RunSettings, bot: str) -> None:
    """Raise TooBusy if a process of *bot* was killed as the kernel does when the machine has no memory left.

    A bot that was at its own limit is not meant: that is its fault.  Raise it also if its service was down.
    """
    for fault in played.faults:
        if fault.bot == bot and fault.charged and fault.kind == "transport":
            raise TooBusy(fault.reason, judged=bot)
        limit = settings.limits_at(bot, played.matches[0].game)["memory_mb"] << 20
        used = max(seat.memory_bytes or 0 for match in played.matches for seat in match.seats)
        if fault.bot == bot and fault.reason.endswith(f"({ending(-SIGKILL)})") and used < limit:
            raise TooBusy(f"{fault.reason}, as where memory runs out", KILLED, judged=bot)


def practice_settings(home: Home, *bots: Version) -> RunSettings:
    """Return the settings of practice matches of *bots* in *home*: an illegal move is a fault at once."""
    return msgspec.structs.replace(home.held_to(bots), freeze="off", retries=0)
