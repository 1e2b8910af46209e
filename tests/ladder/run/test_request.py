"""What a run is asked to play: contests, settings that are stored, and commands that differ."""

import re
from contextlib import nullcontext

import msgspec
import pytest
from msgspec import UNSET
from support import ladders
from support.games import only
from support.records import a_match, a_run
from support.taken_in import make_unfit, take_in

from engines import GAMES, deal_digest, template
from ladder.contest.bot_limits import limits_told
from ladder.contest.keys import secret_of_seed
from ladder.errors import LadderError, NotFound, UsageProblem
from ladder.home.home import open_home
from ladder.registry.version import Version
from ladder.run.playing import Means
from ladder.run.request import AskedRun, begin, differences, new_run
from ladder.run.run_options import RunRequest
from ladder.run.run_plan import rests_on_ratings
from ladder.run.session import play
from ladder.run.setup import setup_of
from ladder.run.shard import Shard
from ladder.run.stored_run import changes
from ladder.sandbox.confinement import Confinement
from results.rating import draw_probability
from results.rating.parameters import Parameters
from results.record import Block, Contest, DuelTerms, RunSettings, encode_block
from results.storage.store import Store
from results.storage.unrated import unrated_store

NO_TIER = '[sandbox]\ntier = "none"\n'


class Toy(template.Toy):
    seats = range(3, 5)


@pytest.fixture(autouse=True)
def only_stellar():
    """Let there be one game."""
    with only("stellar"):
        yield


@pytest.fixture
def home(tmp_path):
    return ladders.a_home(tmp_path / "home", settings=NO_TIER)


def begun(home, **asked):
    """Begin a run and end it, so that the next may begin."""
    return begun_of(home, RunRequest(**asked))


def begun_of(home, request):
    store = Store(home.results)
    with store.lock():
        run = begin(home, store, request)
        store.abandon(run.run)
    return run


def test_what_has_changed_since_a_run_began_is_told_of_its_own_games_only(home):
    run = begun(home, game=("stellar",))
    assert [] == changes(run)
    other = {"python": "2.7", "ladder": "0.0.1", "game chess": "9"}
    assert [] == changes(msgspec.structs.replace(run, versions=run.versions | other))
    older = {key: version for key, version in run.versions.items() if key != "format"}
    assert [] == changes(msgspec.structs.replace(run, versions=older))  # there was one format then
    older.pop("plan")
    assert ["the plan of blocks was version 1, now 5"] == changes(
        msgspec.structs.replace(run, versions=older)
    )
    changed = msgspec.structs.replace(run, versions=run.versions | {"game stellar": "0", "format": "2"})
    duel = msgspec.structs.replace(run, settings=RunSettings(duel=DuelTerms(alpha=0.05)))
    assert ["duels have had other rules since"] == changes(duel)
    assert ["stellar was version 0, now 1", "the format of results was version 2, now 1"] == changes(changed)


def contests(run):
    return list(run.settings.contests)


def names_of(run):
    return [bot["name"] for bot in run.bots]


def with_settings(home, text):
    (home.path / "ladder.toml").write_text(NO_TIER + text)
    return open_home(home.path)


# -- the same command


def test_the_same_command_is_known_however_it_is_written(home):
    run = begun(home, bots=("first", "last"), game=("stellar",), seed=1)
    assert [] == differences(RunRequest(bots=("last", "first"), game=("stellar",), seed=1), run)
    assert [] == differences(RunRequest(bots=("first", "last"), game=("stellar",), games=1000, seed=1), run)


def test_every_difference_of_a_command_is_told(home):
    run = begun(home, bots=("first", "last"), games=20, seed=1)
    assert [
        "BOT... was first last, now not given",
        "--game was not given, now stellar",
        "--games was 20, now not given",
        "--for was not given, now 60.0",
        "--seed was 1, now not given",
        "--schedule was not given, now round-robin",
    ] == differences(RunRequest(game=("stellar",), seconds=60.0, schedule="round-robin"), run)


# -- what is stored


def test_a_run_stores_all_that_its_matches_follow_from(home):
    run = begun(home, games=100, seed=7)
    assert (1, secret_of_seed(7).hex()) == (run.run, run.secret)
    assert ((50,), (16,)) == (run.settings.blocks, run.settings.epochs)
    assert [Contest("stellar", 2, {"face_down_number": "printed"}, (0, 1, 2, 3))] == contests(run)
    assert ["first", "last", "mixed", "plain"] == names_of(run)
    assert "adaptive" == run.settings.schedule
    assert {"stellar"} == run.ratings.keys()
    assert {"ladder", "python", "msgspec", "pyarrow", "trueskill", "game stellar"} <= run.versions.keys()


def test_a_secret_is_drawn_for_every_run_that_names_no_seed(home):
    secrets = {begun(home).secret for _ in range(3)}
    assert 3 == len(secrets)
    assert {32} == {len(secret) for secret in secrets}


def test_a_run_by_matches_and_clock_has_both_limits_and_the_shorter_epochs(home):
    def limits(**asked):
        settings = begun(home, **asked).settings
        return settings.blocks, settings.for_s, settings.epochs, settings.asked.games

    assert ((30,), 90.0, (16,), 60) == limits(games=60, seconds=90.0)
    assert ((500_000,), 90.0, (256,), 1_000_000) == limits(games=1_000_000, seconds=90.0)
    assert ((500_000,), None, (4_096,), 1_000_000) == limits(games=1_000_000)
    assert (None, 90.0, (256,), None) == limits(seconds=90.0)


def test_a_limit_on_the_whole_match_travels_with_the_run_and_is_absent_where_there_is_none(home):
    assert "match_s" not in begun(home).settings.limits
    run = begun(with_settings(home, "[limits]\nmatch_s = 30\nmove_ms = 5"))
    assert 30 == run.settings.limits["match_s"]
    told = limits_told(setup_of(home, run, 1).settings, "x", ["stellar"])
    assert (30, 5) == (told.match_s, told.move_ms), "whatever the settings are when it is continued"


def test_the_homes_settings_go_into_the_run(home):
    home = with_settings(
        home,
        """
        [run]
        schedule = "round-robin"
        [games.stellar.options]
        face_down_number = "three"
        [limits]
        move_ms = 77
        [ratings.stellar]
        draw_probability = 0.2
        """,
    )
    run = begun(home)
    assert "round-robin" == run.settings.schedule
    assert "adaptive" == begun(home, schedule="adaptive").settings.schedule
    assert {"face_down_number": "three"} == contests(run)[0].options
    assert 77 == run.settings.limits["move_ms"]
    assert {"beta": 25 / 6, "draw_probability": 0.2, "fixed_draws": [0]} == run.ratings["stellar"]


def test_an_anchor_and_draws_by_table_size_go_into_the_run(home):
    version = home.roster.find("first").version
    text = """
    [ratings.stellar]
    draw_probability = {{2 = 0.25}}
    anchor = "{}"
    anchor_rating = 20.0
    """
    run = begun(with_settings(home, text.format("first@1")))
    expected = {"beta": 25 / 6, "draw_probability": {"0": 0.022, "2": 0.25}, "fixed_draws": [2]}
    assert expected | {"anchor": ["first", version], "anchor_rating": 20.0} == run.ratings["stellar"]
    assert ("first", version) == Parameters.read(run.ratings["stellar"]).anchor


def test_an_anchor_that_is_not_here_goes_into_the_run_without_a_line_of_the_log(home, caplog):
    run = begun(with_settings(home, '[ratings.stellar]\nanchor = "nobody@1"'))
    assert ["nobody", "1"] == run.ratings["stellar"]["anchor"]
    assert "nobody" not in caplog.text  # `ladder run` says it at its end: ladder.home.anchor_settings


def test_draws_are_measured_from_the_runs_before_and_not_for_a_shard(home, monkeypatch):
    monkeypatch.setattr(draw_probability, "MEASURED_FROM", 20)
    store = Store(home.results)
    with store.lock():
        store.begin(a_run())
        for number in range(10):
            tied = [a_match(2 * number + i, ranks=(1, 1), block=number, rotation=i) for i in range(2)]
            store.append(number, encode_block(Block(number, tied, [])))
        store.finish(1, 10)
    draws = begun(home).ratings["stellar"]["draw_probability"]
    assert 0.022 == draws["0"]
    assert 0.85 <= draws["2"] <= 0.9
    shard = begun(home, shard=Shard(1, 2), seed=1, schedule="round-robin", games=40)
    assert 0.022 == shard.ratings["stellar"]["draw_probability"]
    monkeypatch.setattr(draw_probability, "MEASURED_FROM", 21)
    assert 0.022 == begun(home).ratings["stellar"]["draw_probability"]


def test_workers_are_told_where_the_runs_own_versions_lie(home):
    run = begun(home, bots=("first", "last"))
    ladders.enlist(home, "first", {"style": "last"})
    setup = setup_of(home, run, 8)
    assert [bot["version"] for bot in run.bots] == [bot.version for bot in setup.bots]
    assert [True, True] == [str(home.path / "bots") in bot.folder for bot in setup.bots]
    assert (8, bytes.fromhex(run.secret)) == (setup.in_progress, setup.secret)
    assert {"first", "last"} == {id_.partition("@")[0] for id_ in setup.passed}


# -- who plays what


def test_named_bots_play_and_no_others(home):
    old = home.roster.find("first")
    new = ladders.enlist(home, "first", {"style": "last"})
    run = begun(home, bots=(old.id, "first", "plain"))
    assert [old.version, new.version] == [bot["version"] for bot in run.bots[:2]]
    assert ["first", "first", "plain"] == names_of(run)


# -- gauntlet, and until the order is known


def test_in_a_gauntlet_the_first_bot_plays_against_all_others_or_those_that_are_named(home):
    run = begun(home, schedule="gauntlet", bots=("mixed",))
    assert ["mixed", "first", "last", "plain"] == names_of(run)
    assert "gauntlet" == run.settings.schedule
    assert ["plain", "last"] == names_of(begun(home, schedule="gauntlet", bots=("plain", "last")))


def test_a_version_in_a_gauntlet_plays_against_the_newest_of_its_name_too(home):
    old = home.roster.find("first")
    new = ladders.enlist(home, "first", {"style": "last"})
    run = begun(home, schedule="gauntlet", bots=(old.id,))
    assert [old.version, new.version] == [bot["version"] for bot in run.bots[:2]]
    assert ["first", "first", "last", "mixed", "plain"] == names_of(run)


def test_another_bot_of_the_gauntlet_is_another_command_and_another_order_of_its_opponents_is_not(home):
    run = begun(home, schedule="gauntlet", bots=("plain", "last", "first"))
    asked = {"schedule": "gauntlet", "games": 1_000}
    assert [] == differences(RunRequest(bots=("plain", "first", "last"), **asked), run)
    assert ["BOT... was plain first last, now last first plain"] == differences(
        RunRequest(bots=("last", "first", "plain"), **asked), run
    )


def test_a_gauntlet_needs_its_bot_and_a_game_that_it_plays(home, monkeypatch):
    for ask in (new_run, begun_of):
        with pytest.raises(UsageProblem, match="--schedule gauntlet needs the bot") as caught:
            ask(home, RunRequest(schedule="gauntlet"))
        assert "ladder run --schedule gauntlet BOT" in caught.value.hint
        with pytest.raises(UsageProblem, match="does not fit --schedule gauntlet"):
            ask(home, RunRequest(schedule="gauntlet", bots=("last",), until="order"))
    monkeypatch.setitem(GAMES, "toy", Toy())
    ladders.enlist(home, "player", {})
    monkeypatch.setattr(Version, "plays", lambda bot, game, *_: (bot.bot, game) != ("player", "toy"))
    run = begun(home, schedule="gauntlet", bots=("player",))
    assert ["stellar"] == [contest.game for contest in contests(run)]
    (left_out,) = run.settings.left_out
    assert re.fullmatch(r"player@\w+ does not play toy: it plays stellar", left_out)
    with pytest.raises(UsageProblem, match=r"player@\w+ does not play toy: it plays stellar") as caught:
        begun(home, schedule="gauntlet", bots=("player",), game=("toy",))
    assert "name another game" in caught.value.hint


def test_a_run_stores_what_ends_it_and_without_it_is_another_command(home):
    run = begun(home, until="order")
    assert "order" == run.settings.until
    assert ["--until was order, now not given"] == differences(RunRequest(games=1_000), run)
    assert begun(home).settings.until is None


def test_the_plan_of_a_run_rests_on_ratings_if_it_is_adaptive_or_ends_by_them():
    assert rests_on_ratings(RunSettings())
    assert not rests_on_ratings(RunSettings(schedule="round-robin"))
    assert not rests_on_ratings(RunSettings(schedule="gauntlet"))
    assert rests_on_ratings(RunSettings(schedule="round-robin", until="order"))


def test_a_gauntlet_cannot_be_a_setting_of_the_home(home):
    with pytest.raises(UsageProblem, match="gauntlet"):
        with_settings(home, '[run]\nschedule = "gauntlet"\n')


@pytest.mark.parametrize(
    ("asked", "what"),
    [
        ({"bots": ("first", "first@1", "last")}, "is named twice"),
        ({"bots": ("frist", "last")}, r"there is no bot 'frist' \(did you mean 'first'\?\)"),
        ({"bots": ("first",)}, r"stellar needs 2 bots, but those that play it are: first$"),
        ({"game": ("stelar",)}, r"there is no game 'stelar' \(did you mean 'stellar'\?\)"),
    ],
)
def test_what_cannot_be_played_is_refused_with_what_was_meant(home, asked, what):
    with pytest.raises((UsageProblem, NotFound), match=what):
        begun(home, **asked)


def test_a_game_that_is_named_twice_is_played_once(home):
    assert 1 == len(contests(begun(home, game=("stellar", "stellar"))))


def test_bots_play_only_the_games_of_their_manifests(home, monkeypatch):
    monkeypatch.setitem(GAMES, "toy", Toy())
    program = home.path.parent / "player.py"
    for name, games in (("a", ("toy",)), ("b", ("stellar", "toy"))):
        manifest = msgspec.structs.replace(home.roster.find("first").manifest, name=name, games=games)
        home.roster.stage(program, manifest, {}, Confinement("none")).accept()
    run = begun(home, games=90)
    names = names_of(run)
    assert {
        ("stellar", 2): {"b", "first", "last", "mixed", "plain"},
        ("toy", 3): {"a", "b", "first", "last", "mixed", "plain"},
        ("toy", 4): {"a", "b", "first", "last", "mixed", "plain"},
    } == {(c.game, c.seats): {names[bot] for bot in c.bots} for c in contests(run)}
    assert (23, 8, 6) == run.settings.blocks


def test_games_and_tables_for_which_there_are_too_few_bots_are_left_out_with_a_line(home, monkeypatch):
    monkeypatch.setitem(GAMES, "toy", Toy())
    three = ("first", "last", "plain")
    run = begun(home, bots=three)
    assert [2, 3] == [contest.seats for contest in contests(run)]
    assert ("toy at tables of 4: too few bots play it (first, last, plain)",) == run.settings.left_out
    run = begun(home, bots=three[:2])
    assert [2] == [contest.seats for contest in contests(run)]
    assert ("toy needs 3 bots, but those that play it are: first, last",) == run.settings.left_out
    with pytest.raises(UsageProblem, match="toy needs 3 bots"):
        begun(home, bots=three[:2], game=("toy",))


def test_a_bot_sits_only_at_tables_of_the_sizes_that_it_plays(home, monkeypatch):
    monkeypatch.setitem(GAMES, "toy", Toy())
    make_unfit(home.roster, "first", "toy/3")
    make_unfit(home.roster, "last", "toy/4")
    run = begun(home, game=("toy",))
    names = names_of(run)
    assert {3: ["last", "mixed", "plain"]} == {c.seats: [names[bot] for bot in c.bots] for c in contests(run)}
    assert ("toy at tables of 4: too few bots play it (first, mixed, plain)",) == run.settings.left_out
    with pytest.raises(UsageProblem, match="toy needs 4 bots, but those that play it are: first, mixed, pl"):
        begun(home, game=("toy",), seats=(4,))


def test_a_gauntlet_leaves_out_sizes_that_its_bot_does_not_play(home, monkeypatch):
    monkeypatch.setitem(GAMES, "toy", Toy())
    make_unfit(home.roster, "first", "toy/4")
    run = begun(home, schedule="gauntlet", bots=("first",), game=("toy",))
    assert [3] == [contest.seats for contest in contests(run)]
    told = "toy at tables of 4: the bot of the gauntlet, first (3 seats), does not play there"
    assert (told,) == run.settings.left_out
    with pytest.raises(UsageProblem, match=r"first@\w+ plays toy at tables of 3, not of 4"):
        begun(home, schedule="gauntlet", bots=("first",), game=("toy",), seats=(4,))


def test_table_sizes_may_be_chosen(home, monkeypatch):
    monkeypatch.setitem(GAMES, "toy", Toy())
    home = with_settings(home, "[run]\nseats = [3]")
    assert [("toy", 3)] == [(contest.game, contest.seats) for contest in contests(begun(home))]
    with pytest.raises(UsageProblem, match="stellar is for 2 seats, not for 3"):
        begun(home, game=("stellar",))
    assert [4] == [contest.seats for contest in contests(begun(home, seats=(4,)))]
    with pytest.raises(UsageProblem, match="stellar is for 2 seats, not for 4"):
        begun(home, game=("stellar",), seats=(4,))


# -- rule options


def test_an_option_of_the_command_line_goes_before_the_settings(home):
    home = with_settings(home, '[games.stellar.options]\nface_down_number = "three"')
    typed = ("stellar.face_down_number=printed",)
    assert {"face_down_number": "three"} == contests(begun(home))[0].options
    assert {"face_down_number": "printed"} == contests(begun(home, options=typed))[0].options
    short = begun(home, game=("stellar",), options=("face_down_number=printed",))
    assert {"face_down_number": "printed"} == contests(short)[0].options


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("face_down_number", r"expected GAME\.OPTION=VALUE, got: 'face_down_number'"),
        ("=x", r"expected GAME\.OPTION=VALUE"),
        ("face_down_number=three", r"expected GAME\.OPTION=VALUE"),
        ("stellar.face_down=three", r"stellar\.face_down is unknown \(did you mean 'face_down_number'\?\)"),
        ("stellar.face_down_number=two", "face_down_number cannot be two, only printed or three"),
    ],
)
def test_an_option_that_cannot_be_meant_is_refused_with_the_reason(home, option, said):
    with pytest.raises(UsageProblem, match=said):
        begun(home, options=(option,))


def test_an_option_of_an_unknown_game_or_of_one_that_is_not_played_is_refused(home, monkeypatch):
    with pytest.raises(NotFound, match=r"there is no game 'stelar' \(did you mean 'stellar'\?\)"):
        begun(home, options=("stelar.x=1",))
    monkeypatch.setitem(GAMES, "toy", Toy())
    with pytest.raises(UsageProblem, match="--option names toy, which is not played"):
        begun(home, game=("stellar",), options=("toy.rounds=3",))
    with pytest.raises(UsageProblem, match=r"--option stellar\.face_down_number is given twice"):
        begun(home, options=("stellar.face_down_number=three",) * 2)


class WithDeck(Toy):
    """A game with an option that takes a table."""

    name = "decked"
    custom = {"deck": lambda table: checked(table)}  # noqa: RUF012  # as every game has them


def checked(table):
    if "cards" not in table:
        raise ValueError("expected cards in the deck")


def test_a_table_is_read_from_its_file_and_kept_by_its_hash(home, monkeypatch, tmp_path):
    monkeypatch.setitem(GAMES, "decked", WithDeck())
    file = tmp_path / "my deck.toml"
    file.write_text("cards = [1, 2]\n")
    run = begun(home, game=("decked",), options=(f"deck={file}",))
    key = deal_digest({"cards": [1, 2]})
    assert {key: {"cards": [1, 2]}} == run.settings.tables
    assert {"rounds": 2, "deck": {"sha256": key}} == contests(run)[0].options
    file.unlink()  # the run has it
    assert {"cards": [1, 2]} == setup_of(home, run, 1).contests[0].options["deck"]


def test_a_table_in_the_settings_lies_beside_them_or_in_them(home, monkeypatch):
    monkeypatch.setitem(GAMES, "decked", WithDeck())
    (home.path / "deck.toml").write_text("cards = [3]\n")
    beside = with_settings(home, '[games.decked.options]\ndeck = "deck.toml"')
    assert {"cards": [3]} == beside.options("decked")["deck"]
    inside = with_settings(home, "[games.decked.options.deck]\ncards = [4]")
    assert {"cards": [4]} == inside.options("decked")["deck"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, r"--option decked\.deck: .*deck\.toml cannot be read: .*No such"),
        ("cards", r"deck\.toml cannot be read: Expected '='"),
        ("crds = []", r"--option decked\.deck \(.*deck\.toml\): expected cards in the deck"),
    ],
)
def test_a_table_that_cannot_be_read_or_played_with_is_refused(home, monkeypatch, tmp_path, text, said):
    monkeypatch.setitem(GAMES, "decked", WithDeck())
    if text:
        (tmp_path / "deck.toml").write_text(text)
    with pytest.raises(UsageProblem, match=said):
        begun(home, options=(f"decked.deck={tmp_path / 'deck.toml'}",))


# -- epochs


def epochs_of(home, **asked):
    return begun(home, **asked).settings.epochs


def home_of(path, *think_ms, settings=""):
    """Return a home with a bot for each time that a manifest says, or UNSET."""
    home = ladders.a_home(path, {}, settings)
    for number, each in enumerate(think_ms):
        ladders.enlist(home, f"bot{number}", {}, think_ms=each)
    return home


def test_epochs_are_short_where_all_manifests_say_that_bots_are_fast(tmp_path):
    asked = {"game": "stellar", "games": 2_000}
    slow, mixed = home_of(tmp_path / "slow", UNSET, UNSET), home_of(tmp_path / "mixed", 51, 0)
    assert (50,) == epochs_of(slow, **asked) == epochs_of(mixed, **asked)
    assert (64,) == epochs_of(slow, schedule="round-robin", **asked)
    assert (32,) == epochs_of(slow, until="order", **asked) == epochs_of(slow, within=2.0, **asked)
    assert (256,) == epochs_of(slow, game="stellar", seconds=60.0)
    fast = home_of(tmp_path / "fast", 50, 0)
    assert (16,) == epochs_of(fast, **asked) == epochs_of(fast, until="order", **asked)
    assert (64,) == epochs_of(fast, schedule="round-robin", **asked)
    assert (32,) == epochs_of(fast, game="stellar", seconds=60.0)


def test_limits_say_of_all_bots_that_they_are_fast(tmp_path):
    asked = {"game": "stellar", "games": 2_000}
    limits = "[limits]\nmove_ms = 40\nbank_ms = {}\n"
    fast = home_of(tmp_path / "fast", UNSET, UNSET, settings=limits.format(10))
    slow = home_of(tmp_path / "slow", UNSET, UNSET, settings=limits.format(11))
    assert [(16,), (50,)] == [epochs_of(home, **asked) for home in (fast, slow)]


# -- bots on other machines


@pytest.fixture
def remote(home, monkeypatch):
    """Take in a remote bot; its client is connected if it stands in the list that is returned."""
    (folder := home.path.parent / "mine").mkdir()
    (folder / "bot.toml").write_text('name = "mine"\nremote = true\n')
    take_in(home.roster, folder)
    there: list[str] = []
    monkeypatch.setattr("ladder.run.request.list_present", lambda path: there)
    return there


def test_rated_runs_leave_remote_bots_out_unless_they_are_allowed(home, remote):
    remote.append("mine")
    assert ("mine: it is remote, and [run] remote is not true",) == begun(home).settings.left_out
    with pytest.raises(UsageProblem, match="mine cannot play: it is remote") as caught:
        begun(home, bots=("mine", "first"))
    assert "ladder duel" in caught.value.hint
    (home.path / "ladder.toml").write_text(f"[run]\nremote = true\n{NO_TIER}")
    run = begun(open_home(home.path))
    assert () == run.settings.left_out
    assert ["mine"] == [bot["name"] for bot in run.bots if bot.get("remote")]


def test_a_run_lists_remote_bots_whose_clients_are_connected(home, remote):
    assert ("mine: its client is not connected",) == new_run(home, RunRequest(unrated=True)).settings.left_out
    with pytest.raises(UsageProblem, match="mine cannot play: its client is not connected"):
        new_run(home, RunRequest(unrated=True, bots=("mine", "first")))


def test_a_remote_bot_has_a_clock_of_its_own(home, remote):
    remote.append("mine")
    settings = new_run(home, RunRequest(unrated=True)).settings
    for bot, clock in (("mine", (30_000, 10_000, 60_000)), ("first", (10_000, 1_000, 10_000))):
        told = limits_told(settings, bot, ("stellar",))
        assert clock == (told.start_ms, told.move_ms, told.bank_ms)
    settings = new_run(home, RunRequest(unrated=True, limits=("move_ms=7",))).settings
    assert 7 == limits_told(settings, "mine", ("stellar",)).move_ms
    (home.path / "ladder.toml").write_text(
        f"[limits.remote]\nmove_ms = 5\n[limits.bots.mine]\nbank_ms = 6\n{NO_TIER}"
    )
    settings = new_run(open_home(home.path), RunRequest(unrated=True)).settings
    assert {"mine": {"start_ms": 30_000, "move_ms": 5, "bank_ms": 6}} == settings.apart.bots
    assert new_run(home, RunRequest(unrated=True, bots=("first", "last"))).settings.apart is None


def test_a_remote_bot_has_as_many_seats_as_one_with_the_network(home, remote):
    for text, seats in (("", 8), ("[limits.remote]\ntables = 3\n", 3)):
        (home.path / "ladder.toml").write_text(text + NO_TIER)
        (cap,) = open_home(home.path).settings.caps_of(home.roster.active())
        assert seats == cap.seats


def test_workers_of_a_cluster_do_without_remote_bots(home, remote):
    remote.append("mine")
    told = []

    def open_executor(setup):
        raise LadderError("no cluster here", "")

    asked = AskedRun(RunRequest(unrated=True))
    means = Means(open_executor=open_executor, cluster="tcp://127.0.0.1:9")
    with pytest.raises(LadderError, match="no cluster here"):
        play(nullcontext(home), asked, means, lambda *_: None, told.append)
    (run,) = unrated_store(home.results, "d1").runs()
    assert ["mine"] == [bot.name for bot in run.settings.without]
    assert any(f"left out: {run.settings.without[0].name}@" in str(event) for event in told)
