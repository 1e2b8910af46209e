"""Whole matches: messages, clocks, faults.  Bots are scripted, except where the process is the subject."""

import json
from typing import Any

import pytest
from support.scripted import ScriptedBot, ScriptedPoll, Timeline
from support.scripts import Manners, play_blocks, play_matches, say, stage
from support.seating import (
    PATIENT,
    SECRET,
    bot,
    facts,
    good,
    hall,
    lines_of,
    moves_of,
    replay_match,
    seat_of,
)

from engines import GAMES, Outcome
from engines.template import Toy
from engines.wording import tell_rules
from ladder import __version__
from ladder.contest.keys import Keys
from ladder.referee import rules
from ladder.referee.table_events import StepPlayed
from protocol.messages import Limits
from results import record

HASTY = Limits(start_ms=30_000, move_ms=300, bank_ms=0)
"""For sins that cost the whole of a clock; bots without sins have time enough even so."""
KEYS = Keys(SECRET)
GRACE_US = rules.GRACE_MS * 1000


@pytest.fixture
def _toy(monkeypatch):
    monkeypatch.setitem(GAMES, "toy", Toy())


toy = pytest.mark.usefixtures("_toy")


class WithLongViews(Toy):
    """The toy game with views that no pipe holds."""

    def view(self, state, seat):
        return super().view(state, seat) | {"padding": "x" * 200_000}


def decision_id(match, seat, step):
    return KEYS.decisions(match, seat, step // 8)[step % 8]


def ranks(match):
    return [seat.rank for seat in match.seats]


class WithRanksReversed(Toy):
    """The toy game, which the last wins."""

    def outcome(self, state):
        outcome = super().outcome(state)
        return Outcome(tuple(len(outcome.ranks) + 1 - rank for rank in outcome.ranks), outcome.scores)


# --- a match between bots without sins


class Heard:
    """What one seat heard of one match."""

    def __init__(self, start):
        self.start = start
        self.acts: list[dict[str, Any]] = []
        self.end: dict[str, Any] = {}

    @property
    def events(self):
        return [event for message in (*self.acts, self.end) for event in message["events"]]


def heard(folder, *, polite=True):
    """Return what recording bots heard, by the names of the matches, whose messages must come in order.

    Those that were *polite* heard the end of each match, and bye.
    """
    matches: dict[str, Heard] = {}
    for lines in lines_of(folder):
        hello, *messages = [json.loads(line) for line in lines]
        assert "hello" == hello["type"]
        ended = {"type": "bye"} == messages[-1]
        assert ended or not polite
        for message in messages[:-1] if ended else messages:
            if message["type"] == "start":
                matches[message["match"]] = Heard(message)
            elif message["type"] == "act":
                assert not matches[message["match"]].end
                matches[message["match"]].acts.append(message)
            else:
                assert ("end", {}) == (message["type"], matches[message["match"]].end)
                matches[message["match"]].end = message
    assert not polite or all(match.end for match in matches.values())
    return matches


def seen_by(match, seat):
    """Return all events of *match* as *seat* saw them."""
    return [event.seen_by(seat) for step in replay_match(match) for event in step.events]


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """Two blocks between recording bots, under a rule option, and the folder of their recordings."""
    folder = tmp_path_factory.mktemp("heard")
    bots = [good(name, config={"record": str(folder)}) for name in "ab"]
    with stage(*bots, options={"face_down_number": "three"}) as play:
        return play.matches(0, 1), folder


Seated = list[tuple[record.Match, int, record.Seat, Heard]]


@pytest.fixture(scope="module")
def seated(played):
    """Each seat of these matches, with its number, and what was heard there."""
    matches, folder = played
    told = heard(folder)  # which holds the messages to their order
    assert {seat.name for match in matches for seat in match.seats} == set(told)
    return [(match, i, seat, told[seat.name]) for match in matches for i, seat in enumerate(match.seats)]


FIELDS = {
    "hello": ["type", "protocol", "ladder", "bot", "games", "config", "limits"],
    "start": ["type", "match", "game", "version", "seat", "seats", "options"],
    "act": ["type", "id", "match", "step", "seed", "choice", "clock", "events", "view"],
    "end": ["type", "match", "ranks", "scores", "faults", "events"],
    "bye": ["type"],
}


def test_every_message_is_one_compact_line_with_its_fields_in_order(played):
    lines = [line for lines in lines_of(played[1]) for line in lines]
    for line in lines:
        message = json.loads(line)
        assert FIELDS[message["type"]] == list(message)
        assert json.dumps(message, separators=(",", ":"), ensure_ascii=False) == line
    assert set(FIELDS) == {json.loads(line)["type"] for line in lines}


def test_hello_says_who_what_and_how_much(played):
    hellos = [json.loads(lines[0]) for lines in lines_of(played[1])]
    assert ["a", "a", "b", "b"] == sorted(hello["bot"] for hello in hellos)
    for hello in hellos:
        assert (1, __version__, ["stellar"]) == (hello["protocol"], hello["ladder"], hello["games"])
        assert {"record": str(played[1])} == hello["config"]
        assert (30_000, 30_000, 0) == tuple(hello["limits"].values())[:3]


def test_each_seat_hears_start_then_its_decisions_then_end(seated):
    for match, i, seat, told in seated:
        start = told.start
        assert ("stellar", 1, i, 2) == (start["game"], start["version"], start["seat"], start["seats"])
        assert {"face_down_number": "three"} == start["options"] == match.options
        assert seat.decisions == len(told.acts)


def test_names_and_seeds_differ_by_seat_and_follow_from_the_keys(seated):
    for match, i, seat, told in seated:
        assert KEYS.name(match.number, i) == seat.name
        assert {KEYS.bot(match.number, i)} == {act["seed"] for act in told.acts}
    assert 8 == len({seat.name for _, _, seat, _ in seated})
    assert 8 == len({told.acts[0]["seed"] for _, _, _, told in seated})


def test_an_id_names_match_seat_and_step(seated):
    for match, i, _, told in seated:
        for act in told.acts:
            assert decision_id(match.number, i, act["step"]) == act["id"]


def test_choices_and_views_are_those_of_the_game(seated):
    game = GAMES["stellar"]
    for match, i, _, told in seated:
        steps = replay_match(match)
        for act in told.acts:
            state = steps[act["step"]].state
            assert game.choices(state)[i].to_json() == act["choice"]
            assert game.view(state, i) == act["view"]


def test_the_seats_that_have_a_choice_are_asked_and_no_others(seated):
    for match, i, _, told in seated:
        expected = [step for step, moves in enumerate(moves_of(match)) if i in [seat for seat, _ in moves]]
        assert expected == [act["step"] for act in told.acts]


def test_the_events_of_a_seat_add_up_to_all_that_it_saw(seated):
    for match, i, _, told in seated:
        assert seen_by(match, i) == told.events


def test_end_tells_the_result_to_all(seated):
    for match, _, _, told in seated:
        assert (ranks(match), [None, None]) == (told.end["ranks"], told.end["faults"])
        assert [seat.score for seat in match.seats] == told.end["scores"]


def test_the_moves_replay_to_the_same_result(played):
    game = GAMES["stellar"]
    for match in played[0]:
        state = replay_match(match)[-1].state
        assert not game.choices(state)
        outcome = game.outcome(state)
        assert (list(outcome.ranks), list(outcome.scores)) == (ranks(match), [s.score for s in match.seats])


def test_a_record_says_which_match_it_was(played):
    matches = played[0]
    assert [0, 1, 2, 3] == [match.number for match in matches]
    assert [(0, 0), (0, 1), (1, 0), (1, 1)] == [(match.block, match.rotation) for match in matches]
    assert [["a", "b"], ["b", "a"]] * 2 == [[seat.bot for seat in match.seats] for match in matches]
    for match in matches:
        assert (1, 0, "stellar", 1, "none") == (
            match.run, match.attempt, match.game, match.game_version, match.sandbox
        )  # fmt: skip
        assert KEYS.deal(match.block).hex() == match.deal_seed
        assert ([None, None], [None, None]) == (
            [seat.fault for seat in match.seats],
            [seat.fault_step for seat in match.seats],
        )


def test_the_matches_of_a_block_share_a_deal_and_blocks_do_not(played):
    digests = [match.deal_digest for match in played[0]]
    assert digests[0] == digests[1] != digests[2] == digests[3]


def test_the_same_match_gets_the_same_messages_and_answers_again(played, tmp_path):
    matches, folder = played
    bots = [good(name, config={"record": str(tmp_path)}) for name in "ab"]
    again = play_matches(*bots, options={"face_down_number": "three"}, cores=1, numbers=(0, 1))
    assert facts(matches) == facts(again)
    expected, found = heard(folder), heard(tmp_path)
    for name in expected:
        assert expected[name].start == found[name].start
        assert expected[name].acts == found[name].acts
        assert expected[name].end == found[name].end


def test_a_bot_may_do_without_views(tmp_path):
    match, _ = play_matches(good("a", config={"ready": {"view": "none"}, "record": str(tmp_path)}), good("b"))
    acts = heard(tmp_path)[match.seats[0].name].acts
    assert acts
    assert not any("view" in act for act in acts)


def test_a_bot_may_have_views_as_text_too(tmp_path):
    match, _ = play_matches(good("a", config={"ready": {"text": True}, "record": str(tmp_path)}), good("b"))
    game, steps = GAMES["stellar"], replay_match(match)
    acts = heard(tmp_path)[match.seats[0].name].acts
    for act in acts:
        view = game.view(steps[act["step"]].state, 0)
        assert game.text(view, act["events"]) == act["view"].pop("text")
        assert view == act["view"]
    assert any(act["events"] for act in acts)


def test_a_bot_may_have_the_rules_at_the_start_of_each_match(tmp_path):
    asks = good("a", config={"ready": {"rules": True}, "record": str(tmp_path)})
    option = {"face_down_number": "three"}
    matches = play_matches(asks, good("b", config={"record": str(tmp_path)}), options=option)
    found = heard(tmp_path)
    for match in matches:
        seat = seat_of(match, "a")
        start, other = (found[match.seats[each].name].start for each in (seat, 1 - seat))
        assert ["type", "rules"] == [*start][:2]
        assert tell_rules(GAMES["stellar"], option) == start.pop("rules")
        assert ["type", "match", "game", "version", "seat", "seats", "options"] == [*start] == [*other]


def test_notes_and_usage_are_kept():
    usage = {"input_tokens": 10, "output_tokens": 3, "cost_usd": 0.25, "fallbacks": 1}
    match, _ = play_matches(good("a", config={"answer": {"note": "hm", "usage": usage}}), good("b"))
    a, b = match.seats
    steps = [step for step, moves in enumerate(moves_of(match)) if any(seat == 0 for seat, _ in moves)]
    assert [record.Note(step, "hm") for step in steps] == a.notes
    assert record.Usage(10 * a.decisions, 3 * a.decisions, 0.25 * a.decisions, None, a.decisions) == a.usage
    assert b.usage is None


def test_a_game_in_place_of_another_is_played_by_its_own_rules(monkeypatch):
    bots = good("a"), good("b"), good("c")
    ended = []
    for game in (Toy(), WithRanksReversed()):
        monkeypatch.setitem(GAMES, "toy", game)
        with stage(*bots, game="toy") as play:
            ended.append([[seat.rank for seat in match.seats] for match in play.matches(0)])
    assert ended[0] != ended[1]


@toy
def test_more_than_two_seats_play(tmp_path):
    bots = [good(name, config={"record": str(tmp_path)}) for name in "abcd"]
    matches = play_matches(*bots, game="toy")
    assert 4 == len(matches)
    told = heard(tmp_path)
    for match in matches:
        assert list(Toy().outcome(replay_match(match)[-1].state).ranks) == ranks(match)
        for i, seat in enumerate(match.seats):
            assert seen_by(match, i) == told[seat.name].events


# --- the clock


def banks(acts, think_us, limits):
    """Yield each decision's bank as it should be, from the times that were kept, and as the bot was told."""
    left = float(limits.bank_ms)
    for act, us in zip(acts, think_us, strict=True):
        yield left, act["clock"]["bank_ms"]
        left -= max(0, us - limits.move_ms * 1000 - GRACE_US) / 1000


def test_only_what_exceeds_the_free_time_is_taken_from_the_bank_of_each_match(tmp_path):
    limits = Limits(start_ms=30_000, move_ms=300, bank_ms=60_000)
    thinker = bot("thinks", config={"ms": 400, "steps": [0, 5, 6], "record": str(tmp_path)})
    for match in play_matches(thinker, good(), limits=limits, numbers=(0, 1)):
        seat = match.seats[seat_of(match, "thinks")]
        acts = heard(tmp_path)[seat.name].acts
        assert {300} == {act["clock"]["move_ms"] for act in acts}
        told = list(banks(acts, seat.think_us, limits))
        assert 60_000 == told[0][1] > told[1][1]
        assert 59_960 > told[-1][1], "expected at least one long decision in the record"
        assert all(abs(expected - found) <= 1.001 for expected, found in told)


@pytest.mark.parametrize(
    ("limits", "limit_ms"),
    [(Limits(30_000, 200, 400), 600), (Limits(30_000, 300, 0, match_s=60), 300)],
    ids=["free time and bank", "free time in a longer match"],
)
def test_a_decision_may_last_as_long_as_its_limits_allow_together(limits, limit_ms):
    (block,) = play_blocks(bot("silent"), good(), limits=limits)
    for fault in block.faults:
        assert ("timeout", f"no answer within {limit_ms} ms") == (fault.kind, fault.reason)
        assert 1000 * limit_ms == fault.limit_us
        assert 1000 * limit_ms + GRACE_US <= fault.elapsed_us


def test_there_is_grace_for_the_delays_of_the_machine(monkeypatch):
    assert 50 == rules.GRACE_MS
    monkeypatch.setattr(rules, "GRACE_MS", 30_000)
    limits = Limits(start_ms=30_000, move_ms=1, bank_ms=0)
    with stage(bot("thinks", config={"ms": 100, "steps": [0]}), good(), limits=limits) as play:
        assert {None} == {seat.fault for match in play.matches(0) for seat in match.seats}


def test_who_watches_hears_the_deal_and_every_step_once():
    heard: list[StepPlayed] = []
    with stage(good(), good("other")) as play:
        play.on_event = lambda event: heard.append(event) if isinstance(event, StepPlayed) else None
        (match, _) = play.matches(0)
    moves = json.loads(match.moves)
    first = [event for event in heard if event.number == 0]
    assert [*range(-1, len(moves))] == [event.step for event in first]
    assert [[seat for seat, *_ in step] for step in moves] + [[]] == [sorted(e.asked) for e in first]
    assert "start" in str(first[0].told(None))
    assert "final" in str(first[-1].told(None))


def test_a_start_is_not_on_the_clock():
    match, _ = play_matches(bot("starts_slowly"), good(), limits=Limits(30_000, 400, 60_000))
    assert [None, None] == [seat.fault for seat in match.seats]
    assert 500_000 > match.seats[0].think_us[0], "the 0.5 s of the start"


def test_only_the_own_clock_runs():
    thinker = bot("thinks", config={"ms": 300, "steps": [1, 2]})
    match, _ = play_matches(thinker, good())
    assert {0, 300_000} == set(match.seats[0].think_us)
    assert {0} == set(match.seats[1].think_us)


@pytest.mark.process
def test_a_bot_that_does_not_read_holds_up_nobody(monkeypatch):
    monkeypatch.setitem(GAMES, "long-toy", WithLongViews())
    bots = bot("deaf"), good("b"), good("c")
    with hall(*bots, game="long-toy", limits=Limits(30_000, 500, 0)) as play:
        (block,) = play.record(0)
    for match, fault in zip(block.matches, block.faults, strict=True):
        assert ("deaf", "timeout", 0) == (fault.bot, fault.kind, fault.step)
        assert {None} == {seat.fault for seat in match.seats if seat.bot != "deaf"}
        assert 10 == len(moves_of(match))


@pytest.mark.process
@pytest.mark.skipif(not hasattr(__import__("fcntl"), "F_SETPIPE_SZ"), reason="pipes have one size here")
def test_the_time_of_a_decision_runs_from_the_last_byte_of_its_request(monkeypatch):
    monkeypatch.setitem(GAMES, "long-toy", WithLongViews())
    bots = bot("reads_late"), good("b"), good("c")
    with hall(*bots, game="long-toy") as play:
        matches = play.matches(0)
    times = [match.seats[seat_of(match, "reads_late")].think_us[0] for match in matches]
    assert 150_000 > min(times), "the 0.3 s before it began to read"


@pytest.mark.process
def test_a_bot_that_has_not_read_what_came_before_may_be_sent_more(monkeypatch):
    monkeypatch.setitem(GAMES, "long-toy", WithLongViews())
    several = {"ready": {"parallel": 2}}
    bots = bot("reads_late", config=several), good("b", config=several), good("c", config=several)
    with hall(*bots, game="long-toy", in_progress=2) as play:
        matches = play.matches(0, 1)
    assert {None} == {seat.fault for match in matches for seat in match.seats}


def test_a_referee_that_was_suspended_blames_no_bot():
    timeline = Timeline()
    for after_ms in (35, 1035, 2035):
        timeline.suspend(after_ms, for_ms=500)
    bots = [bot("thinks", name, config={"ms": 20}) for name in "ab"]
    (block,) = play_blocks(*bots, limits=Limits(30_000, 400, 0), timeline=timeline)
    assert [] == block.faults
    assert 520_000 == max(us for match in block.matches for seat in match.seats for us in seat.think_us)


# --- a limit on the time in a whole match


def limited(match_s):
    return Limits(start_ms=30_000, move_ms=30_000, bank_ms=0, match_s=match_s)


def told_left(folder, seat):
    """Return what *seat* was told at each request that it has left for the match."""
    return [act["clock"]["match_ms"] for act in heard(folder, polite=False)[seat.name].acts]


def test_decisions_of_a_match_may_take_no_longer_together_than_its_limit(tmp_path):
    thinker = bot("thinks", config={"ms": 800, "record": str(tmp_path)})
    (block,) = play_blocks(thinker, good(), limits=limited(2))
    for match, fault in zip(block.matches, block.faults, strict=True):
        seat = match.seats[seat_of(match, "thinks")]
        assert ("thinks", "timeout") == (fault.bot, fault.kind)
        assert seat.decisions <= 2
        assert fault.reason.endswith("ms, the rest of 2 s for its start and its decisions")
        start_us = 2_000_000 - 1000 * told_left(tmp_path, seat)[0]
        assert fault.limit_us == pytest.approx(2_000_000 - start_us - sum(seat.think_us), abs=1001)
        assert fault.elapsed_us >= fault.limit_us


def test_a_bot_is_told_what_is_left_and_others_turns_do_not_count(tmp_path):
    recorder = good("r", config={"record": str(tmp_path)})
    matches = play_matches(
        recorder, bot("thinks", config={"ms": 300, "steps": [1, 2, 3]}), limits=limited(600)
    )
    for match in matches:
        seat = match.seats[seat_of(match, "r")]
        left = told_left(tmp_path, seat)
        assert len(left) == seat.decisions
        for i, us in enumerate(seat.think_us[:-1]):
            assert us / 1000 == pytest.approx(left[i] - left[i + 1], abs=1.001)


def test_a_start_counts_in_the_match_that_it_was_made_for(tmp_path):
    slow = bot("starts_slowly", config={"record": str(tmp_path)})
    with stage(slow, good(), limits=limited(600)) as play:
        matches = play.matches(0) + play.matches(1)
    left = [told_left(tmp_path, match.seats[seat_of(match, "starts_slowly")])[0] for match in matches]
    assert max(left[:2]) <= 599_500
    assert [600_000, 600_000] == left[2:]


def test_a_start_may_take_no_longer_than_the_whole_match():
    (block,) = play_blocks(bot("never_ready"), good(), limits=limited(1))
    assert {("start", "no ready within 1000 ms of its start")} == {(f.kind, f.reason) for f in block.faults}


# --- faults at a table of two


@pytest.mark.parametrize(
    ("program", "reason", "status", "stderr"),
    [
        ("missing", "No such file", None, ""),
        ("exits_at_start", "the process ended before it was ready", 3, "no licence found\n"),
        ("speaks_protocol_2", "expected protocol 1, got: 2", -9, ""),
    ],
)
def test_who_cannot_start_loses(program, reason, status, stderr, tmp_path):
    blocks = play_blocks(bot(program), good(config={"record": str(tmp_path)}), numbers=(0, 1))
    told = heard(tmp_path)
    for block in blocks:
        assert 2 == len(block.faults)
        for match, fault in zip(block.matches, block.faults, strict=True):
            mine = seat_of(match, program)
            loser, winner = match.seats[mine], match.seats[1 - mine]
            assert ("start", -1, 2, None) == (loser.fault, loser.fault_step, loser.rank, loser.score)
            assert (None, 1, None) == (winner.fault, winner.rank, winner.score)
            assert (match.number, mine, "start", -1, True) == (
                fault.number, fault.seat, fault.kind, fault.step, fault.charged
            )  # fmt: skip
            assert reason in fault.reason
            assert ("", "", status, stderr) == (
                fault.request, fault.answer, fault.exit_status, fault.stderr
            )  # fmt: skip
            assert "[]" == match.moves
            assert [] == told[winner.name].acts
            assert ["start", None] == sorted(told[winner.name].end["faults"], key=str, reverse=True)
    assert 2 == len(lines_of(tmp_path)), "the other keeps its processes"


TIMEOUT, ENDED = "no answer within 300 ms", "the process ended"
IN_PART = "; part of an answer had come, without its newline"
SINS = [
    ("silent", "timeout", TIMEOUT, "", None, ""),
    ("closes_stdout", "timeout", TIMEOUT, "", None, ""),
    ("stops_itself", "timeout", TIMEOUT, "", None, ""),
    ("drips", "timeout", TIMEOUT + IN_PART, '{"id": "', None, ""),
    ("forgets_the_newline", "timeout", TIMEOUT + IN_PART, '{"id": "', None, ""),
    ("exits_0", "crash", f"{ENDED} (exit status 0)", "", 0, ""),
    ("raises", "crash", f"{ENDED} (exit status 1)", "", 1, "ZeroDivisionError"),
    ("kills_itself", "crash", f"{ENDED} (killed by signal 9)", "", -9, ""),
    ("closes_stdout_then_exits", "crash", f"{ENDED} (exit status 5)", "", 5, ""),
    ("leaves_a_child_on_stdout", "crash", f"{ENDED} (exit status 0)", "", 0, ""),
    ("ready_then_exits", "crash", f"{ENDED} (exit status 0)", "", 0, ""),
    ("answers_then_exits", "crash", f"{ENDED} (exit status 7)", "", 7, ""),
    ("plays_what_is_not_offered", "illegal", "got: 'take 99'", '"move": "take 99"', None, ""),
    ("talks_on_stdout", "protocol", "log to stderr", "thinking about it", None, ""),
    ("answers_with_a_number", "protocol", "expected", '"move": 0', None, ""),
    ("answers_with_a_list", "protocol", "expected a move as a string", '"move": ["', None, ""),
    ("answers_with_a_wrong_id", "protocol", "got: '0123456789abcdef'", "0123456789abcdef", None, ""),
    ("answers_with_an_earlier_id", "protocol", "expected the id of a request that waits", '"id"', None, ""),
    ("answers_twice", "protocol", "expected the id of a request that waits", '"id"', None, ""),
    ("answers_the_first_twice", "protocol", "expected the id of a request that waits", '"id"', None, ""),
    ("speaks_unasked", "protocol", "got: ''", "good luck", None, ""),
    ("answers_at_great_length", "protocol", "at most 65,536 bytes", '"padding": "xxx', None, ""),
    ("floods_stdout", "protocol", "at most 65,536 bytes", "xxx", None, ""),
    ("answers_in_latin_1", "protocol", "expected UTF-8, got 0xE9", r"caf\xe9", None, ""),
    ("begins_with_a_bom", "protocol", "byte order mark", "\ufeff{", None, ""),
    ("says_a_key_twice", "protocol", "expected every key once, got twice: 'move'", '"move"', None, ""),
    ("writes_too_long_a_note", "protocol", "note", "xxx", None, ""),
]


PROCESSES = {"leaves_a_child_on_stdout", "stops_itself"}
"""What they do, a process does, and not the lines that it writes."""
PROCESS = {True: [pytest.mark.process], False: []}


@pytest.mark.parametrize(
    ("program", "kind", "reason", "answer", "status", "stderr"),
    [pytest.param(*sin, id=sin[0], marks=PROCESS[sin[0] in PROCESSES]) for sin in SINS],
)
def test_who_sins_loses_and_is_told_why(program, kind, reason, answer, status, stderr, tmp_path):
    limits = HASTY if kind == "timeout" else PATIENT
    at_table = hall if program in PROCESSES else stage
    with at_table(bot(program), good(config={"record": str(tmp_path)}), limits=limits) as play:
        blocks = play.record(0) if kind == "timeout" else play.record(0, 1)
    told = heard(tmp_path)
    for block in blocks:
        assert 2 == len(block.matches) == len(block.faults)
        for match, fault in zip(block.matches, block.faults, strict=True):
            mine = seat_of(match, program)
            loser, winner = match.seats[mine], match.seats[1 - mine]
            assert (kind, fault.step, 2, None) == (loser.fault, loser.fault_step, loser.rank, loser.score)
            assert (None, None, 1, None) == (winner.fault, winner.fault_step, winner.rank, winner.score)
            assert (1, match.number, 0, mine, program, "1", kind, True) == (
                fault.run, fault.number, fault.attempt, fault.seat,
                fault.bot, fault.version, fault.kind, fault.charged,
            )  # fmt: skip
            assert reason in fault.reason
            assert answer in fault.answer
            assert len(fault.answer) <= 4 * 4096
            assert "\n" not in fault.answer
            assert status == fault.exit_status
            assert stderr in fault.stderr
            if fault.request:
                asked = json.loads(fault.request)
                assert decision_id(match.number, mine, fault.step) == asked["id"]
                assert limits.move_ms * 1000 == fault.limit_us
            else:
                assert program in ("answers_twice", "answers_the_first_twice", "answers_then_exits")
            assert fault.step == len(moves_of(match)) == len(replay_match(match)) - 1
            end = told[winner.name].end
            assert (ranks(match), None) == (end["ranks"], end["scores"])
            assert [seat.fault for seat in match.seats] == end["faults"]
            assert (kind == "timeout") <= (fault.elapsed_us >= fault.limit_us + GRACE_US)
    assert 2 == len(lines_of(tmp_path)), "the other is unharmed and plays on with the processes of its lanes"
    assert 2 * len(blocks) == sum(player.bot.bot == program for player in play.players)


def test_nobody_answers_for_another():
    class GivesAwayItsId(Manners):
        def act(self, act):
            ids.append(act["id"])
            yield say(self.answer(act), after_ms=300)

    class AnswersForAnother(Manners):
        def act(self, act):
            yield say(self.answer(act, id=ids[0]))

    ids: list[str] = []
    scripts = {"gives": GivesAwayItsId, "answers": AnswersForAnother}
    with stage(bot("gives"), bot("answers"), scripts=scripts) as play:
        fault = play.record(0)[0].faults[0]
    assert ("answers", "protocol", 0) == (fault.bot, fault.kind, fault.step)
    assert "expected the id of a request that waits for its answer" in fault.reason
    assert decision_id(0, 0, 0) in fault.answer


@pytest.mark.parametrize("order", [1, -1], ids=["is noticed first", "is noticed after the exit"])
def test_an_answer_that_is_complete_before_the_exit_counts(order, monkeypatch):
    poll = ScriptedPoll.poll
    monkeypatch.setattr(ScriptedPoll, "poll", lambda self, timeout: poll(self, timeout)[::order])
    for match in play_matches(bot("answers_then_exits"), good(), numbers=(0, 1)):
        sinner = match.seats[seat_of(match, "answers_then_exits")]
        assert ("crash", 2) == (sinner.fault, sinner.decisions)


def test_what_a_bot_logs_stands_below_the_step_in_which_it_logged_it():
    with stage(bot("logs_each_step"), good()) as play:
        faults = [fault for block in play.record(0, 1) for fault in block.faults]
    assert [("crash", 4)] * 2 == [(fault.kind, fault.exit_status) for fault in faults]
    for fault in faults:
        said = fault.stderr.splitlines()
        if "that was a match" in said:  # may be read, and logged, when the next match has begun
            said.remove("that was a match")
        steps = [line.removeprefix("--- ") for line in said[::2]]
        assert 3 == len(steps)
        assert [f"match 2, {step}" for step in steps] == said[1::2]
        assert f"step {fault.step}" == steps[-1]


def test_what_a_bot_logs_at_its_start_is_shown_with_its_first_match():
    (block,) = play_blocks(bot("logs_each_step", config={"matches": 1}), good())
    for fault in block.faults:
        assert ["loaded", "--- step"] == [fault.stderr.split("\n")[0], fault.stderr.split("\n")[1][:8]]
        assert "match 1, step" in fault.stderr


# --- faults in simultaneous steps


@pytest.mark.parametrize("cores", [1, 64])
def test_in_a_simultaneous_step_all_are_heard_before_a_fault_takes_effect(cores):
    (block,) = play_blocks(bot("answers_the_first_twice"), good(), cores=cores)
    for match in block.matches:
        assert [1, 1] == [seat.decisions for seat in match.seats]
        assert 0 == match.seats[seat_of(match, "answers_the_first_twice")].fault_step
        assert "[]" == match.moves


@pytest.mark.parametrize("cores", [1, 64])
@pytest.mark.parametrize(
    ("bots", "step", "kinds"),
    [
        ((bot("answers_the_first_twice"), bot("ready_then_exits")), 0, ["crash", "protocol"]),
        ((bot("deaf", "a"), bot("deaf", "b")), 0, ["timeout", "timeout"]),
        ((bot("missing"), bot("exits_at_start")), -1, ["start", "start"]),
    ],
    ids=["sins", "time", "starts"],
)
def test_faults_in_the_same_step_tie(bots, step, kinds, cores):
    (block,) = play_blocks(*bots, cores=cores, limits=HASTY)
    for match in block.matches:
        assert [1, 1] == ranks(match)
        assert [step, step] == [seat.fault_step for seat in match.seats]
        assert kinds == sorted(str(seat.fault) for seat in match.seats)
    assert 4 == len(block.faults)


# --- faults at larger tables


@toy
@pytest.mark.parametrize(
    "program", ["exits_0", "plays_what_is_not_offered", "talks_on_stdout", "answers_twice", "missing"]
)
def test_with_more_seats_the_referee_plays_on_for_who_has_faulted_and_the_others_hear_all(program, tmp_path):
    others = [good(name, config={"record": str(tmp_path)}) for name in "bcd"]
    (block,) = play_blocks(bot(program), *others, game="toy")
    told = heard(tmp_path)
    assert 4 == len(block.matches) == len(block.faults)
    for match, fault in zip(block.matches, block.faults, strict=True):
        mine = seat_of(match, program)
        assert (4, fault.step) == (match.seats[mine].rank, match.seats[mine].fault_step)
        assert (program == "missing") == (fault.step == -1)
        outcome = Toy().outcome(replay_match(match)[-1].state)
        assert list(outcome.scores) == [seat.score for seat in match.seats]
        left = [i for i in range(4) if i != mine]
        for i in left:
            assert 1 + sum(outcome.ranks[j] < outcome.ranks[i] for j in left) == match.seats[i].rank
            other = told[match.seats[i].name]
            assert (seen_by(match, i), list(outcome.scores)) == (other.events, other.end["scores"])
        for number, moves in enumerate(moves_of(match)):
            for seat, _, *by in moves:
                assert (["referee"] if seat == mine and number >= fault.step else []) == by
        assert 12 == len(moves_of(match))


@toy
def test_the_referees_moves_are_random_and_the_same_again():
    bots = bot("answers_the_first_twice"), good("b"), good("c")
    matches = play_matches(*bots, game="toy", numbers=(0, 1))
    again = play_matches(*bots, game="toy", cores=1, numbers=(0, 1))
    assert facts(matches) == facts(again)
    seen = set()
    for match in matches:
        steps = replay_match(match)
        for number, moves in enumerate(moves_of(match)):
            for seat, move, *by in moves:
                if by:
                    choice = Toy().choices(steps[number].state)[seat]
                    drawn = choice.sample(KEYS.substitute(match.number, seat, number))
                    assert drawn == (tuple(move) if isinstance(move, list) else move)
                    seen.add(str(move))
    assert {"bid 1", "bid 2", "bid 3", "take 1", "take 2", "take 3"} <= seen


EARLY, LATE = bot("answers_the_first_twice", "early"), bot("exits_0", "late")
EARLY_TOO = bot("ready_then_exits", "too")


@toy
@pytest.mark.parametrize(
    ("bots", "expected"),
    [
        ((EARLY, good("b"), LATE, bot("missing"), good("e")), {"late": 3, "early": 4, "missing": 5}),
        ((good("b"), EARLY, EARLY_TOO, good("c")), {"early": 3, "too": 3}),
        ((EARLY, good("b"), LATE), {"b": 1, "late": 2, "early": 3}),
    ],
    ids=["a later fault is better", "faults in the same step tie", "one alone ends the match"],
)
def test_who_faults_ranks_below_the_others_who_play_on_while_there_are_two(bots, expected):
    for match in play_matches(*bots, game="toy"):
        found = {seat.bot: seat.rank for seat in match.seats}
        assert expected == {name: found[name] for name in expected}
        is_whole = len(bots) > 3
        assert {is_whole} == {seat.score is not None for seat in match.seats}
        if not is_whole:
            assert match.seats[seat_of(match, "late")].fault_step == len(moves_of(match)) < 10


@toy
@pytest.mark.parametrize(
    "programs",
    [
        ["answers_the_first_twice", "ready_then_exits", "manners", "manners"],
        ["exits_0", "plays_what_is_not_offered", "manners", "manners"],
        ["raises", "answers_twice", "manners"],
        ["speaks_unasked", "says_a_key_twice", "answers_with_a_number", "manners"],
    ],
)
def test_the_order_of_asking_changes_nothing(programs):
    bots = [bot(program, f"{program}-{i}") for i, program in enumerate(programs)]
    results = []
    for cores in (1, 64):
        blocks = play_blocks(*bots, game="toy", cores=cores)
        stripped = [[f.number, f.seat, f.kind, f.step, f.charged] for b in blocks for f in b.faults]
        results.append(([facts(block.matches) for block in blocks], sorted(stripped)))
    assert results[0] == results[1]


# --- what a seat could learn from the time of its requests


def notes(seat, steps):
    """Return what *seat* noted in *steps*."""
    texts = {note.step: note.text for note in seat.notes}
    return [int(texts[step]) for step in steps]


def bids(match):
    """Return the steps in which all seats bid at once, but for the first, before which bots start."""
    steps = enumerate(moves_of(match))
    return [n for n, moves in steps if len(moves) == len(match.seats) and "bid" in str(moves[0][1])][1:]


@toy
@pytest.mark.parametrize(("cores", "most"), [(1, 0.75), (3, 0.5)])
def test_a_seat_that_times_its_requests_learns_little_of_how_long_the_others_thought(cores, most):
    """A later seat would know each coin if they were asked one after another in the order of the seats.

    In an order that it does not know it is right in three of four: it was asked later in half of them.
    """
    ms = 60
    bots = bot("thinks_by_a_coin", config={"ms": ms}), bot("times_its_requests"), good("c")
    with stage(*bots, game="toy", options={"rounds": 3}, cores=cores) as play:
        matches = [match for number in range(24) for match in play.matches(number)]
    right = guesses = 0
    for match in matches:
        thinker, timer = (seat_of(match, sitting.bot) for sitting in bots[:2])
        if thinker < timer:
            steps = bids(match)
            coins, gaps = notes(match.seats[thinker], steps), notes(match.seats[timer], steps)
            right += sum(coin == (gap >= ms) for coin, gap in zip(coins, gaps, strict=True))
            guesses += len(steps)
    assert 96 == guesses
    assert right / guesses <= most + 3 * (most * (1 - most) / guesses) ** 0.5


@toy
@pytest.mark.parametrize("cores", [1, 2])
def test_with_fewer_cores_than_seats_they_are_asked_in_an_order_drawn_for_each_step(cores):
    """By when each has heard its request: the next one hears its own when the one before has answered."""
    bots = [bot("tells_the_time", name) for name in "abc"]
    matches = play_matches(*bots, game="toy", cores=cores, numbers=(0, 1, 2))
    drawn = set()
    for match in matches:
        for step, moves in enumerate(moves_of(match)):
            if len(moves) == 3:
                heard = [notes(seat, [step])[0] for seat in match.seats]
                order = sorted(range(3), key=heard.__getitem__)
                assert KEYS.order(match.number, step, 3) == order
                drawn.add(tuple(order))
    assert len(drawn) > 2


@toy
def test_bots_that_wait_instead_of_computing_are_asked_at_once_on_any_number_of_cores(monkeypatch):
    asked = [0]  # up to each wait
    send, poll = ScriptedBot.send, ScriptedPoll.poll

    def counting(bot, data):
        asked[-1] += data.count(b'"type":"act"')
        return send(bot, data)

    def waiting_for(waiter, timeout):
        asked.append(0)
        return poll(waiter, timeout)

    monkeypatch.setattr(ScriptedBot, "send", counting)
    monkeypatch.setattr(ScriptedPoll, "poll", waiting_for)
    play_matches(*[bot("thinks", name, config={"ms": 200}) for name in "abc"], game="toy", cores=1)
    assert {1, 3} <= set(asked)
