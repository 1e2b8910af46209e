"""The persons whose bots play: with `[run] one_bot_a_person`, no two bots of one meet."""

from collections.abc import Collection, Iterable, Sequence

from ladder.registry.roster import Roster
from ladder.registry.version import Version


class Persons:
    """Knows which bots of a run, by their index, are of one person; all others are of a person each."""

    def __init__(self, groups: Iterable[Sequence[int]] = ()) -> None:
        """Take the bots of each person who has several."""
        self._first = {bot: group[0] for group in groups for bot in group}

    def count(self, bots: Iterable[int]) -> int:
        """Return of how many persons *bots* are."""
        return len({self._first.get(bot, bot) for bot in bots})

    def may_meet(self, bots: Collection[int]) -> bool:
        """Return whether no two of *bots* are of one person."""
        return not self._first or self.count(bots) == len(bots)


NO_PERSONS = Persons()
"""All bots may meet."""


def find_persons(roster: Roster, bots: Sequence[Version]) -> tuple[tuple[int, ...], ...]:
    """Return the places in *bots* of those of each person who has several.

    A bot is the person's in whose folder of an inbox it was handed in, or else its author's.  A house bot,
    and a bot without both, is nobody's.
    """
    persons = roster.persons()
    found: dict[tuple[bool, str], list[int]] = {}
    for index, bot in enumerate(bots):
        who = persons.get(bot.bot, bot.manifest.author)
        if who and not bot.of_house:
            found.setdefault((bot.bot in persons, who), []).append(index)
    return tuple(tuple(group) for group in found.values() if group[1:])
