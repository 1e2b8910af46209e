"""A week of a ladder to which people upload over HTTP, amid hostile requests, while processes are killed.

`LADDER_WEEK=full pytest -s -m slow --timeout 0 tests/ladder/run/test_week_over_http.py` lets a week pass in
two hours, with 300 uploads of 60 people and 200 hostile requests for each, and prints how long people waited.
Without it, half a minute is a sample.  `LADDER_WEEK=SECONDS` plays the whole week in that time.
"""

import hashlib
import json
import os
import shutil
import signal
import socket
import statistics
import sys
import threading
import time
from contextlib import ExitStack, closing, suppress
from datetime import datetime
from http.client import HTTPConnection, HTTPException
from itertools import zip_longest
from random import Random

import pytest
from support import ladders
from support.command_line import ENVIRONMENT, run_here
from support.commands import process_group
from support.hostile_requests import a_request
from support.inboxes import answers_in, rename, take
from support.served import set_serve
from support.weeks import SETTINGS, wait_for_newest, week

from ladder.admission.inbox_answers import InboxFolders
from ladder.admission.people import changing_people
from ladder.home.home import open_home

HOSTILE_REQUESTS, KILLS = (200, 10) if os.environ.get("LADDER_WEEK") else (20, 3)
"""For each upload; of a process."""
ORDER = {"waiting": 0, "checking": 1, "later": 1, "refused": 2, "accepted": 2, "playing": 3, "played": 4}
ORDER |= {"replaced": 5}
EVE, QUOTA = "eve", 6
"""Who sends hostile requests with a token, and how many uploads a day are taken in of a person."""


class Member:
    """A person who uploads, and looks again and again what came of it."""

    def __init__(self, number, port, token, of):
        self.name, self._number, self._port, self._token, self._of = f"p{number:02}", number, port, token, of
        self.uploads: dict[tuple[str, str], float] = {}
        """When each came, by its name and its hash."""
        self.seen: dict[tuple[str, str], dict[str, float]] = {}
        """Since when it was in each state."""
        self._random = Random(number)

    def live(self, began):
        """Upload what is this person's, each when its time has come and the one before has its answer."""
        for number in range(self._number, self._of.submissions, self._of.people):
            while time.monotonic() < began + number * self._of.seconds / self._of.submissions:
                self.look()
            name = f"bad{number}.py" if self._of.is_hostile(number) else f"{self.name}-bot.py"
            for _ in range(HOSTILE_REQUESTS):
                self._attack()
            self._upload(name, self._of.text_of(number, ladders.PLAYER).encode())
        while not {"refused", "played"} & self.seen[[*self.uploads][-1]].keys():
            self.look()

    def look(self):
        """Look at all uploads: each has a state, and none goes back."""
        time.sleep(1.5)
        status, told = self._ask("GET", "uploads")
        if status != 200:
            assert status in (0, 429), told
            return
        states = {state["upload"]: state for state in told}
        assert {name for name, _ in self.uploads} <= states.keys()
        for name, state in states.items():
            if "sha256" not in state:  # it went on during this look
                continue
            before = self.seen.setdefault((name, state["sha256"]), {})
            now = state["state"]
            assert ORDER[now] >= max((ORDER[each] for each in before), default=0), (state, before)
            before.setdefault(now, datetime.fromisoformat(state["since"]).timestamp())
        for name, sha256 in dict([*self.uploads]).items():  # the newest of each name
            assert sha256 == states[name].get("sha256", sha256)

    def _upload(self, name, body):
        key, status = (name, hashlib.sha256(body).hexdigest()), 0
        while status not in (200, 202):
            status, told = self._ask("PUT", f"bots/{name}", body)
            assert status in (0, 200, 202, 429, 503), told
            if status == 0:  # it may have come: as anybody would, look
                time.sleep(0.5)
                status, told = self._ask("GET", f"uploads/{name}")
                status = status if status == 200 and told.get("sha256") == key[1] else 0
            elif status in (429, 503):
                time.sleep(1)
        self.uploads[key] = time.time()
        while not {"refused", "accepted", "playing", "played"} & self.seen.get(key, {}).keys():
            self.look()

    def _ask(self, method, path, body=None):
        """Return the status and the JSON of an answer; 0 if none comes, as of a server that is killed."""
        heads = {"Authorization": f"Bearer {self._token}", "X-Forwarded-For": f"10.0.0.{self._number}"}
        with closing(HTTPConnection("127.0.0.1", self._port, timeout=60)) as connection:
            try:
                connection.request(method, f"/api/v1/{path}", body, heads)
                answer = connection.getresponse()
                return answer.status, json.loads(answer.read())
            except (OSError, HTTPException, ValueError):
                return 0, {}

    def _attack(self):
        """Send a hostile request from elsewhere; it gets no error of ours."""
        where = "X-Forwarded-For", f"10.{self._random.randrange(1, 255)}.0.1"
        sent = a_request(self._random, [EVES_TOKEN[0]], where)
        with suppress(OSError), socket.create_connection(("127.0.0.1", self._port), 5) as connection:
            connection.sendall(sent)
            connection.settimeout(0.2)
            said = connection.recv(100)
            assert not said.startswith(b"HTTP/1.1 5") or said[9:12] in (b"503", b"507"), (said, sent)


EVES_TOKEN = [""]


@pytest.mark.slow
@pytest.mark.timeout(0)
def test_each_upload_of_a_week_has_one_answer_and_a_state_at_every_look(tmp_path):
    of, folders = week(), InboxFolders(*(tmp_path / name for name in ("inbox", "outbox", "done")))
    folders.inbox.mkdir()
    settings = f"{SETTINGS}[inbox]\nsubmissions_a_day = {QUOTA}\n"
    home = ladders.a_home(tmp_path / "home", settings=settings)
    set_serve(home, behind_proxy="X-Forwarded-For")
    with changing_people(home) as people:
        tokens = [people.add(f"p{number:02}") for number in range(of.people)]
        EVES_TOKEN[0] = people.add(EVE)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    chain, last = ladders.command(home.path, "--forever", of.link, "--seats", "2"), ("--home", home.path)
    commands = {
        "server": [chain[0], "serve", "--uploads", folders.inbox, "--port", str(port), *last],
        "inbox": [chain[0], "inbox", folders.inbox, *last],
        "chain": chain,
    }
    members = [Member(number, port, token, of) for number, token in enumerate(tokens)]
    failures: list[BaseException] = []

    def live(member):
        try:
            member.live(began)
        except BaseException as error:
            failures.append(error)

    with ExitStack() as stack:
        processes = {}

        def start(name):
            said = stack.enter_context((tmp_path / f"{name}.log").open("ab"))
            group = process_group(commands[name], stdout=said, stderr=said, env=ENVIRONMENT)
            processes[name] = stack.enter_context(group)

        for name in commands:
            start(name)
        began = time.monotonic()
        threads = [threading.Thread(target=live, args=(member,), daemon=True) for member in members]
        for thread in threads:
            thread.start()
        for number in range(KILLS):
            time.sleep(of.seconds / KILLS)
            name = [*commands][number % len(commands)]
            processes[name].send_signal(signal.SIGKILL)
            processes[name].wait()
            start(name)
        for thread in threads:
            thread.join(of.seconds + 900)
        assert [] == failures
        wait_for_newest(home, deadline=time.monotonic() + 900)
        stopped = "server", "chain", "inbox"
        for name in stopped:
            processes[name].send_signal(signal.SIGTERM)
            assert processes[name].wait(timeout=120) in (130, 143)
    check(home, folders, members, tmp_path)
    tell(members)


def check(home, folders, members, tmp_path):
    """Check that answers, files and bots are those of the uploads, and of an inbox alone."""
    answers = answers_in(home)
    told = sorted((each["person"], each["entry"]) for each in answers if each["person"] != EVE)
    assert told == sorted((each.name, name) for each in members for name, _ in each.uploads)
    for answer in answers:
        assert answer["person"] == EVE or answer["entry"].startswith("bad") == (answer["result"] == "refused")
    assert 0 == run_here("home", "verify", "--home", home.path).code
    stored = [path for path in tmp_path.rglob("*") if path.is_file() and not path.is_symlink()]
    tokens = [token.encode() for token in (EVES_TOKEN[0], *(member._token for member in members))]
    assert [] == [path for path in stored if any(token in path.read_bytes() for token in tokens)]
    assert outcome(home) == outcome(alone(folders, tmp_path / "alone"))


def alone(folders, path):
    """Return a home whose inbox has taken in what members sent, in the same order, and nothing else."""
    path.mkdir()
    home = ladders.a_home(path / "home", settings=SETTINGS)
    others = InboxFolders(*(path / name for name in ("inbox", "outbox", "done")))
    kept = [sorted(folder.iterdir()) for folder in folders.done.glob("[!.]*") if folder.name != EVE]
    for files in zip_longest(*kept):
        came = [file for file in files if file]
        for file in came:
            folder = others.inbox / file.parent.name
            folder.mkdir(parents=True, exist_ok=True)
            hidden = folder / ".part"
            shutil.copy2(file, hidden)  # its times say that it is whole
            rename(hidden, folder / file.name[16:])
        assert len(came) == len(take(home, others))
    return home


def outcome(home):
    """Return what a home has answered to members, and the digest of their bots.

    Without those of Eve: the file of one second and name came after another, and `done` does not tell which.
    """
    lines = [
        (each["person"], each["entry"], each["result"], each.get("bot"))
        for each in answers_in(home)
        if each["person"] != EVE
    ]
    roster = open_home(home.path).roster
    owners = roster.persons()
    versions = sorted(
        (each.bot, each.number, each.version, each.rests)
        for each in roster.versions()
        if owners.get(each.bot) != EVE
    )
    return sorted(map(str, lines)), hashlib.sha256(repr(versions).encode()).hexdigest()


def tell(members):
    """Print how long uploads waited for their answers, and bots for their first rated match."""
    waits, played = [], []
    for member in members:
        for key, came in member.uploads.items():
            seen = member.seen[key]
            answered = [when for state, when in seen.items() if state in ("refused", "accepted")]
            waits += [when - came for when in answered[:1]]
            played += [seen["played"] - came] if "played" in seen else []
    print(
        f"\n{sum(len(member.uploads) for member in members)} uploads;"
        f" answers after {statistics.median(waits):.0f} s (median), at most {max(waits):.0f} s;"
        f" first rated match after {statistics.median(played):.0f} s (median), at most {max(played):.0f} s",
        file=sys.stderr,
    )
