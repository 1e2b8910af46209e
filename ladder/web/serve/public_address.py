"""The URL under which a proxy shows the server to people."""

import ipaddress
import re
from typing import NamedTuple
from urllib.parse import urlsplit

from ladder.errors import UsageProblem

PORTS = {"http": 80, "https": 443}
_NAME = re.compile(r"[a-z0-9]([a-z0-9.-]*[a-z0-9])?")
_PATH = re.compile(r"(/[A-Za-z0-9._~-]+)*/?")


class PublicAddress(NamedTuple):
    """A URL in parts."""

    origin: str
    """As browsers write it in the header Origin: `https://example.org`."""
    name: str
    """The name of the machine, in small letters."""
    path: str
    """The path, without the slash at its end: `/ladder`; empty at the root."""


def read_public_address(url: str) -> PublicAddress:
    """Return the address that *url* is.  Raises UsageProblem for what a browser cannot reach."""
    try:
        parts = urlsplit(url)
        scheme, name, port = parts.scheme, parts.hostname or "", parts.port
    except ValueError:  # such as a port that is no number
        raise _problem(url, "it cannot be read") from None
    if scheme not in PORTS:
        raise _problem(url, "it must begin with https:// or http://")
    if not name.isascii():
        raise _problem(url, "write the name as browsers send it, such as xn--bcher-kva.example")
    if not _NAME.fullmatch(name) or "@" in parts.netloc:
        raise _problem(url, "it names no machine")
    if "?" in url or "#" in url or not _PATH.fullmatch(parts.path):
        raise _problem(url, "its path may have letters, digits and . _ ~ -")
    shown = "" if port in (None, PORTS[scheme]) else f":{port}"
    return PublicAddress(f"{scheme}://{name}{shown}", name, parts.path.rstrip("/"))


def is_loopback(address: str) -> bool:
    """Return whether only this machine reaches *address*."""
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return address == "localhost"


def _problem(url: str, why: str) -> UsageProblem:
    return UsageProblem(
        f"[serve] url: expected the address under which a proxy shows the pages, got: {url!r}; {why}",
        'write in ladder.toml, below [serve]: url = "https://example.org/ladder/"',
    )
