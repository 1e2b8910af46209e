"""What is told of the faults of a bot, in every medium."""

from collections import Counter
from collections.abc import Mapping, Sequence

from protocol.faults import explain
from results.record import Json
from results.reports import document as doc
from results.reports.bot_facts import BotFaults
from results.reports.fault_card import COMMANDS, render_card

FAULTS = 5
"""The newest faults that are listed."""


_FAULT_KINDS = (
    doc.Column("kind", "kind", kind=lambda row: doc.Prose(row["kind"])),
    doc.Column("faults", "faults", right=True),
    doc.Column("forgiven", "cost no match", right=True, always=False),
    doc.Column("rule", "rule", fold=True),
    doc.Column("advice", "advice", fold=True),
)
_NEWEST = (
    doc.Column(
        "match", "match", kind=lambda row: doc.MatchRef(row["run"], row["number"], row["step"], row["seat"])
    ),
    doc.Column("step", "step", kind=lambda row: "before the first" if row["step"] < 0 else str(row["step"])),
    doc.Column("kind", "kind", kind=lambda row: doc.Prose(row["kind"])),
    doc.Column("time", "time", always=False, kind=lambda row: _time(row)),
    doc.Column(
        "reason",
        "why",
        fold=True,
        always=False,
        kind=lambda row: doc.Prose(row["reason"]) if row["reason"] else None,
    ),
)


def _time(fault: doc.Row) -> str | None:
    if not fault["elapsed_us"]:
        return None
    return f"{fault['elapsed_us'] / 1000:,.1f} ms, of {fault['limit_us'] / 1000:,.0f} ms"


def faults_section(faults: Sequence[BotFaults], audience: doc.Audience, cards: int, name: str) -> doc.Section:
    """Return the *faults* of some versions of a bot: how many of each kind, and the newest ones.

    At most *cards* of them are told in full.  *name* is the name of the version; "" stands for several.
    """
    newest = [row for each in faults for row in each.newest]
    newest.sort(key=lambda row: (row["run"], row["number"]), reverse=True)
    charged, forgiven = Counter[str](), Counter[str]()
    for each in faults:
        charged.update(each.charged)
        forgiven.update(each.forgiven)
    if not newest:
        return doc.Section("Faults", [doc.Text("None.")])
    rows = [
        {"kind": k, "faults": charged[k], "forgiven": forgiven[k] or None, "rule": rule, "advice": advice}
        for k in sorted({*charged, *forgiven})
        for rule, advice in [explain(k)]
    ]
    parts: list[doc.Part] = [doc.Table(_FAULT_KINDS, rows, "Faults by kind")]
    if audience != "author":
        columns = [column for column in _NEWEST if audience == "operator" or column.key != "reason"]
        parts.append(doc.Table(columns, newest[:FAULTS], "The newest faults"))
    if audience != "public":
        parts += [doc.Code("\n".join(_card(fault))) for fault in _choose(newest, cards)]
    if audience == "operator" and name:
        parts.append(doc.Note("the requests, the answers and the logs", f"ladder faults {name}"))
    return doc.Section("Faults", parts, "faults")


def _choose(newest: Sequence[dict[str, Json]], most: int) -> list[dict[str, Json]]:
    """Return the newest fault of each kind, and then others, newest first; at most *most*."""
    first: dict[str, dict[str, Json]] = {}
    for fault in newest:
        first.setdefault(fault["kind"], fault)
    others = [fault for fault in newest if fault is not first[fault["kind"]]]
    return [*first.values(), *others][:most]


def _card(fault: Mapping[str, Json]) -> list[str]:
    """Return the lines that show *fault*, without its request, which holds a seed, and without commands."""
    return [*render_card({**fault, "request": ""})][: -len(COMMANDS)]
