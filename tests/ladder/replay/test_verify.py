"""Verify: what is stored follows from itself, or is found; repair: every command works again."""

import dataclasses
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import msgspec
import pyarrow as pa
import pytest
from msgspec.structs import replace
from support import ladders
from support.command_line import check_refused, listing, run_here
from support.commands import process_group
from support.main_module import ladder_as_main
from support.places import ROOT
from support.records import a_match, a_run
from support.reviewed import a_review
from support.seating import has_ended

from engines import GAMES, deal_digest
from ladder.errors import LadderError
from ladder.home.archive import write_archive
from ladder.home.home import open_home
from ladder.home.restore import restore_home
from ladder.registry.bot_manifest import read_manifest
from ladder.replay import verify as verification
from ladder.replay.replay import narrate, record_of
from ladder.replay.replayer import Contradiction, Replayer
from ladder.replay.verify import SHOWN, Verification, check_bots, share_sample, verify
from ladder.run.setup import check_files, setup_of
from ladder.run.stored_run import leave_out
from ladder.sandbox.confinement import Confinement
from results.rating import cache
from results.record import Block, RunSettings, encode_block
from results.reports.digest import digest
from results.storage.store import Store

RATINGS = {"stella-quest": {"beta": 25 / 6, "draw_probability": 0.02}}
BOTS = {"good": {}, "last": {"style": "last"}, "cheat": {"sin": "cheat", "one_in": 3}}
THREE = '[run]\ngames = ["starry-sky"]\nseats = [3]\n[sandbox]\ntier = "none"\n'
"""At a table of three the others play on when one has faulted, and the referee moves for him."""


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """Return a home with a finished run, some of whose matches the referee has helped to an end."""
    home = ladders.a_home(tmp_path_factory.mktemp("verified") / "home", BOTS, THREE)
    ladders.play(home, matches=30, schedule="round-robin")
    return home


@pytest.fixture(scope="module")
def run(home):
    return Store(home.results).runs()[0]


@pytest.fixture(scope="module")
def blocks(home):
    return list(Store(home.results).contents().blocks(1))


@pytest.fixture
def helped(blocks):
    """Return a match in which the referee has moved, and which was played to its end."""
    return next(
        match
        for block in blocks
        for match in block.matches
        if "referee" in match.moves and match.seats[0].score
    )


def verified(home, *arguments):
    result = run_here("verify", "--home", home, "--format", "json", *arguments)
    return result.code, json.loads(result.out), result.err


@pytest.fixture
def copy(home, tmp_path):
    """Return a copy of the home that a test may change."""
    shutil.copytree(home.path, tmp_path / "home")
    return open_home(tmp_path / "home")


def flip(path):
    data = path.read_bytes()
    middle = len(data) // 2
    path.write_bytes(data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :])


# -- what is sound


def test_a_run_without_its_secret_is_replayed_and_what_could_not_be_checked_is_told(home, tmp_path, helped):
    file = tmp_path / "archive.tar.gz"
    write_archive(home, file, without_secrets=True)
    copy = restore_home(file, tmp_path / "copy").home
    code, found, _ = verified(copy.path)
    assert (0, True) == (code, found["sound"])
    assert {"what": "matches", "checked": 30, "wrong": 0} in found["checked"]
    assert {"1": 30} == found["without_secret"]
    assert "the deals of 30 matches" in run_here("home", "verify", "--home", copy.path).err
    store = Store(copy.results)
    assert digest(Store(home.results).contents()) == digest(store.contents())
    assert "its ranks are stored as" in Replayer(store.runs()[0]).wrong_with(with_seat(helped, 0, rank=3))


def test_what_was_played_is_sound_and_nothing_is_written(home):
    before = listing(home.path)
    code, found, err = verified(home.path)
    assert (0, True, [], {}, "") == (code, found["sound"], found["wrong"], found["without_secret"], err)
    for what, checked in (("matches", 30), ("ratings", 3), ("bots", 3)):
        assert {"what": what, "checked": checked, "wrong": 0} in found["checked"]
    assert before == listing(home.path)


def test_a_run_under_way_can_be_verified_and_its_ratings_so_far(home, run, blocks, tmp_path):
    store = Store(tmp_path / "results")
    with store.lock():
        store.begin(replace(run, finished=None, blocks=None))
        for number in (0, 1, 2, 3, 5):
            store.append(number, encode_block(blocks[number]))
            if number == 1:
                store.seal()
        cache.save(store)
        verdict = verify(store)
    assert verdict.sound
    assert (15, 3) == (verdict.matches, verdict.standings)


def test_void_attempts_are_counted_and_nothing_is_asked_of_them(run, blocks, tmp_path):
    first = blocks[0].matches[0]
    seats = [replace(seat, rank=None, score=None, fault=None, fault_step=None) for seat in first.seats]
    void = replace(first, void=True, moves="[]", deal_digest="", seats=seats)
    verdict = verify(stored(tmp_path, run, [void, replace(first, attempt=1), *blocks[0].matches[1:]]))
    assert (True, 3, 1) == (verdict.sound, verdict.matches, verdict.void)


def test_matches_of_other_rules_are_not_played_again_and_it_says_which_rules(run, blocks, tmp_path):
    home = ladders.a_home(tmp_path, {})
    one, other, third = blocks[0].matches
    stored(home.path, run, [replace(one, game="chess"), replace(other, game_version=99), third])
    result = run_here("verify", "--home", home.path)
    assert 0 == result.code, result.err
    why = "played under version 99 of the rules of starry-sky, this ladder has 2"
    gone = "played by the rules of chess, a game that this ladder does not have"
    for reason in (gone, why):
        assert f"not played again: 1 match {reason}\n" in result.err
    _, found, _ = verified(home.path)
    assert (True, {why: 1, gone: 1}) == (found["sound"], found["not_played_again"])
    assert {"what": "matches", "checked": 1, "wrong": 0} in found["checked"]


def golden_match(seats):
    """Return the golden record of Stella Quest, which is one of version 1, as a match that was stored."""
    golden = ROOT / f"engines/stella_quest/golden/{seats}.jsonl"
    head, *steps, end = map(json.loads, golden.read_text().splitlines())
    moves = [[[int(seat), move] for seat, move in step["moves"].items()] for step in steps]
    bots = ["alpha", "beta", "gamma", "delta"][:seats]
    match = a_match(0, bots, end["ranks"], game=head["game"], game_version=head["version"], options={})
    scored = [replace(seat, score=score) for seat, score in zip(match.seats, end["scores"], strict=True)]
    told = {"moves": json.dumps(moves), "deal": head["deal"], "deal_digest": deal_digest(head["deal"])}
    return replace(match, seats=scored, paired=False, **told)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_match_of_an_earlier_version_with_the_same_rules_is_played_again(seats, tmp_path):
    """The view of Stella Quest has changed since version 1, and nothing else."""
    match = golden_match(seats)
    assert GAMES["stella-quest"].version > match.game_version == 1
    run = a_run(settings=RunSettings(), ratings=RATINGS)
    store = stored(tmp_path, run, [match])
    verdict = verify(store)
    assert ([], {}, 1) == (verdict.wrong, verdict.other_rules, verdict.matches)
    lines = list(narrate(record_of(store.contents(), "1/0")))
    assert any(line.startswith("STELLA QUEST") for line in lines)
    worse = replace(match, seats=[replace(seat, score=99) for seat in match.seats])
    (tmp_path / "worse").mkdir()
    (wrong,) = verify(stored(tmp_path / "worse", run, [worse])).wrong
    assert "its scores are stored as" in wrong.what


# -- matches that contradict themselves


def stored(path, run, *blocks):
    """Return a store with *run*; its blocks are given as lists of matches."""
    store = Store(path / "results")
    with store.lock():
        store.begin(replace(run, finished=None, blocks=None))
        for number, matches in enumerate(blocks):
            store.append(number, encode_block(Block(number, matches, [])))
        store.finish(1, len(blocks))
    return store


def with_seat(match, seat, **fields):
    seats = list(match.seats)
    seats[seat] = replace(seats[seat], **fields)
    return replace(match, seats=seats)


def with_move(match, change):
    """Return *match* with its steps as *change* makes them."""
    steps = json.loads(match.moves)
    change(steps)
    return replace(match, moves=json.dumps(steps))


def by_referee(steps):
    return next((i, move) for i, step in enumerate(steps) for move in step if len(move) > 2)


def unmark(steps):
    by_referee(steps)[1].pop()


def mark(steps):
    steps[0][0].append("referee")


def move_otherwise(steps):
    """Let the referee make a move that is as legal: the one of the step before, if it is offered again."""
    _, move = by_referee(steps)
    move[1] = f"{move[1]}?"


CONTRADICTIONS = {
    "seed": (lambda match: replace(match, deal_seed="0" * 64), "does not follow from the secret"),
    "block": (lambda match: replace(match, block=7), "does not follow from the secret"),
    "digest": (lambda match: replace(match, deal_digest="0" * 64), r"not 0000"),
    "rank": (lambda match: with_seat(match, 0, rank=3), "its ranks are stored as 3, "),
    "score": (lambda match: with_seat(match, 0, score=-1), "its scores are stored as -1, "),
    "no score": (lambda match: with_seat(match, 0, score=None), "its scores are stored as none, "),
    "cut": (lambda match: with_move(match, lambda steps: steps.pop()), "its moves end in step .* must move"),
    "unmarked": (lambda match: with_move(match, unmark), "faulted in step"),
    "marked": (lambda match: with_move(match, mark), "step 0: seat . faulted in step"),
    "referee": (lambda match: with_move(match, move_otherwise), "the referee moved .* not '"),
}


@pytest.mark.parametrize("name", CONTRADICTIONS)
def test_a_match_that_contradicts_itself_is_found(run, helped, name):
    change, message = CONTRADICTIONS[name]
    Replayer(run).check(helped)
    with pytest.raises(Contradiction, match=message):
        Replayer(run).check(change(helped))


@pytest.mark.parametrize(
    "change",
    [
        lambda steps: steps[0][0].__setitem__(1, "fly"),
        lambda steps: steps.append(steps[0]),
        lambda steps: steps.pop(0),
        lambda steps: steps[0].clear(),
        lambda steps: steps[0][0].__setitem__(0, 9),
    ],
)
def test_moves_that_cannot_be_made_are_found(run, blocks, tmp_path, change):
    one, match, third = blocks[0].matches
    verdict = verify(stored(tmp_path, run, [one, with_move(match, change), third]))
    assert ["1/1"] == [finding.where for finding in verdict.wrong]
    assert not verdict.sound


def test_deals_and_decks_that_were_kept_are_held_against_their_digest(run, helped):
    from ladder.replay.replay import rebuild_deal

    kept = replace(helped, deal=rebuild_deal(helped))
    Replayer(run).check(kept)
    with pytest.raises(Contradiction, match="its deal has the digest"):
        Replayer(run).check(replace(kept, deal_digest="0" * 64))


def test_a_match_that_stands_twice_is_found(run, blocks, tmp_path):
    second = [replace(match, block=1) for match in blocks[0].matches]
    store = stored(tmp_path, run, blocks[0].matches, second)
    found = {(finding.where, finding.what) for finding in verify(store).wrong}
    assert ("1/0", "it stands after match 2") in found


def test_so_many_wrong_matches_are_told_and_the_others_counted(run, blocks, tmp_path, monkeypatch):
    assert SHOWN >= 10
    monkeypatch.setattr(verification, "SHOWN", 2)
    matches = [with_seat(match, 0, score=-1) for match in blocks[0].matches]
    home = ladders.a_home(tmp_path / "home", {})
    stored(home.path, run, matches)
    result = run_here("verify", "--home", home.path)
    assert 4 == result.code
    assert "its scores are stored as -1, " in result.out
    assert "and 1 more matches\nladder: 3 found wrong\n  next: ladder replay 1/0 --format json" in result.err


# -- several processes


@pytest.mark.process
def test_findings_are_the_same_with_any_number_of_processes(run, blocks, helped, tmp_path, monkeypatch):
    def changed(number, change):
        first, *others = blocks[number].matches
        return [change(first), *others]

    again = [replace(match, attempt=1) for match in blocks[3].matches]
    spoiled = [
        changed(0, lambda match: replace(match, deal_seed="0" * 64)),
        blocks[1].matches,
        changed(2, lambda match: with_move(match, lambda steps: steps[0].clear())),
        [replace(blocks[3].matches[0], void=True), *again],
        changed(4, lambda match: replace(match, game="chess")),
        [replace(match, number=match.number - 9) for match in blocks[5].matches],
        *(block.matches for block in blocks[6:9]),
        changed(9, lambda match: replace(match, moves="[")),
    ]
    store = stored(tmp_path, run, *spoiled)
    monkeypatch.setattr(verification, "PROCESS_MATCHES", 1)
    monkeypatch.setattr(verification, "CHUNK_MATCHES", 4)
    with ladder_as_main():
        verdicts = [verify(store, jobs=jobs) for jobs in (1, 3)]
    assert verdicts[0] == verdicts[1]
    wrong = [finding.where for finding in verdicts[0].wrong]
    assert ["1/0", "1/6", "1/6", "1/7", "1/27"] == wrong
    assert (30, 1, 1) == (verdicts[0].matches, verdicts[0].void, verdicts[0].other_rules.total())


@pytest.fixture(scope="module")
def long(run, blocks, tmp_path_factory):
    """Return a home that takes some seconds: its matches come again and again, under no secret."""
    home = ladders.a_home(tmp_path_factory.mktemp("long") / "home", {})
    again = (
        [
            replace(match, block=number, number=3 * number + rotation)
            for rotation, match in enumerate(blocks[number % len(blocks)].matches)
        ]
        for number in range(1000)
    )
    stored(home.path, replace(run, secret=""), *again)
    return home


@pytest.mark.process
@pytest.mark.parametrize(
    ("kill", "number", "code", "message"),
    [
        (os.killpg, signal.SIGINT, 130, "ladder: stopped\n  next: run the same command again\n"),
        (os.kill, signal.SIGKILL, -9, None),  # who is just being started may complain
    ],
)
def test_all_processes_end_whichever_is_stopped(long, kill, number, code, message):
    command = [sys.executable, "-m", "ladder", "verify", "--jobs", "2", "--home", str(long.path)]
    with process_group(command, stderr=subprocess.PIPE, text=True) as parent:
        while len(children := ladders.workers(parent.pid)) < 2:
            assert parent.poll() is None
            time.sleep(0.01)
        kill(parent.pid, number)
        _, err = parent.communicate(timeout=300)
    assert (code, message) == (parent.returncode, err if message else None)
    assert all(map(has_ended, children))


# -- a sample


def test_a_sample_is_drawn_anew_each_time_and_all_else_is_checked_in_whole(home, monkeypatch):
    replayed = []
    wrong_with = Replayer.wrong_with
    monkeypatch.setattr(
        Replayer,
        "wrong_with",
        lambda self, match: (replayed.append(match.number), wrong_with(self, match))[1],
    )
    for _ in range(40):
        code, found, _ = verified(home.path, "--sample", "10", "-j", "1")
        assert (0, True, 20) == (code, found["sound"], found["not_drawn"])
        for what, checked in (("matches", 10), ("ratings", 3), ("bots", 3)):
            assert {"what": what, "checked": checked, "wrong": 0} in found["checked"]
    assert 10 * 40 == len(replayed)
    assert [10] * 40 == [len({*replayed[start : start + 10]}) for start in range(0, 400, 10)]
    assert {*range(30)} == {*replayed}  # one is missed in 40 draws with a chance of 3 in a million
    told = "replayed 10 of 30 matches, chosen at random: at most 30 % of all can be wrong (95 %)\n"
    assert told in run_here("home", "verify", "--sample", "10", "--home", home.path).err


def test_a_sample_of_all_finds_the_match_that_is_wrong_and_a_small_one_what_else_is(run, blocks, tmp_path):
    first, *others = blocks[0].matches
    spoiled = [with_seat(first, 0, score=-1), *others], *(block.matches for block in blocks[1:10])
    home = ladders.a_home(tmp_path / "home", {})
    store = stored(home.path, run, *spoiled)
    for most in ("30", "31", "1e6"):
        code, found, _ = verified(home.path, "--sample", most)
        assert (4, ["1/0"], 0) == (code, [each["where"] for each in found["wrong"]], found["not_drawn"])
    assert "at random" not in run_here("home", "verify", "--sample", "30", "--home", home.path).err
    verdict = verify(store, sample=29)
    assert (29, 30, verdict.sound) == (verdict.replayed, verdict.matches, not verdict.wrong)
    with store.lock():
        cache.save(store)
        flip(store.folder.segment(store.contents().segments()[0])[0][0])
    code, found, _ = verified(home.path, "--sample", "1")
    assert (4, ["matches/000001.parquet"]) == (code, [each["where"] for each in found["wrong"]])


def test_a_sample_promises_nothing_where_it_is_tiny_or_finds_a_wrong_match(run, blocks, tmp_path):
    home = ladders.a_home(tmp_path / "home", {})
    stored(home.path, run, [with_seat(match, 0, score=-1) for match in blocks[0].matches])
    told = run_here("home", "verify", "--sample", "2", "--home", home.path)
    assert (4, True) == (told.code, "replayed 2 of 3 matches, chosen at random\n" in told.err)
    check_refused(run_here("home", "verify", "--sample", "0", "--home", home.path), 2, "at least 1, got: '0'")


def test_a_sample_is_one_of_all_stores_of_a_home_and_leaves_void_attempts_out(run, blocks, tmp_path):
    first, *others = blocks[0].matches
    seats = [replace(seat, rank=None, score=None, fault=None, fault_step=None) for seat in first.seats]
    void = replace(first, void=True, moves="[]", deal_digest="", seats=seats)
    one = stored(tmp_path, run, [void, replace(first, attempt=1), *others], blocks[1].matches)
    (tmp_path / "other").mkdir()
    other = stored(tmp_path / "other", run, *(block.matches for block in blocks[:4]))
    shares = [share_sample(5, [one, other]) for _ in range(200)]
    assert {5} == {sum(each) for each in shares}
    assert 200 * 5 * 7 / 19 == pytest.approx(sum(first for first, _ in shares), rel=0.25)
    assert [None, None] == share_sample(19, [one, other]) == share_sample(None, [one, other])
    verdict = verify(one, sample=4)
    assert (4, 6, 1) == (verdict.replayed, verdict.matches, verdict.void)
    for manifest in other.folder.manifests.glob("*.json"):
        flip(manifest)
    assert [5, None] == share_sample(5, [one, Store(other.folder.root)])


# -- ratings


def test_ratings_that_do_not_follow_from_the_matches_are_found_and_folded_again(copy):
    store = Store(copy.results)
    good = store.folder.ratings.read_bytes()
    with store.lock():
        table, made_from = store.ratings()
        rows = table.to_pylist()
        next(row for row in rows if row["bot"] == "good")["mu"] += 1e-12
        store.save_ratings(pa.Table.from_pylist(rows, table.schema), made_from)
    code, found, _ = verified(copy.path)
    assert 4 == code
    assert [("ratings.parquet", True)] == [
        (f["where"], "starry-sky: mu is " in f["what"]) for f in found["wrong"]
    ]
    code, found, _ = verified(copy.path, "--repair")
    assert (0, True) == (code, found["sound"])
    assert [str(copy.results / "damaged/ratings.parquet")] == found["moved"]
    assert good == store.folder.ratings.read_bytes()


@pytest.mark.parametrize(
    ("name", "falsify"),
    [
        ("ratings", lambda cached: {"games": {}}),
        (
            "counts",
            lambda cached: {"segments": dict.fromkeys(cached["segments"], msgspec.msgpack.encode([]))},
        ),
    ],
)
def test_a_cache_that_does_not_follow_from_the_matches_is_found_and_made_again(copy, name, falsify):
    store = Store(copy.results)
    with store.lock():
        cache.save(store)
        good = store.folder.cache(name).read_bytes()
        cached = store.contents().read_cached(name, dict)
        store.save_cached(name, {**cached, **falsify(cached)})
    code, verdict, _ = verified(copy.path)
    wrong = [{"where": f"{name}.cache", "what": "it does not follow from the matches"}]
    assert (4, wrong) == (code, [{key: f[key] for key in ("where", "what")} for f in verdict["wrong"]])
    assert 0 == verified(copy.path, "--repair")[0]
    assert good == store.folder.cache(name).read_bytes()


def test_ratings_by_another_method_are_not_compared(copy):
    store = Store(copy.results)
    with store.lock():
        table, origin = store.ratings()
        store.save_ratings(table.slice(1), origin | {"method": "elo"})
    code, found, _ = verified(copy.path)
    assert 0 == code
    assert {"what": "ratings", "checked": 0, "wrong": 0} in found["checked"]


# -- damage, from the command line


@pytest.mark.parametrize(
    "name",
    [
        "format.json",
        "manifest/000001.json",
        "matches/000001.parquet",
        "faults/000001.parquet",
        "runs.parquet",
    ],
)
@pytest.mark.slow
def test_after_a_repair_every_command_works_again(copy, name):
    (copy.results / name).write_bytes(b"x" + (copy.results / name).read_bytes()[1:-1] + b"?")
    code, found, err = verified(copy.path)
    assert (4, [name]) == (code, [finding["where"] for finding in found["wrong"]])
    assert "ladder home verify --repair" in err
    code, found, err = verified(copy.path, "--repair")
    assert (0, [name]) == (code, [finding["where"] for finding in found["mended"]])
    assert all((copy.results / "damaged").samefile(path.rpartition("/")[0]) for path in found["moved"])
    assert 0 == verified(copy.path)[0]
    at = ("--home", copy.path)
    for command in ("leaderboard", "matches", "faults", "matrix", "rate", "digest"):
        assert 0 == run_here(command, *at).code
    if name != "matches/000001.parquet":
        assert 0 == run_here("replay", "last", *at).code
    if name == "runs.parquet":  # which takes most with it
        assert 0 == ladders.run_command(copy.path, "--games", "3").returncode
        assert 0 == verified(copy.path)[0]


def test_a_damaged_file_whose_ratings_are_cached_is_named_by_who_reads_it_and_what_was_lost_by_a_repair(copy):
    flip(copy.results / "matches/000001.parquet")
    check_refused(run_here("matches", "--home", copy.path), 4, "ladder home verify --repair")
    result = run_here("verify", "--repair", "--home", copy.path)
    assert 0 == result.code
    assert "run 1: blocks 0 to 9, matches 0 to 29" in result.out
    assert "finished runs stay finished, rated by what is left" in result.err


def test_reviews_are_counted_and_damaged_ones_and_strays_go_with_a_repair(copy):
    store = Store(copy.results)
    store.reviews.add([*a_review(0), *a_review(1), *a_review(999)])
    found = verify(store)
    assert (True, 3, 1) == (found.sound, found.reviews, found.stray_reviews)
    shown = run_here("home", "verify", "--home", copy.path)
    assert 0 == shown.code
    assert re.search(r"reviews +3 +0\n", shown.out)
    assert "reviews of matches that are not here, which are not shown: 1" in shown.err
    store.reviews.add(a_review(2))
    path = store.reviews.files()[1]
    path.write_bytes(path.read_bytes()[:-9])
    found = verify(store)
    assert [("reviews/000002.parquet", 0)] == [(damage.where, found.reviews) for damage in found.damaged]
    mended = run_here("home", "verify", "--repair", "--home", copy.path)
    assert 0 == mended.code
    assert "its reviews can be made again: ladder review" in mended.out
    assert "lost" not in mended.out + mended.err
    assert {0, 1} == {key.number for key in store.reviews.matches()}
    assert 0 == verify(store).stray_reviews


# -- bots


def test_a_bot_that_was_changed_in_the_home_is_found_and_named(copy):
    version = copy.roster.find("good")
    (Path(version.folder) / "player.py").write_text("evil()")
    for arguments in ((), ("--repair",)):
        code, found, err = verified(copy.path, *arguments)
        assert (4, False) == (code, found["sound"])
        assert {"what": "bots", "checked": 3, "wrong": 1} in found["checked"]
        (wrong,) = found["wrong"]
        assert (f"bots/good/{version.version}", "player.py has changed") == (wrong["where"], wrong["what"])
        told = json.loads(err.splitlines()[-1])
        restore = "submit these bots again, or restore their folders from a backup"
        assert ("1 found wrong", restore) == (told["error"], told["next"])


def verify_bots(home, *, may_write=False):
    """Return what is found in the files of the bots of *home*."""
    found = Verification()
    check_bots(found, home.roster, lambda: may_write)
    return found


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda folder: (folder / "version.json").write_text("{"), "version.json cannot be read"),
        (lambda folder: (folder / "version.json").unlink(), "version.json cannot be read"),
        (lambda folder: folder.rename(folder.with_name("0123456789ab")), "its version.json is that of good@"),
        (lambda folder: shutil.rmtree(folder / "files"), "its files are gone"),
    ],
)
def test_a_version_that_is_not_whole_is_found(copy, change, what):
    change(Path(copy.roster.find("good").folder).parent)
    verdict = verify_bots(copy)
    (found,) = verdict.changed
    assert what in found.what
    assert (3, False) == (verdict.bots, verdict.sound)


def test_files_that_a_bot_may_have_written_itself_are_wrong_only_where_it_could_not(copy):
    (Path(copy.roster.find("good").folder) / "log.txt").write_text("")
    assert verify_bots(copy, may_write=True).sound
    assert ["log.txt is new"] == [found.what for found in verify_bots(copy).changed]


@pytest.mark.process
def test_a_build_of_an_older_ladder_is_counted_as_unknown_and_its_source_is_checked(copy, tmp_path):
    bot = tmp_path / "bot"
    bot.mkdir()
    (bot / "bot.toml").write_text('name = "built"\nrun = ["sh", "x"]\nbuild = "echo > x"\n')
    version = copy.roster.stage(bot, read_manifest(bot, GAMES), {}, Confinement("none")).accept()
    folder = Path(version.folder).parent
    record = json.loads((folder / "version.json").read_text())
    (folder / "version.json").write_text(json.dumps(record | {"built": ""}))
    verdict = verify_bots(copy)
    assert (3, 1, True) == (verdict.bots, verdict.unknown_bots, verdict.sound)
    (folder / "source" / "bot.toml").write_text("")
    verdict = verify_bots(copy)
    assert ["its source is not what was submitted"] == [found.what for found in verdict.changed]


# -- a run refuses them


def test_a_run_refuses_a_bot_that_was_changed_before_anything_is_stored(copy):
    version = copy.roster.find("good")
    (Path(version.folder) / "player.py").write_text("evil()")
    result = run_here("run", "--games", "6", "--home", copy.path)
    assert (1, "") == result[:2]
    assert f"{version.id} is not what was submitted: player.py has changed, in {copy.path}" in result.err
    assert "next: submit good again, or restore that folder from a backup\n" in result.err
    assert 1 == len(Store(copy.results).runs())
    ladders.enlist(copy, "good", {})
    assert [] == check_files(copy, copy.roster.find("good"))


def test_a_run_that_is_continued_refuses_it_too_and_goes_on_without_it(copy):
    run = ladders.start_run(copy, matches=6)
    version = copy.roster.find("good")
    (Path(version.folder) / "player.py").unlink()
    with pytest.raises(LadderError, match=r"player\.py is missing") as caught:
        setup_of(copy, run, 1)
    assert caught.value.hint.endswith(f"; or: ladder run --resume --without {version.id}")
    store = Store(copy.results)
    with store.lock():
        run = leave_out(copy, store, run, ["good"])
    assert 3 == len(setup_of(copy, run, 1).bots)


def test_without_a_sandbox_a_bot_that_writes_into_its_folder_plays_on_with_a_word(copy, caplog):
    run = ladders.start_run(copy, matches=6)
    version = copy.roster.find("good")
    for name in "abcd":
        (Path(version.folder) / f"{name}.log").write_text("")
    setup_of(copy, run, 1)
    assert (
        f"{version.id} has written into its folder: a.log is new, b.log is new, c.log is new and 1 more"
        in (caplog.text)
    )
    with (
        pytest.raises(LadderError, match=r"a\.log is new"),
    ):
        setup_of(dataclasses.replace(copy, tier="landlock"), run, 1)
