"""Stella Quest with states told in names, so that a test can read them and write them by hand."""

from __future__ import annotations

from engines.game import Step
from engines.position import read_events
from engines.stella_quest import StellaQuest, scoring
from engines.stella_quest.cards import BREAK, CODES, codes_of
from engines.stella_quest.players import PLAYERS
from engines.stella_quest.state import new_state
from support.by_name import ToldInNames
from support.stella_quest_in_names import state_of, told

__all__ = ["ByName", "ask_next", "breakdown", "by_name"]


class ByName(ToldInNames, StellaQuest):
    """The rules of Stella Quest, on states told in names."""

    _last = (None, None)

    def _state(self, named):
        """Return the state that *named* tells; the last one is kept, for most tests ask about it again."""
        if named is not self._last[0]:
            self._last = (named, state_of(named))
        return self._last[1]

    def _told(self, state):
        self._last = (told(state), state)
        return self._last[0]


def ask_next(state, players):
    """Return the step in which the first of *players* that can play is asked."""
    after = state_of(state)
    after.ask_next([PLAYERS.index(who) for who in players])
    return Step(told(after), read_events(after, len(after.lights)))


def breakdown(lights, collections):
    """Return the points of seats with these lights and collections, as engines.stella_quest.scoring does."""
    state = new_state(len(lights), 0, CODES[BREAK], [])
    state.lights, state.collections = [*lights], [codes_of(cards) for cards in collections]
    return scoring.breakdown(state)


def by_name(policy):
    """Return *policy*, of engines.stella_quest.testing, for states in names."""

    def named_policy(rng):
        choose = policy(rng)
        return lambda state, seat, choice: choose(state_of(state), seat, choice)

    return named_policy
