"""The list of runs, and the page of a run."""

from __future__ import annotations

from ladder.web.pages.as_html import parts_as_html
from ladder.web.pages.environment import render
from ladder.web.site.format import Shown, date_of, page_of_game
from ladder.web.site.game_page import footer_of
from results.record import Run

MATCHES = 20


def runs_page(shown: Shown) -> str:
    """Return the list of runs, newest first."""
    facts = shown.facts
    rows = [
        {
            "run": run.run,
            "started": date_of(run.started),
            "finished": "under way" if run.finished is None else date_of(run.finished),
            "matches": sum(count for (of, _, _), count in facts.survey.tables.items() if of == run.run),
            "bots": len(run.bots),
            "games": ", ".join(dict.fromkeys(contest.game for contest in run.settings.contests)),
            "faults": sum(count for (of, _), count in facts.fault_kinds.items() if of == run.run) or "",
        }
        for run in reversed(facts.runs)
    ]
    return render("site/templates/runs.html", shown.frame("runs.html", "", footer_of(shown)), rows=rows)


def run_page(shown: Shown, run: Run) -> str:
    """Return the page of *run*."""
    facts = shown.facts
    tables = [
        {"game": game, "page": page_of_game(game), "seats": seats, "matches": count}
        for (of, game, seats), count in sorted(facts.survey.tables.items())
        if of == run.run
    ]
    mine = (which for which in shown.matches if which[0] == run.run)
    matches = shown.match_table(mine, f"Matches of run {run.run} to watch", MATCHES)
    return render(
        "site/templates/run.html",
        shown.frame("runs.html", "../", [_measure(shown, run)]),
        run=run.run,
        facts=[(term, text) for term, text in _facts(shown, run) if text],
        tables=tables,
        bots=[shown.bot(bot) for bot in run.bot_keys if bot[0] in facts.marks],
        matches=parts_as_html([matches], shown.names("../")) if matches.rows else "",
    )


def _measure(shown: Shown, run: Run) -> str:
    known = run.versions if shown.options.private else {"ladder": run.versions.get("ladder", "?")}
    versions = ", ".join(f"{name} {version}" for name, version in sorted(known.items()))
    return f"run {run.run}, {date_of(run.started)}; {versions}"


def _facts(shown: Shown, run: Run) -> list[tuple[str, str]]:
    """Return what is known of a run.

    Its seed and its secret are never among it: a shard that is over may have others that still play.
    """
    settings, kinds = run.settings, shown.facts.fault_kinds
    limits = settings.limits
    faults = [f"{count:,} {kind}" for (of, kind), count in sorted(kinds.items()) if of == run.run]
    without = [left.name for left in settings.without]
    return [
        ("started", date_of(run.started)),
        ("ended", "under way" if run.finished is None else date_of(run.finished)),
        ("schedule", settings.schedule),
        ("until", settings.until or ""),
        ("free time", f"{limits['move_ms']:,} ms for each decision" if "move_ms" in limits else ""),
        ("bank", f"{limits['bank_ms']:,} ms for a match" if "bank_ms" in limits else ""),
        ("memory", f"{limits['memory_mb']:,} MB" if "memory_mb" in limits else ""),
        ("left out", "; ".join(settings.left_out)),
        ("continued without", ", ".join(without)),
        ("faults", ", ".join(faults) or "none"),
        ("deals", "bots could know them: the seed can be guessed" if run.guessable else "secret"),
        ("machine", run.host if shown.options.private else ""),
    ]
