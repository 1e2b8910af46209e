"""Choose which values are hidden in what bots write: those of the variables that are passed to them."""

from collections.abc import Collection, Iterable, Mapping
from random import Random

from engines import GAMES
from engines.playout import playout
from ladder.machine.plugged_in import name_game
from ladder.process.masks import LEAST, Masks, is_short_number
from ladder.registry.version import Version
from results.record import Contest

SAMPLES = 16
"""How many random matches of a contest show what its options look like."""


def masks_for(
    passed: Iterable[Mapping[str, str]], bots: Collection[Version], contests: Iterable[Contest]
) -> Masks:
    """Return what hides the values of *passed* in all that *bots* write in matches of *contests*.

    Bots that are not confined can read each other's variables, so each value is hidden for all bots.
    """
    values = {value for each in passed for value in each.values() if len(value) >= LEAST}
    shown = why_shown(values, bots, contests)
    return Masks(values - shown.keys())


def why_shown(values: Iterable[str], bots: Iterable[Version], contests: Iterable[Contest]) -> dict[str, str]:
    """Return, for those of *values* that are long enough but not hidden, why: matches are full of them."""
    secret = {value for value in values if len(value) >= LEAST}
    why = {value: "a number of fewer than 12 digits" for value in secret if is_short_number(value)}
    names = {name for bot in bots for name in (bot.bot, bot.id)} | GAMES.keys()
    why |= dict.fromkeys(secret & names, "a name")
    if secret - why.keys():
        why |= dict.fromkeys(secret & _options(contests), "an option")
    return why


def _options(contests: Iterable[Contest]) -> set[str]:
    """Return the options of random matches of *contests*, and the names and values of their rule options."""
    seen: set[str] = set()
    for contest in contests:
        game, rng = GAMES[contest.game], Random(0)
        seen |= contest.options.keys()
        seen |= {value for value in contest.options.values() if isinstance(value, str)}
        with name_game(contest.game):
            for _ in range(SAMPLES):
                deal = game.deal(contest.seats, rng, contest.options)
                for step in playout(game, deal, contest.seats, rng):
                    for choice in game.choices(step.state).values():
                        seen.update(choice.options)
    return seen
