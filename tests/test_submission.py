"""Taking in bots: what passes its match against itself, and what is told to the author of what does not."""

from __future__ import annotations

import ladders
import pytest

from engines import GAMES
from ladder.errors import LadderError
from ladder.home import create_home, open_home
from ladder.submission import submit

QUICK = "[limits]\nmove_ms = 100\nbank_ms = 100\nstart_ms = 10000\n"
"""For bots that let time run out."""

READY = """\
import json, sys, time
sys.stdin.readline()
print('{"type":"ready","protocol":1}', flush=True)
for line in sys.stdin:
    act = json.loads(line)
    if act["type"] == "act":
        answer = {"id": act["id"], "move": act["choice"]["options"][0]}
"""
"""The beginning of a bot that knows what to answer; what it does with the answer follows."""
SAY = "        print(json.dumps(answer), flush=True)\n"


@pytest.fixture
def only_stellar(monkeypatch):
    """Let there be one game."""
    for name in GAMES.keys() - {"stellar"}:
        monkeypatch.delitem(GAMES, name)


@pytest.fixture
def home(tmp_path, only_stellar):
    create_home(tmp_path / "home")
    (tmp_path / "home" / "ladder.toml").write_text(QUICK)
    return open_home(tmp_path / "home")


def a_script(tmp_path, text):
    (tmp_path / "rat.py").write_text(text)
    return tmp_path / "rat.py"


def test_a_bot_that_plays_is_taken_in(home, tmp_path):
    version = submit(home, a_script(tmp_path, READY + SAY))
    assert [version] == home.roster.active()
    assert version == submit(home, tmp_path / "rat.py")
    assert "mole" == submit(home, tmp_path / "rat.py", "mole").bot


CHEATS = READY + "        answer['move'] = 'cheat'\n" + SAY
RAISES = READY + "        raise SystemError('oh')\n"
SLEEPS = READY + "        time.sleep(600)\n"
PRINTS = READY + "        print('thinking', flush=True)\n"
EXITS = "import sys; sys.exit('no model')"


@pytest.mark.parametrize(
    ("program", "said"),
    [
        (CHEATS, ["illegal: expected one of", "'cheat'", '"move": "cheat"']),
        (RAISES, ["crash: the process ended", "SystemError: oh"]),
        (SLEEPS, ["timeout: no answer within 200 ms", 'request: {"type":"act"']),
        (PRINTS, ["protocol: ", "answer: thinking"]),
        (EXITS, ["start: the process ended before it was ready", "no model"]),
    ],
)
def test_a_bot_that_fails_is_refused_with_the_exchange_and_leaves_nothing(home, tmp_path, program, said):
    with pytest.raises(LadderError, match="rat failed its match against itself") as caught:
        submit(home, a_script(tmp_path, program))
    for text in said:
        assert text in str(caught.value)
    assert f"correct the bot, then: ladder submit {tmp_path / 'rat.py'}" == caught.value.hint
    assert [] == list((home.path / "bots").rglob("*"))


def test_a_bot_that_is_refused_leaves_the_version_before_it_active(home, tmp_path):
    version = submit(home, a_script(tmp_path, READY + SAY))
    with pytest.raises(LadderError):
        submit(home, a_script(tmp_path, READY))
    assert [version] == home.roster.versions()


def test_no_process_is_left_of_a_bot_that_is_refused(home, tmp_path):
    folder = tmp_path / "x"
    folder.mkdir()
    a_script(folder, SLEEPS)
    mark = f"mark-of-{tmp_path.name}"
    (folder / "bot.toml").write_text(f'name = "rat"\nrun = ["{{python}}", "rat.py", "{mark}"]')
    with pytest.raises(LadderError):
        submit(home, folder)
    assert [] == ladders.processes(mark)


def test_a_bot_has_its_environment_and_config_already_in_its_match_against_itself(
    home, tmp_path, monkeypatch
):
    folder = tmp_path / "x"
    folder.mkdir()
    a_script(
        folder,
        "import os\nassert os.environ['KEY'] == 'ring'\nassert 'HIDDEN' not in os.environ\n" + READY + SAY,
    )
    (folder / "bot.toml").write_text('name = "rat"\nrun = ["{python}", "rat.py"]\nenv = ["KEY", "HIDDEN"]')
    monkeypatch.setenv("KEY", "ring")
    monkeypatch.setenv("HIDDEN", "x")
    with pytest.raises(LadderError, match="KeyError: 'KEY'"):
        submit(home, folder)
    (home.path / "ladder.toml").write_text('[allow]\nenv = ["KEY"]')
    assert "rat" == submit(open_home(home.path), folder).bot


def test_a_bot_plays_itself_by_the_homes_own_options(home, tmp_path):
    program = READY.replace(
        '    if act["type"] == "act":',
        '    if act["type"] == "start":\n'
        '        assert act["options"] == {"face_down_number": "three"}, act\n'
        '    if act["type"] == "act":',
    )
    (home.path / "ladder.toml").write_text('[games.stellar.options]\nface_down_number = "three"')
    assert "rat" == submit(open_home(home.path), a_script(tmp_path, program + SAY)).bot
