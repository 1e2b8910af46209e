"""Stella: everything is somewhere exactly once, and the rules told a second time agree with the engine.

`told` is the rule book once more, with sets and dictionaries and nothing clever.  In random matches at every
table size it must ask the same seats for the same moves as the engine and show the same to all.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.draws import draws
from support.stella_by_name import ByName

from engines import Some, onwards

STELLA = ByName()
IDS = [f"c{number:02}" for number in range(1, 85)]
each_table = pytest.mark.parametrize("seats", range(3, 7))


def dealt(rng, seats, word_vote=True):
    return STELLA.deal(seats, rng, {"word_vote": word_vote})


def alike(rng):
    """Return a policy of seats that often cross the same cards, and often want the other word."""
    most, liked = rng.choice([3, 6, 10]), rng.sample(range(15), 15)

    def policy(state, seat, choice):
        if not isinstance(choice, Some):
            return "flip" if "flip" in choice.options and rng.random() < 0.8 else rng.choice(choice.options)
        number = rng.randint(1, most)
        return rng.sample([choice.options[place] for place in sorted(liked[: number + 3])], number)

    return policy


def play(rng, seats, word_vote=True):
    """Yield the states of a match of those seats."""
    start = STELLA.start(dealt(rng, seats, word_vote), seats).state
    yield start, {}
    for played in onwards(STELLA, start, alike(rng)):
        yield played.state, played.moves


# The census.


def everywhere(state):
    """Return all cards, wherever they are: gone from the grid, on it, or still to come."""
    over = state.past[:-1] if state.step == "over" else state.past
    grids = [*(past.cards for past in over), state.cards]
    gone = [card for one, other in pairwise(grids) for card in one if card not in other]
    dealt = 15 + 5 * (state.number - 1)
    return Counter([*gone, *grids[-1], *state.order[dealt:]])


@each_table
@settings(max_examples=25)
@given(st.integers(0, 10**6), st.booleans())
def test_every_card_is_gone_on_the_grid_or_still_to_come(seats, seed, word_vote):
    for state, _ in play(Random(seed), seats, word_vote):
        assert Counter(IDS) == everywhere(state)
        assert 15 == len({card["id"] for card in STELLA.view(state, None)["grid"]})


@each_table
@draws(5, 25, st.integers(0, 10**6))
def test_every_cross_is_shown_or_hidden_and_every_seat_has_as_many_as_it_announced(seats, seed):
    made = {}
    for state, moves in play(Random(seed), seats):
        if state.step not in ("show", "over"):
            continue
        shown = STELLA.view(state, None)["shown"]
        made = made if shown else moves
        for seat in range(seats):
            own = STELLA.view(state, seat)["crosses"]
            assert len(own) == STELLA.view(state, None)["counts"][seat]
            assert {card for card in own if card in shown} == {c for c, who in shown.items() if seat in who}
            assert state.step == "over" or set(own) == set(made[seat])


@each_table
@settings(max_examples=25)
@given(st.integers(0, 10**6))
def test_every_lantern_is_light_or_dark_and_every_spark_is_on_a_card_with_company(seats, seed):
    for state, _ in play(Random(seed), seats):
        view = STELLA.view(state, None)
        dark = [seat for seat in range(seats) if view["dark"] == seat]
        alone = [seat for seat, count in enumerate(view["counts"]) if view["counts"].count(count) == 1]
        assert dark == [seat for seat in alone if view["counts"][seat] == max(view["counts"])]
        for seat in range(seats):
            shared = [who for who in view["shown"].values() if seat in who and len(who) > 1]
            assert view["sparks"][seat] <= len(shared)
            assert seat in view["fallen"] or view["sparks"][seat] == len(shared)
            assert 2 * view["sparks"][seat] <= view["stars"][seat] <= 3 * view["sparks"][seat]
        assert sorted(view["fallen"]) == sorted(who[0] for who in view["shown"].values() if len(who) == 1)


@each_table
@settings(max_examples=25)
@given(st.integers(0, 10**6))
def test_while_cards_are_shown_there_is_one_scout_who_stands_and_has_a_cross_left(seats, seed):
    shows = Counter()
    for state, _ in play(Random(seed), seats):
        view = STELLA.view(state, None)
        if view["step"] != "show":
            assert view["scout"] is None
            continue
        assert [view["scout"]] == [*STELLA.choices(state)]
        assert view["scout"] not in view["fallen"]
        assert set(STELLA.view(state, view["scout"])["crosses"]) - set(view["shown"])
        shows[view["round"], view["scout"]] += 1
    assert max(shows.values()) <= 10
    assert all(sum(shows[number, seat] for seat in range(seats)) <= 15 for number in range(1, 5))


# The rules a second time.


def told(deal, seats):
    """Tell a match: yield who is asked what, and what all see then; be sent the moves."""
    new, total, rounds, coming = {2: range(10, 15), 3: range(5, 10), 4: range(5)}, [0] * seats, [], 15
    grid = deal["cards"][:15]
    for number in range(1, 5):
        grid = [*grid]
        for place in new.get(number, ()):
            grid[place] = deal["cards"][coming]
            coming += 1
        word, flipped = deal["words"][number - 1][0], False
        table = {"round": number, "grid": grid, "scores": total, "rounds": rounds}
        nothing = {"counts": [], "dark": None, "scout": None, "shown": {}, "fallen": []}
        nothing |= {"stars": [0] * seats, "sparks": [0] * seats}
        if deal["options"]["word_vote"]:
            before = {"step": "vote", "words": deal["words"][number - 1], "word": None, "flipped": False}
            votes = yield {seat: ["keep", "flip"] for seat in range(seats)}, table | nothing | before
            if all(votes[seat] == "flip" for seat in range(seats)):
                word, flipped = deal["words"][number - 1][1], True
        table |= {"word": word, "flipped": flipped}
        crosses = yield dict.fromkeys(range(seats), grid), table | nothing | {"step": "associate"}

        counts = [len(crosses[seat]) for seat in range(seats)]
        leaders = [seat for seat in range(seats) if counts[seat] == max(counts)]
        dark = leaders[0] if len(leaders) == 1 else None
        shown, fallen, slates = {}, set(), [{} for _ in range(seats)]
        scout = (deal["first"] + number - 1) % seats
        while scout is not None:
            seen = {"counts": counts, "dark": dark, "shown": dict(shown), "fallen": sorted(fallen)}
            seen |= {"stars": [sum(slate.values()) for slate in slates], "sparks": [*map(len, slates)]}
            left = [f"show {card}" for card in grid if card in crosses[scout] and card not in shown]
            move = yield {scout: left}, table | seen | {"step": "show", "scout": scout}
            card = move[scout].split()[1]
            shown[card] = [seat for seat in range(seats) if card in crosses[seat]]
            others = [seat for seat in shown[card] if seat != scout]
            if not others:
                fallen.add(scout)
            for seat in [scout, *others]:
                if others and seat not in fallen:
                    slates[seat][card] = 3 if len(others) == 1 else 2
            clockwise = [(scout + step) % seats for step in range(1, seats + 1)]
            standing = [seat for seat in clockwise if seat not in fallen and set(crosses[seat]) - set(shown)]
            scout = standing[0] if standing else None

        stars = [sum(slate.values()) for slate in slates]
        scores = [*stars]
        if dark in fallen:
            scores[dark] = sum(filled - 1 for filled in slates[dark].values())
        total = [before + scored for before, scored in zip(total, scores, strict=True)]
        seen = {"counts": counts, "dark": dark, "shown": shown, "fallen": sorted(fallen), "stars": stars}
        over = {"cards": grid, "word": word, "flipped": flipped, "scores": scores}
        rounds = [*rounds, over | seen]
    seen |= {"sparks": [*map(len, slates)], "scout": None, "scores": total, "rounds": rounds}
    yield {}, table | seen | {"step": "over"}


@each_table
@settings(max_examples=60)
@given(st.integers(0, 10**6), st.booleans())
def test_the_rules_told_plainly_ask_for_the_same_moves_and_show_the_same(seats, seed, word_vote):
    rng = Random(seed)
    deal = dealt(rng, seats, word_vote)
    state, tale, policy = STELLA.start(deal, seats).state, told(deal, seats), alike(rng)
    asked, seen = next(tale)
    while True:
        view, choices = STELLA.view(state, None), STELLA.choices(state)
        view["grid"] = [card["id"] for card in view["grid"]]
        assert seen | {"seats": seats, "options": deal["options"], "first": deal["first"]} == view
        assert asked == {seat: [*choice.options] for seat, choice in choices.items()}
        if not choices:
            break
        moves = {seat: policy(state, seat, choice) for seat, choice in choices.items()}
        state = STELLA.play(state, moves).state
        asked, seen = tale.send(moves)
    points = seen["scores"]
    ranks = [1 + sum(other > own for other in points) for own in points]
    assert (points, ranks) == ([*STELLA.outcome(state).scores], [*STELLA.outcome(state).ranks])
