"""Bots that are Python functions or objects: what each is called, and which objects are the same bot."""

import inspect
import pickle
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from types import CodeType
from typing import Any, TypeAlias

from ladder.errors import LadderError, UsageProblem, short
from ladder.home.home import Home, house_bots
from ladder.home.new_names import check_new_name
from ladder.machine.arguments import read_argument
from ladder.process.carried import carry
from ladder.registry.bot_manifest import BotManifest, check_name
from ladder.registry.handles import NAME
from ladder.registry.version import Version, check_note
from results.record import Run

Function: TypeAlias = Any
"""What protocol.client.serve takes: a function of an Act, or a class or object with a method `act`."""
VERSION = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,31}")
"""The pattern of a version that somebody chooses."""
HASH = 12
"""The number of characters of a hash that is a version."""


@dataclass(frozen=True)
class Bot:
    """A Python function, class or object that plays under a *name*, as protocol.client.serve takes it.

    *version* tells apart what learns or has settings: each has a rating of its own.  Without it, it is a hash
    of the source and of the object's state, as pickle writes it.  *note* is kept with the run.
    """

    player: Function
    name: str
    version: str = ""
    note: str = ""


def entries_of(bots: Sequence[Any] | Mapping[str, Any]) -> list[Any]:
    """Return *bots* as a list: those of a mapping are called NAME or NAME@VERSION, by its keys."""
    if not isinstance(bots, Mapping):
        return list(bots)
    found: list[Any] = []
    for called, player in bots.items():
        if isinstance(player, str) and player == called:
            found.append(player)
            continue
        if isinstance(player, (str, Path, Bot)):
            raise UsageProblem(
                f"{called!r} names {short(repr(player))}, which has a name already",
                f"write it in a list: ladder.play([{short(repr(player))}, ladder.Bot(...)])",
            )
        name, _, version = called.partition("@")
        found.append(Bot(player, name, version))
    return found


def guest_of(home: Home, bot: Bot | Function) -> tuple[Version, Function]:
    """Return *bot* as a version that was not submitted, and what plays.  Raises UsageProblem for its name."""
    player = bot.player if isinstance(bot, Bot) else bot
    if not (callable(player) or hasattr(player, "act")):
        what = f"bots: expected names, paths and functions, got: {short(repr(player))}"
        raise UsageProblem(what, "correct bots")
    if not isinstance(bot, Bot):
        if not _is_plain(bot):
            raise _nameless(bot)
        name, version, note = bot.__name__, "", ""
    else:
        name, version, note = bot.name, bot.version, bot.note
        _check_words(home, bot)
    taken = {version.bot for version in home.roster.versions()} | home.roster.names.keys()
    if name in house_bots() or name in taken:
        raise UsageProblem(f"there is another bot {name!r}", "give the function another name")
    version = version or _hash_of(player, name)
    manifest = BotManifest(name=name, run=("a function of another program",))
    state = "" if _is_plain(player) else _state_of(player)
    return Version(name, version, ".", manifest, note=note, built=state), player


def _check_words(home: Home, bot: Bot) -> None:
    """Raise UsageProblem if the name, the version or the note of *bot* cannot be one."""
    for what in ("name", "version", "note"):
        read_argument(what, getattr(bot, what), str)
    check_name(bot.name)
    check_new_name(home, bot.name, "choose another name")
    if bot.version and not VERSION.fullmatch(bot.version):
        raise UsageProblem(
            f"{short(repr(bot.version))} cannot be a version",
            "1 to 32 letters, digits, dots, dashes and underscores, beginning with a letter or digit",
        )
    check_note(bot.note)


def _is_plain(player: Function) -> bool:
    """Return whether *player* is a function of a module that has no values of its own: its source is all."""
    return (
        inspect.isfunction(player)
        and player.__closure__ is None
        and player.__name__ == player.__qualname__
        and bool(NAME.fullmatch(player.__name__))
    )


def carry_stateless(functions: Mapping[str, Function]) -> bytes:
    """Return *functions*, by the ids of their versions, as worker processes get them: see carry.

    Raises LadderError for one that keeps values, which would be others in each process; a class keeps none,
    as each process makes its own objects.
    """
    for id_, player in functions.items():
        if not (_is_plain(player) or inspect.isclass(player)):
            hint = "jobs=1, which says so; or give the class in place of an object, if it learns nothing"
            raise LadderError(f"{id_} keeps values, which would be others in each process", hint)
    return carry(functions)


def _nameless(player: Function) -> UsageProblem:
    """Return the refusal of a *player* whose source does not say which bot it is."""
    named = player if inspect.isfunction(player) or inspect.isclass(player) else type(player)
    what = re.sub(r"\W", "", named.__name__.rpartition(".")[2]) or "bot"
    name = "learner" if what == "lambda" else what.lower()[:24]
    if not NAME.fullmatch(name):
        name = "learner"
    called = named.__qualname__
    return UsageProblem(
        f"{short(called)} needs a name and a version: its source does not tell it from others",
        f'ladder.play({{"{name}@1": {name}}}); or in a list: ladder.Bot({name}, name="{name}", version="1")',
    )


# -- which objects are the same


def _hash_of(player: Function, name: str) -> str:
    """Return the version of a *player* that was given none.  Raises UsageProblem where it cannot be told."""
    if inspect.isfunction(player) and player.__closure__ is None:
        return sha256(_source_of(player).encode()).hexdigest()[:HASH]
    if not (state := _state_of(player)):
        raise UsageProblem(
            f"{name} needs a version: pickle cannot tell this object from others",
            f'ladder.play({{"{name}@1": ...}}), and another version for another object',
        )
    return state[:HASH]


def _source_of(function: Any) -> str:
    """Return the source of *function*, or where nothing keeps it, what it was compiled to."""
    try:
        return inspect.getsource(function)
    except (OSError, TypeError):
        return f"{function.__qualname__} {_code_of(function.__code__)}"


def _code_of(code: CodeType) -> str:
    """Return *code* as text that is the same in each process."""
    constants = [_code_of(each) if isinstance(each, CodeType) else repr(each) for each in code.co_consts]
    return repr((code.co_code.hex(), code.co_names, code.co_varnames, constants))


class _Sink:
    """A file that keeps the hash of what is written: an object may be large."""

    def __init__(self) -> None:
        self.hash = sha256()

    def write(self, data: bytes) -> int:
        self.hash.update(data)
        return len(data)


def _state_of(player: Function) -> str:
    """Return a hash of the source and the values of *player*; empty if pickle cannot write them."""
    sink = _Sink()
    try:
        if inspect.isfunction(player):
            sink.write(_source_of(player).encode())
            values: object = [cell.cell_contents for cell in player.__closure__ or ()]
        elif inspect.isclass(player):
            sink.write(inspect.getsource(player).encode())
            values = None
        else:
            sink.write(_source_of_class(type(player)).encode())
            values = player
        pickle.Pickler(sink, protocol=5).dump(values)
    except Exception:  # any object may raise anything here
        return ""
    return sink.hash.hexdigest()


def _source_of_class(kind: type) -> str:
    try:
        return inspect.getsource(kind)
    except (OSError, TypeError):
        return kind.__qualname__


class Players:
    """The objects of the runs that this process has begun: no other object continues one of them."""

    def __init__(self) -> None:
        self._of: dict[tuple[Path, int], dict[str, Function]] = {}

    def check(self, home: Home, unfinished: Run, functions: Mapping[str, Function]) -> None:
        """Raise UsageProblem if one of *functions*, by the ids of their versions, did not begin this run.

        An object of another process is the same if its state is that of the one that began the run.
        """
        began = self._of.get((home.path.resolve(), unfinished.run), {})
        states = {id_: bot.get("state") for id_, bot in zip(unfinished.bot_ids, unfinished.bots, strict=True)}
        for id_, function in functions.items():
            if _is_plain(function) or id_ not in states or began.get(id_) is function:
                continue
            if id_ in began or not states[id_] or states[id_] != _state_of(function):
                raise UsageProblem(
                    f"run {unfinished.run} is not finished, and {id_} is not the object that began it",
                    "ladder.play(..., new=True), which ends that run and begins another",
                )

    def keep(self, home: Home, run: Run, functions: Mapping[str, Function]) -> None:
        """Remember the *functions* of *run*, which begins or goes on; those of other runs are forgotten."""
        self._of = {(home.path.resolve(), run.run): dict(functions)}
