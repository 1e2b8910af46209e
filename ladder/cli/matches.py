"""`ladder matches`: a list of matches."""

from dataclasses import replace

from ladder.api.asked import MatchesRequest
from ladder.cli.options import FormatOption, existing_home, note, nothing_yet, print_rows


def matches(asked: MatchesRequest, format: FormatOption = "table") -> None:  # noqa: A002
    """List matches, newest first.

    Matches of duels and of unrated runs are listed with --in only; `ladder duel` lists those.

    Example: ladder matches --bot greedy --lost
    """
    from ladder.api.match_rows import MATCH_COLUMNS, list_matches
    from results.reports.row_sets import MATCHES, label_matches

    where = existing_home(asked.home)
    listed, found, chosen = list_matches(replace(asked, home=where))
    if format in ("table", "md"):
        print_rows(label_matches(listed, where.roster.numbers()), MATCHES, format)
    else:
        print_rows(listed, MATCH_COLUMNS, format)
    if found:
        more = f"{len(listed):,} of {found:,}, newest first; --top N shows more"
        note(more if found > asked.top else f"{found:,} in all", f"ladder replay {listed[0]['match']}")
    elif chosen.contents.runs:
        note("no such matches", "ladder matches, which lists all")
    else:
        nothing_yet("matches")
