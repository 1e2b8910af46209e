"""Archives: what goes into one, and a home that is made from it elsewhere."""

import gzip
import os
import signal
import subprocess
import sys
import tarfile
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from support import ladders
from support.command_line import ENVIRONMENT, listing
from support.rated_homes import a_rated_home
from support.records import a_block
from support.reviewed import a_review
from support.stores import keep_run

from ladder.errors import LadderError, UsageProblem
from ladder.home import archive as archiving
from ladder.home.archive import write_archive
from ladder.home.home import open_home
from ladder.home.packing import without_env
from ladder.home.restore import restore_home
from ladder.home.season import begin_season
from ladder.registry.roster import changed_files
from ladder.run.setup import check_files
from results.errors import DamagedResults
from results.record import RunCommand, RunSettings
from results.reports.digest import digest
from results.storage import copying
from results.storage.store import Store
from results.storage.unrated import make_unrated, unrated_stores

pytestmark = pytest.mark.usefixtures("threads")

BOTS = ["careful", "greedy", "bold"]


@pytest.fixture
def home(tmp_path):
    """A home with two bots that can play, and a run of made-up matches."""
    a_rated_home(tmp_path / "home", BOTS, 4)
    found = open_home(tmp_path / "home")
    for name in ("first", "second"):
        ladders.enlist(found, name, {"style": name})
    return found


@pytest.fixture
def file(tmp_path):
    return tmp_path / "term.tar.gz"


def play(store, *numbers, **fields):
    """Begin a run of made-up blocks, and leave it unfinished."""
    run = len(store.runs()) + 1
    with store.lock():
        keep_run(store, (a_block(number, run=run) for number in numbers), run, ends=False, **fields)
        store.commit()


def store_of(home):
    return Store(home.results)


def members(file):
    with tarfile.open(file) as tar:
        return {member.name: member for member in tar}


def contents(file):
    """Return everything in the archive that could be read, runs as their rows."""
    found = []
    with tarfile.open(file) as tar:
        for member in tar:
            if member.isreg():
                data = tar.extractfile(member).read()
                found.append(data)
                if member.name.endswith("runs.parquet"):
                    path = Path(file.parent, "runs.parquet")
                    path.write_bytes(data)
                    found.append(str(pq.read_table(path).to_pylist()).encode())
    return b"\n".join(found)


def test_a_restored_home_has_the_same_digest_bots_settings_seasons_and_ratings(home, file, tmp_path):
    begin_season(home, "spring")
    play(store_of(home), 0, 1)
    with store_of(home).lock() as store:
        store.finish(2, 2)
    before = digest(store_of(home).contents())
    written = write_archive(home, file)
    restored = restore_home(file, tmp_path / "elsewhere")
    assert [before.hex] * 3 == [
        written.listed.digest,
        restored.digest,
        digest(store_of(restored.home).contents()).hex,
    ]
    assert store_of(home).matches().equals(store_of(restored.home).matches())
    assert store_of(home).contents().faults().equals(store_of(restored.home).contents().faults())
    assert store_of(home).runs() == store_of(restored.home).runs()
    assert store_of(home).seasons() == store_of(restored.home).seasons()
    for season in ("first", "spring"):
        boards = [each.leaderboard("stellar", season) for each in (home, restored.home)]
        assert boards[0].equals(boards[1])
        assert boards[0].num_rows
    bots = [listing(each.path / "bots") for each in (home, restored.home)]
    assert bots[0] == bots[1]
    assert home.settings == restored.home.settings
    assert (2, 2) == (restored.bots, restored.runs)
    assert store_of(restored.home).folder.ratings.exists()


def test_reviews_are_in_an_archive_only_on_request_and_are_the_same_when_restored(home, file, tmp_path):
    unrated = make_unrated(home.results)
    play(unrated, 0)
    for store in (store_of(home), unrated):
        store.reviews.add(a_review(0))
    write_archive(home, file)
    assert not [name for name in members(file) if "reviews" in name]
    assert 0 == len(restore_home(file, tmp_path / "without").home.reviews())
    whole = tmp_path / "whole.tar.gz"
    write_archive(home, whole, with_reviews=True)
    assert [
        "results/reviews/000001.parquet",
        "results/unrated/d1/reviews/000001.parquet",
    ] == [name for name in members(whole) if "reviews" in name]
    restored = restore_home(whole, tmp_path / "with").home
    assert len(home.reviews()) > 0
    assert home.reviews().equals(restored.reviews())
    assert unrated.read_reviews().equals(unrated_stores(restored.results)["d1"].read_reviews())
    Store(restored.results).reviews.add(a_review(1))
    assert 2 == len({*restored.reviews(["number"]).column("number").to_pylist()})


def test_an_archive_holds_only_what_a_home_needs(home, file):
    for name in (
        "secret.txt",
        "roster.csv",
        "transcripts/1/0.txt",
        "results/damaged/x.parquet",
        "results/notes.txt",
    ):
        path = home.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("not for others")
    (home.path / "bots" / ".staging-1-1").mkdir()
    (home.path / "bots" / ".staging-1-1" / "bot.py").write_text("not for others")
    write_archive(home, file)
    assert b"not for others" not in contents(file)
    tops = {"/".join(name.split("/")[:2]) for name in members(file) if not name.startswith("bots/")}
    assert {
        *("archive.json", "ladder.toml", "results/format.json", "results/journal", "results/manifest"),
        *("results/matches", "results/runs.parquet", "results/seasons.parquet"),
    } == tops


def test_only_its_owner_may_read_an_archive(home, file, tmp_path):
    write_archive(home, file)
    assert 0o600 == file.stat().st_mode & 0o777
    results = restore_home(file, tmp_path / "copy").home.results
    assert {0o700} == {path.stat().st_mode & 0o777 for path in results.iterdir() if path.is_dir()}


@pytest.mark.process
@pytest.mark.slow
@pytest.mark.parametrize(
    "call", ["copy_results", "digest", "_Contents.write", "Disk.sync_file", "Disk.sync_dir"]
)
def test_a_process_that_is_killed_leaves_nothing_that_others_can_read_and_the_next_one_cleans_up(
    home, file, tmp_path, call
):
    program = f"""
import os, signal
from pathlib import Path
from ladder.home import archive
from ladder.home.home import open_home
real = archive.{call}
def work_and_die(*arguments, **named):
    real(*arguments, **named)
    os.kill(os.getpid(), signal.SIGKILL)
archive.{call} = work_and_die
os.umask(0)
archive.write_archive(open_home(Path({str(home.path)!r})), Path({str(file)!r}))
"""
    killed = subprocess.run([sys.executable, "-c", program], env=ENVIRONMENT, check=False)
    assert -signal.SIGKILL == killed.returncode
    (left,) = tmp_path.glob(".*")
    assert 0o700 == left.stat().st_mode & 0o777
    write_archive(home, tmp_path / "of-another-day.tar.gz")
    assert [] == list(tmp_path.glob(".*"))


def test_an_archive_of_a_bot_that_was_changed_is_restored_with_a_warning(home, file, tmp_path):
    changed, sound = home.roster.versions()
    Path(changed.folder, "player.py").write_text("print('of somebody else')")
    written = write_archive(home, file)
    restored = restore_home(file, tmp_path / "copy")
    told = f"{changed.bot}@1 is not what was submitted: player.py has changed"
    assert ((told,), (told,)) == (written.changed, restored.changed)
    with pytest.raises(LadderError, match="not what was submitted"):
        check_files(restored.home, restored.home.roster.find(changed.bot))
    check_files(restored.home, restored.home.roster.find(sound.bot))


# -- secrets


def test_the_secret_of_an_unfinished_run_is_left_out_and_the_run_ends_there_as_it_is(home, file, tmp_path):
    store = store_of(home)
    play(store, 0, 1, 3, settings=RunSettings(asked=RunCommand(seed=987654321)), secret="ab" * 16)
    before = listing(home.path)
    first = store.runs()[0].secret
    written = write_archive(home, file)
    assert before == listing(home.path)
    assert ("2",) == written.listed.ended
    inside = contents(file)
    assert b"ab" * 16 not in inside
    assert b"987654321" not in inside
    assert first.encode() in inside
    restored = store_of(restore_home(file, tmp_path / "copy").home)
    assert None is restored.unfinished_run()
    now = restored.runs()[1]
    assert (False, 3, store.runs()[1].secret_hash) == (now.has_secret, now.blocks, now.secret_hash)
    assert now.guessable
    assert 6 == restored.matches(run=2).num_rows
    assert {True} == set(restored.matches(["guessable"], run=2).column("guessable").to_pylist())
    assert store.unfinished_run().has_secret


def test_without_secrets_no_secret_is_there_and_the_digest_is_the_same(home, file, tmp_path):
    unrated = make_unrated(home.results)
    play(unrated, 0, secret="cd" * 16)
    with unrated.lock():
        unrated.finish(1, 1)
    before = digest(store_of(home).contents()).hex
    written = write_archive(home, file, without_secrets=True)
    inside = contents(file)
    secrets = [run.secret for store in (store_of(home), unrated) for run in store.runs()]
    assert [True, True] == [len(secret) == 32 for secret in secrets]
    assert [False, False] == [f"'{secret}'".encode() in inside for secret in secrets]
    restored = restore_home(file, tmp_path / "copy")
    assert [before, before] == [written.listed.digest, restored.digest]
    assert [False] == [run.has_secret for run in store_of(restored.home).runs()]


def test_an_archive_of_a_home_without_secrets_has_the_same_digest_again(home, file, tmp_path):
    write_archive(home, file, without_secrets=True)
    copy = restore_home(file, tmp_path / "copy")
    again = write_archive(copy.home, tmp_path / "again.tar.gz", without_secrets=True)
    assert copy.digest == again.listed.digest


def test_duels_are_archived_and_unfinished_ones_lose_their_secret(home, file, tmp_path):
    unrated = make_unrated(home.results)
    play(unrated, 0, secret="cd" * 16)
    assert ("d1",) == write_archive(home, file).listed.ended
    assert b"cd" * 16 not in contents(file)
    restored = unrated_stores(restore_home(file, tmp_path / "copy").home.results)["d1"]
    assert unrated.matches().equals(restored.matches())
    assert None is restored.unfinished_run()


# -- settings

ENV = [
    '[allow]\nenv = ["KEY"]\n',
    '[allow]  # all\n  env=[ "A", \'B\', # two\n "C]" ]  # three\nnetwork = ["first"]\n[sandbox]\n',
    '[run]\ngames = ["stellar"]\n[allow]\nnetwork = ["env"]\nenv = []',
]


@pytest.mark.parametrize("settings", ENV)
def test_the_variables_that_bots_may_have_are_left_out(home, file, tmp_path, settings):
    (home.path / "ladder.toml").write_text(settings)
    home = open_home(home.path)
    assert ("env below [allow] in ladder.toml",) == write_archive(home, file).left_out
    restored = restore_home(file, tmp_path / "copy").home.settings
    assert () == restored.allow.env
    assert home.settings.allow.network == restored.allow.network
    assert (home.settings.run, home.settings.sandbox) == (restored.run, restored.sandbox)


@pytest.mark.parametrize("settings", ['allow.env = ["KEY"]\n', 'allow = {env = ["KEY"]}\n'])
def test_variables_that_cannot_be_left_out_are_refused(home, file, settings):
    (home.path / "ladder.toml").write_text(settings)
    with pytest.raises(LadderError, match="cannot be taken out of") as caught:
        write_archive(open_home(home.path), file)
    assert "a line of its own below [allow]" in caught.value.hint
    assert not file.exists()


def test_settings_without_variables_stay_to_the_last_letter():
    assert "# env = [\n[allow]\nnetwork = []" == without_env("# env = [\n[allow]\nnetwork = []")
    text = '[allow]\n# env = ["A"]\nenv = ["B"] # b\n# c\n'
    assert '[allow]\n# env = ["A"]\n# c\n' == without_env(text)


def test_a_program_that_runs_unconfined_is_in_no_archive():
    text = '[notify]\ncommand = ["./tell.sh"]\n[site]\n'
    assert "[notify]\n[site]\n" == without_env(text)
    with pytest.raises(LadderError, match="the command of \\[notify\\] cannot be taken out"):
        without_env('notify.command = ["./tell.sh"]')


def test_tables_that_the_settings_name_are_archived_if_they_are_in_the_home(home, file, tmp_path):
    (home.path / "my").mkdir()
    (home.path / "my" / "deck.toml").write_text("[cards]")
    (tmp_path / "other.toml").write_text("[cards]")
    for value, left in (("my/deck.toml", 0), ("../other.toml", 1)):
        (home.path / "ladder.toml").write_text(f'[games.stella.options]\ndeck = "{value}"\n')
        written = write_archive(open_home(home.path), file)
        assert left == len(written.left_out)
        assert left != ("my/deck.toml" in members(file))
        file.unlink()


# -- files of bots


def test_files_of_bots_are_the_same_afterwards_with_links_run_bits_and_any_name(home, file, tmp_path):
    version = home.roster.find("first")
    folder = Path(version.folder)
    (folder / "tool").write_text("#!/bin/sh\n")
    (folder / "tool").chmod(0o755)
    (folder / "link").symlink_to("/usr/bin/env")
    (folder / "sub").mkdir()
    (folder / "sub" / "up").symlink_to("../tool")
    with open(os.fsencode(folder) + b"/n\xff \n\xc3\xa9", "wb") as strange:  # noqa: PTH123 - no text at all
        strange.write(b"x")
    before = changed_files(version)
    write_archive(home, file)
    copy = restore_home(file, tmp_path / "copy").home
    there = Path(copy.roster.find("first").folder)
    assert listing(folder) == listing(there)
    assert ("/usr/bin/env", "../tool") == tuple(str((there / name).readlink()) for name in ("link", "sub/up"))
    assert before == changed_files(copy.roster.find("first"))


def test_a_pipe_among_the_files_of_a_bot_is_named_and_left_out(home, file):
    os.mkfifo(Path(home.roster.find("first").folder) / "pipe")
    written = write_archive(home, file)
    assert ("1 special file of bots: no plain file, no link",) == written.left_out


def test_a_file_that_changes_while_it_is_archived_is_refused(home, file, monkeypatch):
    program = Path(home.roster.find("first").folder) / "player.py"
    member = archiving._member

    def change(name, size):
        program.write_text("x" * program.stat().st_size)
        return member(name, size)

    monkeypatch.setattr(archiving, "_member", change)
    with pytest.raises(LadderError, match="has changed while it was archived"):
        write_archive(home, file)
    assert ["home", "player.py"] == sorted(path.name for path in file.parent.iterdir())


# -- what cannot be archived


def test_a_file_that_exists_is_not_replaced(home, file):
    file.write_text("mine")
    with pytest.raises(UsageProblem, match="exists already"):
        write_archive(home, file)
    assert "mine" == file.read_text()


def test_a_folder_that_is_not_there_is_named(home, tmp_path):
    with pytest.raises(UsageProblem, match="nowhere is not there"):
        write_archive(home, tmp_path / "nowhere" / "file")


def test_damaged_results_are_refused_and_nothing_is_left(home, file):
    (segment,) = store_of(home).folder.matches.iterdir()
    data = segment.read_bytes()
    segment.write_bytes(data[:-1] + b"?")
    with pytest.raises(DamagedResults, match="does not match its checksum"):
        write_archive(home, file)
    assert ["home", "player.py"] == sorted(path.name for path in file.parent.iterdir())


def test_segments_that_are_joined_meanwhile_are_read_again(home, file, tmp_path, monkeypatch):
    for number in (2, 3):
        play(store_of(home), 0, 1)
        with store_of(home).lock() as store:
            store.finish(number, 2)
    share, calls = copying._share, []
    path = store_of(home).folder.matches / "000001.parquet"
    data = path.read_bytes()

    def first_missing(old, new):
        if not calls:
            calls.append(1)
            path.unlink()
            raise FileNotFoundError(old)
        path.write_bytes(data)
        share(old, new)

    monkeypatch.setattr(copying, "_share", first_missing)
    written = write_archive(home, file)
    assert written.listed.digest == restore_home(file, tmp_path / "copy").digest


def test_a_disk_without_hard_links_gets_copies(home, file, tmp_path, monkeypatch):
    publish = copying.manifest.publish

    def refuse(self, target):
        raise PermissionError(1, "Operation not permitted")

    def publish_by_renaming(disk, folder, sheet):
        class Renaming(type(disk)):
            def link(self, old, new):
                new.write_bytes(old.read_bytes())

        publish(Renaming(), folder, sheet)

    monkeypatch.setattr(Path, "hardlink_to", refuse)
    monkeypatch.setattr(copying.manifest, "publish", publish_by_renaming)
    written = write_archive(home, file)
    assert written.listed.digest == restore_home(file, tmp_path / "copy").digest


def test_an_archive_is_a_gzipped_tar_that_begins_with_its_list(home, file):
    written = write_archive(home, file)
    assert "archive.json" == next(iter(members(file)))
    assert len(written.listed.files) == len(members(file)) - 1
    assert gzip.decompress(file.read_bytes())
