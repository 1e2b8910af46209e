"""Stella Quest told a second time, with plain lists, as at a table: both tellings agree in every state."""

from collections import Counter
from random import Random

import pytest
from hypothesis import strategies as st
from support.draws import draws
from support.stella_quest_by_name import ByName

from engines import Outcome
from engines.game import below
from engines.stella_quest.rounds import winner

QUEST = ByName()
CARDS = [colour + number for colour in "BGRY" for number in "123456"] + ["XX"]
JEWELS = {"1": 3, "2": 3, "3": 2, "4": 2, "5": 1, "6": 1}
each_table = pytest.mark.parametrize("seats", [2, 3, 4])
seeds = st.integers(0, 10**6)


class Table:
    """All that lies on a table, and the rules read once more: nothing here is the engine's.

    After begin() `asked` is a seat and its options, or None when the match is over: then `ending` says why.
    """

    def __init__(self, deal, seats):
        deck = deal["deck"]
        self.seats, self.orders = seats, deal["reshuffles"]
        self.hands = [deck[5 * seat : 5 * seat + 5] for seat in range(seats)]
        self.discards, self.pile = deck[5 * seats : 5 * seats + 1], deck[5 * seats + 1 :]  # the top one last
        self.lights, self.collections = [5] * seats, [[] for _ in range(seats)]
        self.leader, self.marker, self.round, self.shuffles = deal["first"], None, 0, 0
        self.played, self.ending = [], None

    def begin(self):
        self._match = self._rounds()
        self.asked = next(self._match)
        return self

    def make(self, move):
        try:
            self.asked = self._match.send(move)
        except StopIteration:
            self.asked = None

    def _rounds(self):
        while not self.ending:
            if self.round == 200:
                self.ending = ("rounds", None)
            elif not self.pile and not any(self.hands):
                self.ending = ("cards", None)
            else:
                self.round += 1
                yield from self._plays()
                yield from self._after()

    def _plays(self):
        self.played, lead = [], None
        order = [(self.leader + turn) % self.seats for turn in range(self.seats)]
        if self.seats == 2:
            order.insert(1, "dummy")
        for who in order:
            if who == "dummy":
                card = next(iter(self._draw(1)), None)
            else:
                card = yield from self._turn(who, lead)
            if card:
                self.played.append((who, card))
                lead = lead or (card[0] if card != "XX" else None)
            if who != "dummy":
                self._refill(who)

    def _turn(self, seat, lead):
        self._refill(seat)
        hand = self.hands[seat]
        while hand:
            free = lead not in [card[0] for card in hand]
            options = [f"play {card}" for card in CARDS if card in hand and (free or card[0] in (lead, "X"))]
            if self.lights[seat] >= 2 and len(hand) < 10 and self.pile:
                options.append("draw")
            move = yield seat, options
            if move != "draw":
                hand.remove(move[5:])
                return move[5:]
            self.lights[seat] -= 1
            hand += self._draw(min(3, 10 - len(hand)))
        return None

    def _refill(self, seat):
        if not self.hands[seat]:
            self.hands[seat] += self._draw(max(2, self.lights[seat]))

    def _draw(self, count):
        drawn = []
        while self.pile and len(drawn) < count:
            drawn.append(self.pile.pop(0))
            self._shuffle()
        return drawn

    def _shuffle(self):
        if not self.pile and len(self.discards) > 1:
            *loose, top = self.discards
            for card in self.orders[self.shuffles % len(self.orders)]:
                if card in loose:
                    loose.remove(card)
                    self.pile.append(card)
            self.discards, self.shuffles = [top], self.shuffles + 1

    def _after(self):
        at, last = (
            best_of(self.discards[-1], [card for _, card in self.played]),
            [who for who, _ in self.played if who != "dummy"][-1],
        )
        if at is None:
            self.leader = {None: self.leader, "dummy": last}.get(self.marker, self.marker)
            self._discard("XX")
        elif self.played[at][0] == "dummy":
            self.leader, self.marker = last, "dummy"
            self._discard(self.played[at][1])
        else:
            yield from self._won(self.played[at][0])

    def _won(self, seat):
        if self.marker == seat:
            self.lights[seat] -= 1
        if not self._dark(seat):
            cards = {card for _, card in self.played if card != "XX"}
            move = yield seat, [f"take {card}" for card in CARDS if card in cards]
            self._take(seat, move[5:])
        if not self.ending and self.played:
            cards = {card for _, card in self.played}
            if "XX" not in cards:
                move = yield seat, [f"top {card}" for card in CARDS if card in cards]
            self._discard(move[-2:])
        if not self.ending:
            self.leader = self.marker = seat

    def _dark(self, seat):
        self.lights[seat] = max(0, self.lights[seat])
        if not self.lights[seat]:
            self.ending = ("eliminated", seat)
        return self.ending

    def _take(self, seat, card):
        numbers = {held[1] for held in self.collections[seat]}
        self.collections[seat].append(card)
        self.played.remove(next(laid for laid in self.played if laid[1] == card))
        if card[1] in numbers:
            self.lights[seat] -= JEWELS[card[1]]
        if not self._dark(seat) and len(numbers | {card[1]}) == 6:
            self.ending = ("enlightened", seat)

    def _discard(self, top):
        cards = [card for _, card in self.played]
        top = "XX" if "XX" in cards else top
        cards.remove(top)
        self.discards += [*cards, top]
        self.played = []
        self._shuffle()

    def outcome(self):
        why, special = self.ending
        points = [lights + worth(held) for lights, held in zip(self.lights, self.collections, strict=True)]
        apart = {"enlightened": -1, "eliminated": 1}.get(why)
        keys = [(apart if seat == special else 0, -points[seat]) for seat in range(self.seats)]
        return Outcome(tuple(1 + sum(other < key for other in keys) for key in keys), tuple(points))


def best_of(top, cards):
    """Return which of *cards*, played upon *top*, wins, from 0; None if there are only Break Cards."""
    area, kinds = [top], {}
    for at, card in enumerate(cards):
        if card != "XX":
            lead = next(other[0] for other in cards if other != "XX")
            trump = card[0] == top[0]
            kinds[at] = (3, at) if card in area else (2 if trump else card[0] == lead, int(card[1]))
        area.append(card)
    return max(kinds, key=kinds.get, default=None)


@draws(100, 500, st.permutations(CARDS[:-1] * 2 + ["XX"] * 6), st.integers(3, 4))
def test_the_winner_is_the_one_of_the_highest_rank(deck, count):
    top, *cards = deck[: count + 1]
    assert best_of(top, cards) == winner(top, cards)


def worth(collection):
    numbers = Counter(card[1] for card in collection)
    return sum(JEWELS[number] for number, held in numbers.items() if held == 1)


def check_same(table, state):
    """Assert that everything lies where *table* has it, and that the same seat is asked for the same."""
    assert [sorted(hand) for hand in table.hands] == [*map(list, state.hands)]
    assert table.lights == state.lights
    assert table.collections == [*map(list, state.collections)]
    assert table.pile == list(state.pile)
    assert (table.discards[-1], sorted(table.discards)) == (state.top, list(state.discards))
    assert table.played == list(zip(state.by, state.table, strict=True))
    assert (table.round, table.shuffles) == (state.number, len(state.past))
    assert table.marker == state.marker
    asked = [(seat, list(choice.options)) for seat, choice in QUEST.choices(state).items()]
    if table.asked:
        assert ([table.asked], table.leader) == (asked, state.leader)
    else:
        assert ([], table.ending, table.outcome()) == (asked, state.ending, QUEST.outcome(state))


def check_match(table, state, manner):
    """Play on, in a *manner* that picks one of the options, and compare after every move."""
    check_same(table.begin(), state)
    while table.asked:
        seat, options = table.asked
        move = manner(table, seat, options)
        table.make(move)
        state, _ = QUEST.play(state, {seat: move})
        check_same(table, state)


def anyhow(rng):
    return lambda table, seat, options: rng.choice(options)


def burning(rng):
    """Burn lights whenever it can be done."""
    return lambda table, seat, options: "draw" if "draw" in options else rng.choice(options)


def hoarding(rng):
    """Take what costs least, never a sixth number, and burn lights only late: so cards grow scarce."""

    def cost(table, seat, card):
        numbers = {held[1] for held in table.collections[seat]}
        return JEWELS[card[1]] if card[1] in numbers else 9 * (len(numbers) == 5)

    def manner(table, seat, options):
        if options[0].startswith("take"):
            return min(options, key=lambda move: cost(table, seat, move[5:]))
        if "draw" in options and sum(map(len, table.collections)) >= 14:
            return "draw"
        cards = [move for move in options if move != "draw"]
        if table.marker == seat and "play XX" in cards:
            return "play XX"
        return cards[below(len(cards), rng)]

    return manner


@each_table
@pytest.mark.parametrize("manner", [anyhow, burning, hoarding])
@draws(12, 60, seed=seeds)
def test_whole_matches_go_as_at_a_table(seats, manner, seed):
    rng = Random(seed)
    deal = QUEST.deal(seats, rng)
    check_match(Table(deal, seats), QUEST.start(deal, seats).state, manner(rng))


def few_cards(table, state, rng):
    """Take most cards away, late in the match; let anybody have the marker, and hands be empty."""
    table.pile = table.pile[: rng.choice([0, 0, 1, 1, 2, 3, 5, 8])]
    for seat, hand in enumerate(table.hands):
        del hand[max(seat == table.leader, rng.choice([0, 1, 1, 2, 3])) :]
    table.lights = [rng.randint(1, 5) for _ in table.lights]
    table.marker = rng.choice([None, *range(table.seats), *["dummy"] * (table.seats == 2)])
    table.round = rng.choice([0, 100, 197, 198])
    return state._replace(
        hands=[sorted(hand) for hand in table.hands],
        lights=[*table.lights],
        pile=table.pile,
        number=table.round + 1,
        marker=table.marker,
    )


@each_table
@draws(25, 150, seed=seeds)
def test_sq23_and_q15_matches_with_hardly_any_cards_go_as_at_a_table(seats, seed):
    rng = Random(seed)
    deal = QUEST.deal(seats, rng)
    table = Table(deal, seats)
    check_match(table, few_cards(table, QUEST.start(deal, seats).state, rng), anyhow(rng))


def test_sq23_and_q15_in_a_match_of_four_who_hoard_a_light_buys_less_once_all_cards_are_in_hands():
    rng = Random(3)
    deal = QUEST.deal(4, rng)
    state, table, manner = QUEST.start(deal, 4).state, Table(deal, 4).begin(), hoarding(rng)
    while state.pile:
        seat, options = table.asked
        move = manner(table, seat, options)
        table.make(move)
        before, (state, events) = state, QUEST.play(state, {seat: move})
    assert "draw" == move
    assert (7, 9) == (len(before.hands[seat]), len(state.hands[seat]))
    assert ["draw", "pile"] == [event.kind for event in events]
    assert "draw" not in QUEST.choices(state)[seat].options
    assert 1 == len(state.discards)
    check_same(table, state)
