"""Joining shards: the run as if it had been played in one place, or nothing at all."""

import shutil
from itertools import count
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from msgspec.structs import replace
from support import ladders
from support.command_line import listing, run_here
from support.disks import FailingDisk, WatchedDisk
from support.full import every
from support.records import a_block, a_run
from support.reviewed import a_review
from support.stores import stored

from ladder.errors import NotFound, UsageProblem
from ladder.home.home import create_home, open_home
from ladder.home.season import begin_season
from ladder.registry.roster import changed_files
from ladder.run.merge import gather_shards, join_shards
from ladder.run.shard import Shard
from results.errors import DamagedResults, DiskFailed
from results.rating import cache
from results.record import RunSettings, ShardBlocks, encode_block
from results.storage import compaction
from results.storage.compaction import SegmentSource
from results.storage.store import Store

HOW = {"schedule": "round-robin", "matches": 60}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with a run that was played whole, and in three shards; tests only read it."""
    folder = tmp_path_factory.mktemp("shards")
    template = ladders.a_home(folder / "template")
    for name, shard in (("whole", None), ("one", Shard(1, 3)), ("two", Shard(2, 3)), ("three", Shard(3, 3))):
        shutil.copytree(template.path, folder / name)
        ladders.play(open_home(folder / name), shard=shard, **HOW)
    return folder


@pytest.fixture
def homes(folder):
    return [folder / "one", folder / "two", folder / "three"]


@pytest.fixture
def target(tmp_path):
    return create_home(tmp_path / "target")


@pytest.fixture
def played(tmp_path):
    """Return a home with a run of its own."""
    home = ladders.a_home(tmp_path / "played", {"first": {"style": "last"}, "other": {}})
    ladders.play(home, matches=4)
    return home


def altered(tmp_path, home, **fields):
    """Return a copy of *home* whose last run is another in some *fields*."""
    shutil.copytree(home, tmp_path / "altered")
    store = Store(tmp_path / "altered" / "results")
    with store.lock():
        run = store.runs()[-1]
        settings = replace(run.settings, **fields.pop("settings", {}))
        store._writer._write_runs((*store.runs()[:-1], replace(run, settings=settings, **fields)))
    return tmp_path / "altered"


# --- the joined run


def test_joined_shards_are_the_run_as_it_is_played_in_one_place(folder, homes, target):
    before = {home: listing(home) for home in homes}
    run, rated = join_shards(gather_shards([homes[2], homes[0], homes[1]]), target)
    assert ladders.rows(folder / "whole") == ladders.rows(target.path)
    assert ladders.ratings(folder / "whole") == ladders.ratings(target.path)
    assert before == {home: listing(home) for home in homes}
    whole = Store(folder / "whole" / "results").runs()[0]
    assert (1, 30, whole.secret, whole.bots) == (run.run, run.blocks, run.secret, run.bots)
    assert whole.settings.asked == run.settings.asked
    assert (None, 3) == (run.settings.shard, len(run.settings.shards))
    assert run == Store(target.results).runs()[0]
    assert rated == cache.ratings_current(Store(target.results))
    assert {version.id for version in target.roster.active()} == {
        f"{bot['name']}@{bot['version']}" for bot in run.bots
    }


def test_reviews_go_with_their_matches_and_damaged_ones_stay_behind(homes, played, tmp_path, caplog):
    for home in homes:
        shutil.copytree(home, tmp_path / home.name)
    copies = [tmp_path / home.name for home in homes]
    reviewed = []
    for home in copies[:2]:
        number = ladders.rows(home)[0]["number"]
        Store(home / "results").reviews.add([*a_review(number), *a_review(10**6), *a_review(number, run=7)])
        reviewed.append((2, number))
    broken = Store(copies[2] / "results").reviews
    broken.add(a_review(ladders.rows(copies[2])[0]["number"]))
    broken.files()[0].write_bytes(b"nothing")
    reviews = Store(played.results).reviews
    reviews.add(a_review(0))
    join_shards(gather_shards(copies), played)
    assert {(1, 0), *reviewed} == {(key.run, key.number) for key in reviews.matches()}
    assert f"the reviews in {copies[2]} are left out, and can be made again" in caplog.text


def test_the_joined_run_is_the_next_of_a_home_that_has_some(homes, played):
    before, active = ladders.rows(played.path), {version.id for version in played.roster.active()}
    run, _ = join_shards(gather_shards(homes), played)
    assert 2 == run.run
    assert before == ladders.rows(played.path, 1)
    assert [2] * 60 == [row["run"] for row in ladders.rows(played.path, 2)]
    assert [*range(60)] == [row["number"] for row in ladders.rows(played.path, 2)]
    now = {version.id for version in played.roster.active()}
    assert active <= now
    assert {"first", "other", "last", "mixed", "plain"} == {id_.partition("@")[0] for id_ in now}
    ladders.play(played, matches=4)
    assert [4, 60, 4] == [len(ladders.rows(played.path, number)) for number in (1, 2, 3)]


def test_the_joined_run_counts_in_the_season_of_its_home_whatever_those_of_the_shards_are(
    folder, homes, played, tmp_path
):
    shutil.copytree(homes[0], tmp_path / "one")
    begin_season(open_home(tmp_path / "one"), "of-a-shard")
    before = ladders.ratings(played.path)
    begin_season(played, "spring")
    join_shards(gather_shards([tmp_path / "one", *homes[1:]]), played)
    assert ladders.ratings(folder / "whole") == ladders.ratings(played.path) != before
    assert ["first", "spring"] == [season.name for season in Store(played.results).seasons()]
    assert [2] == [run.run for run in Store(played.results).contents().rated_runs]


def test_shards_of_one_run_may_be_played_in_one_home(folder, homes, target, tmp_path):
    shutil.copytree(homes[0], tmp_path / "both")
    ladders.play(open_home(tmp_path / "both"), shard=Shard(2, 3), **HOW)
    join_shards(gather_shards([homes[2], tmp_path / "both"]), target)
    assert ladders.rows(folder / "whole") == ladders.rows(target.path)


# --- what cannot be joined


def refused(homes, match):
    with pytest.raises(UsageProblem, match=match) as caught:
        gather_shards(homes)
    return caught.value.hint


def test_a_missing_shard_is_named_with_the_command_that_plays_it(homes):
    hint = refused([homes[0], homes[2]], r"^shard 2/3 is missing$")
    command = "ladder run --games 60 --schedule round-robin --seed 1 --shard 2/3"
    assert f"name its home, or play it: {command}" == hint
    refused(homes[1:2], r"^shard 1/3 and 1 more shards are missing$")


def test_a_shard_that_is_there_twice_is_refused(homes, tmp_path):
    shutil.copytree(homes[1], tmp_path / "again")
    refused([*homes, tmp_path / "again"], r"^shard 2/3 is in .*/two and in .*/again$")


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"secret": "0" * 32}, "differences: secret$"),
        ({"settings": {"limits": {"move_ms": 5}}}, r"limits\.move_ms is 5, not 1000; "),
        ({"settings": {"schedule": "adaptive"}}, "schedule is adaptive, not round-robin$"),
        ({"settings": {"blocks": [31]}}, r"blocks is \[31\], not \[30\]$"),
        ({"ratings": {"stellar": {"beta": 1.0}}}, r"ratings\.stellar\.beta is 1\.0, not 4\.16"),
        ({"bots": [{"name": "first", "version": "other"}]}, "bots is first@other, not first@"),
        ({"settings": {"shard": ShardBlocks(2, 4, 7, 15)}}, "shards is 4, not 3$"),
    ],
)
def test_shards_of_different_runs_are_refused_with_what_differs_and_where(homes, tmp_path, fields, why):
    other = altered(tmp_path, homes[1], **fields)
    hint = refused(
        [homes[0], other, homes[2]], f"{other} does not hold a shard of the run in {homes[0]}: .*{why}"
    )
    assert "same bots, settings, options and secret" in hint
    assert "000000" not in hint


def test_a_shard_that_is_not_finished_is_refused_with_the_command_that_finishes_it(homes, tmp_path):
    other = altered(tmp_path, homes[1], finished=None, blocks=None)
    assert f"ladder run --resume --home {other}" == refused([homes[0], other, homes[2]], "is not finished")


def test_a_shard_that_was_given_up_is_refused_with_the_command_that_plays_it_again(homes, tmp_path):
    other = altered(tmp_path, homes[1], blocks=7)
    hint = refused([homes[0], other, homes[2]], "shard 2/3 in .* was ended with 7 of its blocks")
    assert hint.endswith(f"--shard 2/3 --home {other}")


def test_homes_without_shards_are_refused(folder, target):
    refused([folder / "whole"], "whole has run 1 as its last, which is not a shard of a run")
    refused([target.path], "target has no run")
    refused([folder], "is not a ladder home")


def test_a_bot_that_no_home_has_is_named(homes, target, tmp_path):
    shutil.copytree(homes[0], tmp_path / "one")
    shards = [shard._replace(home=open_home(tmp_path / "one")) for shard in gather_shards(homes)]
    shutil.rmtree(tmp_path / "one" / "bots" / "mixed")
    with pytest.raises(NotFound, match=r"^mixed@\w+ played, but no home has it any more"):
        join_shards(shards, target)


def test_a_bot_comes_from_a_home_where_it_is_what_was_submitted(homes, target, tmp_path):
    for name in ("one", "two"):
        shutil.copytree(homes[0], tmp_path / name)
    spoiled = [open_home(tmp_path / name) for name in ("one", "two")]
    for home in spoiled:
        (Path(home.roster.find("mixed").folder) / "player.py").write_text("evil()")
    shards = gather_shards(homes)
    with pytest.raises(NotFound, match=r"^mixed@\w+ played, but no home has it as it was submitted any more"):
        join_shards([shard._replace(home=spoiled[0]) for shard in shards], target)
    join_shards([shards[0], *(shard._replace(home=spoiled[1]) for shard in shards[1:])], target)
    assert ([], []) == changed_files(target.roster.find("mixed"))


def test_matches_are_never_counted_twice(homes, target, tmp_path):
    shards = gather_shards(homes)
    join_shards(shards, target)
    before = listing(target.path)
    with pytest.raises(UsageProblem, match=r"run 1 of .* is this run: its matches would count twice"):
        join_shards(shards, target)
    shutil.copytree(homes[0], tmp_path / "one")
    with pytest.raises(UsageProblem, match="is a shard of this run"):
        join_shards(shards, open_home(tmp_path / "one"))
    assert before.keys() == listing(target.path).keys()


def test_a_run_under_way_is_not_disturbed(homes, tmp_path):
    target = ladders.a_home(tmp_path / "target")
    ladders.start_run(target, 8)
    with pytest.raises(UsageProblem, match=r"run 1 of .* is not finished") as caught:
        join_shards(gather_shards(homes), target)
    assert f"ladder run --resume --home {target.path}" == caught.value.hint


def test_a_damaged_shard_is_not_joined(homes, target, tmp_path):
    shutil.copytree(homes[1], tmp_path / "two")
    (path,) = (tmp_path / "two" / "results" / "matches").iterdir()
    whole = path.read_bytes()
    path.write_bytes(whole[:99] + bytes([whole[99] ^ 1]) + whole[100:])
    with pytest.raises(DamagedResults, match=path.name):
        join_shards(gather_shards([homes[0], tmp_path / "two", homes[2]]), target)
    assert () == Store(target.results).runs()
    assert [] == list(target.results.rglob("[!.]*.parquet"))


# --- killed, failed


@pytest.fixture(scope="module")
def parts(tmp_path_factory):
    """Return the parts of a run of six blocks, two in each."""
    parts = []
    for first in (0, 2, 4):
        store = Store(tmp_path_factory.mktemp("part") / "results")
        with store.lock():
            store.begin(a_run(settings=RunSettings(shard=ShardBlocks(first // 2 + 1, 3, first, first + 2))))
            for number in (first, first + 1):
                store.append(number, encode_block(a_block(number)))
            store.finish(1, first + 2)
        contents = store.contents()
        parts += [SegmentSource(contents, segment) for segment in contents.segments()]
    return parts


def a_store(root, disk=None):
    """Return results with a run of one block."""
    stored(root, a_block(0))
    return Store(root, disk)


def join(store, parts):
    with store.lock():
        if len(store.runs()) == 1:
            store.join(a_run(2), parts)


@pytest.mark.parametrize("halves", [False, True])
@pytest.mark.slow
def test_a_disk_that_fails_at_any_call_of_a_merge_leaves_all_or_nothing(tmp_path, monkeypatch, parts, halves):
    monkeypatch.setattr(compaction, "MOST_ROWS", 8)  # two segments
    template, found = tmp_path / "template", set()
    a_store(template)
    for calls in count(0, every(3)):
        root = tmp_path / str(calls)
        shutil.copytree(template, root)
        disk = FailingDisk(calls, halves)
        store = Store(root, disk)
        try:
            join(store, parts)
        except DiskFailed:
            if halves and not disk.torn:
                continue  # as without halves
        else:
            break
        again = Store(root)
        blocks = [block.number for block in again.contents().blocks(2)] if len(again.runs()) == 2 else []
        assert blocks in ([], [*range(6)])
        with again.lock():
            found.add((len(again.runs()), len(blocks)))
            assert None is again.unfinished_run()
            assert bool(blocks) == (len(again.runs()) == 2)
        join(again, parts)
        assert [a_block(number, run=2) for number in range(6)] == list(again.contents().blocks(2))
        assert [1, 6] == [run.blocks for run in again.runs()]
        assert 14 == pq.read_table(root / "matches").num_rows
        assert [] == list(root.rglob("*.tmp"))
    assert halves or {(1, 0), (2, 6)} == found
    assert calls > 25


def test_readers_see_all_of_a_merge_or_nothing(tmp_path, parts):
    seen = []

    def look():
        contents = Store(root).contents()
        seen.append(
            [len(contents.segments(2)), len(list(contents.blocks(2))) if len(contents.runs) > 1 else 0]
        )

    root = tmp_path / "results"
    join(a_store(root, WatchedDisk(look)), parts)
    assert [0, 0] == seen[0]
    assert [1, 6] == seen[-1]
    assert {(0, 0), (1, 6)} == set(map(tuple, seen))


@pytest.mark.parametrize("wrong", [[0, 2], [1, 2], [0, 1, 1, 2], [1, 0, 2]])
def test_parts_that_do_not_follow_one_another_are_not_stored(tmp_path, parts, wrong):
    store = a_store(tmp_path / "results")
    with store.lock(), pytest.raises(ValueError, match="expected a segment that begins with block"):
        store.join(a_run(2), [parts[index] for index in wrong])
    assert 1 == len(store.runs())


# --- the command


def test_the_command_joins_and_shows_the_leaderboard(folder, homes, tmp_path):
    code, out, err = run_here("merge", *homes, "--home", tmp_path / "joined")
    assert 0 == code, err
    assert f"run 1 of {tmp_path / 'joined'}: 30 blocks, played in 3 shards\n" in err
    assert "stellar" == out.split()[0]
    assert {"bot", "rating", "+-"} <= set(out.split())
    assert ladders.ratings(folder / "whole") == ladders.ratings(tmp_path / "joined")


def test_a_command_that_cannot_join_makes_no_home(homes, tmp_path):
    code, _, err = run_here("merge", homes[0], "--home", tmp_path / "joined")
    assert 2 == code
    assert "shard 2/3 and 1 more shards are missing" in err
    assert not (tmp_path / "joined").exists()
