"""A game for tests of reviews: a number is drawn for each option, and the judge reads it."""

from random import Random

from engines.judge import Prospects


class Guess:
    """A position in which seat 0 picks one of some options, each worth its own mean and some noise."""

    def __init__(self, luck, played=None):
        """Have the *luck* of a world, a number for each option."""
        self.luck = luck
        self.played = played
        self.seat = 0
        self.over = False

    def copy(self):
        return Guess(self.luck, self.played)

    def play(self, option):
        self.played = option

    def options(self):
        return range(len(self.luck))


class Guesses:
    """The rules: in every world the options have other noise, and a part of it is common to all of them."""

    name = "guesses"
    version = 1

    def __init__(self, means, noise):
        """Have options with these *means*, and with a standard deviation of *noise* each."""
        self.means = means
        self.noise = noise

    def imagine(self, view, rng):
        """Return the luck of a world."""
        common = rng.gauss(0, self.noise)
        return [mean + common + rng.gauss(0, self.noise) for mean in self.means]

    def position(self, luck):
        return Guess(luck)


class GuessJudge:
    """Says what a world has for the option that was played."""

    name = "guess-1"
    width = 99

    def __init__(self, worlds):
        """Want all options tried in this many *worlds*."""
        self.worlds = worlds

    def prospects(self, position, rng: Random):
        """Return the luck of what was played, and the opposite for the other seat."""
        found = position.luck[position.played]
        return Prospects([found, 1 - found], [10 * found, 0.0])

    def promising(self, position):
        return position.options()
