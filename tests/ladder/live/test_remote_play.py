"""Matches of a bot on another machine: the same moves as at home, whatever the line does."""

import ast
import json
import os
import signal
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from itertools import chain
from pathlib import Path
from threading import Thread
from urllib.parse import urlsplit

import msgspec
import pytest
from support.command_line import run_here
from support.inboxes import take
from support.ladders import a_home
from support.places import BAD_BOTS
from support.remote import bad_line, open_hub, playing
from support.seating import good, setup_for
from websockets.exceptions import ConnectionClosed

from ladder.contest.blocks import PlannedBlock
from ladder.live import connect
from ladder.registry.bot_manifest import BotManifest
from ladder.registry.version import Version
from ladder.worker.worker import Worker
from ladder.worker.worker_messages import Unplayed
from results.record import Contest

MATCHES, BOTS = (1_000, 8) if os.environ.get("LADDER_FULL") else (6, 1)
LINE = (0.05, 0.001) if os.environ.get("LADDER_FULL") else (0.002, 0.02)
"""By how much each part is late, in seconds, and which share of the parts cuts the line."""

AT_ONCE = 3
"""How many matches of a table are played at once."""
NAMES = [f"bot-{number}" for number in range(BOTS)]


def play(bots, blocks):
    """Return the *blocks*, in which each two of *bots* that are neighbours meet in turn, many at once."""
    contest = Contest("stellar", 2, {}, tuple(range(len(bots))))
    setup = msgspec.structs.replace(setup_for(*bots), contests=(contest,))
    parts = {}
    for number in range(blocks):
        table = number % len(bots), (number + 1) % len(bots)
        planned = PlannedBlock(number, 2 * number, 0, table)
        parts.setdefault((table, number // len(bots) % AT_ONCE), []).append(planned)

    def play_part(part):
        worker = Worker(setup)
        try:
            return [*worker.play(part)]
        finally:
            worker.kill()

    with ThreadPoolExecutor(len(parts)) as pool:
        return sorted(chain(*pool.map(play_part, parts.values())), key=lambda block: block.number)


def remote(hub, name="mine"):
    folder = hub.home.path / "bots" / name / "1" / "files"
    return Version(name, "1", str(folder), BotManifest(name, remote=True))


def play_until_asked(hub, do):
    """Play a block with the bot `mine`, whose client does *do* whenever it is asked; return what ended."""
    worker = Worker(setup_for(remote(hub), good("other")))
    found = []
    block = PlannedBlock(0, 0, 0, (0, 1))
    thread = Thread(target=lambda: found.extend(worker.attempt([block])))
    client = hub.connect()
    thread.start()
    with suppress(ConnectionClosed, TimeoutError):
        while thread.is_alive():
            word, channel, *rest = client.hear(1)
            if word == b"line" and b'"hello"' in rest[1]:
                client.say("line", channel, 1, b'{"type":"ready","protocol":1,"name":"mine"}')
            elif word == b"line" and b'"act"' in rest[1]:
                do(client, channel)
    thread.join(60)
    worker.kill()
    client.socket.close()
    return found


def moves_of(blocks):
    return [(match.number, match.moves) for block in blocks for match in block.matches]


def test_the_client_needs_websockets_alone():
    tree = ast.parse(Path(connect.__file__).read_text(), feature_version=(3, 10))
    modules = {
        name.partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in (
            [node.module] if isinstance(node, ast.ImportFrom) else [each.name for each in node.names]
        )
    }
    assert {"websockets"} == modules - sys.stdlib_module_names


@pytest.mark.process
def test_a_new_bot_is_checked_over_its_connection_and_plays_whoever_names_it(tmp_path):
    with (
        open_hub(a_home(tmp_path / "home")) as hub,
        playing(hub, urlsplit(hub.url).port, tmp_path, BAD_BOTS / "manners.py") as client,
    ):
        ((person, answer),) = take(hub.home, hub.folders, looks=4)
        assert ("ann", "new bot", "mine") == (person, answer.result, answer.bot)
        duel = run_here("duel", "mine", "first", "--games", "4", "--home", hub.home.path)
        assert "lost of 4" in duel.out
        asked = ("run", "mine", "first", "--games", "2", "--unrated", "--format", "json")
        (board,) = json.loads(run_here(*asked, "--home", hub.home.path).out)["leaderboards"].values()
        assert {"mine": True, "first": False} == {row["bot"]: row["remote"] for row in board}
        shown = run_here("bots", "mine", "--home", hub.home.path)
        assert "remote     it runs on its author's machine" in shown.out
        client.send_signal(signal.SIGTERM)
        assert 0 == client.wait(30)
    files = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert [] == [file for file in files if hub.token.encode() in file.read_bytes()]


@pytest.mark.process
def test_a_client_that_loses_its_processes_loses_their_matches(tmp_path):
    with open_hub(a_home(tmp_path / "home")) as hub:
        (block,) = play_until_asked(hub, lambda client, channel: client.say("close", channel, "lost"))
    assert {("mine", "transport", True)} == {(fault.bot, fault.kind, fault.charged) for fault in block.faults}
    assert ["its client has lost the process"] * 2 == [fault.reason for fault in block.faults]


@pytest.mark.process
def test_the_end_of_the_server_makes_the_match_void(tmp_path):
    with open_hub(a_home(tmp_path / "home")) as hub:
        (unplayed,) = play_until_asked(hub, lambda client, channel: hub.stop())
    assert isinstance(unplayed, Unplayed)
    assert "mine@1: the server between the ladder and the bot has ended" == unplayed.reason


@pytest.mark.process
@pytest.mark.slow
def test_a_bad_line_loses_no_match_and_changes_no_move(tmp_path):
    settings = "[inbox]\nwaiting = 0\n"
    with open_hub(a_home(tmp_path / "home", settings=settings)) as hub, ExitStack() as stack:
        port = urlsplit(hub.url).port
        line, cuts = stack.enter_context(bad_line(port, *LINE))
        for name in NAMES:
            stack.enter_context(playing(hub, line, tmp_path, BAD_BOTS / "manners.py", name))
        away = play([*(remote(hub, name) for name in NAMES), good("other")], MATCHES // 2)
    here = play([good(name) for name in (*NAMES, "other")], MATCHES // 2)
    assert cuts
    assert MATCHES // 2 == len(away)
    assert [] == [fault for block in away for fault in block.faults if fault.charged]
    assert {"transport"} == {fault.kind for block in away for fault in block.faults}
    assert moves_of(here) == moves_of(away)
