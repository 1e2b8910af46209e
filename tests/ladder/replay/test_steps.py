"""The positions of a match, and what each point of view sees of them."""

import copy
import json

import msgspec
import pytest
from support import records
from support.random_matches import random_record

from engines import GAMES
from ladder.errors import LadderError, NotFound
from ladder.replay.replay import narrate, without_notes
from ladder.replay.seat import check_seat, narrate_seat, seat_record
from ladder.replay.steps import EVERYTHING, SPECTATOR, look, replay_record

TABLES = [("stellar", 2), ("starry-sky", 3), ("stella-quest", 3), ("stella", 3)]


@pytest.fixture(scope="module", params=TABLES, ids=lambda table: table[0])
def record(request):
    return random_record(*request.param)


def a_fault(**fields):
    return msgspec.to_builtins(records.a_fault(17, **{"seat": 1, "answer": "gibberish", **fields}))


def test_there_is_a_position_before_every_decision_and_one_at_the_end(record):
    replayed = replay_record(record)
    assert "" == replayed.problem
    assert list(range(len(record["moves"]) + 1)) == [position.step for position in replayed.positions]
    for position, moves in zip(replayed.positions, record["moves"], strict=False):
        made = {seat: tuple(move) if isinstance(move, list) else (move,) for seat, move, *_ in moves}
        assert made == {decision.seat: decision.move for decision in position.decisions}
        for decision in position.decisions:
            assert set(decision.move) <= set(decision.options)
            assert f"note of seat {decision.seat} in step {position.step}" == decision.note
    assert () == replayed.positions[-1].decisions
    thoughts = [made["think_us"] for made in record["seats"]]
    assert thoughts == [
        [made.think_us for position in replayed.positions for made in position.decisions if made.seat == seat]
        for seat in range(len(record["seats"]))
    ]


def test_a_seat_sees_its_view_its_events_and_its_own_decisions(record):
    game = GAMES[record["game"]]
    for position in replay_record(record).positions:
        for seat in range(len(record["seats"])):
            sight = look(position, seat)
            assert [seat] == [view["seat"] for view in sight.views]
            assert {seat} >= {decision.seat for decision in sight.decisions}
            assert [event.seen_by(seat) for event in position.events] == list(sight.events)
        public = look(position, SPECTATOR)
        assert ({"seat"}, ()) == ({"seat"} - public.views[0].keys(), public.decisions)
        whole = look(position, EVERYTHING)
        assert list(range(len(record["seats"]))) == [view["seat"] for view in whole.views]
        assert position.decisions == whole.decisions
        assert all(game.tell(event) for event in whole.events)


def test_everything_tells_events_with_the_secrets_of_all_seats():
    record = random_record("stellar", 2)
    start, *_ = look(replay_record(record).positions[0], EVERYTHING).events
    assert {0, 1} == start["hand"].keys()


def test_what_one_seat_chose_in_secret_another_does_not_see():
    """Two matches that differ in a secret look alike to a seat, until the secret is told."""
    one = random_record("starry-sky", 3)
    one["moves"] = one["moves"][:2]
    (made,) = replay_record(one).positions[1].decisions
    large = "Cnc.2"  # tokens lie face down there
    first, second, *_ = [option for option in made.options if option.endswith(f"@{large}")]
    other = copy.deepcopy(one)
    one["moves"][1][0][1], other["moves"][1][0][1] = first, second
    for viewpoint in (0, 2, SPECTATOR):
        assert _sights(one, viewpoint) == _sights(other, viewpoint)
    assert _sights(one, EVERYTHING) != _sights(other, EVERYTHING)
    assert seat_record(one, 0) == seat_record(other, 0)
    assert list(narrate_seat(one, 0)) == list(narrate_seat(other, 0))


def _sights(record, viewpoint):
    return [look(position, viewpoint) for position in replay_record(record).positions]


def test_as_a_seat_saw_it_a_match_has_no_word_of_the_others(record):
    loud = copy.deepcopy(record)
    for note in loud["seats"][1]["notes"]:
        note["text"] = "SECRET"
    loud["seats"][1]["think_us"] = [987_654_321] * len(loud["seats"][1]["think_us"])
    loud["faults"] = [a_fault(reason="SECRET", answer="SECRET", request="SECRET", choice="", stderr="SECRET")]
    text = json.dumps(seat_record(loud, 0)) + "\n".join(narrate_seat(loud, 0))
    assert "SECRET" not in text
    assert "987654321" not in text
    assert "note of seat 0 in step" in text
    assert not {"deal", "moves", "block", "rotation"} & seat_record(loud, 0).keys()
    assert "SECRET" in json.dumps(seat_record(loud, 1))


def test_a_seat_record_has_the_choices_and_moves_of_its_seat(record):
    steps = seat_record(record, 0)["steps"]
    own = [[move for seat, move, *_ in moves if seat == 0] for moves in record["moves"]]
    assert own == [[step["move"]] if "move" in step else [] for step in steps[:-1]]
    assert all(0 == step["view"]["seat"] for step in steps)


def test_notes_can_be_left_out(record):
    quiet = without_notes(record)
    assert any("note of seat" in line for line in narrate(record))
    assert not any("note of seat" in line for line in [*narrate(quiet), *narrate_seat(quiet, 0)])


def test_a_match_without_such_a_seat_says_which_there_are():
    with pytest.raises(NotFound, match="no seat 2: its seats are 0 to 1"):
        check_seat(random_record("stellar", 2), 2)


def test_a_fault_stands_at_its_step_and_lapses_cost_nothing():
    faults = [a_fault(), a_fault(step=-1, seat=0, charged=False), a_fault(attempt=1, step=5)]
    positions = replay_record(random_record("stellar", 2, faults=faults)).positions
    assert {3: [(1, True)], 0: [(0, False)]} == {
        position.step: [(fault.seat, fault.charged) for fault in position.faults]
        for position in positions
        if position.faults
    }
    assert () == look(positions[3], 0).faults
    assert "gibberish" == look(positions[3], 1).faults[0].answer


def test_the_referees_moves_take_no_thought_of_the_bot():
    record = random_record("stellar", 2)
    moves = record["moves"][-1]
    moves[0] = [*moves[0], "referee"]
    seat = moves[0][0]
    record["seats"][seat]["think_us"].pop()
    made = replay_record(record).positions[-2].decisions[0]
    assert (True, None) == (made.referee, made.think_us)


def test_the_bank_pays_for_time_beyond_the_free_time():
    record = random_record("stellar", 2)
    record["seats"][0]["think_us"][0] = 1_600_000
    made = [
        decision
        for position in replay_record(record).positions
        for decision in position.decisions
        if decision.seat == 0
    ]
    assert [(10_000_000, True), (9_450_000, False)] == [(one.bank_us, one.long) for one in made[:2]]


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"void": True, "moves": []}, "It is void"),
        ({"game": "chess"}, "a game that this ladder does not have"),
        ({"version": 99}, "version 99 of the rules of stellar"),
        ({"deal": None}, "deals differently"),
    ],
)
def test_a_match_that_cannot_be_replayed_says_why(fields, words):
    record = {**random_record("stellar", 2), **fields}
    replayed = replay_record(record)
    assert () == replayed.positions
    assert words in replayed.problem
    with pytest.raises(LadderError, match=words):
        seat_record(record, 0)


def test_moves_that_do_not_follow_are_shown_up_to_there():
    record = random_record("stellar", 2)
    record["moves"][4] = [[0, "steal the show"]]
    replayed = replay_record(record)
    assert 5 == len(replayed.positions)
    assert "The rest cannot be replayed" in replayed.problem


def test_a_void_match_is_told_in_a_line():
    record = random_record("stellar", 2, void=True, moves=[], deal=None)
    for seat in record["seats"]:
        seat["rank"] = seat["score"] = None
    assert "void" in list(narrate(record))[-1]
