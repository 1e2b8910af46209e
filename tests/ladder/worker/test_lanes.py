"""Which process plays which match."""

import json

import pytest
from support.scripted import ScriptedBot, Timeline
from support.scripts import Manners, play_blocks, play_matches, stage
from support.seating import PATIENT, bot, facts, good, lines_of, moves_of, pids, seat_of

from engines import GAMES
from engines.template import Toy
from ladder.referee.attribution import AMONG_SEVERAL
from ladder.referee.lapses import LENIENCE, Count
from ladder.referee.player import start_player
from ladder.registry.version import Version
from ladder.worker import lanes as module
from ladder.worker.lanes import Lanes
from ladder.worker.worker import NOT_AGAIN
from protocol import encode
from protocol.messages import Limits, Ready

HASTY = Limits(start_ms=30_000, move_ms=300, bank_ms=0)
A, B, C = good("a"), good("b"), good("c")


def open_lanes(capacity=64, free=lambda: None):
    """Return lanes of scripted bots."""
    timeline = Timeline()

    def start(version):
        hello = encode.hello("0", version.bot, ["stellar"], version.manifest.config, Limits())
        return start_player(version, lambda: ScriptedBot(timeline, Manners(timeline.now)), hello)

    return Lanes(start, capacity, free)


def pid(player):
    assert player.process
    return player.process.pid


def status(player):
    assert player.process
    return player.process.exit_status()


@pytest.fixture
def lanes():
    return open_lanes()


# --- warm processes


def warm_pids(lanes):
    return [process.pid for process in lanes.processes()]


def test_a_bot_keeps_its_process_in_a_lane(lanes):
    first = lanes.seat([A, B], 0)
    assert first == lanes.seat([A, B], 0)
    assert list(reversed(first)) == lanes.seat([B, A], 0)


def test_a_bot_has_a_process_for_every_lane(lanes):
    assert 4 == len({pid(player) for lane in (0, 1) for player in lanes.seat([A, B], lane)})


def test_a_player_that_a_table_has_is_given_to_no_other(lanes):
    first = lanes.take([A], 0)
    second = lanes.take([A], 0)
    assert first != second
    assert {*first, *second} == set(lanes.list_taken())
    lanes.give_back(first)
    assert first == lanes.take([A], 0)
    assert set(first) & set(lanes.take([A], 1)) == set()


def test_players_of_other_tables_are_not_retired_for_one_that_is_seated():
    lanes = open_lanes(2)
    taken = lanes.take([A, B], 0)
    lanes.give_back(lanes.take([C], 0))
    lanes.take([C], 1)
    assert set(map(pid, taken)) <= set(warm_pids(lanes))
    assert 3 == len(warm_pids(lanes))


def test_fewer_processes_are_kept_where_memory_is_scarce(monkeypatch):
    monkeypatch.setattr(module, "ALWAYS", 2)
    free = [10 << 30]
    lanes = open_lanes(4, lambda: free[0])
    for lane in range(4):
        lanes.seat([A], lane)
    assert 4 == len(warm_pids(lanes))
    free[0] = 1 << 20
    lanes.seat([B], 0)
    assert 3 == len(warm_pids(lanes))


def test_two_versions_of_a_bot_have_a_process_each(lanes):
    one, two = lanes.seat([A, Version("a", "2", A.folder, A.manifest)], 0)
    assert pid(one) != pid(two)


@pytest.mark.parametrize("restart", ["match", "never"], ids=["who restarts", "who is retired"])
def test_who_does_not_play_on_gets_a_new_process_and_the_others_keep_theirs(restart, lanes):
    bots = [good("r", restart=restart), A]
    old, other = lanes.seat(bots, 0)
    if restart == "never":
        lanes.retire([old])
        assert 0 == status(old)
    new, same = lanes.seat(bots, 0)
    assert 0 == status(old)
    assert pid(old) != pid(new)
    assert other is same


def test_the_longest_idle_process_hears_bye_when_there_are_too_many():
    lanes = open_lanes(3)
    recorder = good("r")
    (first,) = lanes.seat([recorder], 0)
    kept = [*lanes.seat([A], 0), *lanes.seat([B], 0)]
    newest = lanes.seat([C], 0)
    assert 0 == status(first)
    assert [pid(player) for player in kept + newest] == warm_pids(lanes)
    (new,) = lanes.seat([recorder], 0)
    assert pid(first) != pid(new)


def test_a_table_is_seated_even_if_it_exceeds_what_is_kept():
    lanes = open_lanes(1)
    assert [pid(player) for player in lanes.seat([A, B, C], 0)] == warm_pids(lanes)


def test_new_processes_belong_to_no_lane(lanes):
    (warm,) = lanes.seat([A], 0)
    (fresh,) = lanes.fresh([A])
    assert pid(warm) != pid(fresh)
    assert [pid(warm)] == warm_pids(lanes)
    lanes.retire([fresh])
    assert 0 == status(fresh)


@pytest.mark.parametrize(("end", "ended"), [(Lanes.close, 0), (Lanes.kill, -9)], ids=["with bye", "at once"])
def test_in_the_end_all_end(end, ended, lanes):
    players = lanes.seat([A, B], 0)
    end(lanes)
    assert [ended, ended] == [status(player) for player in players]
    assert [] == warm_pids(lanes)


# --- how many matches at once


def parallel(count, name="p", **manifest):
    return good(name, config={"ready": {"parallel": count}}, **manifest)


def heard(lanes, *bots):
    players = lanes.seat(bots, 0)
    for player in players:
        player.ready = Ready(1, parallel=player.bot.manifest.config["ready"].get("parallel", 1))
    lanes.hear(players)
    return list(bots)


def test_until_all_have_said_so_there_is_one_match_at_a_time(lanes):
    p = parallel(5)
    assert 1 == lanes.parallel([p, A])
    heard(lanes, p)
    assert 5 == lanes.parallel([p])
    assert 1 == lanes.parallel([p, A])


@pytest.mark.parametrize(
    ("expected", "bots"),
    [
        (3, [parallel(5, "p"), parallel(3, "q")]),
        (2, [parallel(5, parallel=2)]),
        (1, [parallel(5, restart="match")]),
    ],
    ids=["the smallest of the table", "what the manifest wants", "one, where a bot restarts"],
)
def test_the_least_number_counts(expected, bots, lanes):
    assert expected == lanes.parallel(heard(lanes, *bots))


def test_a_bot_with_a_lapse_among_several_matches_has_one_at_a_time_whatever_it_says(lanes):
    (p,) = heard(lanes, parallel(5))
    lanes.lapses.add(p.id, "unrepeated")
    assert 1 == lanes.parallel([p])
    heard(lanes, p)
    assert 1 == lanes.parallel([p])


# --- whole matches: warm processes


def test_the_blocks_of_a_table_are_played_by_the_same_processes():
    with stage(A, B) as play:
        matches = play.matches(0, 1) + play.matches(2)
    of_lane = [matches[0::2], matches[1::2]]
    used = [pids(match, seat) for lane in of_lane for seat in (0, 1) for match in lane]
    assert {1} == set(map(len, used))
    assert 4 == len(set.union(*used)), "no process plays in two lanes, for it would meet a deal twice"
    assert all(pids(lane[0], seat) == pids(lane[2], seat) for lane in of_lane for seat in (0, 1))


def test_when_only_a_few_processes_are_kept_the_records_are_the_same():
    expected = play_matches(A, B, numbers=(0, 1))
    with stage(A, B, processes=1) as play:
        found = [match for number in (0, 1) for match in play.matches(number)]
        assert 8 == len(play.players)
    assert facts(expected) == facts(found)


# --- between matches


@pytest.mark.parametrize("together", [True, False])
@pytest.mark.parametrize(
    ("program", "kind", "answer", "status", "stderr"),
    [
        ("speaks_after_the_end", "protocol", "good game", None, ""),
        ("exits_after_the_end", "crash", "", 4, "that was enough\n"),
    ],
)
def test_what_a_process_does_between_matches_is_charged_to_none(
    program, kind, answer, status, stderr, together
):
    expected = play_matches(good(program), B, numbers=(0, 1))
    with stage(bot(program), B) as play:
        blocks = play.record(0, 1) if together else play.record(0) + play.record(1)
    matches = [match for block in blocks for match in block.matches]
    assert facts(expected) == facts(matches), "as if nothing had happened"
    assert [] == blocks[0].faults
    assert [2, 3] == [fault.number for fault in blocks[1].faults]
    for fault, match in zip(blocks[1].faults, blocks[1].matches, strict=True):
        assert (program, kind, False) == (fault.bot, fault.kind, fault.charged)
        assert (answer, status) == (fault.answer, fault.exit_status)
        assert fault.stderr.endswith(stderr)
        assert match.seats[fault.seat].bot == program
    for lane in (0, 1):
        first, again = blocks[0].matches[lane], blocks[1].matches[lane]
        for seat in (0, 1):
            assert pids(first, seat).isdisjoint(pids(again, seat)), "every seat gets a new process"


def test_several_processes_that_ended_between_matches_are_charged_to_none():
    enders = bot("exits_after_the_end"), bot("exits_after_the_end", "other")
    expected = play_matches(good("exits_after_the_end"), good("other"), numbers=(0, 1))
    with stage(*enders) as play:
        blocks = play.record(0) + play.record(1)
    assert facts(expected) == facts([match for block in blocks for match in block.matches])
    assert {False} == {fault.charged for block in blocks for fault in block.faults}


@pytest.mark.parametrize("program", ["speaks_after_the_end", "exits_after_the_end"])
def test_after_three_strays_a_bot_gets_a_new_process_for_every_match(program):
    with stage(bot(program), B) as play:
        blocks = [block for number in range(5) for block in play.record(number)]
    assert {False} == {fault.charged for block in blocks for fault in block.faults}
    assert LENIENCE == sum(len(block.faults) for block in blocks)
    assert {None} == {seat.fault for block in blocks for match in block.matches for seat in match.seats}
    new = [pids(match, seat_of(match, program)) for block in blocks for match in block.matches]
    assert 10 == len(set.union(*new))


# --- several matches at once


def several(name, count):
    return bot("answers_backwards", name, config={"ready": {"parallel": count}})


@pytest.mark.parametrize(
    ("expected", "saying", "in_progress"), [(3, (5, 3), 64), (2, (5, 3), 2), (1, (5, 1), 64), (1, (5, 3), 1)]
)
def test_as_many_matches_are_in_progress_as_all_can_bear(expected, saying, in_progress):
    bots = [several(name, count) for name, count in zip("pq", saying, strict=True)]
    matches = play_matches(*bots, in_progress=in_progress, numbers=range(6))
    assert expected == max(int(note.text) for m in matches for seat in m.seats for note in seat.notes)


@pytest.mark.parametrize("cores", [1, 64])
def test_answers_in_any_order_give_the_records_of_one_match_at_a_time(cores):
    bots = several("p", 4), several("q", 4)
    expected = play_blocks(*bots, numbers=range(6))
    assert facts(expected) == facts(play_blocks(*bots, in_progress=4, cores=cores, numbers=range(6)))


def sin_in_some(program, count, **changes):
    """Return the matches, and the faults, of a bot that sins in some of its matches."""
    blocks = play_blocks(bot(program), parallel(8, "b"), numbers=range(count), **changes)
    return [match for block in blocks for match in block.matches], [f for b in blocks for f in b.faults]


@pytest.mark.parametrize(
    ("program", "kind", "limits"),
    [
        ("plays_illegally_in_some", "illegal", PATIENT),
        ("exits_in_some", "crash", PATIENT),
        ("falls_silent_in_some", "timeout", HASTY),
    ],
)
def test_a_fault_among_several_matches_costs_the_matches_that_it_costs_alone(program, kind, limits):
    matches, faults = sin_in_some(program, 3, limits=limits)
    assert {kind} == {fault.kind for fault in faults}
    assert 0 < len(faults) < len(matches), "expected sins in some matches"
    found, found_faults = sin_in_some(program, 3, in_progress=8, limits=limits)
    assert facts(matches) == facts(found)
    assert facts(faults) == facts([fault for fault in found_faults if fault.charged])
    stored = [fault for fault in found_faults if not fault.charged]
    assert bool(stored) == (kind != "illegal"), "an illegal answer says whose it is, the others do not"
    assert {program} == {fault.bot for fault in found_faults}


def test_the_other_matches_are_played_again_by_new_processes():
    matches, _ = sin_in_some("plays_illegally_in_some", 4, in_progress=8)
    for lane in (matches[0::2], matches[1::2]):
        guilty = {pid for m in lane for i, s in enumerate(m.seats) if s.fault for pid in pids(m, i)}
        innocent = {pid for m in lane for i, s in enumerate(m.seats) if not s.fault for pid in pids(m, i)}
        assert guilty.isdisjoint(innocent)


def test_what_is_forgiven_among_several_matches_says_in_its_fault_whether_it_came_again():
    _, faults = sin_in_some("exits_in_some", 3, in_progress=8)
    forgiven = [fault for fault in faults if not fault.charged]
    assert {"repeated"} == {fault.lapse for fault in forgiven}
    assert all(fault.reason.endswith(AMONG_SEVERAL) for fault in forgiven)
    assert {""} == {fault.request for fault in forgiven}, "it is of no request that can be named"
    assert {None} == {fault.lapse for fault in faults if fault.charged}


def test_what_the_whole_run_has_seen_counts_for_every_worker():
    """Two workers with one stray each, and the word that it was three in all."""
    with stage(bot("speaks_after_the_end"), B) as play:
        play.record(0)
        play.record(1)
        speaker = play.setup.bots[0]
        assert Count(stray=2) == play.lanes.lapses.counts[speaker.id]
        assert not play.lanes.restarts(speaker)
        play.lanes.lapses.raise_to({speaker.id: Count(stray=3), B.id: Count()})
        assert play.lanes.restarts(speaker)
        assert not play.lanes.restarts(B)
        assert [] == play.record(2)[0].faults


def test_a_crash_that_comes_among_several_matches_only_costs_none():
    with stage(bot("exits_among_several"), parallel(8, "b"), in_progress=8) as play:
        blocks = play.record(*range(4)) + play.record(4, 5)
    faults = [fault for block in blocks for fault in block.faults]
    assert [("unrepeated", True)] == [(f.lapse, f.reason.endswith(AMONG_SEVERAL + NOT_AGAIN)) for f in faults]
    assert [("crash", False, 8)] == [(fault.kind, fault.charged, fault.exit_status) for fault in faults]
    assert {None} == {seat.fault for block in blocks for match in block.matches for seat in match.seats}


@pytest.mark.parametrize("cores", [1, 64])
def test_answers_to_matches_that_are_played_again_cost_nobody(cores, monkeypatch):
    """The match with the fault goes on among the others, who have been asked in the other matches too."""
    monkeypatch.setitem(GAMES, "toy", Toy())
    bots = bot("plays_illegally_in_some"), parallel(8, "b"), parallel(8, "c")
    expected = play_blocks(*bots, game="toy", numbers=range(3))
    assert any(fault.kind == "illegal" for block in expected for fault in block.faults)
    found = play_blocks(*bots, game="toy", in_progress=8, cores=cores, numbers=range(3))
    assert facts(expected) == facts(found)
    assert all(moves_of(match) for block in found for match in block.matches)


@pytest.mark.parametrize("decision", [1, 2])
def test_what_goes_wrong_after_a_fault_among_several_is_charged_where_it_recurs(decision, monkeypatch):
    monkeypatch.setitem(GAMES, "toy", Toy())
    programs = "plays_illegally_in_some", "exits_in_some"
    sinners = [bot(program, config={"decision": decision}) for program in programs]
    bots = [*sinners, parallel(8, "c")]
    both_sin = range(2, 8)  # in matches that are in progress together
    expected = play_blocks(*bots, game="toy", numbers=both_sin)
    assert {"illegal", "crash"} == {fault.kind for block in expected for fault in block.faults}
    found = play_blocks(*bots, game="toy", in_progress=8, numbers=both_sin)
    assert facts([block.matches for block in expected]) == facts([block.matches for block in found])
    assert charged(expected) == charged(found)


def charged(blocks):
    return sorted((f.number, f.seat, f.kind, f.step) for b in blocks for f in b.faults if f.charged)


def test_a_fault_is_kept_once_though_its_match_was_begun_twice(monkeypatch):
    monkeypatch.setitem(GAMES, "toy", Toy())
    with stage(bot("missing"), bot("speaks_after_the_end"), good("c"), game="toy") as play:
        blocks = play.record(0) + play.record(1)
    assert [("protocol", False)] * 3 == [(f.kind, f.charged) for f in blocks[1].faults if f.bot != "missing"]
    assert list(range(6)) == [number for number, _, _, _ in charged(blocks)]


def test_the_requests_of_several_matches_go_out_together(tmp_path):
    p = good("p", config={"ready": {"parallel": 4}, "record": str(tmp_path)})
    play_blocks(p, parallel(4, "q"), in_progress=4, numbers=range(4))
    kinds = [json.loads(line)["type"] for line in lines_of(tmp_path)[0]]
    assert ["hello", *4 * ["start"]] == [kind for kind in kinds[:9] if kind != "act"]


def test_a_block_is_given_back_as_soon_as_its_last_match_is_over():
    with stage(parallel(2, "p"), parallel(2, "q"), in_progress=2) as worker:
        coming = worker.play([worker.block(number) for number in range(6)])
        first = next(coming)
        begun = sum(player.matches for player in worker.players) // 2
        assert begun < 2 * 6
        assert set(range(6)) == {first.number, *(block.number for block in coming)}
