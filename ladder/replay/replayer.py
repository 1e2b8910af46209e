"""Compare the record of a match with the results of its deal and its moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from engines import GAMES
from engines.game import Step
from engines.playout import deal_digest
from ladder.contest.keys import Keys
from ladder.contest.match_luck import luck_of, moves_of
from ladder.contest.ranking import ranks_of
from ladder.errors import LadderError
from ladder.machine.plugged_in import name_game
from ladder.replay.replay import other_rules, rebuild_deal
from results.record import Block, Json, Match, Run

_decode = msgspec.json.Decoder().decode


class Contradiction(LadderError):
    """The record of a match does not follow from its deal and its moves."""


def attempts(block: Block) -> list[Match]:
    """Return the attempts at the matches of *block*, in order."""
    return sorted(block.matches, key=lambda match: (match.number, match.attempt))


def replay_matches(task: tuple[Replayer, list[Match]]) -> list[str]:
    """Return for each match the error in its record, or ""."""
    replayer, matches = task
    return [replayer.wrong_with(match) for match in matches]


class Replayer:
    """Replays the matches of one run."""

    def __init__(self, run: Run) -> None:
        self._custom = run.settings.tables
        self._keys = Keys(bytes.fromhex(run.secret)) if run.has_secret else None
        self._dealt: tuple[Json, ...] = ()
        """The source of the last deal, which all rotations of a block share."""
        self._started: tuple[str, Step[Any]]
        """The digest and the first step of that deal."""

    def wrong_with(self, match: Match) -> str:
        """Return the error in the record of *match*; "" also if it is void, or of rules that are not here."""
        if match.void or other_rules(match.game, match.game_version):
            return ""
        try:
            with name_game(match.game):
                self.check(match)
        except LadderError as error:
            return str(error)
        except (ValueError, LookupError, TypeError) as error:  # engines fail in many ways
            return f"it cannot be played again: {error!r}"
        return ""

    def check(self, match: Match) -> None:
        """Raise Contradiction, or an error of the engine, unless the whole record of *match* follows."""
        if self._keys and match.paired and self._keys.deal(match.block).hex() != match.deal_seed:
            raise Contradiction("the seed of its deal does not follow from the secret of its run")
        found, start = self._start(match)
        if found != match.deal_digest:
            raise Contradiction(f"its deal has the digest {found}, not {match.deal_digest}")
        state, steps = self._play(match, start.state)
        self._check_luck(match, start.state)
        game = GAMES[match.game]
        faults = [seat.fault_step for seat in match.seats]
        ranks: Sequence[int] | None = None
        scores: Sequence[int | None] = [None] * len(faults)
        if not (asked := game.choices(state)):
            outcome = game.outcome(state)
            ranks, scores = outcome.ranks, outcome.scores
        elif faults.count(None) > 1:
            raise Contradiction(f"its moves end in step {steps}, where {_seats(asked)} must move")
        _compare("ranks", [seat.rank for seat in match.seats], ranks_of(faults, ranks))
        _compare("scores", [seat.score for seat in match.seats], scores)

    def _start(self, match: Match) -> tuple[str, Step[Any]]:
        """Deal *match* again; return the digest of the deal and the first step."""
        source = (match.game, len(match.seats), match.options, match.deal_seed, match.deal)
        if source != self._dealt:
            deal = rebuild_deal(match, self._custom)
            self._started = deal_digest(deal), GAMES[match.game].start(deal, len(match.seats))
            self._dealt = source
        return self._started

    def _play(self, match: Match, state: Any) -> tuple[Any, int]:
        """Replay the moves of *match*; return the last state and the number of steps."""
        play = GAMES[match.game].play
        steps = _decode(match.moves)
        faulted = any(seat.fault_step is not None for seat in match.seats)
        for step, moves in enumerate(steps):
            if faulted or any(len(move) > 2 for move in moves):
                self._check_referee(match, state, step, moves)
            state = play(state, moves_of(moves)).state
        return state, len(steps)

    def _check_luck(self, match: Match, state: Any) -> None:
        """Check the luck of *match*, which starts with *state*, if it has one."""
        if match.luck is None or not self._keys:
            return
        found = luck_of(match, state, self._keys)
        if found != match.luck and luck_of(match, state, self._keys, before=True) != match.luck:
            raise Contradiction(f"its luck is stored as {match.luck}; its moves lead to {found}")

    def _check_referee(self, match: Match, state: Any, step: int, moves: list[list[Any]]) -> None:
        """Check that the referee moved for the seats that had faulted, and only them, as its seed says."""
        asked = GAMES[match.game].choices(state)
        for seat, move, *by in moves:
            since = match.seats[seat].fault_step
            if (by == ["referee"]) != (since is not None and since <= step):
                raise Contradiction(f"step {step}: seat {seat} faulted in step {since}, but moved {move!r}")
            if by and self._keys:
                drawn = asked[seat].sample(self._keys.substitute(match.number, seat, step))
                expected = list(drawn) if isinstance(drawn, tuple) else drawn
                if move != expected:
                    raise Contradiction(
                        f"step {step}: the referee moved {move!r} for seat {seat}, not {expected!r}"
                    )


def _compare(what: str, stored: Sequence[int | None], found: Sequence[int | None]) -> None:
    if list(stored) != list(found):
        said = [
            ", ".join("none" if value is None else str(value) for value in values)
            for values in (stored, found)
        ]
        raise Contradiction(f"its {what} are stored as {said[0]}; its moves lead to {said[1]}")


def _seats(asked: Any) -> str:
    seats = ", ".join(map(str, asked))
    return f"seats {seats}" if len(asked) > 1 else f"seat {seats}"
