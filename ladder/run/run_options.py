"""The options of a run, which `ladder run` and `ladder.play` share, and the request for one."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any

from ladder.machine.cores import Pin
from ladder.run.match_options import MatchOptions
from ladder.run.option import Argument, Option, Section, WrongOption, dollars, duration, points, whole
from ladder.run.shard import Shard
from ladder.run.until.by_name import Ends, check_rule, form_of, named_rules, read_ends
from ladder.run.until.order import Order
from results.words import ScheduleKind, Until

LINK_SECONDS = 300.0
"""The time of a link if it is not asked for: a new bot waits for half of it, on average."""
LONGEST_LINK = 3600.0
"""The most seconds that a link of a chain may take."""
_NOT_FOREVER = ("games", "seconds", "until", "seed", "bots", "shard")
"""The options that end a run or fix its deals or bots: a ladder that never ends has none of them."""


def _tell_rules() -> str:
    rules = named_rules().values()
    forms = ", ".join(map(form_of, rules))
    told = [f"{form_of(rule)}: {rule.help}." for rule in rules]
    return " ".join(
        [f"Stop early by one of {forms}; may be repeated, the first that holds ends the run.", *told]
    )


def _in_python(form: str, read: Callable[[str], Any]) -> Option:
    return Option(f"Like --until {form}.", read=read, python_only=True)


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
            default="as in ladder.toml, else adaptive",
            section=Section.WHAT,
        ),
    ] = None
    until: Annotated[
        Until | Sequence[Until] | None,
        Option(
            _tell_rules(),
            metavar="RULE",
            read=check_rule,
            completes="rules",
            section=Section.WHAT,
            short=True,
        ),
    ] = None
    within: Annotated[float | None, _in_python("order=P", points)] = None
    max_faults: Annotated[int | None, _in_python("faults=N", whole(2))] = None
    max_cost: Annotated[float | None, _in_python("cost=USD", dollars)] = None
    max_tokens: Annotated[int | None, _in_python("tokens=N", whole(1))] = None
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
        int | None,
        Option(
            "Matches that a worker plays at once, as in ladder.toml.", read=whole(1, 1024), python_only=True
        ),
    ] = None
    pin: Annotated[Pin | None, Option("Whether workers stay on one core.", python_only=True)] = None

    def __post_init__(self) -> None:
        if self.resume and self.new:
            raise WrongOption("--new", "give either --resume or --new")
        if self.without and not self.resume:
            raise WrongOption("--without", "it needs --resume: it is for the unfinished run")
        super().__post_init__()
        _ = self.changed_limits, self.ends

    @property
    def changed_limits(self) -> dict[str, int]:
        """The limits of the run that are not those of the home."""
        if not self.limits:
            return {}
        from ladder.home.settings import read_limits  # few runs need it

        return read_limits(self.limits)

    @cached_property
    def ends(self) -> Ends:
        """What ends the run before its last match."""
        texts = [self.until] if isinstance(self.until, str) else [*(self.until or ())]
        if self.within:
            texts = [text for text in texts if text != Order.name] + [f"{Order.name}={self.within:.15g}"]
        named = {"faults": self.max_faults, "cost": self.max_cost, "tokens": self.max_tokens}
        texts += [f"{name}={value:.17g}" for name, value in named.items() if value is not None]
        try:
            return read_ends(texts)
        except ValueError as error:
            raise WrongOption("--until", str(error)) from None


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
        float | None,
        Option(
            "Keep starting new runs of this length, at most 1h, until Ctrl-C; new bots join at the next run. "
            "Without a TIME: 5m.",
            metavar="[TIME]",
            read=duration,
            bare=f"{LINK_SECONDS:.0f}s",
            section=Section.WHAT,
        ),
    ] = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.forever is not None and self.forever > LONGEST_LINK:
            raise WrongOption("--forever", "expected at most 1h: new bots wait until a run has ended")
        if self.forever:
            for name in _NOT_FOREVER:
                if getattr(self, name):
                    shown = {"seconds": "--for", "bots": "BOT"}.get(name, f"--{name}")
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
