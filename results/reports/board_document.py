"""What is told of the ratings of a game, in every medium: leaderboard, pairs, matrix, history, calibration.

`ladder leaderboard`, `ladder matrix`, a rating's history, and the page of a game are made of these sections.
"""

from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from results.reports.all_games import all_games, all_games_section
from results.reports.board_notes import MOST
from results.reports.bot_facts import OPPONENTS
from results.reports.calibration_report import CURVE, curve_rows, remarks
from results.reports.calibration_report import title as title_of_calibration
from results.reports.document import (
    Column,
    Command,
    Divider,
    Document,
    Lines,
    Note,
    PageRef,
    Part,
    Row,
    Section,
    Table,
    Text,
    Value,
    Words,
)
from results.reports.doubts import SHOWN_PAIRS
from results.reports.history import history_columns
from results.reports.labels import Key, Numbers
from results.reports.leaderboard import SHOWN, GameBoard, bot_of, legend, title
from results.reports.matrix import grid
from results.words import count

if TYPE_CHECKING:
    from results.rating.calibration import Calibration

MOST_PAIRS = 100
"""At most this many pairs are shown in a table: they fit few screens, and the others are told apart."""
MOST_IN_GRID = 32
"""The heat map of a page has at most this many bots; more would be a wall of cells."""
MOST_LISTED = 30
"""With more bots, the list of results would be longer than anybody reads: the pages of bots have it."""
RESULTS = (Column("bot", "bot", kind=bot_of), *OPPONENTS)
"""The columns of lists of results, for rows of `matrix`."""


class ShownBoard(NamedTuple):
    """A leaderboard as people see it."""

    board: GameBoard
    rows: Sequence[Row]
    """Rows of `leaderboard`, or the first of them, with all that there are columns for."""
    notes: Sequence[Note] = ()
    """All that the table does not say, the weightiest first."""
    columns: Sequence[Column] = SHOWN
    options: str = ""
    """Those of the command that shows all notes of the same matches."""


def board_table(shown: ShownBoard) -> Table:
    """Return the leaderboard of a game."""
    board, rows = shown.board, shown.rows
    dividers, at = [], 0
    for group in board.ranked_groups:
        dividers += [Divider(at, "     never met those above")] if at else []
        at += len(group)
    if board.unranked:
        dividers.append(Divider(at, f"     not yet ranked: fewer than {board.floor} matches"))
    tones = ["unranked" if row["rank"] is None else "apart" if row["rank"] == 1 else "" for row in rows]
    return Table(
        shown.columns,
        rows,
        f"Leaderboard of {board.game}",
        [divider for divider in dividers if divider.row < len(rows)],
        tones,
        sortable=True,
    )


def alike_rows(board: GameBoard, rows: Sequence[Row]) -> list[int]:
    """Return by row from which *rows* its bot is not told apart: bit n is row n, its own among them."""
    at = {(row["bot"], row["version"]): number for number, row in enumerate(rows)}
    found = [1 << number for number in range(len(rows))]
    for i, j in combinations(board.by_rating, 2):
        if board.are_compared(i, j) and board.is_open(i, j):  # of other groups nothing is known at all
            one, other = at[board.fit.bots[i]], at[board.fit.bots[j]]
            found[one] |= 1 << other
            found[other] |= 1 << one
    return found


def _first_notes(shown: ShownBoard, *, hints: bool = True) -> list[Note]:
    """Return the notes under a table, and a line on how to see others; without *hints*, no commands."""
    first = [note if hints else note._replace(command="") for note in shown.notes[:MOST]]
    if more := shown.notes[MOST:]:
        see = f"ladder leaderboard --show notes --game {shown.board.game}{shown.options}"
        first.append(Note([count(len(more), "more note"), ": ", Command(see)]))
    return first


def board_section(shown: ShownBoard, *, hints: bool = True) -> Section:
    """Return a leaderboard with its title, and its notes below."""
    parts: list[Part] = [board_table(shown), *_first_notes(shown, hints=hints)]
    return Section(title(shown.board, len(shown.rows)), parts)


def boards_document(shown: Sequence[ShownBoard], top: int | None = None, *, hints: bool = True) -> Document:
    """Return all leaderboards, then the *top* bots over all games, and what the signs mean."""
    boards = [each.board for each in shown]
    parts: list[Part] = [board_section(each, hints=hints) for each in shown]
    if over_all := all_games(boards)[:top]:
        parts.append(all_games_section(boards, over_all))
    if rows := [row for each in shown for row in each.rows]:
        parts.append(Text(legend(rows), quiet=True))
    return Document("Leaderboard", parts)


def notes_section(game: str, notes: Sequence[Note]) -> Section:
    """Return all *notes* on a leaderboard as an answer, each with what to type."""
    lines: list[Value | Words] = [
        each for note in notes for each in (note.text, Command(note.command)) if each[0]
    ]
    return Section(game, [Lines(lines)])


def pairs_section(game: str, rows: Sequence[Row], few_matches: str = "") -> Section:
    """Return *rows* of `pairs`, the least sure ones first; *few_matches* stands in place of likelihoods."""
    known = [row for row in rows if row["difference"] is not None]
    known.sort(key=lambda row: 0.5 if row["p_above"] is None else row["p_above"])
    unsure = sum(not row["told_apart"] for row in known)
    columns = [each for each in SHOWN_PAIRS if not few_matches or each.key != "p_above"]
    parts: list[Part] = [Table(columns, known[:MOST_PAIRS], f"Pairs of bots of {game}")]
    if few_matches:
        parts.append(Note(few_matches))
    if more := len(known[MOST_PAIRS:]):
        parts.append(Note(f"{more:,} more pairs, all of them surer", "--top N, or --format csv"))
    if apart := len(rows) - len(known):
        parts.append(
            Note(f"{count(apart, 'more pair')} never compared: no results lead from one to the other")
        )
    both, one = (any((row["margin"] is None) == alone for row in known) for alone in (False, True))
    told = [f"{count(len(known), 'pair')} of bots, {unsure:,} open"]
    told += ["+- is a 95 % interval"] * both
    told += [f">= is the only end of {'one' if both else 'a 95 % interval'}"] * one
    return Section(f"{game}  {'; '.join(told)}", parts)


def matrix_section(game: str, rows: Sequence[Row], order: Sequence[Key], *, listed: bool) -> Section:
    """Return *rows* of `matrix`, *listed* or as a grid of the bots in this *order*."""
    caption = f"Head to head of {game}"
    table = Table(RESULTS, rows, caption) if listed else grid(rows, order, caption)
    return Section(f"{game}  matches won in %, a draw as half, each with its 95 % interval", [table])


def history_section(game: str, bot: str, rows: Sequence[Row]) -> Section:
    anchor, beside = (rows[-1]["anchor"], rows[-1]["beside"]) if rows else (None, "")
    told = f"how far above {anchor}" if anchor else f"rating {beside},"
    named = f"{bot}: {told} after its first matches, +- 95 %"
    return Section(f"{game}  {named}", [Table(history_columns(rows), rows, f"Rating of {bot} in {game}")])


def calibration_section(game: str, found: "Calibration", numbers: Numbers) -> Section:
    """Return what calibration *found*: the curve, and what it means."""
    curve = [Table(CURVE, rows, f"Calibration of {game}")] if (rows := curve_rows(found)) else []
    return Section(title_of_calibration(game, found), [*curve, Lines(remarks(found, numbers))])


class GameSubject(NamedTuple):
    """All that the page of a game tells."""

    name: str
    shown: ShownBoard
    results: Sequence[Row]
    """Rows of `matrix`."""
    order: Sequence[Key]
    """All bots as they stand."""
    clock_ms: int
    matches: Table
    rules: PageRef | None = None


def game_document(subject: GameSubject) -> Document:
    """Return the page of a game, for the public: no commands, and no machines."""
    shown = subject.shown
    played = title(shown.board).partition("  ")[2]
    parts: list[Part] = [
        Text([played, " · ", subject.rules] if subject.rules else played, quiet=True),
        board_table(shown)._replace(
            caption=f"Leaderboard of {subject.name}", alike=alike_rows(shown.board, shown.rows)
        ),
        Text(
            f"{legend(shown.rows)}. Point at a bot to mark those that cannot be told apart from it: which is"
            " better is not known with 97.5 %. The bar is the mean time of a decision, of the"
            f" {subject.clock_ms:,} ms that are free.",
            quiet=True,
        ),
    ]
    if notes := shown.notes:
        more = [Section("More notes", notes[MOST:], folded=True)] if notes[MOST:] else []
        parts.append(Section("What the ratings cannot say", [*notes[:MOST], *more]))
    if len(subject.order) > 1:
        parts.append(Section("Head to head", _head_to_head(subject)))
    if subject.matches.rows:
        parts.append(Section("Matches to watch", [subject.matches]))
    return Document(subject.name, parts)


def _head_to_head(subject: GameSubject) -> list[Part]:
    name, order = subject.name, subject.order
    parts: list[Part] = [
        Text(
            "The share of matches that the bot of the row won against the bot of the column, in percent; a"
            " draw is half a win, and at larger tables the better place wins. Pale cells have wide 95 %"
            " intervals."
        ),
        grid(subject.results, order[:MOST_IN_GRID], f"Head to head of {name} as a heat map"),
    ]
    if order[MOST_IN_GRID:]:
        cut = f"The first {MOST_IN_GRID} of {len(order)} bots"
        parts.append(Text(f"{cut}; the page of each bot has its results against all.", quiet=True))
    if len(order) <= MOST_LISTED:
        table = Table(RESULTS, subject.results, f"Head to head of {name} as a table", sortable=True)
        parts.append(Section("The same as a table", [table], folded=True))
    return parts
