"""`ladder site`: a folder of web pages that shows a home."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ladder.cli.options import (
    AllVersionsOption,
    HomeOption,
    SeasonOption,
    existing_home,
    note,
    whole,
)

__all__ = ["site"]


def site(
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="Where to write it: a new folder, or an earlier site.")
    ] = Path("ladder-site"),
    title: Annotated[
        str, typer.Option(metavar="TEXT", help="The name of the ladder on each page.")
    ] = "Ladder",
    matches: Annotated[
        int, typer.Option(parser=whole(0), metavar="N", help="At most N matches get a page of their own.")
    ] = 100,
    private: Annotated[
        bool,
        typer.Option(
            "--private/--public",
            help="Private: for those who run the ladder. It also shows what bots answered and wrote to stderr"
            " where they failed, their authors, the machine, and notes.",
        ),
    ] = False,
    notes: Annotated[
        bool, typer.Option("--notes", metavar="", help="Also show notes, of bots on moves and of submitters.")
    ] = False,
    season: SeasonOption = None,
    all_versions: AllVersionsOption = False,
    home: HomeOption = None,
) -> None:
    """Write the home as web pages, into a folder.

    Pages need no server, no network and no JavaScript. A second call writes only what has changed. A site is
    public unless you ask for --private: what was published by mistake cannot be taken back. Neither shows the
    secret or the seed of a run, or anything of a match that is not over.

    Example: ladder site public_html/ladder
    """
    from ladder.web.site.site import write_site
    from ladder.web.site.site_options import SiteOptions

    where = existing_home(home)
    options = SiteOptions(title, private, notes, matches, season, all_versions)
    written = write_site(where, folder, options)
    removed = f", {written.removed:,} removed" if written.removed else ""
    print(f"{folder / 'index.html'}: {written.files:,} files, {written.changed:,} written{removed}")
    if private:
        note("this site is private: it shows what bots said; do not put it on a public server")
