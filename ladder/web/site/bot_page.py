"""The page of a bot: all its versions, in all games."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from markupsafe import Markup

from engines import GAMES
from ladder.web.pages.charts import Line, Point, draw_histogram, draw_ratings
from ladder.web.pages.environment import render
from ladder.web.site.bot_decisions import DECISION_ASSETS, decisions_of
from ladder.web.site.bot_marks import SERIES
from ladder.web.site.facts import page_of_match
from ladder.web.site.figures import Axis, dot_in_interval
from ladder.web.site.format import PageSection, Shown, date_of, format_fixed, name_of, percent
from ladder.web.site.game_page import board_rows
from protocol.faults import explain
from results.reports.bars import IntervalEnds
from results.reports.bot_facts import opponents_of, places_of
from results.reports.costs import Costs, say_costs
from results.reports.headroom import headroom_rows
from results.reports.labels import Key
from results.reports.standouts import standout_lines, standouts
from results.reports.survey import BINS_PER_DECADE

FAULTS = 10
MATCHES = 12
LINES = 8
"""The chart of ratings has the newest versions, at most this many."""


def bot_page(shown: Shown, bot: str) -> str:
    """Return the page of *bot*."""
    facts, options = shown.facts, shown.options
    versions = [version for version in facts.versions if version.bot == bot]
    newest = versions[-1].manifest if versions else None
    games = [
        game
        for game, board in facts.boards.items()
        if any(key in board.rated.standings for key in facts.keys[bot])
    ]
    faults = facts.faults.get(bot, [])
    of_games = [_game(shown, bot, game) for game in games]
    decisions = decisions_of(shown, bot)
    return render(
        "site/templates/bot.html",
        shown.frame("bots.html", "../", [_measure(shown, bot)], DECISION_ASSETS if decisions else ()),
        bot=shown.bot((bot, ""), bot),
        display=versions[-1].display if versions else "",
        description=newest.description if newest else "",
        author=newest.author if newest and options.private else "",
        standings=[row for game in games for row in _standings(shown, bot, game)],
        shows_notes=options.shows_notes,
        versions=list(_versions(shown, bot)),
        games=of_games,
        sections=_sections(bool(versions), of_games, bool(decisions), bool(faults)),
        decisions=decisions,
        faults=[_fault(shown, fault) for fault in faults[:FAULTS]],
        faults_title=_faults_title(len(faults)),
    )


def _sections(
    has_versions: bool, games: Iterable[Mapping[str, Any]], has_decisions: bool, has_faults: bool
) -> list[PageSection]:
    """Return the list of contents: each game has those sections that have something to show."""
    sections = [PageSection("versions", "Versions")] if has_versions else []
    for game in games:
        parts = [(f"{game['name']}-{part}", name) for part, (key, name) in _PARTS.items() if game[key]]
        sections.append(PageSection(game["name"], game["title"], parts))
    if has_decisions:
        sections.append(PageSection("decisions", "What its decisions cost"))
    return [*sections, *([PageSection("faults", "Faults")] if has_faults else [])]


_PARTS = {
    "opponents": ("rivals", "opponents"),
    "seats": ("places", "seats"),
    "cost": ("costs", "cost"),
    "limits": ("limits", "limits"),
    "matches": ("matches", "matches"),
}
"""The sections of a game on the page of a bot: what of `_game` each shows, and its name."""


def _measure(shown: Shown, bot: str) -> str:
    last = [us for (_, key), us in shown.facts.survey.last.items() if key[0] == bot]
    return f"{bot}: last match {date_of(max(last))}" if last else f"{bot}: no match yet"


def _faults_title(count: int) -> str:
    return f"The newest {FAULTS} of {count} or more." if count > FAULTS else f"{count} in all, newest first."


def _standings(shown: Shown, bot: str, game: str) -> Iterator[dict[str, Any]]:
    """Yield a row for each version of *bot* in *game*, newest first."""
    rows = {(row["bot"], row["version"]): row for row in shown.facts.standings[game] if row["bot"] == bot}
    for key in reversed(shown.facts.keys[bot]):
        if key in rows:
            row = rows[key]
            (made,) = board_rows(shown, shown.facts.boards[game], [row])
            record = "-" if row["wins"] is None else f"{row['wins']:,}-{row['draws']:,}-{row['losses']:,}"
            yield {
                **made,
                "game": game,
                "title": name_of(game),
                "version": _version_label(shown, key),
                "record": record,
            }


def _version_label(shown: Shown, key: Key) -> str:
    number = shown.facts.numbers.get(key)
    return f"@{number}" if number else f"@{key[1][:6]}"


def _versions(shown: Shown, bot: str) -> Iterator[dict[str, str]]:
    """Yield the versions of *bot*, newest first."""
    mine = [version for version in shown.facts.versions if version.bot == bot]
    active = next((version for version in reversed(mine) if not version.rests), None)
    for version in reversed(mine):
        yield {
            "label": f"{bot}@{version.number}",
            "date": version.submitted[:16].replace("T", " "),
            "games": ", ".join(name_of(game) for game in GAMES if version.plays(game)),
            "note": version.note,
            "state": _state(version, version is active),
        }


def _state(version: Any, is_active: bool) -> str:
    if version.ban:
        return "banned"
    return "plays" if is_active else "retired" if version.retired else ""


def _game(shown: Shown, bot: str, game: str) -> dict[str, Any]:
    """Return what the page shows of *bot* in *game*."""
    facts = shown.facts
    keys = [key for key in facts.keys[bot] if key in facts.boards[game].rated.standings]
    wanted = dict.fromkeys(match for key in keys for match in facts.survey.notable(game, key).values())
    wanted |= dict.fromkeys(match for key in keys for match in facts.survey.faulted.get((game, key), [])[-1:])
    wanted |= dict.fromkeys(
        which
        for which, (match, _) in shown.matches.items()
        if match.game == game and any(seat.bot == bot for seat in match.seats)
    )
    return {
        "name": game,
        "title": name_of(game),
        "several": len(keys) > 1,
        "ratings": _ratings(shown, bot, game, keys),
        "thinking": _thinking(shown, bot, game, keys),
        "rivals": [row for key in reversed(keys) for row in _rivals(shown, game, key)],
        "standouts": [line for key in reversed(keys) for line in _standouts(shown, game, key, len(keys) > 1)],
        "places": [row for key in reversed(keys) for row in _places(shown, game, key)],
        "costs": _costs(shown, game, keys),
        "limits": [row for key in reversed(keys) for row in _limits(shown, game, key)],
        "matches": shown.rows(wanted)[:MATCHES],
    }


def _ratings(shown: Shown, bot: str, game: str, keys: Sequence[Key]) -> Markup | None:
    lines = []
    series = shown.facts.marks[bot].series
    for number, key in enumerate(reversed(keys[-LINES:])):
        rows = shown.facts.histories.get((game, key), [])
        points = [Point(row["matches"], row["mu"], row["mu_low"], row["mu_high"]) for row in rows]
        # One point is no line, and the table above has it.
        if len(points) > 1:
            lines.append(Line(_version_label(shown, key), 1 + (series - 1 + number) % SERIES, points))
    return draw_ratings(lines, f"Rating of {bot} in {game} over its matches") if lines else None


def _thinking(shown: Shown, bot: str, game: str, keys: Sequence[Key]) -> Markup | None:
    """Return the histogram of the newest version that was asked anything."""
    for key in reversed(keys):
        if counted := shown.facts.survey.thinking.get((game, key)):
            bars = [(_ms(number), _ms(number + 1), count) for number, count in sorted(counted.items())]
            title = f"Thinking time of {bot} per decision in {game}"
            return draw_histogram(bars, shown.facts.clock_ms(game, bot), shown.facts.marks[bot].series, title)
    return None


def _ms(number: int) -> float:
    """Return where a bin of the survey begins, in ms."""
    return float(10 ** (number / BINS_PER_DECADE) / 1000)


def _rivals(shown: Shown, game: str, key: Key) -> list[dict[str, Any]]:
    """Return the results of the bot of *key* against each other, the best first."""
    axis = Axis(0.0, 1.0, mark=0.5)
    found = []
    for row in opponents_of(shown.facts.survey, shown.facts.boards[game], key):
        rival = shown.bot((row["rival"], row["rival_version"]))
        span = IntervalEnds(row["win_rate_low"], row["win_rate"], row["win_rate_high"])
        interval = f"{100 * row['win_rate_low']:.0f}-{100 * row['win_rate_high']:.0f}"
        text = f"{percent(row['win_rate'])} % ({interval})"
        found.append(
            {
                "rival": rival,
                "version": _version_label(shown, key),
                "figure": dot_in_interval(row["win_rate"], span, axis, rival.mark, text),
                "rate": percent(row["win_rate"]),
                "interval": interval,
                "matches": row["matches"],
                "record": f"{row['wins']:,}-{row['draws']:,}-{row['losses']:,}",
                "ahead": format_fixed(row["score_difference"], 1),
            }
        )
    return found


def _standouts(shown: Shown, game: str, key: Key, several: bool) -> list[str]:
    """Return who is nemesis and prey of the bot of *key*; of *several* versions, with the version."""
    facts = shown.facts
    board, meetings = facts.boards[game], facts.survey.meetings_of(game, key)
    rows = opponents_of(facts.survey, board, key)
    before = f"{_version_label(shown, key)}: " if several else ""
    return [before + line for line in standout_lines(standouts(meetings, board, key), rows, facts.numbers)]


def _places(shown: Shown, game: str, key: Key) -> list[dict[str, Any]]:
    """Return the results of the bot of *key* by table size and seat."""
    axis = Axis(0.0, 1.0)
    mark = shown.facts.marks[key[0]]
    found = []
    for row in places_of(shown.facts.survey, shown.facts.boards[game], key):
        share, low, high = row["first_rate"], row["first_rate_low"], row["first_rate_high"]
        text = f"{percent(share)} % ({100 * low:.0f}-{100 * high:.0f})"
        found.append(
            {
                "name": f"{row['seats']} seats, seat {row['seat']}",
                "order": row["seats"] * 100 + row["seat"],
                "version": _version_label(shown, key),
                "matches": row["matches"],
                "firsts": percent(share),
                "figure": dot_in_interval(share, IntervalEnds(low, share, high), axis, mark, text),
                "mean_rank": format_fixed(row["mean_rank"], 2),
                "points": format_fixed(row["mean_score"], 1),
            }
        )
    return found


def _costs(shown: Shown, game: str, keys: Sequence[Key]) -> list[str]:
    """Return what the bots of *keys* said that their matches cost, the newest version first."""
    said = {key: say_costs(shown.facts.costs.get((game, key), Costs())) for key in reversed(keys)}
    told = len(keys) > 1
    return [f"{_version_label(shown, key)}: {text}" if told else text for key, text in said.items() if text]


def _limits(shown: Shown, game: str, key: Key) -> list[dict[str, Any]]:
    """Return what the bot of *key* used of its limits."""
    seen = shown.facts.headroom.get((game, key))
    return [
        {
            **row,
            "version": _version_label(shown, key),
            "share": "-" if row["share"] is None else f"{100 * row['share']:.0f} %",
            "over": (row["share"] or 0) > 1,
        }
        for row in (headroom_rows(seen) if seen else [])
    ]


def _fault(shown: Shown, fault: dict[str, Any]) -> dict[str, Any]:
    """Return a fault's card; only a private site has what the bot said."""
    rule, advice = explain(fault["kind"])
    when = "before the first step" if fault["step"] < 0 else f"step {fault['step']}"
    match = (fault["run"], fault["number"])
    free = "" if fault["charged"] else ", not charged"
    time = (
        f"{fault['elapsed_us'] / 1000:,.1f} ms, of {fault['limit_us'] / 1000:,.0f} ms"
        if fault["elapsed_us"]
        else ""
    )
    lines = [("rule", rule), ("advice", advice), ("time", time)]
    if shown.options.private:
        lines = [(name, str(fault[column] or "")) for name, column in _PRIVATE] + lines
    return {
        "kind": fault["kind"],
        "where": f"{when} of match {match[0]}/{match[1]}, seat {fault['seat']}{free}",
        "lines": [(name, text) for name, text in lines if text.strip()],
        "page": f"{page_of_match(match)}#f" if match in shown.matches else "",
    }


_PRIVATE = (
    ("why", "reason"),
    ("offered", "choice"),
    ("answer", "answer"),
    ("exit", "exit_status"),
    ("stderr", "stderr"),
)
