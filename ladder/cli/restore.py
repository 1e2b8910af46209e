"""`ladder home restore`: make a home from an archive."""

import shlex
from pathlib import Path
from typing import Annotated

from ladder.cli.options import FormatOption, note, print_facts
from ladder.errors import short
from ladder.run.option import Argument
from results.reports.values_as_text import escape


def restore(
    file: Annotated[Path, Argument("An archive: see `ladder home archive`.", metavar="FILE")],
    path: Annotated[Path, Argument("The home to make; it must not exist.", metavar="FOLDER")] = Path(
        "ladder-home"
    ),
    format: FormatOption = "table",  # noqa: A002 - the option's name
) -> None:
    """Make a home from an archive.

    Every file is compared with its checksum in the archive, and the ratings are computed again. An archive
    that is cut off or altered is refused; then there is no new home. The digest is that of ladder home
    digest: compare it with the one that was printed when the archive was made.

    Example: ladder home restore term.tar.gz last-term
    """
    from ladder.home.home import DEFAULT
    from ladder.home.restore import restore_home
    from results.reports.digest import FORM

    restored = restore_home(file, path)
    listed = restored.listed
    facts = {
        "home": str(path),
        "made": f"{short(listed.made)} by ladder {short(listed.ladder)}",
        "bots": f"{restored.bots:,}",
        "runs": f"{restored.runs:,}",
        "matches": f"{listed.matches:,}",
        "digest": restored.digest,
    }
    print_facts(facts, format)
    if listed.digest_form != FORM:
        note(
            f"the archive gives a digest of form {listed.digest_form}, and this ladder makes form {FORM},"
            " because ratings are made in a new way: the two are not compared"
        )
    elif restored.digest != listed.digest:
        given = escape(short(listed.digest))
        note(f"warning: the archive gives {given} as its digest; ratings differ on this machine")
    for what in restored.allowed:
        note(f"{path / 'ladder.toml'} allows bots {escape(what)}")
    if restored.rebuild:
        some = ", ".join(restored.rebuild[:5]) + (", ..." if restored.rebuild[5:] else "")
        where = escape(short(listed.machine))
        note(f"built on another type of machine ({where}): {escape(some)}", "submit them again")
    for what in restored.changed:
        note(
            f"warning: {escape(what)}; no run can begin with it",
            "submit it again, or restore another archive",
        )
    where = "" if path == DEFAULT else f" --home {shlex.quote(str(path))}"
    if lacking := restored.without_secret:
        runs = ", ".join(lacking[:5]) + (f" and {len(lacking) - 5:,} more" if lacking[5:] else "")
        told = f"the deals of run {runs} cannot be checked: the archive does not hold the secrets"
    else:
        told = "every deal can be checked: the archive holds the secrets of all runs"
    note(told, f"ladder home verify{where}")
