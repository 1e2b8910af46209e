"""Starry Sky told a second time, with plain lists, as at a table: both tellings agree in every state."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.draws import draws

from engines import Outcome
from engines.starry_sky import StarrySky
from engines.starry_sky.boards import BOARDS, NAMES
from engines.starry_sky.scoring import payment

SKY = StarrySky()
TOKENS = ["1", "3", "5", "6", "7", "10", "H", "D"]
each_table = pytest.mark.parametrize("seats", [3, 4, 5])
seeds = st.integers(0, 10**6)


# What a board pays, in the order of the rules.


def coins(name, laid, seats):
    """Return what board *name* pays; *laid* has owner and token for every star."""
    here = after_holes(name, dict(enumerate(laid)))
    value, count = Counter(), Counter()
    for star, (owner, token) in here.items():
        doubles = [other for other in beside(name, star) if other in here and here[other][1] == "D"]
        value[owner] += int(token) * 2 ** len(doubles) if token.isdigit() else 0
        count[owner] += 1
    first, second = BOARDS[name].prizes
    best, *others = ranked({seat: (value[seat], count[seat]) for seat in count}) or [[]]
    paid = [count[seat] for seat in range(seats)]  # one a token, where nothing else is said
    if len(best) == 1:
        (winner,) = best
        paid[winner] = first
        if not others:
            paid[winner] += second
        elif len(others[0]) == 1:
            paid[others[0][0]] = second
            paid[winner] -= sum(count[seat] for tied in others[1:] for seat in tied)
    return tuple(paid)


def beside(name, star):
    return {end for edge in BOARDS[name].edges if star in edge for end in edge} - {star}


def after_holes(name, here):
    """Take away holes side by side, then what the other holes swallow."""
    holes = {star for star, (_, token) in here.items() if token == "H"}
    vanished = {star for star in holes if beside(name, star) & holes}
    swallowed = {star for hole in holes - vanished for star in beside(name, hole)}
    return {star: laid for star, laid in here.items() if star not in vanished | swallowed}


def ranked(keys):
    """Return the seats by key, best first, those with the same key together."""
    return [[seat for seat in keys if keys[seat] == key] for key in sorted(set(keys.values()), reverse=True)]


def full_board(name, seats, rng):
    """Return owner and token for every star: half of them are holes and double stars, while there are any."""
    hands = [[*TOKENS, "D"] for _ in range(seats)]
    laid = []
    for _ in BOARDS[name].stars:
        owner = rng.choice([seat for seat in range(seats) if hands[seat]])
        mighty = [token for token in hands[owner] if token in "HD"]
        token = rng.choice(mighty if mighty and rng.random() < 0.5 else hands[owner])
        hands[owner].remove(token)
        laid.append((owner, token))
    return laid


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=50)
@given(seed=seeds, seats=st.integers(3, 5))
def test_every_board_pays_what_the_rules_say_step_by_step(name, seed, seats):
    rng = Random(seed)
    for laid in [full_board(name, seats, rng) for _ in range(5)]:
        owners, tokens = zip(*laid, strict=True)
        paid = payment(name, owners, tokens, seats)
        assert coins(name, laid, seats) == paid
        assert min(paid) >= 0  # SS19: the first can always pay the others
        assert sum(paid) <= 2 * len(laid) - 1


# Whole matches.


class Table:
    """All that lies on a table, and the rules read once more: nothing here is the engine's."""

    def __init__(self, deal, seats):
        self.seats, self.turn, self.seat = seats, 0, deal["first"]
        self.hands = [Counter([*TOKENS, "D"]) for _ in range(seats)]
        self.coins = [0] * seats
        self.boards = {name: self.empty(name) for name in deal["boards"][:seats]}
        self.pile = deal["boards"][seats:]

    def empty(self, name):
        return [None] * len(BOARDS[name].stars)

    def options(self):
        return [
            f"{token}@{name}.{star}"
            for name, stars in self.boards.items()
            for star, laid in enumerate(stars)
            if not laid
            for token in TOKENS
            if self.hands[self.seat][token]
        ]

    def place(self, move):
        """Place a token; return the seats that are skipped after it."""
        token, place = move.split("@")
        name, star = place.split(".")
        self.boards[name][int(star)] = (self.seat, token)
        self.hands[self.seat][token] -= 1
        self.turn += 1
        if all(self.boards[name]):
            self.score(name)
        skipped = []
        self.seat = (self.seat + 1) % self.seats
        while self.boards and not self.hands[self.seat].total():
            skipped.append(self.seat)
            self.seat = (self.seat + 1) % self.seats
        return skipped

    def score(self, name):
        laid, at = self.boards[name], list(self.boards).index(name)
        self.coins = [had + won for had, won in zip(self.coins, coins(name, laid, self.seats), strict=True)]
        for owner, token in laid:
            self.hands[owner][token] += 1
        boards = list(self.boards.items())
        boards[at : at + 1] = [(new, self.empty(new)) for new in self.pile[:1]]
        self.boards, self.pile = dict(boards), self.pile[1:]


def check_same(table, state):
    """Assert that everything lies where *table* has it, and that the same seat is asked for the same."""
    asked = [(seat, list(choice.options)) for seat, choice in SKY.choices(state).items()]
    assert ([(table.seat, table.options())] if table.boards else []) == asked
    seen = SKY.view(state, None)
    assert (table.turn, table.coins, len(table.pile)) == (seen["turn"], seen["coins"], seen["pile"])
    assert list(table.boards) == [board["board"] for board in seen["boards"]]
    for (name, stars), board in zip(table.boards.items(), seen["boards"], strict=True):
        shown = [laid and ("?" if star in BOARDS[name].large else laid[1]) for star, laid in enumerate(stars)]
        assert ([laid and laid[0] for laid in stars], shown) == (board["owners"], board["tokens"])
    for seat, hand in enumerate(table.hands):
        assert [token for token in TOKENS for _ in range(hand[token])] == SKY.view(state, seat)["hand"]


def anyhow(table, options, rng):
    return rng.choice(options)


def sparing(table, options, rng):
    """Leave the last star of a board free if it can be done, so that hands run empty."""
    last = [f"{name}." for name, stars in table.boards.items() if stars.count(None) == 1]
    others = [move for move in options if move.split("@")[1][:4] not in last]
    return rng.choice(others or options)


@each_table
@pytest.mark.parametrize("manner", [anyhow, sparing])
@draws(5, 25, seed=seeds)
def test_whole_matches_go_as_at_a_table(seats, manner, seed):
    rng = Random(seed)
    deal = SKY.deal(seats, rng)
    state, table = SKY.start(deal, seats).state, Table(deal, seats)
    check_same(table, state)
    while table.boards:
        move = manner(table, table.options(), rng)
        state, events = SKY.play(state, {table.seat: move})
        skipped = [event.public["seat"] for event in events if event.kind == "skip"]
        assert table.place(move) == skipped
        check_same(table, state)
    assert 84 == table.turn
    ranks = tuple(1 + sum(other > own for other in table.coins) for own in table.coins)
    assert Outcome(ranks, tuple(table.coins)) == SKY.outcome(state)
