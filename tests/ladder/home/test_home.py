"""Homes: where they are found, how they are made, what their settings may say."""

import pickle
import re
import tomllib
from pathlib import Path

import msgspec
import pytest
from msgspec import UNSET
from msgspec.structs import asdict
from support.records import a_block, a_run
from support.stores import stored

from engines import GAMES
from ladder.errors import LadderError, RefusedBot, UsageProblem
from ladder.home.home import (
    DEFAULT,
    confine_home,
    confinement_of,
    create_home,
    find_home,
    house_bots,
    open_home,
)
from ladder.home.settings import TEMPLATE, AllLimits, LimitSettings, SandboxSettings, Settings
from ladder.process import tiers
from ladder.registry.bot_manifest import BOT_MB, BotManifest, read_manifest
from protocol.messages import Limits
from results.storage.store import Store


def a_home(path, settings=""):
    create_home(path)
    (path / "ladder.toml").write_text(settings)
    return path


def everything(path):
    return sorted(str(p.relative_to(path)) for p in path.rglob("*"))


# -- finding


def test_a_home_that_is_named_is_taken_as_named(tmp_path):
    assert tmp_path / "nowhere" == find_home(tmp_path / "nowhere")


def test_a_home_is_found_upwards(tmp_path, monkeypatch):
    a_home(tmp_path / "outer")
    inner = a_home(tmp_path / "outer" / "bots" / "inner")
    for here, home in ((inner / "results", inner), (inner, inner), (inner.parent, tmp_path / "outer")):
        monkeypatch.chdir(here)
        assert home == find_home(None)


def test_without_a_home_upwards_it_is_ladder_home_here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert Path("ladder-home") == DEFAULT == find_home(None)


# -- making


def test_a_new_home_has_settings_and_room_for_bots_and_results(tmp_path):
    home = create_home(tmp_path / "a" / "b")
    assert ["bots", "ladder.toml", "results"] == everything(home.path)
    assert [] == home.roster.versions()


def test_a_new_home_has_the_default_settings_and_says_what_they_are(tmp_path):
    assert Settings() == create_home(tmp_path / "x").settings
    said = tomllib.loads(re.sub(r"^# (?=\w+ = |\[)", "", TEMPLATE, flags=re.MULTILINE))
    remote = said["limits"].pop("remote")
    for section in ("limits", "run"):
        for key in said[section].keys() - {"games", "seats", "processes", "tls", "bots"}:
            assert getattr(getattr(Settings(), section), key) == said[section][key], key
    assert {"start_ms": 30_000, "move_ms": 10_000, "bank_ms": 60_000} == remote
    (tmp_path / "x" / "ladder.toml").write_text(re.sub(r"^# (?=\w+ = |\[)", "", TEMPLATE, flags=re.MULTILINE))
    assert {"face_down_number": "printed"} == open_home(tmp_path / "x").options("stellar")


def test_an_empty_folder_may_become_a_home(tmp_path):
    assert tmp_path == create_home(tmp_path).path


def test_a_folder_with_anything_in_it_is_never_written_into(tmp_path):
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "thesis.txt").write_text("mine")
    with pytest.raises(UsageProblem, match=r"is not empty and has no ladder\.toml"):
        create_home(tmp_path / "x")
    assert ["thesis.txt"] == everything(tmp_path / "x")


def test_a_file_is_no_place_for_a_home(tmp_path):
    (tmp_path / "x").write_text("mine")
    with pytest.raises(UsageProblem, match="so a new home cannot be made there"):
        create_home(tmp_path / "x")
    with pytest.raises(LadderError, match="cannot be made") as caught:
        create_home(tmp_path / "x" / "y")
    assert 1 == caught.value.exit_code


def test_from_its_first_file_on_a_home_is_one(tmp_path, monkeypatch):
    """Whoever is killed while making a home leaves one that the same command opens."""

    def killed(path, *args, **kwargs):
        if path.name in ("bots", "results"):
            raise KeyboardInterrupt
        made(path, *args, **kwargs)

    made = Path.mkdir
    monkeypatch.setattr(Path, "mkdir", killed)
    with pytest.raises(KeyboardInterrupt):
        create_home(tmp_path / "x")
    monkeypatch.undo()
    assert [] == open_home(tmp_path / "x").roster.active()


@pytest.mark.parametrize(
    ("make", "what"), [(lambda path: None, "does not exist"), (lambda path: path.mkdir(), "is empty")]
)
def test_what_is_no_home_is_told_how_to_become_one(tmp_path, make, what):
    make(tmp_path / "x")
    with pytest.raises(UsageProblem, match=f"is not a ladder home: it {what}") as caught:
        open_home(tmp_path / "x")
    assert f"make one: ladder home init {tmp_path / 'x'}" == caught.value.hint


# -- settings


def test_settings_are_typed(tmp_path):
    settings = open_home(
        a_home(
            tmp_path / "x",
            """
            [run]
            games = ["stellar"]
            seats = [2]
            jobs = 3
            schedule = "round-robin"
            processes = 8
            [games.stellar.options]
            face_down_number = "three"
            [limits]
            move_ms = 5
            [sandbox]
            tier = "none"
            [allow]
            network = ["llm"]
            env = ["KEY"]
            build_network = true
            [ratings.stellar]
            beta = 4
            draw_probability = 0.1
            """,
        )
    ).settings
    assert (("stellar",), (2,), 3, "round-robin", 8) == (
        settings.run.games,
        settings.run.seats,
        settings.run.jobs,
        settings.run.schedule,
        settings.run.processes,
    )
    assert {"face_down_number": "three"} == settings.games["stellar"].options
    assert UNSET is settings.limits.for_hello().match_s
    assert (5, 10_000) == (settings.limits.for_hello().move_ms, settings.limits.for_hello().bank_ms)
    assert (("llm",), ("KEY",)) == (settings.allow.network, settings.allow.env)
    assert (False, True) == (Settings().allow.build_network, settings.allow.build_network)
    assert (4.0, 0.1) == (settings.ratings["stellar"].beta, settings.ratings["stellar"].draw_probability)


def test_options_that_are_not_set_are_the_games_own(tmp_path):
    assert {"face_down_number": "printed"} == create_home(tmp_path / "x").options("stellar")


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ("[rum]", r"unknown rum \(did you mean 'run'\?\)"),
        ("[run]\njbos = 1", r"unknown run\.jbos \(did you mean 'jobs'\?\)"),
        ("[limits]\nmove = 1", r"unknown limits\.move \(did you mean 'move_ms'\?\)"),
        ("[games.stelar]", r"unknown games\.stelar \(did you mean 'stellar'\?\)"),
        ("[ratings.stelar]", r"unknown ratings\.stelar \(did you mean 'stellar'\?\)"),
        ("[games.stellar]\noption = {}", r"unknown games\.stellar\.option \(did you mean 'options'\?\)"),
        (
            "[games.stellar.options]\nface_down = 1",
            r"games\.stellar\.options\.face_down is unknown \(did you mean 'face_down_number'\?\)",
        ),
        ("[ratings.stellar]\nbetta = 1", r"unknown ratings\.stellar\.betta \(did you mean 'beta'\?\)"),
        ('[run]\ngames = ["stelar"]', r"unknown run\.games: stelar \(did you mean 'stellar'\?\)"),
        (
            '[games.stellar.options]\nface_down_number = "two"',
            r"games\.stellar\.options\.face_down_number cannot be two, only printed or three",
        ),
        ('[sandbox]\ntier = "iron"', "unknown tier 'iron'"),
        ("[sandbox]\nscratch_mb = -1", r"at `\$\.sandbox\.scratch_mb`"),
        ('[run]\njobs = "two"', r"Expected `int`, got `str` - at `\$\.run\.jobs`"),
        ("[run]\njobs = -1", r"expected a whole number of at least 0 - at `\$\.run\.jobs`"),
        ("[run]\nprocesses = 1", r"expected a whole number of at least 2 - at `\$\.run\.processes`"),
        ('[run]\nschedule = "swiss"', r"Invalid enum value 'swiss' - at `\$\.run\.schedule`"),
        ('[run]\ngames = "stellar"', r"Expected `array`, got `str` - at `\$\.run\.games`"),
        ("[run]\ngames = 5", r"Expected `array`, got `int` - at `\$\.run\.games`"),
        ("run = 5", r"Expected `object`, got `int` - at `\$\.run`"),
        ("games = 5", r"Expected `object`, got `int` - at `\$\.games`"),
        ("[games]\nstellar = 5", r"Expected `object`, got `int` - at `\$\.games"),
        ("[limits]\nmove_ms = 0", r"expected a whole number of at least 1 - at `\$\.limits\.move_ms`"),
        ("[limits]\nmatch_s = 86401", r"expected a whole number of at most 86400 - at `\$\.limits\.match_s`"),
        ("[limits]\nmatch_s = -1", r"expected a whole number of at least 0 - at `\$\.limits\.match_s`"),
        ("[limits]\nbots = 5", "Expected `object`, got `int`"),
        ("[limits.bots.a]\nretries = 1", r"unknown limits\.bots\.a\.retries"),
        ("[limits]\nbot_mb = 0", r"expected a whole number of at least 1 - at `\$\.limits\.bot_mb`"),
        ("[limits.bots.a]\nmove_ms = 0", "expected a whole number of at least 1"),
        ("[limits.bots.a]\ntables = 0", r"at least 1 - at `\$\.limits\.bots"),
        ('[quota.x]\nbots = ["a"]\ntables = 0', r"at least 1 - at `\$\.quota"),
        ("[quota.x]\ntables = 2", "missing required field `bots`"),
        ('[quota.x]\nbot = ["a"]\ntables = 2', r"unknown quota\.x\.bot \(did you mean 'bots'\?\)"),
        ("[limits.games.stelar]\nmove_ms = 5", r"unknown limits\.games\.stelar \(did you mean 'stellar'\?\)"),
        ("[limits.games.stellar]\nmemory_mb = 5", r"unknown limits\.games\.stellar\.memory_mb"),
        ("[limits]\nline_bytes = 10000000", r"at `\$\.limits\.line_bytes`"),
        ("[ratings.stellar]\ndraw_probability = 0", r"Expected `float` >= "),
        ("[ratings.stellar]\ndraw_probability = {2 = 0}", r"Expected `float` >= "),
        ("[ratings.stellar]\ndraw_probability = {two = 0.1}", r"Expected `int`, got `str`"),
        ("[ratings.stellar]\nanchor_rating = inf", r"Expected `float` <= "),
        ("[serve]\nanchor = 'a@1'", r"unknown serve\.anchor"),
        ("[ratings.stellar]\ndraw_probability = nan", r"draw_probability|finite"),
        ("[ratings.stellar]\nbeta = inf", r"Expected `float` <= "),
        ("[run", "cannot be read"),
    ],
)
def test_settings_that_cannot_be_meant_are_refused_with_the_reason(tmp_path, settings, said):
    with pytest.raises(UsageProblem, match=said) as caught:
        open_home(a_home(tmp_path / "x", settings))
    assert "ladder.toml" in str(caught.value)
    assert caught.value.hint


def test_an_anchor_in_a_wrong_table_is_refused_with_the_right_one(tmp_path):
    with pytest.raises(UsageProblem) as caught:
        open_home(a_home(tmp_path / "x", '[serve]\nanchor = "random@1"'))
    assert caught.value.hint.endswith("; anchor stands below [ratings.GAME]")


def test_only_what_bot_and_home_both_name_is_passed_through(tmp_path, monkeypatch):
    monkeypatch.setenv("KEY", "1")
    monkeypatch.setenv("OTHER", "2")
    home = open_home(a_home(tmp_path / "x", '[allow]\nenv = ["KEY", "UNSET"]'))
    assert {"KEY": "1"} == home.variables_for(("KEY", "OTHER", "UNSET"))
    assert {} == home.variables_for(())


def test_every_house_bot_has_a_manifest_that_can_be_read():
    names = [read_manifest(manifest, GAMES).name for manifest in house_bots().values()]
    assert {"random", "greedy", "bold", "random-c", "random-js"} <= set(names)
    assert list(house_bots()) == names


def test_what_bots_may_read_besides_is_there_and_is_no_bots_secret(tmp_path):
    (tmp_path / "models").mkdir()
    home = open_home(a_home(tmp_path / "x", '[sandbox]\nreadable = ["../models", "/usr/share"]'))
    assert (str(tmp_path / "models"), "/usr/share") == home.readable_paths()
    for path, why in (
        ("nothing", "is not there"),
        ("..", "is more than"),
        (".", "is more than"),
        ("/", "is more than"),
    ):
        home = open_home(
            a_home(tmp_path / f"y{len(path)}{path.count('.')}", f'[sandbox]\nreadable = ["{path}"]')
        )
        with pytest.raises(UsageProblem, match=f"ladder.toml: sandbox.readable: .* {why}"):
            home.readable_paths()


def test_a_path_in_the_home_of_the_user_is_found_or_refused_with_the_line_to_type(tmp_path, monkeypatch):
    home = open_home(a_home(tmp_path / "x", '[sandbox]\nreadable = ["~/models"]'))
    (tmp_path / "models").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path))
    assert (str(tmp_path / "models"),) == home.readable_paths()
    monkeypatch.setattr("ladder.home.home.user_home", lambda: None)
    with pytest.raises(UsageProblem, match=r"sandbox\.readable: ~/models, and this user") as caught:
        home.readable_paths()
    assert 'readable = ["/home/NAME/models"]' in caught.value.hint


def test_scratch_space_is_to_be_had_in_a_sandbox_only(tmp_path):
    home = open_home(a_home(tmp_path / "x", '[sandbox]\ntier = "none"\nscratch_mb = 5'))
    with pytest.raises(LadderError, match="scratch_mb needs the tier bwrap, here it is none"):
        confine_home(home, print)


def test_a_new_home_says_of_every_limit_what_it_is_and_its_default():
    section = TEMPLATE[TEMPLATE.index("[limits]") : TEMPLATE.index("[sandbox]")]
    said = re.findall(r"^# (\w+) = (\d+) +# \S", section, re.MULTILINE)
    limits = asdict(LimitSettings()) | {"bot_mb": BOT_MB, "tables": 4}
    assert [(name, str(value)) for name, value in limits.items()] == said


def test_a_new_home_says_which_limits_hello_does_not_tell():
    (line,) = [line for line in TEMPLATE.splitlines() if line.startswith("[limits]")]
    untold = asdict(LimitSettings()).keys() - asdict(Limits()).keys()
    assert {*untold, "bot_mb"} == {*line.partition("except ")[2].split(" and ")}
    assert line.endswith("# `hello` tells bots all of them except threads and retries and bot_mb")


def test_every_limit_that_hello_tells_is_a_setting_with_the_same_default():
    assert Limits() == LimitSettings().for_hello()
    assert msgspec.UNSET is LimitSettings(match_s=0).for_hello().match_s
    assert 7 == LimitSettings(match_s=7).for_hello().match_s
    assert 0 == LimitSettings(bank_ms=0).for_hello().bank_ms


def test_a_run_holds_its_bots_to_all_limits_of_the_home_and_to_the_threads_of_the_machine():
    limits = AllLimits(move_ms=5, retries=3, threads=0)
    held = Settings(limits=limits, sandbox=SandboxSettings(freeze="on")).held_to(threads=9)
    assert msgspec.to_builtins(limits.for_hello()) == held.limits
    assert (3, 9, "on") == (held.retries, held.threads, held.freeze)
    untold = asdict(LimitSettings()).keys() - asdict(Limits()).keys()
    assert untold <= asdict(held).keys()


@pytest.mark.parametrize(
    ("last", "wanted", "broken", "tier"),
    [
        ("bwrap", "auto", (), "bwrap"),
        ("bwrap", "auto", ("bwrap",), ""),
        ("bwrap", "landlock", ("bwrap",), "landlock"),
        ("landlock", "auto", ("bwrap",), "landlock"),
        ("landlock", "auto", (), "bwrap"),
        ("landlock", "auto", ("bwrap", "landlock"), ""),
        ("none", "auto", ("bwrap", "landlock"), "none"),
    ],
)
def test_a_home_never_falls_below_the_tier_of_its_last_run(tmp_path, monkeypatch, last, wanted, broken, tier):
    def examine(tried):
        return [tiers.Weakness("start", tried not in broken, "no such luck")]

    monkeypatch.setattr(tiers, "examine_tier", examine)
    home = open_home(a_home(tmp_path / "x", f'[sandbox]\ntier = "{wanted}"'))
    stored(home.results, a_block(0, sandbox=last))
    with Store(home.results).lock() as store:
        store.begin(a_run(2))  # nothing is played yet: it says nothing
    if tier:
        assert tier == confine_home(home, print).tier
        return
    with pytest.raises(
        LadderError, match=f"the last run here was confined by {last}, and that fails now"
    ) as error:
        confine_home(home, print)
    assert 1 == error.value.exit_code
    assert 'write tier = "' in error.value.hint


def test_the_tier_that_a_command_has_found_holds_for_all_that_gets_its_home(tmp_path, monkeypatch):
    tried: list[str] = []
    monkeypatch.setattr(tiers, "examine_tier", lambda tier: tried.append(tier) or [])
    said: list[str] = []
    home = confine_home(open_home(a_home(tmp_path / "x")), said.append)
    assert ("bwrap", "bwrap") == (home.tier, confinement_of(pickle.loads(pickle.dumps(home))).tier)
    assert home == confine_home(home, said.append)
    assert (["bwrap"], []) == (tried, said)
    assert "" == home.with_tier("landlock").tier


def test_a_pattern_allows_the_network_to_the_bots_that_fit(tmp_path):
    home = open_home(a_home(tmp_path / "x", '[sandbox]\ntier = "none"\n[allow]\nnetwork = ["sage-*"]'))
    home.check_allowed(BotManifest(name="sage-1", run=("x",), network=True))
    with pytest.raises(RefusedBot, match="asks for the network") as caught:
        home.check_allowed(BotManifest(name="sage", run=("x",), network=True))
    assert 'network = ["sage-*", "sage"]' in caught.value.hint
    given = confinement_of(home).gives_network
    assert [True, False, False] == [
        given("sage-1", asked=True),
        given("sage-1", asked=False),
        given("Sage-1", asked=True),
    ]
