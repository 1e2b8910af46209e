"""The audit of decisions: it finds nothing in what was exported, and all that was put in by hand."""

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from support.decisions import contents_of, exported, rewrite
from support.games import only
from support.rated_homes import a_replayable_home

from engines import GAMES
from ladder.errors import NotFound, UsageProblem
from ladder.replay.decision_audit import audit
from ladder.replay.decision_export import DecisionExport
from results.errors import UnsoundResults

TABLES = [(game.name, seats) for game in GAMES.values() for seats in (game.seats[0], game.seats[-1])]
each_table = pytest.mark.parametrize(("game", "seats"), dict.fromkeys(TABLES))


@each_table
def test_no_row_tells_what_its_seat_could_not_know(tmp_path, game, seats):
    home = a_replayable_home(tmp_path / "home", game, seats, matches=2).path
    for numbers in (False, True):
        rows = exported(home, tmp_path / "x.parquet", numbers=numbers)
        assert (len(rows), {}, []) == audit(tmp_path / "x.parquet", [contents_of(home)], 1)
    found = audit(tmp_path / "x.parquet", [], 1)
    assert (len(rows), []) == (found.rows, found.wrong)
    assert {"not compared with their matches, which are not here": len(rows)} == found.unknown


def leaks(rows, place):
    """Return changes of the row at *place* by what they are, and what is said of each."""
    row = rows[place]
    view, choice, events = (json.loads(row[name]) for name in ("view", "choice", "events"))
    other = next(each for each in rows[place:] if each["seat"] != row["seat"])
    theirs = json.loads(other["view"])
    hand = next(name for name in ("hand", "crosses") if name in view)
    legal = row.get("legal")
    return {
        "a field of another seat": ({"view": view | {"their_hand": theirs[hand]}}, "its view tells"),
        "the view of another seat": ({"view": other["view"]}, "its view is that of another seat"),
        "an option less": ({"choice": choice | {"options": choice["options"][1:]}}, "its choice does not"),
        "an event of no game": (
            {"events": [*events, {"event": "peek", hand: theirs[hand]}]},
            "its events have",
        ),
        "a field in an event": (
            {"events": [{**event, "their": theirs[hand]} for event in events]},
            "its events",
        ),
        "a hand in an event": ({"events": [{**event, hand: theirs[hand]} for event in events]}, "its "),
        "another move": ({"move": [*range(len(legal))[:1]] if legal else "pass"}, ""),
        "no view": ({"view": "{"}, ""),
        "another seat": ({"seat": other["seat"]}, ""),
        "another score": ({"end_score": 12345}, "its match has other end_score"),
        "another thought": ({"think_us": 12345}, "its match has other think_us"),
        "another bot": ({"bot": "impostor"}, "its match has other bot"),
        "another version": ({"version": "x"}, "its match has other version"),
        "another season": ({"season": "never"}, "its match has other season"),
        "a rating before any": ({"rating": 99.0, "rating_pm": 1.0}, "other rating, rating_pm"),
        "another match": ({"number": 77}, "its match has no such decision"),
    } | (
        {"another number": ({"numbers": [row["numbers"][0] ^ 1, *row["numbers"][1:]]}, "its numbers")}
        if legal
        else {}
    )


@pytest.mark.parametrize("numbers", [False, True])
@pytest.mark.parametrize("game", ["stellar", "stella-quest", "starry-sky", "stella"])
def test_a_leak_that_is_put_in_is_named_by_match_and_step(tmp_path, game, numbers):
    home = a_replayable_home(tmp_path / "home", game, GAMES[game].seats[0], matches=1).path
    path = tmp_path / "x.parquet"
    rows = exported(home, path, numbers=numbers)
    whole, place = path.read_bytes(), next(i for i, row in enumerate(rows) if i > 5 and row["events"] != "[]")
    named = "1/0 step {step} seat {seat}: ".format(**rows[place])
    for what, (values, said) in leaks(rows, place).items():
        path.write_bytes(whole)
        rewrite(path, place, **values)
        (line, *others) = audit(path, [contents_of(home)], 1).wrong
        assert [] == others, what
        expected = (
            "1/77"
            if "number" in values
            else f"1/0 step {rows[place]['step']} seat {values['seat']}"
            if "seat" in values
            else named
        )
        assert line.startswith(expected), what
        assert said in line, what


def test_a_column_that_may_know_more_is_named(tmp_path):
    home = a_replayable_home(tmp_path / "home", matches=1).path
    path = tmp_path / "x.parquet"
    exported(home, path)
    table = pq.read_table(str(path))
    told = table.append_column("score", table["end_score"]).append_column("end_luck", table["end_score"])
    pq.write_table(told, str(path))
    assert [f"{path}: decisions have no column score"] == audit(path, [contents_of(home)], 1).wrong


def test_rows_of_other_rules_are_counted(tmp_path):
    home = a_replayable_home(tmp_path / "home", matches=1).path
    rows = exported(home, tmp_path / "x.parquet")
    with only("stella"):
        found = audit(tmp_path / "x.parquet", [], 1)
    assert [
        f"not audited: {why}"
        for why in ["played by the rules of stellar, a game that this ladder does not have"]
    ] == [*found.unknown]
    assert (len(rows), []) == (found.unknown.total(), found.wrong)


def test_a_folder_is_compared_with_its_digests(tmp_path):
    home = a_replayable_home(tmp_path / "home", matches=1).path
    contents = contents_of(home)
    DecisionExport(contents, None, None, None, numbers=False).to_folder(tmp_path / "all", 1)
    assert [] == audit(tmp_path / "all", [contents], 1).wrong
    (file,) = (tmp_path / "all").rglob("*.parquet")
    rewrite(file, 3, end_promised="more")  # no audit of a row can find this
    found = audit(tmp_path / "all", [contents], 1)
    assert ["not compared in end_best, end_loss"] == [why[:34] for why in found.unknown]
    assert ["data/stellar-2-first.parquet: it is not the file of SHA256SUMS"] == found.wrong


def test_what_has_no_decisions_is_refused_and_what_is_damaged_is_said(tmp_path):
    exported(a_replayable_home(tmp_path / "home", matches=1).path, tmp_path / "d.parquet")
    data = bytearray((tmp_path / "d.parquet").read_bytes())
    data[len(data) // 2] ^= 1
    (tmp_path / "d.parquet").write_bytes(data)
    (tmp_path / "a.parquet").write_text("no")
    pq.write_table(pa.table({"run": [1]}), str(tmp_path / "b.parquet"))
    for name, error, said in (
        ("a.parquet", UnsoundResults, "cannot be read"),
        ("b.parquet", UsageProblem, "has no decisions: it has no column block"),
        ("c.parquet", NotFound, "there are no decisions"),
        ("d.parquet", UnsoundResults, "cannot be read"),
    ):
        with pytest.raises(error, match=said):
            audit(tmp_path / name, [], 1)
