"""A bot against itself: one match at each table size, by one worker, and what it tells of the bot."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import pytest
from support import ladders
from support.cheating import cheating
from support.records import a_fault, a_lone_match, a_seat
from support.taken_in import take_in

from engines import GAMES
from ladder.admission.self_play import check_not_killed, faults_in, is_refused, play_itself, practice_settings
from ladder.errors import TooBusy, whose
from ladder.referee.table_events import BotStarted, MatchOver
from ladder.worker.check_progress import CheckProgress
from protocol.faults import NO_SERVICE


def a_bot(home, bad=(), most=100, more=""):
    folder = home.path / "rat"
    folder.mkdir()
    (folder / "bot.py").write_text(cheating(f"{bad}", most))
    (folder / "bot.toml").write_text(f'name = "rat"\nrun = ["{{python}}", "-S", "bot.py"]\n{more}')
    return take_in(home.roster, folder)


@pytest.fixture
def home(tmp_path):
    return ladders.a_home(tmp_path / "home", {})


class Heard(CheckProgress):
    def __init__(self):
        super().__init__()
        self.starts = 0
        self.tables: list[str] = []

    def hear(self, event):
        super().hear(event)
        self.starts += isinstance(event, BotStarted)
        if isinstance(event, MatchOver):
            self.tables.append(f"{event.match.game}/{len(event.match.seats)}")


@pytest.mark.usefixtures("threads")
def test_one_match_at_each_table_size_is_played_by_processes_that_are_started_once(home):
    heard, games = Heard(), ["stellar", "stella-quest", "starry-sky", "stella"]
    assert {} == play_itself(home, a_bot(home), games, heard)
    assert [f"{game}/{seats}" for game in games for seats in GAMES[game].seats] == heard.tables
    assert (11, 6) == (len(heard.tables), heard.starts)


@pytest.mark.usefixtures("threads")
@pytest.mark.parametrize(
    ("bad", "more", "failed", "refused"),
    [
        ((), "", [], False),
        (("stella-quest/4",), "", ["stella-quest/4"], False),
        (("stella-quest/4",), 'games = ["stella-quest"]', ["stella-quest/4"], False),
        (("stella-quest/4",), "seats = { stella-quest = [2, 4] }", ["stella-quest/4"], True),
        (("stella-quest/4",), "seats = { stella-quest = [2, 3] }", [], False),
        (("stella-quest",), "", ["stella-quest"], False),
        (("stella-quest",), 'games = ["stella-quest"]', ["stella-quest"], True),
        (("stella-quest/2", "stellar"), "seats = { stellar = [2] }", ["stella-quest/2", "stellar"], True),
    ],
)
def test_a_bot_that_fails_at_one_size_alone_fails_in_no_game(home, bad, more, failed, refused):
    bot = a_bot(home, bad, more=more)
    found = play_itself(home, bot, ["stella-quest", "stellar"], CheckProgress())
    assert (failed, refused) == ([*found], is_refused(bot.manifest, found))
    assert {"illegal"} >= {fault.kind for fault in found.values()}


@pytest.mark.usefixtures("threads")
def test_with_one_match_a_game_is_tried_at_its_smallest_size_alone(home):
    heard, bot = Heard(), a_bot(home, ("stella-quest/4",), more="seats = { stella-quest = [3, 4] }")
    assert {} == play_itself(home, bot, ["stella-quest"], heard, one_match=True)
    assert ["stella-quest/3"] == heard.tables


@pytest.mark.usefixtures("threads")
def test_what_a_process_remembers_of_another_table_is_held_against_none(home):
    assert {} == play_itself(home, a_bot(home, most=1), ["stella-quest"], CheckProgress())


KILL = "import os; os.kill(os.getpid(), 9); choice ="
KILLED = "the process ended (killed by signal 9)"


@pytest.mark.parametrize(
    ("fault", "memory_mb", "expected"),
    [
        ({"kind": "crash", "reason": KILLED}, 10, TooBusy),
        (
            {"kind": "start", "reason": "the process ended before it was ready (killed by signal 9)"},
            0,
            TooBusy,
        ),
        ({"kind": "crash", "reason": KILLED}, 100_000, None),
        ({"kind": "crash", "reason": "the process ended (killed by signal 11)"}, 10, None),
        ({"kind": "crash", "reason": KILLED, "bot": "other"}, 10, None),
        ({"kind": "memory", "reason": "600 MB of memory in use, of 512 MB", "exit_status": -9}, 10, None),
    ],
)
def test_a_process_that_the_kernel_killed_is_the_machines_unless_it_was_at_its_limit(
    home, fault, memory_mb, expected
):
    played = a_lone_match(0, a_fault(**fault), seats=[a_seat(memory_bytes=memory_mb << 20), a_seat("beta")])
    with pytest.raises(expected) if expected else nullcontext() as caught:
        check_not_killed(played, practice_settings(home), "alpha")
    if caught:
        assert (8, "machine") == (caught.value.exit_code, whose(caught.value))
        assert "alpha is not judged: " in str(caught.value)


def test_a_bot_whose_service_is_down_is_not_judged_and_one_that_answered_in_the_end_has_no_fault(home):
    down, back = (
        a_lone_match(0, a_fault(kind="transport", charged=charged, reason=f"{NO_SERVICE}: 429"))
        for charged in (True, False)
    )
    with pytest.raises(TooBusy, match=f"^alpha is not judged: {NO_SERVICE}: 429$") as caught:
        check_not_killed(down, practice_settings(home), "alpha")
    assert (8, "machine") == (caught.value.exit_code, whose(caught.value))
    assert "when its service is back" in caught.value.hint
    check_not_killed(back, practice_settings(home), "alpha")
    assert [] == faults_in(back)
    assert 1 == len(faults_in(down))


@pytest.mark.process
def test_a_bot_that_is_killed_is_not_judged(home):
    bot = a_bot(home)
    program = Path(bot.folder) / "bot.py"
    program.write_text(program.read_text().replace("choice =", KILL, 1))
    with pytest.raises(TooBusy, match=r"rat is not judged: .* \(killed by signal 9\)"):
        play_itself(home, bot, ["stellar"], CheckProgress())
