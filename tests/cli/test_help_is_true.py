"""What help says of defaults and of repeated options is true: each is typed, or left out, here."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest
from support import ladders
from support.command_line import run_here
from support.rated_homes import a_rated_home
from support.taken_in import make_unfit
from typer.core import TyperOption

from engines import GAMES
from ladder.admission import inbox_answers
from ladder.admission.submit import keep_for_duel, tried_here
from ladder.api.asked import FIRST_OPPONENT
from ladder.cli.commands import COMMANDS, load_command
from ladder.cli.program import make_program
from ladder.cli.signature import options_with_values
from ladder.errors import UsageProblem
from ladder.home.chosen_results import results_in
from ladder.home.home import create_home, find_home, open_home
from ladder.kits.create import create_bot
from ladder.kits.languages import find_language
from ladder.live.live_request import plan_match
from ladder.live.play_request import PlayRequest
from ladder.machine.cores import usable_cores
from ladder.process.tiers import choose
from ladder.reference import reference_session
from ladder.reference.reference_session import play_reference
from ladder.registry.place import place_of
from ladder.replay import verify
from ladder.replay.review.effort import FULL, scale_effort
from ladder.run.duel_options import DuelRequest
from ladder.run.duel_request import plan_duel
from ladder.run.executors.local import LocalExecutor
from ladder.run.request import MATCHES, stored_command
from ladder.run.run_options import RunRequest
from ladder.run.tournament.tournament_begin import plan_tournament
from ladder.run.tournament.tournament_request import TournamentRequest
from results.storage.store import Store

SAMPLES = {
    "BOT": ("ann", "bob"),
    "GAME": ("stellar", "stella"),
    "GAME.OPTION=VALUE": ("stellar.face_down_number=three", "stella.deck=x"),
    "KEY=VALUE": ("move_ms=5", "bank_ms=6"),
    "N": ("2", "3"),
    "OPTION=VALUE": ("a=b", "c=d"),
    "PATH": ("a.py", "b.py"),
    "RULE": ("order=2", "faults=3"),
    "TERM": ("alpha=1", "adjusted"),
}
"""Two values of an option, by what stands for them."""
REFUSED = {("tournament new", "--game"), ("tournament new", "--seats")}
"""Options that are declared as others, and refuse a second value."""


class Shown(NamedTuple):
    """An argument or an option of a command, as help shows it."""

    command: str
    flag: str
    parameter: Any

    @property
    def default(self):
        """The default that help names, or nothing."""
        shown, default = self.parameter.show_default, self.parameter.default
        if isinstance(shown, str):
            return shown
        is_flag = isinstance(self.parameter, TyperOption) and self.parameter.is_flag
        return "" if is_flag or default in (None, "", ()) or callable(default) else str(default)


def parser_of(command):
    parser: Any = make_program()
    for word in command.split():
        parser = parser.get_command(None, word)
    return parser


def everything_shown():
    for command in COMMANDS:
        for parameter in parser_of(command).params:
            if not getattr(parameter, "hidden", False):
                yield Shown(command, max(parameter.opts, key=len), parameter)


SHOWN = [*everything_shown()]
REPEATED = [each for each in SHOWN if re.search("may be repeated", each.parameter.help or "")]
DEFAULTS = [each for each in SHOWN if each.default]
NEEDED = {"ADDRESS": "tcp://h:1", "MATCH": "last", "STEP": "3", "GAME": "stellar", "FILE": "x.csv"}


def name_of(value):
    return f"{value.command} {value.flag}" if isinstance(value, Shown) else ""


def parse(command, *words):
    """Return what the parser reads in *words* behind *command* and the arguments that it needs."""
    parser = parser_of(command)
    needed = [
        NEEDED.get(each.metavar or "", "remove" if each.metavar == "add|remove" else "x")
        for each in parser.params
        if each.param_type_name == "argument" and each.required
    ]
    is_option = [*words, ""][0].startswith("-")
    typed = [*words, *needed] if is_option else [*needed, *words]
    parameters: dict[str, Any] = parser.make_context("ladder", typed).params
    return parameters


@pytest.mark.parametrize("shown", REPEATED, ids=name_of)
def test_what_may_be_repeated_takes_all_values(shown):
    parameter = shown.parameter
    one, other = SAMPLES[parameter.metavar]
    is_option = parameter.param_type_name == "option"
    words = (shown.flag, one, shown.flag, other) if is_option else (one, other)
    found = parse(shown.command, *words)[parameter.name]
    assert [one, other] == [str(each) for each in found][:2]


def test_an_option_that_takes_several_values_says_so():
    several = {
        (each.command, each.flag)
        for each in SHOWN
        if each.parameter.param_type_name == "option" and each.parameter.multiple
    }
    assert several - REFUSED == {
        (each.command, each.flag) for each in REPEATED if each.parameter.param_type_name == "option"
    }
    for command, flag in REFUSED:
        first, second = SAMPLES[options_with_values(load_command(command))[flag].metavar or ""]
        refused = run_here(*command.split(), "cup", flag, first, flag, second)
        assert 2 == refused.code
        assert f"{flag}: a tournament " in refused.err


LITERAL = [each for each in DEFAULTS if each.default == str(each.parameter.default)]
WORDED = {each.default for each in DEFAULTS} - {each.default for each in LITERAL}


@pytest.mark.parametrize("shown", LITERAL, ids=name_of)
def test_a_default_that_is_typed_changes_nothing(shown):
    typed = (shown.flag, shown.default) if shown.flag.startswith("-") else (shown.default,)
    assert parse(shown.command) == parse(shown.command, *typed)


# -- defaults in words


Check = Callable[[Path, pytest.MonkeyPatch], None]
HOLDS: dict[str, Check] = {}
HELD = {
    "all finished rounds": "tests/cli/test_tournament_secret.py",
    "the bot's own, or the one that decides in this step": "tests/ladder/live/test_asking.py",
    "its version that plays here, else its last one, else greedy": "tests/cli/test_try.py",
}
"""Defaults that need a whole tournament, a replayed match or a trial: the tests that hold them."""


def holds(*texts):
    """Return a decorator: the function holds that *texts* are true."""

    def keep(check):
        HOLDS.update(dict.fromkeys(texts, check))
        return check

    return keep


def home_at(path, settings=""):
    return ladders.a_home(path, {"ann": {}, "bob": {}, "cid": {}}, settings)


def played(home, **asked):
    settings = ladders.start_run(home, 60, **asked).settings
    contests = settings.contests
    return {each.game for each in contests}, {each.seats for each in contests}, settings.schedule


@holds(
    "as in ladder.toml, else all",
    "as in ladder.toml, else every size",
    "as in ladder.toml, else adaptive",
)
def _what_is_played(path, patch):
    games, seats, schedule = played(home_at(path / "one"))
    assert ({*GAMES}, "adaptive") == (games, schedule)
    assert seats == {n for n in range(2, 4) if any(n in game.seats for game in GAMES.values())}
    toml = '[run]\ngames = ["stella"]\nseats = [3]\nschedule = "round-robin"\n'
    assert ({"stella"}, {3}, "round-robin") == played(home_at(path / "two", toml))


@holds("as in ladder.toml")
def _options_and_limits(path, patch):
    toml = '[run]\ngames = ["stellar"]\n[limits]\nmove_ms = 77\n'
    toml += '[games.stellar.options]\nface_down_number = "three"\n'
    settings = ladders.start_run(home_at(path / "home", toml)).settings
    assert (77, "three") == (
        settings.limits["move_ms"],
        settings.contests[0].options["face_down_number"],
    )


@holds("1000, or with --for no limit")
def _matches(path, patch):
    assert 1_000 == MATCHES == stored_command(RunRequest()).games
    assert stored_command(RunRequest(seconds=9.0)).games is None


@holds("a new secret", "a new deal")
def _secrets(path, patch):
    one, other = (ladders.start_run(home_at(path / name), seed=None) for name in "xy")
    assert one.secret != other.secret
    home = home_at(path / "z", "[sandbox]\ntier = 'none'\n")
    asked = PlayRequest(game="stellar", bots=("ann", "bob"))
    assert plan_match(home, asked, keep_for_duel).secret != plan_match(home, asked, keep_for_duel).secret


@holds("as in ladder.toml, else one per core", "this machine", "one per core")
def _jobs(path, patch):
    opened: list[tuple[int, int, str]] = []

    def start(setup, jobs, pin, *_):
        opened.append((jobs, setup.in_progress, pin))
        raise UsageProblem("enough", "")

    patch.setattr(LocalExecutor, "start", start)
    patch.setattr(verify, "verify", lambda store, report, jobs, *_: start(_Setup(), jobs, "auto"))
    more = "[run]\njobs = 3\nin_progress = 5\npin = 'off'\n"
    for name, toml in (("one", ""), ("two", more)):
        home = home_at(path / name, f"{toml}\n[sandbox]\ntier = 'none'\n")
        run_here("run", "--game", "stellar", "--games", "4", "--home", home.path)
        run_here("home", "verify", "--home", home.path)
    cores = len(usable_cores())
    assert [(cores, 32, "auto"), (cores, 32, "auto"), (3, 5, "off"), (cores, 32, "auto")] == opened


class _Setup(NamedTuple):
    in_progress: int = 32


@holds("as in ladder.toml, else the first that works here")
def _tier(path, patch):
    tiers = [
        open_or(path / str(n), toml).with_tier(None) for n, toml in enumerate(("", "[sandbox]\ntier='none'"))
    ]
    assert ["auto", "none"] == [home.settings.sandbox.tier for home in tiers]
    assert "bwrap" == choose("auto", lambda tier: []).tier


def open_or(path, toml):
    create_home(path)
    (path / "ladder.toml").write_text(toml)
    return open_home(path)


@holds("$LADDER_HOME, else the nearest ladder.toml, else ./ladder-home", "$LADDER_HOME, else ladder-home")
def _home(path, patch):
    (path / "here" / "deep").mkdir(parents=True)
    patch.chdir(path / "here" / "deep")
    patch.delenv("LADDER_HOME", raising=False)
    assert Path("ladder-home") == find_home(None)
    assert 0 == run_here("home", "init").code
    assert (path / "here/deep/ladder-home/ladder.toml").is_file()
    (path / "here" / "ladder.toml").write_text("")
    assert path / "here" == find_home(None)
    patch.setenv("LADDER_HOME", str(path / "other"))
    assert 0 == run_here("home", "init").code
    assert str(path / "other") in run_here("home", "--format", "csv").out


@holds(
    "those of `ladder run` that both play",
    "the smallest that both play",
    "20000 deals",
    "those nearest in rating",
)
def _duel(path, patch):
    home = home_at(path / "home", '[run]\ngames = ["stella", "stellar"]\n')
    plan = plan_duel(home, DuelRequest(new_bot="ann", old_bot="bob"), keep_for_duel)
    settings = plan.settings
    assert {game: min(GAMES[game].seats) for game in ("stella", "stellar")} == {
        each.game: each.seats for each in settings.contests
    }
    assert {20_000} == {*(settings.blocks or ())}
    assert settings.duel
    assert settings.duel.field is None
    assert "cid" in {plan.bots[i].bot for each in settings.contests for i in each.bots[2:]}


@holds("all that the bot plays", "the smallest that it plays")
def _reference(path, patch):
    from ladder.reference.reference_request import ReferenceRequest
    from ladder.reference.reference_set import load_set

    asked: list[tuple[str, int]] = []

    def measure(home, public, *_):
        asked.append((public.of.game, public.of.seats))

    patch.setattr(reference_session, "_measure", measure)
    home, found = home_at(path / "home", "[sandbox]\ntier = 'none'\n"), load_set()
    from contextlib import nullcontext

    from ladder.run.playing import Means
    from ladder.run.session import Admission

    request = ReferenceRequest(bot="ann")
    admission = Admission(lambda *_: None, lambda *_: None)
    [
        *play_reference(
            nullcontext(home), request, found, Means(), admission, keep_for_duel, lambda event: None
        )
    ]
    assert [(game, min(of.blocks)) for game, of in found.listed.games.items()] == asked


@holds("bots take all seats", "the smallest with room that all play")
def _play(path, patch):
    home = home_at(path / "home", "[sandbox]\ntier = 'none'\n")
    plan = plan_match(home, PlayRequest(game="stella", bots=("ann", "bob", "cid")), keep_for_duel)
    assert ["ann", "bob", "cid"] == [each.bot for each in plan.bots]
    make_unfit(home.roster, "bob", "stella/3")
    plan = plan_match(home, PlayRequest(game="stella", bots=("ann", "bob", "cid")), keep_for_duel)
    assert ["ann", "bob", "cid", "ann"] == [each.bot for each in plan.bots]


@holds("every game", "every size")
def _new(path, patch):
    folder = create_bot(find_language("python"), "rat", path, "", set())
    assert not {"games", "seats"} & {*msgspec.toml.decode((folder / "bot.toml").read_bytes())}


@holds("the games that `ladder run` plays here")
def _tried(path, patch):
    home = home_at(path / "home", '[run]\ngames = ["stella"]\n')
    assert ("stella",) == tried_here(home, home.roster.find("ann").manifest)
    assert (*GAMES,) == tried_here(home_at(path / "all"), home.roster.find("ann").manifest)


@holds("list all tries", "list all seasons", "list all duels")
def _lists(path, patch):
    home = ("--home", str(home_at(path / "home").path))
    for words in (
        ("try", *home),
        ("home", "season", *home),
        ("duel", *home),
    ):
        assert 0 == run_here(*words).code
    assert "greedy" == FIRST_OPPONENT


@holds("its own name", "one class")
def _names(path, patch):
    (path / "rat").mkdir()
    assert "rat" == place_of(path / "rat", None, entry=True).entry
    assert "a/rat" == place_of(path / "rat", "a", entry=True).entry
    assert "" == parse("submit")["name"] or parse("submit")["name"] is None


@holds("outbox beside it", "done beside it")
def _boxes(path, patch):
    asked: list[tuple[Path, ...]] = []

    def stop(*folders):
        asked.append(folders)
        raise UsageProblem("enough", "")

    patch.setattr(inbox_answers, "InboxFolders", stop)
    run_here("inbox", path / "in", "--home", home_at(path / "home").path)
    assert [(path / "in", path / "outbox", path / "done")] == asked


@holds("the current one", "all runs that count")
def _seasons(path, patch):
    home = open_home(a_rated_home(path / "home", ["ann", "bob"]))
    run_here("home", "season", "spring", "--home", home.path)
    assert "spring" == Store(home.results).contents().of_season(None).season_name
    chosen = results_in(home, None)
    assert (None, None) == (chosen.run, chosen.unrated)


@holds("what the judge of the game says")
def _worlds(path, patch):
    assert FULL == scale_effort(1.0)


@holds(
    "the one of ladder.toml",
    "the smallest of the game",
    "enough to find a bot that wins 55 of 100 in 80 % of cases",
    "now",
)
def _tournament(path, patch):
    home = home_at(path / "home", '[run]\ngames = ["stella"]\n')
    plan = plan_tournament(home, TournamentRequest(name="cup"), Store(home.results).contents(), {})
    settings = plan.new.settings
    terms = settings.tournament
    assert terms
    assert ("stella", min(GAMES["stella"].seats)) == (settings.contests[0].game, terms.seats)
    assert plan.noise
    assert {"ann", "bob", "cid"} == {each.bot for each in plan.new.bots}


@pytest.mark.parametrize("text", sorted(WORDED))
def test_a_default_in_words_is_true(text, tmp_path, monkeypatch):
    if text not in HELD:
        HOLDS[text](tmp_path, monkeypatch)


def test_each_default_in_words_is_held_by_a_test():
    assert WORDED == HOLDS.keys() | HELD.keys()
    for file in HELD.values():
        assert Path(__file__).parents[2].joinpath(file).is_file()


MOST_OPTIONS = 263
"""Lines of options in --help over all commands, without that of --help itself."""


def test_the_help_of_all_commands_has_few_options():
    lines = [line for name in COMMANDS for line in run_here(*name.split(), "--help").out.splitlines()]
    options = [line for line in lines if re.match(r"  (-\w, | {4})--[a-z]", line)]
    assert len(options) - len(COMMANDS) <= MOST_OPTIONS
