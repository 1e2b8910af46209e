"""Stellar: what a seat sees, what it is told, and what it can only imagine."""
# ruff: noqa: SIM300  # the expected value stands on the left, in every test

from __future__ import annotations

import json
from collections import Counter
from itertools import pairwise
from random import Random
from statistics import median

import pytest

from engines import GAMES, Event, Step, canonical, playout, replay
from engines.stellar import Stellar
from engines.stellar.cards import CARDS, DECK, STARTERS
from engines.stellar.luck import completed
from engines.stellar.state import Discards

STELLAR = GAMES["stellar"]
CHOSEN = {0: "M3.2@T1", 1: "A3.2@T1"}
DECK_TOP = "C2.3 P6.0  B2.3 M6.0  P1.3 A2.3 S3 C4.1 B5.0  A1.3 M5.0 P2.2"  # hands, row, draw pile


def dealt(deck=DECK_TOP, **more):
    return completed({"starters": ["M3.2", "P3.2", "A3.2", "C3.2", "B3.2"], "deck": deck.split()} | more)


def after(deal, *moves):
    """Return the state after *moves* that follow the choice of the starters."""
    *_, step = replay(STELLAR, deal, 2, [CHOSEN, *moves])
    return step.state


def match(seed, game=STELLAR):
    rng = Random(seed)
    return list(playout(game, game.deal(2, rng), 2, rng))


def same(value):
    return json.loads(json.dumps(value))


# Views.


def test_a17_everybody_sees_this():
    state = after(dealt(), "take 3", "C2.3@B1 down", "wipe", "take 1", "B2.3@notebook")
    assert {
        "seats": 2,
        "options": {"face_down_number": "printed"},
        "first": 0,
        "turn": 1,
        "step": "place",
        "satellite": False,
        "row": [None, None, "A1.3", "A2.2", "A3.1"],
        "pile": 40,
        "discards": ["A1.3", "B5.0", "C4.1", "M5.0", "P1.3"],
        "reshuffles": 0,
        "telescopes": [{"T1": "M3.2", "B1": "C2.3 down"}, {"T1": "A3.2"}],
        "notebooks": [["A2.3", "P3.2"], ["B2.3", "C3.2"]],
        "hands": [2, 2],
        "known": [["S3"], ["P2.2"]],
        "waiting": STELLAR.view(state, None)["waiting"],
    } == STELLAR.view(state, None)


@pytest.mark.parametrize("seat", [0, 1])
def test_a17_a_seat_sees_also_its_number_and_its_hand(seat):
    for played in match(1):
        public, view = STELLAR.view(played.state, None), STELLAR.view(played.state, seat)
        assert public | {"seat": seat, "hand": list(played.state.players[seat].hand)} == view


def test_a17_only_in_the_turn_of_a_satellite_taken_in_b_is_it_marked():
    for before, played in pairwise(match(4)):
        moves = [move for move in played.moves.values() if move.startswith("take")]
        if moves:
            card = before.state.row[int(moves[0][-1]) - 1]
            assert (card[0] == "S") == STELLAR.view(played.state, None)["satellite"]
        elif played.state.step != "place":
            assert not STELLAR.view(played.state, None)["satellite"]


def test_a17_after_a_reshuffle_all_know_which_cards_are_in_the_pile():
    before = after(dealt(), "take 3", "C2.3@T2")
    discards = Discards(before.pile[3:])
    before = before._replace(pile=before.pile[:3], discards=discards)
    state = STELLAR.play(before, {1: "wipe"}).state
    assert sorted(state.pile) == STELLAR.view(state, None)["pile_cards"] == STELLAR.view(state, 0)["pile_cards"]
    assert 1 == STELLAR.view(state, None)["reshuffles"]
    assert "pile_cards" not in STELLAR.view(before, None)


def test_a17_the_order_of_pile_and_reshuffles_and_dealt_cards_are_never_shown():
    one = after(dealt(), "take 1")
    luck = one.luck._replace(reshuffles=(one.luck.reshuffles[0][::-1],))
    other = one._replace(pile=one.pile[::-1], luck=luck)
    assert [STELLAR.view(one, seat) for seat in (0, 1, None)] == [STELLAR.view(other, seat) for seat in (0, 1, None)]
    players = (one.players[0], one.players[1]._replace(hand=(one.pile[0], one.pile[1])))
    assert STELLAR.view(one, 0) == STELLAR.view(one._replace(players=players), 0)


def test_st31_cards_taken_from_the_row_are_known_until_they_are_played():
    state = after(dealt(), "take 3")
    assert [["S3"], []] == STELLAR.view(state, 1)["known"]
    assert [["S3"], []] == STELLAR.view(STELLAR.play(state, {0: "C2.3@T2"}).state, 1)["known"]
    assert [[], []] == STELLAR.view(STELLAR.play(state, {0: "S3@T2"}).state, 1)["known"]


def test_a18_playing_one_of_two_equal_cards_leaves_nothing_known():
    state = after(dealt("P1.3 P6.0  B2.3 M6.0  P1.3 A2.3 S3 C4.1 B5.0"), "take 1", "P1.3@notebook")
    assert ("P1.3", "P6.0") == state.players[0].hand
    assert [[], []] == STELLAR.view(state, 1)["known"]


def test_everything_in_a_view_is_json_and_every_multiset_is_sorted():
    for played in match(2):
        view = STELLAR.view(played.state, 0)
        assert same(view) == view
        for cards in (view["hand"], view["discards"], *view["notebooks"], *view["known"], view.get("pile_cards", [])):
            assert sorted(cards) == cards


def test_half_of_all_decisions_take_at_most_1500_bytes_of_choice_view_and_events():
    sizes = []
    for seed in range(10):
        heard = {0: [], 1: []}
        for played in match(seed):
            for seat, news in heard.items():
                news += [event.seen_by(seat) for event in played.events]
            for seat, choice in STELLAR.choices(played.state).items():
                act = [choice.to_json(), STELLAR.view(played.state, seat), heard[seat]]
                sizes.append(len(canonical(act)))
                heard[seat] = []
    assert median(sizes) <= 1500


# Events.


class Follower:
    """A bot that never looks at a view and knows all that is in it."""

    def __init__(self, seat):
        self.seat = seat

    def hear(self, event):
        getattr(self, "hear_" + event["event"])(event)

    def hear_start(self, event):
        self.options, self.first, self.turn, self.step = event["options"], event["first"], 0, "starter"
        self.row, self.pile, self.discards, self.reshuffles = [None] * 5, 56, Counter(), 0
        self.pool = Counter()
        self.satellite, self.waiting, self.last = False, None, {}
        self.hand = Counter(event.get("hand"))
        self.known, self.notebooks = [Counter(), Counter()], [Counter(), Counter()]
        self.telescopes, self.hands = [{}, {}], [2, 2]

    def hear_starters(self, event):
        for seat, move in enumerate(event["moves"]):
            self.telescopes[seat]["T1"] = move.split("@")[0]
            self.notebooks[seat] += Counter(event["notebooks"][seat])

    def hear_deal(self, event):
        self.row, self.pile, self.step = event["row"], 47, "take"
        self.hand = Counter(event.get("hand"))

    def hear_keep(self, event):
        self.step = "take"

    def hear_wipe(self, event):
        self.discards += Counter(self.row)
        self.draw(event["row"], event)
        self.row, self.step = event["row"], "take"

    def draw(self, cards, event):
        """Take *cards* from the pile; a reshuffle happens when it runs out among them."""
        if event.get("reshuffled"):
            self.pool = Counter(self.pool) + self.discards - Counter(cards[: self.pile] if not self.pool else [])
            self.pile = self.pile + sum(self.discards.values())
            self.discards, self.reshuffles = Counter(), self.reshuffles + 1
            self.pool -= Counter(cards[self.pile_before :] if False else [])
            fresh = self.pool
            self.pool = fresh
        self.pile -= len(cards)
        if self.reshuffles:
            self.pool -= Counter(cards)

    def hear_take(self, event):
        seat, card = event["seat"], event["card"]
        self.row[event["slot"] - 1] = None
        self.known[seat][card] += 1
        self.hands[seat] += 1
        self.hand[card] += seat == self.seat
        self.satellite, self.step = card.startswith("S"), "play"

    def hear_play(self, event):
        seat, slot, match = event["seat"], event["slot"], event["card"]
        card = event["move"].split("@")[0]
        self.known[seat] -= Counter([card])
        self.hand -= Counter([card] if seat == self.seat else [])
        self.hands[seat] -= 1
        self.lay(seat, event["move"])
        if slot:
            self.row[slot - 1] = None
        else:
            self.draw([match], event)
        self.waiting, self.step = match, "place"
