"""What ladder/OPERATING.md gives to cron and systemd works there: the lines are taken from the page."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from support.documents import PAGES, blocks
from support.ladders import PLAYER
from support.need import need_program
from support.served import served

from ladder.home.home import open_home

PAGE = PAGES["ladder/OPERATING.md"]
LAST = {"minute": 59, "hour": 23, "day": 31, "month": 12, "weekday": 7}
"""The largest number of each field of a line of cron, crontab(5)."""
MAIL = "#!/bin/sh\ncat > mailed || exit\nprintf '%s\\n' \"$@\" > asked\n"


class Job(NamedTuple):
    """A line of a table of cron."""

    times: list[str]
    command: str


def jobs_of(table):
    """Return the variables and the jobs of a table of cron, as crontab(5) reads it."""
    variables, jobs = {}, []
    for line in table.splitlines():
        if found := re.fullmatch(r"([A-Z]+)\s*=\s*(.*)", line):
            variables[found[1]] = found[2]
        else:
            *times, command = line.split(maxsplit=5)
            assert not re.search(r"(?<!\\)%", command), "cron ends the command there"
            jobs.append(Job(times, command.replace("\\%", "%")))
    return variables, jobs


def run_job(job, folder):
    """Run *job* as cron does: /bin/sh, four variables, no terminal, in HOME."""
    made = {
        "SHELL": "/bin/sh",
        "PATH": f"{folder}/stubs:/usr/bin:/bin",
        "HOME": str(folder),
        "LOGNAME": "ladder",
    }
    return subprocess.run(
        ["/bin/sh", "-c", job.command],
        cwd=folder,
        env=made,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        start_new_session=True,
    )


@pytest.fixture
def folder(tmp_path):
    """Return the folder of a ladder as the page has it, with a program that keeps what is mailed."""
    (tmp_path / "venv").symlink_to(Path(sys.prefix))
    (tmp_path / "submissions").mkdir()
    (tmp_path / "submissions" / "s01.py").write_text(PLAYER)
    (tmp_path / "names.csv").write_text("file,handle,name\ns01.py,otter,Ann\n")
    (tmp_path / "stubs").mkdir()
    (tmp_path / "stubs" / "mail").write_text(MAIL)
    (tmp_path / "stubs" / "mail").chmod(0o755)
    ladder = tmp_path / "venv/bin/ladder"
    for made in (["home", "init", "home"], ["bots", "house", "add", "--home", "home"]):
        subprocess.run([ladder, *made], cwd=tmp_path, check=True, capture_output=True)
    (tmp_path / "home/ladder.toml").write_text('[run]\ngames = ["stellar"]\n')
    return tmp_path


def test_the_tables_of_cron_are_ones():
    for table in blocks("crontab", PAGE):
        variables, jobs = jobs_of(table)
        assert "/var/ladder" == variables["HOME"]
        for times, _ in jobs:
            for field, most in zip(times, LAST.values(), strict=True):
                assert field == "*" or 0 <= int(field) <= most


@pytest.mark.slow
def test_a_night_of_the_page_runs_as_cron_runs_it(folder):
    nights, backup = (jobs_of(table)[1] for table in blocks("crontab", PAGE))
    submit, play, mail = nights
    assert "--games 20000 --for 6h" in play.command
    play = play._replace(command=play.command.replace("--games 20000", "--games 8"))
    for job in (submit, play):
        done = run_job(job, folder)
        assert (0, "", "") == (done.returncode, done.stdout, done.stderr), "a good night is not mailed"
    assert (folder / "answers").is_dir()
    assert "otter" in (folder / "night.md").read_text()

    report = (folder / "night.md").read_text()
    assert 0 == run_job(mail, folder).returncode
    assert report == (folder / "mailed").read_text()
    assert "teacher@example.org" in (folder / "asked").read_text()
    again = run_job(mail, folder)
    assert again.returncode
    assert "night.md" in again.stderr, "cron mails that there is no report"

    for _ in range(2):  # the second takes the place of the first
        done = run_job(backup[0], folder)
        assert (0, "", "") == (done.returncode, done.stdout, done.stderr)
    (archive,) = (folder / "archives").glob("*.tar.gz")
    assert re.fullmatch(r"[1-7]\.tar\.gz", archive.name)
    (folder / "home").rename(folder / "lost")
    failed = run_job(backup[0], folder)
    assert "home" in failed.stdout, "cron mails why there is no archive"
    assert archive.exists()


@pytest.mark.tools
@pytest.mark.slow
def test_a_door_of_the_page_leads_a_stranger_to_a_rated_match(folder):
    need_program("curl")
    shutil.rmtree(folder / "home")
    path = f"{folder}/venv/bin:{os.environ['PATH']}"

    def type_lines(text, **more):
        env = {**os.environ, "PATH": path, **more}
        return subprocess.run(
            ["sh", "-ec", text], cwd=folder, env=env, check=True, capture_output=True, text=True
        ).stdout

    type_lines("ladder home init home")
    token = type_lines(*blocks("shell", PAGE)).strip()
    (change,) = re.findall(r"^sed -i '(s\|ladder serve.*)' .*service$", PAGE, re.MULTILINE)
    (unit,) = [unit for unit in blocks("ini", PAGE) if "ladder serve" in unit]
    changed = subprocess.run(["sed", change], input=unit, capture_output=True, text=True, check=True).stdout
    assert "ladder serve --uploads inbox --home home\n" in changed
    (folder / "my_bot.py").write_text(PLAYER)
    with served(open_home(folder / "home"), "--uploads", str(folder / "inbox")) as (address, _):
        (block,) = blocks("bash", PAGE)
        hand_in, ask = block.replace("https://example.org/ladder/", address).splitlines()
        assert "waiting" == json.loads(type_lines(hand_in, LADDER_TOKEN=token))["state"]
        type_lines("ladder inbox inbox --once --home home")
        assert "accepted" == json.loads(type_lines(ask, LADDER_TOKEN=token))["state"]
        type_lines("ladder run --games 40 --game stellar --home home")
        assert "played" == json.loads(type_lines(ask, LADDER_TOKEN=token))["state"]


@pytest.mark.tools
@pytest.mark.parametrize("unit", blocks("ini", PAGE), ids=lambda unit: unit.split("\n")[0].split(";")[0])
def test_systemd_takes_the_units_of_the_page(tmp_path, unit):
    program = need_program("systemd-analyze", "systemd")
    found = re.match(r"# /etc/systemd/system/([\w-]+\.service)", unit)
    assert found
    here = unit.replace("/var/ladder/venv", sys.prefix).replace("User=ladder", "User=root")
    assert here != unit
    (tmp_path / found[1]).write_text(here)
    done = subprocess.run([program, "verify", tmp_path / found[1]], capture_output=True, text=True)
    assert (0, "") == (done.returncode, done.stderr)


@pytest.mark.process
@pytest.mark.parametrize("unit", blocks("ini", PAGE), ids=lambda unit: unit.split("\n")[0].split(";")[0])
def test_the_commands_of_units_are_those_of_the_ladder(unit):
    from ladder.cli.commands import COMMANDS

    (command,) = re.findall(r"^ExecStart=/var/ladder/venv/bin/ladder (.*)$", unit, re.MULTILINE)
    name, *options = command.split()
    done = subprocess.run(
        [sys.executable, "-m", "ladder", name, "--help"], capture_output=True, text=True, check=True
    )
    assert name in COMMANDS
    assert all(option in done.stdout for option in options if option.startswith("--"))
