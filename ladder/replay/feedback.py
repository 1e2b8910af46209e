"""What the author of a bot may see of its matches, as Markdown.

It holds the bot's results and faults, and replays as its seats saw them.  It holds no seed, no other bot's
thoughts, notes or faults, and no path of the ladder.  All that bots wrote is text: it stands in code, where
Markdown and HTML mean nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, zip_longest

from engines import GameNotLoaded
from ladder.errors import LadderError
from ladder.games.shown_game import ShownGame
from ladder.machine.plugged_in import go_on_without
from ladder.registry.version import Version
from ladder.replay.replay import deal_of, make_record
from ladder.replay.review.bot_review import KINDS, kind_rows, look_at, review_of_bot, tell_one_sided
from ladder.replay.review.loss_names import verdict_of
from ladder.replay.review.narration import ask_command, tell_loss
from ladder.replay.seat import narrate_seat
from protocol.faults import explain
from results.record import Json
from results.reports.bot_facts import (
    OPPONENTS,
    PLACES,
    STANDINGS,
    BotFacts,
    BotFaults,
    GameFacts,
    shown_opponents,
    shown_standings,
    thin,
)
from results.reports.fault_card import COMMANDS, render_card
from results.reports.headroom import HEADROOM, headroom_rows
from results.reports.history import SHOWN_HISTORY
from results.reports.intervals import doubt_of
from results.reports.labels import Key, Numbers
from results.reports.losses import LostMatch
from results.reports.render import Column, Row, digits, escape, render
from results.reports.standouts import standout_lines
from results.reviewed import SEVERAL, ReviewedStep
from results.storage.contents import Contents
from results.words import count

FEEDBACK = "<!-- ladder bots feedback -->"
"""The first line: a file with it may be overwritten by the next feedback."""
RATINGS = 7
"""The most rows of a rating's history."""
FAULTS = 5
"""The most faults that are shown in full."""
WORST = 5
"""The most decisions that are shown with what they cost."""
RATES = (
    Column("game", "game"),
    Column("seats", "seats", right=True),
    Column("decisions", "decisions", right=True),
    Column("error", "loss a decision, %", digits(2), right=True),
    Column("margin", "+-", digits(2), right=True),
    Column("points", "in points", digits(2), right=True),
    Column("points_margin", "+-", digits(2), right=True),
)
REPLAYS = 3
"""The most losses that are shown move by move."""


def feedback(
    contents: Contents,
    facts: BotFacts,
    versions: Sequence[Version],
    numbers: Numbers,
    hide_paths: Callable[[str], str] = str,
) -> str:
    """Return what the author of the bot of *facts* may see of it.

    *versions* are all of its name, the oldest first; *numbers* are those of the home.  *hide_paths*
    returns a text without the paths of this machine that a fault may name.
    """
    version = next(each for each in versions if (each.bot, each.version) == facts.bot)
    paragraphs = chain(
        _head(version, versions, facts, numbers, contents.season_name),
        *(_game(game, numbers) for game in facts.games),
        _faults(facts.faults, hide_paths),
        _costs(contents, facts.bot, numbers),
        _losses(contents, facts.games, numbers),
    )
    return "\n\n".join([FEEDBACK, *paragraphs]) + "\n"


# -- parts


def _head(
    version: Version, versions: Sequence[Version], facts: BotFacts, numbers: Numbers, season: str
) -> Iterator[str]:
    in_season = f" in season {_code(season)}" if season else ""
    yield f"# {_code(f'{version.bot}@{version.number}')}"
    told = f"Submitted {version.submitted.replace('T', ' ')[:16]} UTC"
    yield f"{told}: {_code(version.note)}" if version.note else f"{told}."
    if version.ban:
        yield f"The bot is banned: {_code(version.ban.why)}"
    newest = versions[-1]
    if version is not newest and not newest.aside:
        played = any(row["version"] == newest.version for row in facts.standings)
        state = "" if played else f", which has not played{in_season} yet"
        yield f"There is a newer version, {_code(f'{newest.bot}@{newest.number}')}{state}."
    if facts.standings:
        if season:
            yield f"All results are those of season {_code(season)}."
        yield "+- and places (#) are 95 % intervals."
        yield _table(shown_standings(facts.standings, numbers), STANDINGS)
    else:
        yield f"It has not played{in_season} yet."


def _game(facts: GameFacts, numbers: Numbers) -> Iterator[str]:
    yield f"## {_code(facts.game)}"
    yield "### Rating after its first matches"
    columns = [column for column in SHOWN_HISTORY if column.key in ("matches", "mu", "doubt")]
    yield _table([{**row, "doubt": doubt_of(row)} for row in thin(facts.history, RATINGS)], columns)
    yield "### Against each opponent"
    opponents = shown_opponents(facts.opponents, numbers)
    yield _table([{**row, "rival": _code(row["rival"])} for row in opponents], OPPONENTS)
    for line in standout_lines(facts.standouts, facts.opponents, numbers):
        yield _code(line)
    yield "### By table size and seat"
    yield _table(facts.places, PLACES)
    if facts.headroom:
        yield "### Use of the limits"
        yield _table(headroom_rows(facts.headroom), HEADROOM)


def _faults(faults: BotFaults, hide_paths: Callable[[str], str]) -> Iterator[str]:
    yield "## Faults"
    if not faults.newest:
        yield "None."
        return
    rows = [
        {"kind": _code(kind), "faults": number, "rule": meaning, "advice": advice}
        for kind, number in faults.charged.items()
        for meaning, advice in [explain(kind)]
    ]
    if rows:
        yield _table(rows, [Column(key, key, right=key == "faults") for key in rows[0]])
    if faults.forgiven:
        yield f"{count(faults.forgiven, 'fault')} more cost it no match."
    for fault in _choose(faults.newest):
        yield _block(hide_paths("\n".join(_card(fault))))


def _choose(newest: Sequence[dict[str, Json]]) -> list[dict[str, Json]]:
    """Return the newest fault of each kind, and then others, newest first; at most FAULTS."""
    first: dict[str, dict[str, Json]] = {}
    for fault in newest:
        first.setdefault(fault["kind"], fault)
    others = [fault for fault in newest if fault is not first[fault["kind"]]]
    return [*first.values(), *others][:FAULTS]


def _card(fault: Mapping[str, Json]) -> list[str]:
    """Return the lines that show *fault*, without its request, which holds a seed, and without commands."""
    return [*render_card({**fault, "request": ""})][: -len(COMMANDS)]


def _costs(contents: Contents, bot: Key, numbers: Numbers) -> Iterator[str]:
    """Yield how much the decisions of *bot* cost, if matches of it were reviewed: by what its seats knew."""
    found = review_of_bot(contents, *bot, WORST)
    if not found.rates:
        return
    yield "## What its decisions cost"
    yield (
        f"In {count(found.matches, 'reviewed match')}, judged by what its seats could know: how much more the"
        " best option promised than what was played, in % of the result (100 is to beat all others)."
    )
    yield _table(
        [
            {
                "game": _code(game),
                "seats": seats,
                "decisions": rate.decisions,
                "error": 100 * rate.loss,
                "margin": None if rate.margin is None else 100 * rate.margin,
                "points": rate.points,
                "points_margin": rate.points_margin,
            }
            for (game, seats), rate in found.rates.items()
        ],
        RATES,
    )
    for (game, seats), beaten in found.beaten.items():
        if one_sided := tell_one_sided(beaten):
            yield f"In {_code(game)} with {seats} seats {one_sided}."
    for (game, seats), kinds in found.kinds.items():
        yield (
            f"By kind of decision in {_code(game)} with {seats} seats: the mean and the sum of what was lost,"
            " and the share of all that was."
        )
        yield _table([{**row, "kind": _code(row["kind"])} for row in kind_rows(kinds)], KINDS)
    if found.worst:
        yield "### What cost most"
        yield "The decisions that surely cost most, each with what the seat of the bot saw."
    for row in found.worst:
        yield from _decision(contents, row, numbers)


def _decision(contents: Contents, row: ReviewedStep, numbers: Numbers) -> Iterator[str]:
    """Yield what *row* says of a decision, and what its seat saw, of which it knew nothing more."""
    what = f"match {row.run}/{row.number} step {row.step} cannot be shown"
    picture, played = "It cannot be shown.", ""
    if seen := go_on_without(what, lambda: look_at(contents, row), None, row.game):
        picture = _block(ShownGame(row.game).text(seen.view).rstrip())
        played = f"Played: {_code(SEVERAL.join(seen.played))}. "
    name = verdict_of(row.loss or 0.0, row.loss_se or 0.0) or "loss"
    ask = f" {_code(command)}" if (command := ask_command(row, numbers)) else ""
    where = f"match {row.run}/{row.number}, step {row.step}, seat {row.seat}"
    yield f"#### {_code(row.game)}: {where}"
    yield f"{name.capitalize()}: {tell_loss(row)}. {played}Better: {_code(row.best or '')}.{ask}"
    yield picture


def _losses(contents: Contents, games: Sequence[GameFacts], numbers: Numbers) -> Iterator[str]:
    """Yield the worst losses of all games in turns, as the seat of the bot saw them."""
    turns = zip_longest(*([(game.game, loss) for loss in game.losses] for game in games))
    worst = [each for turn in turns for each in turn if each][:REPLAYS]
    if worst:
        yield "## Worst losses"
        yield "As the bot saw them: what was hidden from it is hidden here."
    for game, loss in worst:
        behind = f", {count(loss.behind, 'point')} behind the winner" if loss.behind > 0 else ""
        name = f"{loss.match[0]}/{loss.match[1]}"
        yield f"### {_code(game)}: match {name}, seat {loss.seat}, place {loss.rank}{behind}"
        yield _replay(contents, loss, numbers)


def _replay(contents: Contents, loss: LostMatch, numbers: Numbers) -> str:
    run, number = loss.match
    match, settings = contents.match(run, number), contents.run(run).settings
    try:
        record = make_record(match, run, settings, deal_of(match, settings.tables), ())
        return _block("\n".join(narrate_seat(record, loss.seat, numbers)))
    except (
        LadderError,
        GameNotLoaded,
        ValueError,
        LookupError,
        TypeError,
    ) as error:  # engines fail variously
        return f"It cannot be shown: {_code(str(error))}"


# -- Markdown


def _table(rows: Sequence[Row], columns: Iterable[Column]) -> str:
    return render(rows, [*columns], "md").rstrip("\n")


def _code(text: str) -> str:
    """Return *text* on one line, as code."""
    fence = "`" * (1 + _longest_run(text))
    padding = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{padding}{escape(text)}{padding}{fence}"


def _block(text: str) -> str:
    """Return *text* as a block of code."""
    fence = "`" * max(3, 1 + _longest_run(text))
    return "\n".join([f"{fence}text", *map(escape, text.split("\n")), fence])


def _longest_run(text: str) -> int:
    """Return the length of the longest run of backticks in *text*."""
    return max(map(len, re.findall("`+", text)), default=0)
