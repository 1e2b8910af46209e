"""Stored matches, found again, played again and told."""

import json

import msgspec
import pytest
from support import ladders

from engines import GAMES
from ladder.api.asked import ReplayRequest
from ladder.cli.faults import faults as faults_command
from ladder.cli.replay import replay as replay_command
from ladder.errors import LadderError
from ladder.replay.replay import deal_of, make_record, narrate, record_of
from ladder.replay.steps import all_positions
from results.errors import NoSuchMatch
from results.record import LimitsApart, RunSettings
from results.storage import store as store_module
from results.storage.store import Store

BOTS = {
    "good": {"note": "a thought"},
    "last": {"style": "last"},
    "cheat": {"sin": "cheat"},
    "exit": {"sin": "exit"},
}


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    home = ladders.a_home(tmp_path_factory.mktemp("replay") / "home", BOTS)
    ladders.play(home, matches=24, schedule="round-robin")
    return Store(home.results)


def between(store, *names):
    """Return the record of a match between bots of these names."""
    for row in store.matches(["run", "number", "seats.bot"]).to_pylist():
        if set(names) == {seat["bot"] for seat in row["seats"]}:
            return record_of(store.contents(), f"{row['run']}/{row['number']}")
    raise AssertionError(f"no match between {names}")


def test_a_record_has_all_that_a_match_was(store):
    record = between(store, "good", "last")
    assert ("stellar", GAMES["stellar"].version, []) == (record["game"], record["version"], record["faults"])
    assert {"face_down_number": "printed"} == record["options"]
    assert record == json.loads(json.dumps(record))
    assert {"good", "last"} == {seat["bot"] for seat in record["seats"]}


def test_limits_of_a_bot_stand_at_its_seat_and_those_of_a_game_in_the_record(store):
    record = between(store, "good", "last")
    match = store.contents().match(1, record["number"])
    apart = LimitsApart({"good": {"move_ms": 7}, "other": {"move_ms": 1}}, {"stellar": {"bank_ms": 9}})
    made = make_record(match, 1, RunSettings(limits=record["limits"], apart=apart), record["deal"], [])
    assert record["limits"] | {"bank_ms": 9} == made["limits"]
    assert {"good": {"move_ms": 7}, "last": None} == {s["bot"]: s.get("limits") for s in made["seats"]}
    for position in all_positions(made):
        for decision in position.decisions:
            assert decision.bank_us is not None
            assert decision.bank_us <= 9_000


def test_the_rotations_of_a_block_were_dealt_the_same(store):
    one, other = record_of(store.contents(), "1/0"), record_of(store.contents(), "1/1")
    assert (0, 0, 0, 1) == (one["block"], other["block"], one["rotation"], other["rotation"])
    assert one["deal"] == other["deal"]
    assert one["deal"] != record_of(store.contents(), "1/2")["deal"]
    assert [seat["bot"] for seat in one["seats"]] == [seat["bot"] for seat in reversed(other["seats"])]


def test_a_match_is_told_move_by_move_with_notes_and_points(store):
    record = between(store, "good", "last")
    text = list(narrate(record))
    assert (
        f"match 1/{record['number']}: stellar, block {record['block']}, rotation {record['rotation']}"
        == text[0]
    )
    for i, seat in enumerate(record["seats"]):
        assert f"  seat {i}: {seat['bot']}@{seat['version']}, told {seat['name']}" == text[1 + i]
    for step, (move, *_) in enumerate(record["moves"]):
        assert any(line.startswith(f"{step:4}  ") and line.endswith(str(move[1])) for line in text)
    own = record["seats"][[seat["bot"] for seat in record["seats"]].index("good")]
    assert len(own["think_us"]) == sum("# a thought" in line for line in text)
    ranked = sorted(zip(record["ranks"], record["scores"], strict=True))
    assert [f"{score} points" for _, score in ranked] == [" ".join(line.split()[-2:]) for line in text[-2:]]


@pytest.mark.parametrize(("name", "kind"), [("cheat", "illegal"), ("exit", "crash")])
def test_a_match_that_a_fault_ended_is_told_with_the_exchange(store, name, kind):
    record = between(store, "good", name)
    (fault,) = record["faults"]
    assert (name, kind) == (fault["bot"], fault["kind"])
    assert [None, None] == record["scores"]
    text = "\n".join(narrate(record))
    assert f"\n{name}@{fault['version']}: {kind} in step {fault['step']} of match 1/" in text
    assert f"\n  why       {fault['reason']}\n" in text
    assert '\n  request   {"type":"act"' in text
    assert "\n  offered   one of " in text
    assert f"\n  see it    ladder replay 1/{record['number']}\n" in text
    assert "  1. good" in text
    assert text.endswith(f"  {kind}")
    assert ("\n  ended     exit status 3\n" in text) == (kind == "crash")


def test_a_match_in_which_nobody_was_left_is_told_up_to_there(store):
    record = between(store, "cheat", "exit")
    text = "\n".join(narrate(record))
    assert f"match 1/{record['number']}" in text
    assert "  see it    ladder replay " in text


def test_a_match_is_found_by_any_name_that_a_bot_was_told(store):
    for row in store.matches(["number", "seats.name"]).to_pylist()[::8]:
        for seat in row["seats"]:
            assert row["number"] == record_of(store.contents(), seat["name"])["number"]


@pytest.mark.parametrize("wanted", ["1/24", "2/0", "0/0", "1/x", "/", "", "f" * 16, "1/-1"])
def test_a_match_that_is_not_there_is_named(store, wanted):
    with pytest.raises(NoSuchMatch, match="no match") as caught:
        record_of(store.contents(), wanted)
    assert 3 == caught.value.exit_code


def test_a_deal_that_the_engine_would_deal_otherwise_is_refused(store):
    match = store.contents().match(1, 0)
    assert record_of(store.contents(), "1/0")["deal"] == deal_of(match)
    with pytest.raises(LadderError, match="deals differently"):
        deal_of(msgspec.structs.replace(match, deal_digest="0" * 64))


def test_a_match_of_other_rules_is_told_only_as_it_was_kept(store):
    gone = "was played by the rules of chess, a game that this ladder"
    match = msgspec.structs.replace(store.contents().match(1, 0), game="chess")
    with pytest.raises(LadderError, match=gone):
        deal_of(match)
    assert {"board": 64} == deal_of(msgspec.structs.replace(match, deal={"board": 64}))
    newer = "was played under version 99 of the rules of stellar, this ladder has 1"
    for changed, why in (({"game": "chess"}, gone), ({"version": 99}, newer)):
        with pytest.raises(LadderError, match=why) as raised:
            list(narrate(record_of(store.contents(), "1/0") | changed))
        assert "--format json" in raised.value.hint


@pytest.mark.parametrize(
    "command",
    [
        lambda home: replay_command(ReplayRequest("last", home=home)),
        lambda home: replay_command(ReplayRequest("last", home=home), format="json"),
        faults_command,
    ],
)
def test_a_command_that_shows_matches_reads_the_store_once(store, command, monkeypatch, capsys):
    read = []
    real = store_module.read_contents
    monkeypatch.setattr(store_module, "read_contents", lambda *args: read.append(args) or real(*args))
    command(home=store.folder.root.parent)
    assert capsys.readouterr().out
    assert 1 == len(read)
