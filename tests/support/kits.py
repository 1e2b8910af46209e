"""Bots made from kits: built and asked without a ladder, and the lines that a seat of a random match gets."""

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engines import GAMES, playout
from engines.game import Choice, Game
from ladder.kits.languages import Language
from ladder.registry.bot_manifest import read_manifest
from support.command_line import ENVIRONMENT


def require_tools(language: Language) -> Language:
    """Return *language*; skip the test where its tools are missing."""
    if missing := language.missing():
        pytest.skip(f"no {' and no '.join(missing)}: {language.advice()}")
    return language


def build(bot: Path) -> None:
    """Build the bot in its own folder, as its bot.toml says."""
    command = read_manifest(bot, GAMES).build
    if command:
        done = subprocess.run(
            command, shell=isinstance(command, str), cwd=bot, capture_output=True, text=True
        )
        assert 0 == done.returncode, done.stdout + done.stderr


def ask_bot(bot: Path, lines: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Send all *lines* to the bot, which is built; return its own."""
    program, *arguments = read_manifest(bot, GAMES).run
    command = [program.replace("{python}", sys.executable), *arguments]
    sent = "".join(json.dumps(line, separators=(",", ":"), ensure_ascii=False) + "\n" for line in lines)
    done = subprocess.run(
        command, cwd=bot, env=ENVIRONMENT, input=sent.encode(), capture_output=True, timeout=60
    )
    assert 0 == done.returncode, done.stderr.decode()
    return [json.loads(line) for line in done.stdout.decode().splitlines()]


def play_views(game: Game[Any], seats: int, seed: int = 1) -> Iterator[tuple[int, dict[str, Any], Choice]]:
    """Yield the decisions of a random match: seat, view, choice."""
    rng = Random(seed)
    for step in playout(game, game.deal(seats, rng), seats, rng):
        for seat, choice in game.choices(step.state).items():
            yield seat, as_json(game.view(step.state, seat)), choice


def write_conversation(game: str, seats: int) -> tuple[list[dict[str, Any]], list[Choice]]:
    """Return the messages that a bot gets at all seats of a random match, and the choices in them."""
    lines: list[dict[str, Any]] = [
        {"type": "hello", "protocol": 1, "games": [game], "config": {}, "limits": {}}
    ]
    start = {"type": "start", "game": game, "version": 1, "seats": seats, "options": {}}
    lines += [{**start, "match": f"{seat:016x}", "seat": seat} for seat in range(seats)]
    clock = {"move_ms": 1000, "bank_ms": 10_000}
    asked = list(play_views(GAMES[game], seats))
    for step, (seat, view, choice) in enumerate(asked):
        act = {
            "type": "act",
            "id": f"{step:016x}",
            "match": f"{seat:016x}",
            "step": step,
            "seed": 2**53 - seat,
        }
        lines.append({**act, "choice": choice.to_json(), "clock": clock, "events": [], "view": view})
    return [*lines, {"type": "bye"}], [choice for _, _, choice in asked]


def as_json(value: Any) -> Any:
    return json.loads(json.dumps(value))
