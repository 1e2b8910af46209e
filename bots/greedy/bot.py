"""Looks one turn ahead, one module a game; the manifests beside this file give it other styles of play."""

from importlib import import_module

from protocol.client import serve


class Bot:
    """A style of play, and for every game met so far what chooses in that style."""

    def hello(self, message):
        """Take note of the style."""
        self.style = message.config.get("style", "greedy")
        self.choosers = {}

    def start(self, message):
        """Load the game's module before its first decision."""
        if message.game not in self.choosers:
            module = import_module(message.game.replace("-", "_"))
            self.choosers[message.game] = module.chooser(self.style)

    def act(self, act):
        """Return what the game's module chooses."""
        return self.choosers[act.game](act)


serve(Bot, parallel=32)
