"""`ladder serve`: the pages of a home, live, and a seat for a person in the browser."""

import re
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from ladder.cli.log_lines import log_to_stderr
from ladder.cli.options import HomeOption, existing_home, note
from ladder.errors import UsageProblem
from ladder.machine.extras import check_web
from ladder.run.option import Option, whole

if TYPE_CHECKING:
    from ladder.admission.inbox_answers import InboxFolders


def serve(
    port: Annotated[
        int, Option("Listen on this port; 0: any.", ("--port", "-p"), metavar="N", read=whole(0, 65_535))
    ] = 8000,
    host: Annotated[
        str,
        Option(
            "Listen on this address of the machine. Other people can then play and see all results.",
            metavar="ADDRESS",
        ),
    ] = "127.0.0.1",
    screen: Annotated[
        str,
        Option(
            "Also print the address of the page of this tournament for a projector.", metavar="TOURNAMENT"
        ),
    ] = "",
    uploads: Annotated[Path | None, Option("Take bots for this inbox from people.", metavar="INBOX")] = None,
    reviews: Annotated[
        int, Option("Reviews a visitor may ask for in an hour.", metavar="N", read=whole(0, 1_000))
    ] = 2,
    home: HomeOption = None,
) -> None:
    """Show the results live in a browser, and play there.

    It prints its address and answers until Ctrl-C. It may run beside a run. Matches that people play are kept
    and never rated.

    With --uploads, people hand in over HTTP, with a token of `ladder people`, and `ladder inbox` takes it in.

    Example: ladder serve --port 8080
    Example: ladder serve --screen spring
    """
    from ladder.web.serve.public_address import read_public_address

    where = existing_home(home)
    asked = where.settings.serve
    _check_proxy(asked.behind_proxy, asked.proxy)
    screen_page = ""
    if screen:
        from ladder.run.tournament.event_facts import find_screen

        screen_page = find_screen(where.results, screen)
    public = read_public_address(asked.url) if asked.url else None
    check_web("ladder serve", "starlette", "uvicorn", "vl_convert", "websockets")
    folders = _find_folders(uploads, host, asked.url) if uploads else None
    from ladder.home.home import confine_home
    from ladder.machine.capacity import raise_descriptors
    from ladder.web.serve.server import serve_home
    from ladder.web.serve.visitors import Proxy

    log_to_stderr(verbose=False)
    raise_descriptors()
    before = Proxy(asked.behind_proxy.lower(), asked.proxy) if asked.behind_proxy else None
    try:
        confine = partial(confine_home, say=note, require=uploads is not None)
        tell = partial(_tell, asked.url, screen_page)
        serve_home(where, host, port, confine, tell, before, public, folders, reviews)
    except KeyboardInterrupt:
        note("stopped; matches that were going on are not kept")


def _find_folders(inbox: Path, host: str, url: str) -> "InboxFolders":
    """Return the folders of *inbox*.  Raises UsageProblem if there is none, or others could read tokens."""
    from ladder.admission.inbox_answers import InboxFolders
    from ladder.web.serve.public_address import is_loopback

    if not inbox.is_dir():
        raise UsageProblem(f"{inbox} is not a folder", f"mkdir {inbox}")
    if not url.startswith("https://") and (url or not is_loopback(host)):
        what = "tokens must be encrypted on their way, and there is no address with https"
        raise UsageProblem(what, 'write in ladder.toml, below [serve]: url = "https://example.org/ladder/"')
    return InboxFolders(inbox, inbox.parent / "outbox", inbox.parent / "done")


def _check_proxy(header: str, address: str) -> None:
    """Raise UsageProblem for what is no header or no address."""
    import ipaddress

    example = 'write in ladder.toml, below [serve]: behind_proxy = "X-Forwarded-For"'
    if header and not re.fullmatch(r"[A-Za-z0-9-]+", header):
        raise UsageProblem(f"[serve] behind_proxy: expected the name of a header, got: {header!r}", example)
    if not address:
        return
    if not header:
        raise UsageProblem("[serve] proxy needs behind_proxy: the header that the proxy sets", example)
    try:
        ipaddress.ip_address(address)
    except ValueError:
        raise UsageProblem(
            f"[serve] proxy: expected the address of a proxy, got: {address!r}",
            'write in ladder.toml, below [serve]: proxy = "192.0.2.1"',
        ) from None


def _tell(shown_as: str, screen_page: str, url: str, others: bool) -> None:
    """Print the address, and that of a page for a projector; warn if not only this machine reaches it."""
    print(url, flush=True)
    if screen_page:
        print(f"{(shown_as or url).rstrip('/')}/{screen_page}", flush=True)
    if shown_as:
        note(f"people reach it as {shown_as}, once the proxy passes that on to {url}")
    if others:
        note(
            "warning: other machines can reach this address, see the results and play; nothing is encrypted",
            "use it in a network that you trust, or behind a proxy",
        )
    note("Ctrl-C ends it")
