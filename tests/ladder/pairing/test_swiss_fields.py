"""A swiss of simulated fields, beside the Dutch system of FIDE."""
# the expected value stands on the left, in every test

from collections import Counter
from fractions import Fraction
from random import Random
from statistics import mean, stdev

import pytest
from support.need import need

from ladder.pairing.pairing import pair_of, pair_round

pytestmark = pytest.mark.tools


@pytest.fixture(autouse=True, scope="module")
def caissify():
    return need("caissify_pairings")


def pair_dutch(scores, histories, round_number, rounds):
    """Return the pairs of the Dutch system: *histories* has opponents, colours and floats."""
    met, colours, floats = histories
    players = [
        {
            "id": 1 + entrant,
            "name": str(entrant),
            "score": float(score),
            "rating": 2800 - entrant,
            "starting_number": 1 + entrant,
            "color_hist": list(colours[entrant]),
            "float_history": list(floats[entrant]),
            "bye_count": 0,
        }
        for entrant, score in scores.items()
    ]
    found = need("caissify_pairings").generate_pairings(
        system="dutch",
        players=players,
        previous_pairings={(1 + one, 1 + other) for one, other in met},
        round_number=round_number,
        total_rounds=rounds,
    )
    return [(pair["white_id"] - 1, pair["black_id"] - 1) for pair in found]


def cost(pairs, scores):
    return sum((scores[one] - scores[other]) ** 2 for one, other in pairs)


def pair_ours(scores, met, luck):
    standing = sorted(scores, key=lambda entrant: -scores[entrant])
    return pair_round(
        standing,
        scores,
        meetings=met,
        authors=[""] * len(scores),
        byes=Counter(),
        sizes=(2,),
        seats=2,
        luck=luck,
    ).tables


@pytest.mark.parametrize("entrants", [8, 12, 20])
def test_rounds_repeat_no_meeting_and_scores_are_as_close_as_in_the_dutch_system(entrants):
    """Both pair the same histories, which are those of the Dutch system; colours do not matter."""
    rounds = (entrants - 1).bit_length() + 2
    for seed in range(3):
        luck = Random(f"{entrants}/{seed}")
        scores = dict.fromkeys(range(entrants), Fraction())
        met: Counter = Counter()
        colours, floats = ({entrant: [] for entrant in scores} for _ in range(2))
        for round_number in range(1, rounds + 1):
            theirs = pair_dutch(scores, (met, colours, floats), round_number, rounds)
            ours = pair_ours(scores, met, luck)
            assert len(theirs) == len(ours) == entrants // 2
            assert not any(met[pair_of(*pair)] for pair in [*theirs, *ours])
            assert cost(ours, scores) <= cost(theirs, scores)
            before = dict(scores)
            for white, black in theirs:
                met[pair_of(white, black)] += 1
                colours[white].append("white")
                colours[black].append("black")
                for one, other in ((white, black), (black, white)):
                    gap = before[one] - before[other]
                    floats[one].append("down" if gap > 0 else "up" if gap < 0 else "none")
                result = luck.choice([0, 1, 2]) if luck.random() < 0.3 else 2 * (white < black)
                scores[white] += Fraction(result, 2)
                scores[black] += Fraction(2 - result, 2)


def spread_of_event(pair, entrants, seed):
    """Play a swiss; return the sum of squared differences of scores, and whether the best have won."""
    luck = Random(f"{entrants}/{seed}")
    scores = dict.fromkeys(range(entrants), Fraction())
    met: Counter = Counter()
    colours, floats = ({entrant: [] for entrant in scores} for _ in range(2))
    total = Fraction()
    rounds = (entrants - 1).bit_length() + 2
    for round_number in range(1, rounds + 1):
        pairs = pair(scores, met, colours, floats, round_number, rounds, luck)
        total += cost(pairs, scores)
        before = dict(scores)
        for one, other in pairs:
            met[pair_of(one, other)] += 1
            colours[one].append("white")
            colours[other].append("black")
            for a, b in ((one, other), (other, one)):
                gap = before[a] - before[b]
                floats[a].append("down" if gap > 0 else "up" if gap < 0 else "none")
            won = Fraction(one < other) if luck.random() < 0.8 else Fraction(luck.randrange(3), 2)
            scores[one] += won
            scores[other] += 1 - won
    assert {1} == set(met.values())
    return total


def test_whole_events_have_about_the_spread_of_those_of_the_dutch_system():
    """Each round is as close as can be, but leads to other rounds; so both are compared by their means."""

    def ours(scores, met, colours, floats, round_number, rounds, luck):
        return pair_ours(scores, met, Random(luck.random()))

    def dutch(scores, met, colours, floats, round_number, rounds, luck):
        luck.random()  # so that both have the same days
        return pair_dutch(scores, (met, colours, floats), round_number, rounds)

    more = [float(spread_of_event(ours, 16, seed) - spread_of_event(dutch, 16, seed)) for seed in range(12)]
    assert mean(more) <= 2 * stdev(more) / len(more) ** 0.5
