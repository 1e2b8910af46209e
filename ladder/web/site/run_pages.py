"""The list of runs, and the page of a run."""

from collections.abc import Mapping

from ladder.web.site.format import Shown, date_of
from ladder.web.site.game_page import footer_of
from results.record import Run
from results.reports import document as doc

MATCHES = 20
_RUNS = (
    doc.Column("run", "run", kind=lambda row: doc.PageRef(f"runs/{row['run']}.html", f"{row['run']}")),
    doc.Column("started", "started"),
    doc.Column("finished", "ended"),
    doc.Column("matches", "matches", right=True),
    doc.Column("bots", "bots", right=True),
    doc.Column("games", "games", kind=lambda row: doc.between([doc.GameRef(game) for game in row["games"]])),
    doc.Column("faults", "faults", right=True),
)
_TABLES = (
    doc.Column("game", "game", kind=lambda row: doc.GameRef(row["game"])),
    doc.Column("seats", "seats", right=True),
    doc.Column("matches", "matches", right=True),
)


def runs_page(shown: Shown) -> str:
    """Return the list of runs, newest first."""
    facts = shown.facts
    rows: list[doc.Row] = [
        {
            "run": run.run,
            "started": date_of(run.started),
            "finished": "under way" if run.finished is None else date_of(run.finished),
            "matches": sum(count for (of, _, _), count in facts.survey.tables.items() if of == run.run),
            "bots": len(run.bots),
            "games": [*dict.fromkeys(contest.game for contest in run.settings.contests)],
            "faults": sum(count for (of, _), count in facts.fault_kinds.items() if of == run.run) or None,
        }
        for run in reversed(facts.runs)
    ]
    parts: list[doc.Part] = [doc.Table(_RUNS, rows, "All runs", sortable=True)]
    if not rows:
        parts = [doc.Text("No run yet. To play one:"), doc.Code("ladder run --games 1000")]
    return shown.page(doc.Document("Runs", parts), shown.frame("runs.html", "", footer_of(shown)))


def run_page(shown: Shown, run: Run) -> str:
    """Return the page of *run*."""
    facts, title = shown.facts, f"Run {run.run}"
    rows: list[doc.Row] = [
        {"game": game, "seats": seats, "matches": matches}
        for (of, game, seats), matches in sorted(facts.survey.tables.items())
        if of == run.run
    ]
    kinds = {kind: number for (of, kind), number in sorted(facts.fault_kinds.items()) if of == run.run}
    played = doc.Section("Matches", [doc.Table(_TABLES, rows, f"Matches of run {run.run}", sortable=True)])
    bots = [doc.BotRef(*key) for key in run.bot_keys if key[0] in facts.marks]
    parts: list[doc.Part] = [
        run_facts(run, kinds, "operator" if shown.options.private else "public"),
        played if rows else doc.Text("No match of this run is over yet."),
        doc.Section("Bots", [doc.Text(doc.between(bots))]),
    ]
    mine = [which for which in shown.matches if which[0] == run.run]
    if (watch := shown.match_table(mine, f"Matches of run {run.run} to watch", MATCHES)).rows:
        parts.append(doc.Section("Matches to watch", [watch]))
    return shown.page(doc.Document(title, parts), shown.frame("runs.html", "../", [_measure(shown, run)]))


def run_facts(run: Run, faults: Mapping[str, int], audience: doc.Audience) -> doc.Facts:
    """Return what is known of a run; the operator alone reads which machine played it.

    Its seed and its secret are never among it: a shard that is over may have others that still play.
    """
    settings, limits = run.settings, run.settings.limits
    known: dict[str, doc.Value | doc.Words] = {
        "started": date_of(run.started),
        "ended": "under way" if run.finished is None else date_of(run.finished),
        "schedule": settings.schedule,
        "until": settings.until or "",
        "free time": f"{limits['move_ms']:,} ms for each decision" if "move_ms" in limits else "",
        "bank": f"{limits['bank_ms']:,} ms for a match" if "bank_ms" in limits else "",
        "memory": f"{limits['memory_mb']:,} MB" if "memory_mb" in limits else "",
        "left out": doc.between([doc.Prose(what) for what in settings.left_out], "; "),
        "continued without": doc.between([doc.Prose(left.name) for left in settings.without]),
        "faults": ", ".join(f"{number:,} {kind}" for kind, number in faults.items()) or "none",
        "deals": "bots could know them: the seed can be guessed" if run.guessable else "secret",
        "machine": run.host if audience == "operator" else "",
    }
    return doc.Facts([(name, told) for name, told in known.items() if told])


def _measure(shown: Shown, run: Run) -> str:
    known = run.versions if shown.options.private else {"ladder": run.versions.get("ladder", "?")}
    versions = ", ".join(f"{name} {version}" for name, version in sorted(known.items()))
    return f"run {run.run}, {date_of(run.started)}; {versions}"
