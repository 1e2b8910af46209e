"""Who plays what: the sentences that all commands share."""

import re

import msgspec
import pytest
from support import ladders
from support.command_line import run_here
from support.here import play_commands_here
from support.taken_in import make_unfit, take_in

from engines import GAMES
from ladder.errors import LadderError, UsageProblem
from ladder.registry.bot_manifest import BotManifest
from ladder.run.who_plays import WantedTables, offer_tables, who_plays
from results.storage.store import Store
from results.storage.unrated import unrated_stores

QUEST = ("--game", "stella-quest")
CUP = ("tournament", "new", "cup", *QUEST, "--blocks", 1, "--stages", "swiss:2", "--seats")
STELLA = {"stella": GAMES["stella"].seats}


@pytest.fixture
def home(tmp_path):
    return ladders.a_home(tmp_path / "home")


def bots(home, *names):
    return [home.roster.find(name) for name in names or ("first", "last", "mixed", "plain")]


def test_the_games_are_those_that_are_named_or_those_of_the_settings(home):
    assert ["stella", "stellar"] == [*offer_tables(home, ["stella", "stellar", "stella"])]
    assert ["stellar"] == [*offer_tables(home, [])]
    with pytest.raises(UsageProblem, match="there is no game 'stela'"):
        offer_tables(home, ["stela"])


def test_a_table_has_all_bots_that_play_there_and_a_size_with_too_few_is_told(home):
    found = who_plays(home, WantedTables(sizes=STELLA, named=True), bots(home))
    assert [(3, (0, 1, 2, 3)), (4, (0, 1, 2, 3))] == [(of.seats, of.bots) for of in found.contests]
    assert ("stella at tables of 5, 6: too few bots play it (first, last, mixed, plain)",) == found.left_out


def test_bots_that_must_sit_at_every_table_decide_its_size(home):
    make_unfit(home.roster, "first", "stella/3")
    tables = WantedTables(sizes=STELLA, named=True, smallest=True)
    found = who_plays(home, tables, bots(home), must=2, choose=lambda game, seats, others: others[1:])
    assert [(4, (0, 1, 2))] == [(of.seats, of.bots) for of in found.contests]
    assert ["first", "last", "plain"] == [bot.bot for bot in found.bots], "who sits nowhere does not play"


@pytest.mark.parametrize("must", [0, 2])
@pytest.mark.parametrize(
    ("names", "asked", "said"),
    [
        (("first", "last", "first"), {}, r"first@\w+ is named twice"),
        (("first", "last"), {}, "stella needs 3 bots, but those that play it are: first, last"),
        (("first", "last", "plain"), {"seats": (7,)}, "stella is for 3, 4, 5, 6 seats, not for 7"),
    ],
)
def test_whatever_is_asked_for_is_refused_in_the_same_words(home, must, names, asked, said):
    with pytest.raises(UsageProblem) as refused:
        who_plays(home, WantedTables(sizes=STELLA, named=True, **asked), bots(home, *names), must=must)
    assert re.fullmatch(said, str(refused.value))
    assert refused.value.hint


def test_a_bot_that_must_play_and_does_not_is_named(home):
    first, last = bots(home, "first", "last")
    idle = msgspec.structs.replace(first, unfit=tuple(GAMES))
    both = [idle, last]
    with pytest.raises(UsageProblem, match=rf"{first.id} does not play stella: it plays none"):
        who_plays(home, WantedTables(sizes=STELLA, named=True), both, must=2, guests=both)
    with pytest.raises(UsageProblem, match=f"there is no game that both play: {first.id} plays none; last@"):
        who_plays(home, WantedTables(sizes=STELLA, named=False), both, must=2, guests=both)


@pytest.mark.parametrize(
    ("seats", "unfit", "told"),
    [
        ((3,), ("first",), "stella: no table for first (4, 5, 6 seats)"),
        ((3,), ("first", "last"), "stella needs 3 bots, but those that play it are: mixed, plain; at other"),
        ((3, 4), ("first", "last"), "stella at tables of 3: too few bots play it (mixed, plain)"),
        (
            (3,),
            ("first", "last", "mixed", "plain"),
            "no bot plays it; at other tables: first (4, 5, 6 seats)",
        ),
    ],
)
def test_bots_that_find_no_table_are_named_with_the_sizes_that_they_play(home, seats, unfit, told):
    for name in unfit:
        make_unfit(home.roster, name, "stella/3")
    asked = WantedTables(sizes=STELLA, named=True, seats=seats)
    try:
        said = "; ".join(who_plays(home, asked, bots(home)).left_out)
    except UsageProblem as refused:
        said = str(refused)
    assert told in said


def test_two_bots_without_a_size_in_common_are_named_with_theirs(home):
    make_unfit(home.roster, "first", "stella/3", "stella/4")
    make_unfit(home.roster, "last", "stella/5", "stella/6")
    both = bots(home, "first", "last")
    with pytest.raises(UsageProblem, match=r"last@\w+ plays stella at tables of 3, 4, not of 5"):
        who_plays(home, WantedTables(STELLA, named=True, smallest=True), both, must=2)
    with pytest.raises(
        UsageProblem, match=r"first@.*, stella \(5, 6 seats\); last@.*, stella \(3, 4 seats\)"
    ):
        who_plays(home, WantedTables(STELLA, named=False, smallest=True), both, must=2)


@pytest.mark.parametrize(
    ("commands", "sat"),
    [
        ([("run", *QUEST, "--games", 24)], {"two/2", "more/3", "more/4"}),
        ([("run", *QUEST, "--games", 8, "--schedule", "gauntlet", "two")], {"two/2"}),
        ([("run", *QUEST, "--games", 8, "--schedule", "gauntlet", "more")], {"more/3", "more/4"}),
        ([("duel", "more", "first", *QUEST, "--games", 6, "--field", "two", "--field", "last")], {"more/3"}),
        ([(*CUP, 2), ("tournament", "run", "cup")], {"two/2"}),
        ([(*CUP, 3), ("tournament", "run", "cup")], set()),
    ],
)
def test_no_command_seats_a_bot_that_ends_at_other_sizes_there(home, monkeypatch, commands, sat):
    program = home.path.parent / "player.py"
    for name, sizes in (("two", (2,)), ("more", (3, 4))):
        run, seats = ("{python}", "-S", "player.py"), {"stella-quest": sizes}
        take_in(home.roster, program, BotManifest(name, run, seats=seats, config={"only": sizes}))
    play_commands_here(monkeypatch)
    for command in commands:
        done = run_here(*command, "--home", home.path)
        assert done.code in (0, 6), done.err  # 6: too few matches for a verdict
    found: set[str] = set()
    for store in [Store(home.results), *unrated_stores(home.results).values()]:
        for match in store.contents().matches(["seats"]).to_pylist():
            found |= {f"{seat['bot']}/{len(match['seats'])}" for seat in match["seats"]}
            assert [] == [seat for seat in match["seats"] if seat["fault"]]
    assert sat == {each for each in found if each.startswith(("two", "more"))}
    assert found


def test_a_bot_that_has_not_tried_a_game_is_told(home):
    first, last, plain = bots(home, "first", "last", "plain")
    new = msgspec.structs.replace(first, tried=())
    found = who_plays(home, WantedTables(sizes=STELLA, named=True), [new, last, plain])
    assert [(new.id, ("stella",))] == [(version.id, games) for version, games in found.untried]


def test_files_that_were_changed_are_found_except_those_of_guests(home):
    (first,) = bots(home, "first")
    for file in home.roster.path.glob("first/*/files/player.py"):
        file.write_text("pass")
    tables = WantedTables(sizes=STELLA, named=True)
    with pytest.raises(LadderError, match="is not what was submitted"):
        who_plays(home, tables, [first], least=1)
    assert (first,) == who_plays(home, tables, [first], least=1, guests=[first]).bots
