"""`--until cost=USD` and `tokens=N`: what bots say that they spend."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, ClassVar

from ladder.run.option import dollars, whole
from ladder.run.until.rule import EndedRun, RatedBlocks, StoppingRule, Words
from results.words import count, money

if TYPE_CHECKING:  # the help of a command loads all rules
    from results.record import Usage

NANO = 1_000_000_000
"""Money is counted in whole nanodollars: their sum is the same in any order."""


class Budget(StoppingRule, ABC):
    """End the run when at least two bots report what they spend, and all of those have spent their shares.

    The shares are equal.  A bot that has said more than its share is left out from the next block on, in the
    order of the blocks, so none can end a run alone.
    """

    unit: ClassVar[int] = 1
    """The units of `count` in one dollar, or in one token."""

    def __init__(self, most: float) -> None:
        self._units = most * self.unit
        self._spent: Counter[tuple[str, str]] = Counter()
        self._gone: dict[tuple[str, str], int] = {}
        self._news: list[Words] = []

    @abstractmethod
    def count(self, usage: Usage) -> int:
        """Return what *usage* takes from the budget, in whole units."""

    @abstractmethod
    def spell(self, units: float) -> str:
        """Return a number of units in words."""

    def hear(self, rated: RatedBlocks) -> None:
        for block, usages in groupby(rated.usages(), itemgetter(0)):
            if self.end is not None:
                return
            for _, bot, usage in usages:
                if usage is not None and (units := self.count(usage)):
                    self._spent[bot] += units
            self._judge(block + 1)

    def _judge(self, end: int) -> None:
        """Leave out, from block *end* on, who has spent its share by then; end the run if all have."""
        share = self._units / max(1, len(self._spent))
        for bot, spent in self._spent.items():
            if spent > share and bot not in self._gone:
                self._gone[bot] = end
                name = "@".join(bot)
                self._news.append(
                    Words(
                        f"{name} plays no more in this run: it spent {self.spell(spent)}, and its share of"
                        f" --until {self.name} is {self.spell(share)}",
                        f"ladder bots {name}",
                    )
                )
        if len(self._gone) == len(self._spent) > 1:
            self.end = end

    @property
    def gone(self) -> Mapping[tuple[str, str], int]:
        return self._gone

    def take_news(self) -> list[Words]:
        news, self._news = self._news, []
        return news

    def sum_up(self, ended: EndedRun) -> Words | None:
        """Say what was spent, also where that has not ended the run."""
        total = f"{self.spell(self._spent.total())} of {self.spell(self._units)}, as bots report"
        if ended.by is self:
            return Words(f"spent: {total}; run {ended.name} ends after {count(ended.status.done, 'match')}")
        return Words(f"spent: {total}")


class MaxCost(Budget):
    """End the run when *most* US dollars are spent."""

    name: ClassVar[str] = "cost"
    form: ClassVar[str] = "cost=USD"
    example: ClassVar[str] = "cost=5"
    help: ClassVar[str] = (
        "once bots report having spent USD dollars; the budget is shared equally, and a bot that uses up its"
        " share drops out"
    )
    takes = dollars
    unit = NANO

    def count(self, usage: Usage) -> int:
        return round((usage.cost_usd or 0) * NANO)

    def spell(self, units: float) -> str:
        return f"${money(units / NANO)}"


class MaxTokens(Budget):
    """End the run when *most* tokens are used, in and out."""

    name: ClassVar[str] = "tokens"
    form: ClassVar[str] = "tokens=N"
    example: ClassVar[str] = "tokens=2M"
    help: ClassVar[str] = "like cost, for tokens (input plus output)"
    takes = whole(1)

    def count(self, usage: Usage) -> int:
        return (usage.input_tokens or 0) + (usage.output_tokens or 0)

    def spell(self, units: float) -> str:
        return count(round(units), "token")
