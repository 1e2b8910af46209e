"""Stellar: what a seat sees, what it is told, and what it can only imagine."""

import json
from collections import Counter
from itertools import combinations, pairwise, permutations
from pathlib import Path
from random import Random

import pytest
from support.followers import EventFollower, match_views
from support.stellar_by_name import CHOSEN, DECK_TOP, STELLAR, after, dealt

import engines.stellar
from engines import playout, replay
from engines.stellar.cards import STARTERS


def match(seed):
    rng = Random(seed)
    return list(playout(STELLAR, STELLAR.deal(2, rng), 2, rng))


def keeper(rng):
    """Return a policy that holds on to the cards dealt to a hand, and keeps the row at times."""

    def policy(state, seat, choice):
        known = state.players[seat].known
        wanted = [option for option in choice.options if option.split("@")[0] in known]
        return rng.choice(wanted or choice.options)

    return policy


# Views.


def test_a17_everybody_sees_this():
    state = after(dealt(), "take 3", "C2.3@B1 down", "wipe", "take 1", "B2.3@notebook").state
    assert {
        "seats": 2,
        "options": {"face_down_number": "printed"},
        "first": 0,
        "turn": 1,
        "step": "place",
        "satellite": False,
        "row": [None, None, "A2.2", "A3.1", "A4.1"],
        "pile": 40,
        "discards": ["A1.3", "B5.0", "C4.1", "M5.0", "P1.3"],
        "reshuffles": 0,
        "telescopes": [{"T1": "M3.2", "B1": "C2.3 down"}, {"T1": "A3.2"}],
        "notebooks": [["A2.3", "P3.2"], ["B2.3", "C3.2"]],
        "hands": [2, 2],
        "known": [["S3"], ["P2.2"]],
        "waiting": "A1.3",
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
    before = after(dealt(), "take 3", "C2.3@T2").state
    before = before._replace(pile=before.pile[:3], discards=before.pile[3:])
    state = STELLAR.play(before, {1: "wipe"}).state
    assert (
        sorted(state.pile) == STELLAR.view(state, None)["pile_cards"] == STELLAR.view(state, 0)["pile_cards"]
    )
    assert 1 == STELLAR.view(state, None)["reshuffles"]
    assert "pile_cards" not in STELLAR.view(before, None)


def test_a17_the_order_of_pile_and_reshuffles_and_dealt_cards_are_never_shown():
    one = after(dealt(), "take 1").state
    other = one._replace(pile=one.pile[::-1], orders=(one.orders[0][::-1],))
    assert [STELLAR.view(one, seat) for seat in (0, 1, None)] == [
        STELLAR.view(other, seat) for seat in (0, 1, None)
    ]
    players = (one.players[0], one.players[1]._replace(hand=(one.pile[0], one.pile[1])))
    assert STELLAR.view(one, 0) == STELLAR.view(one._replace(players=players), 0)


def test_st31_cards_taken_from_the_row_are_known_until_they_are_played():
    state = after(dealt(), "take 3").state
    assert [["S3"], []] == STELLAR.view(state, 1)["known"]
    assert [["S3"], []] == STELLAR.view(STELLAR.play(state, {0: "C2.3@T2"}).state, 1)["known"]
    assert [[], []] == STELLAR.view(STELLAR.play(state, {0: "S3@T2"}).state, 1)["known"]


def test_a18_playing_one_of_two_equal_cards_leaves_nothing_known():
    state = after(dealt("P1.3 P6.0  B2.3 M6.0  P1.3 A2.3 S3 C4.1 B5.0"), "take 1", "P1.3@notebook").state
    assert ("P1.3", "P6.0") == state.players[0].hand
    assert [[], []] == STELLAR.view(state, 1)["known"]


# Events.


class Follower(EventFollower):
    def __init__(self, seat):
        self.seat = seat

    def hear_start(self, event):
        self.options, self.first, self.turn, self.step = event["options"], event["first"], 0, "starter"
        self.row, self.pile, self.pool = [None] * 5, 56, Counter()
        self.discards, self.reshuffles = Counter(), 0
        self.satellite, self.waiting, self.last = False, None, {}
        self.hand, self.hands = Counter(event.get("hand")), [2, 2]
        self.known, self.notebooks, self.telescopes = [Counter(), Counter()], [Counter(), Counter()], [{}, {}]

    def hear_starters(self, event):
        for seat, move in enumerate(event["moves"]):
            self.lay(seat, move)
            self.notebooks[seat].update(event["notebooks"][seat])

    def hear_deal(self, event):
        self.row, self.pile, self.step = event["row"], 47, "take"
        self.hand = Counter(event.get("hand"))

    def hear_keep(self, event):
        self.step = "take"

    def hear_wipe(self, event):
        self.discards.update(self.row)
        self.row = [None] * 5
        self.refill(event)
        self.step = "take"

    def hear_take(self, event):
        seat, card = event["seat"], event["card"]
        self.row[event["slot"] - 1] = None
        self.known[seat][card] += 1
        self.hands[seat] += 1
        self.hand[card] += seat == self.seat
        self.satellite, self.step = card.startswith("S"), "play"

    def hear_play(self, event):
        seat = event["seat"]
        card = Counter(event["move"].split("@")[:1])
        self.known[seat] -= card
        self.hand -= card if seat == self.seat else Counter()
        self.hands[seat] -= 1
        self.lay(seat, event["move"])
        if event["slot"]:
            self.row[event["slot"] - 1] = None
        else:
            self.draw([event["card"]], event)
        self.waiting, self.step = event["card"], "place"

    def hear_place(self, event):
        self.lay(event["seat"], event["move"])
        self.refill(event)
        self.turn += 1
        self.step = "final" if self.turn == 22 else "wipe" if self.satellite else "take"
        self.satellite, self.waiting = False, None

    def hear_final(self, event):
        for seat, move in enumerate(event["moves"]):
            self.lay(seat, move)
        self.discards.update(event["thrown"])
        self.hand, self.hands, self.known = Counter(), [0, 0], [Counter(), Counter()]
        self.last, self.step = {"thrown": event["thrown"], "scores": event["scores"]}, "over"

    def lay(self, seat, move):
        card, place = move.split("@")
        if place == "notebook":
            self.notebooks[seat][card] += 1
        else:
            slot, *down = place.split(" ")
            self.telescopes[seat][slot] = " ".join([card, *down])

    def refill(self, event):
        self.draw([card for gap, card in zip(self.row, event["row"], strict=True) if gap is None], event)
        self.row = event["row"]

    def draw(self, cards, event):
        if event.get("reshuffled"):  # the pile ran out among these cards
            self.pool, self.discards = self.discards - Counter(cards[self.pile :]), Counter()
            self.pile, self.reshuffles = self.pool.total(), self.reshuffles + 1
        else:
            self.pile -= len(cards)
            self.pool -= Counter(cards)

    def view(self):
        seen = {
            "seats": 2,
            "options": self.options,
            "first": self.first,
            "turn": self.turn,
            "step": self.step,
        }
        seen |= {
            "satellite": self.satellite,
            "row": self.row,
            "pile": self.pile,
            "reshuffles": self.reshuffles,
        }
        seen |= {"discards": listed(self.discards), "hands": self.hands, "telescopes": self.telescopes}
        seen |= {"notebooks": [*map(listed, self.notebooks)], "known": [*map(listed, self.known)]} | self.last
        seen |= {"waiting": self.waiting} if self.waiting else {}
        seen |= {"pile_cards": listed(self.pool)} if self.reshuffles else {}
        return seen | ({"seat": self.seat, "hand": listed(self.hand)} if self.seat is not None else {})


def listed(cards):
    return sorted(cards.elements())


@pytest.mark.parametrize("seed", range(40))
def test_whoever_follows_the_events_knows_all_that_is_in_the_view(seed):
    match_views(STELLAR, match(seed), Follower)


# Imagination.


def unknown(state, seat):
    """Return the cards in the hand of *seat* that others do not know of."""
    player = state.players[seat]
    return listed(Counter(player.hand) - Counter(player.known))


@pytest.mark.parametrize("seed", [1, 3, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (4, 5, 7))])
def test_each_dealt_card_and_each_card_of_the_pile_varies_and_after_a_reshuffle_the_hand_is_certain(seed):
    rng, found = Random(seed), set()
    for played in [*playout(STELLAR, STELLAR.deal(2, rng), 2, keeper(rng))][1:-1]:
        state, seat = played.state, rng.randrange(2)
        worlds = [STELLAR.imagine(STELLAR.view(state, seat), rng) for _ in range(25)]
        hand, pile = unknown(state, 1 - seat), sorted(state.pile)
        certain = state.reshuffles > 0
        found.add((certain, len(hand)))
        hands = [tuple(hand)] if certain else [*combinations(sorted(pile + hand), len(hand))]
        for place in range(len(hand)):
            possible = {sorted(cards)[place] for cards in hands}
            imagined = {unknown(world, 1 - seat)[place] for world in worlds}
            assert imagined <= possible
            assert (len(imagined) > 1) == (len(possible) > 1)
        loose = set(pile if certain else pile + hand)
        for place in range(len(pile)):
            assert (len({world.pile[place] for world in worlds}) > 1) == (len(loose) > 1)
        hidden = Counter(pile + hand)
        assert all(Counter(world.pile) + Counter(unknown(world, 1 - seat)) == hidden for world in worlds)
    assert {(True, 2), (False, 2)} <= found


def test_with_few_cards_left_all_combinations_of_a_hand_and_the_next_card_are_imagined():
    states = [played.state for played in playout(STELLAR, dealt(), 2, keeper(Random(1)))]
    state = next(state for state in states if (state.turn, state.step) == (20, "take"))
    (seat,) = STELLAR.choices(state)
    pool = [*state.pile, *unknown(state, 1 - seat)]
    expected = {(*sorted((a, b)), c) for a, b, c in permutations(pool, 3)}
    view, rng = STELLAR.view(state, seat), Random(1)
    worlds = [STELLAR.imagine(view, rng) for _ in range(5000)]
    assert expected == {(*unknown(world, 1 - seat), world.pile[0]) for world in worlds}


def test_at_decision_1_every_pair_of_the_other_starters_is_imagined_and_the_third_is_in_the_deck():
    state, rng = STELLAR.start(dealt(), 2).state, Random(1)
    worlds = [STELLAR.imagine(STELLAR.view(state, 0), rng) for _ in range(200)]
    assert {("A3.2", "B3.2"), ("A3.2", "C3.2"), ("B3.2", "C3.2")} == {
        world.players[1].hand for world in worlds
    }
    for world in worlds:
        assert 1 == len(set(world.pile) & set(STARTERS))
    hands = {STELLAR.imagine(STELLAR.view(state, None), rng).players[0].hand for _ in range(300)}
    assert 10 == len(hands)


def test_a_spectator_imagines_both_hands_from_what_all_know():
    rng = Random(1)
    for played in match(3)[1:-1]:
        state = played.state
        worlds = [STELLAR.imagine(STELLAR.view(state, None), rng) for _ in range(5)]
        for world in worlds:
            for seat in (0, 1):
                assert len(unknown(state, seat)) == len(unknown(world, seat))
                assert state.players[seat].known == world.players[seat].known


# Text.


def test_the_text_tells_the_telescopes_and_names_every_card_in_sight():
    state = after(dealt(), "take 3", "C2.3@B1 down").state
    told = STELLAR.text(STELLAR.view(state, 1))
    assert "STELLAR, turn 2 of 22: seat 1 keeps the row, or wipes it." in told
    assert "Telescope of Seat 0: T1 M3.2, B1 C2.3 down\n" in told
    assert "Telescope of Seat 1 (you): T1 A3.2\n" in told
    assert "Stars x run of the notebook: P 0 x 1 (3.2), M 2 x 0, A 0 x 1 (2.3)\n" in told
    assert all(card in told for card in (*filter(None, state.row), *state.players[1].hand, "S3"))
    assert "\x1b" not in told


def test_the_text_says_that_the_row_may_be_wiped_where_somebody_will_be_asked():
    found = Counter()
    for seed in range(60):
        steps = match(seed)
        for played in steps:
            view = STELLAR.view(played.state, None)
            if view["satellite"]:
                later = next(step.state for step in steps if step.state.turn > view["turn"])
                may_wipe = (
                    f"so seat {1 - (view['first'] + view['turn']) % 2} may wipe the row."
                    in STELLAR.text(view)
                )
                assert (later.step == "wipe") == may_wipe
                found[view["turn"] == 21] += 1
    assert found[True]
    assert found[False] > 100


def test_the_text_tells_the_points_so_far_and_who_has_each_majority():
    told = STELLAR.text(STELLAR.view(after(dealt(), "take 3", "C2.3@B1 down").state, 1))
    assert "Points so far: seat 0 10 = majorities 10; seat 1 0\n" in told
    assert "Majorities: top 3:3 nobody, middle 0:0 nobody, bottom 3:0 seat 0\n" in told
    assert "Types lacking for diversity: seat 0 P A C B, seat 1 P M C B\n" in told


def test_the_text_of_the_end_shows_the_points():
    last = match(1)[-1].state
    told = STELLAR.text(STELLAR.view(last, None))
    for score in STELLAR.view(last, None)["scores"]:
        assert all(str(points) in told for points in score.values())
    assert "the match is over" in told


# The page for authors.

PAGE = (Path(engines.stellar.__file__).parent / "README.md").read_text("utf-8")


def test_the_example_on_the_page_for_authors_is_true():
    events, view = (json.loads(block.split("```")[0]) for block in PAGE.split("```json")[1:])
    deal = dealt(DECK_TOP + " B1.3 C5.1 M4.1 A5.0 C3.1")
    moves = ["take 3", "C2.3@B1 down", "wipe", "take 1", "B2.3@notebook", "B1.3@T2"]
    steps = list(replay(STELLAR, deal, 2, [CHOSEN, *moves]))
    assert events == [event.seen_by(0) for step in steps[4:] for event in step.events]
    assert view == STELLAR.view(steps[-1].state, 0)
