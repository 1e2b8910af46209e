"""Stella Quest with states told in names, so that a test can read them and write them by hand."""

from engines.game import Step
from engines.position import read_events
from engines.stella_quest import StellaQuest, scoring
from engines.stella_quest.cards import BREAK, CODES, JEWELS, NUMBERS, codes_of, names_of
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


def keeper(rng):
    """Return a policy that keeps its lights, for long matches with several reshuffles."""

    def policy(state, seat, choice):
        if state.step == "take":
            had = {NUMBERS[card] for card in names_of(state.collections[seat])}
            return min(choice.options, key=lambda move: JEWELS[move[5:]] if NUMBERS[move[5:]] in had else 0)
        if state.step == "play" and rng.random() < 0.95:
            return rng.choice([move for move in choice.options if move != "draw"])
        return choice.sample(rng)

    return policy


def by_name(policy):
    """Return *policy*, such as keeper, for states in names."""

    def named_policy(rng):
        choose = policy(rng)
        return lambda state, seat, choice: choose(state.state, seat, choice)

    return named_policy
