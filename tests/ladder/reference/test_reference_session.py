"""A bot is measured from end to end: the same digits however it is played, and what is refused."""

import json
from contextlib import nullcontext
from pathlib import Path

import pytest
from support import ladders
from support.here import HERE, ask_here
from support.small_set import make_small_set

from engines.games import GAMES
from engines.stella_quest.greedy import POLICIES, STYLES, greedy
from ladder.admission.submit import keep_for_duel
from ladder.contest.keys import Keys
from ladder.errors import LadderError, NotFound, UsageProblem
from ladder.reference import reference_set, set_match
from ladder.reference.reference_request import ReferenceRequest, draw_deals
from ladder.reference.reference_session import play_reference
from ladder.reference.reference_set import RELEASED, digest_of, load_set
from ladder.run import stored_run
from ladder.run.playing import Means
from ladder.run.run_events import OperatorNote, Planned, Progress
from ladder.run.session import Admission
from results.storage.unrated import unrated_store, unrated_stores

UNSTEADY = """\
import os, random
from protocol.client import serve

serve(lambda act: random.Random(os.urandom(8)).choice(act.choice.options))
"""


@pytest.fixture
def home(tmp_path):
    return ladders.a_home(tmp_path / "home", {"first": {"style": "first"}, "mixed": {"parallel": 4}})


@pytest.fixture
def small(tmp_path, monkeypatch):
    """Return a set whose bots all play alike, as scripts."""
    ask_here(monkeypatch)
    return make_small_set(tmp_path / "r1", program=ladders.PLAYER)


@pytest.fixture
def real(tmp_path):
    """Return a set of bots that differ."""
    return make_small_set(tmp_path / "r1")


def measure(home, small, bot="mixed", *, workers=False, **asked):
    heard = asked.pop("heard", lambda event: None)
    request = ReferenceRequest(bot=bot, **({"game": ["stellar"]} | asked))
    means = Means() if workers else HERE
    admission = Admission(lambda *_: None, lambda *_: None)
    return [*play_reference(nullcontext(home), request, small, means, admission, keep_for_duel, heard)]


@pytest.mark.process
def test_a_bot_that_plays_the_first_option_is_rated_below_greedy(home, real):
    (found,) = measure(home, real, "first", workers=True)
    assert ("R1", "stellar/2", "first", 16, 0, 0) == (
        *(found.set, found.key, found.bot),
        *(found.matches, found.faults, found.voids),
    )
    assert found.score
    assert found.score.rating < 25.0
    assert found.line == f"R1 stellar/2: {found.rating_text}"
    assert [4, 4, 4, 4] == [row.met for row in found.rows]
    assert sorted((row.rating for row in found.rows), reverse=True) == [row.rating for row in found.rows]
    assert found.repeats
    json.dumps(found.to_json())


@pytest.mark.process
def test_the_digits_are_the_same_for_any_number_of_workers(home, small):
    assert 1 == len({measure(home, small, workers=jobs > 0, jobs=jobs or None)[0].line for jobs in (0, 2)})


def test_the_matches_do_not_count_and_can_be_looked_at(home, small):
    (found,) = measure(home, small)
    store = unrated_store(home.results, found.run)
    assert 16 == store.contents().matches(["number"]).num_rows
    assert not (home.results / "matches").exists()
    assert ["first", "mixed"] == sorted(version.bot for version in home.roster.versions())


def test_the_set_plays_in_a_copy_that_is_gone_afterwards(home, small):
    """A sandbox hides the folders around that of a bot, and Python itself may lie around the set."""
    copies: set[Path] = set()
    measure(home, small, heard=lambda _: copies.update(home.path.glob(".reference-*/set/bot.py")))
    assert 1 == len(copies)
    assert [] == [*home.path.glob(".reference-*")]


def test_a_table_of_three_is_measured_and_all_of_the_set_is_met(home, small):
    heard: list[object] = []
    (found,) = measure(home, small, game=["stella-quest"], seats=[3], full=True, heard=heard.append)
    assert (30, 60) == (found.matches, sum(row.met for row in found.rows))
    assert {"uniform", "half", "greedy", "careful", "bold"} == {row.bot for row in found.rows}
    assert found.line.startswith("R1 stella-quest/3 (full): ")
    said = " ".join(event.text for event in heard if isinstance(event, OperatorNote))
    assert "stella-quest/3: the bots of R1 will compute for about 1 min" in said


def test_a_game_without_a_scale_is_measured_by_what_is_beaten(home, small):
    (found,) = measure(home, small, game=["stella"])
    beaten = [row.beaten for row in found.rows]
    assert found.beaten.share == pytest.approx(sum(beaten) / 4)
    assert found.line == (
        f"R1 stella/3: no one scale; beats {sum(each > 0.5 for each in beaten)} of 4,"
        f" {found.beaten.text} of all seats"
    )


@pytest.mark.process
def test_a_bot_that_answers_otherwise_is_marked(home, real, tmp_path):
    program = tmp_path / "unsteady.py"
    program.write_text(UNSTEADY)
    (found,) = measure(home, real, str(program), workers=True)
    assert found.repeats is False
    assert found.line.endswith("; this bot answered otherwise when asked again")


def test_secret_deals_mark_the_line(home, small, tmp_path):
    mark = draw_deals(tmp_path / "final")
    (secret,), (public,) = measure(home, small, deals=tmp_path / "final"), measure(home, small)
    assert secret.line.startswith(f"R1 stellar/2 (deals {mark}): ")
    (again,) = measure(home, small, deals=tmp_path / "final")
    assert secret.line == again.line
    assert secret.new is None, "nobody knows these deals"
    digests = [
        {match["deal_digest"] for match in unrated_store(home.results, name).contents().matches().to_pylist()}
        for name in (secret.run, public.run, again.run)
    ]
    assert digests[0] == digests[2]
    assert not digests[0] & digests[1]


def test_deals_that_others_can_read_are_refused(home, small, tmp_path):
    draw_deals(tmp_path / "final")
    (tmp_path / "final").chmod(0o644)
    with pytest.raises(UsageProblem, match="are not secret") as refused:
        measure(home, small, deals=tmp_path / "final")
    assert refused.value.hint.startswith("chmod 600 ")
    with pytest.raises(UsageProblem, match="is there already"):
        draw_deals(tmp_path / "final")
    assert {} == unrated_stores(home.results)


def test_limits_of_the_home_mark_the_line(small, tmp_path):
    settings = ladders.STELLAR + "[limits]\nmove_ms = 5000\n"
    home = ladders.a_home(tmp_path / "home", {"mixed": {}}, settings)
    (found,) = measure(home, small)
    assert found.line.startswith("R1 stellar/2 (move_ms=5000): ")


def test_a_bot_that_fails_in_most_matches_ends_the_measurement(small, tmp_path):
    home = ladders.a_home(tmp_path / "home", {"cheat": {"sin": "cheat"}})
    with pytest.raises(
        LadderError, match=r"faults in the first \d+ matches, most often \w+, and most of cheat"
    ) as stopped:
        measure(home, small, "cheat")
    assert "ladder faults --in d1, which shows them; then correct the bot" == stopped.value.hint


def test_a_set_with_few_recorded_deals_marks_the_line(home, small):
    file = small.folder / "results.json"
    results = json.loads(file.read_text())
    results["stellar/2"]["deals"] = 16
    file.write_text(json.dumps(results))
    small.folder.with_name(RELEASED).write_text(digest_of(small.folder))
    (found,) = measure(home, load_set(small.folder), "first")
    assert found.line.startswith("R1 stellar/2 (provisional): ")


def test_a_fault_now_and_then_is_a_loss(small, tmp_path):
    home = ladders.a_home(tmp_path / "home", {"cheat": {"sin": "cheat", "one_in": 5}})
    (found,) = measure(home, small, "cheat")
    assert 0 < found.faults < 16 == found.matches


def test_a_measurement_that_was_stopped_goes_on(home, small):
    class Stopped(Exception):
        pass

    names = []

    def hear(event):
        if isinstance(event, Planned):
            names.append(event.name)
        if isinstance(event, Progress) and event.status.done >= 4 and names == ["d1"]:
            raise Stopped

    with pytest.raises(Stopped):
        measure(home, small, heard=hear)
    (found,) = measure(home, small, heard=hear)
    assert (["d1", "d1", "d2"], 16) == (names, found.matches)
    (anew,) = measure(home, small)
    assert ("d3", found.line) == (anew.run, anew.line)


def test_a_measurement_that_was_stopped_on_its_new_deals_goes_on_there(home, small):
    names = []

    def stop(event):
        if isinstance(event, Planned) and event.name == "d2":
            raise RuntimeError("stopped")

    with pytest.raises(RuntimeError):
        measure(home, small, heard=stop)
    (found,) = measure(
        home, small, heard=lambda event: names.append(event.name) if isinstance(event, Planned) else None
    )
    assert (["d2"], "d1", "d2") == (names, found.run, found.new.run)
    assert (16, 2) == (found.matches, found.new.matches)


def test_new_deals_are_others_each_time_and_in_no_digit_of_the_line(home, small):
    one, other = (measure(home, small)[0] for _ in range(2))
    assert one.line == other.line
    digests = [
        {match["deal_digest"] for match in unrated_store(home.results, name).contents().matches().to_pylist()}
        for name in (one.run, other.run, one.new.run, other.new.run)
    ]
    assert digests[0] == digests[1]
    assert 8 + 1 + 1 == len(set().union(*digests))


def test_what_cannot_be_measured_is_refused(home, small, tmp_path):
    (tmp_path / "quiet.toml").write_text(
        'name = "quiet"\nrun = ["{python}", "-S", "player.py"]\ngames = ["stella"]\n'
    )
    program = str(tmp_path / "quiet.toml")
    with pytest.raises(UsageProblem, match="does not play stellar: it plays stella"):
        measure(home, small, program)
    with pytest.raises(UsageProblem, match="stellar is for 2 seats, but --seats asks for 5"):
        measure(home, small, seats=[5])
    with pytest.raises(UsageProblem, match=r"there is no game 'stelar' \(did you mean 'stellar'"):
        measure(home, small, game=["stelar"])
    with pytest.raises(UsageProblem, match="there is no game that quiet plays at tables of 2"):
        measure(home, small, program, game=[], seats=[2])
    sized = tmp_path / "sized.toml"
    sized.write_text('name = "sized"\nrun = ["{python}", "-S", "player.py"]\nseats = { stella = [4, 5] }\n')
    with pytest.raises(UsageProblem, match=r"sized@\w+ plays stella at tables of 4, 5, not of 3"):
        measure(home, small, str(sized), game=["stella"], seats=[3])
    with pytest.raises(NotFound, match="nobody"):
        measure(home, small, "nobody")
    missing = tmp_path / "missing.toml"
    missing.write_text('name = "missing"\nrun = ["no-such-language", "player.py"]\n')
    with pytest.raises(LadderError, match="no-such-language"):
        measure(home, small, str(missing))
    assert {} == unrated_stores(home.results)


def test_a_game_without_a_set_is_refused(home, small, monkeypatch):
    monkeypatch.setitem(GAMES._games, "river-race", GAMES["stellar"])
    with pytest.raises(NotFound, match="R1 has no bots for river-race") as refused:
        measure(home, small, game=["river-race"])
    assert "ladder duel NEW OLD --game river-race" in refused.value.hint


CARRIES = """\
from protocol.client import serve
from engines import GAMES, decide, find_policy

STELLAR, KNOWN = GAMES["stellar"], set({known})
POLICY = find_policy(STELLAR, "greedy-1")


def act(act):
    if act.seed in KNOWN:
        return decide(STELLAR, POLICY, act.view, act.rng)
    return act.rng.choice(act.choice.options)


serve(act)
"""


@pytest.mark.process
def test_a_bot_that_knows_the_public_deals_is_marked(home, tmp_path, monkeypatch):
    """It knows them by the seeds that come with them, and plays at random elsewhere."""
    monkeypatch.setattr(reference_set, "NEW_DEALS", 2)
    monkeypatch.setattr(stored_run, "draw_secret", lambda: b"drawn for a test")
    found_set = make_small_set(tmp_path / "r1", blocks=40)
    keys = Keys(found_set.contest("stellar", 2).secret(None))
    program = tmp_path / "carries.py"
    program.write_text(
        CARRIES.format(known=[keys.bot(match, seat) for match in range(80) for seat in range(2)])
    )
    (found,) = measure(home, found_set, str(program), workers=True, jobs=1)
    assert (80, 0, 40) == (found.matches, found.faults, found.new.matches)
    assert found.worse
    assert f"; does worse on new deals: {found.new.score.rating:.1f} +- " in found.line


def test_a_changed_policy_is_marked_with_the_bots_that_play_by_it(home, small, monkeypatch):
    changed = greedy(STYLES["greedy"]._replace(star=0.0))
    monkeypatch.setitem(POLICIES, "greedy-1", changed)
    set_match._player_of.cache_clear()
    (found,) = measure(home, small, game=["stella-quest"])
    set_match._player_of.cache_clear()
    assert ("half", "greedy") == found.otherwise.bots
    assert f"R1 stella-quest/2 (half, greedy play otherwise: {found.otherwise.mark}): " in found.line
    assert 8 == len(found.otherwise.mark)


def test_a_policy_that_raises_decides_otherwise(small, monkeypatch):
    def fail(*_):
        raise ZeroDivisionError

    monkeypatch.setitem(POLICIES, "careful-1", fail)
    set_match._player_of.cache_clear()
    found = set_match.find_otherwise(small.contest("stella-quest", 3), small.folder, full=True)
    set_match._player_of.cache_clear()
    assert ("careful",) == found.bots


@pytest.mark.parametrize("error", [MemoryError, RuntimeError("can't start new thread")])
def test_what_the_machine_cannot_do_marks_no_bot(small, monkeypatch, error):
    def fail(*_):
        raise error

    monkeypatch.setitem(POLICIES, "careful-1", fail)
    set_match._player_of.cache_clear()
    with pytest.raises((MemoryError, RuntimeError)):
        set_match.find_otherwise(small.contest("stella-quest", 3), small.folder, full=True)
    set_match._player_of.cache_clear()


@pytest.mark.process
def test_a_bot_of_the_set_can_be_measured_itself(home, real):
    (found,) = measure(home, real, str(real.folder / "r1-greedy.toml"), workers=True)
    assert found.score
    assert found.score.low < 25.0 < found.score.high
    assert "r1-greedy" == found.bot
