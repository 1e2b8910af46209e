"""The options of a run, which `ladder run` and `ladder.play` share, and the request for one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from ladder.machine.cores import Pin
from ladder.run.match_options import MatchOptions
from ladder.run.option import Argument, Option, Section, WrongOption, dollars, duration, points, whole
from ladder.run.shard import Shard
from ladder.run.until.by_name import check_rule, form_of, named_rules
from ladder.run.until.order import Order
from results.words import ScheduleKind, Until

LONGEST_LINK = 3600.0
"""The most seconds that a link of a chain may take."""
_NOT_FOREVER = (
    *("games", "seconds", "until", "within", "max_faults", "max_cost", "max_tokens"),
    *("seed", "secret_file", "bots", "shard"),
)
"""The options that end a run or fix its deals or bots: a ladder that never ends has none of them."""


@dataclass(frozen=True, kw_only=True)
class RunOptions(MatchOptions):
    """What `ladder run` and `ladder.play` take.  Raises WrongOption for what does not go together."""

    options: Annotated[
        Sequence[str],
        Option(
            "A rule option, see `ladder games`; may be repeated.",
            ("--option", "-o"),
            metavar="GAME.OPTION=VALUE",
            default="as in ladder.toml",
            section=Section.WHAT,
        ),
    ] = ()
    limits: Annotated[
        Sequence[str],
        Option(
            "A limit of this run, for all bots and games: move_ms=60000; may be repeated.",
            ("--limit",),
            metavar="KEY=VALUE",
            default="as in ladder.toml",
            section=Section.WHAT,
        ),
    ] = ()
    games: Annotated[
        int | None,
        Option(
            "Number of matches.",
            ("--games", "-g"),
            metavar="N",
            default="1000, or with --for no limit",
            read=whole(1),
            section=Section.WHAT,
            short=True,
        ),
    ] = None
    seconds: Annotated[
        float | None,
        Option(
            "Stop after this time: 90s, 30m, 1h30m; with --games, whichever comes first.",
            ("--for",),
            metavar="TIME",
            read=duration,
            section=Section.WHAT,
            short=True,
        ),
    ] = None
    schedule: Annotated[
        ScheduleKind | None,
        Option(
            "How bots are paired. In a gauntlet, the first BOT plays at every table.",
            default="adaptive",
            section=Section.WHAT,
        ),
    ] = None
    until: Annotated[
        Until | None,
        Option(
            f"Stop early, {'; or '.join(rule.help for rule in named_rules().values())}.",
            metavar=f"[{'|'.join(map(form_of, named_rules().values()))}]",
            read=check_rule,
            completes="rules",
            section=Section.WHAT,
            short=True,
        ),
    ] = None
    within: Annotated[
        float | None,
        Option(
            "Like --until order, but neighbours less than POINTS apart need not be separated.",
            metavar="POINTS",
            read=points,
            section=Section.WHAT,
        ),
    ] = None
    max_faults: Annotated[
        int | None,
        Option(
            "Stop after N faults. Of any one bot, at most 20 count, and fewer than N.",
            metavar="N",
            read=whole(2),
            section=Section.WHAT,
        ),
    ] = None
    max_cost: Annotated[
        float | None,
        Option(
            "Stop once bots report having spent USD dollars. The bots that report costs share the budget"
            " equally; a bot that uses up its share drops out.",
            metavar="USD",
            read=dollars,
            section=Section.WHAT,
        ),
    ] = None
    max_tokens: Annotated[
        int | None,
        Option(
            "Like --max-cost, for tokens (input plus output).",
            metavar="N",
            read=whole(1),
            section=Section.WHAT,
        ),
    ] = None
    resume: Annotated[
        bool,
        Option("Continue the unfinished run with its own options.", section=Section.UNFINISHED, short=True),
    ] = False
    without: Annotated[
        Sequence[str],
        Option(
            "With --resume: leave this bot out; may be repeated.",
            metavar="BOT",
            completes="bots",
            section=Section.UNFINISHED,
        ),
    ] = ()
    new: Annotated[
        bool, Option("End the unfinished run as it is, and start a new one.", section=Section.UNFINISHED)
    ] = False
    in_progress: Annotated[
        int,
        Option(
            "How many matches a worker plays at once with bots that allow it.",
            metavar="N",
            read=whole(1, 1024),
            section=Section.WORKERS,
        ),
    ] = 32
    pin: Annotated[Pin, Option("Keep each worker and its bots on one core.", section=Section.WORKERS)] = (
        "auto"
    )

    def __post_init__(self) -> None:
        if self.resume and self.new:
            raise WrongOption("--new", "give either --resume or --new")
        if self.without and not self.resume:
            raise WrongOption("--without", "it needs --resume: it is for the unfinished run")
        if self.within and self.until not in (None, Order.name):
            raise WrongOption("--within", f"it goes with --until {Order.name}, got: --until {self.until}")
        super().__post_init__()
        _ = self.changed_limits

    @property
    def changed_limits(self) -> dict[str, int]:
        """The limits of the run that are not those of the home."""
        if not self.limits:
            return {}
        from ladder.home.settings import read_limits  # few runs need it

        return read_limits(self.limits)

    @property
    def ends_by(self) -> Until | None:
        """The rule that ends the run before its last match, with what *within* says of it; None: none."""
        return f"{Order.name}={self.within:.15g}" if self.within else self.until


@dataclass(frozen=True, kw_only=True)
class RunRequest(RunOptions):
    """A run that is asked for.  What is not given is the default of the home or the ladder."""

    bots: Annotated[
        Sequence[str],
        Argument("NAME, NAME@NUMBER or NAME@HASH; without it, all bots.", metavar="BOT", completes="bots"),
    ] = ()
    unrated: Annotated[
        bool,
        Option(
            "Store the matches apart, without rating them. Another run may play at the same time.",
            section=Section.WHAT,
        ),
    ] = False
    shard: Annotated[
        Shard | None,
        Option(
            "Play part I of N of the run; join the parts with `ladder home merge`.",
            metavar="I/N",
            read=Shard.read,
            section=Section.WORKERS,
        ),
    ] = None
    forever: Annotated[
        bool,
        Option(
            "Keep starting new runs until Ctrl-C. New bots and versions join at the next run.",
            section=Section.WHAT,
        ),
    ] = False
    link: Annotated[
        float | None,
        Option(
            "With --forever: the length of each run, at most 1h.",
            metavar="TIME",
            default="5m",
            read=duration,
            section=Section.WHAT,
        ),
    ] = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.link is not None and not self.forever:
            raise WrongOption("--link", "it goes with --forever")
        if self.link is not None and self.link > LONGEST_LINK:
            raise WrongOption("--link", "expected at most 1h: new bots wait until a run has ended")
        if self.forever:
            for name in _NOT_FOREVER:
                if getattr(self, name):
                    flag = {"seconds": "for", "bots": "BOT"}.get(name, name).replace("_", "-")
                    shown = flag if flag == "BOT" else f"--{flag}"
                    raise WrongOption(shown, "--forever plays all bots, with no end and secret deals")
            if self.unrated or self.resume:
                other = "--unrated" if self.unrated else "--resume"
                raise WrongOption(other, "it is for one run: --forever continues an unfinished one by itself")
        if self.unrated and self.shard:
            raise WrongOption("--unrated", "a shard is a part of a run that counts")

    @property
    def field(self) -> Sequence[str]:
        """The bots that are named to play; none if all play, as against the only bot of a gauntlet."""
        return () if self.schedule == "gauntlet" and len(self.bots) == 1 else self.bots
