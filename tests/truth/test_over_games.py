"""Whether intervals over all games hold, in ladders whose skills are known."""

from random import Random

import pytest
from support.skill_worlds import bots_named
from support.worlds import World, draw_ladder, scale_count

from results.rating.calibration import MeetingModel
from results.rating.fit import fit
from results.rating.rated import Rated
from results.reports.all_games import all_games
from results.reports.leaderboard import GameBoard


def draw_game(game, world, matches, rng):
    """Return the leaderboard of a drawn ladder, and how often each bot is truly before another."""
    ladder = draw_ladder(world, matches, rng)
    known, model, skills = fit(ladder.counts, world.parameters), MeetingModel(world.parameters), ladder.skills
    rated = Rated(game, world.parameters, known, {}, {world.seats: ladder.counts.matches})

    def beats(one, other):
        win, draw, _ = model.chances(skills[one] - skills[other], 0.0, world.seats)
        return win + draw / 2

    bots = bots_named(world.bots)
    true = {bot: sum(beats(bot, other) for other in bots if other != bot) / (len(bots) - 1) for bot in bots}
    return GameBoard(rated), true


@pytest.mark.slow
@pytest.mark.parametrize(
    ("worlds", "matches"),
    [
        ([World(4.0, bots=5), World(8.0, bots=5)], (20, 20)),
        ([World(3.0, bots=6), World(6.0, bots=6), World(4.0, bots=6, seats=3)], (20, 80, 40)),
        ([World(2.0, bots=8, seats=s) for s in (2, 3, 4, 2)], (40, 200, 40, 400)),
        ([World(4.0, bots=6, of_deal=0.5), World(25 / 3, bots=6)], (200, 30)),
    ],
)
def test_intervals_over_all_games_hold(worlds, matches):
    rng, held, ladders = Random(len(worlds) * 1000 + matches[0]), [], scale_count(20, 1_000)
    for _ in range(ladders):
        games = [draw_game(f"g{i}", *each, rng) for i, each in enumerate(zip(worlds, matches, strict=True))]
        for row in all_games([board for board, _ in games]):
            truth = sum(true[row["bot"], row["version"]] for _, true in games) / len(games)
            held.append(row["beats_low"] <= truth <= row["beats_high"])
    noise = 3 * (0.05 * 0.95 / ladders) ** 0.5  # bots of one ladder hardly help each other
    assert 0.93 - noise < sum(held) / len(held) < 0.97 + noise
