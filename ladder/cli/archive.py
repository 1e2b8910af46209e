"""`ladder home archive`: put a home into one file."""

import shlex
from pathlib import Path
from typing import Annotated

from ladder.cli.options import FormatOption, HomeOption, existing_home, note, print_facts
from ladder.run.option import Argument, Option
from results.reports.values_as_text import escape


def archive(
    file: Annotated[Path, Argument("The file to write; it must not exist.", metavar="FILE")],
    without_secrets: Annotated[
        bool, Option("Leave out the people, and the secrets of all runs; their hashes stay.")
    ] = False,
    reviews: Annotated[
        bool, Option("Include reviews. They show what seats held and what they could have known.")
    ] = False,
    home: HomeOption = None,
    format: FormatOption = "table",  # noqa: A002 - the option's name
) -> None:
    """Put the home into one file.

    The file holds settings, bots, all matches, duels and seasons. An unfinished run is stored as ended, and
    its secret is left out, because its deals are still to come. Variables that bots may have ([allow] env),
    transcripts, and ratings, which are computed again, are left out as well. So are reviews, unless you ask
    for --reviews.

    With --without-secrets, deals that were not played cannot be computed from the file. ladder home verify
    then says which runs it cannot check against their secrets.

    Example: ladder home archive term.tar.gz
    """
    from ladder.home.archive import write_archive

    written = write_archive(existing_home(home), file, without_secrets=without_secrets, with_reviews=reviews)
    facts = {
        "file": str(file),
        "size": f"{written.size / 2**20:,.1f} MB",
        "files": f"{len(written.listed.files):,}",
        "matches": f"{written.listed.matches:,}",
        "digest": written.listed.digest,
        "sha256": written.sha256,
    }
    print_facts(facts, format)
    for run in written.listed.ended:
        note(f"run {run} is unfinished: the archive ends it as it is, without its secret")
    for what in written.left_out:
        note(f"left out: {what}")
    for what in written.changed:
        note(f"warning: {escape(what)}; the archive holds it as it is", "submit it again")
    note("elsewhere", f"ladder home restore {shlex.quote(file.name)}")
