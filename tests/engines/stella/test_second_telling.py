"""Stella: the rules told a second time agree with the engine.

`told` is the rule book once more, with sets and dictionaries and nothing clever.  In random matches at every
table size it must ask the same seats for the same moves as the engine and show the same to all.
"""

from random import Random

import pytest
from hypothesis import strategies as st
from support.draws import draws
from support.told import by_name

from engines import Some, onwards
from engines.stella import Stella

STELLA = by_name(Stella)()
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
@draws(6, 60, st.integers(0, 10**6), st.booleans())
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
