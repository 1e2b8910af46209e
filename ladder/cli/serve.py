"""`ladder serve`: the pages of a home, live, and a seat for a person in the browser."""

import re
from functools import partial
from typing import Annotated

from ladder.cli.extras import check_web
from ladder.cli.log_lines import log_to_stderr
from ladder.cli.options import HomeOption, existing_home, note
from ladder.errors import UsageProblem
from ladder.run.option import Option, whole


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
    home: HomeOption = None,
) -> None:
    """Show the results live in a browser, and play there.

    It prints its address and answers until Ctrl-C. It may run beside a run. Matches that people play are kept
    and never rated.

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
    check_web("ladder serve", "starlette", "uvicorn", "vl_convert")
    from ladder.home.home import confine_home
    from ladder.machine.capacity import raise_descriptors
    from ladder.web.serve.server import serve_home
    from ladder.web.serve.visitors import Proxy

    log_to_stderr(verbose=False)
    raise_descriptors()
    try:
        before = Proxy(asked.behind_proxy.lower(), asked.proxy) if asked.behind_proxy else None
        confine = partial(confine_home, say=note)
        serve_home(where, host, port, confine, partial(_tell, asked.url, screen_page), before, public)
    except KeyboardInterrupt:
        note("stopped; matches that were going on are not kept")


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
