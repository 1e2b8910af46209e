"""`--seed`: numbers mark a run whose cards bots could know, texts are secrets that are kept nowhere."""

import re
from typing import cast

import pyarrow.parquet as pq
import pytest
from support import ladders
from support.command_line import run_apart, run_here
from support.records import a_block, a_run

from ladder.contest.keys import secret_of_seed, secret_of_text
from ladder.contest.seed import Seed
from ladder.errors import UsageProblem
from ladder.home.home import create_home
from ladder.run.merge import gather_shards, join_shards
from ladder.run.request import differences
from ladder.run.run_options import RunRequest
from ladder.run.shard import Shard
from results.record import Contest, RunCommand, RunSettings, ShardBlocks, encode_block
from results.reports.export import flatten
from results.reports.guessable import guessable_runs
from results.storage import schema
from results.storage.store import Store

TEXT = "correct horse battery st"
SAFE = "https://x.test/?q=0123456789abcdef"
WARNING = "warning: bots could know the cards of stellar in run 1: the seed can be guessed\n"


@pytest.fixture
def home(tmp_path):
    return ladders.a_home(tmp_path / "home")


# -- what may be given


@pytest.mark.parametrize(
    ("text", "number"), [("0", 0), ("7", 7), ("007", 7), ("+7", 7), ("9" * 18, 10**18 - 1)]
)
def test_digits_are_the_number_that_they_always_were(text, number):
    assert Seed(number, None) == Seed.read(text)


@pytest.mark.parametrize("text", [TEXT, SAFE, "-" * 24, "0123456789abcdef01234567", "ü" * 24])
def test_a_text_of_24_characters_is_a_secret(text):
    assert Seed(None, secret_of_text(text)) == Seed.read(text)


@pytest.mark.parametrize("text", ["", "x", TEXT[:-1], "1.5", "-1", "9" * 19, "9" * 5000, "-" + "0" * 30])
def test_what_is_neither_a_number_nor_long_enough_is_refused(text):
    with pytest.raises(ValueError, match="a secret text of at least 24 characters, or @FILE, got"):
        Seed.read(text)


def test_a_refused_text_is_not_repeated(home):
    result = run_here("run", "--seed", "hunter2", "--home", home.path)
    assert 2 == result.code
    assert "got a text of 7 characters\n  next: ladder run --help" in result.err
    assert "hunter2" not in result.err


def test_the_secret_of_a_text_is_that_of_no_number_and_of_no_other_text():
    texts = ["7", "7 ", TEXT, TEXT.upper(), TEXT + " "]
    secrets = {secret_of_text(text) for text in texts} | {secret_of_seed(seed) for seed in range(9)}
    assert 14 == len(secrets)
    assert {16} == set(map(len, secrets))


# -- what is stored of it


def test_of_a_text_a_run_keeps_the_secret_and_the_head_of_its_hash(home):
    run = ladders.start_run(home, seed=Seed.read(TEXT))
    assert secret_of_text(TEXT).hex() == run.secret
    assert re.fullmatch(r"[0-9a-f]{8}\.\.\.", run.settings.asked.seed)
    assert run.settings.asked.secret_file is None
    assert not run.guessable


def test_the_same_text_is_the_same_command_and_another_is_not(home):
    run = ladders.start_run(home, matches=20, seed=Seed.read(TEXT))
    assert [] == differences(RunRequest(games=20, seed=Seed.read(TEXT)), run)
    (other,) = differences(RunRequest(games=20, seed=Seed.read(SAFE)), run)
    assert re.fullmatch(r"--seed was [0-9a-f]{8}\.\.\., now [0-9a-f]{8}\.\.\.", other)
    file = home.path.parent / "secret"
    file.write_text(secret_of_text(TEXT).hex())
    assert 2 == len(differences(RunRequest(games=20, secret_file=file), run)), "from a file"


@pytest.mark.slow
def test_a_text_stands_in_no_file_and_in_no_message(home):
    asked = ["run", "first", "last", "--games", "8", "-j", "1", "--seed", SAFE, "--home", str(home.path)]
    result = run_apart(*asked, cwd=home.path.parent)
    assert 0 == result.code, result.err
    again = run_apart(*asked, "--new", cwd=home.path.parent)
    assert "guess" not in result.err + again.err
    told = [result.out, result.err, again.out, again.err]
    files = [path for path in home.path.rglob("*") if path.is_file()]
    assert any("runs.parquet" == path.name for path in files)
    assert not any(SAFE.encode() in path.read_bytes() for path in files)
    tables = [pq.read_table(path).to_pylist() for path in files if path.suffix == ".parquet"]
    assert not any(SAFE in str(table) for table in tables)
    assert not any(SAFE in text for text in told)
    assert [secret_of_text(SAFE).hex()] * 2 == [run.secret for run in Store(home.results).runs()]


# -- what is said


def test_a_run_whose_seed_can_be_guessed_says_so_first_and_last(played):
    lines = played.run.err.splitlines()
    first = lines.index("warning: bots can know every card of this run: --seed 1 can be guessed")
    assert lines[first + 1].startswith("  next: --seed @FILE")
    progress = [number for number, line in enumerate(lines) if line.startswith("run 1: ")]
    assert first < min(progress) <= max(progress) < lines.index(WARNING[:-1])


@pytest.mark.parametrize("form", ["table", "json", "csv", "md"])
def test_a_leaderboard_says_it_later_in_every_form(played, form):
    result = run_here("leaderboard", "--home", played.home, "--format", form)
    assert WARNING in result.err
    assert "warning" not in result.out


def test_so_does_rating_again_and_so_do_tables_of_a_size(played):
    assert WARNING in run_here("rate", "--engine", "package", "--home", played.home).err
    assert WARNING in run_here("leaderboard", "--seats", "2", "--home", played.home).err
    assert "warning" not in run_here("leaderboard", "--seats", "3", "--home", played.home).err
    assert "warning" not in run_here("leaderboard", "--game", "stella", "--home", played.home).err


# -- which runs and games


def a_guessable_run(number=1, seed=7, **settings):
    """Return a run of two contests, with two blocks of each in an epoch."""
    contests = (Contest("stellar", 2, {}, (0, 1)), Contest("stella", 3, {}, (0, 1, 2)))
    told = {"asked": RunCommand(seed=seed), "contests": contests, "blocks": (4, 4), "epochs": (2, 2)}
    return a_run(number, settings=RunSettings(**(told | settings)))


def test_whether_a_run_can_be_guessed_follows_from_what_was_asked():
    asked = (RunCommand(seed=0), RunCommand(), RunCommand(seed="0f1e2d3c..."), None)
    assert [True, False, False, None] == [a_run(settings=RunSettings(asked=each)).guessable for each in asked]


def put(store, number, game, run=1):
    store.append(number, encode_block(a_block(number, run=run, game=game)))


def test_only_games_in_which_matches_were_played_are_named(tmp_path):
    store = Store(tmp_path)
    with store.lock():
        store.begin(a_guessable_run())
        assert {} == guessable_runs(store.contents())
        put(store, 0, "stellar")
        assert {"stellar": [1]} == guessable_runs(store.contents())
        assert {"stellar": [1]} == guessable_runs(store.contents(), 2)
        assert {} == guessable_runs(store.contents(), 3)
        for number, game in ((1, "stellar"), (2, "stella"), (3, "stella")):
            put(store, number, game)
        assert {"stellar": [1], "stella": [1]} == guessable_runs(store.contents())
        assert {"stella": [1]} == guessable_runs(store.contents(), 3)


def test_runs_with_a_secret_are_not_named(tmp_path):
    store = Store(tmp_path)
    with store.lock():
        for number, seed in enumerate((7, None, 8), 1):
            store.begin(a_guessable_run(number, seed))
            put(store, 0, "stellar", number)
            store.abandon(number)
    assert {"stellar": [1, 3]} == guessable_runs(store.contents())


def test_of_a_shard_its_own_matches_tell_the_games(tmp_path):
    store = Store(tmp_path)
    with store.lock():
        store.begin(a_guessable_run(shard=ShardBlocks(2, 2, 4, 8)))
        put(store, 4, "stella")
        store.finish(1, 5)
    assert {"stella": [1]} == guessable_runs(store.contents())


# -- the column


def marks(store):
    return cast("list[bool | None]", store.matches(["guessable"]).column("guessable").to_pylist())


def in_files(store):
    tables = [pq.read_table(path) for path in sorted(store.folder.matches.iterdir())]
    return [mark for table in tables for mark in table.column("guessable").to_pylist()]


@pytest.mark.parametrize(("seed", "mark"), [(7, True), (None, False), ("0f1e2d3c...", False)])
def test_rows_carry_the_mark_of_their_run_in_files_and_in_the_journal(tmp_path, seed, mark):
    store = Store(tmp_path)
    with store.lock():
        store.begin(a_guessable_run(1, seed))
        put(store, 0, "stellar")
        store.seal()
        put(store, 1, "stellar")
        store.commit()
    assert [mark] * 2 == in_files(store)
    assert [mark] * 4 == marks(store)
    assert [mark] * 4 == flatten(store.matches(), "match").column("guessable").to_pylist()
    assert [mark] * 8 == flatten(store.matches(), "seat").column("guessable").to_pylist()


def as_before(monkeypatch):
    """Let segments be written as they were before there was the column."""
    write = schema.matches_table
    names = [name for name in schema.MATCHES.names if name != "guessable"]
    old = schema.select_columns(names)
    monkeypatch.setattr(schema, "matches_table", lambda matches, guessable: write(matches, old))


@pytest.mark.parametrize(("seed", "mark"), [(7, True), (None, False)])
def test_rows_from_before_there_was_a_mark_get_it_by_what_was_asked(tmp_path, seed, mark):
    store = Store(tmp_path)
    with pytest.MonkeyPatch.context() as patch, store.lock():
        as_before(patch)
        store.begin(a_guessable_run(1, seed))
        for number in range(2):
            put(store, number, "stellar")
            store.seal()
    assert not any("guessable" in pq.read_schema(path).names for path in store.folder.matches.iterdir())
    assert [a_block(number, game="stellar") for number in range(2)] == list(store.contents().blocks(1))
    assert [mark] * 4 == marks(store)
    with store.lock():
        put(store, 2, "stellar")
        store.seal()
        store.compact()
        assert 1 == len(store.contents().segments())
    assert [mark] * 6 == in_files(store) == marks(store)


def play_shard(home, number, **asked):
    ladders.play(home, jobs=1, schedule="round-robin", matches=12, shard=Shard(number, 2), **asked)


@pytest.mark.process
def test_a_joined_run_can_be_guessed_if_one_of_its_shards_can(tmp_path):
    homes = []
    for number, asked in ((1, {"seed": Seed(None, secret_of_seed(1))}), (2, {"seed": 1})):
        home = ladders.a_home(tmp_path / str(number))
        play_shard(home, number, **asked)
        homes.append(home.path)
    shards = gather_shards(homes)
    assert [False, True] == [shard.run.guessable for shard in shards]
    target = create_home(tmp_path / "joined")
    run, _ = join_shards(shards, target)
    assert run.guessable
    assert [True] * 12 == in_files(Store(target.results))


@pytest.mark.process
def test_a_shard_that_is_missing_is_asked_for_without_its_secret(tmp_path):
    home = ladders.a_home(tmp_path / "home")
    play_shard(home, 1, seed=Seed.read(TEXT))
    with pytest.raises(UsageProblem) as caught:
        gather_shards([home.path])
    assert "--seed TEXT" in caught.value.hint
