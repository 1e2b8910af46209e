"""Old spellings of commands and options: each means what is typed now, and says so."""

import re
from typing import Any

import pytest
from support.command_line import run_here
from support.documents import PAGES

from ladder.cli import old_spellings
from ladder.cli.commands import COMMANDS
from ladder.cli.old_spellings import (
    FOR_GOOD,
    OLD_COMMANDS,
    OLD_OPTIONS,
    OldCommand,
    OldOption,
    renew,
    typed_settings,
)
from ladder.cli.program import make_program
from ladder.errors import UsageProblem

TERMS = "--terms apart=2 --terms expect=55 --terms alpha=1 --terms adjusted a b"
NOW = {
    "bots": [("--home h --all", "--all-versions --home h")],
    "bots rename": [("a b --wait", "a b")],
    "bots diff": [
        ("a b --duel d1", "--in d1 a b"),
        ("a b --limit 3", "--top 3 a b"),
    ],
    "check": [("x.py --games all", "--game all x.py")],
    "duel": [
        ("a b --apart 2 --expect 55 --alpha 1 --adjusted", TERMS),
        ("a b --require-sandbox", "--sandbox required a b"),
        ("a b --secret-file f", "--seed @f a b"),
        ("a b --no-worse --wait", "a b --no-worse"),
    ],
    "export": [("--duel=d1 x.csv", "--in d1 x.csv"), ("--run 3 x.csv", "--in 3 x.csv")],
    "faults": [("ann --duel d1", "--in d1 ann"), ("--limit 3", "--top 3")],
    "games new": [("rat --in f", "--to f rat")],
    "home digest": [("--duel d1", "--in d1"), ("--run 3", "--in 3"), ("--form 3", "--form 3")],
    "home compact": [("--wait", "")],
    "home merge": [("h --wait", "h")],
    "home rate": [("--wait", "")],
    "home season": [("--wait spring", "spring")],
    "home verify": [("--wait --jobs 2", "--jobs 2")],
    "leaderboard": [
        ("--pairs --top 3", "--show pairs --top 3"),
        ("--calibration", "--show calibration"),
    ],
    "matrix": [("--bot ann", "--bot ann")],
    "matches": [("--duel d1", "--in d1"), ("--run 3", "--in 3"), ("--limit 3 --lost", "--top 3 --lost")],
    "new": [("go rat --in f", "--to f go rat"), ("--list --format csv", "--format csv")],
    "reference": [("x.py --wait", "x.py")],
    "review": [("--calibration --json --home h", "ladder leaderboard --show judges --json --home h")],
    "run": [
        ("ann --within 2", "--until order=2 ann"),
        ("--until order --within 2 --max-faults 5", "--until order=2 --until faults=5"),
        ("--until order --max-cost 2.50 --max-tokens 9", "--until cost=2.50 --until tokens=9 --until order"),
        ("--forever --link 2m --seats 2", "--forever=2m --seats 2"),
        ("--in-progress 4 --pin on ann", "ann"),
        ("--on tls://h:1 --tls certificates", "--on tls://h:1"),
        ("--require-sandbox", "--sandbox required"),
        ("--secret-file f", "--seed @f"),
    ],
    "serve": [("--behind-proxy X-Real-IP --proxy 192.0.2.1 --url https://a.example/", "")],
    "submit": [
        ("x.py --games stella --games stellar", "--game stella --game stellar x.py"),
        ("--quick x.py", "--check quick x.py"),
        ("--no-check x.py", "--check none x.py"),
        ("--all f --replace-bots a,b", "--replace a,b --all f"),
    ],
    "tls": [("f --days 3", "f --days 3")],
    "tournament new": [
        ("cup --secret --wait --jobs 2 --require-sandbox", "--hidden cup"),
        ("cup -j 2 --sandbox none --secret-file f", "--seed @f cup"),
    ],
    "tournament run": [("cup --on tls://h:1 --tls certificates", "cup --on tls://h:1")],
}
"""The old options of each command, and what is typed now."""


def renewed(line):
    """Return what is typed now for *line*, and what was told."""
    told: list[str] = []
    return " ".join(renew(line.split(), told.append)), told


def parse(line):
    """Return what the parser reads in *line*, and runs nothing."""
    parser: Any = make_program()
    words = line.split()
    while words and hasattr(parser, "list_commands") and (found := parser.get_command(None, words[0])):
        parser, words = found, words[1:]
    parameters: dict[str, Any] = parser.make_context("ladder", words).params
    return parameters


@pytest.mark.parametrize(
    ("command", "old", "new"), [(command, *pair) for command, pairs in NOW.items() for pair in pairs]
)
def test_an_old_option_means_what_is_typed_now_and_says_so(command, old, new):
    now, told = renewed(f"{command} {old}")
    now_typed = new.removeprefix("ladder ") if new.startswith("ladder ") else f"{command} {new}".strip()
    assert now_typed == now
    parse(now)
    rows = [row for row in OLD_OPTIONS if command in row.commands.split(", ")]
    flags = {row.flag for row in rows if row.since != FOR_GOOD}
    used = dict.fromkeys(word.partition("=")[0] for word in old.split() if word.partition("=")[0] in flags)
    assert [*used] == [line.partition(" is now ")[0] for line in told]


def test_every_old_option_of_every_command_is_typed_here_or_refused():
    typed = {
        (command, word.partition("=")[0])
        for command, pairs in NOW.items()
        for old, _ in pairs
        for word in old.split()
    }
    for row in OLD_OPTIONS:
        for command in row.commands.split(", "):
            assert command in COMMANDS
            if row.new.startswith("python "):
                with pytest.raises(UsageProblem, match=f"ladder {command} has no option {row.flag}"):
                    renewed(f"{command} {row.flag}")
            else:
                assert (command, row.flag) in typed


def test_an_old_spelling_is_gone_in_the_release_after_the_one_that_replaced_it():
    def number(text):
        return [*map(int, text.split("."))]

    newest = re.findall(r"^## \[([0-9.]+)\]", PAGES["CHANGELOG.md"], re.MULTILINE)[0]
    for row in (*OLD_OPTIONS, *OLD_COMMANDS):
        assert row.since == FOR_GOOD or number(row.since) >= number(newest), row


@pytest.mark.parametrize("command", dict.fromkeys(c for row in OLD_OPTIONS for c in row.commands.split(", ")))
def test_no_help_shows_an_old_option(command):
    """What is left of it is hidden from the parser's lists, which help and shells show."""
    parser: Any = make_program()
    for word in command.split():
        parser = parser.get_command(None, word)
    shown = {flag for each in parser.params if not getattr(each, "hidden", False) for flag in each.opts}
    old = {row.flag for row in OLD_OPTIONS if command in row.commands.split(", ")}
    assert not shown & old
    for kind in ("-h", "--help"):
        text = run_here(*command.split(), kind).out
        assert not [flag for flag in old if f" {flag} " in f"{text} "]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("matches --duel d1 --in 3", "--duel is now --in, and both are given"),
        ("matches --in=3 --run 3", "--run is now --in, and both are given"),
        ("matches --duel d1 --run 1", "--run is now --in, and both are given"),
        ("new go rat --in a --to b", "--in is now --to, and both are given"),
        ("bots --all=yes", "--all: takes no value"),
        ("run --within 2 --until order=3", "--within is now --until order=P, and both are given"),
        ("run --until faults=3 --max-faults 3", "--max-faults is now --until faults=N, and both are given"),
        ("run --forever 3m --link 2m", "--link is now --forever=TIME, and both are given"),
        ("run --link 2m", "--link: it goes with --forever"),
        ("run --seed 3 --secret-file f", "--secret-file is now --seed @FILE, and both are given"),
        ("run --sandbox none --require-sandbox", "--require-sandbox is now --sandbox required, and both"),
        ("duel a b --alpha 1 --terms alpha=2", "--alpha is now --terms alpha=PERCENT, and both are given"),
        ("submit x.py --quick --no-check", "--no-check is now --check none, and both are given"),
        ("leaderboard --pairs --show notes", "--pairs is now --show pairs, and both are given"),
    ],
)
def test_old_and_new_together_are_refused_and_the_new_one_is_named(line, why):
    with pytest.raises(UsageProblem, match=why):
        renewed(line)


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("matches --limit none", "--top: expected a whole number of at least 1, got: 'none'"),
        ("matches --limit", "--top needs a value"),
        ("check x.py --games chess", "there is no game 'chess'"),
        ("run --within near", "--until: order: expected points of rating above 0, such as 2; got: 'near'"),
        ("run --max-faults 1", "--until: faults: expected a whole number of at least 2, got: '1'"),
        ("run --max-cost much", "--until: cost: expected US dollars above 0, such as 2.50; got: 'much'"),
        ("run --max-tokens 0", "--until: tokens: expected a whole number of at least 1, got: '0'"),
        ("run --forever --link long", "--forever: expected a time such as 90s"),
        ("run --secret-file none", "the secret in none cannot be read"),
        ("run --in-progress many", "[run] in_progress: 'many': Expected `int`, got `str`"),
        ("run --in-progress 0", "[run] in_progress: '0': expected a whole number of at least 1"),
        ("run --pin never", "[run] pin: 'never': Invalid enum value"),
        ("duel a b --alpha 60", "--terms: alpha: expected a percentage between 0 and 50, got: '60'"),
        ("tournament new cup --game stellar --sandbox thick", "there is no sandbox tier 'thick'"),
    ],
)
def test_a_value_that_an_old_option_never_took_is_the_error_of_the_new_one(
    line, error, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    told = run_here(*line.split())
    assert told.code in (2, 3)
    assert f"ladder: {error}" in told.err


@pytest.mark.parametrize(
    "line",
    [
        "bots ask -- --all",
        "matches --bot --duel",
        "replay --limit 3",
        "submit -m --games x.py",
        "run --no-such",
        "--version --all",
        "",
    ],
)
def test_a_value_or_an_option_of_another_command_is_no_old_option(line):
    assert (line, []) == renewed(line)


COMMANDS_NOW = {
    "history ann --game stella": "bots info --history ann --game stella",
    "bots --home h similar --format csv": "bots --similar --home h --format csv",
    "games rules stella": "games info stella",
    "games files stella --to f": "games info stella --to f",
    "tournament list --format json": "tournament --format json",
    "tournament show cup --rounds": "tournament info cup --rounds",
    "home duels": "duel",
    "home --home h duels d1": "duel --home h d1",
}
"""Old commands, and what is typed now."""


@pytest.mark.parametrize("old", COMMANDS_NOW)
def test_each_old_command_goes_on_and_says_what_is_typed_now(old):
    now, (told,) = renewed(old)
    assert COMMANDS_NOW[old] == now
    parse(now)
    (row,) = (row for row in OLD_COMMANDS if re.match(rf"{row.old}\b", re.sub(r" --home h", "", old)))
    assert f"ladder {row.old} is now ladder {row.new}" == told
    assert row.old not in COMMANDS


def test_every_old_command_is_typed_here():
    typed = {re.sub(r" --home h", "", old) for old in COMMANDS_NOW}
    assert [] == [row.old for row in OLD_COMMANDS if not any(old.startswith(row.old) for old in typed)]


def test_an_old_command_prints_what_is_typed_now_and_one_line_more(played):
    at = ("--home", played.home)
    for old, new in (
        ("history greedy", "bots greedy --history"),
        ("home duels", "duel"),
        ("bots similar", "bots --similar"),
    ):
        before, now = (run_here(*words.split(), *at) for words in (old, new))
        line, _, rest = before.err.partition("\n")
        assert now == before._replace(err=rest)
        assert line.startswith(f"ladder {' '.join(old.split()[: 2 - (old[:7] == 'history')])} is now ladder ")


def test_an_old_command_means_what_is_typed_now(monkeypatch):
    commands = (
        OldCommand("past", "bots info --history", "bots BOT --history"),
        OldCommand("games show", "games", "games GAME"),
    )
    monkeypatch.setattr(old_spellings, "OLD_COMMANDS", commands)
    assert ("bots info --history ann --home h", ["ladder past is now ladder bots BOT --history"]) == renewed(
        "past ann --home h"
    )
    assert ("games --format json stella", ["ladder games show is now ladder games GAME"]) == renewed(
        "games --format json show stella"
    )


def test_an_option_that_stays_for_good_is_told_of_to_nobody(monkeypatch):
    row = OldOption("matches", "--text", "--format table", FOR_GOOD)
    monkeypatch.setattr(old_spellings, "OLD_OPTIONS", (row,))
    assert ("matches --format table", []) == renewed("matches --text")
    with pytest.raises(UsageProblem, match="--text is now --format table, and both are given"):
        renewed("matches --text --format csv")


def test_an_option_that_is_a_setting_now_is_read_with_the_settings(monkeypatch):
    rows = (OldOption("run", "--slow N", "[run] slow = N"), OldOption("run", "--lazy", "[run] lazy = true"))
    monkeypatch.setattr(old_spellings, "OLD_OPTIONS", rows)
    told = ["--slow is now [run] slow = N in ladder.toml", "--lazy is now [run] lazy = true in ladder.toml"]
    assert ("run ann", told) == renewed("run --slow 3 ann --lazy")
    assert {("run", "slow"): "3", ("run", "lazy"): "true"} == typed_settings()
    renewed("run ann")
    assert {} == typed_settings()


def test_a_folder_is_that_of_this_place_not_of_the_home(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    renewed("run --on tls://h:1 --tls certificates")
    assert {("run", "tls"): str(tmp_path / "certificates")} == typed_settings()


def test_old_spellings_work_as_they_did(played, tmp_path):
    """One line is new: it says what is typed now."""
    at = ("--home", played.home)
    for old, new, told in (
        (
            ("matches", "--run", "1", "--limit", "3"),
            ("matches", "--in", "1", "--top", "3"),
            ["--run", "--limit"],
        ),
        (("leaderboard", "--pairs"), ("leaderboard", "--show", "pairs"), ["--pairs"]),
        (
            ("review", "--calibration", "--json"),
            ("leaderboard", "--show", "judges", "-f", "json"),
            ["--calibr"],
        ),
        (("digest", "--run", "1"), ("home", "digest", "--in", "1"), ["--run"]),
        (("home", "verify", "--wait"), ("home", "verify"), ["--wait"]),
    ):
        before, now = run_here(*old, *at), run_here(*new, *at)
        assert (now.code, now.out) == (before.code, before.out)
        lines = before.err.splitlines()
        assert all(line.startswith(flag) for line, flag in zip(lines, told, strict=False)), lines
        assert lines[len(told) :] == now.err.splitlines()
