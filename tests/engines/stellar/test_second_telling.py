"""Stellar: the rules told a second time agree with the engine.

`told` is the rule book once more, with lists and dictionaries and nothing clever.  In random matches it must
ask the same seats for the same moves as the engine, show the same to all and deal the same hands.
"""

from collections import Counter
from itertools import product
from random import Random

import pytest
from hypothesis import strategies as st
from support.draws import draws
from support.stellar_by_name import ByName

from engines.game import shuffled
from engines.stellar.scoring import types_points

STELLAR = ByName()
OF_A_TYPE = ["1.3", "1.3", "2.3", "2.2", "3.2", "3.1", "4.1", "4.1", "5.1", "5.0", "6.0"]
CARDS = sorted([*(kind + card for kind in "PMACB" for card in OF_A_TYPE), "S1", "S2", "S3", "S4", "S5"])
SLOTS = ["T1", "T2", "T3", "T4", "T5", "M1", "M2", "M3", "B1", "B2", "B3", "B4"]
SECTIONS = {"top": SLOTS[:5], "middle": SLOTS[5:8], "bottom": SLOTS[8:]}
EDGES = (
    "T1-T2 T1-T3 T2-T3 T2-T4 T3-T5 T4-T5 T4-M1 T4-M2 T5-M2 T5-M3 M1-M2 M2-M3 "
    "M1-B1 M1-B2 M2-B2 M2-B3 M3-B3 M3-B4 B1-B2 B2-B3 B3-B4"
)
seeds = st.integers(0, 10**6)
numbers = st.sampled_from(["printed", "three"])


def dealt(rng, number):
    """Return a deal with one to three orders for reshuffles."""
    deal = STELLAR.deal(2, rng, {"face_down_number": number})
    return deal | {"reshuffles": deal["reshuffles"][: rng.randint(1, 3)]}


def eager(rng):
    """Return a policy that likes satellites and wipes, and lays little or much face down."""
    careful = rng.random() < 0.7

    def policy(state, seat, choice):
        satellites = [f"take {n}" for n, card in enumerate(state.row, 1) if card and card[0] == "S"]
        wanted = [option for option in choice.options if option in [*satellites, "wipe"]]
        upright = [option for option in choice.options if not option.endswith("down")]
        return rng.choice(wanted or (careful and upright) or choice.options)

    return policy


# The rules a second time.


def number_of(lies):
    return 3 if lies.endswith("down") else int(lies[1])


def shining(telescope):
    """Return the cards that show a type, by their slots."""
    return {slot: card for slot, card in telescope.items() if card[0] != "S" and "down" not in card}


def places(telescope, card):
    """Return where *card* may lie: face up, then face down."""
    free = [slot for slot in SLOTS if slot not in telescope]
    same = {slot for slot, other in shining(telescope).items() if other[0] == card[0]}
    edges = [set(edge.split("-")) for edge in EDGES.split()]
    up = [slot for slot in free if not same or any(slot in edge and edge & same for edge in edges)]
    return [f"{card}@{slot}" for slot in up] + [f"{card}@{slot} down" for slot in free]


def best_types(telescope, notebook):
    """Return the most that stars times runs can be, whatever satellites and 6/0 cards are taken for."""
    stars = Counter()
    for card in shining(telescope).values():
        stars[card[0]] += int(card[3])
    satellites = [card for card in notebook if card[0] == "S"]
    best = 0
    for kinds in product("PMACB", repeat=len(satellites)):
        stacks = {kind: {int(card[1]) for card in notebook if card[0] == kind} for kind in "PMACB"}
        for card, kind in zip(satellites, kinds, strict=True):
            stacks[kind].add(int(card[1]))
        best = max(best, sum(stars[kind] * longest_run(stack) for kind, stack in stacks.items()))
    return best


@draws(30, 150, st.permutations(CARDS), st.integers(0, 3), st.data())
def test_the_points_for_types_are_the_best_of_all_ways(deck, satellites, data):
    plain = [card for card in deck if card[0] != "S"]
    notebook = plain[: 13 - satellites] + [card for card in deck if card[0] == "S"][:satellites]
    down = data.draw(st.sets(st.integers(13, 24)))
    lying = [card + " down" * (at in down) for at, card in enumerate(plain[13:25], 13)]
    assert best_types(dict(enumerate(lying)), notebook) == types_points(lying, notebook)


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2))])
def test_five_satellites_and_several_6_0_cards_are_counted_exactly(seed):
    plain = shuffled([card for card in CARDS if card[0] != "S"], Random(seed))
    notebook = ["S1", "S2", "S3", "S4", "S5", "P6.0", "A6.0", *[c for c in plain if c[1] != "6"][:6]]
    lying = [card for card in plain if card not in notebook][:12]
    assert best_types(dict(enumerate(lying)), notebook) == types_points(lying, notebook)


def longest_run(stack):
    """Return the length of the longest run, with a 6 as 6 or as 0."""
    ways = [stack, stack - {6} | {0}] if 6 in stack else [stack]
    runs = [range(begin, end) for begin in range(7) for end in range(begin, 8)]
    return max(len(run) for way in ways for run in runs if way.issuperset(run))


def points(telescopes, notebooks):
    """Return what the page counts at the end, for each seat."""
    totals = [
        {name: sum(number_of(lies[slot]) for slot in slots) for name, slots in SECTIONS.items()}
        for lies in telescopes
    ]
    result = []
    for seat in (0, 1):
        types = best_types(telescopes[seat], notebooks[seat])
        majorities = 10 * sum(totals[seat][name] > totals[1 - seat][name] for name in SECTIONS)
        diversity = 10 * (len({card[0] for card in shining(telescopes[seat]).values()}) == 5)
        parts = {"types": types, "majorities": majorities, "diversity": diversity}
        result.append(parts | {"total": types + majorities + diversity})
    return result


class Table:
    """The cards on the table and in the hands."""

    def __init__(self, deal):
        self.orders, self.reshuffles = deal["reshuffles"], 0
        self.pile, self.discards, self.row = [*deal["deck"]], [], [None] * 5
        self.hands = [[*deal["starters"][0:2]], [*deal["starters"][2:4]]]
        self.known, self.telescopes, self.notebooks = [[], []], [{}, {}], [[], []]
        self.satellite, self.waiting = False, None

    def draw(self):
        if not self.pile:
            order = self.orders[self.reshuffles % len(self.orders)]
            for name in order:
                if name in self.discards:
                    self.discards.remove(name)
                    self.pile.append(name)
            self.reshuffles += 1
        return self.pile.pop(0)

    def refill(self):
        self.row = [card or self.draw() for card in self.row]

    def put(self, seat, move):
        card, place = move.split("@")
        if place == "notebook":
            self.notebooks[seat].append(card)
        else:
            slot, _, down = place.partition(" ")
            self.telescopes[seat][slot] = f"{card} {down}".strip()

    def seen(self, step, turn):
        seen = {"step": step, "turn": turn, "row": [*self.row], "pile": len(self.pile)}
        seen |= {"discards": sorted(self.discards), "hands": [*map(len, self.hands)]}
        seen |= {"known": [*map(sorted, self.known)], "telescopes": [dict(lies) for lies in self.telescopes]}
        seen |= {"notebooks": [*map(sorted, self.notebooks)], "satellite": self.satellite}
        seen |= {"waiting": self.waiting} if self.waiting else {}
        seen |= {"pile_cards": sorted(self.pile)} if self.reshuffles else {}
        return seen | {"reshuffles": self.reshuffles}


def told(deal, table):
    """Tell a match: yield who is asked what, and what all see then; be sent the moves."""
    starters = {seat: [f"{card}@T1" for card in sorted(table.hands[seat])] for seat in (0, 1)}
    moves = yield starters, table.seen("starter", 0)
    for seat in (0, 1):
        table.put(seat, moves[seat])
        (other,) = set(table.hands[seat]) - {moves[seat].split("@")[0]}
        table.put(seat, f"{other}@notebook")
    table.hands = [[table.draw(), table.draw()] for _ in (0, 1)]
    table.refill()
    for turn in range(22):
        seat = (deal["first"] + turn) % 2
        yield from turn_of(seat, turn, table, deal["options"]["face_down_number"] == "three")
    table.satellite = False
    last = {
        seat: [f"{card}@notebook" for card in dict.fromkeys(sorted(table.hands[seat]))] for seat in (0, 1)
    }
    moves = yield last, table.seen("final", 22)
    for seat in (0, 1):
        table.put(seat, moves[seat])
        table.hands[seat].remove(moves[seat].split("@")[0])
    thrown = [table.hands[seat].pop() for seat in (0, 1)]
    table.discards += thrown
    table.known = [[], []]
    scores = points(table.telescopes, table.notebooks)
    yield {}, table.seen("over", 22) | {"thrown": thrown, "scores": scores}


def turn_of(seat, turn, table, always_three):
    """Tell a turn."""
    may_wipe, table.satellite = table.satellite, False
    if may_wipe:
        moves = yield {seat: ["keep", "wipe"]}, table.seen("wipe", turn)
        if moves[seat] == "wipe":
            table.discards += table.row
            table.row = [None] * 5
            table.refill()
    moves = yield {seat: [f"take {slot}" for slot in range(1, 6)]}, table.seen("take", turn)
    slot = int(moves[seat].split()[1]) - 1
    taken, table.row[slot] = table.row[slot], None
    table.hands[seat].append(taken)
    table.known[seat].append(taken)
    table.satellite = taken[0] == "S"

    telescope, options = table.telescopes[seat], []
    for card in dict.fromkeys(sorted(table.hands[seat])):
        options += [*places(telescope, card), f"{card}@notebook"]
    moves = yield {seat: options}, table.seen("play", turn)
    card, where = moves[seat].split("@")
    table.hands[seat].remove(card)
    if card in table.known[seat]:
        table.known[seat].remove(card)
    table.put(seat, moves[seat])
    number = 3 if where.endswith("down") and always_three else int(card[1])
    if number == 6 or table.row[number - 1] is None:
        matching = table.draw()
    else:
        matching, table.row[number - 1] = table.row[number - 1], None

    if where == "notebook":
        table.waiting = matching
        moves = yield {seat: places(telescope, matching)}, table.seen("place", turn)
        table.waiting = None
        table.put(seat, moves[seat])
    else:
        table.put(seat, f"{matching}@notebook")
    table.refill()


@draws(15, 60, seeds, numbers)
def test_the_rules_told_plainly_ask_for_the_same_moves_and_show_the_same(seed, number):
    rng = Random(seed)
    deal = dealt(rng, number)
    table = Table(deal)
    state, tale, policy = STELLAR.start(deal, 2).state, told(deal, table), eager(rng)
    asked, seen = next(tale)
    while True:
        choices = STELLAR.choices(state)
        constant = {"seats": 2, "options": {"face_down_number": number}, "first": deal["first"]}
        assert constant | seen == STELLAR.view(state, None)
        assert asked == {seat: [*choice.options] for seat, choice in choices.items()}
        for seat, hand in enumerate(table.hands):
            assert sorted(hand) == STELLAR.view(state, seat)["hand"]
        if not choices:
            break
        moves = {seat: policy(state, seat, choice) for seat, choice in choices.items()}
        state = STELLAR.play(state, moves).state
        asked, seen = tale.send(moves)
    one, other = (score["total"] for score in seen["scores"])
    assert ((one, other), (1 + (other > one), 1 + (one > other))) == (
        STELLAR.outcome(state).scores,
        STELLAR.outcome(state).ranks,
    )
