"""Stella Quest: what a seat sees, what it is told, and what it can only imagine."""

import json
import re
from collections import Counter
from itertools import chain, combinations, product
from pathlib import Path
from random import Random

import pytest
from support.followers import EventFollower, match_views
from support.stella_quest_by_name import ByName, by_name, keeper

import engines.stella_quest
from engines import playout, replay
from engines.stella_quest.cards import BACKS, DECK
from engines.stella_quest.luck import complete_deal
from engines.stella_quest.players import ORDERS
from engines.stella_quest.testing import loser

QUEST = ByName()
KEEPING, LOSING = by_name(keeper), by_name(loser)
CARDS = "B4 B6 G2 R3 Y1  B2 G5 R6 XX Y4  G1  R5 B5 Y2 G3 XX"  # two hands, the first discard, the draw pile
each_table = pytest.mark.parametrize("seats", [2, 3, 4])


def after(*moves, cards=CARDS, seats=2, **deal):
    """Return the last step of a match in which *moves* are made."""
    *_, step = replay(QUEST, complete_deal({"deck": cards.split()} | deal), seats, moves)
    return step


def match(seed, seats=2, policy=KEEPING):
    rng = Random(seed)
    return list(playout(QUEST, QUEST.deal(seats, rng), seats, policy(rng)))


def listed(cards):
    return sorted(cards.elements())


def joined(parts):
    """Return one multiset of all parts."""
    return sorted(chain.from_iterable(parts))


# Views.


def test_sq33_everybody_sees_this():
    state = after("play B6", "play B2", "take B2", "top R5", "draw").state
    assert {
        "seats": 2,
        "options": {},
        "first": 0,
        "opening": "G1",
        "round": 2,
        "step": "play",
        "turn": 0,
        "leader": 0,
        "lead": None,
        "table": [],
        "marker": 0,
        "top": "R5",
        "discards": ["B6", "G1", "R5"],
        "pile": 39,
        "back": "XX",
        "reshuffles": 0,
        "hands": [7, 4],
        "backs": [["B?", "B?", "G?", "G?", "R?", "Y?", "Y?"], ["G?", "R?", "XX", "Y?"]],
        "lights": [4, 5],
        "collections": [["B2"], []],
        "periods": [
            {
                "cards": None,
                "received": [
                    [["B?", "B?", "G?", "R?", "Y?"], ["B?", "G?", "Y?"]],
                    [["B?", "G?", "R?", "XX", "Y?"]],
                ],
                "played": [[["B6"], []], [["B2"]]],
                "dummy": ["R5"],
            }
        ],
    } == QUEST.view(state, None)


@each_table
def test_a_seat_sees_also_its_number_its_hand_and_what_it_drew(seats):
    for played in match(1, seats):
        public = QUEST.view(played.state, None)
        for seat, hand in enumerate(played.state.hands):
            view = QUEST.view(played.state, seat)
            own = {"seat": seat, "hand": list(hand), "drawn": view["drawn"]}
            assert public | own == view
            held = Counter(card for drawn in view["drawn"] for card in drawn)
            held.subtract(card for period in view["periods"] for card in joined(period["played"][seat]))
            assert hand == tuple(listed(held))


@each_table
def test_each_period_accounts_for_all_of_its_cards(seats):
    for played in match(3, seats):
        view = QUEST.view(played.state, None)
        assert view["reshuffles"] == len(view["periods"]) - 1
        for number, period in enumerate(view["periods"], 1):
            made_of = period["cards"] or (Counter(DECK) - Counter([view["opening"]])).elements()
            drawn = Counter(back for parts in period["received"] for back in joined(parts))
            drawn.update(BACKS[card] for card in period.get("dummy", ()))
            left = Counter(BACKS[card] for card in made_of) - drawn
            assert (0 if number < len(view["periods"]) else view["pile"]) == left.total()


def parts_of(seat, *moves):
    period = QUEST.view(after(*moves).state, None)["periods"][0]
    return [*zip(period["received"][seat], period["played"][seat], strict=True)]


def test_the_view_says_what_had_come_when_a_card_was_played():
    dealt = ["B?", "B?", "G?", "R?", "Y?"]
    assert [(dealt, [])] == parts_of(0)
    assert [(sorted([*dealt, "B?", "R?", "Y?"]), ["B5"])] == parts_of(0, "draw", "play B5")
    later = parts_of(0, "play B6", "play B2", "take B2", "top R5", "draw")
    assert [(dealt, ["B6"]), (["B?", "G?", "Y?"], [])] == later
    assert [(["B?", "G?", "R?", "XX", "Y?"], ["B2"])] == parts_of(1, "play B6", "play B2")


# Events.


class Follower(EventFollower):
    def __init__(self, seat):
        self.seat = seat

    def hear_start(self, event):
        self.seats, self.first, self.opening = len(event["backs"]), event["first"], event["top"]
        self.number, self.leader, self.marker, self.step = 1, self.first, None, "play"
        self.lead, self.table, self.turn = None, [], self.first
        self.top, self.discards = self.opening, Counter([self.opening])
        self.pile, self.back = 53 - 5 * self.seats, event["back"]
        self.backs = [Counter(backs) for backs in event["backs"]]
        self.lights, self.collections = [5] * self.seats, [[] for _ in self.backs]
        self.hand, self.last, self.periods, self.drawn = Counter(event.get("hand")), {}, [], []
        self.new_period(None)
        self.periods[0]["received"] = [[Counter(backs)] for backs in event["backs"]]
        self.drawn[0].update(self.hand)

    def new_period(self, cards):
        nothing = {"received": [[Counter()] for _ in self.backs], "played": [[Counter()] for _ in self.backs]}
        dummy = {"dummy": Counter()} if self.seats == 2 else {}
        self.periods.append({"cards": cards} | nothing | dummy)
        self.drawn.append(Counter())

    def next_turn(self):
        """Find out who is asked now: the next seat that has a card."""
        played = [who for who, _ in self.table]
        order = ORDERS[self.seats][self.leader]
        at = max((order.index(who) + 1 for who in played), default=0)
        waiting = [who for who in order[at:] if who != "dummy" and self.backs[who].total()]
        self.turn = waiting[0] if waiting else None

    def hear_play(self, event):
        who, card = event["seat"], event["card"]
        self.table.append([who, card])
        if self.lead is None and card != "XX":
            self.lead = BACKS[card]
        if who == "dummy":
            self.periods[-1]["dummy"][card] += 1
            self.pile -= 1
        else:
            self.periods[-1]["played"][who][-1][card] += 1
            self.backs[who][BACKS[card]] -= 1
            self.hand[card] -= who == self.seat
        self.next_turn()

    def hear_draw(self, event):
        seat = event["seat"]
        self.lights[seat] = event["lights"]
        self.backs[seat].update(event["backs"])
        received, played = (self.periods[-1][key][seat] for key in ("received", "played"))
        if played[-1]:
            received.append(Counter())
            played.append(Counter())
        received[-1].update(event["backs"])
        self.pile -= len(event["backs"])
        if seat == self.seat:
            self.hand.update(event["cards"])
            self.drawn[-1].update(event["cards"])
        self.next_turn()

    hear_refill = hear_draw

    def hear_reshuffle(self, event):
        self.new_period(event["cards"])
        self.discards, self.pile = Counter([self.top]), len(event["cards"])

    def hear_skip(self, event):
        pass

    def hear_win(self, event):
        self.turn = event["seat"]
        if "lights" in event:
            self.lights[event["seat"]] = event["lights"]
            self.step = "take"

    def hear_take(self, event):
        seat, card = event["seat"], event["card"]
        self.collections[seat].append(card)
        self.lights[seat] = event["lights"]
        self.table.remove(next(laid for laid in self.table if laid[1] == card))
        self.step = "top"

    def hear_discard(self, event):
        self.discards.update(card for _, card in self.table)
        self.table, self.lead = [], None
        self.top, self.marker = event["top"], event["marker"]

    def hear_round(self, event):
        self.number, self.leader, self.step = event["round"], event["leader"], "play"
        self.next_turn()

    def hear_pile(self, event):
        assert event["pile"] == self.pile
        self.back = event["back"]

    def hear_over(self, event):
        self.step, self.turn = "over", None
        self.last = {"ending": {"why": event["why"], "seat": event["seat"]}, "scores": event["scores"]}

    def view(self):
        periods = [
            {
                key: value
                if key == "cards"
                else listed(value)
                if key == "dummy"
                else [[*map(listed, parts)] for parts in value]
                for key, value in period.items()
            }
            for period in self.periods
        ]
        seen = {"seats": self.seats, "options": {}, "first": self.first, "opening": self.opening}
        seen |= {"round": self.number, "step": self.step, "turn": self.turn, "leader": self.leader}
        seen |= {"lead": self.lead, "table": self.table, "marker": self.marker, "top": self.top}
        seen |= {"discards": listed(self.discards), "pile": self.pile, "back": self.back}
        seen |= {"reshuffles": len(self.periods) - 1, "hands": [backs.total() for backs in self.backs]}
        seen |= {"backs": [*map(listed, self.backs)], "lights": self.lights}
        seen |= {"collections": self.collections, "periods": periods} | self.last
        if self.seat is None:
            return seen
        return seen | {"seat": self.seat, "hand": listed(self.hand), "drawn": [*map(listed, self.drawn)]}


@each_table
@pytest.mark.parametrize("seed", range(15))
def test_whoever_follows_the_events_knows_all_that_is_in_the_view(seats, seed):
    match_views(QUEST, match(seed, seats), Follower)


# Imagination.


def check_world(view, world):
    """Assert that *world* fits every period of *view*, whoever imagined it."""
    periods, now = world.past, world.received
    for number, seen in enumerate(view["periods"]):
        received = periods[number].received if number < len(periods) else now
        made_of = Counter(seen["cards"] or (Counter(DECK) - Counter([view["opening"]])))
        made_of.subtract(seen.get("dummy", ()))
        for cards, backs in zip(received, seen["received"], strict=True):
            assert joined(backs) == [BACKS[card] for card in cards]
            made_of.subtract(cards)
        assert +made_of == Counter(world.pile if number == len(periods) else ())
        assert not -made_of
    for seat, hand in enumerate(world.hands):
        held = Counter()
        for number, seen in enumerate(view["periods"]):
            held.update(periods[number].received[seat] if number < len(periods) else now[seat])
            held.subtract(joined(seen["played"][seat]))
            assert not -held  # nothing is played before it is received
        assert hand == tuple(listed(held))


@each_table
def test_every_imagined_hand_fits_all_periods(seats):
    reshuffles = 0
    for seed in range(12):
        rng = Random(seed)
        for played in match(seed, seats, policy=LOSING)[::5]:
            for seat in [*range(seats), None]:
                view = QUEST.view(played.state, seat)
                check_world(view, QUEST.imagine(view, rng))
                reshuffles = max(reshuffles, view["reshuffles"])
    assert reshuffles >= {2: 1, 3: 1, 4: 2}[seats]


def places(cards, backs):
    """Return for every place of a sorted hand with these *backs* the names that may stand there."""
    names = []
    for back, count in sorted(Counter(backs).items()):
        loose = sorted(card for card in cards if BACKS[card] == back)
        hands = set(combinations(loose, count))
        names += [{hand[place] for hand in hands} for place in range(count)]
    return names


def check_place(imagined, possible):
    assert imagined <= possible
    assert (len(imagined) > 1) == (len(possible) > 1)


@each_table
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 4))])
def test_each_number_in_other_hands_and_each_card_of_the_pile_varies_by_itself(seats, seed):
    """Before a reshuffle, and just where it may."""
    rng = Random(seed)
    for played in match(seed, seats)[:-1:2]:
        state, seat = played.state, rng.randrange(seats)
        view = QUEST.view(state, seat)
        if view["reshuffles"]:
            return
        others = [other for other in range(seats) if other != seat]
        loose = [*state.pile, *(card for other in others for card in state.hands[other])]
        worlds = [QUEST.imagine(view, rng) for _ in range(40)]
        for other in others:
            hands = [world.hands[other] for world in worlds]
            for place, possible in enumerate(places(loose, view["backs"][other])):
                check_place({hand[place] for hand in hands}, possible)
        for place in range(len(state.pile)):
            behind = Counter(map(BACKS.get, state.pile))
            behind.subtract([view["back"]])
            backs = {view["back"]} if place == 0 else set((+behind).elements())
            possible = {card for card in loose if BACKS[card] in backs}
            check_place({world.pile[place] for world in worlds}, possible)
        assert 40 == len({world.orders for world in worlds})


def possible_hands(view, back, limit=1500):
    """Return all hands of one colour that fit every period, seat by seat; None if there are too many ways.

    By brute force: all ways to share out each period, one after the other.
    """
    own = view.get("seat")
    hands, ways = {tuple(() for _ in range(view["seats"]))}, 1
    for number, period in enumerate(view["periods"]):
        made_of = Counter(period["cards"] or (Counter(DECK) - Counter([view["opening"]])))
        made_of.subtract(period.get("dummy", ()))
        cards = sorted(card for card in made_of.elements() if BACKS[card] == back)
        counts = [joined(parts).count(back) for parts in period["received"]]
        drawn = None if own is None else [card for card in view["drawn"][number] if BACKS[card] == back]
        after = set()
        shares = set(shared(cards, counts, own, drawn))
        ways = len(shares) * len(hands)
        if ways > limit:
            return None
        for before, share in product(hands, shares):
            parts = [
                [
                    (backs.count(back), [card for card in cards if BACKS[card] == back])
                    for backs, cards in both
                ]
                for both in map(zip, period["received"], period["played"])
            ]
            if all(map(can_play, before, share, parts)):
                held = [Counter(one) + Counter(more) for one, more in zip(before, share, strict=True)]
                for hand, played in zip(held, parts, strict=True):
                    hand.subtract(card for _, cards in played for card in cards)
                after.add(tuple(tuple(listed(hand)) for hand in held))
        hands = after
    return hands


def can_play(held, new, parts):
    """Return whether *new* cards can come to a hand so that the cards of all *parts* are there to be played.

    Each part is how many come, and what is played before the next ones do.
    """
    if not parts:
        return True
    (count, played), *later = parts
    for come in set(combinations(sorted(new), count)):
        left, hand = Counter(new), Counter(held)
        left.subtract(come)
        hand.update(come)
        hand.subtract(played)
        if not -hand and can_play(listed(hand), listed(left), later):
            return True
    return False


def shared(cards, counts, own, drawn):
    """Yield all ways to give every seat so many of *cards*; what is left stays in the pile."""
    if not counts:
        yield ()
        return
    *_, count = counts
    seat = len(counts) - 1
    for hand in {tuple(drawn)} if seat == own else set(combinations(cards, count)):
        rest = Counter(cards)
        rest.subtract(hand)
        if not -rest:
            for others in shared(listed(rest), counts[:-1], own, drawn):
                yield (*others, hand)


@pytest.mark.slow
def test_after_reshuffles_all_hands_that_fit_all_periods_are_imagined_and_no_others():
    compared = Counter()
    for seats, seed in product((3, 4), range(12)):
        states = [played.state for played in match(seed, seats, policy=LOSING) if played.state.past]
        for state in states[5::15]:
            rng = Random(seed)
            view = QUEST.view(state, rng.randrange(seats))
            for back in ("B?", "Y?"):
                expected = possible_hands(view, back)
                if expected and 1 < len(expected) < 7:
                    worlds = [QUEST.imagine(view, rng) for _ in range(150)]
                    assert expected == {
                        tuple(tuple(card for card in hand if BACKS[card] == back) for hand in world.hands)
                        for world in worlds
                    }
                    compared[view["reshuffles"]] += 1
    assert compared.total() > 10


def test_with_two_seats_a_reshuffle_tells_each_the_hand_of_the_other():
    rng, seen = Random(1), 0
    for seed in range(40):
        for played in match(seed, policy=LOSING):
            if "reshuffle" in [event.kind for event in played.events]:
                before = Counter(played.state.hands[1]) - Counter(played.state.received[1])
                world = QUEST.imagine(QUEST.view(played.state, 0), rng)
                assert not before - Counter(world.hands[1])
                seen += 1
    assert seen > 2


def test_before_a_reshuffle_all_worlds_are_about_equally_likely():
    cards = "B1 B2 B3 B4 B5  B6 G1 G2 G3 G4  R1 R2 R3 R4 R5  B6 Y1"
    state = after(cards=cards, seats=3).state
    rng, tally = Random(1), Counter()
    view = QUEST.view(state, 0)
    for _ in range(2000):
        tally[next(c for c in QUEST.imagine(view, rng).hands[1] if BACKS[c] == "B?")] += 1
    assert {"B1", "B2", "B3", "B4", "B5", "B6"} == tally.keys()  # one of each is not in sight
    assert all(250 < count < 420 for count in tally.values())


def test_a_view_that_fits_no_match_is_refused():
    rng = Random(1)
    state = next(p.state for p in match(1, 4) if p.state.past and p.state.step == "play")
    view = QUEST.view(state, 0)
    view["periods"][1]["played"][1][0] = ["B1", "B1", "B1"]
    with pytest.raises(ValueError, match="fits no match"):
        QUEST.imagine(view, rng)


# Text.


def test_the_text_says_who_is_asked_what_is_trump_and_shows_every_card_in_sight():
    told = QUEST.text(QUEST.view(after("play B6").state, 1))
    assert "STELLA QUEST, 2 seats, round 1: seat 1 plays a card" in told
    assert "The top of the discards is G1, so trump is green. The leading colour is blue." in told
    assert "Played in this round: Seat 0 B6, Dummy R5\n" in told
    assert "Your hand: B2 G5 R6 XX Y4\n" in told
    assert "Seat 0: 5 lights, 5 points\n  has nothing; lacks 1 2 3 4 5 6\n" in told
    assert "You may play B2 XX, or draw\n" in told
    assert "\x1b" not in told


def test_the_text_of_the_end_shows_the_points():
    for seed in range(5):
        last = match(seed, 3)[-1].state
        told = QUEST.text(QUEST.view(last, None))
        assert "the match is over" in told
        for score in QUEST.view(last, None)["scores"]:
            lights, points = score["lights"], score["total"]
            expected = f": {lights} light{'s' * (lights != 1)}, {points} point{'s' * (points != 1)}\n"
            assert expected in told


@each_table
def test_the_text_says_what_the_others_held_at_the_first_reshuffle(seats):
    found = 0
    for seed in range(12):
        for played in match(seed, seats):
            view = QUEST.view(played.state, 0)
            if view["reshuffles"]:
                told = " ".join(QUEST.text(view).split())
                cards = re.findall(r"(?:(\d)x)?([BGRY]\d|XX)\b", held_in(told))
                held = Counter()
                for seat in range(1, seats):
                    held.update(played.state.past[0].received[seat])
                    held.subtract(card for part in view["periods"][0]["played"][seat] for card in part)
                assert +held == Counter(card for count, card in cards for _ in range(int(count or 1)))
                found += 1
    assert found


def held_in(told):
    """Return the cards that a text says were held at the first reshuffle."""
    return told.partition("At the reshuffle the other hands held together ")[2].partition(":")[0]


def test_the_text_says_which_colours_a_hand_cannot_have():
    for played in match(3, 3):
        view = QUEST.view(played.state, 0)
        told = QUEST.text(view)
        for seat in (1, 2):
            of_seat = told[told.index(f"Seat {seat}: {view['lights'][seat]} light") :]
            holds = of_seat[of_seat.index("  holds ") :].partition("\n")[0]
            for back, colour in (("B?", "blue"), ("G?", "green"), ("R?", "red"), ("Y?", "yellow")):
                cannot = colour in holds.partition("cannot have")[2].split()
                assert cannot == (back not in view["backs"][seat] and bool(view["backs"][seat]))


# The page for authors.

PAGE = (Path(engines.stella_quest.__file__).parent / "README.md").read_text("utf-8")


def test_the_example_on_the_page_for_authors_is_true():
    events, view = (json.loads(block.split("```")[0]) for block in PAGE.split("```json")[1:])
    deal = complete_deal({"deck": CARDS.split()})
    steps = list(replay(QUEST, deal, 2, ["play B6", "play B2", "take B2", "top R5", "draw"]))
    assert events == [event.seen_by(0) for step in steps[1:] for event in step.events]
    assert view == QUEST.view(steps[-1].state, 0)
