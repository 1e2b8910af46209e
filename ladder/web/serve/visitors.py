"""Who a request comes from: an address, which a proxy may have to tell.

One visitor gets a part of what the server has, so that the others get the rest.
"""

import ipaddress
import logging
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from ladder.errors import Whose

logger = logging.getLogger(__name__)

FAILED: Final[Mapping[Whose, str]] = {
    "bot": "a bot failed",
    "game": "the game failed",
    "machine": "this machine is busy; try again in a minute",
    "ladder": "something went wrong on this server",
}
"""What visitors read of errors that are not theirs."""
SHARE: Final = 4
"""One visitor has at most one part in this many of what there is."""
NETWORK: Final = 64
"""The bits of an IPv6 address that name a network: one subscriber has all addresses below (RFC 6177)."""
_FOR = re.compile(r'(?i)(?:^|;)\s*for="?([^";]*)"?')
_PORT = re.compile(r"(?:\[([^\]]*)\]|([^:]*))(?::\d+)?")


def tell_visitor(whose: Whose, words: str) -> str:
    """Return what a visitor reads of an error: its *words* where it is theirs; else the log has those."""
    if whose == "caller":
        return words
    logger.warning("%s", words)
    return FAILED[whose]


class Shares:
    """A number of things, of which one visitor has at most a share."""

    def __init__(self, most: int, most_of_one: int = 0) -> None:
        """Give out *most*, and to one visitor *most_of_one*, by default a quarter."""
        self._most = most
        self._most_of_one = most_of_one or max(1, most // SHARE)
        self._taken: Counter[str] = Counter()

    def take(self, visitor: str) -> bool:
        """Give one to *visitor*; return False if there is none, or they have their share."""
        if self._taken.total() >= self._most or self._taken[visitor] >= self._most_of_one:
            return False
        self._taken[visitor] += 1
        return True

    def give_back(self, visitor: str) -> None:
        """Take back one that *visitor* had."""
        self._taken[visitor] -= 1
        self._taken += Counter()  # forgets who has none


class Proxy(NamedTuple):
    """What stands before the server and says who its visitors are."""

    header: str
    """The header that it sets, in small letters.  No other is read."""
    address: str = ""
    """Its address; by default any loopback address."""

    def is_at(self, peer: str) -> bool:
        """Return whether a connection from *peer* is the proxy's."""
        if self.address:
            return _plain(peer) == _plain(self.address)
        found = _address(peer)
        return found is not None and found.is_loopback

    def visitor(self, headers: Iterable[tuple[bytes, bytes]]) -> str | None:
        """Return who sent the request with *headers*; None if the proxy does not say it.

        The last entry of the header counts: the proxy has added it; the ones before may be anybody's.
        """
        name = self.header.encode()
        entries = [value for key, value in headers if key == name]
        entry = entries[-1].decode("ascii", "replace").rpartition(",")[2].strip() if entries else ""
        if self.header == "forwarded":
            named = _FOR.search(entry)
            entry = named[1] if named else ""
        if _address(entry) is None and (with_port := _PORT.fullmatch(entry)):
            entry = with_port[1] or with_port[2] or ""
        return visitor_of(entry) if _address(entry) else None


def visitor_of(address: str) -> str:
    """Return what *address* has in common with the others of its visitor: of IPv6, its network."""
    found = _address(address)
    if isinstance(found, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((int(found), NETWORK), strict=False))
    return str(found) if found else address


def _plain(address: str) -> str:
    return str(_address(address) or address)


def _address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Return the address that *text* is, IPv4 where IPv6 only wraps it; None for other texts."""
    try:
        found = ipaddress.ip_address(text)
    except ValueError:
        return None
    return getattr(found, "ipv4_mapped", None) or found
