"""Where a token is not: in files, logs, pages, messages, arguments and environments of programs."""

import os
import signal
import subprocess
import sys
import time
from contextlib import ExitStack, closing, suppress
from http.client import HTTPConnection
from pathlib import Path

import pytest
from support import ladders
from support.command_line import ENVIRONMENT
from support.commands import process_group
from support.places import BAD_BOTS
from support.served import served, wait_until


def processes_with(token):
    """Yield the programs that have *token* in their arguments, or wrongly in their environment."""
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has ended, or is another user's
            arguments = (process / "cmdline").read_bytes()
            for _ in range(50 * (not arguments)):  # it is just becoming another program, or it has ended
                time.sleep(0.01)
                arguments = arguments or (process / "cmdline").read_bytes()
            is_of_person = b"connect\0" in arguments or b"push\0" in arguments
            if token in arguments or (token in (process / "environ").read_bytes() and not is_of_person):
                yield arguments


def ask(url, method, path, *, body=b"", **heads):
    """Return all that a server says."""
    with closing(HTTPConnection(url.removeprefix("http://").rstrip("/"), timeout=60)) as connection:
        connection.request(method, path, body, heads)
        answer = connection.getresponse()
        return repr(answer.getheaders()).encode() + answer.read()


@pytest.mark.slow
def test_no_token_is_in_a_file_a_page_a_message_or_a_list_of_processes(tmp_path):
    home = ladders.a_home(tmp_path / "home", {"first": {}}, '[run]\ngames = ["stellar"]\n')
    (tmp_path / "inbox").mkdir()
    ladder, of_home = [sys.executable, "-m", "ladder"], ["--home", str(home.path)]
    added = subprocess.run(
        [*ladder, "people", "add", "ann", *of_home], capture_output=True, check=True, env=ENVIRONMENT
    )
    token, said = added.stdout.strip(), [added.stderr]
    mine = {**ENVIRONMENT, "LADDER_TOKEN": token.decode()}
    bot = tmp_path / "pushed.py"
    bot.write_text(ladders.PLAYER)
    with ExitStack() as stack:
        logs = stack.enter_context((tmp_path / "logs").open("wb"))
        url, server = stack.enter_context(served(home, "--uploads", str(tmp_path / "inbox")))

        def start(*command, env=ENVIRONMENT):
            return stack.enter_context(
                process_group([*ladder, *map(str, command)], stdout=logs, stderr=logs, env=env)
            )

        start("inbox", tmp_path / "inbox", *of_home)
        program = BAD_BOTS / "manners.py"
        start("connect", url, "far", "--", sys.executable, "-S", program, env=mine)
        push = start("push", bot, "--to", url, env=mine)
        while push.poll() is None:
            assert [] == [*processes_with(token)]
        assert 0 == push.returncode
        wait_until(lambda: (tmp_path / "outbox/ann/far.zip.md").exists())
        assert [] == [*processes_with(token)]
        bearer = {"authorization": f"Bearer {token.decode()}"}
        text = token.decode()
        for method, path, heads in [
            *(("PUT", "/api/v1/bots/again.py", bearer), ("PUT", f"/api/v1/bots/{text}.py", bearer)),
            *(
                ("GET", f"/api/v1/me?token={text}", {}),
                ("GET", f"/{text}", {}),
                ("GET", "/api/v1/me", bearer),
            ),
            *(
                ("GET", f"/bots.html?q={text}", {}),
                ("GET", "/api/v1/uploads", bearer),
                ("GET", "/upload", {}),
            ),
            *(("POST", "/api/v1/wishes", bearer), ("GET", "/api/v1/bots/pushed/feedback", bearer)),
            *(("GET", "/api/v1/me", {"authorization": text}), ("GET", "/api/v1/bots", {})),
        ]:
            said.append(ask(url, method, path, body=b"print()" if method == "PUT" else b"", **heads))
        assert not any(token in each for each in said)
        played = subprocess.run(
            [*ladder, "run", "--games", "4", *of_home], capture_output=True, env=ENVIRONMENT, check=True
        )
        said += [played.stdout, played.stderr]
        server.send_signal(signal.SIGTERM)
        said += [part.encode() for part in server.communicate(timeout=60)]
    assert not any(token in each for each in said)
    files = [path for path in tmp_path.rglob("*") if path.is_file() and not path.is_symlink()]
    assert {"inbox.jsonl", "logs", "pushed.py.md"} <= {path.name for path in files}
    assert [] == [path for path in files if token in path.read_bytes() or os.fsencode(path).count(token)]
