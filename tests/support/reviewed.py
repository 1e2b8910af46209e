"""Make reviews for tests: rows of a match as a review would make them."""

from random import Random
from typing import Any

from engines.judge import beaten_by
from ladder.home.home import Home
from ladder.replay.review.account import ACCOUNT
from ladder.replay.review.effort import FULL
from ladder.replay.review.match_review import digest_of, judge_for
from ladder.replay.review.reviewing import record_to_review
from ladder.replay.steps import Decision, replay_record
from results.reviewed import SEVERAL, Promise, ReviewedStep, write_promises
from results.storage.contents import Contents
from results.storage.reviews import Reviews
from results.storage.store import Store

JUDGE = "by-greedy 1"
_TERMS = ("luck", "own", "others", "hidden")


def a_review(number: int = 0, steps: int = 3, quick: bool = False, **fields: Any) -> list[ReviewedStep]:
    """Return the review of match 1/*number* between alpha and beta, by step and seat.

    At each step one seat decides; a quick review has that seat alone, without chances.
    """
    rng = Random(repr((number, steps, quick, sorted(fields.items()))))
    digest = f"{rng.getrandbits(64):016x}"
    rows = []
    for step in range(steps):
        for seat, bot in enumerate(("alpha", "beta")):
            decides = step % 2 == seat and step < steps - 1
            if quick and not decides:
                continue
            told: dict[str, Any] = {
                "run": 1,
                "number": number,
                "bot": bot,
                "version": f"{bot}-1",
                "game": "stellar",
                "judge": JUDGE,
                "match_digest": digest,
            }
            if decides:
                told |= {
                    "worlds": rng.choice((16, 32, 64)),
                    "options": rng.randint(2, 30),
                    "best": f"take {rng.randint(1, 60)}",
                    "loss": rng.random() / 20,
                    "loss_se": rng.random() / 50,
                    "promised": None if quick else _promised(rng),
                    "points": rng.random() * 4,
                    "points_se": rng.random(),
                    "decision_kind": rng.choice(("take a card", "play a card")),
                }
            if not quick:
                told |= {name: rng.random() for name in ("chance_seen", "chance_open")}
                told |= {"account": ACCOUNT}
                if step == steps - 1:
                    told |= {"chance_open": float(seat)} | {name: rng.random() - 0.5 for name in _TERMS}
            rows.append(
                ReviewedStep(**{**told, "step": step, "seat": seat, "seats": 2, "quick": quick, **fields})
            )
    return rows


def _promised(rng: Random) -> str:
    """Return what four options promise, as reviews tell it."""
    first, second, third, played = sorted((rng.randint(20, 80) for _ in range(4)), reverse=True)
    return f"{first}; {second} play B{rng.randint(1, 6)}; {third} take G{rng.randint(1, 6)}; {played}="


def review_record(record: dict[str, Any], **fields: Any) -> list[ReviewedStep]:
    """Return a review of the match of *record*, as large as one that a judge made: its numbers are chance.

    One decision in ten is a blunder.
    """
    rng, seats = Random(repr(record["deal"])), len(record["seats"])
    beaten = beaten_by(record["ranks"])
    told = {name: record[name] for name in ("run", "number", "game")}
    told |= {"seats": seats, "judge": JUDGE, "match_digest": "0" * 16, "quick": False}
    rows = []
    for position in replay_record(record).positions:
        made = {decision.seat: decision for decision in position.decisions}
        for seat, each in enumerate(record["seats"]):
            found: dict[str, Any] = dict.fromkeys(("chance_seen", "chance_open"), rng.random())
            found |= {"account": ACCOUNT}
            if not position.decisions:
                found |= {"chance_open": beaten[seat], "luck_se": 0.04, "own_se": 0.02}
                found |= {name: rng.random() - 0.5 for name in _TERMS}
            if seat in made and len(made[seat].options) > 1 and made[seat].move:
                found |= _judged(made[seat], rng)
            named = {"bot": each["bot"], "version": each["version"]}
            rows.append(
                ReviewedStep(**{**told, **named, "step": position.step, "seat": seat, **found, **fields})
            )
    return rows


def _judged(decision: Decision, rng: Random) -> dict[str, Any]:
    """Return what a review would say of *decision*."""
    played = SEVERAL.join(decision.move or ())
    others = rng.sample(decision.options, min(3, len(decision.options)))
    shares = sorted((rng.random() for _ in range(4)), reverse=True)
    promises = [*map(Promise, dict.fromkeys([*others, played]), shares)]
    best = promises[0].option
    return {
        "worlds": 32,
        "options": len(decision.options),
        "best": best,
        "loss": rng.choice((0.2, *[0.01] * 9)),
        "loss_se": 0.01,
        "points": 1.5,
        "points_se": 0.3,
        "decision_kind": rng.choice(("take a card", "play a card")),
        "promised": write_promises(promises, best, played),
    }


def store_review(
    home: Home, number: int, run: int = 1, contents: Contents | None = None, **fields: Any
) -> list[ReviewedStep]:
    """Store a review, as review_record makes it, of a match of *home*, or of *contents*; return its rows."""
    contents = contents or Store(home.results).contents()
    record = record_to_review(contents, contents.match(run, number))
    digest = digest_of(record, judge_for(record), FULL)
    rows = review_record(record, **{"match_digest": digest, "judge": judge_for(record).name, **fields})
    Reviews(contents.folder).add(rows)
    return rows
