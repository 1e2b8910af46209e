"""`ladder bots diff`: two bots over the same stored decisions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from ladder.api.asked import GameOption, InOption
from ladder.cli.options import BotOrPathArgument, FormatOption, HomeOption, existing_home, note, print_rows
from ladder.cli.progress import Watching
from ladder.run.match_options import known_game
from ladder.run.option import Option, whole
from results.reports.document import Column, Row
from results.words import count

if TYPE_CHECKING:
    from ladder.live.comparison import Compared
    from ladder.registry.version import Version


def diff(
    old: BotOrPathArgument,
    new: BotOrPathArgument,
    matches: Annotated[int, Option("Ask in the N newest matches.", metavar="N", read=whole(1))] = 10,
    game: GameOption = None,
    within: InOption = None,
    top: Annotated[
        int, Option("List at most N differences, of all kinds.", ("--top", "-n"), metavar="N", read=whole(1))
    ] = 20,
    home: HomeOption = None,
    format: FormatOption = "table",  # noqa: A002
) -> None:
    """Ask two versions for the decisions of stored matches, and list where they answer differently.

    The matches are those that one of the two has played. Both are asked as by `ladder bots ask`, in the seats
    of the one that played. The command shows how often the answers differ by kind of decision, then the
    decisions, each with what was played. The formats json, csv and md have only the decisions, each with the
    command that asks again.

    Example: ladder bots diff greedy random --matches 4
    """
    from engines import GAMES
    from ladder.cli.bots_ask import find_or_borrow
    from ladder.home.chosen_results import results_in
    from ladder.live.comparison import compare, find_places, spread
    from ladder.worker.check_progress import CheckProgress

    where = existing_home(home)
    games = [known_game(game)] if game else list(GAMES)
    chosen, progress = results_in(where, within), CheckProgress()
    with find_or_borrow(where, old) as one, find_or_borrow(where, new) as other:
        bots = (one, other)
        places = find_places(where, chosen.contents, bots, games, matches, chosen.run)
        with Watching(progress):
            found = list(compare(where, bots, places, progress))
    again = other.id if other.number else new
    differing = [each for each in found if not each.same]
    if format == "table":
        _print_kinds(found)
    _print_differences(bots, [each.row(again) for each in spread(differing, top)], format)
    first = differing[0] if differing else None
    see = f"ladder replay {first.place.match.name} --seat {first.place.seat}" if first else ""
    _say_counts(bots, found, differing, top, f"{see}, or {first.command(again)}" if first else "")


def _print_kinds(found: Sequence[Compared]) -> None:
    from ladder.live.comparison import count_kinds

    rows = [kind._asdict() | {"share": kind.differ / kind.decisions} for kind in count_kinds(found)]
    columns = [
        Column("game", "game"),
        Column("kind", "kind"),
        Column("decisions", "decisions", "{:,}".format, right=True),
        Column("differ", "differ", "{:,}".format, right=True),
        Column("share", "share", "{:.0%}".format, right=True),
    ]
    print_rows(rows, columns, "table")
    print()


def _print_differences(bots: tuple[Version, Version], rows: Sequence[Row], form: str) -> None:
    old, new = bots
    columns = [
        Column("match", "match"),
        Column("game", "game", extra=True),
        Column("seat", "seat", right=True),
        Column("step", "step", right=True),
        Column("kind", "kind"),
        Column("options", "options", right=True, extra=True),
        Column("played", "played", lambda text: text or "-"),
        Column("old", _label(old, new)),
        Column("new", _label(new, old)),
        *([Column("ask", "command")] if form != "table" else []),
    ]
    if rows or form != "table":
        print_rows(rows, columns, form)


def _label(bot: Version, other: Version) -> str:
    """Return the name of *bot* as a heading, with its number if *other* has the same name."""
    if bot.bot != other.bot:
        return bot.bot
    return f"{bot.bot}@{bot.number}" if bot.number else "the path"


def _say_counts(
    bots: tuple[Version, Version],
    found: Sequence[Compared],
    differing: Sequence[Compared],
    top: int,
    hint: str,
) -> None:
    from ladder.live.comparison import is_stable

    places = {(each.place.match.name, each.place.seat) for each in found}
    of = count(len(differing), "decision", len(found))
    text = f"differ: {of}, in {count(len(places), 'seat')} of stored matches"
    if len(differing) > top:
        text += f"; {top:,} are listed, --top N lists more"
    for bot, is_new in ((bots[0], False), (bots[1], True)):
        # A bot that does not repeat itself differs from another by chance, too: the list alone would tell of
        # changes that there are not.
        same, own = is_stable(bot, found, new=is_new)
        if same < own:
            note(
                f"{bot.id} repeats {count(same, 'decision', own)} of its own: it depends on more than it is"
                " told, so some differences may be chance"
            )
    note(text, hint)
