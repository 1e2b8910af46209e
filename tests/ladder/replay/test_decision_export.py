"""Files and folders of decisions: whole or not there, the same for any number of processes."""

import json
from hashlib import sha256

import msgspec
import pyarrow.parquet as pq
import pytest
from support.decisions import contents_of, exported, rewrite
from support.rated_homes import a_replayable_home, rate
from support.records import a_lone_match
from support.stores import keep_run, put_blocks

from engines import GAMES
from engines.game import Game
from ladder.errors import NotFound, UsageProblem
from ladder.replay import decision_export
from ladder.replay.decision_audit import audit
from ladder.replay.decision_export import DecisionExport
from results.rating.rated import rate as rate_matches
from results.rating.segment_counts import tally_of
from results.record import Season
from results.storage.seasons import write_seasons
from results.storage.store import Store


def export_of(home, **wanted):
    asked = {"run": None, "game": None, "seats": None, "numbers": False, **wanted}
    return DecisionExport(contents_of(home), **asked)


def more_matches(home, *others, run=2, ends=True):
    """Add a run to *home* with the first match of each of the *others*, changed as they say."""
    blocks = []
    for number, (other, changes) in enumerate(others):
        match = msgspec.structs.replace(contents_of(other).match(1, 0), run=run, number=number, block=number)
        match = msgspec.structs.replace(match, **{"number": number, **changes})
        blocks.append(a_lone_match(**msgspec.structs.asdict(match)))
    with Store(home / "results").lock() as store:
        keep_run(store, blocks, run, ends=ends)


@pytest.fixture(scope="module")
def homes(tmp_path_factory):
    """Homes of two matches each, by game and table."""
    folder = tmp_path_factory.mktemp("homes")
    tables = (("stellar", 2), ("stella-quest", 2), ("stella-quest", 3))
    return {key: a_replayable_home(folder / f"{key[0]}{key[1]}", *key, matches=2).path for key in tables}


@pytest.fixture
def mixed(tmp_path, homes):
    """A home with matches of three tables, in two runs."""
    home = a_replayable_home(tmp_path / "home", matches=2).path
    more_matches(home, *[(other, {}) for other in homes.values()])
    return home


def test_what_cannot_be_shown_is_left_out_and_counted(tmp_path, homes):
    home = a_replayable_home(tmp_path / "home", matches=1).path
    stellar = homes["stellar", 2]
    changes = (
        {"void": True},
        {},
        {"game": "chess"},
        {"game_version": 0},
        {"deal": {"first": 9}},
        {"moves": '[[[0,"no move"]]]'},
    )
    more_matches(home, *[(stellar, each) for each in changes])
    export = export_of(home)
    rows = exported(home, tmp_path / "x.parquet")
    assert {(1, 0), (2, 1)} == {(row["run"], row["number"]) for row in rows}
    assert len(rows) == export.to_file(tmp_path / "y.parquet", 1)
    here = GAMES["stellar"].version
    assert [
        "2 matches (cannot be played again)",
        "1 match (played by the rules of chess, a game that this ladder does not have)",
        f"1 match (played under version 0 of the rules of stellar, this ladder has {here})",
        "1 match (void)",
    ] == export.left_out()


def test_matches_behind_a_gap_of_an_unfinished_run_are_left_out(tmp_path, homes):
    home = a_replayable_home(tmp_path / "home", matches=1).path
    match = contents_of(homes["stellar", 2]).match(1, 0)
    with Store(home / "results").lock() as store:
        keep_run(store, [], 2, ends=False)
        for block in (0, 2):
            told = msgspec.structs.replace(match, run=2, number=block, block=block)
            put_blocks(store, [a_lone_match(**msgspec.structs.asdict(told))])
    export = export_of(home)
    assert ["1 match (unfinished)"] == export.left_out()
    assert {(1, 0), (2, 0)} == {(row["run"], row["number"]) for row in exported(home, tmp_path / "x.parquet")}


def test_a_home_without_decisions_says_why(homes, monkeypatch):
    with pytest.raises(NotFound, match=r"^there are no decisions to export$"):
        export_of(homes["stellar", 2], game="stella")
    monkeypatch.setattr(type(GAMES["stellar"]), "columns", Game.columns)
    decision_export.layout_of.cache_clear()
    with pytest.raises(NotFound, match="has no numbers: implement columns"):
        export_of(homes["stellar", 2], numbers=True)


def test_numbers_of_other_options_are_left_out(tmp_path, homes, monkeypatch):
    home = a_replayable_home(tmp_path / "home", matches=1).path
    more_matches(home, (homes["stellar", 2], {"options": {"face_down_number": "three"}}))
    assert [] == export_of(home, numbers=True).left_out()  # these do not change the numbers of stellar
    whole = decision_export.layout_of

    def other(game, seats, options):
        layout = whole(game, seats, options)
        return layout._replace(words=layout.words[1:]) if "three" in options else layout

    monkeypatch.setattr(decision_export, "layout_of", other)
    assert ["1 match (of options with other numbers)"] == export_of(home, numbers=True).left_out()


def test_one_game_one_table_one_run_can_be_chosen(tmp_path, mixed):
    def tables(**wanted):
        rows = exported(mixed, tmp_path / "x.parquet", **wanted)
        return {(row["run"], row["game"], row["seats"]) for row in rows}

    assert {(1, "stellar", 2), (2, "stellar", 2)} == tables(game="stellar")
    assert {(2, "stella-quest", 3)} == tables(seats=3)
    assert {(1, "stellar", 2)} == tables(run=1)
    assert {(2, "stella-quest", 2)} == tables(game="stella-quest", seats=2, numbers=True)


def test_numbers_of_several_tables_go_to_a_folder(tmp_path, mixed):
    export = export_of(mixed, numbers=True)
    with pytest.raises(UsageProblem, match="here are 3") as refused:
        export.to_file(tmp_path / "x.parquet", 1)
    assert "--game stella-quest --seats 2; or --to FOLDER" in refused.value.hint
    export.to_folder(tmp_path / "all", 1)
    sizes = {
        file.name: pq.read_schema(str(file)).field("numbers").type.list_size
        for file in (tmp_path / "all" / "data").iterdir()
    }
    assert {
        f"{game}-{seats}-first.parquet": len(GAMES[game].columns(seats))
        for game, seats in (("stellar", 2), ("stella-quest", 2), ("stella-quest", 3))
    } == sizes


def test_a_folder_has_a_file_for_each_table_and_season_a_card_and_digests(tmp_path, mixed):
    contents = contents_of(mixed)
    write_seasons(contents.disk, contents.folder, [Season("spring", 2, 0)])
    total = export_of(mixed).to_folder(tmp_path / "all", 1)
    files = sorted(str(path.relative_to(tmp_path / "all")) for path in (tmp_path / "all").rglob("*.*"))
    shards = ["stella-quest-2-spring", "stella-quest-3-spring", "stellar-2-first", "stellar-2-spring"]
    assert ["README.md", *(f"data/{shard}.parquet" for shard in shards), "schema.json"] == files
    rows = [pq.read_table(str(tmp_path / "all" / file)).to_pylist() for file in files[1:-1]]
    assert total == sum(map(len, rows))
    for shard, some in zip(shards, rows, strict=True):
        assert {shard} == {f"{row['game']}-{row['seats']}-{row['season']}" for row in some}
    _, front, text = (tmp_path / "all" / "README.md").read_text().split("---\n", 2)
    card = {key: json.loads(value) for key, _, value in (line.partition(": ") for line in front.splitlines())}
    assert ["n<1K" if total < 1000 else "1K<n<10K"] == card["size_categories"]
    assert [("stella-quest-2", 1), ("stella-quest-3", 1), ("stellar-2", 2)] == [
        (each["config_name"], len(each["data_files"][0]["path"])) for each in card["configs"]
    ]
    assert text.lstrip().startswith("**Split by `run` and `block`, never by row**")
    told = json.loads((tmp_path / "all" / "schema.json").read_text())["columns"]
    assert {*rows[0][0]} <= {column["name"] for column in told}
    assert all(column["about"] for column in told)
    for line in (tmp_path / "all" / "SHA256SUMS").read_text().splitlines():
        digest, path = line.split("  ")
        assert digest == sha256((tmp_path / "all" / path).read_bytes()).hexdigest()


def test_the_rating_is_that_before_the_run(tmp_path, homes):
    home = a_replayable_home(tmp_path / "home", matches=2).path
    rate(home, [("a", "a-1"), ("b", "b-1")])
    before = rate_matches(tally_of(contents_of(home)))["stellar"]
    more_matches(home, (homes["stellar", 2], {}), run=3)
    rows = exported(home, tmp_path / "x.parquet")
    assert {(1, None)} == {(row["run"], row["rating"]) for row in rows if row["run"] == 1}
    for row in (row for row in rows if row["run"] == 3):
        assert before.standings[row["bot"], row["version"]].mu == row["rating"]
        assert row["rating_pm"] > 0
    contents = contents_of(home)
    assert (len(rows), {}, []) == audit(tmp_path / "x.parquet", [contents.with_names({"a": "z"})], 1)
    rewrite(tmp_path / "x.parquet", place := len(rows) - 1, rating=rows[place]["rating"] + 1)
    (wrong,) = audit(tmp_path / "x.parquet", [contents], 1).wrong
    assert wrong.endswith("its match has other rating")


def test_a_file_is_written_whole_or_not_at_all(tmp_path, mixed, monkeypatch):
    def fail(task):
        raise OSError(28, "No space left on device")

    (tmp_path / "x.parquet").write_text("old")
    monkeypatch.setattr(decision_export, "make_decisions", fail)
    for write in (lambda: export_of(mixed).to_file(tmp_path / "x.parquet", 1),
                  lambda: export_of(mixed).to_folder(tmp_path / "all", 1)):  # fmt: skip
        with pytest.raises(OSError, match="No space"):
            write()
    assert ["home", "x.parquet"] == sorted(path.name for path in tmp_path.iterdir())
    assert "old" == (tmp_path / "x.parquet").read_text()


def test_what_a_killed_export_left_is_replaced_and_a_full_folder_kept(tmp_path, mixed):
    left = tmp_path / ".all.tmp" / "data"
    left.mkdir(parents=True)
    (left / "old.parquet").write_text("half")
    export_of(mixed).to_folder(tmp_path / "all", 1)
    assert not (tmp_path / "all" / "data" / "old.parquet").exists()
    assert not left.exists()
    with pytest.raises(UsageProblem, match="is not empty"):
        export_of(mixed).to_folder(tmp_path / "all", 1)


@pytest.mark.process
@pytest.mark.parametrize("numbers", [False, True])
def test_the_bytes_are_the_same_for_any_number_of_processes(tmp_path, homes, monkeypatch, numbers):
    monkeypatch.setattr(decision_export, "CHUNK_MATCHES", 1)
    monkeypatch.setattr(decision_export, "GROUP_ROWS", 20)
    for home in homes.values():
        for jobs in (1, 2):
            exported(home, tmp_path / f"{jobs}.parquet", jobs, numbers=numbers)
        assert (tmp_path / "1.parquet").read_bytes() == (tmp_path / "2.parquet").read_bytes()
    assert pq.ParquetFile(str(tmp_path / "1.parquet")).num_row_groups > 1
