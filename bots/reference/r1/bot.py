"""A bot of the reference set: its settings say by what it plays."""

from players import player

from protocol.client import serve


class Bot:
    """For every game met so far, what chooses in it."""

    def hello(self, message):
        """Take note of the settings."""
        self.config = message.config
        self.players = {}

    def start(self, message):
        """Load what the game needs before its first decision."""
        if message.game not in self.players:
            self.players[message.game] = player(message.game, self.config)

    def act(self, act):
        """Return what the player of the game chooses."""
        return self.players[act.game](act.view, act.choice, act.rng)


serve(Bot)
