"""`ladder selftest`: hostile bots, let loose on this machine."""

from collections.abc import Sequence
from typing import Annotated

from ladder.cli.options import FormatOption, note, print_rows
from ladder.errors import LadderError
from ladder.run.option import Argument, Option
from results.reports.document import Column
from results.words import count


def selftest(
    cases: Annotated[
        Sequence[str], Argument("Run only these: L13, B28...; without it, a selection.", metavar="CASE")
    ] = (),
    sandbox: Annotated[
        str, Option("Run under this tier: auto, bwrap, landlock or none.", metavar="TIER")
    ] = "auto",
    full: Annotated[bool, Option("Run every case under every tier that works here.")] = False,
    format: FormatOption = "table",  # noqa: A002
) -> None:
    """Test this machine's defences with hostile bots.

    Each hostile bot misbehaves in a match against an honest bot. The referee must find the right fault
    within a second of its deadline, the honest bot must win, the next match must have no fault, and no
    process or file may be left.

    Example: ladder selftest
    """
    from ladder.dev.hostile import run_cases, select_cases, tiers_to_try

    ids = select_cases(cases, full)
    rows = []
    for tier in tiers_to_try(sandbox, every=full):
        note(f"trying {count(len(ids), 'case')} under the tier {tier}")
        rows += [verdict.row() for verdict in run_cases(ids, tier)]
    columns = [
        Column("case", "case"),
        Column("what", "what it does"),
        Column("tier", "tier"),
        Column("expected", "expected"),
        Column("found", "found"),
        Column("ms", "ms", right=True),
        Column("ok", "", lambda ok: "ok" if ok else "FAILED"),
        Column("problems", "problems", always=False),
    ]
    print_rows(rows, columns, format)
    if failed := [row for row in rows if not row["ok"]]:
        again = " ".join(dict.fromkeys(row["case"] for row in failed))
        raise LadderError(
            f"{len(failed)} of {len(rows)} cases failed",
            f"ladder selftest {again} --sandbox {failed[0]['tier']}",
        )
