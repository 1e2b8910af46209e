"""Names of renamed bots: what is read has those of today, what is stored stays."""

import pytest
from support.records import a_block, a_fault, a_run
from support.stores import keep_run, put_blocks

from results.errors import DamagedResults
from results.record import Block, DuelTerms, LimitsApart, Match, RunCommand, RunSettings, WithoutBot
from results.storage.layout import Folder
from results.storage.names import add_name, read_names, rename_run
from results.storage.schema import records_from
from results.storage.store import Store
from results.storage.unrated import make_unrated


def play(store: Store) -> Store:
    """Store a run of alpha and beta: two of its blocks in a segment, a third in the journal."""
    played = [
        Block(number, a_block(number).matches, [a_fault(2 * number, bot="alpha")]) for number in range(3)
    ]
    with store.lock():
        keep_run(store, played[:2], ends=False)
        store.seal()
        put_blocks(store, played[2:])
    return store


@pytest.fixture
def store(store: Store) -> Store:
    return play(store)


def rename(store: Store) -> None:
    with store.lock():
        store.rename("alpha", "gamma")


def names_in(store: Store) -> list[set[str]]:
    """Return the names in whatever can be read of *store*."""
    contents = store.contents()
    blocks = list(contents.blocks(1))
    return [
        {seat["bot"] for seats in store.matches().column("seats").to_pylist() for seat in seats},
        {seat["bot"] for seats in store.matches(["seats.bot"]).column("seats").to_pylist() for seat in seats},
        {seat.bot for match in records_from(store.matches(), Match) for seat in match.seats},
        {seat.bot for block in blocks for match in block.matches for seat in match.seats},
        {fault.bot for block in blocks for fault in block.faults} | {"beta"},
        {*store.contents().faults().column("bot").to_pylist()} | {"beta"},
        {bot["name"] for bot in contents.run(1).bots},
        {bot["name"] for run in store.runs() for bot in run.bots},
        {seat.bot for match in (contents.match(1, 0), contents.last_match()) for seat in match.seats},
        {bot for each in contents.finishes(1) for bot in each.seats.column("bot").to_pylist()},
    ]


def test_whatever_is_read_has_the_names_of_today_in_segments_and_in_the_journal(tmp_path, store):
    assert all(names == {"alpha", "beta"} for names in names_in(store))
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.parquet")}
    rename(store)
    assert all(names == {"gamma", "beta"} for names in names_in(store)), names_in(store)
    with store.lock():
        assert all(names == {"gamma", "beta"} for names in names_in(store)), (
            "also for the process that writes"
        )
    assert before == {path: path.read_bytes() for path in tmp_path.rglob("*.parquet")}


def test_the_stored_names_can_be_read_too(store):
    rename(store)
    stored = store.contents().as_stored()
    assert {"alpha", "beta"} == {bot["name"] for bot in stored.run(1).bots}
    assert {"alpha", "beta"} == {
        seat["bot"] for seats in stored.matches(["seats.bot"]).column("seats").to_pylist() for seat in seats
    }


def test_only_the_names_change(store):
    before = store.matches().to_pylist()
    rename(store)
    for old, new in zip(before, store.matches().to_pylist(), strict=True):
        for seat in old["seats"]:
            seat["bot"] = {"alpha": "gamma"}.get(seat["bot"], seat["bot"])
        assert old == new


def test_what_is_joined_and_finished_keeps_the_stored_names(store):
    rename(store)
    with store.lock():
        run = store.finish(1, 3)
        assert {"gamma", "beta"} == {bot["name"] for bot in run.bots}
        store.compact()
    assert all(names == {"gamma", "beta"} for names in names_in(store))
    assert {"alpha", "beta"} == {
        seat.bot
        for block in store.contents().as_stored().blocks(1)
        for match in block.matches
        for seat in match.seats
    }


def test_duels_have_the_names_of_their_home(store):
    duel = play(make_unrated(store.folder.root))
    rename(store)
    assert all(names == {"gamma", "beta"} for names in names_in(duel))


def test_names_lead_to_that_of_today_through_all_renamings():
    names = add_name({}, "a", "b")
    assert {"a": "b"} == names
    assert {"a": "c", "b": "c"} == add_name(names, "b", "c")
    assert {"b": "a"} == add_name(names, "b", "a"), "a bot may have its old name again"
    assert {"b": "a", "c": "a"} == add_name(add_name(names, "b", "c"), "c", "a")
    assert {"a": "b", "x": "y"} == add_name(names, "x", "y")


def test_an_audit_says_what_is_lost_with_damaged_names(store):
    store.folder.names.write_text("[]")
    (damage,) = store.audit().damage
    assert store.folder.names == damage.path
    assert "what renamed bots are called: they have their old names again" == damage.lost


@pytest.mark.parametrize(
    "text", ["", "[]", '{"a": 1}', '{"a": "b", "b": "c"}', '{"a": "\\u001b[2J"}', "\xff"]
)
def test_names_that_make_no_sense_are_damage(tmp_path, text):
    folder = Folder(tmp_path)
    assert {} == read_names(folder)
    folder.names.write_text(text, "latin-1")
    with pytest.raises(DamagedResults, match=r"names\.json"):
        read_names(folder)


def test_all_that_a_run_says_of_a_bot_has_its_name_of_today():
    settings = RunSettings(
        asked=RunCommand(bots=("alpha", "alpha@1", "beta")),
        duel=DuelTerms(alpha=0.05, field=("alpha@abcdef", "delta")),
        without=(WithoutBot("alpha", "alpha-1"),),
        apart=LimitsApart({"alpha": {"move_ms": 7}}),
    )
    ratings = {"stellar": {"beta": 4.0, "anchor": ["alpha", "alpha-1"]}, "stella": {"beta": 4.0}}
    run = rename_run(a_run(1, settings=settings, ratings=ratings), {"alpha": "gamma"})
    asked, duel = run.settings.asked, run.settings.duel
    assert ("gamma", "gamma@1", "beta") == (asked and asked.bots)
    assert ("gamma@abcdef", "delta") == (duel and duel.field)
    assert run.settings.goes_without("gamma", "alpha-1")
    assert LimitsApart({"gamma": {"move_ms": 7}}) == run.settings.apart
    assert {"stellar": {"beta": 4.0, "anchor": ["gamma", "alpha-1"]}, "stella": {"beta": 4.0}} == run.ratings
    assert [("gamma", "alpha-1"), ("beta", "beta-1")] == [(bot["name"], bot["version"]) for bot in run.bots]
