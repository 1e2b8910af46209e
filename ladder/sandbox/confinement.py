"""The operator's settings for the confinement of bots."""

from __future__ import annotations

import msgspec

from results.words import find_fit


class Confinement(msgspec.Struct, frozen=True):
    """The tier that confines bots, and the exceptions for them.  By default there are none."""

    tier: str
    network: tuple[str, ...] = ()
    """The bots that may use the network if their manifests ask for it: their names, or patterns."""
    readable: tuple[str, ...] = ()
    """Paths that bots may read besides the system and the interpreters."""
    scratch_mb: int = 0
    build_network: bool = False
    """Whether builds may use the network."""

    def gives_network(self, bot: str, *, asked: bool) -> bool:
        """Return whether the bot with this name may use the network, if its manifest has *asked* for it."""
        return asked and find_fit(bot, self.network) is not None
