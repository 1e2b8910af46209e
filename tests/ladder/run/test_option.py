"""What options are declared with, and the options that runs and duels share."""

import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest
from support.command_line import run_here

from ladder.contest.seed import Seed
from ladder.errors import UsageProblem
from ladder.run.duel_options import DuelRequest, read_margin
from ladder.run.match_options import MatchOptions
from ladder.run.option import WrongOption, duration, percent, whole, wins
from ladder.run.request import stored_command
from ladder.run.run_options import RunOptions, RunRequest

SECRET = "0f" * 16


@pytest.mark.parametrize(
    ("text", "seconds"), [("90s", 90), ("90", 90), ("30m", 1800), ("1h30m", 5400), ("1h0m5", 3605)]
)
def test_a_duration_has_hours_minutes_and_seconds(text, seconds):
    assert seconds == duration(text)


@pytest.mark.parametrize("text", ["", "0s", "1d", "m", "8761h", "9" * 400, "\u0663m", "-5s", "1m1h"])
def test_a_duration_is_more_than_nothing_and_at_most_a_year(text):
    with pytest.raises(ValueError, match="expected a time such as 90s, 30m or 1h30m, up to 8,760h, got: "):
        duration(text)


def test_numbers_are_read_within_their_bounds():
    assert (1, 9, 9) == (whole(1, 9)("1"), whole(1, 9)("+9"), whole(1)("9"))
    assert (0.5, 12.0) == (percent(0, 50)("0.5"), percent(0, 50)("12%"))
    for text, number in {
        "10k": 10_000,
        "1e4": 10_000,
        "2.5M": 2_500_000,
        "1.5e+1": 15,
        "9" * 18: 10**18 - 1,
    }.items():
        assert number == whole(1)(text)
    wrong = [
        (whole(0), text) for text in ("1.5", "10.000", "k", "1.0005k", "1e99", "1e18", "-1k", "1e-1", "0x9")
    ]
    for read, text in [(whole(1, 9), "10"), (whole(1), "0"), (percent(0, 50), "nan"), *wrong]:
        with pytest.raises(ValueError, match="expected a "):
            read(text)


@pytest.mark.parametrize("text", ["0", "100", "120", "-1", "nan", "x"])
def test_wins_of_100_are_read_within_their_bounds_and_a_refusal_has_an_example(text):
    assert 55.5 == wins(0, 100, "55")("55.5")
    said = re.escape(f"expected wins of 100, above 0 and below 100, such as 55; got: '{text}'")
    with pytest.raises(ValueError, match=f"^{said}$"):
        wins(0, 100, "55")(text)


def test_a_margin_is_one_number_of_wins_or_two():
    assert (2.5, (0, 1), (1, 1)) == (read_margin("2.5"), read_margin("0:1"), read_margin("1:1"))
    for text in ("120", "0", "2:1", "-1:2", "1:", ":", "0:0"):
        with pytest.raises(ValueError, match=r"expected (wins of 100, above 0 and below 50|two margins)"):
            read_margin(text)


def test_a_secret_comes_from_a_file_or_from_the_text_of_a_seed(tmp_path):
    file = tmp_path / "secret"
    file.write_text(SECRET + "\n")
    text = Seed.read("a text that nobody guesses")
    assert (None, bytes.fromhex(SECRET)) == of(MatchOptions(secret_file=file))
    assert (None, bytes.fromhex(SECRET)) == of(MatchOptions(seed=Seed.read(f"@{file}")))
    assert (None, text.secret) == of(MatchOptions(seed=text))
    assert (7, None) == of(MatchOptions(seed=7)) == of(MatchOptions(seed=Seed.read("7")))
    assert (0, None) == of(MatchOptions(seed=0))
    assert (None, None) == of(MatchOptions())
    with pytest.raises(UsageProblem, match="cannot be read"):
        assert MatchOptions(secret_file=tmp_path / "none").secret


def of(asked):
    return asked.seed_number, asked.secret


def test_options_that_do_not_go_together_are_refused():
    with pytest.raises(WrongOption, match="secret_file: give either seed or secret_file"):
        RunOptions(seed=0, secret_file=Path("file"))
    with pytest.raises(WrongOption, match="--new: give either --resume or --new"):
        RunOptions(resume=True, new=True)
    with pytest.raises(WrongOption, match="--without: it needs --resume"):
        RunOptions(without=["greedy"])


def test_rules_of_until_are_kept_as_their_own_options_were():
    asked = RunOptions(until=("order=2", "faults=40", "cost=2.5", "tokens=2M"))
    assert ("order=2", 40, 2.5, 2_000_000) == asked.ends
    named = RunOptions(within=2.0, max_faults=40, max_cost=2.5, max_tokens=2_000_000)
    assert asked.ends == named.ends
    assert "order=2" == RunOptions(until="order", within=2.0).ends.rule
    assert (None, None, None, None) == RunOptions().ends
    for until in (("faults=3", "faults=4"), ("order", "order=2")):
        with pytest.raises(WrongOption, match=r"--until: (faults is given twice|give order or order=2)"):
            RunOptions(until=until)
    with pytest.raises(WrongOption, match="faults is given twice"):
        RunOptions(until="faults=3", max_faults=4)


def test_a_term_of_a_duel_is_given_once_and_has_a_value_if_it_needs_one():
    asked = DuelRequest(new_bot="a", old_bot="b", terms=("apart=1", "alpha=2%", "expect=55", "adjusted"))
    assert (1.0, 55.0, 2.0, True) == asked.chosen
    assert (None, None, 5.0, False) == DuelRequest(new_bot="a", old_bot="b").chosen
    with pytest.raises(WrongOption, match="--terms: a term is given twice"):
        DuelRequest(new_bot="a", old_bot="b", terms=("apart=1", "apart=2"))
    for term, why in (
        ("apart", "expected apart=WINS, expect=WINS, alpha=PERCENT or adjusted, got: 'apart'"),
        ("adjusted=1", "got: 'adjusted=1'"),
        ("aprt=1", "did you mean 'apart'"),
        ("alpha=x", "alpha: expected a percentage"),
    ):
        told = run_here("duel", "a", "b", "--terms", term)
        assert 2 == told.code
        assert f"--terms: {why}" in told.err or why in told.err


GIVEN = {
    "game": ("stellar",),
    "seats": (2,),
    "seed": 7,
    "jobs": 1,
    "sandbox": "none",
    "require_sandbox": True,
    "options": ("stellar.moves=3",),
    "limits": ("move_ms=5",),
    "games": 20,
    "seconds": 60.0,
    "schedule": "gauntlet",
    "until": "order",
    "within": 2.0,
    "max_faults": 5,
    "max_cost": 0.5,
    "max_tokens": 9,
    "resume": True,
    "without": ("greedy",),
    "new": True,
    "in_progress": 4,
    "pin": "on",
}
"""A value of each option of a run, which is not its default."""


@pytest.mark.parametrize("name", [field.name for field in fields(RunOptions)])
def test_what_decides_what_is_played_is_stored_to_know_the_command_again(name, tmp_path):
    (tmp_path / "secret").write_text(SECRET)
    given = {"secret_file": tmp_path / "secret", **GIVEN}
    needed = {"resume": True} if name == "without" else {}
    plain, asked = RunRequest(**needed), RunRequest(**needed, **{name: given[name]})
    assert (name in HOW) == (stored_command(plain) == stored_command(asked))


HOW = {"jobs", "sandbox", "require_sandbox", "resume", "without", "new", "in_progress", "pin"}
"""The options that decide how a run is played: they may differ when it is continued."""


def test_a_secret_is_read_once(tmp_path):
    file = tmp_path / "secret"
    file.write_text(SECRET)
    asked = MatchOptions(secret_file=file)
    assert bytes.fromhex(SECRET) == asked.secret
    file.unlink()
    assert bytes.fromhex(SECRET) == asked.secret, "it may be a pipe"


def test_one_game_may_be_named_without_a_list():
    assert ("stellar",) == MatchOptions(game="stellar").game_names
    assert ("stellar", "stella") == MatchOptions(game=["stellar", "stella"]).game_names


@pytest.mark.process
def test_options_are_declared_without_a_parser_of_the_command_line():
    code = "import sys, ladder.run.duel_options, ladder.run.run_options; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert set() == {"typer", "click", "msgspec", "engines", "pyarrow"} & set(done.stdout.split())
