"""`ladder push`: hand in over HTTP."""

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ladder.cli.options import note
from ladder.errors import TooBusy, UsageProblem, printable
from ladder.run.option import Argument, Option

if TYPE_CHECKING:
    from ladder.web.door.upload_client import UploadClient

LOOK_SECONDS = 3.0
"""How often the state is asked for."""
ENDS = {"accepted": 0, "playing": 0, "played": 0, "refused": 2, "kept back": 2, "later": TooBusy.exit_code}
"""The exit codes of the states with which it ends."""


def push(
    path: Annotated[Path | None, Argument("A script, folder or archive.", metavar="PATH")] = None,
    to: Annotated[
        str, Option("The address of the ladder; after --login it need not be typed.", metavar="URL")
    ] = "",
    login: Annotated[
        str, Option("Ask for a token, and keep it for this ladder; hand in nothing.", metavar="URL")
    ] = "",
) -> None:
    """Hand in a bot over the web, and show its answer.

    The token comes from the environment variable LADDER_TOKEN, else from --login. The exit code is that of
    `ladder submit`.

    Example: ladder push my_bot.py --to https://example.org/ladder/
    """
    from ladder.web.door.upload_client import UploadClient, find_token, open_upload, stored_tokens

    if login:
        _log_in(UploadClient(login))
        return
    url = to or next(iter(stored_tokens()), "")
    if not url or path is None:
        raise UsageProblem("expected a bot and the address of a ladder", "ladder push my_bot.py --to URL")
    client = UploadClient(url)
    if not path.exists():
        raise UsageProblem(f"there is no {path}", f"ladder push my_bot.py --to {url}")
    client.token = find_token(url)
    with open_upload(path) as (name, file):
        state = client.ask(f"bots/{name}", file)
    sha256, told = state["sha256"], ""
    while True:
        if state.get("sha256", sha256) != sha256 or state["state"] == "replaced":
            note(f"{name}: a newer one took its place", "ladder push, with the file that you want to play")
            raise typer.Exit(1)
        if (line := _describe(state)) != told:
            note(told := line)
        if state["state"] in ENDS:
            print("\n".join(map(printable, state.get("page", line).splitlines())))
            raise typer.Exit(ENDS[state["state"]])
        time.sleep(LOOK_SECONDS)
        state = client.ask(f"uploads/{name}")


def _log_in(client: "UploadClient") -> None:
    """Ask for a token, try it, and keep it."""
    from getpass import getpass

    client.token = (getpass("token: ") if sys.stdin.isatty() else sys.stdin.readline()).strip()
    person = client.ask("me")["person"]
    note(f"you are {printable(str(person))} there; the token is in {client.keep_token()}")


def _describe(state: dict[str, object]) -> str:
    """Return *state* in words."""
    words = [f"{state['upload']}: {state['state']}"]
    forms = {"place": "place {}", "about_s": "about {} s", "bot": "{}", "until": "until {}", "why": "{}"}
    words += [form.format(state[key]) for key, form in forms.items() if state.get(key)]
    return printable(", ".join(words))
