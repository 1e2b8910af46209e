"""Plays what it might do on in imagined worlds, and does what turned out best; one module a game.

The work of a decision is fixed, in playouts and not in time, so the same deal is played the same way again.
"""

from importlib import import_module

from protocol.client import serve


class Bot:
    """For every game met so far, what chooses in it."""

    def hello(self, message):
        """Take note of how much work a decision may be."""
        self.work = message.config.get("work", 1)
        self.modules = {}

    def start(self, message):
        """Load the game's module before its first decision."""
        if message.game not in self.modules:
            self.modules[message.game] = import_module(message.game.replace("-", "_"))

    def act(self, act):
        """Return what the game's module chooses."""
        return self.modules[act.game].choose(act.view, act.rng, self.work)


serve(Bot)
