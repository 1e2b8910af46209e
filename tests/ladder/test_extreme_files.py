"""Settings and manifests that ask for too much: one line that says what, never a traceback or a hang."""

import contextlib
import os
import shutil
import tempfile
from datetime import date, datetime, time
from pathlib import Path
from typing import Any, get_type_hints

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.command_line import run_here
from support.taken_in import take_in

from engines import GAMES
from engines.stella.deck import checked_deck
from ladder.errors import LadderError, UsageProblem
from ladder.home.home import create_home, open_home
from ladder.home.settings import LimitSettings, Settings
from ladder.machine.toml import DEEPEST, LARGEST_FILE, depth, read_toml
from ladder.registry.bot_manifest import CONFIG_BYTES, MOST_THREADS, BotManifest, read_manifest
from ladder.registry.roster import Roster
from ladder.sandbox import TIERS, Bounds, confine, plan_of
from ladder.sandbox.confinement import Confinement
from protocol import encode
from protocol.messages import LARGEST

TOML = 'name = "some"\nrun = ["{python}", "bot.py"]\n'


def refusal(folder, name, text):
    """Return how a manifest or settings of this *text* are refused."""
    (folder / name).write_text(text)
    with pytest.raises(UsageProblem) as caught:
        read_manifest(folder, GAMES) if name == "bot.toml" else open_home(folder)
    assert caught.value.hint
    assert str(folder / name) in str(caught.value)
    assert len(str(caught.value)) < len(str(folder)) + 400
    return caught.value


# -- settings


@pytest.mark.parametrize(
    ("section", "line", "what"),
    [
        (
            "limits",
            "start_ms = 1000000000000",
            "whole number of at most 86400000 - at `$.limits.start_ms`",
        ),
        ("limits", "move_ms = 86400001", "limits.move_ms"),
        ("limits", "bank_ms = 1000000000000", "limits.bank_ms"),
        ("limits", "bank_ms = -1", "limits.bank_ms"),
        ("limits", "stderr_bytes = 1000000000000000000", "limits.stderr_bytes"),
        ("limits", "processes = 1000000000000", "limits.processes"),
        ("limits", "memory_mb = 10000000", "limits.memory_mb"),
        ("limits", "threads = 1025", "limits.threads"),
        ("limits", f"retries = {'9' * 4000}", "limits.retries"),
        ("limits", f"retries = {'9' * 5000}", "4300 digits"),
        ("run", "jobs = 4097", "run.jobs"),
        ("run", f"schedule = '{'x' * 100_000}'", "Invalid enum value 'xxx"),
        ("run", "processes = 10000000000", "run.processes"),
        ("run", "seats = [99999999999999999999]", "run.seats"),
        ("ratings.stellar", "beta = nan", "ratings[...].beta"),
        ("ratings.stellar", "beta = 1e-300", "ratings[...].beta"),
        ("ratings.stellar", "draw_probability = inf", "ratings[...].draw_probability"),
        ("sandbox", 'readable = ["a\\u0000b"]', "sandbox.readable"),
        ("games.stellar.options", "face_down_number = 2020-01-01", "face_down_number cannot be"),
        ("games.stellar.options", f"face_down_number = '{'x' * 100_000}'", "cannot be xxx"),
        ("run", f"{'k' * 1_000_000} = 1", "unknown run.kkk"),
        ("run", f"a = {'[' * 3000}{']' * 3000}", f"nested at most {DEEPEST} deep"),
        ("run", "a." * 400_000 + "a = 1", "keys of at most 64 parts"),
        ("run", "#" + "x" * LARGEST_FILE, "expected at most 1,048,576 bytes"),
    ],
)
def test_settings_beyond_their_bounds_are_refused(tmp_path, section, line, what):
    assert what in str(refusal(tmp_path, "ladder.toml", f"[{section}]\n{line}\n"))


def test_the_largest_limits_can_be_held_under_every_tier(tmp_path):
    """Nothing that the types allow is too large for poll, for the kernel, or for a bot to be told."""
    largest = {
        name: next(meta.le for meta in hint.__metadata__ if meta.le)
        for name, hint in get_type_hints(LimitSettings, include_extras=True).items()
    }
    limits = msgspec.convert(largest, LimitSettings)
    assert 2**31 > limits.start_ms  # milliseconds, for poll
    assert 2**31 > limits.move_ms + limits.bank_ms
    assert encode.hello("1", "a", ["stellar"], {}, limits.for_hello())
    bounds = Bounds(limits.memory_mb, limits.processes, scratch_mb=2**20)
    for tier in TIERS:
        with contextlib.suppress(LadderError):  # a tier that this machine does not have
            plan = plan_of(confine(tier, ["true"], tmp_path, {}, bounds=bounds), 1000)
            assert all(0 <= most < 2**63 for _, most in plan["limits"])


# -- manifests


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("threads = 99999999999999999999999999", "$.threads"),
        (f"threads = {MOST_THREADS + 1}", "Expected `int` <= 1024 - at `$.threads`"),
        ("build_timeout_s = 1000000000000", "Expected `int` <= 86400 - at `$.build_timeout_s`"),
        ("parallel = 1025", "$.parallel"),
        (f"restart = '{'x' * 100_000}'", "Invalid enum value 'xxx"),
        ("config = {x = 9223372036854775808}", "whole numbers within 2**53 of zero in `config`, got: 9223"),
        (f"config = {{x = {LARGEST + 1}}}", "within 2**53"),
        (f"config = {{x = [[{{y = -{'9' * 4000}}}]]}}", "within 2**53"),
        ("config = {x = nan}", "expected finite numbers in `config`, got: nan"),
        ("config = {x = [1, -inf]}", "finite numbers"),
        (f"config = {{x = {'[' * 3000}{']' * 3000}}}", f"nested at most {DEEPEST} deep"),
        (f"config = {{x = {'[' * 8}{']' * 8}}}", "`config` nested at most 8 deep"),
        (f"config = {{x = '{'x' * CONFIG_BYTES}'}}", "`config` of at most 262,144 bytes"),
        (f"'{'k' * 1_000_000}' = 1", "unknown key 'kkk"),
        ("k" * 2_000_000 + " = 1", "expected at most 1,048,576 bytes"),
        ("description = 'a\\u0000'".replace("'", '"'), "$.description"),
        (f"author = '{'x' * 5000}'", "$.author"),
        (f"games = ['{'x' * 4000}']", "unknown game 'xxx"),
        (f"env = {['A'] * 257}", "$.env"),
    ],
)
def test_manifests_beyond_their_bounds_are_refused(tmp_path, line, what):
    assert what in str(refusal(tmp_path, "bot.toml", f"{TOML}{line}\n"))


def test_a_config_within_the_bounds_is_taken(tmp_path):
    nested = f"{'[' * 7}1{']' * 7}"
    (tmp_path / "bot.toml").write_text(f"{TOML}config = {{x = {nested}, y = -{LARGEST}, z = 2020-01-01}}")
    config = read_manifest(tmp_path, GAMES).config
    assert (8, -LARGEST) == (depth(config), config["y"])
    assert msgspec.json.encode(config) in encode.hello("1", "a", [], config, Settings().limits.for_hello())


@pytest.mark.parametrize("kind", ["FIFO", "device", "folder"])
def test_what_is_no_regular_file_is_never_read(tmp_path, kind):
    file = tmp_path / "bot.toml"
    if kind == "FIFO":
        os.mkfifo(file)
    elif kind == "folder":
        file.mkdir()
    else:
        file = Path("/dev/zero")
    with pytest.raises((ValueError, OSError), match=r"not a regular file|Is a directory"):
        read_toml(file)


def test_a_deck_that_has_no_end_is_refused(tmp_path):
    home = create_home(tmp_path / "home")
    (home.path / "ladder.toml").write_text('[games.stella.options]\ndeck = "/dev/zero"\n')
    with pytest.raises(UsageProblem, match="/dev/zero cannot be read: it is not a regular file"):
        open_home(home.path).options("stella")
    with pytest.raises(UsageProblem, match="/dev/zero cannot be read"):
        home.options("stella", {"deck": "/dev/zero"})


# -- threads


def a_version(home, threads, name="eager"):
    program = home.path.parent / "bot.py"
    program.write_text("from protocol.client import serve\nserve(lambda act: act.choice.options[0])\n")
    manifest = BotManifest(name, ("{python}", "bot.py"), threads=threads)
    return take_in(home.roster, program, manifest)


def test_the_operator_bounds_threads(tmp_path):
    home = create_home(tmp_path / "home")
    assert home.most_threads() >= 1
    (home.path / "ladder.toml").write_text("[limits]\nthreads = 3\n")
    home = open_home(home.path)
    home.check_allowed(BotManifest("a", ("a",), threads=3))
    with pytest.raises(UsageProblem, match=r"a asks for 4 threads, and .*ladder\.toml allows 3") as caught:
        home.check_allowed(BotManifest("a", ("a",), threads=4))
    assert "threads = 4" in caught.value.hint


@pytest.mark.usefixtures("threads")
def test_a_bot_that_was_taken_in_with_more_threads_plays_with_what_it_may_have(tmp_path):
    from support.ladders import start_run

    from ladder.run.setup import setup_of
    from ladder.worker.worker import Worker

    home = create_home(tmp_path / "home")
    for name, threads in (("eager", 64), ("modest", 1)):
        a_version(home, threads, name)
    (home.path / "ladder.toml").write_text('[limits]\nthreads = 3\n[run]\ngames = ["stellar"]\n')
    home = open_home(home.path)
    run = start_run(home)
    (home.path / "ladder.toml").write_text('[limits]\nthreads = 9\n[run]\ngames = ["stellar"]\n')
    worker = Worker(setup_of(open_home(home.path), run, 1))
    assert [3, 1] == [bot.manifest.threads for bot in worker.setup.bots]  # as when the run was begun


# -- what is stored already


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"threads": 1', '"threads": 99999999999999999999999999'),
        ('"build_timeout_s": 600', '"build_timeout_s": 1000000000000'),
        ('"config": {}', '"config": {"x": 9223372036854775808}'),
        ('"config": {}', f'"config": {{"x": {"[" * 3000}{"]" * 3000}}}'),
    ],
)
def test_a_stored_version_beyond_the_bounds_is_named_with_what_to_do(tmp_path, old, new):
    home = create_home(tmp_path / "my home")
    version = a_version(home, 1)
    file = Path(version.folder).parent / "version.json"
    assert old in file.read_text()
    file.write_text(file.read_text().replace(old, new))
    for command in (["bots"], ["run", "--games", "2"], ["leaderboard"]):
        result = run_here(*command, "--home", home.path)
        if command != ["leaderboard"]:
            assert 1 == result.code
            first, hint = result.err.splitlines()
            assert f"{file} cannot be read: " in first
            assert f"rm -r '{file.parent}'" in hint
    shutil.rmtree(file.parent)
    assert [] == Roster(home.roster.path).versions()


# -- fuzz: whatever is valid TOML

KEYS = sorted(
    {field.name for kind in (BotManifest, Settings, LimitSettings) for field in msgspec.structs.fields(kind)}
    | {"games", "seats", "jobs", "options", "deck", "face_down_number", "tier", "freeze", "readable"}
    | {"stellar", "stella", "env", "network", "beta", "draw_probability", "x", "", "a b", "\x7f", "ключ"}
)
numbers = st.one_of(
    st.integers(),
    st.sampled_from([0, 1, -1, 2**31, 2**53 + 1, 2**63, 2**64, -(2**63) - 1, 10**40, 10**4000]),
    st.floats(),
    st.sampled_from([float("nan"), float("inf"), 5e-324, 1e308]),
)
words = st.one_of(
    st.text(st.characters(codec="utf-8"), max_size=20),
    st.sampled_from(
        ["auto", "none", "stellar", "/dev/zero", "a\0b", "{python}", "bot.py", "x" * 5000, "..", "/"]
    ),
)
times = st.one_of(st.dates(), st.times(), st.datetimes(timezones=st.none() | st.timezones()))
values = st.recursive(
    numbers | words | st.booleans() | times,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4),
    max_leaves=12,
)


def written(value):
    """Return *value* as TOML has it."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{quoted(key)} = {written(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(written, value)) + "]"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (date, time, datetime)):
        return value.isoformat() if not getattr(value, "tzinfo", None) else value.astimezone().isoformat()
    return quoted(value) if isinstance(value, str) else repr(value)


def quoted(text):
    return '"' + "".join(c if c.isalnum() and c.isascii() else f"\\U{ord(c):08x}" for c in text) + '"'


def tables(kind):
    """Return what makes tables of a few keys of *kind*, most of them of about the right type."""
    likely = {
        "int": numbers,
        "str": words,
        "tuple": st.lists(words, max_size=3),
        "dict": st.just({}) | values,
    }
    fields: dict[str, st.SearchStrategy[Any]] = {"stray": values}
    for field in msgspec.structs.fields(kind):
        if isinstance(field.type, type) and issubclass(field.type, msgspec.Struct):
            fields[field.name] = st.one_of(tables(field.type), tables(field.type), values)
        else:
            right = [made for name, made in likely.items() if name in str(field.type)]
            fields[field.name] = st.one_of(*right, *right, values)
    names = st.lists(st.sampled_from(sorted(fields)), max_size=3, unique=True)
    return names.flatmap(lambda chosen: st.fixed_dictionaries({name: fields[name] for name in chosen}))


manifests = st.builds(
    lambda table, name, run: {**table, **({"name": name} if name else {}), **({"run": run} if run else {})},
    tables(BotManifest),
    st.sampled_from(["some", "", "s\0me", "x" * 100]),
    st.sampled_from([["bot.py"], [], ["a\0b"], [""], ["{python}", "bot.py"]]),
)


def read(folder, name, table):
    (folder / name).write_text("".join(f"{quoted(key)} = {written(value)}\n" for key, value in table.items()))
    return read_toml(folder / name)


def check_short(problem):
    assert problem.hint
    assert len(str(problem)) < 1_000


@given(manifests)
def test_no_manifest_ends_in_anything_but_a_refusal(table):
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        read(folder, "bot.toml", table)
        (folder / "bot.py").write_text("")
        try:
            manifest = read_manifest(folder, GAMES)
        except UsageProblem as problem:
            check_short(problem)
            return
        assert (
            manifest == msgspec.json.decode(msgspec.json.encode(manifest), type=BotManifest)
            or manifest.config
        )
        assert encode.hello(
            "1", manifest.name, manifest.games, manifest.config, Settings().limits.for_hello()
        )
        with contextlib.suppress(LadderError):
            staged = Roster(folder / "bots").stage(
                folder, msgspec.structs.replace(manifest, build=()), {}, Confinement("none")
            )
            staged.reject()  # type: ignore[union-attr]


@given(tables(Settings))
def test_no_settings_end_in_anything_but_a_refusal(table):
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        read(folder, "ladder.toml", table)
        try:
            home = open_home(folder)
            home.check_allowed(BotManifest("some", ("bot.py",), threads=2, network=True, env=("NO_SUCH",)))
        except UsageProblem as problem:
            check_short(problem)
            return
        for name in GAMES:
            with contextlib.suppress(UsageProblem):
                home.options(name)
        with contextlib.suppress(LadderError):
            assert isinstance(home.readable_paths(), tuple)
        assert encode.hello("1", "a", [], {}, home.settings.limits.for_hello())


@given(values)
def test_no_deck_ends_in_anything_but_a_refusal(value):
    for deck in (
        value,
        {"cards": value},
        {"cards": [value] * 30},
        {"cards": [{"id": value, "text": "x"}] * 30},
    ):
        with contextlib.suppress(ValueError):
            checked_deck(deck)
