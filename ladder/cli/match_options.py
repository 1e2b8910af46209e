"""Options of the commands that play many matches: `ladder run` and `ladder duel`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

import typer

from ladder.cli.options import complete_games, jobs_option, seed_of, whole
from ladder.contest.seed import LEAST, Seed

__all__ = [
    "UNFINISHED",
    "WHAT",
    "WORKERS",
    "RequireSandboxOption",
    "SandboxOption",
    "SecretFileOption",
    "SeedOption",
    "WorkersOption",
    "games_option",
    "secret_from",
    "sizes_option",
]

WHAT = "What is played"
DEALS = "Deals"
UNFINISHED = "Unfinished run"
WORKERS = "Workers"
SANDBOX = "Sandbox"
"""The sections of the help.  A command declares options in the order in which the help has them."""


def games_option(default: str) -> Any:
    """Return the option --game, which may be repeated; *default* says what is played without it."""
    return typer.Option(
        "--game",
        metavar="GAME",
        help="Play this game; may be repeated.",
        show_default=default,
        autocompletion=complete_games,
        rich_help_panel=WHAT,
    )


def sizes_option(default: str) -> Any:
    """Return the option --seats, which may be repeated; *default* says what is played without it."""
    return typer.Option(
        "--seats",
        parser=whole(2, 6),
        metavar="N",
        help="Play at tables of N seats; may be repeated.",
        show_default=default,
        rich_help_panel=WHAT,
    )


SeedOption: TypeAlias = Annotated[
    Seed | None,
    typer.Option(
        parser=seed_of,
        metavar="N|TEXT",
        help="Repeat the deals of this seed. Bots can guess a number and then know every card: use one "
        f"in tests only. Bots cannot guess a text of {LEAST} characters or more, but other users of this "
        "machine can see it in the list of processes; prefer --secret-file.",
        show_default="secret",
        rich_help_panel=DEALS,
    ),
]
SecretFileOption: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Read the secret, 32 hex digits, from a file. The same secret gives the same deals.",
        show_default="a new one",
        rich_help_panel=DEALS,
    ),
]
WorkersOption: TypeAlias = Annotated[int | None, jobs_option("Worker processes.", section=WORKERS)]
SandboxOption: TypeAlias = Annotated[
    Literal["auto", "bwrap", "landlock", "none"] | None,
    typer.Option(
        metavar="TIER",
        help="How bots are confined: bwrap, landlock, none, or auto.",
        show_default="the first that works here",
        rich_help_panel=SANDBOX,
    ),
]
RequireSandboxOption: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--require-sandbox", metavar="", help="Refuse to play without a sandbox.", rich_help_panel=SANDBOX
    ),
]


def secret_from(seed: Seed | None, secret_file: Path | None) -> bytes | None:
    """Return the secret that --secret-file or the text of --seed gives; None if the ladder finds one.

    Raises BadParameter for both options, UsageProblem for a file that holds no secret.
    """
    from ladder.run.shard import read_secret

    if secret_file and seed is not None:
        raise typer.BadParameter("give either --seed or --secret-file", param_hint="--secret-file")
    if secret_file:
        return read_secret(secret_file)
    return seed.secret if seed else None
