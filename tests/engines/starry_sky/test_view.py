"""Starry Sky: what a seat sees, what it is told, and what it can only imagine."""

import json
from collections import Counter
from functools import cache
from itertools import chain, pairwise, product
from math import prod
from pathlib import Path
from random import Random

import pytest
from support.draws import times
from support.followers import EventFollower, match_views
from support.told import told

import engines.starry_sky
from engines import playout, replay
from engines.starry_sky import StarrySky
from engines.starry_sky.boards import BOARDS, NAMES
from engines.starry_sky.luck import complete_deal

SKY = StarrySky()
TOKENS = ["1", "3", "5", "6", "7", "10", "H", "D"]
SET = Counter([*TOKENS, "D"])
TABLES = [3, 4, 5]
each_table = pytest.mark.parametrize("seats", TABLES)


def dealt(*boards, **more):
    return complete_deal({"boards": list(boards)} | more)


def after(deal, *moves, seats=3):
    *_, step = replay(SKY, deal, seats, moves)
    return step.state


@cache
def match(seats, seed=1):
    rng = Random(seed)
    return list(playout(SKY, SKY.deal(seats, rng), seats, rng))


# Views.

FEW = ["10@Ari.1", "6@Ari.0", "H@Lib.0", "D@Ari.2", "5@Cnc.2", "5@Ari.3", "7@Ari.4"]
"""Moves that fill Ari."""


def test_b17_everybody_sees_this_and_nothing_of_the_reserve():
    state = after(dealt("Ari", "Cnc", "Lib"), *FEW[:6])
    nothing = [None] * 6
    assert {
        "seats": 3,
        "options": {},
        "first": 0,
        "turn": 6,
        "next": 0,
        "coins": [0, 0, 0],
        "hands": [7, 7, 7],
        "boards": [
            {
                "board": "Ari",
                "prizes": [5, 3],
                "large": [1, 2],
                "edges": [[0, 1], [1, 2], [2, 3], [3, 4]],
                "owners": [1, 0, 0, 2, None],
                "tokens": ["6", "?", "?", "5", None],
            },
            {
                "board": "Cnc",
                "prizes": [6, 4],
                "large": [2, 4],
                "edges": [[5, 4], [5, 1], [4, 2], [1, 2], [1, 0], [2, 3]],
                "owners": [None, None, 1, None, None, None],
                "tokens": [None, None, "?", None, None, None],
            },
            {
                "board": "Lib",
                "prizes": [6, 4],
                "large": [0, 1],
                "edges": [[0, 3], [0, 1], [0, 2], [1, 2], [2, 4], [4, 5]],
                "owners": [2, None, None, None, None, None],
                "tokens": ["?", *nothing[1:]],
            },
        ],
        "pile": 9,
        "excluded": {},
        "rarer": {},
        "scored": [],
    } == SKY.view(state, None)


@each_table
def test_ss26_a_seat_sees_also_its_number_its_hand_and_its_tokens_that_lie_face_down(seats):
    for step in match(seats):
        public = SKY.view(step.state, None)
        for seat in range(seats):
            view = SKY.view(step.state, seat)
            assert public | {"seat": seat, "hand": view["hand"], "mine": view["mine"]} == view
            assert view["hands"][seat] == len(view["hand"])
            shown = [
                token
                for board in view["boards"]
                for owner, token in zip(board["owners"], board["tokens"], strict=True)
                if owner == seat and token != "?"
            ]
            assert SET == Counter([*view["hand"], *view["mine"].values(), *shown])


def test_ss27_and_b14_the_owner_knows_what_lies_face_down_but_the_board_does_not_say():
    state = after(dealt("Ari", "Cnc", "Lib"), *FEW[:6])
    assert [{"Ari.1": "10", "Ari.2": "D"}, {"Cnc.2": "5"}, {"Lib.0": "H"}] == [
        SKY.view(state, seat)["mine"] for seat in range(3)
    ]
    for seat in (0, 1, 2, None):
        assert ["6", "?", "?", "5", None] == SKY.view(state, seat)["boards"][0]["tokens"]


def test_b16_the_number_of_boards_to_come_is_shown_and_never_their_order():
    one = SKY.start(dealt("Ari", "Cnc", "Lib"), 3).state
    other = one.copy()
    other.pile = one.pile[::-1]
    for seat in (0, 1, 2, None):
        assert 9 == SKY.view(one, seat)["pile"]
        assert SKY.view(one, seat) == SKY.view(other, seat)


# What all can tell of tokens that lie face down.

BESIDE = ["6@Lib.0", "1@Ari.3", "1@Lib.3", "D@Cnc.2", "3@Ari.4", "3@Lib.4", "D@Ari.0", "5@Ari.1", "5@Ari.2"]

EXCLUDED = {
    "nothing before a board is full": (FEW[:6], {}),
    "a token seen on a full board is not the one that lay face down elsewhere": (
        FEW,
        {"Cnc.2": ["6"], "Lib.0": ["5"]},
    ),
    "a token placed after that may be any": ([*FEW, "6@Lib.1"], {"Cnc.2": ["6"], "Lib.0": ["5"]}),
    "what is known is forgotten when the board is scored": (
        [*FEW, "1@Cnc.0", "1@Cnc.1", "1@Cnc.3", "3@Cnc.4", "3@Cnc.5"],
        {"Lib.0": ["1", "3", "5"]},
    ),
    "a double star leaves the other one": (
        ["6@Lib.0", "1@Ari.3", "1@Lib.3", "7@Lib.1", "3@Ari.4", "3@Lib.4", "D@Ari.0", "5@Ari.1", "5@Ari.2"],
        {"Lib.0": ["D"], "Lib.1": ["D"]},
    ),
    "two double stars on one board leave none": (
        ["6@Lib.0", "1@Ari.3", "1@Lib.3", "D@Ari.0", "3@Ari.4", "3@Lib.4", "D@Ari.1", "5@Ari.2"],
        {"Lib.0": ["D", "D"]},
    ),
    "two double stars, one of them face up elsewhere, leave none": (
        ["6@Lib.0", "1@Ari.3", "1@Lib.3", "D@Lib.2", "3@Ari.4", "3@Lib.4", "D@Ari.0", "5@Ari.1", "5@Ari.2"],
        {"Lib.0": ["D", "D"]},
    ),
    "Cnc.2 and Lib.0 lay beside a double star": (BESIDE, {"Lib.0": ["D"], "Cnc.2": ["D"]}),
    "once Cnc.2 is the other double star, Lib.0 is none": (
        [*BESIDE, "1@Cnc.0", "1@Cnc.1", "5@Cnc.3", "3@Cnc.4", "3@Cnc.5"],
        {"Lib.0": ["1", "3", "D", "D"]},
    ),
}


@pytest.mark.parametrize("what", EXCLUDED)
def test_what_all_can_tell_that_a_token_is_not(what):
    moves, excluded = EXCLUDED[what]
    assert excluded == SKY.view(after(dealt("Ari", "Cnc", "Lib"), *moves), None)["excluded"]


class Watcher:
    """A spectator with a long memory: when every token was placed, when it went home, and what it was."""

    def __init__(self, seats):
        self.turn = 0
        self.lying = {}
        self.known = [[] for _ in range(seats)]

    def hear(self, event):
        if event["event"] == "place":
            self.lying[event["star"]] = (event["seat"], self.turn, event["token"])
            self.turn += 1
        elif event["event"] == "score":
            for star, token in enumerate(event["tokens"]):
                owner, since, _ = self.lying.pop(f"{event['board']}.{star}")
                self.known[owner].append((token, since, self.turn))

    def worlds(self, seat):
        """Return all ways in which the tokens of *seat* can lie, from what lay at the same time as what."""
        hidden = {
            place: since for place, (who, since, token) in self.lying.items() if (who, token) == (seat, "?")
        }
        seen = [*self.known[seat]]
        seen += [
            (token, since, self.turn)
            for who, since, token in self.lying.values()
            if who == seat and token != "?"
        ]
        most = {}  # for every place and token how many were seen at any one time while it lay there
        for place, since in hidden.items():
            for turn in range(since, self.turn):
                for token, number in Counter(t for t, begin, end in seen if begin <= turn < end).items():
                    most[place, token] = max(most.get((place, token), 0), number)
        options = [[t for t in TOKENS if most.get((place, t), 0) < SET[t]] for place in hidden]
        doubles = [
            sum(token == "D" and begin <= turn < end for token, begin, end in seen)
            for turn in range(self.turn)
        ]
        worlds = set()
        for tokens in product(*options):
            laid = dict(zip(hidden, tokens, strict=True))
            since = [hidden[place] for place, token in laid.items() if token == "D"]
            fits = all(
                sum(s <= turn for s in since) + doubles[turn] <= 2
                for turn in range(min(since, default=self.turn), self.turn)
            )
            if fits and Counter(tokens) <= SET:
                worlds.add(tuple(sorted(laid.items())))
        return worlds

    def histories(self, seat):
        """Return for each of its worlds in how many ways the double stars can have been laid.

        By brute force: each of them is the one or the other, and those that lay at the same time differ.
        """
        seen = [(since, end) for token, since, end in self.known[seat] if token == "D"]
        seen += [(since, self.turn) for who, since, t in self.lying.values() if (who, t) == (seat, "D")]
        counts, by_places = {}, {}
        for world in self.worlds(seat):
            places = tuple(place for place, token in world if token == "D")
            if places not in by_places:
                by_places[places] = ways([*seen, *((self.lying[place][1], self.turn) for place in places)])
            counts[world] = by_places[places]
        return counts


@cache
def ways_of(beside):
    """Return how often each of several double stars is the one or the other, if those *beside* differ."""
    return sum(
        all(which[one] != which[other] for one, other in beside)
        for which in product((0, 1), repeat=1 + max(chain(*beside), default=-1))
    )


def ways(spans):
    """Return in how many ways double stars can be the one or the other if they lay from when to when."""
    beside = [
        (at, before)
        for at, (since, end) in enumerate(spans)
        for before, (earlier, gone) in enumerate(spans[:at])
        if since < gone and earlier < end
    ]
    linked = sorted({*chain(*beside)})
    names = {span: name for name, span in enumerate(linked)}
    return 2 ** (len(spans) - len(linked)) * ways_of(tuple((names[a], names[b]) for a, b in beside))


def weights(view, seat):
    """Return for each way in which the tokens of *seat* can lie how much it counts, as the page says."""
    boards = view["boards"]
    shown = [pair for board in boards for pair in zip(board["owners"], board["tokens"], strict=True)]
    counts = {}
    for world in worlds_of(view, seat):
        doubles = [place for place, token in world if token == "D"]
        marked = [place for place in doubles if "D" in view["excluded"].get(place, ())]
        two = doubles and not marked and (seat, "D") not in shown
        counts[world] = (2.0 if two else 1.0) / prod(view["rarer"].get(place, 1) for place in marked)
    return counts


def worlds_of(view, seat):
    """Return all ways in which the tokens of *seat* can lie, as the page for authors says."""
    hidden, shown = [], Counter()
    for board in view["boards"]:
        for star, (owner, token) in enumerate(zip(board["owners"], board["tokens"], strict=True)):
            if owner == seat and token == "?":
                hidden.append(f"{board['board']}.{star}")
            elif owner == seat:
                shown[token] += 1
    known = {place: Counter(view["excluded"].get(place, ())) for place in hidden}
    options = [[t for t in TOKENS if known[place][t] < SET[t] and shown[t] < SET[t]] for place in hidden]
    worlds = set()
    for tokens in product(*options):
        marked = sum(
            token == "D" and known[place]["D"] > 0 for place, token in zip(hidden, tokens, strict=True)
        )
        if marked <= 1 and shown + Counter(tokens) <= SET:
            worlds.add(tuple(sorted(zip(hidden, tokens, strict=True))))
    return worlds


def down(view, seat):
    """Return how many tokens of *seat* lie face down."""
    return sum(
        (owner, token) == (seat, "?")
        for board in view["boards"]
        for owner, token in zip(board["owners"], board["tokens"], strict=True)
    )


def beside_one(*more):
    """Return the view when Lib.0 of seat 0 has lain beside a double star, and after *more* moves."""
    moves = ["6@Lib.0", "1@Ari.3", "1@Lib.3", "D@Ari.0", "3@Ari.4", "3@Lib.4", "5@Ari.1", "5@Ari.2"]
    return SKY.view(after(dealt("Ari", "Cnc", "Lib", "Aqr"), *moves, "6@Aqr.5", *more), None)


def rarer(*more):
    view = beside_one(*more)
    assert "D" in view["excluded"]["Lib.0"]
    return view["rarer"]


def test_a_double_star_is_twice_as_rare_beside_another_one_that_is_laid_face_up():
    assert {} == rarer()
    assert {"Lib.0": 2} == rarer("D@Cnc.0")


def test_a_double_star_is_twice_as_rare_beside_another_one_when_that_is_turned_up():
    filling = ["D@Cnc.2", "7@Cnc.0", "7@Cnc.1", "1@Cnc.3", "10@Cnc.4", "10@Cnc.5"]
    assert {} == rarer(*filling[:5])
    assert {"Lib.0": 2} == rarer(*filling)


def test_where_no_double_star_can_lie_it_is_not_called_rare():
    assert {} == rarer("D@Cnc.0", "7@Cnc.1", "7@Aqr.2", "D@Cnc.3")


@times(8, 40)
@each_table
def test_the_view_tells_all_that_a_long_memory_can_tell_and_in_how_many_ways_each_world_came_about(
    seats, number
):
    checked, rare = 0, 0
    for seed in range(number):
        watcher = Watcher(seats)
        for turn, step in enumerate(match(seats, seed)):
            for event in step.events:
                watcher.hear(event.seen_by(None))
            seat = (turn + seed) % seats
            view = SKY.view(step.state, None)
            if turn % 5 == seed % 5 and 0 < down(view, seat) < 5:
                histories, counts = watcher.histories(seat), weights(view, seat)
                assert histories.keys() == counts.keys()
                assert 1 == len({histories[world] / count for world, count in counts.items()})
                checked += 1
                rare += any(place in view["rarer"] for place in told(step.state).mine[seat])
    assert checked > 7 * number
    assert rare > number / 4


# Events.


class Follower(EventFollower):
    def __init__(self, seat, seats):
        self.seat, self.seats = seat, seats

    def hear(self, event):
        getattr(self, "hear_" + event["event"])(event)
        self.watcher.hear(event | {"token": "?"} if self.is_hidden(event) else event)

    def is_hidden(self, event):
        return event["event"] == "place" and int(event["star"][4:]) in BOARDS[event["star"][:3]].large

    def rarer(self):
        """Return where a double star can have been laid in fewer ways than another token, and in how many."""
        rare = {}
        for place, (seat, since, token) in self.watcher.lying.items():
            seen = [(begin, end) for t, begin, end in self.watcher.known[seat] if t == "D"]
            seen += [(s, self.turn) for who, s, t in self.watcher.lying.values() if (who, t) == (seat, "D")]
            others, with_it = ways(seen), ways([*seen, (since, self.turn)])
            if token == "?" and 0 < with_it < others:
                rare[place] = others // with_it
        return rare

    def hear_start(self, event):
        self.options, self.first, self.next = event["options"], event["first"], event["first"]
        self.boards = [*map(self.fresh, event["boards"])]
        self.turn, self.pile, self.coins = 0, 12 - self.seats, [0] * self.seats
        self.hands = [9] * self.seats
        self.hand, self.mine, self.excluded, self.scored = SET.copy(), {}, {}, []
        self.watcher = Watcher(self.seats)

    def fresh(self, name):
        board = BOARDS[name]
        nothing = [None] * len(board.stars)
        printed = {"prizes": [*board.prizes], "large": [*board.large], "edges": [*map(list, board.edges)]}
        return {"board": name} | printed | {"owners": nothing, "tokens": [*nothing]}

    def hear_place(self, event):
        name, star = event["star"].split(".")
        seat, board = event["seat"], next(board for board in self.boards if board["board"] == name)
        face_down = int(star) in board["large"]
        board["owners"][int(star)] = seat
        board["tokens"][int(star)] = "?" if face_down else event["token"]
        self.hands[seat] -= 1
        self.turn, self.next = self.turn + 1, (seat + 1) % self.seats
        if seat == self.seat:
            self.hand[event["token"]] -= 1
            self.mine |= {event["star"]: event["token"]} if face_down else {}

    def hear_score(self, event):
        at = next(at for at, board in enumerate(self.boards) if board["board"] == event["board"])
        full = self.boards.pop(at)
        stars = {f"{event['board']}.{star}": owner for star, owner in enumerate(event["owners"])}
        self.recall(event, full, stars)
        self.excluded = {place: tokens for place, tokens in self.excluded.items() if place not in stars}
        self.mine = {place: token for place, token in self.mine.items() if place not in stars}
        for seat, (owner, token) in product(
            range(self.seats), zip(event["owners"], event["tokens"], strict=True)
        ):
            self.hands[seat] += owner == seat
            self.hand[token] += self.seat == owner == seat
        self.coins = [had + won for had, won in zip(self.coins, event["coins"], strict=True)]
        self.scored.append({key: event[key] for key in ("board", "owners", "tokens", "coins")})
        self.next = self.next if self.boards or self.pile else None

    def recall(self, event, full, stars):
        """Add to what is known of the tokens that still lie face down."""
        for seat in range(self.seats):
            back = Counter(t for t, who in zip(event["tokens"], event["owners"], strict=True) if who == seat)
            up, hidden = Counter(), []
            for board in self.boards:
                for star, (owner, token) in enumerate(zip(board["owners"], board["tokens"], strict=True)):
                    if (owner, token) == (seat, "?"):
                        hidden.append(f"{board['board']}.{star}")
                    elif owner == seat:
                        up[token] += 1
            marked = [
                "D" in self.excluded.get(place, ())
                for (place, owner), token in zip(stars.items(), event["tokens"], strict=True)
                if (owner, token) == (seat, "D")
            ]
            for place in hidden:
                known = Counter(self.excluded.get(place, ()))
                both = back["D"] + up["D"] > 1 or (marked == [True] and known["D"] > 0)
                known |= back | Counter({"D": 2 * both}) if back["D"] else back
                if known := +known:
                    self.excluded[place] = in_order(known)

    def hear_open(self, event):
        self.boards.insert(event["at"], self.fresh(event["board"]))
        self.pile -= 1

    def hear_skip(self, event):
        assert event["seat"] == self.next
        self.next = (self.next + 1) % self.seats

    def view(self):
        seen = {"seats": self.seats, "options": self.options, "first": self.first, "turn": self.turn}
        seen |= {"next": self.next, "coins": self.coins, "hands": self.hands, "boards": self.boards}
        seen |= {"pile": self.pile, "excluded": self.excluded, "rarer": self.rarer()}
        seen |= {"scored": self.scored}
        if self.seat is not None:
            seen |= {"seat": self.seat, "hand": in_order(self.hand), "mine": self.mine}
        return seen


def in_order(tokens):
    return [token for token in TOKENS for _ in range(tokens[token])]


@pytest.mark.parametrize("seed", range(40))
@each_table
def test_whoever_follows_the_events_knows_all_that_is_in_the_view(seats, seed):
    match_views(SKY, match(seats, seed), lambda seat: Follower(seat, seats))


# Imagination.


def laid(state, seat):
    return tuple(sorted(told(state).mine[seat].items()))


@pytest.mark.parametrize("seed", range(3))
@each_table
def test_each_token_that_lies_face_down_each_hand_and_each_board_to_come_varies(seats, seed):
    rng = Random(seed)
    for turn, step in enumerate(match(seats, seed)):
        view = SKY.view(step.state, seat := turn % seats)
        other = (seat + 1) % seats
        if turn % 4 or down(view, other) > 4:
            continue
        worlds = [SKY.imagine(view, rng) for _ in range(100)]
        possible = worlds_of(view, other)
        assert {laid(world, other) for world in worlds} <= possible
        for place in told(step.state).mine[other]:
            assert (len({dict(world)[place] for world in possible}) > 1) == (
                len({told(world).mine[other][place] for world in worlds}) > 1
            )
        hands = {world.hands[other] for world in worlds}
        assert (len({tuple(sorted(dict(world).values())) for world in possible}) > 1) == (len(hands) > 1)
        pile, piles = told(step.state).pile, [told(world).pile for world in worlds]
        for at in range(len(pile)):
            assert (len(pile) > 1) == (len({imagined[at] for imagined in piles}) > 1)
        assert all(sorted(pile) == sorted(imagined) for imagined in piles)
        assert {laid(step.state, seat)} == {laid(world, seat) for world in worlds}


def test_all_ways_to_lay_the_tokens_are_imagined_and_equally_often():
    moves = ["10@Ari.1", "1@Leo.0", "1@Gem.3", "7@Ari.2", "3@Leo.1", "3@Gem.4"]
    view = SKY.view(after(dealt("Ari", "Leo", "Gem"), *moves), 2)
    worlds = Counter()
    rng = Random(1)
    for _ in range(8000):
        worlds[laid(SKY.imagine(view, rng), 0)] += 1
    assert worlds_of(view, 0) == set(worlds)
    assert 57 == len(worlds)  # of 72 pairs of tokens 15 look like another, for the double stars are alike
    for world, number in worlds.items():
        doubles = sum(token == "D" for _, token in world)
        assert 0.6 < number / 8000 * 72 / (2 if doubles else 1) < 1.4


def test_a_double_star_is_imagined_as_rarely_as_the_view_says():
    """Seven names are left for Lib.0: of 13 halves that they count one is that of the double star."""
    view, rng = beside_one("D@Cnc.0"), Random(1)
    worlds = Counter(told(SKY.imagine(view, rng)).mine[0]["Lib.0"] for _ in range(6500))
    assert {"1", "3", "6", "7", "10", "H", "D"} == worlds.keys()
    assert 400 < worlds["D"] < 600
    assert all(850 < number < 1150 for token, number in worlds.items() if token != "D")


def test_a_spectator_imagines_every_hand():
    rng = Random(1)
    for step in match(4, 3):
        view = SKY.view(step.state, None)
        worlds = [SKY.imagine(view, rng) for _ in range(3)]
        for seat in range(4):
            if down(view, seat) < 5:
                assert {laid(world, seat) for world in worlds} <= worlds_of(view, seat)


# Text.


def test_the_text_says_what_lies_where_and_what_it_is_not_and_when_the_match_is_over():
    state = after(dealt("Ari", "Cnc", "Lib"), *FEW)
    lines = SKY.text(SKY.view(state, 1)).splitlines()
    assert "STARRY SKY, token 8 of 84: seat 1 places a token." == lines[0]
    assert "You are seat 1. Seat 0 began. Boards to come: 8." == lines[1]
    cancer = next(line for number, line in enumerate(lines) if lines[number - 1].startswith("Cnc: "))
    assert "  free 0 1 3 4* 5; seat 1 has 2*:5 not 6" == cancer
    libra = next(line for number, line in enumerate(lines) if lines[number - 1].startswith("Lib: "))
    assert "  free 1* 2 3 4 5; seat 2 has 0*:? not 5" == libra
    assert "Your hand: 1 3 6 7 10 H D D" in lines
    assert "  Ari 4 1 3" in lines
    assert "  Ari 4 1 3 (1:6 0:10 0:D 2:5 0:7)" in SKY.text(SKY.view(state, None)).splitlines()
    assert "the match is over" in SKY.text(SKY.view(match(3)[-1].state, None))


@pytest.mark.parametrize("name", NAMES)
def test_the_text_joins_the_stars_of_a_board_by_its_lines_each_once(name):
    others = [other for other in NAMES if other != name][:2]
    lines = SKY.text(SKY.view(after(dealt(name, *others)), None)).splitlines()
    (told,) = [line for line in lines if line.startswith(f"{name}: prizes ")]
    strokes = told.partition("lines ")[2].split(", ")
    drawn = [pair for stroke in strokes for pair in pairwise(map(int, stroke.split("-")))]
    assert sorted(map(sorted, BOARDS[name].edges)) == sorted(map(sorted, drawn))
    (free,) = [lines[number + 1] for number, line in enumerate(lines) if line == told]
    stars = [f"{star}{'*' * (star in BOARDS[name].large)}" for star in range(len(BOARDS[name].stars))]
    assert f"  free {' '.join(stars)}" == free


# The page for authors.

PAGE = (Path(engines.starry_sky.__file__).parent / "README.md").read_text("utf-8")


def test_the_example_on_the_page_for_authors_is_true():
    events, view = (json.loads(block.split("```")[0]) for block in PAGE.split("```json")[1:])
    steps = list(replay(SKY, dealt("Ari", "Cnc", "Lib"), 3, FEW))
    assert events == [event.seen_by(1) for step in steps[6:] for event in step.events]
    assert view == SKY.view(steps[-1].state, 1)
