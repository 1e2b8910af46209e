"""What a tournament will be like, before it, and how sure it is, after it: from what a home has played."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from random import Random
from typing import Final, NamedTuple

from ladder.pairing.event_report import StageReport
from ladder.pairing.event_table import BANNED, FORFEIT
from ladder.pairing.notes import AGAIN
from ladder.pairing.stages import DoubleKnockout, Knockout, Swiss, parse_stages
from ladder.pairing.tournament import Tournament
from ladder.run.tournament.certainty import (
    Certainty,
    Chance,
    EventForm,
    SkillBelief,
    expect_score,
    find_certainty,
    noise_at,
)
from ladder.run.tournament.event_facts import EventFacts
from ladder.run.tournament.noise import find_noise
from ladder.run.tournament_schedule import count_event, rehearse
from results.rating.cache import ratings_of
from results.rating.linear import factorize, solve
from results.rating.outcomes import Bot
from results.rating.parameters import NEW, Parameters
from results.rating.rated import Rated
from results.record import Run
from results.storage.contents import Contents, seconds_covered
from results.words import count

LEAST_SIGMA: Final = 0.01
"""The least uncertainty of a rating: that of an anchor is fixed."""
SPREADS: Final = (2.0, 4.0, 8.0)
"""How far bots may be apart where less than half of them are rated: standard deviations of skills."""
ENOUGH: Final = 2_000
"""Matches from which the speed of a home is taken, those of its newest runs."""


class Pace(NamedTuple):
    """How fast a home has played."""

    match_s: float
    """Seconds for each match, with as many side by side as were played then."""
    matches: int
    """In how many matches that was measured."""


class Forecast(NamedTuple):
    """What is expected of a tournament."""

    matches: int
    """About how many there will be."""
    pace: Pace | None
    """None: the home has played no match of this kind."""
    best_wins: Chance | None
    """How surely the best of the field wins; None: that is not known."""
    run_names: Chance | None
    """How surely an ordinary run of as many matches names it; None: not known, or it would be the same."""
    run_orders: bool
    """Whether that run orders the others better."""
    rated: int
    """How many of its bots have a rating."""
    warnings: list[str]
    """Sentences about rounds in which some must meet again."""


class _Known(NamedTuple):
    form: EventForm
    fields: list[list[SkillBelief]]
    """What is believed of the skills; once for each spread where less than half of the bots are rated."""
    rated: int


def _know(run: Run, contents: Contents) -> _Known:
    """Return what *contents*, which have the rated runs of a home, say of the tournament that *run* is."""
    terms, game = run.settings.tournament, run.settings.contests[0].game
    assert terms is not None
    ratings: Mapping[str, Rated] = ratings_of(contents)
    rated = ratings.get(game)
    form = EventForm(
        stages=parse_stages(terms.stages),
        sizes=tuple(sorted(contest.seats for contest in run.settings.contests)),
        seats=terms.seats,
        round_blocks=terms.round_blocks,
        series_blocks=terms.series_blocks,
        beta=Parameters.read(run.ratings[game]).beta,
        deviation=find_noise(contents, game, terms.seats).deviation,
    )
    known = sum(key in rated.standings for key in run.bot_keys) if rated else 0
    spreads = [None] if 2 * known >= len(run.bots) else SPREADS
    return _Known(form, [believe(run.bot_keys, rated, spread) for spread in spreads], known)


def believe(bots: Sequence[Bot], rated: Rated | None, apart: float | None = None) -> list[SkillBelief]:
    """Return what is believed of the skills of *bots*: their ratings, drawn towards those of all.

    A rating of few matches says hardly anything, and skills that may be anything would differ so much that
    the best could not be missed.  So a bot is taken for one of a field whose spread the ratings show, at most
    that of new bots; of a bot without a rating, nothing else is known, unless *apart* is its spread.
    """
    if rated is None or not rated.standings:
        return [SkillBelief(NEW.mu, apart or NEW.sigma)] * len(bots)
    spread = min(NEW.sigma, rated.fit.spread.deviation)
    ratings = {bot: SkillBelief(of.mu, max(LEAST_SIGMA, of.sigma)) for bot, of in rated.standings.items()}
    weights = [1 / (spread**2 + sigma**2) for _, sigma in ratings.values()]
    middle = sum([w * mu for w, (mu, _) in zip(weights, ratings.values(), strict=True)]) / sum(weights)
    field = []
    for bot in bots:
        # without a rating the precision is 0, and only the field says something
        mu, sigma = ratings.get(bot, (middle, math.inf))
        precision = sigma**-2 + spread**-2
        mean = (mu * sigma**-2 + middle * spread**-2) / precision
        field.append(SkillBelief(mean, apart if apart and bot not in ratings else precision**-0.5))
    return field


def forecast_event(run: Run, contents: Contents) -> Forecast:
    """Return what is expected of the tournament that *run* is, by the *contents* of its home."""
    form, fields, rated = _know(run, contents)
    pace = _find_pace(contents, run.settings.contests[0].game, form.seats)
    event = rehearse(run.settings, bytes.fromhex(run.secret))
    matches = count_event(event)
    found = [find_certainty(form, field, matches=matches, shares=len(fields)) for field in fields]
    # a round robin and a final are runs themselves
    has_run = any(isinstance(stage, Swiss | Knockout | DoubleKnockout) for stage in form.stages)
    return Forecast(
        matches,
        pace,
        Chance.over([each.best_wins for each in found]),
        Chance.over([each.run_names for each in found]) if has_run else None,
        has_run and all(each.run_orders for each in found),
        rated,
        warn_of_meetings(event),
    )


def judge_winner(event: EventFacts, contents: Contents) -> Chance | None:
    """Return how surely the winner of *event* is the best of its field.

    *contents*: of the home.  If the matches of the tournament count in its ratings, these say all of it.
    None if it is not over or there are several winners, or if it is not known.
    """
    if len(event.winners) != 1:
        return None
    form, fields, _ = _know(event.run, contents)
    tables = [] if event.is_rated else [*scores_of_tables(event.state.report)]
    return Chance.over([believe_best(form, field, tables, event.winners[0]) for field in fields])


def _find_pace(contents: Contents, game: str, seats: int) -> Pace | None:
    """Return how fast *contents* have played *game* at tables of *seats*, by the newest runs that did.

    A match of a run counts its own time, divided by how many matches went on side by side.  None if there is
    no such match.
    """
    from results.storage.schema import read_values

    seconds, matches = 0.0, 0
    for run in reversed(contents.runs):
        if not any((contest.game, contest.seats) == (game, seats) for contest in run.settings.contests):
            continue
        spans, mine, found = list[tuple[int, int]](), 0, 0
        for part in contents.match_parts(["game", "started", "duration_us", "seats.bot"], run.run):
            columns = [read_values(part.column(name)) for name in ("game", "started", "duration_us")]
            for played, began, took, seated in islice(
                zip(*columns, part.column("seats").to_pylist(), strict=True), ENOUGH - matches - found
            ):
                spans.append((began, began + took))
                if played == game and len(seated) == seats:
                    mine += took
                    found += 1
        total = sum(end - began for began, end in spans)
        if found and total:
            # matches of a run overlap: each has its share of the time in which any was played
            seconds += seconds_covered(spans) * mine / total
            matches += found
        if matches >= ENOUGH:
            break
    return Pace(seconds / matches, matches) if matches else None


def warn_of_meetings(event: Tournament) -> list[str]:
    """Return a sentence for each swiss of *event*, which is over, in which some must or may meet twice."""
    warnings = []
    for stage, played in zip(event.stages, event.report(), strict=True):
        if isinstance(stage, Swiss) and played.rounds:
            first, rounds = played.rounds[0], len(played.rounds)
            tables = [len(table.entrants) for table in first.tables]
            there = sum(tables) + len(first.byes)
            most, must, can = _most_rounds(there, tables), "must", "can play"
            again = [any(note.kind == AGAIN for note in each.notes) for each in played.rounds]
            if rounds <= most and True in again:  # there may be such a schedule, but none was found
                most, must, can = again.index(True), "may", "had, in a rehearsal,"
            if rounds > most:
                warnings.append(
                    f"some {must} meet again: {there} bots at {_tell_tables(tables)} {can} "
                    f"{count(most, 'round')} without second meetings, not {rounds}"
                )
    return warnings


def _most_rounds(entrants: int, tables: Sequence[int]) -> int:
    """Return the most rounds without a second meeting: a bound, which may be more than can be played.

    In a second round, those of one table come from different ones of the first.
    """
    if not tables:
        return 0
    # more seats at a table than tables: two of them must come from one table of the first round
    if max(tables) > len(tables):
        return 1
    return entrants * (entrants - 1) // sum(size * (size - 1) for size in tables)


def _tell_tables(tables: Sequence[int]) -> str:
    words = [f"{tables.count(size)} of {size}" for size in sorted(set(tables), reverse=True)]
    return f"tables of {max(tables)}" if len(words) == 1 else f"tables ({', '.join(words)})"


STEPS: Final = 12
"""Steps towards the likeliest skills, at most."""
NEAR: Final = 1e-3
"""Steps end when no skill moves by more than this, in units of beta."""
LEAST_NOISE: Final = 0.1
"""The least share of the variance of near bots that is left where one bot wins nearly all."""
DRAWS: Final = 3000
"""Draws, at most..."""
TERMS: Final = 6_000_000
"""...and as many that they have about this many terms: this takes less than a second."""


class TableScores(NamedTuple):
    """The mean scores at a table, over some blocks."""

    entrants: tuple[int, ...]
    scores: tuple[float, ...]
    blocks: int


def scores_of_tables(report: Iterable[StageReport]) -> Iterator[TableScores]:
    """Yield the tables that say something of skills: those that were played, and that no entrant has left."""
    for table in (table for stage in report for each in stage.rounds for table in each.tables):
        has_left = any(note.kind in (BANNED, FORFEIT) for note in table.notes)
        scores = tuple(float(score) for score in table.scores if score is not None)
        entrants = tuple(entrant for entrant in table.entrants if entrant is not None)
        if table.blocks and not has_left and len(scores) == len(entrants):
            yield TableScores(entrants, scores, table.blocks)


def believe_best(
    form: EventForm,
    field: Sequence[SkillBelief],
    tables: Sequence[TableScores],
    winner: int,
    seed: object = 0,
) -> Certainty:
    """Return how surely *winner* is best of *field*, by beliefs and *tables*; the same for one *seed*."""
    skills, lower = _fit(form, field, tables)
    luck, count = Random(f"hindsight {seed}"), len(field)
    draws = max(200, min(DRAWS, TERMS // (count * count)))
    best = 0
    for _ in range(draws):
        drawn = _draw(lower, luck)
        mine = skills[winner] + drawn[winner]
        best += all(skill + more <= mine for skill, more in zip(skills, drawn, strict=True))
    return Certainty.of(best, draws)


def _draw(lower: list[list[float]], luck: Random) -> list[float]:
    """Return normal numbers whose precision is that of which *lower* is the factor."""
    drawn = [luck.gauss(0.0, 1.0) for _ in lower]
    for i in range(len(lower) - 1, -1, -1):
        row = lower[i]
        value = drawn[i] = drawn[i] / row[i]
        for j in range(i):
            drawn[j] -= value * row[j]
    return drawn


def _fit(
    form: EventForm, field: Sequence[SkillBelief], tables: Sequence[TableScores]
) -> tuple[list[float], list[list[float]]]:
    """Return the likeliest skills, and the factor of their precision there."""
    skills = [mu for mu, _ in field]
    for _ in range(STEPS):
        precision = [[0.0] * len(field) for _ in field]
        pull = [0.0] * len(field)
        for i, (mu, sigma) in enumerate(field):
            precision[i][i] += sigma**-2
            pull[i] += (mu - skills[i]) * sigma**-2
        for table in tables:
            _add(form, table, skills, precision, pull)
        lower = factorize(precision)
        steps = solve(lower, pull)
        largest = max(map(abs, steps))
        scale = min(1.0, form.beta / largest) if largest else 1.0  # far away, the slopes are others
        skills = [skill + scale * step for skill, step in zip(skills, steps, strict=True)]
        if largest < NEAR * form.beta:
            break
    return skills, lower


def _add(
    form: EventForm,
    table: TableScores,
    skills: Sequence[float],
    precision: list[list[float]],
    pull: list[float],
) -> None:
    """Add what *table* says: the scores follow from the gaps of the skills, with noise that sums up to 0."""
    seated, count = table.entrants, len(table.entrants)
    slopes = [[0.0] * count for _ in seated]
    means = [0.0] * count
    for i, one in enumerate(seated):
        for j, other in enumerate(seated):
            if i != j:
                gap = (skills[one] - skills[other]) / form.beta
                means[i] += expect_score(gap, 1.0) / (count - 1)
                slope = math.exp(-gap * gap / 4) / (2 * math.sqrt(math.pi) * form.beta * (count - 1))
                slopes[i][i] += slope
                slopes[i][j] -= slope
    spread_out = max(LEAST_NOISE, 4 * sum([mean * (1 - mean) for mean in means]) / count)
    weight = table.blocks * (count - 1) / count / (spread_out * noise_at(form, count) ** 2)
    for j, one in enumerate(seated):
        column = [row[j] for row in slopes]
        pull[one] += weight * sum(
            [slope * (score - mean) for slope, score, mean in zip(column, table.scores, means, strict=True)]
        )
        for k, other in enumerate(seated):
            precision[one][other] += weight * sum([row[j] * row[k] for row in slopes])
