"""Taking in bots: what passes its match against itself, and what is told to the author of what does not."""

import contextlib
import re
import shutil
from pathlib import Path

import msgspec
import pytest
from support import ladders
from support.cheating import cheating
from support.games import only
from support.submitting import submit

from engines import GAMES
from engines.template import Toy
from ladder.admission import submit as admission
from ladder.admission.advice import STDERR
from ladder.admission.check import check
from ladder.admission.submit import TakenName, keep_for_duel
from ladder.errors import LadderError, RefusedBot, TooBusy, UsageProblem
from ladder.home.home import open_home
from ladder.referee.player import Player
from ladder.registry.bot_manifest import read_manifest
from ladder.registry.bot_names import RESERVED
from ladder.registry.place import place_of
from ladder.registry.transfer import pack
from ladder.run.setup import setup_of
from ladder.sandbox.confinement import Confinement
from ladder.worker import starter
from ladder.worker.check_progress import CheckProgress
from protocol.faults import FAULTS

pytestmark = pytest.mark.usefixtures("threads")

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
def only_stellar():
    """Let there be one game."""
    with only("stellar"):
        yield


@pytest.fixture
def home(tmp_path, only_stellar):
    return ladders.a_home(tmp_path / "home", {}, QUICK)


def a_script(tmp_path, text):
    (tmp_path / "rat.py").write_text(text)
    return tmp_path / "rat.py"


def a_folder(folder, text, run='"{python}", "rat.py"', name="rat", more=""):
    """Write a folder with a script and its bot.toml."""
    folder.mkdir(exist_ok=True)
    a_script(folder, text)
    (folder / "bot.toml").write_text(f'name = "{name}"\nrun = [{run}]\n{more}')
    return folder


@pytest.mark.process
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
SOONER = (
    "answer sooner: a decision has 100 ms (move_ms), and all of a match together 100 ms more (bank_ms);"
    " who runs the ladder can give it more: move_ms = 200, below [limits.bots.rat] in ladder.toml"
)


@pytest.mark.parametrize(
    ("program", "said", "advice"),
    [
        (CHEATS, ["illegal: expected one of", "'cheat'", '"move": "cheat"'], FAULTS["illegal"].advice),
        (RAISES, ["crash: the process ended", "SystemError: oh"], FAULTS["crash"].advice),
        (SLEEPS, ["timeout: no answer within 200 ms", 'request: {"type":"act"'], SOONER),
        (PRINTS, ["protocol: ", "answer: thinking"], STDERR),
        (EXITS, ["start: the process ended before it was ready", "no model"], FAULTS["crash"].advice),
    ],
)
def test_a_bot_that_fails_is_refused_with_the_exchange_and_leaves_nothing(
    home, tmp_path, program, said, advice
):
    with pytest.raises(LadderError, match="rat failed its match against itself at stellar: ") as caught:
        submit(home, a_script(tmp_path, program))
    for text in said:
        assert text in str(caught.value)
    assert f"{advice}; then: ladder submit {tmp_path / 'rat.py'}" == caught.value.hint
    assert [] == list((home.path / "bots").rglob("*"))


def test_a_bot_that_is_refused_leaves_the_version_before_it_active(home, tmp_path):
    version = submit(home, a_script(tmp_path, READY + SAY))
    with pytest.raises(LadderError, match=f"\\n{version.id} continues to play$"):
        submit(home, a_script(tmp_path, READY))
    assert [version] == home.roster.versions()


def test_a_manifest_that_cannot_be_read_leaves_the_version_from_the_same_folder_active(home, tmp_path):
    folder = a_folder(tmp_path / "x", READY + SAY)
    version = submit(home, folder)
    (folder / "bot.toml").write_text("name = ")
    with pytest.raises(UsageProblem, match=f"not valid TOML.*\\n{version.id} continues to play$"):
        submit(home, folder)


@pytest.mark.process
def test_no_process_is_left_of_a_bot_that_is_refused(home, tmp_path):
    mark = f"mark-of-{tmp_path.name}"
    with pytest.raises(LadderError):
        submit(home, a_folder(tmp_path / "x", SLEEPS, f'"{{python}}", "rat.py", "{mark}"'))
    assert [] == ladders.processes(mark)


@pytest.mark.process
def test_a_bot_has_its_environment_and_config_already_in_its_match_against_itself(
    home, tmp_path, monkeypatch
):
    looks = "import os\nassert os.environ['KEY'] == 'ring'\nassert 'HIDDEN' not in os.environ\n"
    folder = a_folder(tmp_path / "x", looks + READY + SAY, more='env = ["KEY"]')
    monkeypatch.setenv("KEY", "ring")
    monkeypatch.setenv("HIDDEN", "x")
    (home.path / "ladder.toml").write_text('[allow]\nenv = ["KEY", "HIDDEN"]')
    assert "rat" == submit(open_home(home.path), folder).bot


@pytest.mark.parametrize(
    ("asks", "allows", "said", "todo"),
    [
        ('env = ["KEY"]', "", "for the variable KEY, which .* does not allow", 'env = ["KEY"]'),
        ('env = ["KEY"]', 'env = ["A"]', "for the variable KEY, which .* does not", 'env = ["A", "KEY"]'),
        ("network = true", "", "for the network, which it may not use", 'network = ["rat"]'),
        ("network = true", 'network = ["x"]', "for the network", 'network = ["x", "rat"]'),
        (
            'env = ["UNSET"]',
            'env = ["UNSET"]',
            "for the variable UNSET, which is not set",
            "export UNSET=...",
        ),
    ],
)
def test_what_a_manifest_asks_for_and_does_not_get_is_said_before_the_bot_is_started(
    home, tmp_path, monkeypatch, asks, allows, said, todo
):
    monkeypatch.setenv("KEY", "ring")
    monkeypatch.delenv("UNSET", raising=False)
    (home.path / "ladder.toml").write_text(f"[allow]\n{allows}\n")
    home = open_home(home.path)
    folder = a_folder(tmp_path / "x", EXITS, more=asks)
    with pytest.raises(UsageProblem, match=f"rat asks {said}") as caught:
        submit(home, folder)
    assert caught.value.hint.endswith(todo)
    (finding,) = check(home, str(folder))
    assert ("manifest", "failure", caught.value.hint) == (finding.check, finding.verdict, finding.advice)
    if todo.startswith("export"):
        monkeypatch.setenv("UNSET", "1")
    else:
        (home.path / "ladder.toml").write_text(f"[allow]\n{todo}\n")
    with pytest.raises(LadderError, match="no model"):  # the bot is started, and fails
        submit(open_home(home.path), folder)


def test_a_bot_plays_itself_by_the_homes_own_options(home, tmp_path):
    program = READY.replace(
        '    if act["type"] == "act":',
        '    if act["type"] == "start":\n'
        '        assert act["options"] == {"face_down_number": "three"}, act\n'
        '    if act["type"] == "act":',
    )
    (home.path / "ladder.toml").write_text('[games.stellar.options]\nface_down_number = "three"')
    assert "rat" == submit(open_home(home.path), a_script(tmp_path, program + SAY)).bot


# -- bots that play some games


MOODY = cheating('["toy"] if os.environ.get("MOOD") == "bad" else []')
"""A bot that fails in the game `toy`, in a bad mood."""


@pytest.fixture
def two_games(home, monkeypatch):
    """Let there be a second game, and bots in a bad mood."""
    monkeypatch.setitem(GAMES, "toy", Toy())
    monkeypatch.setenv("MOOD", "bad")
    (home.path / "ladder.toml").write_text('[allow]\nenv = ["MOOD"]')
    return open_home(home.path)


def moody(tmp_path, more="", text=MOODY):
    return a_folder(tmp_path / "x", text, more=f'env = ["MOOD"]\n{more}')


def test_a_bot_is_taken_in_for_the_games_it_passes_and_told_why_not_for_the_others(two_games, tmp_path):
    told = []
    version = submit(two_games, moody(tmp_path), say=told.append)
    assert ("toy",) == version.unfit
    assert (True, False) == (version.plays("stellar"), version.plays("toy"))
    assert [version] == two_games.roster.active()
    (said,) = told
    assert said.startswith("rat does not play toy, where it failed against itself: illegal: expected one of")


def test_a_version_submitted_again_tries_once_more_the_games_it_failed_in(two_games, tmp_path, monkeypatch):
    first = submit(two_games, moody(tmp_path))
    again = submit(two_games, moody(tmp_path))
    assert (first.id, ("toy",)) == (again.id, again.unfit)
    monkeypatch.setenv("MOOD", "good")
    second = submit(two_games, moody(tmp_path))
    assert (first.id, ()) == (second.id, second.unfit)
    assert [second] == two_games.roster.versions()


def test_a_bot_that_names_its_games_must_pass_all_of_them(two_games, tmp_path):
    with pytest.raises(LadderError, match="failed its match against itself at toy: illegal"):
        submit(two_games, moody(tmp_path, 'games = ["stellar", "toy"]'))
    assert submit(two_games, moody(tmp_path, 'games = ["stellar"]')).plays("stellar")


def test_a_bot_that_fails_in_every_game_or_cannot_start_is_refused(two_games, tmp_path):
    with pytest.raises(LadderError, match="against itself at stellar: illegal"):
        submit(two_games, a_script(tmp_path, CHEATS))
    with pytest.raises(LadderError, match="against itself at stellar: start"):
        submit(two_games, a_script(tmp_path, EXITS))
    assert [] == two_games.roster.versions()


def test_a_bot_meets_no_game_that_it_is_unfit_for(two_games, tmp_path):
    submit(two_games, moody(tmp_path))
    for number in range(3):
        ladders.enlist(two_games, f"b{number}", {})
    run = ladders.start_run(two_games, 4)
    playing = {contest.game: contest.bots for contest in run.settings.contests}
    names = {game: {run.bots[i]["name"] for i in players} for game, players in playing.items()}
    assert {"stellar": {"b0", "b1", "b2", "rat"}, "toy": {"b0", "b1", "b2"}} == names
    rat = next(bot for bot in setup_of(two_games, run, 1).bots if bot.bot == "rat")
    assert not rat.plays("toy")


# -- archives


def zipped(tmp_path, program):
    a_folder(tmp_path / "rat", program)
    return Path(shutil.make_archive(tmp_path / "s09", "zip", tmp_path, "rat"))


def test_an_archive_is_submitted_and_checked_like_its_folder(home, tmp_path):
    path = zipped(tmp_path, READY + SAY)
    findings = check(home, str(path))
    assert ["manifest", "build"] == [next(findings).check, next(findings).check]
    findings.close()
    version = submit(home, path)
    assert {"rat": [str(path)]} == home.roster.origins()
    assert ["bot.toml", "rat.py"] == sorted(file.name for file in Path(version.folder).iterdir())
    assert version.version == submit(home, tmp_path / "rat", replace=True).version


def test_a_refused_archive_is_told_by_its_own_name(home, tmp_path):
    path = zipped(tmp_path, CHEATS)
    with pytest.raises(LadderError, match="rat failed its match against itself") as caught:
        submit(home, path)
    assert f"{FAULTS['illegal'].advice}; then: ladder submit {path}" == caught.value.hint
    (tmp_path / "s10.tar.gz").write_bytes(b"\x1f\x8b and no more")
    (finding, *_) = check(home, str(tmp_path / "s10.tar.gz"))
    assert (f"{tmp_path}/s10.tar.gz cannot be unpacked", "failure") == (
        finding.what.partition(":")[0],
        finding.verdict,
    )


# -- fewer checks


def test_a_quick_check_is_one_match(home, tmp_path):
    progress = CheckProgress()
    submit(home, a_script(tmp_path, READY + SAY), checks="quick", progress=progress)
    assert re.fullmatch("rat against itself: stellar for 2, match 1 of 1, [0-9]+ decisions", str(progress))
    with pytest.raises(LadderError, match="failed its match against itself at stellar: illegal"):
        submit(home, a_script(tmp_path, CHEATS), checks="quick")


def test_a_quick_check_ends_with_the_first_game_that_the_bot_passes(two_games, tmp_path, monkeypatch):
    progress = CheckProgress()
    assert () == submit(two_games, moody(tmp_path), checks="quick", progress=progress).unfit
    assert "at itself: toy" not in str(progress)
    names = list(GAMES)
    monkeypatch.setattr(admission, "GAMES", {name: GAMES[name] for name in reversed(names)})
    other = moody(tmp_path, text=MOODY + "#")
    assert ("toy",) == submit(two_games, other, checks="quick", progress=progress).unfit
    assert "rat against itself: stellar for 2, match 1 of 1" in str(progress)


def test_without_a_check_a_bot_is_built_and_not_started(home, tmp_path):
    version = submit(home, a_script(tmp_path, CHEATS), checks="none")
    assert [version] == home.roster.active()
    (tmp_path / "rat.toml").write_text('name = "mole"\nrun = ["./none"]\n')
    with pytest.raises(UsageProblem, match=r"`run` names \./none, which is not in the snapshot"):
        submit(home, tmp_path / "rat.toml", checks="none")


def test_a_list_that_is_written_as_a_text_is_refused_with_the_list(home, tmp_path):
    (tmp_path / "rat.toml").write_text('name = "rat"\nrun = "python3 rat.py --fast"\n')
    with pytest.raises(UsageProblem, match="`run` is a text; write a list") as caught:
        submit(home, tmp_path / "rat.toml")
    assert 'write a list: run = ["python3", "rat.py", "--fast"]' == caught.value.hint


# -- names


def by(folder, author="", name="rat"):
    """Write a folder with a bot by *author*."""
    return a_folder(folder, READY + SAY + f"# {folder.name}", name=name, more=f'author = "{author}"')


def test_a_name_is_not_taken_over_from_another_folder_whatever_author_the_bot_names(home, tmp_path):
    """Anybody can read and copy that line."""
    mine = submit(home, by(tmp_path / "mine", "Ann"))
    with pytest.raises(TakenName) as no:
        submit(home, by(tmp_path / "theirs", "Ann"))
    said = f"there is a bot 'rat' already, submitted from {tmp_path}/mine\n{mine.id} continues to play"
    assert (said, 2) == (str(no.value), no.value.exit_code)
    assert no.value.hint.startswith(f"ladder submit {tmp_path}/theirs --replace, if it is its next version;")
    assert mine == home.roster.find("rat")
    assert mine.version != submit(home, by(tmp_path / "theirs", "Ann"), replace=True).version
    submit(home, by(tmp_path / "mine", "Ann"))  # both folders have given the name by now


def test_a_name_is_not_taken_over_by_another_author(home, tmp_path):
    submit(home, by(tmp_path / "mine", "Ann"))
    for author, said in (("Bob", "by 'Bob'"), ("", "without an author")):
        with pytest.raises(UsageProblem, match=f"is by 'Ann', and this bot is {said}"):
            submit(home, by(tmp_path / "mine", author))


@pytest.mark.parametrize("agrees", [True, False])
def test_submit_can_ask_whether_a_bot_has_moved(home, tmp_path, agrees):
    submit(home, by(tmp_path / "mine", "Ann"))
    asked = []
    with contextlib.nullcontext() if agrees else pytest.raises(TakenName):
        submit(home, by(tmp_path / "theirs", "Ann"), confirm=lambda what: asked.append(what) or agrees)
    assert [f"make this bot from {tmp_path}/theirs its next version?"] == [
        what.split("; ")[1] for what in asked
    ]
    assert (2 if agrees else 1) == len(home.roster.versions())
    if agrees:
        submit(home, by(tmp_path / "theirs", "Ann"))  # both places have given the name by now
        submit(home, by(tmp_path / "mine", "Ann"))


def test_the_name_of_a_bot_that_was_only_kept_for_a_duel_is_free(tmp_path):
    home = ladders.a_home(tmp_path / "home", {})
    keep_for_duel(home, by(tmp_path / "theirs", "Bob"))
    mine = submit(home, by(tmp_path / "mine", "Ann"), checks="none")
    assert [mine] == home.roster.active()


NUMBERED = [word.replace("#", "12") for word in RESERVED]
NUMBERED += ["D1", "R07", "Last", "ALL.", "0", "2026", "NA", "NaN", "Aux.py", "0" * 32]


@pytest.mark.parametrize("name", NUMBERED)
def test_a_new_bot_that_is_called_as_a_word_of_programs_gets_another_name(home, tmp_path, name):
    with pytest.raises(RefusedBot, match="programs read this word as something else"):
        submit(home, by(tmp_path / "a"), name)  # somebody chooses it now
    said = []
    spare = f"bot-{name}"[:32]
    assert spare == submit(home, by(tmp_path / "a", name=name), say=said.append).bot
    assert [f"{spare}: programs read {name!r} as something else, so it is called {spare}"] == said
    assert spare == keep_for_duel(home, by(tmp_path / "a", name=name)).bot
    staged = home.roster.stage(tmp_path / "a", read_manifest(tmp_path / "a", GAMES), {}, Confinement("none"))
    staged.accept(place=place_of(tmp_path / "a"))
    assert name == submit(home, by(tmp_path / "a", name=name)).bot  # a bot of an old home keeps its name


@pytest.mark.parametrize("name", ["d", "r", "d1x", "x1", "lasting", "1st", "d-1", "housed"])
def test_other_words_are_names(home, tmp_path, name):
    assert name == submit(home, by(tmp_path / "a", name=name)).bot


@pytest.mark.parametrize("name", ["Rat", "rat.", "RAT..."])
def test_a_new_name_differs_from_others_in_more_than_case_or_final_dots(home, tmp_path, name):
    submit(home, by(tmp_path / "mine"))
    for replace in (False, True):
        with pytest.raises(RefusedBot, match=f"'{name}' differs from 'rat' in upper and lower case or final"):
            submit(home, by(tmp_path / "theirs", name=name), replace=replace)
    with pytest.raises(RefusedBot, match=r"'Random\.' differs from 'random' in"):
        submit(home, by(tmp_path / "theirs", name="Random."))


@pytest.mark.parametrize("name", ["search", "r1-search"])
def test_the_names_of_bundled_bots_are_theirs_where_they_have_not_joined(home, tmp_path, name):
    with pytest.raises(
        RefusedBot, match=f"'{name}' is a house bot, and this bot did not come with the ladder"
    ):
        submit(home, by(tmp_path / "a", name=name))


@pytest.mark.parametrize("display", ["search", "SE\u0410RCH", "\uff47reedy", "r\u0430t", "Rat."])
def test_no_bot_is_shown_under_what_reads_as_the_name_of_another(home, tmp_path, display):
    submit(home, by(tmp_path / "theirs"), checks="none")
    shown = f'display = "{display}"'
    mine = a_folder(tmp_path / "mine", SAY, name="mine", more=shown)
    with pytest.raises(
        RefusedBot, match=f"mine cannot be shown as '{display}': that is the name of another bot"
    ):
        submit(home, mine, checks="none")
    staged = home.roster.stage(mine, read_manifest(mine, GAMES), {}, Confinement("none"))
    staged.accept(place=place_of(mine))  # a bot of an old home continues
    (mine / "bot.py").write_text("pass")
    assert 2 == submit(home, mine, checks="none").number


def test_two_authors_may_show_the_same_name(home, tmp_path):
    """The handle of the first one, `kot`, looks like the name of both."""
    for name in ("kot", "kot-2"):
        shown = 'display = "\u041a\u043e\u0442"'
        assert name == submit(home, a_folder(tmp_path / name, SAY, name=name, more=shown), checks="none").bot


@pytest.mark.parametrize(
    "author", ["ladder", "Ladder", " LADDER.", "lad\u200bder", "\uff4cadder", "l\u0430dder"]
)
def test_the_author_of_the_house_bots_is_theirs(home, tmp_path, author):
    with pytest.raises(RefusedBot, match="'ladder' is the author of the house bots"):
        submit(home, by(tmp_path / "mine", author))
    assert [] == home.roster.versions()


def test_the_same_folder_goes_on_whatever_path_leads_to_it(home, tmp_path, monkeypatch):
    first = submit(home, by(tmp_path / "mine"))
    (tmp_path / "link").symlink_to("mine")
    monkeypatch.chdir(tmp_path)
    for path in (Path("mine"), tmp_path / "link", Path("mine/bot.toml")):
        assert first == submit(home, path)
    submit(home, by(tmp_path / "mine", "Ann"))  # an author may sign later


def test_where_a_bot_came_from_is_known_to_its_home_alone(home, tmp_path):
    version = submit(home, by(tmp_path / "mine"))
    assert {"rat": [str(tmp_path / "mine")]} == home.roster.origins()
    assert str(tmp_path / "mine").encode() not in msgspec.json.encode(version)
    assert str(tmp_path / "mine").encode() not in msgspec.msgpack.encode(pack(version))


# --- a machine that is too busy


@pytest.mark.parametrize(("late", "checks"), [(2, "full"), (2, "quick"), (3, "full"), (3, "quick")])
def test_what_the_machine_delays_is_tried_three_times_before_it_is_not_judged(
    home, tmp_path, monkeypatch, late, checks
):
    path = a_script(tmp_path, READY + SAY)
    real, left = starter.start_player, [True] * late

    def start_player(bot, *more):
        if bot.version.endswith("-0") and left and left.pop():
            player = Player(bot, None, "no ready within 10000 ms of its start")
            player.delay = "it waited"
            return player
        return real(bot, *more)

    monkeypatch.setattr(starter, "start_player", start_player)
    if late < 3:
        assert [submit(home, path, checks=checks)] == home.roster.active()
        return
    with pytest.raises(TooBusy, match=r"^rat is not judged: .* but it waited$"):
        submit(home, path, checks=checks)
    assert [] == home.roster.versions()
