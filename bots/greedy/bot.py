"""Plays by a policy of the engines: the manifests beside this file say which, game by game."""

from engines import GAMES, decide, find_policy
from protocol.client import serve


class Bot:
    """The policies that play, by game, as far as they have been needed."""

    def hello(self, message):
        """Take note of their names."""
        self.names = message.config
        self.policies = {}

    def start(self, message):
        """Load a game before its first decision."""
        if message.game not in self.policies:
            self.policies[message.game] = find_policy(GAMES[message.game], self.names[message.game])

    def act(self, act):
        """Return what the policy chooses."""
        return decide(GAMES[act.game], self.policies[act.game], act.view, act.rng)


serve(Bot, parallel=32)
