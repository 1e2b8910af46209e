"""`ladder home season`: rate anew from now on."""

from typing import TYPE_CHECKING, Annotated

from ladder.cli.options import FormatOption, HomeOption, existing_home, note, print_rows, store_of
from ladder.errors import FIRST_RUN
from ladder.run.option import Argument
from results.reports.document import Column, Row

if TYPE_CHECKING:
    from results.storage.contents import Contents


def season(
    name: Annotated[
        str | None, Argument("The season to begin.", metavar="NAME", default="list all seasons")
    ] = None,
    home: HomeOption = None,
    format: FormatOption = "table",  # noqa: A002 - the option's name
) -> None:
    """Begin a season, or list all seasons.

    Ratings start anew with the next run: all bots begin as newcomers, and pairing, --until and leaderboards
    take only matches of the season into account. Bots and matches stay. ladder leaderboard --season NAME
    shows the ratings of an earlier season. A season cannot begin while a run is unfinished.

    Example: ladder home season spring
    """
    from ladder.home.season import begin_season

    where = existing_home(home)
    if name is not None:
        begun, before = begin_season(where, name)
        replaced = before.started and before.first_run >= begun.first_run
        if begun.first_run < before.first_run:
            note(f"season {begun.name} continues; {before.name}, which had no runs, is removed", FIRST_RUN)
        else:
            instead = f", in place of {before.name}, which had no runs" if replaced else ""
            told = f"season {begun.name} begins with run {begun.first_run}{instead}; ratings start afresh"
            note(told, FIRST_RUN)
        return

    columns = [
        Column("season", "season"),
        Column("began", "began"),
        Column("runs", "runs", right=True),
        Column("matches", "matches", "{:,}".format, right=True),
    ]
    contents = store_of(where).contents()
    print_rows(_rows(contents), columns, format)
    note("the last one is the current season", f"ladder leaderboard --season {contents.seasons[0].name}")


def _rows(contents: "Contents") -> "list[Row]":
    from datetime import UTC, datetime

    from ladder.home.season import runs_by_season

    found: list[Row] = []
    for each, runs in runs_by_season(contents):
        began = each.started or (runs[0].started if runs else 0)
        numbers = sorted({runs[0].run, runs[-1].run}) if runs else []
        found.append(
            {
                "season": each.name,
                "began": f"{datetime.fromtimestamp(began / 1e6, UTC):%Y-%m-%d %H:%M}" if began else None,
                "runs": "-".join(map(str, numbers)) or None,
                "matches": contents.of_season(each.name).matches(["run"]).num_rows,
            }
        )
    return found
