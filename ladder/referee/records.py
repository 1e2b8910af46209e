"""Turn a match and its faults into records for the store."""

import socket
import time
from collections.abc import Sequence
from typing import Any

import msgspec

from engines import GAMES
from ladder.contest.blocks import ScheduledMatch
from ladder.contest.custom_options import replace_custom
from ladder.contest.keys import Keys
from ladder.referee.attribution import FaultVerdict
from ladder.referee.match import OpenRequest, SeatFault, TableMatch, TableSeat
from ladder.registry.version import Version
from results import record

HEAD = 4096
"""The most bytes of a request or an answer that are stored with a fault."""

MACHINE = socket.gethostname()
"""The name of the machine that this process runs on."""

_encode = msgspec.json.Encoder().encode


def match_record(
    run: int, sandbox: str, match: TableMatch, ranks: Sequence[int], scores: Sequence[int] | None, now: int
) -> record.Match:
    """Return the record of *match*, which is over at *now* (monotonic, in nanoseconds)."""
    return record.Match(
        **_identity(run, sandbox, match.scheduled, match.deal_seed),
        deal_digest=match.deal_digest,
        moves=_encode(match.steps).decode(),
        seats=[_seat_record(s, ranks[s.index], scores[s.index] if scores else None) for s in match.seats],
        void=False,
        started=match.started_us,
        duration_us=(now - match.started_ns) // 1000,
    )


def void_record(
    run: int, sandbox: str, keys: Keys, scheduled: ScheduledMatch, bots: Sequence[Version]
) -> record.Match:
    """Return the record of a match that the runner could not play: its number and its bots."""
    return record.Match(
        **_identity(run, sandbox, scheduled, keys.deal(scheduled.block)),
        deal_digest="",
        # a void match shows nothing of what was played: its next attempt has the same deal
        moves="[]",
        seats=[
            record.Seat(
                bot=bot.bot,
                version=bot.version,
                name=keys.name(scheduled.match, seat),
                rank=None,
                score=None,
                fault=None,
                fault_step=None,
                think_us=[],
                busy_us=[],
                outside_us=None,
                cpu_us=None,
                notes=[],
                usage=None,
            )
            for seat, bot in enumerate(bots)
        ],
        void=True,
        started=time.time_ns() // 1000,
        duration_us=0,
    )


def _identity(run: int, sandbox: str, scheduled: ScheduledMatch, deal_seed: bytes) -> dict[str, Any]:
    """Return the fields that identify a match, and those that say how it was played."""
    contest = scheduled.contest
    return {
        "run": run,
        "number": scheduled.match,
        "attempt": scheduled.attempt,
        "block": scheduled.block,
        "rotation": scheduled.rotation,
        "game": contest.game,
        "game_version": GAMES[contest.game].version,
        "options": replace_custom(contest.options),
        "deal_seed": deal_seed.hex(),
        "deal": scheduled.deal,
        "paired": scheduled.paired,
        "sandbox": sandbox,
        "machine": MACHINE,
    }


def _seat_record(seat: TableSeat, rank: int, score: int | None) -> record.Seat:
    """Return the record of *seat*; CPU time only if its process lives and played no other match meanwhile."""
    process = seat.player.process
    after = process.cpu_us() if process and not seat.player.lost else None
    # CPU time is per process.  With other matches in progress in the same process, it cannot be said which
    # match used it, so a partial list is worse than none.
    busy_us = seat.busy_us if len(seat.busy_us) == len(seat.think_us) else []
    return record.Seat(
        bot=seat.player.bot.bot,
        version=seat.player.bot.version,
        name=seat.name,
        rank=rank,
        score=score,
        fault=seat.breach.kind if seat.breach else None,
        fault_step=seat.fault_step,
        think_us=seat.think_us,
        busy_us=busy_us,
        outside_us=sum(seat.outside_us) + seat.beside_us if busy_us else None,
        cpu_us=after - seat.cpu_before if after is not None and seat.cpu_before is not None else None,
        notes=seat.notes,
        usage=seat.usage,
        memory_bytes=seat.player.peak_bytes or None,
    )


def fault_record(
    run: int,
    match: TableMatch,
    seat: TableSeat,
    fault: SeatFault,
    verdict: FaultVerdict,
    asked: OpenRequest | None,
    now: int,
    limit_ns: int,
) -> record.Fault:
    """Return the record of *fault*, for the bot's author; *now* is monotonic, in nanoseconds."""
    process, bot = seat.player.process, seat.player.bot
    return record.Fault(
        run=run,
        number=match.scheduled.match,
        attempt=match.scheduled.attempt,
        seat=seat.index,
        bot=bot.bot,
        version=bot.version,
        kind=fault.kind,
        step=match.step,
        charged=verdict.charged,
        reason=verdict.reason,
        request=_text(asked.request) if asked else "",
        choice=match.position.write_choice(seat.index).decode() if asked else "",
        answer=_text(fault.answer),
        elapsed_us=(now - asked.sent_ns) // 1000 if asked and asked.sent_ns else 0,
        limit_us=limit_ns // 1000,
        exit_status=process.known_status() if process else None,
        stderr=process.stderr_text(since=seat.stderr_from) if process else "",
        lapse=verdict.lapse,
    )


def _text(data: bytes) -> str:
    # bytes are cut before they are decoded: a character in two parts is escaped, like any that is not UTF-8
    return data[:HEAD].decode("utf-8", "backslashreplace")
