"""`ladder site`: a folder of web pages that shows a home."""

from pathlib import Path
from typing import Annotated

from ladder.api.asked import AllVersionsOption, SeasonOption
from ladder.cli.options import HomeOption, existing_home, note
from ladder.machine.extras import check_web
from ladder.run.option import Argument, Option, whole
from results.words import count


def site(
    folder: Annotated[
        Path, Argument("Where to write it: a new folder, or an earlier site.", metavar="FOLDER")
    ] = Path("ladder-site"),
    title: Annotated[
        str | None,
        Option("The name of the ladder on each page.", metavar="TEXT", default="as in ladder.toml"),
    ] = None,
    matches: Annotated[
        int, Option("At most N matches get a page of their own.", metavar="N", read=whole(0))
    ] = 100,
    private: Annotated[
        bool,
        Option(
            "Write a site for the people who run the ladder. It also shows what bots answered and wrote to"
            " stderr when they failed, their authors, the machine, and notes.",
            ("--private/--public",),
        ),
    ] = False,
    notes: Annotated[bool, Option("Also show notes, of bots on moves and of submitters.")] = False,
    season: SeasonOption = None,
    all_versions: AllVersionsOption = False,
    home: HomeOption = None,
) -> None:
    """Write the home as web pages, into a folder.

    Pages need no server, no network and no JavaScript. A second call writes only what has changed. A site is
    public unless you ask for --private, because a publication cannot be undone. Neither kind shows the secret
    or the seed of a run, or anything of a match in progress.

    Example: ladder site public_html/ladder
    """
    from ladder.web.site.site import write_site
    from ladder.web.site.site_options import SiteOptions

    where = existing_home(home)
    check_web("ladder site", "vl_convert")
    options = SiteOptions(title, private, notes, matches, season, all_versions)
    written = write_site(where, folder, options)
    removed = f", {written.removed:,} removed" if written.removed else ""
    print(f"{folder / 'index.html'}: {count(written.files, 'file')}, {written.changed:,} written{removed}")
    if private:
        note("this site is private: it shows what bots said; do not put it on a public server")
