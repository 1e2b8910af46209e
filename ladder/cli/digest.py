"""`ladder home digest`: one hash over all results."""

from typing import Annotated

from ladder.api.asked import InOption
from ladder.cli.options import HomeOption, existing_home, note
from ladder.errors import UsageProblem
from ladder.run.option import Option, whole
from results.words import count


def digest(
    within: InOption = None,
    form: Annotated[
        int | None, Option("Refuse another form.", metavar="N", read=whole(1), hidden=True)
    ] = None,
    home: HomeOption = None,
) -> None:
    """Print one hash over all results.

    Two ladders with the same hash have played the same matches. The hash covers the number, bots, deal, rule
    options, moves, notes, faults, ranks and scores of every match that counts, the secret of each run, and
    the final ratings. It covers no measured times. With --in it covers one run, as if there were no other,
    or one duel or tournament that does not count. Only digests of the same form can be compared.

    Example: ladder home digest --in 1
    """
    from ladder.home.chosen_results import results_in
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
    chosen = results_in(existing_home(home), within, hidden=True)
    contents, number = chosen.contents, chosen.run
    found = digest_of(contents, number)
    print(found.hex)
    runs = f"run {number}" if number else count(found.runs, "run")
    note(f"form {FORM}: {count(found.matches, 'match')} of {runs}")
    if (unfinished := contents.unfinished_run) and number in (None, unfinished.run):
        name = contents.folder.name_run(unfinished.run)
        hint = "the command that began it continues it" if chosen.unrated else "ladder run --resume"
        note(f"run {name} is unfinished: this covers its matches so far", hint)
