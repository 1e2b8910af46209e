"""A week of a ladder that never ends: people submit, some of them with bad intent, and processes are killed.

`LADDER_WEEK=full pytest -s -m slow --timeout 0 tests/ladder/run/test_week.py` lets a week pass in two hours,
with 300 submissions from 60 people, and prints how long they waited.  Without it, a minute is a sample.
`LADDER_WEEK=SECONDS` plays the whole week in that time.
"""

import re
import signal
import statistics
import subprocess
import time
from contextlib import ExitStack
from datetime import datetime
from typing import NamedTuple

import pytest
from support import ladders
from support.command_line import run_here
from support.commands import process_group
from support.inboxes import answers_in
from support.weeks import SETTINGS, wait_for_newest, week

from ladder.home.home import open_home
from results.storage.store import Store


class Put(NamedTuple):
    """A submission as it was put into the inbox."""

    person: str
    name: str
    at: float
    is_hostile: bool


def put(inbox, number, of):
    """Put submission *number* into the inbox: a hostile one now and then, else a version of a bot."""
    person = f"p{number % of.people:02}"
    folder = inbox / person
    folder.mkdir(exist_ok=True)
    is_hostile, text = of.is_hostile(number), of.text_of(number, ladders.PLAYER)
    name = f"bad{number}.py" if is_hostile else f"{person}-bot.py"
    hidden = folder / f".{number}"
    hidden.write_text(text)
    time.sleep(0.02)
    # an older entry of this name that is not taken yet would be lost, as on any disk
    while (folder / name).exists():
        time.sleep(0.5)
    hidden.rename(folder / name)
    return Put(person, name, time.time(), is_hostile)


@pytest.mark.slow
@pytest.mark.timeout(0)
def test_nothing_is_lost_in_a_week_and_nobody_waits_long(tmp_path):
    of, inbox = week(), tmp_path / "inbox"
    inbox.mkdir()
    home = ladders.a_home(tmp_path / "home", settings=SETTINGS)
    chain = ladders.command(home.path, "--forever", of.link, "--seats", "2")
    commands = {"chain": chain, "door": [chain[0], "inbox", inbox, "--home", home.path]}
    kills = {of.submissions // 3: "chain", of.submissions // 2: "door"}
    submitted = []
    with ExitStack() as stack:

        def start(name):
            said = stack.enter_context((tmp_path / f"{name}.log").open("ab"))
            processes[name] = stack.enter_context(process_group(commands[name], stderr=said))

        processes: dict[str, subprocess.Popen[bytes]] = {}
        for name in commands:
            start(name)
        began = time.monotonic()
        for number in range(of.submissions):
            time.sleep(max(0.0, began + number * of.seconds / of.submissions - time.monotonic()))
            submitted.append(put(inbox, number, of))
            if name := kills.get(number):
                processes[name].send_signal(signal.SIGKILL)
                processes[name].wait()
                start(name)
        answers = wait_for_answers(home, len(submitted))
        wait_for_newest(home, deadline=time.monotonic() + 900)
        renamed = run_here("bots", "rename", "first", "anybody", "--home", home.path)
        assert 0 == renamed.code, renamed.err
        for process in processes.values():
            process.send_signal(signal.SIGTERM)
            assert 143 == process.wait(timeout=120)
    assert re.search(r"run \d+ has ended: .* of \d+ bots; new: p0", (tmp_path / "chain.log").read_text())
    check_answers(submitted, answers, tmp_path)
    assert 0 == run_here("home", "verify", "--home", home.path).code
    tell(submitted, answers, home)


def wait_for_answers(home, count):
    deadline = time.monotonic() + 900
    while len(found := answers_in(home)) < count:
        assert time.monotonic() < deadline, f"{len(found)} of {count} have their answers"
        time.sleep(1)
    return found


def check_answers(submitted, answers, folder):
    assert len(submitted) == len(answers)
    told = sorted((answer["person"], answer["entry"]) for answer in answers)
    assert sorted((each.person, each.name) for each in submitted) == told
    hostile = {(each.person, each.name) for each in submitted if each.is_hostile}
    for answer in answers:
        is_hostile = (answer["person"], answer["entry"]) in hostile
        assert is_hostile == (answer["result"] == "refused"), answer
        assert (folder / "outbox" / answer["person"] / f"{answer['entry']}.md").exists()
    assert [] == list(folder.glob("done/.taking/*/*"))
    assert len(answers) == len([*folder.glob("done/[!.]*/*")])


def tell(submitted, answers, home):
    """Print how long submissions waited for their answers, and bots for their first match."""
    came: dict[tuple[str, str], list[float]] = {}
    for answer in answers:
        key = answer["person"], answer["entry"]
        came.setdefault(key, []).append(datetime.fromisoformat(answer["when"]).timestamp())
    waits = [came[each.person, each.name].pop(0) - each.at for each in submitted]
    contents = Store(home.results).contents()
    begun = {}
    for run in contents.runs:
        for bot in run.bot_keys:
            begun.setdefault(bot, run.started / 1e6)
    versions = open_home(home.path).roster.versions()
    until_played = [
        begun[key] - datetime.fromisoformat(version.submitted).timestamp()
        for version in versions
        if (key := (version.bot, version.version)) in begun and version.bot.startswith("p")
    ]
    matches = sum(len(part) for part in contents.match_parts(["number"]))
    played = f"{matches:,} matches in {len(contents.runs)} runs"
    first = f"{statistics.median(until_played):.0f} s (median), at most {max(until_played):.0f} s"
    print(
        f"\n{len(submitted)} submissions, {played}; answers after {statistics.median(waits):.0f} s (median),"
        f" at most {max(waits):.0f} s; from there to the first run {first}"
    )
    assert statistics.median(waits) + statistics.median(until_played) < 300.0
