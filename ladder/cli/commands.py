"""The commands by name, and where each one is.  A command is imported when it is called or described."""

import ast
import inspect
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from typing import cast

SECTIONS = {
    "Play": ("run", "duel", "reference", "play"),
    "Bots": ("new", "check", "try", "submit", "push", "connect", "inbox"),
    "Results": (
        *("leaderboard", "matches", "replay", "review", "faults", "matrix"),
        *("export", "serve", "site"),
    ),
    "Machine": ("doctor", "bench", "selftest", "worker", "tls"),
}
"""The everyday commands, in the order in which people need them."""
GROUPS = {
    "bots": ("ask", "diff", "feedback", "trial", "retire", "activate", "ban", "rename", "house"),
    "games": ("new",),
    "tournament": ("new", "run", "reveal", "remove"),
    "people": ("add", "renew", "remove"),
    "home": (*("init", "season", "archive", "restore"), *("verify", "digest", "rate", "merge", "compact")),
}
"""The other commands, by the one that runs when their group is called alone."""
BY_NAME = {**dict.fromkeys(("bots", "games", "tournament"), "info"), "people": "list"}
"""The command that a group runs for a word that does not name a command.

No help shows it: it is typed for a bot, a game or a tournament that is called like a command.
"""
UNLISTED = tuple(f"{group} {name}" for group, name in BY_NAME.items())
COMMANDS = (
    *(name for names in SECTIONS.values() for name in names),
    *(f"{group}{name}" for group, names in GROUPS.items() for name in ("", *(f" {name}" for name in names))),
)
"""Every command, by the words that are typed for it."""
ALIASES = {
    name: f"{group} {name}"
    for group, names in {
        "bots": ["house"],
        "home": ["init", "verify", "digest", "rate", "merge", "compact"],
    }.items()
    for name in names
}
"""Commands that stood on the top level once.  They go on working there, and no help shows them."""

_LONG_NAMES = {
    "try": "try_bot",
    "people list": "people",
    "tournament info": "tournament_show",
    "tournament new": "tournament_new",
    "tournament run": "tournament_run",
}
"""The functions of commands that have another name: theirs is a word of Python, or one of several of it."""
_MODULES = {
    **{f"bots {name}": f"bots_{name}" for name in ("info", "ask", "diff", "feedback", "trial", "rename")},
    **{f"bots {name}": "bots_retire" for name in ("retire", "activate", "ban")},
    **{f"games {name}": "games" for name in ("info", "new")},
    **{f"tournament {name}": "tournament" for name in ("reveal", "remove")},
    **_LONG_NAMES,
    **{f"people {name}": "people" for name in ("list", "add", "renew", "remove")},
}
"""The modules of commands that are not called as their module is."""


def load_command(name: str) -> Callable[..., None]:
    """Return the function of a command, one of COMMANDS or UNLISTED.  Its docstring is the command's help."""
    word = name.rpartition(" ")[2]
    module = import_module(f"ladder.cli.{_MODULES.get(name, word)}")
    command = getattr(module, _LONG_NAMES.get(name, word))
    if command.__doc__ is None:  # `python -OO` has removed it; there may be no sources
        with suppress(OSError):
            (function,) = ast.parse(inspect.getsource(command)).body
            command.__doc__ = ast.get_docstring(cast("ast.FunctionDef", function))
    return cast("Callable[..., None]", command)
