"""Homes with decisions to export, and their rows."""

import json
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from engines import GAMES
from ladder.home.home import create_home
from ladder.replay.decision_export import DecisionExport
from results.record import Json
from results.storage.contents import Contents
from results.storage.store import Store
from support.records import a_lone_match, a_seat
from support.stores import stored


def contents_of(home: Path) -> Contents:
    return Store(home / "results").contents()


def exported(home: Path, path: Path, jobs: int = 1, **wanted: Any) -> list[dict[str, Json]]:
    """Write the decisions of *home* to *path* in this process, and return their rows."""
    asked = {"run": None, "game": None, "seats": None, "numbers": False, **wanted}
    rows = DecisionExport(contents_of(home), **asked).to_file(path, jobs)
    found: list[dict[str, Json]] = pq.read_table(str(path)).to_pylist()
    assert rows == len(found)
    return found


def rewrite(path: Path, place: int, **values: Json) -> None:
    """Give the row at *place* in a file other *values*, each as it is or as JSON in compact form."""
    table = pq.read_table(str(path))
    rows = table.to_pylist()
    for name, value in values.items():
        text = isinstance(value, dict | list) and pa.types.is_string(table.schema.field(name).type)
        rows[place][name] = json.dumps(value, separators=(",", ":"), ensure_ascii=False) if text else value
    pq.write_table(pa.Table.from_pylist(rows, schema=table.schema), str(path))


def a_greedy_home(path: Path, game: str, seats: int, matches: int) -> Path:
    """Make a home with matches of the policy greedy, each on a deal of its own."""
    home, rules, blocks = create_home(path), GAMES[game], []
    names = [f"greedy{seat}" for seat in range(seats)]
    for number in range(matches):
        rng = Random(number)
        deal, moves = rules.deal(seats, rng), []
        position = rules.begin(deal, seats)
        while not position.over:
            step = []
            for seat in position.seats():
                option = rules.policies()["greedy-1"](position, seat, rng)
                step.append([seat, position.move_of(option)])
                position.play(option)
            moves.append(step)
        outcome = position.outcome()
        taken = [
            a_seat(name, rank, score=score, notes=[])
            for name, rank, score in zip(names, outcome.ranks, outcome.scores, strict=True)
        ]
        told = {"game": game, "game_version": rules.version, "options": {}, "deal": deal, "rotation": 0}
        blocks.append(a_lone_match(number, seats=taken, moves=json.dumps(moves), **told))
    stored(home.results, *blocks, bots=[{"name": name, "version": f"{name}-1"} for name in names])
    return home.path
