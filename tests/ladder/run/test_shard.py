"""Shards: each plays its own blocks of one and the same run."""

import subprocess
from itertools import pairwise
from pathlib import Path

import pytest
from support import ladders
from support.command_line import run_here
from support.here import play_commands_here
from support.scripted_tables import play_tables

from ladder.contest.keys import Keys, secret_of_seed
from ladder.errors import UsageProblem
from ladder.home.home import open_home
from ladder.run.request import begin, differences, new_run
from ladder.run.run_options import RunRequest
from ladder.run.run_schedule import RunSchedule
from ladder.run.schedule import epoch_blocks, equal_shares
from ladder.run.shard import Shard, read_secret
from results.rating import cache
from results.rating.rated import standings_of
from results.record import Contest, ShardBlocks, encode_block
from results.storage.store import Store

SECRET = bytes(range(16))


def asked(**fields):
    return RunRequest(**{"games": 60, "seed": 1, "schedule": "round-robin", "shard": Shard(2, 3), **fields})


def begun(home, request):
    store = Store(home.results)
    with store.lock():
        return begin(home, store, request)


# --- which blocks


@pytest.mark.parametrize("total", [0, 1, 2, 63, 64, 1_000])
@pytest.mark.parametrize("of", [1, 2, 3, 64])
def test_the_shards_of_a_run_are_its_blocks_in_a_row(total, of):
    ranges = [Shard(number, of).blocks(total) for number in range(1, of + 1)]
    assert (0, total) == (ranges[0].start, ranges[-1].stop)
    assert all(one.stop == other.start for one, other in pairwise(ranges))
    assert 1 >= max(map(len, ranges)) - min(map(len, ranges))


@pytest.mark.parametrize("text", ["0/3", "4/3", "3", "a/b", "1/0", "1/2/3", "-1/3", " 1/3"])
def test_what_is_no_shard_is_refused(text):
    with pytest.raises(ValueError, match="expected I/N, such as 3/64 for the third of 64 shards, got"):
        Shard.read(text)


def planned(contests, totals, shard=None):
    schedule = RunSchedule(
        contests,
        Keys(SECRET),
        "round-robin",
        totals,
        [epoch_blocks(blocks) for blocks in totals],
        shard,
    )
    told, blocks = [schedule.count_planned()], []
    while not schedule.over:
        blocks += schedule.next_epoch()
        told.append(schedule.count_planned())
    return blocks, told


def test_the_schedules_of_all_shards_are_the_schedule_of_the_run_and_tell_how_many_matches_they_have():
    contests = [Contest("stella", seats, {}, tuple(range(7))) for seats in (3, 4)]
    contests.append(Contest("stellar", 2, {}, tuple(range(5))))
    totals = equal_shares(2_000, contests)
    whole, _ = planned(contests, totals)
    shards = [planned(contests, totals, Shard(i, 5).blocks(sum(totals))) for i in range(1, 6)]
    assert whole == [block for blocks, _ in shards for block in blocks]
    told = [told for _, told in shards]
    assert [sum(len(block.bots) for block in blocks) for blocks, _ in shards] == [each[-1] for each in told]
    assert 5 >= abs(sum(each[0] for each in told) - sum(len(block.bots) for block in whole))


# --- what is asked for


def test_a_run_stores_its_shard_and_its_blocks(home):
    run = begun(home, asked(shard=Shard.read("2/3")))
    assert ShardBlocks(2, 3, 10, 20) == run.settings.shard
    assert 10 == run.first_block
    assert "2/3" == run.settings.asked.shard


def keep(secret, folder):
    """Return a file with *secret*."""
    file = folder / secret.hex()
    file.write_text(secret.hex())
    return file


def test_another_shard_or_another_secret_is_another_command(home):
    given = {"seed": None, "secret_file": keep(SECRET, home.path.parent)}
    run = begun(home, asked(**given))
    assert [] == differences(asked(**given), run)
    assert ["--shard was 2/3, now 3/3"] == differences(asked(**given, shard=Shard(3, 3)), run)
    given["secret_file"] = keep(bytes(16), home.path.parent)
    (told,) = differences(asked(**given), run)
    assert told.startswith("--seed @FILE was be45cb26..., now 374708ff...")
    assert SECRET.hex() not in str(run.settings)


@pytest.mark.parametrize(
    ("fields", "why", "hint"),
    [
        ({"schedule": "adaptive"}, "expected --schedule round-robin", "add: --schedule round-robin"),
        ({"schedule": None}, "got: adaptive", "add: --schedule round-robin"),
        ({"seed": None}, "and no --seed is given", "add: --seed @FILE; one is made by"),
        ({"seconds": 9.0, "games": None}, "--shard cannot end by --for", "--games"),
        ({"until": "order"}, "--shard cannot end by --until order", "give --games instead"),
        ({"shard": Shard(1, 31)}, "there are 31 shards, but the run has 30 blocks", "fewer"),
    ],
)
def test_a_shard_that_could_not_be_joined_is_refused_before_anything_is_stored(home, fields, why, hint):
    for ask in (new_run, begun):
        with pytest.raises(UsageProblem, match=why) as caught:
            ask(home, asked(**fields))
        assert hint in caught.value.hint
    assert () == Store(home.results).runs()


def test_a_gauntlet_can_be_played_in_shards(home):
    new_run(home, asked(schedule="gauntlet", bots=("first",)))


def test_the_schedule_of_the_settings_is_as_good_as_that_of_the_command(home):
    (home.path / "ladder.toml").write_text(
        ladders.STELLAR.replace("[run]", '[run]\nschedule = "round-robin"')
    )
    new_run(open_home(home.path), asked(schedule=None))


# --- the secret


def test_a_secret_is_32_hex_digits_in_a_file(tmp_path):
    file = tmp_path / "secret.txt"
    file.write_text(SECRET.hex().upper() + "\n")
    assert SECRET == read_secret(file)


@pytest.mark.parametrize("text", ["", "7!?", "g" * 32, "0" * 33, "0" * 64, "\xe9" * 32])
def test_what_is_no_secret_is_refused_and_not_repeated(tmp_path, text):
    file = tmp_path / "secret.txt"
    file.write_text(text)
    with pytest.raises(UsageProblem, match=r"secret\.txt") as caught:
        read_secret(file)
    assert not text or text not in str(caught.value)
    assert f"secrets.token_hex(16))' > {file})" in caught.value.hint


@pytest.mark.process
def test_a_missing_secret_is_said_with_the_command_that_makes_one(tmp_path):
    file = tmp_path / "secret.txt"
    with pytest.raises(UsageProblem, match="No such file") as caught:
        read_secret(file)
    typed_in = caught.value.hint.removeprefix("make one: ")
    subprocess.run(["/bin/sh", "-c", typed_in], check=True)
    assert 16 == len(read_secret(file))
    assert 0o600 == file.stat().st_mode & 0o777


def test_a_secret_without_end_is_refused():
    with pytest.raises(UsageProblem, match="expected 32 hex digits in /dev/zero, got 4096 characters"):
        read_secret(Path("/dev/zero"))


# --- playing


def test_a_shard_plays_its_blocks_and_rates_them(home):
    running = ladders.play(home, matches=60, schedule="round-robin", shard=Shard(2, 3))
    run = Store(home.results).runs()[0]
    assert list(range(20, 40)) == [row["number"] for row in ladders.rows(home.path)]
    assert (10, 20) == (run.blocks, running.status.total)
    keys = Keys(secret_of_seed(1))
    assert {keys.deal(block).hex() for block in range(10, 20)} == {
        row["deal_seed"] for row in ladders.rows(home.path)
    }
    rated = cache.ratings_current(Store(home.results))
    assert 40 == sum(standing.matches for standing in standings_of(rated).values())


def test_a_shard_that_is_cut_off_goes_on_where_it_was(home, tmp_path):
    played = ladders.a_home(tmp_path / "other")
    how = {"matches": 60, "schedule": "round-robin", "shard": Shard(2, 3)}
    ladders.play(played, **how)
    blocks = list(Store(played.results).contents().blocks(1))
    ladders.start_run(home, 60, schedule="round-robin", shard=Shard(2, 3))
    with Store(home.results).lock() as store:
        for block in (*blocks[:3], blocks[5]):
            store.append(block.number, encode_block(block))
        assert 6 == store.seal()
        store.commit()
    assert 13 == Store(home.results).contents().first_missing(1)
    running = ladders.play(home, **how)
    assert (6, 20) == (running.status.before, running.status.done)
    assert ladders.rows(played.path) == ladders.rows(home.path)
    assert ladders.ratings(played.path) == ladders.ratings(home.path)


@pytest.mark.parametrize("shard", [None, Shard(1, 1), Shard(2, 2)])
def test_nobody_is_suspended_in_a_shard_for_the_others_would_not_know(home, shard):
    script = {"fault": lambda bot, match: "start" if bot == "last" else None}
    play_tables(home, script=script, matches=600, schedule="round-robin", shard=shard)
    late = [row for row in ladders.rows(home.path) if row["number"] >= 300]
    assert len(late) in ([300] if shard else range(140, 160)), "nothing is played in place of its blocks"
    bots = {"first", "last", "mixed", "plain"}
    assert (bots if shard else bots - {"last"}) == {seat["bot"] for row in late for seat in row["seats"]}


# --- the command line


def test_the_command_says_which_part_it_plays(home, monkeypatch):
    play_commands_here(monkeypatch)
    words = ["--shard", "2/3", "--schedule", "round-robin", "--seed", "1", "--games", "60"]
    code, _, err = run_here("run", *words, "--home", home.path)
    assert 0 == code, err
    assert "shard 2 of 3: 10 of 30 blocks\n  next: ladder home merge HOME..., when all are played\n" in err
    assert "run 1: 20 of 20 matches" in err
