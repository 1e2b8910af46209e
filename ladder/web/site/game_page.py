"""The page of a game: its leaderboard, and head to head."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ladder.web.pages.environment import render
from ladder.web.pages.figures import axis_of, bar, dot_in_interval, heat
from ladder.web.site.format import (
    Shown,
    format_fixed,
    milliseconds,
    name_of,
    page_of_game,
    page_of_rules,
    percent,
    place,
)
from results.reports.document import Interval, Row
from results.reports.intervals import doubt_of, span_of
from results.reports.labels import Key
from results.reports.leaderboard import GameBoard, not_shown, notes, title
from results.reports.limit_sets import limit_notes
from results.reports.matrix import matrix
from results.words import count

GRID = 32
"""The heat map has at most this many bots; more would be a wall of cells."""
PAIRS = 30
"""With more bots, the table of pairs would be longer than anybody reads: the pages of bots have it."""
MATCHES = 12


def game_page(shown: Shown, game: str) -> str:
    """Return the page of *game*."""
    facts = shown.facts
    board = facts.boards[game]
    rows = facts.leaders[game]
    order = [board.fit.bots[i] for i in board.ranked + board.unranked]
    cells = matrix(facts.survey.meetings(game), game, order, board.fit.deviation)
    last = max((facts.survey.newest[game]), default=None)
    return render(
        "site/templates/game.html",
        shown.frame(
            page_of_game(game),
            "../",
            footer_of(shown, f"{game}: up to match {last[0]}/{last[1]}" if last else ""),
        ),
        game=name_of(game),
        rules=page_of_rules(game),
        title=title(board).partition("  ")[2].replace("+-", "±"),
        clock_ms=facts.clock_ms(game),
        rows=board_rows(shown, board, rows),
        has={key: any(row[key] for row in rows) for key in ("win_rate", "mean_rank", "mean_score", "faults")},
        notes=visitor_notes(shown, game),
        heads=[shown.bot(key) for key in order[:GRID]],
        grid=_grid(shown, cells, order[:GRID]) if len(order) > 1 else [],
        cut=f"The first {GRID} of {len(order)} bots; the page of each bot has its results against all."
        if len(order) > GRID
        else "",
        pairs=[_pair(shown, row) for row in cells] if len(order) <= PAIRS else [],
        matches=shown.rows(which for which, (match, _) in shown.matches.items() if match.game == game)[
            :MATCHES
        ],
    )


def footer_of(shown: Shown, *lines: str) -> list[str]:
    """Return the footer of a page about the whole home: *lines*, and what all ratings come from."""
    facts = shown.facts
    runs = facts.runs
    if not runs:
        return ["nothing measured yet"]
    over = "under way" if runs[-1].finished is None else "over"
    of = f" of season {facts.season}" if facts.season else ""
    found = f"{count(facts.survey.matches, 'match')} in {count(len(runs), 'run')}{of}, the last one {over}"
    by = f"ladder {runs[-1].versions.get('ladder', '?')}"
    return [*filter(None, lines), f"{found}; {by}", *([f"digest {facts.digest}"] if facts.digest else [])]


def visitor_notes(shown: Shown, game: str) -> list[str]:
    """Return what the ratings of *game* cannot say, in words for people who have no ladder to ask."""
    facts, board = shown.facts, shown.facts.boards[game]
    found = [
        *notes(board, facts.numbers, commands=False),
        *limit_notes(facts.contents, board, facts.numbers),
    ]
    hidden = not_shown([board])
    return [*(note.text for note in found), *([hidden] if hidden else []), *_guessable(shown, game)]


def _guessable(shown: Shown, game: str) -> list[str]:
    runs = shown.facts.guessable.get(game)
    if not runs:
        return []
    named = ", ".join(map(str, runs[:5])) + (", ..." if runs[5:] else "")
    return [f"bots could know the cards of {count(len(runs), 'run')}, {named}: the seed can be guessed"]


def board_rows(
    shown: Shown, board: GameBoard, rows: Sequence[Row], top: int | None = None
) -> list[dict[str, Any]]:
    """Return *rows* of `leaderboard`, or the first *top*, as the page shows them, on one axis."""
    rows = rows[:top]
    axis = axis_of([span_of(row) or Interval(row["mu"], row["mu"], row["mu"]) for row in rows])
    # Rows without a clear order share a band: places alone would say more than is known.
    bands = _bands(board)
    found = []
    for order, row in enumerate(rows):
        bot = shown.bot((row["bot"], row["version"]))
        span, doubt = span_of(row), doubt_of(row) or ""
        text = f"{format_fixed(row['mu'], 1)}, {doubt}" if " " in doubt else f"{row['mu']:.1f} ± {doubt}"
        think, clock = row["ms_per_move"], shown.facts.clock_ms(board.game, row["bot"])
        found.append(
            {
                "order": order,
                "bot": bot,
                "band": bands.get((row["bot"], row["version"]), ""),
                "place": place(row),
                "interval": dot_in_interval(row["mu"], span, axis, bot.mark, text),
                "rating": format_fixed(row["mu"], 1),
                "margin": doubt,
                "matches": row["matches"],
                "win_rate": percent(row["win_rate"]),
                "win_rate_sort": percent(row["win_rate"]),
                "win_interval": _ends(row, "win_rate", 100, 0),
                "mean_rank": format_fixed(row["mean_rank"], 2),
                "mean_rank_sort": format_fixed(row["mean_rank"], 4),
                "mean_rank_interval": _ends(row, "mean_rank", 1, 2),
                "points": format_fixed(row["mean_score"], 1),
                "faults": row["faults"] or "",
                "faults_title": ", ".join(
                    f"{kind}: {count:,}" for kind, count in row["faults_by_kind"].items()
                ),
                "think": milliseconds(think),
                "think_sort": format_fixed(think, 4),
                "think_bar": "" if think is None else bar(think / clock, f"{think:.2f} ms of {clock:,} ms"),
            }
        )
    return found


def _ends(row: Row, key: str, factor: float, digits: int) -> str:
    low, high = row[f"{key}_low"], row[f"{key}_high"]
    return "" if low is None else f"{factor * low:.{digits}f}-{factor * high:.{digits}f}"


def _bands(board: GameBoard) -> dict[Key, str]:
    """Return the classes of each bot's row: in a band with the one above if they are not told apart."""
    groups: list[list[int]] = []
    for i in board.ranked:
        if groups and board.is_open(groups[-1][-1], i):
            groups[-1].append(i)
        else:
            groups.append([i])
    found = {board.fit.bots[i]: "band" for group in groups if len(group) > 1 for i in group}
    ends = {board.fit.bots[group[-1]] for group in groups}
    classes = {bot: f"{found.get(bot, '')}{' ends' if bot in ends else ''}".strip() for bot in board.fit.bots}
    return classes | {board.fit.bots[i]: "unranked" for i in board.unranked}


def _grid(shown: Shown, cells: Sequence[Row], order: Sequence[Key]) -> list[dict[str, Any]]:
    """Return the rows of the heat map; a cell of None is a bot against itself, or a pair that never met."""
    met = {((row["bot"], row["version"]), (row["rival"], row["rival_version"])): row for row in cells}
    return [
        {"bot": shown.bot(bot), "cells": [_cell(shown, met.get((bot, rival))) for rival in order]}
        for bot in order
    ]


def _cell(shown: Shown, row: Row | None) -> dict[str, str] | None:
    if row is None:
        return None
    bot, rival = (shown.facts.label[row[name], row[version]] for name, version in _SIDES)
    share, low, high = row["win_rate"], row["win_rate_low"], row["win_rate_high"]
    return {
        "classes": heat(share, (high - low) / 2),
        "text": f"{100 * share:.0f}",
        "title": f"{bot} against {rival}: {100 * share:.1f} % ({100 * low:.0f} to {100 * high:.0f}),"
        f" {row['wins']:,}-{row['draws']:,}-{row['losses']:,} in {row['matches']:,}",
    }


_SIDES = (("bot", "version"), ("rival", "rival_version"))


def _pair(shown: Shown, row: Row) -> dict[str, Any]:
    bot, rival = (shown.bot((row[name], row[version])) for name, version in _SIDES)
    return {
        **{key: row[key] for key in ("matches", "wins", "draws", "losses")},
        "bot": bot,
        "rival": rival,
        "rate": percent(row["win_rate"]),
        "interval": _ends(row, "win_rate", 100, 0),
        "ahead": format_fixed(row["score_difference"], 1),
    }
