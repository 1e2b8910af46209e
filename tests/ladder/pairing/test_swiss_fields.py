"""A swiss of simulated fields, beside the Dutch system of FIDE."""
# the expected value stands on the left, in every test

from collections import Counter
from fractions import Fraction
from random import Random
from statistics import mean, stdev

import pytest
from support.need import need

from ladder.pairing.pairing import UnpairedRound, pair_of, pair_round

pytestmark = pytest.mark.tools


@pytest.fixture(autouse=True, scope="module")
def caissify():
    return need("caissify_pairings")


class Field:
    """A swiss: scores, who has met, and the colours and floats of the Dutch system."""

    def __init__(self, entrants):
        self.scores = dict.fromkeys(range(entrants), Fraction())
        self.met: Counter = Counter()
        self.colours, self.floats = ({entrant: [] for entrant in self.scores} for _ in range(2))
        self.rounds = (entrants - 1).bit_length() + 2

    def pair_dutch(self, round_number):
        """Return the pairs of the Dutch system."""
        players = [
            {
                "id": 1 + entrant,
                "name": str(entrant),
                "score": float(score),
                "rating": 2800 - entrant,
                "starting_number": 1 + entrant,
                "color_hist": list(self.colours[entrant]),
                "float_history": list(self.floats[entrant]),
                "bye_count": 0,
            }
            for entrant, score in self.scores.items()
        ]
        found = need("caissify_pairings").generate_pairings(
            system="dutch",
            players=players,
            previous_pairings={(1 + one, 1 + other) for one, other in self.met},
            round_number=round_number,
            total_rounds=self.rounds,
        )
        return [(pair["white_id"] - 1, pair["black_id"] - 1) for pair in found]

    def pair_ours(self, luck):
        standing, authors = (
            sorted(self.scores, key=lambda entrant: -self.scores[entrant]),
            [""] * len(self.scores),
        )
        asked = UnpairedRound(standing, self.scores, self.met, authors, Counter(), (2,), 2, luck)
        return pair_round(asked).tables

    def cost(self, pairs):
        return sum((self.scores[one] - self.scores[other]) ** 2 for one, other in pairs)

    def play(self, pairs, draw_score):
        """Play a round; *draw_score* draws the score of the first of a pair."""
        before = dict(self.scores)
        for white, black in pairs:
            self.met[pair_of(white, black)] += 1
            self.colours[white].append("white")
            self.colours[black].append("black")
            for one, other in ((white, black), (black, white)):
                gap = before[one] - before[other]
                self.floats[one].append("down" if gap > 0 else "up" if gap < 0 else "none")
            score = draw_score(white, black)
            self.scores[white] += score
            self.scores[black] += 1 - score


def by_seed(luck, part):
    """Return what draws scores: any result in *part* of the games, else the better seed wins."""
    return lambda one, other: (
        Fraction(luck.randrange(3), 2) if luck.random() < part else Fraction(one < other)
    )


@pytest.mark.parametrize("entrants", [8, 12, 20])
def test_rounds_repeat_no_meeting_and_scores_are_as_close_as_in_the_dutch_system(entrants):
    """Both pair the same histories, which are those of the Dutch system; colours do not matter."""
    for seed in range(3):
        luck, field = Random(f"{entrants}/{seed}"), Field(entrants)
        for round_number in range(1, field.rounds + 1):
            theirs, ours = field.pair_dutch(round_number), field.pair_ours(luck)
            assert len(theirs) == len(ours) == entrants // 2
            assert not any(field.met[pair_of(*pair)] for pair in [*theirs, *ours])
            assert field.cost(ours) <= field.cost(theirs)
            field.play(theirs, by_seed(luck, 0.3))


def spread_of_event(dutch, entrants, seed):
    """Play a swiss, by the Dutch system or ours; return the sum of squared differences of scores."""
    luck, field, total = Random(f"{entrants}/{seed}"), Field(entrants), Fraction()
    for round_number in range(1, field.rounds + 1):
        day = luck.random()  # drawn for both, so that both have the same days
        pairs = field.pair_dutch(round_number) if dutch else field.pair_ours(Random(day))
        total += field.cost(pairs)
        field.play(pairs, by_seed(luck, 0.2))
    assert {1} == set(field.met.values())
    return total


def test_whole_events_have_about_the_spread_of_those_of_the_dutch_system():
    """Each round is as close as can be, but leads to other rounds; so both are compared by their means."""
    more = [float(spread_of_event(False, 16, seed) - spread_of_event(True, 16, seed)) for seed in range(12)]
    assert mean(more) <= 2 * stdev(more) / len(more) ** 0.5
