"""What is told of a duel, in every medium, and the list of all that does not count in ratings."""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias, assert_never

from results.rating.duel_question import DuelQuestion, Verdict, judge
from results.rating.wins import wins_of
from results.record import Run
from results.reports.document import (
    Audience,
    BotRef,
    Column,
    Document,
    GameRef,
    Interval,
    Lines,
    Note,
    Number,
    Part,
    Row,
    Table,
    Value,
    Words,
    between,
    some_of,
)
from results.reports.duel_report import ContestResult, told_in_wins, verdict_of
from results.reports.values_as_text import write
from results.words import count

TOLD = 0.02
"""What an undecided duel without a margin compares itself with: a mean score, of 51 wins of 100."""
MOST_NAMES = 2
"""The most bots that a row of the list names."""
Two: TypeAlias = tuple[BotRef, BotRef]
"""The new bot of a duel and the old one."""


class DuelSubject(NamedTuple):
    """All that is told of a duel."""

    bots: Two
    results: Sequence[ContestResult]
    name: str = ""
    """What commands call it."""
    folder: str = ""
    """Where its matches are stored; "": that was told when it was played."""
    most_matches: int = 0
    """How many matches it may have."""
    is_rated: bool = False


def the_two(run: Run) -> Two:
    """Return the two bots of the duel *run*: by their numbers if they share a name."""
    new, old = run.bot_keys[:2]
    return BotRef(*new, numbered=new[0] == old[0]), BotRef(*old, numbered=new[0] == old[0])


# -- a duel


def duel_document(subject: DuelSubject, audience: Audience) -> Document:
    """Return which bot is better, by how much, and how sure that is; the operator reads what to type next."""
    bots, results = subject.bots, subject.results
    answer = [_sentence(each, bots) for each in results]
    if len(results) > 1:
        answer.append(["together: ", *_claim(verdict_of(results), bots, results[0].question)])
    parts: list[Part] = [Lines(answer)]
    if rows := [_row(each) for each in results if each.tally.blocks]:
        parts.append(Table(_CONTESTS, rows, "By game and table size"))
    if faults := [line for each in results if (line := _faults(each, bots))]:
        parts.append(Lines(faults))
    if audience == "operator" and subject.name:
        parts.append(_next(subject))
    return Document([bots[0], " against ", bots[1]], parts)


def duel_progress(results: Sequence[ContestResult], new: str) -> Iterator[str]:
    """Yield a line for each contest that is under way; *new* is what the new bot is called."""
    for each in results:
        if each.tally.blocks:
            matches, deals = count(sum(each.tally.matches), "match"), count(each.tally.blocks, "deal")
            wins = " of 100, without faults ".join(
                write(interval, str) for interval in (_difference(_row(each)), _clean(each)) if interval
            )
            verdict = "" if each.verdict is Verdict.UNDECIDED else f" ({each.verdict})"
            yield f"{write(_where(each), str)}: {matches}, {deals}: {new} wins {wins} of 100{verdict}"


def _next(subject: DuelSubject) -> Note:
    name = subject.name
    of = f"--in {name}"
    commands = f"ladder matches {of}, ladder replay {name}/0"
    if not subject.folder:
        return Note("these matches do not count", commands)
    longer = ""
    if any(each.without for each in subject.results):
        longer = f"ladder faults {of}, which says why they failed; "
    if verdict_of(subject.results) is Verdict.UNDECIDED:
        longer += f"the same command with --games {2 * subject.most_matches}, which continues it; or "
    listed = "" if subject.is_rated else ", ladder duel"
    return Note(f"results: {subject.folder}/matches/*.parquet", f"{longer}{commands}{listed}")


def _where(each: ContestResult) -> Words:
    """Return the game, with the size of larger tables."""
    return [GameRef(each.game), "" if each.tally.seats == 2 else f" for {each.tally.seats}"]


def _sentence(each: ContestResult, bots: Two) -> Words:
    blocks, low, high = each.tally.blocks, *map(wins_of, each.interval)
    after = f"after {count(blocks, 'deal')} ({count(sum(each.tally.matches), 'match')})"
    sure = f"with {100 * (1 - each.alpha):.4g} % confidence from {low:.1f} to {high:.1f} wins of 100"
    claim = [*_claim(each.verdict, bots, each.question), " at ", *_where(each), ": "]
    if not blocks:
        return [*claim, "no deal was played"]
    if differing := _differing(each):
        return [*claim, f"{differing}; {after}"]
    # An answer to "how much longer?": by the variance so far, which is known long before the mean is.
    effect, bound, longer = each.question.margin or TOLD, 50.0, ""
    if each.question.rule == "margin":
        effect, bound = TOLD, wins_of(each.question.passes_above)
    if each.verdict is Verdict.UNDECIDED and (needed := each.tally.blocks_to_tell(effect, each.alpha)):
        other = bound + 50 * effect
        longer = f"; to tell {other:g} from {bound:g} wins of 100 takes about {_about(needed):,} deals"
    return [*claim, f"{sure}, {after}{longer}"]


def _claim(verdict: Verdict, bots: Two, question: DuelQuestion) -> Words:
    new, old = bots
    margin = _of_100(question.margin or 0.0)
    match verdict:
        case Verdict.BETTER:
            more = question.passes_above
            return [new, " is better than ", old, f" by more than {_of_100(more)}" if more else ""]
        case Verdict.WORSE:
            return [new, " is worse than ", old]
        case Verdict.NOT_BETTER:
            return [new, f" is no more than {margin} better than ", old]
        case Verdict.NO_WORSE:
            return [new, f" is no more than {margin} worse than ", old]
        case Verdict.NOT_APART:
            return [new, " and ", old, f" are no more than {margin} apart"]
        case Verdict.UNDECIDED:
            return ["undecided"]
        case _:
            assert_never(verdict)


def _row(each: ContestResult) -> Row:
    tally, matches = each.tally, each.tally.matches
    return {
        **told_in_wins(each),
        "where": _where(each),
        "mean": wins_of(tally.mean or 0.0),
        "clean": _clean(each),
        "faulted": 100 * each.faulted / sum(matches) if each.without else None,
        "shares": "-".join(f"{100 * number / sum(matches):.1f}" for number in matches),
        "worth": tally.worth,
        "luck": None if tally.luck_saved is None else 100 * tally.luck_saved,
        "with_luck": None if tally.luck_saved is None else wins_of(matches.score),
    }


def _clean(each: ContestResult) -> Interval | str | None:
    """Return the wins of 100 in the deals without faults, where a verdict must agree with them."""
    if each.without is None:
        return None
    mean, (low, high) = each.without.tally.mean, each.without.interval
    return "no deal" if mean is None else Interval(wins_of(mean), wins_of(low), wins_of(high))


def _difference(row: Row) -> Interval | None:
    """Return the wins of 100 in their interval, as sure as the duel was to be."""
    return None if row["wins"] is None else Interval(row["wins"], row["wins_low"], row["wins_high"])


def _leaning(row: Row) -> Number | None:
    """Return the plain mean, where it leans because of the stop."""
    return Number(row["mean"], 1) if f"{row['mean']:.1f}" != f"{row['wins']:.1f}" else None


_CONTESTS = (
    Column("where", "game", kind=lambda row: row["where"]),
    Column("wins", "wins (sure)", right=True, kind=_difference),
    Column("elo", "Elo", right=True, always=False, kind=lambda row: _elo(row)),
    Column("mean", "mean", right=True, always=False, kind=_leaning),
    Column("clean", "without faults", right=True, always=False, kind=lambda row: row["clean"]),
    Column("faulted", "faults %", "{:.1f}".format, right=True, always=False),
    Column("shares", "won-drawn-lost %", right=True),
    Column("worth", "worth", "{:.2f}".format, right=True, always=False),
    Column("luck", "luck %", "{:.0f}".format, right=True, always=False),
    Column("with_luck", "with luck", "{:.1f}".format, right=True, always=False),
)


def _elo(row: Row) -> str | None:
    """Return the difference in Elo in its interval; None at larger tables."""
    if row["elo"] is row["elo_low"] is row["elo_high"] is None:
        return None
    told = [
        f"{round(elo) + 0:+d}" if elo is not None else "+inf" if wins > 50 else "-inf"
        for elo, wins in ((row[f"elo{end}"], row[f"wins{end}"]) for end in ("", "_low", "_high"))
    ]
    return "{} ({} to {})".format(*told)


def _faults(each: ContestResult, bots: Two) -> Words:
    """Return how often which of the two made a fault; nothing if none did."""
    told: list[Value | Words] = [
        [
            f"{count(sum(kinds.values()), 'fault')} of ",
            bot,
            f" ({', '.join(f'{number:,} {kind}' for kind, number in sorted(kinds.items()))})",
        ]
        for bot, kinds in zip(bots, each.faults, strict=True)
        if kinds
    ]
    return [*_where(each), ": ", *between(told)] if told else []


def _differing(each: ContestResult) -> str | None:
    """Return the verdicts with and without faults; None if they agree, or if only one counts."""
    # Bots often fail when they are losing, so the deals without faults alone would favour who fails: both
    # must agree.
    if each.without is None or each.verdict is not Verdict.UNDECIDED:
        return None
    every, clean = (judge(interval, each.question) for interval in (each.interval, each.without.interval))
    whose = "its" if sum(map(bool, each.faults)) == 1 else "their"
    return None if every is clean else f"with {whose} faults, {every}; without those deals, {clean}"


def _of_100(score: float) -> str:
    """Return how many wins of 100 a difference in *score* is, as it was typed."""
    wins = round(50 * score, 9)
    return f"{wins:g} {'win' if wins == 1 else 'wins'} of 100"


def _about(number: int) -> int:
    """Return *number*, rounded to two digits."""
    return round(number, 1 - math.floor(math.log10(number))) if number >= 100 else number


# -- all duels


def duels_document(rows: Sequence[Row], audience: Audience) -> Document:
    """Return the list of duels, tournaments and unrated runs; *rows* are those of `duel_rows`."""
    parts: list[Part] = [Table(_SHOWN, rows, "Duels, tournaments and unrated runs")]
    if audience == "operator" and rows:
        name = rows[0]["duel"]
        commands = f"ladder duel {name}, ladder matches --in {name}, ladder replay {name}/0"
        parts.append(Note("these matches do not count", commands))
    elif audience == "operator":
        parts.append(Note("no duels and no unrated runs yet", "ladder duel NEW OLD, or ladder run --unrated"))
    return Document("Duels and unrated runs", parts)


def _bots(row: Row) -> Words:
    refs = [BotRef(bot["name"], bot["version"]) for bot in row["bots"]]
    if row["kind"] == "duel":
        return between(refs, " - ")
    return some_of(refs, MOST_NAMES)


def _game(row: Row) -> Words:
    size = "" if row["seats"] in (None, 2) else f" for {row['seats']}"
    return [GameRef(row["game"]) if row["game"] else "several games", size]


def _result(row: Row) -> str | None:
    verdict: str | None = row["verdict"]
    if not row["finished"]:
        return "unfinished"
    if row["verdict_without_faults"] not in (None, row["verdict_with_faults"]):
        return "undecided: faults"
    return verdict


_SHOWN = (
    Column("duel", "duel"),
    Column("kind", "what"),
    Column("bots", "bots", kind=_bots),
    Column("game", "game", kind=_game),
    Column("verdict", "result", kind=_result),
    Column("wins", "wins (sure)", right=True, always=False, kind=_difference),
    Column("matches", "matches", "{:,}".format, right=True),
    Column("started", "started (UTC)", extra=True, kind=lambda row: row["started"][:16].replace("T", " ")),
)
