"""The review of one match: the loss of each decision, the chances after each step, and what changed them."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from math import inf
from typing import Any, Final

from msgspec.structs import replace

from engines import GAMES
from engines.game import Game, Seat
from engines.judge import Judge, beaten_by
from engines.playout import canonical
from engines.position import Position
from ladder.errors import LadderError, Whose, describe
from ladder.games.shown_game import ShownGame
from ladder.machine.plugged_in import go_on_without
from ladder.replay.replay import other_rules
from ladder.replay.review.account import ACCOUNT, Estimated, OpenStep, make_account, open_line, replies_to
from ladder.replay.review.checked_judge import CheckedJudge, NonsenseFromJudge
from ladder.replay.review.effort import Effort
from ladder.replay.review.estimate import METHOD, Estimate, estimate, mean_difference
from ladder.replay.review.loss_names import verdict_of
from ladder.replay.review.walk import WalkedStep, walk
from ladder.replay.review.worlds import WorldSource, seed_of
from results.record import Json
from results.reviewed import SEVERAL, Promise, ReviewedStep, write_promises

_SHOWN: Final = 3
"""The number of options of a decision that are kept, besides the one that was played."""
_TERMS: Final = ("luck", "luck_se", "own", "own_se", "others", "hidden")
"""The terms of an account that are stored; the others follow."""
_LONGEST_KIND: Final = 30
"""Characters: what a table in 80 columns has room for."""


class NoReview(LadderError):
    """A match cannot be reviewed; the message says why."""

    whose: Whose = "caller"


class JudgeFailed(NoReview):
    """The judge of a game raised an error, or said what cannot be."""

    whose: Whose = "game"


@contextmanager
def judging(game: str) -> Iterator[None]:
    """Raise NoReview for all that *game* and its judge raise in this block."""
    try:
        yield
    except NoReview:
        raise
    except Exception as error:
        told = str(error) if isinstance(error, NonsenseFromJudge) else describe(error)
        package, next_step = GAMES.package(game), "pytest --pyargs engines.contract --game MODULE:CLASS"
        raise JudgeFailed(
            f"the judge of {game}{package and f' ({package})'} failed: {told}",
            f"tell its author; {next_step} finds such faults",
        ) from error


class NoJudge(NoReview):
    """No judge of the game is strong enough at this table."""


def judge_for(record: Mapping[str, Json]) -> Judge[Any]:
    """Return the judge of the match of *record*.  Raises NoReview if there is none, or no finished match."""
    name = f"{record['run']}/{record['number']}"
    if record["void"]:
        raise NoReview(f"match {name} is void: no moves were kept", "ladder matches --bot BOT lists others")
    if why := other_rules(record["game"], record["version"]):
        raise NoReview(
            f"match {name} was {why}", f"ladder replay {name} --format json prints the stored record"
        )
    if record["deal"] is None:
        raise NoReview(
            f"match {name} was played with other cards than this ladder deals", f"ladder replay {name}"
        )
    seats = len(record["seats"])
    game = GAMES[record["game"]]
    with judging(record["game"]):
        judge = game.judge(seats, record["options"])
        checked = None if judge is None else CheckedJudge(judge, seats)
    if checked is None:
        raise NoJudge(
            f"the game has no judge at a table of {seats} that is strong enough to review decisions",
            f"ladder replay {name}",
        )
    return checked


def digest_of(record: Mapping[str, Json], judge: Judge[Any], effort: Effort) -> str:
    """Return the digest of all that a review follows from."""
    parts = [record[key] for key in ("game", "version", "options", "deal", "moves", "ranks")]
    parts += [judge.name, judge.worlds, judge.width, METHOD, list(effort)]
    return sha256(canonical(parts).encode()).hexdigest()[:16]


def review_match(
    record: Mapping[str, Json], judge: Judge[Any], effort: Effort, seat: Seat | None = None
) -> list[ReviewedStep]:
    """Return the review of the match of *record*, by step and seat.

    With *seat* it has the rows of that seat alone, and in them only what follows from what the seat saw.
    Raises ValueError if the match cannot be replayed.
    """
    seats = len(record["seats"])
    game: Game[Any] = GAMES[record["game"]]
    steps = [*walk(game, record["deal"], seats, record["moves"])]
    line = effort.line_for(judge)
    told = _Told(record, digest_of(record, judge, effort), judge.name, quick=not line)
    results, shown = beaten_by(record["ranks"]), ShownGame(record["game"])
    opened: list[OpenStep] = []
    if line and seat is None:
        opened = open_line(judge, steps, seed_of(ACCOUNT, told.digest), effort.redraws_for(judge))
    split = bool(opened) and not replies_to(judge)
    gains: dict[tuple[int, Seat], Estimated] = {}
    rows: list[ReviewedStep] = []
    for step in steps:
        sources = {
            each: WorldSource(game, judge, step.views[each], each, asked=each in step.position.seats())
            for each in (range(seats) if seat is None else [seat])
        }
        losses = {
            made.seat: estimate(sources[made.seat], judge, made.seat, made.option, effort, gain=split)
            for made in step.made
            if made.seat in sources and not made.forced and sources[made.seat].is_in_sample(effort.sample)
        }
        gains.update({(step.number, each): loss.gain for each, loss in losses.items()})
        ended = step is steps[-1]
        chances = opened[step.number].chances() if opened else None
        seen: dict[Seat, float] = {}
        if line:
            for each, source in sources.items():
                seen[each] = results[each] if ended else source.expect(line)
        for each in sources if line else losses:
            loss = losses.get(each)
            row = told.row(step, each, loss, seen.get(each))
            if loss and verdict_of(loss.loss, loss.se):
                played = next(made.option for made in step.made if made.seat == each)
                options = played, loss.best
                why = _find_why(shown, judge, sources[each], seats, each, options, loss.worlds)
                row = replace(row, why=why)
            if chances is not None:
                chance = results[each] if ended else chances[each]
                row = replace(row, account=ACCOUNT, chance_open=chance)
            rows.append(row)
    if opened:
        failed = [place for place, each in enumerate(record["seats"]) if each.get("fault")]
        for row, (each, result) in zip(rows[-seats:], enumerate(results), strict=True):
            account = make_account(each, steps, opened, gains if split else None, result, failed)
            rows[each - seats] = replace(row, **{name: getattr(account, name) for name in _TERMS})
    return rows


def hide_others(rows: Iterable[ReviewedStep], seat: Seat) -> list[ReviewedStep]:
    """Return the *rows* of *seat*, with nothing in them that it did not know."""
    unknown = dict.fromkeys(("chance_open", "account", *_TERMS, "given", "rest"))
    return [replace(row, **unknown) for row in rows if row.seat == seat]


@dataclass(frozen=True)
class _Told:
    """What all rows of one review say alike."""

    record: Mapping[str, Json]
    digest: str
    judge: str
    quick: bool

    def row(self, step: WalkedStep, seat: Seat, loss: Estimate | None, seen: float | None) -> ReviewedStep:
        """Return the row of *seat*: its loss, if it decided, and its chance by what it knows."""
        record, position = self.record, step.position
        found: dict[str, Any] = {}
        if loss is not None:
            found = {
                "worlds": loss.worlds,
                "options": len(loss.options),
                "best": _text(position, seat, loss.best),
                "loss": loss.loss,
                "loss_se": loss.se,
                "points": loss.points,
                "points_se": loss.points_se,
                "decision_kind": _kind(record, step, seat),
            }
            if not self.quick:
                played = next(made.option for made in step.made if made.seat == seat)
                names = _text(position, seat, loss.best), _text(position, seat, played)
                found["promised"] = write_promises(_promises(position, seat, loss, played), *names)
        return ReviewedStep(
            run=record["run"],
            number=record["number"],
            step=step.number,
            seat=seat,
            bot=record["seats"][seat]["bot"],
            version=record["seats"][seat]["version"],
            game=record["game"],
            seats=len(record["seats"]),
            judge=self.judge,
            match_digest=self.digest,
            quick=self.quick,
            chance_seen=seen,
            **found,
        )


def _kind(record: Mapping[str, Json], step: WalkedStep, seat: Seat) -> str | None:
    """Return of what kind the decision of *seat* was; None if the game cannot say it: no review is lost."""
    moves = record["moves"][step.number]
    move = next(tuple(move) if isinstance(move, list) else move for each, move, *_ in moves if each == seat)
    return ShownGame(record["game"]).kind_of(step.view_of(seat), move)[:_LONGEST_KIND] or None


def _promises(position: Position, seat: Seat, loss: Estimate, played: int) -> list[Promise]:
    """Return what the best options promise, and the one that was *played*, the best first.

    Of the others, those tried in most worlds: what was given up in few worlds seems better than it is, or
    worse.
    """
    most = next(value.result for value in loss.options if value.option == loss.best)
    others = [value for value in loss.options if value.option != loss.best and value.result <= most]
    others.sort(key=lambda value: (-value.worlds, -value.result, value.option))
    kept = {loss.best, played, *(value.option for value in others[: _SHOWN - 1])}
    shown = [value for value in loss.options if value.option in kept]
    shown.sort(key=lambda value: (-value.result, value.option != loss.best))
    return [Promise(_text(position, seat, value.option), value.result) for value in shown]


def _text(position: Position, seat: Seat, option: int) -> str:
    """Return the notation of *option* of *seat*, which is asked; several are joined by commas."""
    world = position.copy()
    while world.seat != seat:
        world.play(world.options()[0])  # those before it choose at the same time
    move = world.move_of(option)
    return move if isinstance(move, str) else SEVERAL.join(move)


MOST_BYTES: Final = 200
_MOST_WORLDS: Final = 24
"""More would take more than a tenth of the time of a review."""
_MOST_COUNTS: Final = 3
_SURE: Final = 2.6
"""Standard errors: several counts are looked at, and none of them should be noise."""
_POINTS: Final = "points"
_LEAST: Final = 0.1
"""A smaller difference of means is not told: it helps no player."""
Counts = dict[str, tuple[int, ...]]
"""Points and tallies after an option, by name and seat."""


def _find_why(
    game: ShownGame,
    judge: Judge[Any],
    source: WorldSource,
    seats: int,
    seat: Seat,
    options: tuple[int, int],
    worlds: int,
) -> str | None:
    """Return what *seat* surely has less or more of, played : better: "afterwards: points 8 : 13".

    After the *options*, the played one and the better, and what the judge plays on by itself, at the mean of
    *worlds* worlds at most.  None if nothing surely differs, or the judge or the game cannot say it.
    """
    if getattr(judge, "onward", None) is None:
        return None

    def count(position: Position) -> Counts:
        view = json.loads(position.write_view(seat))
        points = game.points(view, seats)
        return ({_POINTS: points} if points else {}) | game.tallies(view, seats)

    def tell() -> str | None:
        tried = map(source.world, range(min(worlds, _MOST_WORLDS)))
        pairs = [[count(world.onward(each, judge)) for each in options] for world in tried]
        found = sorted(_differences(pairs), key=lambda each: -each[0])
        own = [(errors, words) for errors, of, words in found if of == seat][:_MOST_COUNTS]
        others = [(errors, words) for errors, of, words in found if of != seat]
        if others and (not own or others[0][0] > own[0][0]):
            whose = "the other's" if seats == 2 else "another's"
            own[_MOST_COUNTS - 1 :] = [(0.0, f"{whose} {others[0][1]}")]
        told = "afterwards: " + ", ".join(words for _, words in own)
        return told if own and len(told.encode()) <= MOST_BYTES else None

    return go_on_without(f"what differs after moves of {game.name} is left out", tell, None, game.name)


def _differences(counted: Sequence[Sequence[Counts]]) -> Iterator[tuple[float, Seat, str]]:
    """Yield what surely differs in *counted*, two in each world: by how many errors, of whom, in words."""
    told: list[list[list[tuple[int, ...]]]] = []
    for name in reversed(counted[0][0]):
        if not all(name in counts for pair in counted for counts in pair):
            continue
        pairs = [[counts[name] for counts in pair] for pair in counted]
        if name == _POINTS and pairs in told:  # coins are told as coins
            continue
        told.append(pairs)
        for seat in range(len(pairs[0][0])):
            played, better = [one[seat] for one, _ in pairs], [other[seat] for _, other in pairs]
            mean, error = mean_difference([other - one for one, other in zip(played, better, strict=True)])
            one, other = (sum(values) / len(values) for values in (played, better))
            if abs(mean) > max(_SURE * error, _LEAST):
                digits = 0 if abs(mean) >= 1 else 1
                words = f"{name} {one:.{digits}f} : {other:.{digits}f}"
                yield abs(mean) / error if error else inf, seat, words
