"""Stella Quest with states told in names, so that a test can read them and write them by hand."""

from engines.game import Step
from engines.position import read_events
from engines.stella_quest import StellaQuest, scoring
from engines.stella_quest.cards import BREAK, CODES, codes_of
from engines.stella_quest.players import PLAYERS
from engines.stella_quest.state import new_state
from support import told

ByName = told.by_name(StellaQuest)
QUEST = ByName()


def play(state, *moves):
    """Return the last step after *moves* of the seats that are asked."""
    for move in moves:
        state, events = QUEST.play(state, {state.turn: move})
    return state, events


def options(state):
    (choice,) = QUEST.choices(state).values()
    return [*choice.options]


def kinds(events):
    return [event.kind for event in events]


def ask_next(state, players):
    """Return the step in which the first of *players* that can play is asked."""
    after = state.state.copy()
    after.ask_next([PLAYERS.index(who) for who in players])
    return Step(told.told(after), read_events(after, len(after.lights)))


def breakdown(lights, collections):
    """Return the points of seats with these lights and collections, as engines.stella_quest.scoring does."""
    state = new_state(len(lights), 0, CODES[BREAK], [])
    state.lights, state.collections = [*lights], [codes_of(cards) for cards in collections]
    return scoring.breakdown(state)


def by_name(policy):
    """Return *policy*, of engines.stella_quest.testing, for states in names."""

    def named_policy(rng):
        choose = policy(rng)
        return lambda state, seat, choice: choose(state.state, seat, choice)

    return named_policy
