"""Rows of decisions: what seats were sent, what they chose, and how it ended."""

import json
import re
from array import array

import pyarrow as pa
import pytest
from support.decisions import contents_of, exported
from support.documents import PAGES
from support.rated_homes import a_replayable_home
from support.records import a_lone_match, a_seat
from support.reviewed import a_review
from support.stores import stored

from engines import GAMES
from engines.template import Toy
from ladder.home.home import create_home
from ladder.replay.conversation import conversation_of
from ladder.replay.decision_rows import COLUMNS, NUMBERS, decision_schema, layout_of
from ladder.replay.replay import make_whole
from results.record import Usage
from results.reviewed import SEVERAL
from results.storage.reviews import Reviews

TABLES = [
    ("stella", 3),
    ("stella-quest", 2),
    ("stella-quest", 4),
    ("starry-sky", 3),
    ("stellar", 2),
    ("toy", 3),
]


@pytest.fixture(autouse=True)
def _toy(monkeypatch):
    monkeypatch.setitem(GAMES, "toy", Toy())


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_a_row_has_what_its_bot_was_sent_and_what_it_chose(tmp_path, game, seats):
    home = a_replayable_home(tmp_path / "home", game, seats, matches=1).path
    rows = exported(home, tmp_path / "x.parquet")
    contents = contents_of(home)
    match, run = contents.match(1, 0), contents.run(1)
    found = 0
    for seat in range(seats):
        own = [row for row in rows if row["seat"] == seat]
        told = conversation_of(make_whole(contents, match), run, seat).requests
        for row, request in zip(own, told, strict=True):
            assert request.step == row["step"]
            assert (request.view, request.choice.to_json()) == (
                json.loads(row["view"]), json.loads(row["choice"])
            )  # fmt: skip
            assert f"[{b','.join(request.events).decode()}]" == row["events"]
            assert SEVERAL.join(request.move) == row["move"]
            assert (request.choice.count() == 1) == row["forced"]
            assert (request.think_us, False) == (row["think_us"], row["referee"])
            found += 1
    assert len(rows) == found
    assert [(row["step"], row["seat"]) for row in rows] == sorted((row["step"], row["seat"]) for row in rows)


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_numbers_are_those_of_the_view_and_places_those_of_the_vocabulary(tmp_path, game, seats):
    home = a_replayable_home(tmp_path / "home", game, seats, matches=1).path
    plain = exported(home, tmp_path / "x.parquet")
    rows = exported(home, tmp_path / "n.parquet", numbers=True)
    metadata = pa.parquet.read_schema(str(tmp_path / "n.parquet")).metadata
    columns, words = (json.loads(metadata[f"ladder.{name}".encode()]) for name in ("columns", "vocabulary"))
    options = json.loads(rows[0]["view"])["options"]
    assert [column.name for column in GAMES[game].columns(seats, options)] == columns
    for row, beside in zip(rows, plain, strict=True):
        assert [*GAMES[game].numbers(json.loads(row["view"]))] == row["numbers"]
        assert json.loads(row["choice"])["options"] == [words[place] for place in row["legal"]]
        assert beside["move"] == SEVERAL.join([words[place] for place in row["move"]])
        assert {**beside, "move": None} == {k: v for k, v in row.items() if k not in NUMBERS} | {"move": None}


def test_numbers_have_the_smallest_type_that_holds_them():
    layout = layout_of("stellar", 2, "{}")
    most = max(column.most for column in GAMES["stellar"].columns(2))
    letter = next(letter for letter in "BHIQ" if most < 2 ** (8 * array(letter).itemsize))
    assert letter == layout.letter
    kind = decision_schema(layout).field("numbers").type
    assert (len(layout.columns), 8 * array(letter).itemsize) == (kind.list_size, kind.value_type.bit_width)


def test_the_page_says_what_each_column_means():
    section = PAGES["results/README.md"].partition("\n### Decisions\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `(\w+)` \| (\w+) \| \S.* \|$", section, re.MULTILINE)
    assert {name: "list" if name in NUMBERS else kind for name, kind in COLUMNS.items()} == dict(rows)
    schema = decision_schema()
    assert [name for name in COLUMNS if name not in NUMBERS] == schema.names
    assert {name: str(pa.type_for_alias(kind)) for name, kind in COLUMNS.items() if name not in NUMBERS} == {
        field.name: str(field.type) for field in schema
    }


def test_a_row_says_how_the_match_ended_and_what_a_review_found(tmp_path):
    home = create_home(tmp_path / "home")
    whole = contents_of(a_replayable_home(tmp_path / "other", matches=1).path).match(1, 0)
    moves = json.loads(whole.moves)
    moves[5:] = [[[seat, move, *(["referee"] if seat else [])] for seat, move in step] for step in moves[5:]]
    seats = [
        a_seat("alpha", 1, score=None, think_us=[7, 8, 9], usage=Usage(10, None, 0.25)),
        a_seat("beta", 2, score=None, think_us=[3], usage=None, fault="crash", fault_step=5),
    ]
    told = {name: getattr(whole, name) for name in ("game", "game_version", "options", "deal", "rotation")}
    stored(home.results, a_lone_match(0, seats=seats, moves=json.dumps(moves), **told))
    reviews = Reviews(contents_of(home.path).folder)
    reviews.add(a_review(0, steps=4))
    rows = exported(home.path, tmp_path / "x.parquet")
    ends = {seat: {row["seat"]: row for row in rows}[seat] for seat in (0, 1)}
    names = ("end_place", "end_result", "end_score", "end_fault", "end_tokens", "end_dollars")
    assert [(1, 1.0, None, None, 10, 0.25), (2, 0.0, None, "crash", None, None)] == [
        tuple(row[name] for name in names) for row in ends.values()
    ]
    assert [row["referee"] for row in rows] == [row["seat"] == 1 and row["step"] >= 5 for row in rows]
    assert [7, 8, 9] == [row["think_us"] for row in rows if row["seat"] == 0][:3]
    assert {None} == {row["think_us"] for row in rows if row["referee"]}
    found = {(row["step"], row["seat"]): row for row in reviews.read().to_pylist() if row["loss"] is not None}
    assert found.keys() & {(row["step"], row["seat"]) for row in rows}
    for row in rows:
        review = found.get((row["step"], row["seat"]), {})
        for name in ("best", "loss", "loss_se", "promised", "judge"):
            assert review.get(name) == row[f"end_{name}"]
