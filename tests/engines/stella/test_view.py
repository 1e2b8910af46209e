"""Stella: what a seat sees, what it is told, and what it can only imagine."""

import json
import tomllib
from collections import Counter
from itertools import combinations
from pathlib import Path
from random import Random

import pytest
from support.followers import EventFollower, match_views
from support.told import by_name

import engines.stella
from engines import playout, replay
from engines.stella import Stella, checked_deck
from engines.stella.deck import DEFAULT
from engines.stella.luck import complete_deal

STELLA = by_name(Stella)()
WORDS = [["Captain", "Honey"], ["Betrayal", "Spring"], ["Memory", "Fire"], ["Hope", "Machine"]]


def match(seed, seats=4, **options):
    rng = Random(seed)
    return list(playout(STELLA, STELLA.deal(seats, rng, options), seats, cautious(rng)))


def cautious(rng):
    """Return a policy with few crosses, so that several stay unshown and rounds are not all alike."""

    def policy(state, seat, choice):
        if state.step == "associate":
            return tuple(sorted(rng.sample(choice.options, rng.randint(1, 6)), key=choice.options.index))
        return "flip" if state.step == "vote" and rng.random() < 0.8 else rng.choice(list(choice))

    return policy


# Views.


def example():
    """Return the steps of the example on the page for authors."""
    numbers = (1, 6, 8, 15, 21, 24, 30, 36, 45, 48, 51, 54, 61, 63, 84)
    cards = [f"c{number:02}" for number in numbers]
    deal = complete_deal({"cards": cards, "words": WORDS, "first": 2})
    crosses = {0: ["c15", "c36", "c51", "c61"], 1: ["c06", "c51"], 2: ["c36", "c51", "c63"]}
    votes = {0: "keep", 1: "flip", 2: "keep"}
    return list(replay(STELLA, deal, 3, [votes, crosses, "show c51", "show c15"]))


def test_everybody_sees_this():
    view = STELLA.view(example()[-1].state, None)
    grid = view.pop("grid")
    assert {
        "seats": 3,
        "options": {"word_vote": True, "first_game": False},
        "first": 2,
        "round": 1,
        "step": "show",
        "word": "Captain",
        "flipped": False,
        "counts": [4, 2, 3],
        "dark": 0,
        "scout": 1,
        "shown": {"c51": [0, 1, 2], "c15": [0]},
        "fallen": [0],
        "stars": [2, 2, 2],
        "sparks": [1, 1, 1],
        "rounds": [],
        "scores": [0, 0, 0],
    } == view
    picture = DEFAULT.pictures["c01"]
    assert {"id": "c01", "text": picture.text, "tags": list(picture.tags)} == grid[0]


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_a_seat_sees_also_its_number_and_its_own_crosses(seat):
    state = example()[-1].state
    public, view = STELLA.view(state, None), STELLA.view(state, seat)
    own = [["c15", "c36", "c51", "c61"], ["c06", "c51"], ["c36", "c51", "c63"]][seat]
    assert public | {"seat": seat, "crosses": own, "past_crosses": []} == view


def test_d8_when_a_round_ends_the_view_goes_straight_to_the_next_one_and_keeps_the_round():
    steps = example()
    state = steps[-1].state
    before = STELLA.view(state, 2)
    for move in ("show c06", "show c36"):
        scout = next(iter(STELLA.choices(state)))
        state = STELLA.play(state, {scout: move}).state
    state = STELLA.play(state, {2: "show c63"}).state
    view = STELLA.view(state, 2)
    assert (2, "vote", WORDS[1], None) == (view["round"], view["step"], view["words"], view["word"])
    assert ([], {}, [], None) == (view["counts"], view["shown"], view["fallen"], view["dark"])
    assert ([0, 0, 0], [0, 0, 0]) == (view["stars"], view["sparks"])
    assert [
        {
            "cards": [card["id"] for card in before["grid"]],
            "word": "Captain",
            "flipped": False,
            "counts": [4, 2, 3],
            "dark": 0,
            "shown": {"c51": [0, 1, 2], "c15": [0], "c06": [1], "c36": [0, 2], "c63": [2]},
            "fallen": [0, 1, 2],
            "stars": [2, 2, 5],
            "scores": [1, 2, 5],
        }
    ] == view["rounds"]
    assert ([1, 2, 5], [["c36", "c51", "c63"]], []) == (view["scores"], view["past_crosses"], view["crosses"])


@pytest.mark.parametrize("seats", range(3, 7))
def test_d8_after_round_4_all_stays_on_view_and_the_list_has_four_rounds(seats):
    *_, before, last = match(seats, seats)
    view = STELLA.view(last.state, 0)
    assert ("over", 4, 4, None) == (view["step"], view["round"], len(view["rounds"]), view["scout"])
    told = view["rounds"][3]
    for key in ("word", "flipped", "counts", "dark", "shown", "fallen", "stars"):
        assert told[key] == view[key]
    assert [card["id"] for card in view["grid"]] == told["cards"]
    assert STELLA.view(before.state, 0)["crosses"] == view["crosses"] == view["past_crosses"][3]


@pytest.mark.parametrize("seats", range(3, 7))
def test_d9_crosses_never_shown_stay_secret_also_after_the_match(seats):
    last = match(seats, seats)[-1].state
    public, kept = STELLA.view(last, None), 0
    for number, told in enumerate(public["rounds"]):
        for seat in range(seats):
            own = STELLA.view(last, seat)["past_crosses"][number]
            assert {card for card in own if card in told["shown"]} == {
                card for card, crossed in told["shown"].items() if seat in crossed
            }
            kept += len(set(own) - set(told["shown"]))
    assert kept
    assert not {"crosses", "past_crosses"} & set(public)


# Events.


class Follower(EventFollower):
    def __init__(self, seat):
        self.seat, self.grid, self.rounds, self.past_crosses = seat, [None] * 15, [], []

    def hear_start(self, event):
        self.seats, self.options, self.first = event["seats"], event["options"], event["first"]
        self.scores = [0] * self.seats

    def hear_round(self, event):
        self.round = event["round"]
        for place, card in zip(event["places"], event["cards"], strict=True):
            self.grid[place] = card
        self.words, self.word = event.get("words"), event.get("word")
        self.flipped, self.dark, self.scout = False, None, None
        self.step = "vote" if self.words else "associate"
        self.counts, self.shown, self.fallen, self.crosses = [], {}, [], []
        self.stars, self.sparks = [0] * self.seats, [0] * self.seats

    def hear_vote(self, event):
        self.word, self.flipped, self.step, self.words = event["word"], event["flipped"], "associate", None

    def hear_announce(self, event):
        self.counts, self.dark, self.scout = event["counts"], event["dark"], event["scout"]
        self.crosses, self.step = event.get("crosses"), "show"

    def hear_show(self, event):
        self.shown[event["card"]] = event["crossed"]
        self.stars, self.scout = event["stars"], event["scout"]
        for seat in event["crossed"] if len(event["crossed"]) > 1 else []:
            self.sparks[seat] += seat not in self.fallen

    def hear_fall(self, event):
        self.fallen = sorted([*self.fallen, event["seat"]])

    def hear_score(self, event):
        told = {key: getattr(self, key) for key in ("word", "flipped", "counts", "dark", "shown", "fallen")}
        told |= {"cards": [card["id"] for card in self.grid]}
        self.rounds.append(told | {"stars": event["stars"], "scores": event["scores"]})
        self.past_crosses.append(self.crosses)
        self.scores = [sum(pair) for pair in zip(self.scores, event["scores"], strict=True)]
        self.step = "over"  # unless another round begins

    def view(self):
        keys = "seats options first round step grid word flipped counts dark scout shown fallen stars sparks"
        own = ["seat", "crosses", "past_crosses"] if self.seat is not None else []
        own += ["words"] if self.words else []
        return {key: getattr(self, key) for key in [*keys.split(), "rounds", "scores", *own]}


@pytest.mark.parametrize("seats", range(3, 7))
@pytest.mark.parametrize("seed", range(10))
def test_whoever_follows_the_events_knows_all_that_is_in_the_view(seed, seats):
    match_views(STELLA, match(seed, seats, word_vote=bool(seed % 2)), Follower)


# Imagination.


def crosses_of(state):
    """Return every round with crosses, by its number."""
    rounds = dict(enumerate(state.past, 1))
    if state.crosses:
        rounds[state.number] = state
    return rounds


def unshown(played, seat):
    """Return the crosses of *seat* that no seat has shown in a round."""
    return frozenset(card for card in played.crosses[seat] if card not in played.shown)


def check_crosses(state, seat, worlds):
    for number, played in crosses_of(state).items():
        left = [card for card in played.cards if card not in played.shown]
        for who in range(state.luck.seats):
            truth = unshown(played, who)
            imagined = {unshown(crosses_of(world)[number], who) for world in worlds}
            assert all(len(cards) == len(truth) and cards <= set(left) for cards in imagined)
            open_to_doubt = who != seat and 0 < len(truth) < len(left)
            assert (len(imagined) > 1) == open_to_doubt
            for world in worlds:
                assert crosses_of(world)[number].counts == played.counts
    for world in worlds if state.step == "show" else []:
        ((scout, choice),) = STELLA.choices(world).items()
        assert {card[5:] for card in choice.options} == unshown(world, scout)


@pytest.mark.parametrize("seats", range(3, 7))
@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_each_hidden_cross_each_coming_card_and_each_coming_word_varies_by_itself(seed, seats):
    """What a seat knows is the same in all worlds."""
    rng = Random(seed)
    for played in match(seed, seats)[:: rng.randint(2, 5)]:
        state, seat = played.state, rng.choice([*range(seats), None])
        worlds = [STELLA.imagine(STELLA.view(state, seat), rng) for _ in range(25)]
        check_crosses(state, seat, worlds)
        seen = 15 + 5 * (state.number - 1)
        for world in worlds:
            assert state.order[:seen] == world.order[:seen]
            assert Counter(state.order) == Counter(world.order)
            assert 4 == len(world.words)
        for place in range(seen, len(state.order)):
            assert len({world.order[place] for world in worlds}) > 1
        for number in range(4):
            imagined = {world.words[number] for world in worlds}
            if number < state.number:
                assert {state.words[number]} == imagined
            else:
                assert len(imagined) > 1
                assert not imagined & set(state.words[: state.number])


def test_all_combinations_of_hidden_crosses_are_imagined_about_equally_often():
    state, rng = example()[-1].state, Random(1)
    left = [card for card in state.cards if card not in state.shown]
    view = STELLA.view(state, 1)
    counts = Counter()
    for _ in range(4000):
        world = STELLA.imagine(view, rng)
        counts[unshown(world, 2)] += 1
    assert {frozenset(pair) for pair in combinations(left, 2)} == set(counts)
    assert 20 < min(counts.values()) <= max(counts.values()) < 100


def test_the_crosses_of_different_seats_and_rounds_are_imagined_apart():
    state, rng = example()[-1].state, Random(1)
    worlds = [STELLA.imagine(STELLA.view(state, 1), rng) for _ in range(300)]
    pairs = {(unshown(world, 0), unshown(world, 2)) for world in worlds}
    assert len(pairs) > 250


def test_after_a_reordering_of_the_keys_a_view_brings_the_same_to_mind():
    for seed in range(3):
        for played in match(seed, 3):
            view = STELLA.view(played.state, 0)
            turned = json.loads(json.dumps(view, sort_keys=True))
            world = STELLA.imagine(turned, Random(seed))
            assert STELLA.view(world, 0) == view
            while choices := STELLA.choices(world):
                moves = {seat: choice.sample(Random(seed)) for seat, choice in choices.items()}
                world = STELLA.play(world, moves).state


# Text.


def test_the_text_tells_every_picture_the_word_and_what_came_of_the_cards():
    view = STELLA.view(example()[-1].state, 1)
    told = STELLA.text(view)
    assert "STELLA, round 1 of 4: seat 1 shows one of its crosses." in told
    assert "Word: Captain" in told
    assert "x c06" in told
    assert "Shown, and crossed by seat all: c51; 0: c15\n" in told
    assert "This round, by seat: crosses 4 2 3; to show 2 1 2; stars 2 2 2; sparks 1 1 1\n" in told
    assert "In the dark: seat 0. Fallen: seat 0.\n" in told
    assert "You may show c06\n" in told
    joined = " ".join(told.split())
    for card in view["grid"]:
        assert (card["text"] in joined) != (card["id"] in view["shown"])
        assert ", ".join(card["tags"]) not in joined
    assert "\x1b" not in told


def test_the_text_tells_all_of_every_picture_where_crosses_are_made_and_to_whom_is_not_asked():
    for played in match(2):
        view = STELLA.view(played.state, 1)
        joined = " ".join(STELLA.text(view).split())
        if view["step"] in ("associate", "over") or (view["step"] == "show" and view["scout"] != 1):
            for card in view["grid"]:
                tags = (", " if any(" " in tag for tag in card["tags"]) else " ").join(card["tags"])
                assert f"{card['text']} ({tags})" in joined


def test_the_text_of_a_vote_has_both_words_and_that_of_the_end_all_points():
    matches = match(2)
    start, last = (STELLA.view(played.state, None) for played in (matches[0], matches[-1]))
    assert all(word in STELLA.text(start) for word in start["words"])
    told = STELLA.text(last)
    assert "the match is over" in told
    assert f"Points of the rounds before, by seat: {' '.join(map(str, last['scores']))}\n" in told
    for past in last["rounds"]:
        assert f"stars {' '.join(map(str, past['stars']))}" in told
        for seat, (stars, points) in enumerate(zip(past["stars"], past["scores"], strict=True)):
            assert stars == points or f"points of seat {seat} {points}" in " ".join(told.split())


# The page for authors.

PAGE = (Path(engines.stella.__file__).parent / "README.md").read_text("utf-8")


def test_the_example_on_the_page_for_authors_is_true():
    events, view = (json.loads(block.split("```")[0]) for block in PAGE.split("```json")[1:])
    steps = example()
    assert events == [event.seen_by(1) for step in steps[2:] for event in step.events]
    assert view == STELLA.view(steps[-1].state, 1)


def test_the_deck_on_the_page_for_authors_is_one_card_after_another_to_play_with():
    deck = tomllib.loads(PAGE.split("```toml")[1].split("```")[0])
    with pytest.raises(ValueError, match="expected at least 30 cards in the deck, got: 2"):
        checked_deck(deck)
    pier, crane = deck["cards"]
    whole = deck | {"cards": [pier, *(crane | {"id": f"crane-{n}"} for n in range(2, 31))]}
    deal = STELLA.deal(3, Random(1), {"deck": whole, "word_vote": False})
    assert {"Captain", "Storm", "Debt", "Fog"} == {top for top, _ in deal["words"]}
    views = [STELLA.view(played.state, 0) for played in playout(STELLA, deal, 3, Random(1))]
    assert [pier] == [card for card in views[-1]["options"]["deck"]["cards"] if "image" in card]
    assert {"Captain", "Storm", "Debt", "Fog"} == {view["word"] for view in views}
    assert all(limit in PAGE for limit in ("30 or more", "up to 20,", "1,000", "2,000", "100 characters"))
