"""`ladder play`: a match in the terminal, with and without a person."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from random import Random

import pytest
from support import ladders
from support.command_line import ENVIRONMENT, Said, check_refused, on_a_terminal, run_here, without_colour
from support.commands import process_group, read_until
from support.live import a_home, plan_live_match

from engines import GAMES as ALL
from engines import playout
from engines.contract.texts import wide_lines
from ladder.cli.play import _Screen
from ladder.games.shown_game import ShownGame
from ladder.live.live_messages import Asked, Seen
from results.storage.unrated import unrated_stores

GAMES = ["stellar", "starry-sky", "stella-quest", "stella"]


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    return a_home(tmp_path_factory.mktemp("play") / "home")


def play(home, *arguments, lines=""):
    """Run `ladder play` with *lines* on stdin."""
    command = [sys.executable, "-m", "ladder", "play", *arguments, "--home", str(home.path)]
    done = subprocess.run(command, input=lines, capture_output=True, text=True, env=ENVIRONMENT)
    return Said(done.returncode, done.stdout, done.stderr)


def kept(home):
    return [*unrated_stores(home.results)]


@pytest.mark.process
@pytest.mark.parametrize(
    "game", ["stella-quest", *(pytest.param(game, marks=pytest.mark.slow) for game in ("stellar", "stella"))]
)
def test_a_person_plays_a_whole_match_with_wrong_words_in_between(home, game):
    words = "?\nu\nv\n\n999\nnonsense\n\x1b[31m\n"
    code, out, err = play(home, game, "first", "--human", "0", "--seed", "4", lines=words + "1\n" * 600)
    assert 0 == code, err
    assert "A move cannot be taken back" in out
    assert "a move cannot be taken back: the other seats have seen it" in out
    told = " ".join(out.split())
    assert "got: 999; ? shows what to type" in told
    assert "got: 'nonsense'; ? shows what to type" in told
    assert "Seat 0" not in out
    assert ("where? 1\n" in out) == (game == "stellar")
    assert "\x1b" not in out
    assert ("your move, 1 to 10 of these: 1\n" in out) == (game == "stella")
    name = kept(home)[-1]
    assert " beat " in out.splitlines()[-1] or "a tie of " in out.splitlines()[-1]
    assert f"kept as {name}/0, not rated" in err
    assert f"ladder replay {name}/0" in err
    assert 0 == run_here("replay", f"{name}/0", "--home", home.path).code


def ask_person(home, monkeypatch, typed, cost=""):
    """Let a person in seat 0 of Stellar play a card by the lines *typed*; return the moves that they mean."""
    monkeypatch.setattr(ShownGame, "costs", lambda *_: [cost])
    screen = _Screen(home, plan_live_match(home, "stellar", "first", human=0))
    game, rng = ALL["stellar"], Random(1)
    for step in playout(game, game.deal(2, rng), 2, rng):
        view = game.view(step.state, 0)
        if view["step"] == "play" and (choice := game.choices(step.state).get(0)):
            break
    asked = Asked(3, "one", choice.options)
    screen._seen = Seen(2, [], view, (0,))
    screen._begin(asked)
    return choice.options, [screen._understand(asked, line) for line in typed]


def test_a_card_is_asked_then_its_place_in_words_below_the_table(home, monkeypatch, capsys):
    options, moves = ask_person(home, monkeypatch, ["1", "back", "2", "1"])
    out = capsys.readouterr().out
    assert [None] * 3 == moves[:3]
    assert moves[3] in options
    card = r"(?:planet|moon|asteroid|cloud|black hole|satellite) \d.*"
    assert re.search(rf"\nYour hand: {card}\n(?:.+\n)+  1\) {card}\n", out)
    assert re.search(rf"\nyour move: {card}; back returns\n   1\) ", out)
    assert 2 == out.count("STELLAR, "), "back shows the table again"
    assert out.rindex("Telescope of you") < out.rindex("Your hand") < out.rindex("where? ")
    assert out.endswith("where? ")
    assert "Answer with" not in out
    assert not re.search(r"\b[Ss]eat \d", out)


def test_a_move_as_it_is_written_is_understood_at_both_questions(home, monkeypatch):
    options, _ = ask_person(home, monkeypatch, [])
    last = options[-1]
    assert [last] == ask_person(home, monkeypatch, [last])[1]
    assert [None, last] == ask_person(home, monkeypatch, ["1", last.lower()])[1]


def test_a_move_that_costs_for_good_is_asked_once_more(home, monkeypatch, capsys):
    options, _ = ask_person(home, monkeypatch, [])
    one, other = options[0], options[-1]
    cost = "burns one of your 5 lights"
    typed = [one, "?", one]
    assert [None, None, one] == ask_person(home, monkeypatch, typed, cost)[1]
    assert f"{cost}; the same again to do it\n" in capsys.readouterr().out
    assert [None, None, other] == ask_person(home, monkeypatch, [one, other, other], cost)[1]


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_a_match_of_bots_is_shown_as_a_spectator_sees_it(home, game):
    code, out, err = play(home, game, "first", "mixed")
    assert 0 == code, err
    assert out.splitlines()[0].startswith(f"{game}, a table of ")
    assert "You are seat" not in out
    assert f"ladder replay {kept(home)[-1]}/0" in err


@pytest.mark.process
@pytest.mark.parametrize(
    ("typed", "code", "said"),
    [
        ("1\n", 2, "the input ended before the match, which is not kept"),
        ("1\nq\n", 0, "you left; the match is not kept\n"),
    ],
)
def test_a_match_that_a_person_leaves_is_not_kept(home, typed, code, said):
    before = kept(home)
    done = play(home, "stellar", "first", "--human", "0", lines=typed)
    assert (code, True) == (done.code, said in done.err)
    assert before == kept(home)


def playing(home, *arguments, **options):
    """Start a match against first, for the length of a block."""
    command = [sys.executable, "-m", "ladder", "play", "stellar", "first", *arguments]
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | options
    return process_group([*command, "--home", str(home.path)], env=ENVIRONMENT, **streams)


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_a_signal_leaves_no_process_and_nothing_in_the_home(tmp_path, number):
    mark = f"mark-{tmp_path.name}-{number}"
    home = a_home(tmp_path / "home", mark)
    with playing(home, "--human", "0", stdin=subprocess.PIPE) as process:
        said = b""
        assert process.stdout
        assert process.stderr
        while b"your move" not in said:
            data = os.read(process.stdout.fileno(), 65_536)
            assert data, process.stderr.read()
            said += data
        assert ladders.processes(mark)
        process.send_signal(number)
        code = process.wait(30)
        assert {signal.SIGINT: 130, signal.SIGKILL: -number}.get(number, 143) == code
        deadline = time.monotonic() + 20
        while ladders.processes(mark):
            assert time.monotonic() < deadline
            time.sleep(0.05)
        if number == signal.SIGINT:
            assert b"you left; the match is not kept" in process.stderr.read()
    assert [] == kept(home)


@pytest.mark.slow
def test_the_deal_of_a_stored_match_can_be_played_again(home, tmp_path):
    assert 0 == play(home, "stellar", "first", "mixed").code
    record = run_here("replay", f"{kept(home)[-1]}/0", "--json", "--home", home.path).out
    file = tmp_path / "match.json"
    file.write_text(record)
    assert 0 == play(home, "stellar", "mixed", "first", "--deal", str(file)).code
    again = run_here("replay", f"{kept(home)[-1]}/0", "--json", "--home", home.path).out
    assert json.loads(record)["deal"] == json.loads(again)["deal"]


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (
            {"x": 1},
            "with the keys options, first, starters, deck, reshuffles; missing: first, starters, deck,",
        ),
        (
            {"game": "stella", "deal": {}, "moves": []},
            "deal.json is of stella, not stellar\n  next: name that",
        ),
        ({"game": "stellar", "deal": None, "moves": []}, "deal.json holds no deal, got: null"),
        (None, "deal.json holds no deal, got: null"),
    ],
)
def test_a_file_with_another_deal_is_refused_in_words(home, tmp_path, content, why):
    file = tmp_path / "deal.json"
    file.write_text(json.dumps(content))
    check_refused(run_here("play", "stellar", "first", "--deal", file, "--home", home.path), 2, why)


@pytest.mark.slow
def test_nothing_is_wider_than_the_terminal(home):
    lines = without_colour(on_a_terminal("play", "starry-sky", "first", "--home", home.path))
    assert "next:" in lines[-2] + lines[-1]
    command = f"--home {home.path}"  # what can be typed is never broken
    assert [] == wide_lines([line for line in lines if command not in line], 80)


def test_rules_on_a_terminal_are_broken_where_their_words_hang():
    shown = without_colour(on_a_terminal("games", "stella"))
    assert "        in 3 rows of 5; grid order is row by row from the top.  After round 1" in shown
    assert max(map(len, run_here("games", "stella").out.splitlines())) > 80, "piped, they are as written"


def test_a_debugger_that_never_connects_ends_with_what_to_do(home, monkeypatch):
    monkeypatch.setattr(sys.modules["ladder.cli.play"], "CONNECT_SECONDS", 0.1)
    before = kept(home)
    code, out, err = run_here("play", "stellar", "first", "--connect", "0", "--home", home.path)
    assert (1, "") == (code, out)
    assert re.search(
        r"^  LADDER_CONNECT=127\.0\.0\.1:\d+/[0-9a-f]{32} python3 my_bot\.py$", err, re.MULTILINE
    )
    assert "no bot has connected within 0 seconds: the match was not begun" in err
    assert "next: run the same command again" in err
    assert before == kept(home)


@pytest.mark.slow
@pytest.mark.parametrize("how", ["variable", "bash"])
def test_a_bot_that_its_author_starts_plays_a_whole_match(home, tmp_path, how):
    bot = tmp_path / "bot.py"
    bot.write_text("from protocol.client import serve\nserve(lambda act: act.choice.options[0])\n")
    with playing(home, "--connect", "0", stdout=subprocess.DEVNULL, text=True) as process:
        variable = read_until(process, "LADDER_CONNECT=").split()[0].split("=")
        relay = read_until(process, "bash -c").replace("./my_bot", f"{sys.executable} {bot}")
        environment = ENVIRONMENT | (dict([variable]) if how == "variable" else {})
        start = [sys.executable, bot] if how == "variable" else shlex.split(relay)
        with process_group(start, env=environment, cwd="/") as author:
            assert "kept as" in read_until(process, "kept as")
            assert 0 == author.wait(60)
        assert 0 == process.wait(60)
    record = json.loads(run_here("replay", f"{kept(home)[-1]}/0", "--json", "--home", home.path).out)
    assert [("connected", None), ("first", None)] == [(s["bot"], s["fault"]) for s in record["seats"]]


@pytest.mark.slow
def test_a_bot_of_its_author_that_ends_at_once_loses_with_the_reason(home):
    with playing(home, "--connect", "0", text=True) as process:
        relay = read_until(process, "bash -c").replace("exec ./my_bot", "exit")
        with process_group(shlex.split(relay), env=ENVIRONMENT) as author:
            assert 0 == author.wait(60)
        out, _ = process.communicate(timeout=60)
    *_, story, why = out.splitlines()
    assert "first wins: your bot did not start" == story
    assert why.startswith("     your bot lost the match: ")
    assert "before it was ready" in why
