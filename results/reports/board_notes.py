"""What the table of a leaderboard cannot say: notes, the weightiest first, one a cause.

Under a table stand at most `MOST` of them.  What follows from another note is left out: where all matches
ended by a fault, for example, nothing is said of the order.  Each fits two lines of `WIDTH` characters,
unless the names of a cycle are long.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import pairwise
from math import sqrt
from typing import TYPE_CHECKING

from results.rating.changes import BotChange, MachineGap
from results.reports.document import Audience, Note
from results.reports.doubts import (
    are_on_board,
    bots_without_order,
    clip,
    find_bounds,
    is_all_drawn,
    say_few_matches,
)
from results.reports.labels import Numbers, hint_on, labels
from results.words import count

if TYPE_CHECKING:
    from results.rating.misfit import Misfit, SizeGap
    from results.rating.outcomes import Bot
    from results.reports.leaderboard import GameBoard

MOST = 2
"""The most notes under a table."""
WIDTH = 80
NEIGHBOURS_NAMED = 8
"""The most neighbours that are not told apart whose places a note names."""
SURE_DRAWS = 4.0
"""A set draw probability is contradicted from this many standard errors on..."""
STEP_OF_DRAWS = 0.2
"""...if it is off by this share of itself as well."""
BLOCKS_FOR_NOTE = 200
"""With at least this many blocks, a note says what a block is worth..."""
STEP_OF_WORTH = 0.05
"""...if it is not worth its matches by this share..."""
SURE_OF_WORTH = 2.6
"""...and by this many standard errors: chance alone brings the note in 1 % of all games."""
FITS = ((4, 64), (3, 24), (2, 20), (1, 20))
"""How many things a note names, and with how many characters, until it fits: the first way that does.

The last one is taken however long it is, so that no short name is ever cut.
"""


def board_notes(
    board: GameBoard,
    numbers: Numbers,
    *,
    past_season: str = "",
    audience: Audience = "operator",
    first: Iterable[Note] = (),
    others: Iterable[Note] = (),
) -> list[Note]:
    """Return what the table of *board* does not say, in the order of weight.

    Some may stand *first*, and *others* come in their place.  What bounds mean is always among the first.

    In a *past_season*, by its name, nothing can be played: commands that would add matches are left out.
    Machines are named to the operator alone.
    """
    notes = _Notes(board, numbers, past_season)
    found = [*first, *notes.choose(audience, others)]
    if notes.bounds in found[MOST:]:
        found.remove(notes.bounds)
        found.insert(MOST - 1, notes.bounds)
    return found


def fit_note(say: Callable[[int, int], str]) -> str:
    """Return what *say* says with as many names, and as much of them, as two lines have room for."""
    text = ""
    for most, width in FITS:
        text = say(most, width)
        if len(textwrap.wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False)) <= 2:
            break
    return text


def list_some(names: Sequence[str], most: int, width: int) -> str:
    """Return at most so many of *names* in a list, and the number of the others."""
    more = f" and {len(names) - most:,} more" if names[most:] else ""
    return ", ".join(clip(name, width) for name in names[:most]) + more


@dataclass(frozen=True)
class _Notes:
    """Makes the notes of one board."""

    board: GameBoard
    numbers: Numbers
    past_season: str

    def choose(self, audience: Audience, others: Iterable[Note]) -> Iterator[Note]:
        """Yield the notes; of those that have one cause, the first."""
        if newer := self.board.rated.behind:
            yield Note(f"not rated yet: {count(newer, 'newer match')} of all games", "ladder home rate")
        if nothing := self._nothing_told():
            yield nothing
            return
        yield from self._picture()
        yield from self._uneven(audience)
        if self.bounds:
            yield self.bounds
        yield from self._hardly_met()
        yield from self._order()
        yield from others
        yield from self._set_draws()
        yield from self._worth()
        if len(self.board.fit.bots) == 2:
            yield Note("only two bots have met: the ratings say nothing of how they do against others")

    @cached_property
    def _names(self) -> list[str]:
        """The labels of bots by index; "" for those that are not on the board."""
        shown = [self.board.fit.bots[i] for i in self.board.by_rating]
        label = labels(shown, self.numbers)
        return [label.get(bot, "") for bot in self.board.fit.bots]

    def _play(self, verb: str, pair: Sequence[int]) -> str:
        """Return the command that lets a *pair* of bots play; empty if one of them is not here."""
        if self.past_season:
            return ""
        first, second = (self._names[i] for i in pair)
        command = f"ladder {verb} {first} {second} --game {self.board.game}"
        return hint_on(command, [self.board.fit.bots[i] for i in pair], self.numbers)

    def _see(self, command: str) -> str:
        """Return a *command* that shows more of the same matches."""
        season = f" --season {self.past_season}" if self.past_season else ""
        return f"{command.format(self.board.game)}{season}"

    def _nothing_told(self) -> Note | None:
        """Say why the matches tell nothing of who plays better, if they do not."""
        rated = self.board.rated
        standings = [rated.standings[bot] for bot in self.board.fit.bots]
        faults = sum(sum(each.faults.values()) for each in standings)
        # A game of one's own may have no points, so that none were scored says nothing alone.
        if not any(each.scored for each in standings) and faults >= sum(rated.tables.values()):
            what = "every match ended by a fault: the ratings say which bots fail, not which play better"
            return Note(what, "ladder faults")
        if is_all_drawn(self.board):
            return Note("every match ended in a draw, so nothing tells the bots apart")
        if len(standings) == 1:
            return Note("only one bot has played, so there is nothing to compare it with")
        return None

    # -- one rating a bot

    def _picture(self) -> Iterator[Note]:
        """Yield why one rating a bot is the wrong picture: table sizes, and a cycle or else a misfit."""
        rated = self.board.rated
        if gaps := [gap for gap in rated.size_gaps if are_on_board(self.board, (gap.above, gap.below))]:
            yield Note(
                fit_note(lambda _, width: self._on_sizes(gaps, width)),
                self._see("ladder leaderboard --game {} --seats N"),
            )
        misfit = rated.misfit
        if misfit and misfit.is_wrong and are_on_board(self.board, self._misfitting):
            yield Note(
                fit_note(lambda _, width: self._on_misfit(misfit, width)),
                self._see("ladder matrix --game {}"),
            )

    @cached_property
    def _misfitting(self) -> Sequence[Bot]:
        """The bots of the cycle, or of the pair, that shows that one rating a bot is the wrong picture."""
        misfit = self.board.rated.misfit
        if misfit and misfit.cycle:
            return misfit.cycle.bots
        return misfit.worst[:2] if misfit and misfit.is_large and misfit.worst else ()

    def _on_sizes(self, gaps: Sequence[SizeGap], width: int) -> str:
        gap = gaps[0]
        above, below = self._label((gap.above, gap.below), width)
        more = f", and {count(len(gaps) - 1, 'more pair')}" if gaps[1:] else ""
        return (
            f"ratings differ by table size: {above} is above {below} by {gap.difference:.1f} at {gap.seats}"
            f" seats, and below by {gap.reverse:.1f} at {gap.other}{more}"
        )

    def _on_misfit(self, found: Misfit, width: int) -> str:
        if found.cycle:
            names = self._label(found.cycle.bots, width)
            steps = zip(names, (*names[1:], names[0]), found.cycle.scores, strict=True)
            beats = [f"{bot} beats {rival} ({100 * score:.0f} %)" for bot, rival, score in steps]
            return f"a cycle, so one rating a bot is the wrong picture: {', '.join(beats)}"
        said = f"one rating a bot is the wrong picture: results lie {100 * found.misfit:.1f} of 100 off"
        if not (pair := found.worst):
            return said
        bot, rival = self._label((pair.a, pair.b), width)
        happened, expected = 100 * pair.happened, 100 * pair.said
        return (
            f"{said}; {bot} won {happened:.0f} % of {pair.meetings:,} against {rival}, not {expected:.0f} %"
        )

    def _label(self, bots: Sequence[Bot], width: int) -> list[str]:
        label = labels(bots, self.numbers)
        return [clip(label[bot], width) for bot in bots]

    def _uneven(self, audience: Audience) -> Iterator[Note]:
        """Name the bot that changes most, and the one that plays most otherwise on one machine.

        A bot that met others at other times seems to change where one rating is the wrong picture of it, and
        one that changes seems to depend on its machines: each is told of for one reason, the surest.
        """
        rated = self.board.rated
        gaps = rated.machine_gaps if audience == "operator" else ()
        found: list[BotChange | MachineGap] = [*rated.changes, *gaps]
        surest: dict[Bot, BotChange | MachineGap] = {}
        for each in sorted(found, key=lambda each: -abs(each.z)):
            if are_on_board(self.board, (each.bot,)) and each.bot not in self._misfitting:
                surest.setdefault(each.bot, each)
        for kind in (BotChange, MachineGap):
            if named := [each for each in surest.values() if isinstance(each, kind)]:
                yield Note(fit_note(partial(self._on_parts, named)))

    def _on_parts(self, named: Sequence[BotChange | MachineGap], _: int, width: int) -> str:
        """Say how the first of *named* plays in two parts of its matches, beside its rating."""
        found = named[0]
        if isinstance(found, BotChange):
            when, first, second, elsewhere = "all the time", found.first, found.second, "later"
            sizes = "" if {*found.sizes} == {*self.board.rated.tables} else ", ".join(map(str, found.sizes))
            where = f"in its first {count(found.matches, 'match')}{sizes and f' at {sizes} seats'}"
        else:
            when, first, second, elsewhere = "on all machines", found.there, found.elsewhere, "elsewhere"
            where = f"on {found.machine}"
        (who,) = self._label((found.bot,), width)
        more = f"; and {len(named) - 1:,} more" if named[1:] else ""
        return (
            f"not the same {when}: {who} wins {_wins(first)} than its rating says {where},"
            f" {_wins(second)} {elsewhere}{more}"
        )

    # -- the order

    @cached_property
    def bounds(self) -> Note | None:
        """Why ratings have one end only, if any has."""
        say = find_bounds(self.board, self._names)
        return Note(fit_note(say)) if say else None

    def _hardly_met(self) -> Iterator[Note]:
        """Say which bots were never compared, directly or by way of others, or in few blocks only."""
        groups = [sorted(group, key=lambda i: self._names[i]) for group in self.board.groups]
        if groups[1:]:
            what = f"{len(groups)} groups of bots never met each other, so which is better is not known: "
            more = " / ..." if groups[2:] else ""
            yield Note(
                fit_note(lambda most, width: f"{what}{self._sides(groups[:2], most, width)}{more}"),
                self._play("run", [groups[0][0], groups[1][0]]),
            )
        elif self._thin_join:
            one, other, blocks = self._thin_join
            said = (
                f"these {len(one)} and these {len(other)} met in {count(blocks, 'block')} only, so the"
                " difference between them is hardly known: "
            )
            yield Note(
                fit_note(lambda most, width: f"{said}{self._sides((one, other), most, width)}"),
                self._play("run", [one[0], other[0]]),
            )

    @cached_property
    def _thin_join(self) -> tuple[list[int], list[int], int] | None:
        """Two parts of the board that met in few blocks only, by name, and how many these are."""
        for join in self.board.fit.thin_joins:
            one, other = (
                sorted([i for i in part if self._names[i]], key=lambda i: self._names[i])
                for part in (join.one, join.other)
            )
            if one and other:
                return one, other, join.blocks
        return None

    def _sides(self, groups: Sequence[Sequence[int]], most: int, width: int) -> str:
        return " / ".join(list_some([self._names[i] for i in group], most, width) for group in groups)

    def _order(self) -> Iterator[Note]:
        """Say where differences are exaggerated, or else where neighbours may stand the other way round."""
        if few := say_few_matches(self.board):
            yield Note(few, "" if self.past_season else f"ladder run --game {self.board.game}")
        elif not self.board.groups[1:]:  # each group has places of its own
            yield from self._open_neighbours()

    def _open_neighbours(self) -> Iterator[Note]:
        """Say between which places neighbours are open, where no other note says why."""
        board, join, alike = self.board, self._thin_join, bots_without_order(self.board)
        places: list[list[int]] = []
        unsure = []
        for place, pair in enumerate(pairwise(board.ranked), 1):
            if not board.are_compared(*pair) or not board.is_open(*pair):
                continue
            is_across = join and not any({*pair}.isdisjoint(side) for side in join[:2])
            if is_across or alike.issuperset(board.fit.bots[i] for i in pair):
                continue
            unsure.append(pair)
            if places and places[-1][1] == place:
                places[-1][1] += 1
            else:
                places.append([place, place + 1])
        if not unsure:
            return
        *most, last = (f"{first}-{last}" for first, last in places)
        which = f"places {' and '.join([', '.join(most), last] if most else [last])} are"
        if len(unsure) > NEIGHBOURS_NAMED:
            which = f"{len(unsure):,} pairs of neighbours are"
        yield Note(f"{which} not separated yet", self._play("duel", unsure[0]))

    # -- what the ratings rest on

    def _set_draws(self) -> Iterator[Note]:
        """Say where `ladder.toml` sets a draw probability that the matches contradict."""
        rated = self.board.rated
        told, fixed = rated.parameters.draw_probability, rated.parameters.fixed
        found = []
        for seats, measured in sorted(rated.measured.items()):
            chance = told[seats]
            error = (
                SURE_DRAWS * sqrt(chance * (1 - chance) / rated.tables[seats]) if seats in rated.tables else 1
            )
            if fixed & {0, seats} and abs(measured - chance) > max(error, STEP_OF_DRAWS * chance):
                found.append(f"{100 * chance:.3g} % at {seats} seats (measured: {100 * measured:.3g} %)")
        if found:
            what = "the ratings rest on the draw_probability in ladder.toml, and the matches show another: "
            yield Note(fit_note(lambda most, _: f"{what}{list_some(found, most, WIDTH)}"))

    def _worth(self) -> Iterator[Note]:
        """Say what a block is worth where it is surely not worth its matches.

        Where a bot changes, the matches of a block are alike because they are played at one time, and
        nothing is said: the deal is not the reason.
        """
        found = [
            f"{each.seats} matches of a deal tell as much as {each.seats / each.factor:.1f} of different ones"
            for each in self.board.fit.block_factors
            if not self.board.rated.changes
            and each.blocks >= BLOCKS_FOR_NOTE
            # The factor is 1 plus a correlation, whose standard error is 1 / sqrt(n) at most.
            and abs(each.factor - 1) > max(STEP_OF_WORTH, SURE_OF_WORTH / sqrt(each.blocks))
        ]
        if found:
            yield Note(fit_note(lambda most, _: list_some(found, most, WIDTH)))


def _wins(excess: float) -> str:
    """Return a score less the expected one in wins of 100."""
    return f"{100 * abs(excess):.0f} of 100 {'fewer' if excess < 0 else 'more'}"
