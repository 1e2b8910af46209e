"""The digest: one hash for the same play, another for any other, and nothing measured in it."""

import json
from hashlib import sha256

import msgspec
import pytest
from support.command_line import check_refused, run_here
from support.records import a_block, a_run
from support.stores import keep_run, stored

from ladder.home.home import create_home
from results.rating import cache
from results.record import Note
from results.reports.digest import digest
from results.storage.store import Store


def hex_of(store, run=None):
    return digest(store.contents(), run).hex


BLOCKS = [a_block(number) for number in range(3)]


@pytest.fixture
def expected(tmp_path):
    return hex_of(stored(tmp_path / "expected", *BLOCKS))


def changed(match=None, seat=None):
    """Return BLOCKS with some fields of the second match, or of its first seat, changed."""
    block = BLOCKS[0]
    one = block.matches[1]
    seats = [msgspec.structs.replace(one.seats[0], **(seat or {})), one.seats[1]]
    other = msgspec.structs.replace(one, **{"seats": seats, **(match or {})})
    return [msgspec.structs.replace(block, matches=[block.matches[0], other]), *BLOCKS[1:]]


# -- what it covers


MEASURED = {"think_us": [1], "busy_us": [], "outside_us": None, "cpu_us": None, "usage": None}
ODD = changed(
    {"options": {"rounds": 4, "deck": [1]}, "luck": 5, "started": 1, "duration_us": 2, "sandbox": "none"},
    {"notes": [Note(1, "ah"), Note(2, "hm")], "fault": "crash", "rank": 1, "score": None, **MEASURED},
)
"""Blocks with other values of what counts, and of what is measured, which no line holds."""


@pytest.mark.parametrize("blocks", [BLOCKS, ODD], ids=["plain", "odd"])
def test_the_hash_follows_from_lines_that_any_program_can_write(tmp_path, blocks):
    ratings = {"stellar": {"beta": 4.0, "draw_probability": 0.02}}
    store = stored(tmp_path, *blocks, ratings=ratings, host="elsewhere", started=5)
    lines = ["ladder digest 4", sha256(a_run().secret.encode()).hexdigest()]
    for match in (match for block in blocks for match in block.matches):
        seats = match.seats
        notes = [[[note.step, note.text] for note in seat.notes] for seat in seats]
        told = [match.number, [[seat.bot, seat.version] for seat in seats], match.deal_digest, match.options]
        told += [match.moves, notes, [seat.fault for seat in seats], [seat.rank for seat in seats]]
        told += [[seat.score for seat in seats], match.void]
        lines.append([*told, *([match.luck] if match.luck else [])])
    fit = cache.ratings_current(store)["stellar"].fit
    for i, bot in enumerate(fit.bots):
        lines.append(["stellar", *bot, fit.mu[i].hex(), fit.sigma(i).hex()])
    text = "".join(json.dumps(line, separators=(",", ":"), sort_keys=True) + "\n" for line in lines)
    assert hex_of(store) == sha256(text.encode()).hexdigest()


def test_attempts_that_do_not_stand_do_not_count(tmp_path, expected):
    void = msgspec.structs.replace(BLOCKS[0].matches[0], void=True, attempt=0)
    again = msgspec.structs.replace(BLOCKS[0].matches[0], attempt=1)
    block = msgspec.structs.replace(BLOCKS[0], matches=[void, again, BLOCKS[0].matches[1]])
    assert expected == hex_of(stored(tmp_path / "results", block, *BLOCKS[1:]))


def test_journalled_rows_and_sealed_ones_give_the_same(tmp_path, expected):
    store = stored(tmp_path / "results", *BLOCKS[::-1], ends=False)
    assert expected == hex_of(store)
    with store.lock():
        store.seal()
    assert expected == hex_of(store)


def test_what_lies_behind_a_gap_does_not_count_so_far(tmp_path):
    store = stored(tmp_path / "results", BLOCKS[0], BLOCKS[2], ends=False)
    assert (1, 2) == digest(store.contents())[1:]
    assert hex_of(stored(tmp_path / "one", BLOCKS[0])) == hex_of(store)


def test_a_run_has_the_digest_that_it_has_alone(tmp_path):
    store = stored(tmp_path / "results", *BLOCKS)
    alone = hex_of(store)
    with store.lock():
        keep_run(store, [a_block(0, run=2)], 2)
    second = stored(tmp_path / "second", a_block(0), secret=a_run(2).secret)
    assert alone == hex_of(store, 1)
    assert hex_of(second) == hex_of(store, 2)
    assert (2, 8) == digest(store.contents())[1:]
    assert len({alone, hex_of(second), hex_of(store)}) == 3


def test_results_that_are_not_there_have_a_digest_too(tmp_path):
    assert (0, 0) == digest(Store(tmp_path / "results").contents())[1:]


# -- the command


@pytest.fixture
def home(tmp_path):
    return create_home(tmp_path / "home")


def test_it_is_printed_alone_with_what_it_covers_beside_it(home):
    store = stored(home.results, *BLOCKS, ends=False)
    printed = run_here("digest", "--home", home.path)
    assert (0, f"{hex_of(store)}\n") == printed[:2]
    assert printed.err.startswith("form 4: 6 matches of 1 run\nrun 1 is unfinished: ")


def test_another_form_is_refused_with_the_reason(home):
    older = run_here("digest", "--form", "3", "--home", home.path)
    assert (2, "") == (older.code, older.out)
    assert "expected --form 4, got: 3; older forms hash ratings" in " ".join(older.err.split())
    assert 2 == run_here("digest", "--form", "5", "--home", home.path).code


def test_the_digest_of_a_run_that_is_not_there_is_refused(home):
    check_refused(run_here("digest", "--in", "1", "--home", home.path), 3, "there is no run 1")
