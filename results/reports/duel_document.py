"""What is told of a duel, in every medium, and the list of all that does not count in ratings."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from results.rating.duel_question import DuelQuestion, Verdict, wins_of
from results.record import Run
from results.reports.document import (
    Audience,
    BotRef,
    Column,
    Document,
    GameRef,
    Lines,
    Note,
    Part,
    Row,
    Table,
    Value,
    Words,
    between,
    join_with_and,
    some_of,
)
from results.reports.duel_report import ContestResult, shown_wins, told_in_wins, verdict_of
from results.words import count

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
    with_details: bool = False
    """Whether a table follows, of what the lines do not say."""


def the_two(run: Run) -> Two:
    """Return the two bots of the duel *run*: by their numbers if they share a name."""
    new, old = run.bot_keys[:2]
    return BotRef(*new, numbered=new[0] == old[0]), BotRef(*old, numbered=new[0] == old[0])


# -- a duel


def duel_document(subject: DuelSubject, audience: Audience) -> Document:
    """Return a line for each contest: which bot is better, by how much, and how sure that is.

    The operator reads what to type next.
    """
    bots, results = subject.bots, subject.results
    parts: list[Part] = [Lines([*(_sentence(each, bots) for each in results), *_together(results)], True)]
    rows = [_row(each) for each in results if each.tally.blocks and subject.with_details]
    if rows:
        parts.append(Table(_CONTESTS, rows, "By game and table size"))
    if audience == "operator" and subject.name:
        parts.append(_next(subject))
    return Document([bots[0], " against ", bots[1]], parts)


def duel_progress(results: Sequence[ContestResult], bots: Two) -> Iterator[Words]:
    """Yield a line for each contest that is under way."""
    for each in results:
        if each.verdict is not Verdict.UNDECIDED:
            yield _sentence(each, bots)
        elif each.tally.blocks:
            yield [*_where(each), ": ", *_size(each, bots), *_cost_of_faults(each, bots, is_over=False)]


def _next(subject: DuelSubject) -> Note:
    name = subject.name
    of = f"--in {name}"
    commands = f"ladder matches {of}, ladder replay {name}/0"
    if not subject.folder:
        return Note("these matches do not count", commands)
    longer = ""
    if any(fault for each in subject.results for fault in each.faults):
        longer = f"ladder faults {of}, which says why they failed; "
    if verdict_of(subject.results) is Verdict.UNDECIDED:
        longer += f"the same command with --games {2 * subject.most_matches}, which continues it; or "
    listed = "" if subject.is_rated else f", ladder duel {name}"
    return Note(f"results: {subject.folder}/matches/*.parquet", f"{longer}{commands}{listed}")


def _where(each: ContestResult) -> Words:
    """Return the game, with the size of larger tables."""
    return [GameRef(each.game), "" if each.tally.seats == 2 else f" for {each.tally.seats}"]


def _sentence(each: ContestResult, bots: Two) -> Words:
    """Return the answer of a contest in a line: the verdict, the interval, the counts, what faults cost."""
    claim = [*_claim(each.verdict, bots, each.question), " at ", *_where(each), ": "]
    if not each.tally.blocks:
        return [*claim, "no deal was played"]
    claim += [*_size(each, bots), *_cost_of_faults(each, bots)]
    if not each.answer_is_lost and (needed := each.deals_needed) and needed > each.tally.blocks:
        low, high = (f"{round(wins_of(mean), 9):g}" for mean in each.question.means_to_tell)
        claim.append(f"; to tell {high} from {low} takes about {_about(needed):,} deals")
    return claim


def _together(results: Sequence[ContestResult]) -> Iterator[Words]:
    """Yield a line that says in which of several contests what is known; none where nothing is."""
    by_verdict = {verdict: [each for each in results if each.verdict is verdict] for verdict in Verdict}
    unknown = by_verdict.pop(Verdict.UNDECIDED)
    told: list[Value | Words] = [
        [f"{_phrase(verdict, found[0].question)} at ", *join_with_and([_where(each) for each in found])]
        for verdict, found in by_verdict.items()
        if found
    ]
    if told and len(results) > 1:
        where: Words = _where(unknown[0]) if len(unknown) == 1 else [f"{len(unknown)} others"]
        yield ["together: ", *between([*told, *([["not known at ", *where]] if unknown else [])], "; ")]


def _claim(verdict: Verdict, bots: Two, question: DuelQuestion) -> Words:
    new, old = bots
    phrase = _phrase(verdict, question)
    if verdict is Verdict.NOT_APART:
        return [new, " and ", old, f" are {phrase}"]
    return [phrase] if verdict is Verdict.UNDECIDED else [new, f" is {phrase} than ", old]


def _phrase(verdict: Verdict, question: DuelQuestion) -> str:
    margin, more = _of_100(question.margin or 0.0), question.passes_above
    return {
        Verdict.BETTER: f"more than {_of_100(more)} better" if more else "better",
        Verdict.WORSE: f"more than {margin} worse" if question.fails_below < 0 else "worse",
        Verdict.NOT_BETTER: f"no more than {margin} better",
        Verdict.NO_WORSE: f"no more than {margin} worse",
        Verdict.NOT_APART: f"no more than {margin} apart",
        Verdict.UNDECIDED: "undecided",
    }[verdict]


def _size(each: ContestResult, bots: Two) -> Words:
    """Return the wins of 100, as sure as the duel was to be, and the matches that were counted."""
    (won, drawn, lost), matches = each.tally.matches, sum(each.tally.matches)
    if drawn == matches:
        return [f"all {count(matches, 'match')} were drawn"]
    row = told_in_wins(each)
    shown = shown_wins(row["estimate"], each.interval, each.question)
    assert shown
    wins, low, high = (f"{end:.{shown.digits}f}" for end in shown[:3])
    elo = "" if row["elo"] is None else f", Elo {round(row['elo']) + 0:+d}"
    subject: Words = []
    if each.verdict in (Verdict.UNDECIDED, Verdict.NOT_APART):
        subject = [bots[0], f" is {side}; " if (side := _known_side(each)) else " "]
    counted = f"{won:,} won, {drawn:,} drawn, {lost:,} lost of {matches:,}"
    return [*subject, f"wins {wins} of 100 ({low} to {high}){elo}; {counted}"]


def _known_side(each: ContestResult) -> str:
    """Return which side of 50 an undecided bot is on, where it was asked about another number of wins."""
    ends = [each.interval, *([each.without.interval] if each.without else [])]
    more, less = each.question.passes_above, -each.question.fails_below
    if more > 0 and all(low > 0 for low, _ in ends):
        return f"better, and whether by more than {_in_wins(more)} is not known"
    if less > 0 and all(high < 0 for _, high in ends):
        return f"worse, and whether by more than {_in_wins(less)} is not known"
    return ""


def _cost_of_faults(each: ContestResult, bots: Two, *, is_over: bool = True) -> Words:
    """Return how many matches the faults of each of the two cost it; nothing if there were none."""
    is_lost, (new, old), told = is_over and each.answer_is_lost, each.faults, list[Value]()
    if new:
        told.append(f"; its faults cost it {'the answer: ' if is_lost and not old else ''}{_by_kind(new)}")
    if old:
        told += ["; faults of ", bots[1], f" cost it {_by_kind(old)}"]
    return [*told, ", so no answer is sure"] if is_lost and old else told


def _by_kind(faults: Mapping[str, int]) -> str:
    kinds = ", ".join(f"{number:,} {kind}" for kind, number in sorted(faults.items()))
    return f"{count(sum(faults.values()), 'match')} ({kinds})"


def _row(each: ContestResult) -> Row:
    """Return what the line of a contest does not say."""
    tally, without, saved = each.tally, each.without, each.tally.luck_saved
    mean, wins = wins_of(tally.mean or 0.0), wins_of(each.estimate or 0.0)
    clean = without and (shown_wins(without.tally.mean, without.interval, each.question, 1) or "no deal")
    return {
        "where": _where(each),
        "deals": tally.blocks,
        "sure": 100 * (1 - each.alpha),
        "mean": None if f"{mean:.1f}" == f"{wins:.1f}" else mean,
        "clean": clean,
        "faulted": 100 * each.faulted / sum(tally.matches) if each.faulted else None,
        "worth": tally.worth,
        "luck": None if saved is None else 100 * saved,
        "with_luck": None if saved is None else wins_of(tally.matches.score),
    }


_CONTESTS = (
    Column("where", "game", kind=lambda row: row["where"]),
    Column("deals", "deals", "{:,}".format, right=True),
    Column("sure", "sure %", "{:.4g}".format, right=True),
    Column("mean", "mean", "{:.1f}".format, right=True, always=False),
    Column("clean", "without faults", right=True, always=False, kind=lambda row: row["clean"]),
    Column("faulted", "faults %", "{:.1f}".format, right=True, always=False),
    Column("worth", "worth", "{:.2f}".format, right=True, always=False),
    Column("luck", "luck %", "{:.0f}".format, right=True, always=False),
    Column("with_luck", "with luck", "{:.1f}".format, right=True, always=False),
)
"""What `ladder duel d1` shows of a contest beside its line."""


def _of_100(score: float) -> str:
    """Return how many wins of 100 a difference in *score* is, as it was typed."""
    wins = _in_wins(score)
    return f"{wins} {'win' if wins == '1' else 'wins'} of 100"


def _in_wins(score: float) -> str:
    return f"{round(50 * score, 9):g}"


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
    Column("wins", "wins (sure)", right=True, always=False, kind=lambda row: row["shown"]),
    Column("matches", "matches", "{:,}".format, right=True),
    Column("started", "started (UTC)", extra=True, kind=lambda row: row["started"][:16].replace("T", " ")),
)
