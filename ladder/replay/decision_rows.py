"""The decisions of matches as rows: what a seat saw as it saw it, what it chose, and how the match ended."""

import json
from array import array
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final, NamedTuple, TypeAlias

from engines import GAMES
from engines.columns import no_numbers
from engines.judge import beaten_by
from engines.position import Position
from engines.types import NOTHING
from ladder.errors import LadderError
from ladder.machine.plugged_in import name_game
from ladder.replay.replay import deal_of
from ladder.replay.review.walk import walk
from results.record import Json, Match
from results.reviewed import SEVERAL
from results.storage.schema import FORMAT, Schema, Table, to_json

_COLUMNS: Final = """
run:int32 number:int64 block:int64 rotation:int32 game:string game_version:int32 seats:int32 options:string
season:string step:int32 seat:int32 bot:string version:string rating:double rating_pm:double view:string
choice:string events:string numbers:int64 legal:int32 move:string forced:bool referee:bool think_us:int64
end_place:int32 end_result:double end_score:int64 end_fault:string end_tokens:int64 end_dollars:double
end_best:string end_loss:float end_loss_se:float end_promised:string end_judge:string
"""
COLUMNS: Final = dict(pair.split(":") for pair in _COLUMNS.split())
"""The columns and their types; results/README.md says what they mean."""
NUMBERS: Final = ("numbers", "legal")
"""Columns, lists, that are there only if they are asked for."""


Ratings: TypeAlias = Mapping[tuple[str, str, str], tuple[float, float | None]]
"""By game, bot and version the rating, and half of its interval."""


class NumbersLayout(NamedTuple):
    """How the views and moves of a table become numbers."""

    letter: str
    """The smallest unsigned type that holds all numbers, as in the module array."""
    columns: tuple[str, ...]
    words: tuple[str, ...]
    """The vocabulary."""

    def numbers_of(self, position: Position, seat: int) -> dict[str, Json]:
        """Return what *seat*, which is asked, sees of *position*, and the places of its options."""
        buffer = array(self.letter, [0]) * len(self.columns)
        position.numbers(seat, buffer)
        options = json.loads(position.write_choice(seat))["options"]
        return {"numbers": buffer, "legal": [*map(self.words.index, options)]}


@cache
def layout_of(game: str, seats: int, options: str) -> NumbersLayout:
    """Return the layout of a table; *options* are JSON.  Raises NotImplementedError without any."""
    rules, told = GAMES[game], json.loads(options)
    if not hasattr(rules, "columns"):  # it fits the interface without having it from Game
        raise no_numbers(game)
    columns, words = rules.columns(seats, told), rules.vocabulary(seats, told)
    most = max(column.most for column in columns)
    letter = next(each for each in "BHIQ" if most < 256 ** array(each).itemsize)
    return NumbersLayout(letter, tuple([column.name for column in columns]), tuple(words))


class DecisionTask(NamedTuple):
    """Matches of one run, and what their rows have beside them."""

    matches: list[Match]
    custom: dict[str, Json]
    """The custom values of rule options, by hash."""
    layout: NumbersLayout | None = None
    season: str = ""
    ratings: Ratings = NOTHING
    """Those before the run."""
    reviews: Mapping[tuple[int, int, int], dict[str, Json]] = NOTHING
    """By match, step and seat."""


def decision_schema(layout: NumbersLayout | None = None, **facts: Json) -> Schema:
    """Return the schema of a file; *facts* are JSON in its metadata, each under `ladder.NAME`."""
    import pyarrow as pa

    lists = {}
    if layout:
        unsigned = pa.type_for_alias(f"uint{8 * array(layout.letter).itemsize}")
        lists = {"numbers": pa.list_(unsigned, len(layout.columns))}
        lists |= dict.fromkeys(("legal", "move"), pa.list_(pa.int32()))
        facts |= {"columns": layout.columns, "vocabulary": layout.words}
    names = [name for name in COLUMNS if layout or name not in NUMBERS]
    told = {f"ladder.{name}": json.dumps(fact) for name, fact in facts.items()}
    return pa.schema(
        [(name, lists.get(name) or pa.type_for_alias(COLUMNS[name])) for name in names],
        {"ladder.format": str(FORMAT), "ladder.table": "decisions", **told},
    )


def rows_of(match: Match, task: DecisionTask) -> Iterator[dict[str, Json]]:
    """Yield a row for each move, by step and seat.  Raises LadderError, or what the engine raises."""
    layout, own = task.layout, [_seat_columns(match, seat, task) for seat in range(len(match.seats))]
    thought = [iter(seat.think_us) for seat in match.seats]
    news: list[list[bytes]] = [[] for _ in own]
    game, deal, moves = GAMES[match.game], deal_of(match, task.custom), json.loads(match.moves)
    for step, position, views, made, events in walk(game, deal, len(own), moves):
        for told, new in zip(news, events, strict=True):
            told += new
        chosen = {seat: move for seat, move, *_ in moves[step]} if made else {}
        for seat, _, forced, by_referee in made:
            move = [chosen[seat]] if isinstance(chosen[seat], str) else chosen[seat]
            yield {
                **own[seat],
                "step": step,
                "view": views[seat].decode(),
                "choice": position.write_choice(seat).decode(),
                "events": f"[{b','.join(news[seat]).decode()}]",
                **(layout.numbers_of(position, seat) if layout else {}),
                "move": [*map(layout.words.index, move)] if layout else SEVERAL.join(move),
                "forced": forced,
                "referee": by_referee,
                "think_us": None if by_referee else next(thought[seat], None),
                **task.reviews.get((match.number, step, seat), {}),
            }
            news[seat] = []


def _seat_columns(match: Match, seat: int, task: DecisionTask) -> dict[str, Json]:
    """Return what all rows of a seat have in common."""
    made, ranks = match.seats[seat], [each.rank or 0 for each in match.seats]
    rating, margin = task.ratings.get((match.game, made.bot, made.version), (None, None))
    used = [made.usage.input_tokens, made.usage.output_tokens] if made.usage else []
    of_match = ("run", "number", "block", "rotation", "game", "game_version")
    return {name: getattr(match, name) for name in of_match} | {
        "seats": len(ranks),
        "options": to_json(match.options),
        "season": task.season,
        "seat": seat,
        "bot": made.bot,
        "version": made.version,
        "rating": rating,
        "rating_pm": margin,
        "end_place": made.rank,
        "end_result": beaten_by(ranks)[seat],
        "end_score": made.score,
        "end_fault": made.fault,
        "end_tokens": sum(filter(None, used)) if {*used} - {None} else None,
        "end_dollars": made.usage and made.usage.cost_usd,
    }


def make_decisions(task: DecisionTask) -> tuple[Table, int]:
    """Return the rows of *task* as a table, and how many of its matches could not be played again."""
    import pyarrow as pa

    rows: list[dict[str, Json]] = []
    broken, schema = 0, decision_schema(task.layout)
    for match in task.matches:
        try:
            with name_game(match.game):
                rows += [*rows_of(match, task)]
        except (LadderError, ValueError, LookupError, TypeError):  # engines fail in many ways
            broken += 1
    values = [[row.get(field.name) for row in rows] for field in schema]
    if task.layout:  # from their bytes: one by one, numbers would take longer than all the rest
        kind, packed = schema.field("numbers").type, b"".join([row["numbers"].tobytes() for row in rows])
        flat = pa.Array.from_buffers(
            kind.value_type, len(rows) * kind.list_size, [None, pa.py_buffer(packed)]
        )
        values[schema.get_field_index("numbers")] = pa.FixedSizeListArray.from_arrays(flat, type=kind)
    return pa.Table.from_arrays([*map(pa.array, values, schema.types)], schema=schema), broken
