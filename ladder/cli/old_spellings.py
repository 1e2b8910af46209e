"""Old spellings of commands and options.  Each works for one release, and no help or shell offers it.

The words of a command line are read here before the parser sees them.  A line on stderr says what is typed
now.
"""

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from typing import TYPE_CHECKING, Final, NamedTuple

from ladder.cli.commands import ALIASES, BY_NAME, COMMANDS, GROUPS, UNLISTED, load_command
from ladder.errors import UsageProblem

if TYPE_CHECKING:
    from ladder.run.option import Option

FOR_GOOD = ""
"""Stands for the release of a spelling that stays: nothing is told of it."""
_ELSEWHERE: Final = "python "
"""Begins what has replaced an option that the ladder has no more."""
_REPEATED: Final = ("--terms", "--until")
"""Options whose values have names: two of different names go together."""


class OldOption(NamedTuple):
    """An option as it was typed."""

    commands: str
    """The commands that had it, joined by commas."""
    old: str
    """The option, and what stood for its value."""
    new: str
    """What is typed now, with the same word for the value; a command; or a setting: [TABLE] KEY."""
    since: str = "0.7.0"
    """The release that took the new spelling."""
    beside: str = ""
    """What was typed beside it, and is part of the new spelling."""
    needs_beside: bool = False
    is_parsed: bool = False
    """Whether the parser still takes it, because no other words say the same."""

    @property
    def flag(self) -> str:
        """The option without its value."""
        return self.old.partition(" ")[0]

    @property
    def metavar(self) -> str:
        """What stood for the value; empty for an option without one."""
        return self.old.partition(" ")[2]

    @property
    def told(self) -> str:
        """What is typed now, in words."""
        if self.new.startswith("["):
            return f"{self.new} in ladder.toml"
        return self.new if self.new.startswith("ladder ") else self.new.removesuffix(f" {self.metavar}")

    def fill(self, value: str | None) -> list[str]:
        """Return what is typed now for *value*; without one, the new option alone, which asks for it."""
        if self.metavar and value is None:
            return [self.new.split()[0].partition("=")[0]]
        named = re.compile(rf"\b{self.metavar}\b") if self.metavar else None
        return [named.sub(lambda _: value or "", word) if named else word for word in self.new.split()]

    def read_setting(self, named: str, value: str) -> str:
        """Return the value of a setting: as *named*, or what was typed; a folder is not below the home."""
        if named != self.metavar:
            return named
        return os.path.abspath(value) if named == "FOLDER" else value  # noqa: PTH100  # a Path is no text


class OldCommand(NamedTuple):
    """A command as it was typed."""

    old: str
    typed: str
    """The words in place of it, before its other words."""
    new: str
    """What is typed now, in words."""
    since: str = "0.7.0"


OLD_COMMANDS = (
    OldCommand("history", "bots info --history", "bots BOT --history"),
    OldCommand("bots similar", "bots --similar", "bots --similar"),
    OldCommand("games rules", "games info", "games GAME"),
    OldCommand("games files", "games info", "games GAME --to FOLDER"),
    OldCommand("tournament list", "tournament", "tournament"),
    OldCommand("tournament show", "tournament info", "tournament TOURNAMENT"),
    OldCommand("home duels", "duel", "duel"),
)
OLD_OPTIONS: tuple[OldOption, ...] = (
    OldOption("matches, export, faults, bots diff, home digest", "--duel NAME", "--in NAME"),
    OldOption("matches, export, home digest", "--run N", "--in N"),
    OldOption("matches, faults, bots diff", "--limit N", "--top N"),
    OldOption("submit, check", "--games GAME", "--game GAME"),
    OldOption("new, games new", "--in FOLDER", "--to FOLDER"),
    OldOption("new", "--list", "ladder new"),
    OldOption("bots", "--all", "--all-versions"),
    OldOption("run", "--within P", "--until order=P", beside="--until order"),
    OldOption("run", "--max-faults N", "--until faults=N"),
    OldOption("run", "--max-cost USD", "--until cost=USD"),
    OldOption("run", "--max-tokens N", "--until tokens=N"),
    OldOption("run", "--link TIME", "--forever=TIME", beside="--forever", needs_beside=True),
    OldOption("run", "--in-progress N", "[run] in_progress = N"),
    OldOption("run", "--pin WHEN", "[run] pin = WHEN"),
    OldOption("run, tournament run", "--tls FOLDER", "[run] tls = FOLDER"),
    OldOption("run, duel", "--require-sandbox", "--sandbox required"),
    OldOption("run, duel, tournament new", "--secret-file FILE", "--seed @FILE"),
    OldOption("tournament new", "--require-sandbox", "[sandbox] tier = required"),
    OldOption("tournament new", "--sandbox TIER", "[sandbox] tier = TIER"),
    OldOption("tournament new", "--jobs N", "[run] jobs = N"),
    OldOption("tournament new", "-j N", "[run] jobs = N"),
    OldOption("tournament new", "--secret", "--hidden"),
    OldOption("duel", "--apart WINS", "--terms apart=WINS"),
    OldOption("duel", "--expect WINS", "--terms expect=WINS"),
    OldOption("duel", "--alpha PERCENT", "--terms alpha=PERCENT"),
    OldOption("duel", "--adjusted", "--terms adjusted"),
    OldOption(
        "duel, reference, tournament new, bots rename,"
        " home season, home verify, home rate, home merge, home compact",
        "--wait",
        "[run] wait = true",
    ),
    OldOption("submit", "--quick", "--check quick"),
    OldOption("submit", "--no-check", "--check none"),
    OldOption("submit", "--replace-bots NAMES", "--replace NAMES"),
    OldOption("leaderboard", "--pairs", "--show pairs"),
    OldOption("leaderboard", "--calibration", "--show calibration"),
    OldOption("review", "--calibration", "ladder leaderboard --show judges"),
    OldOption("matrix", "--bot BOT", "ladder bots BOT", is_parsed=True),
    OldOption("serve", "--behind-proxy HEADER", "[serve] behind_proxy = HEADER"),
    OldOption("serve", "--proxy ADDRESS", "[serve] proxy = ADDRESS"),
    OldOption("serve", "--url URL", "[serve] url = URL"),
    OldOption("tls", "--days N", "always 365", is_parsed=True),
    OldOption("home digest", "--form N", "always printed", is_parsed=True),
    *(
        OldOption("bench", old, f"{_ELSEWHERE}tests/programs/bench.py {old}, in a clone of the source")
        for old in ("--against", "--ratings", "--records N", "--rounds N")
    ),
)
_TYPED: ContextVar[Mapping[tuple[str, str], str]] = ContextVar("typed settings")


def typed_settings() -> Mapping[tuple[str, str], str]:
    """Return the settings that this command line has in old spelling, by table and key of ladder.toml."""
    return _TYPED.get({})


def renew(words: Sequence[str], tell: Callable[[str], object]) -> list[str]:
    """Return *words* of a command line with what is typed now for old spellings; *tell* hears of each.

    Raises UsageProblem where an old and a new spelling stand together, and for what is no option any more.
    """
    typed: dict[tuple[str, str], str] = {}
    _TYPED.set(typed)
    words = _renew_command(list(words), tell)
    flags = {row.flag for row in OLD_OPTIONS}
    if not any(word.partition("=")[0] in flags for word in words):
        return words
    command, at = _find_command(words)
    group = command.partition(" ")[0]
    begin = [*words[:1], *_renew_options(group, words[1:at], typed, tell)]
    rest = _renew_options(command, words[at:], typed, tell)
    if rest[:1] == ["ladder"]:  # the option has gone to another command
        return renew(rest[1:], tell)
    return begin + rest


def _renew_command(words: list[str], tell: Callable[[str], object]) -> list[str]:
    command, at = _find_command(words)
    for row in OLD_COMMANDS:
        if command == row.old:
            _tell(tell, row.since, f"ladder {row.old}", f"ladder {row.new}")
            before = words[1 : at - 1] if " " in command else []
            return [*row.typed.split(), *before, *words[at:]]
    return words


def _find_command(words: Sequence[str]) -> tuple[str, int]:
    """Return the command that *words* call, and where its own words begin: behind options of its group."""
    name = ALIASES.get(words[0], words[0]) if words else ""
    if name not in GROUPS:
        return name, 1
    at = 1
    with_values = _options_with_values(name) if words[1:] and words[1].startswith("-") else ()
    while at < len(words) and words[at].startswith("-") and words[at] != "--":
        at += 2 if words[at] in with_values else 1
    if at >= len(words):
        return name, 1
    within = f"{name} {words[at]}"
    if within in COMMANDS or any(within == row.old for row in OLD_COMMANDS):
        return within, at + 1
    return (f"{name} {BY_NAME[name]}", at) if name in BY_NAME else (name, 1)


def _renew_options(
    command: str, words: Sequence[str], typed: dict[tuple[str, str], str], tell: Callable[[str], object]
) -> list[str]:
    """Return the *words* of a command with new spellings; what is a setting now is added to *typed*.

    They begin with `ladder` and another command if an option has gone there.
    """
    rows = {row.flag: row for row in OLD_OPTIONS if command in row.commands.split(", ")}
    if not any(word.partition("=")[0] in rows for word in words):
        return list(words)
    found: dict[str, OldOption] = {}
    made: dict[tuple[str, str], OldOption] = {}
    renewed: list[str] = []
    kept: list[list[str]] = []
    for option in _options_in(words, _options_with_values(command), rows):
        flag, equals, value = option[0].partition("=")
        if (row := rows.get(flag)) is None:
            kept.append(option)
            continue
        if row.new.startswith(_ELSEWHERE):
            raise UsageProblem(f"ladder {command} has no option {flag}", row.new)
        if equals and not row.metavar:
            raise UsageProblem(f"{flag}: takes no value", f"ladder {command} --help")
        found[flag] = row
        given = value if equals else option[1] if option[1:] else None
        if row.is_parsed:
            kept.append(option)
        elif setting := re.fullmatch(r"\[(\w+)\] (\w+) = (\w+)", row.new):
            typed[setting[1], setting[2]] = row.read_setting(setting[3], given or "")
        else:
            words_now = row.fill(given)
            if made.setdefault(_target(words_now), row) is not row:
                raise _twice(row)
            if words_now[:1] == ["ladder"]:
                renewed[:0] = words_now
            else:
                renewed += words_now
    beside = [row.beside.split() for row in found.values()]
    for option in kept:
        if option not in beside and (both := made.get(_target([*option[0].split("=", 1), *option[1:]]))):
            raise _twice(both)
    for row in found.values():
        if row.needs_beside and row.beside.split() not in kept:
            raise UsageProblem(f"{row.flag}: it goes with {row.beside}", f"{row.new} says both")
    kept = [option for option in kept if option not in beside]
    for row in found.values():
        _tell(tell, row.since, row.flag, row.told)
    return [*renewed, *(word for option in kept for word in option)]


def _options_in(
    words: Sequence[str], known: "Mapping[str, Option]", old: Mapping[str, OldOption]
) -> Iterator[list[str]]:
    """Yield *words*, each by itself or with the value that follows it; those behind -- are no options."""
    rest = list(words)
    while rest:
        word, following = rest[0], rest[1] if rest[1:] else ""
        if word == "--":
            yield rest
            return
        takes = old[word].metavar if word in old else word in known and known[word].takes(following, words)
        size = 2 if takes and rest[1:] else 1
        yield rest[:size]
        del rest[:size]


def _options_with_values(command: str) -> "dict[str, Option]":
    if command not in (*COMMANDS, *UNLISTED):
        return {}
    from ladder.cli.signature import options_with_values

    return options_with_values(load_command(command))


def _target(words: Sequence[str]) -> tuple[str, str]:
    """Return the option that *words* give, and for one of _REPEATED the name of its value."""
    flag, value = words[0].partition("=")[0], words[1] if words[1:] else ""
    return flag, value.partition("=")[0] if flag in _REPEATED else ""


def _twice(row: OldOption) -> UsageProblem:
    return UsageProblem(f"{row.flag} is now {row.told}, and both are given", f"leave out {row.flag}")


def _tell(tell: Callable[[str], object], since: str, old: str, new: str) -> None:
    if since != FOR_GOOD:
        tell(f"{old} is now {new}")
