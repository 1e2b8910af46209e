"""What a stopping rule must say, and what it is told."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from ladder.errors import UsageProblem

if TYPE_CHECKING:
    from ladder.run.belief import Belief
    from ladder.run.status import Status
    from results.storage.finishes import Ending, Finish, ReportedUsage


class RatedBlocks(NamedTuple):
    """The next blocks of a run that are rated, in number order."""

    end: int
    """The number of the first block after them."""
    matches: int
    """How many of their matches stand."""
    endings: Sequence[Ending]
    """How each of these matches ended for each of its bots."""
    rows: Callable[[], Iterable[Finish]]
    """Returns more of the same: ranks and luck.  It takes longer."""
    usages: Callable[[], Iterable[ReportedUsage]] = tuple
    """Returns what each bot said that each match cost, in the order of the blocks; for a rule that asks."""


class EndedRun(NamedTuple):
    """A run that has ended, as a rule speaks of it."""

    name: int | str
    """Its number, or the name of its unrated store."""
    status: Status
    by: StoppingRule | None
    """The rule that has ended it; None if its schedule or the clock has."""


class Words(NamedTuple):
    """A sentence for the operator, and what to type next."""

    text: str
    hint: str = ""


class StoppingRule:
    """A reason to end a run before the last block of its schedule.

    A rule begins with the run.  It hears all results once more when the run is continued, so nothing of it is
    stored.  A rule of its own overrides the methods that it needs: none of these ends a run.
    """

    name: ClassVar[str] = ""
    """What `--until` calls it; empty for a rule that it does not name."""
    form: ClassVar[str] = ""
    """How it is typed, such as NAME=N; empty: by its name alone."""
    example: ClassVar[str] = ""
    """How it may be typed; empty: by its name alone."""
    help: ClassVar[str] = ""
    """When it ends a run, for the help of `--until`: the end of a sentence."""
    takes: ClassVar[Callable[[str], float] | None] = None
    """Reads the value that it is made of, and raises ValueError; None: it takes none."""
    judges_epochs: ClassVar[bool] = False
    """Whether it looks at what is believed at the end of an epoch.

    Then the run plans by its ratings, and all of its bots must meet.
    """
    end: int | None = None
    """The number of the block before which the run ends, by the results so far; None to go on.

    It must follow from the results alone, not from when it is asked: then a run ends at the same match with
    any number of workers, and wherever it was stopped and continued.
    """

    @classmethod
    def read(cls, value: str) -> StoppingRule:
        """Return the rule of `--until NAME=VALUE`; *value* is empty without one.  Raises UsageProblem."""
        make: Callable[..., StoppingRule] = cls
        if cls.takes is None:
            if value:
                raise UsageProblem(
                    f"--until: {cls.name} takes no value, got: {value!r}", f"--until {cls.name}"
                )
            return make()
        try:
            return make(cls.takes(value))
        except ValueError as error:
            raise UsageProblem(f"--until: {cls.name}: {error}", f"--until {cls.example}") from None

    def hear(self, rated: RatedBlocks) -> None:
        """Take the next results.  They come in number order, however they were played."""

    @property
    def closed(self) -> Collection[int]:
        """The contests, by their index, that need no more blocks by the results so far.

        It must follow from the results alone as well.  The schedule heeds it from two epochs later on.
        """
        return ()

    @property
    def gone(self) -> Mapping[tuple[str, str], int]:
        """The bots that the run goes on without by the results so far, with their first block without them.

        The blocks from that one on count as void, also where they were played.  It must follow from the
        results alone as well.
        """
        return {}

    def take_news(self) -> list[Words]:
        """Return what the operator should know since the last call."""
        return []

    def is_settled(self, belief: Belief, held: Collection[int]) -> bool:
        """Return whether *belief*, which is new, says enough to end the run with the epochs planned by then.

        *held* are the bots of the run that are suspended or on probation.  The answer is stored with the
        plan, since it rests on fits: another machine need not repeat them to continue the run.
        """
        return False

    def halts(self, status: Status) -> bool:
        """Return whether nothing more is handed out at *status*: by the clock, unlike the other rules."""
        return False

    def sum_up(self, ended: EndedRun) -> Words | None:
        """Return what to say of this rule when a run has ended, whatever has ended it."""
        return None


class FirstOf(StoppingRule):
    """The rule of a run that has several: the first that is met ends it."""

    def __init__(self, *rules: StoppingRule) -> None:
        self.by: StoppingRule | None = None
        """The rule that has ended the run, if one has."""
        self._rules = rules
        self._settled: StoppingRule | None = None

    def hear(self, rated: RatedBlocks) -> None:
        for rule in self._rules:
            rule.hear(rated)
        if self.by is None:
            met = [(end, i) for i, rule in enumerate(self._rules) if (end := rule.end) is not None]
            if met:
                self.end, first = min(met)
                self.by = self._rules[first]

    @property
    def closed(self) -> Collection[int]:
        return {contest for rule in self._rules for contest in rule.closed}

    @property
    def gone(self) -> Mapping[tuple[str, str], int]:
        """The bots that one of the rules leaves out, from the earliest block on."""
        found: dict[tuple[str, str], int] = {}
        for rule in self._rules:
            for bot, first in rule.gone.items():
                found[bot] = min(first, found.get(bot, first))
        return found

    def take_news(self) -> list[Words]:
        return [words for rule in self._rules for words in rule.take_news()]

    def is_settled(self, belief: Belief, held: Collection[int]) -> bool:
        self._settled = next((rule for rule in self._rules if rule.is_settled(belief, held)), None)
        return self._settled is not None

    def settle(self) -> None:
        """Record that a rule which judges epochs has ended the run, now or before it was continued."""
        # The plan keeps that the run was ended, not by which rule; `--until` names one at most.
        judges = self._settled or next((rule for rule in self._rules if rule.judges_epochs), None)
        self.by = self.by or judges

    def halts(self, status: Status) -> bool:
        return any(rule.halts(status) for rule in self._rules)

    def all_words(self, name: int | str, status: Status) -> list[Words]:
        """Return what the rules say of the run called *name*, which has ended."""
        ended = EndedRun(name, status, self.by)
        return [words for rule in self._rules if (words := rule.sum_up(ended))]
