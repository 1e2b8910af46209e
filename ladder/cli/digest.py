"""`ladder home digest`: one hash over all results."""

from __future__ import annotations

from typing import Annotated

from ladder.cli.options import (
    DuelOption,
    HomeOption,
    RunOption,
    existing_home,
    known_run,
    note,
    store_of,
)
from ladder.run.option import Option, whole
from results.words import count


def digest(
    run: RunOption = None,
    duel: DuelOption = None,
    form: Annotated[
        int | None,
        Option("Print this form, or say why that is not possible.", metavar="N", read=whole(1)),
    ] = None,
    home: HomeOption = None,
) -> None:
    """Print one hash over all results.

    Two ladders with the same hash have played the same matches. The hash covers the number, bots, deal, rule
    options, moves, notes, faults, ranks and scores of every match that counts, the secret of each run, and
    the final ratings. It covers no measured times. With --run it covers one run, as if there were no other.
    Duels and unrated runs are covered with --duel only, one at a time. Only digests of the same form can be
    compared.

    Example: ladder home digest --run 1
    """
    from ladder.errors import UsageProblem
    from results.reports.digest import FORM
    from results.reports.digest import digest as digest_of

    if form not in (None, FORM):
        raise UsageProblem(
            f"expected --form {FORM}, got: {form}; older forms hash ratings that were made in another way,"
            " which this ladder cannot repeat",
            f"print it with the ladder that made the results, or compare form {FORM} of both homes"
            if form < FORM
            else f"ladder home digest, which prints form {FORM}",
        )
    contents = store_of(existing_home(home), duel, hidden=True).contents()
    number = known_run(contents, run)
    found = digest_of(contents, number)
    print(found.hex)
    runs = f"run {number}" if number else count(found.runs, "run")
    note(f"form {FORM}: {count(found.matches, 'match')} of {runs}")
    if (unfinished := contents.unfinished_run) and number in (None, unfinished.run):
        name = contents.folder.name_run(unfinished.run)
        hint = "the command that began it continues it" if duel else "ladder run --resume"
        note(f"run {name} is unfinished: this covers its matches so far", hint)
