"""Rule options: read them from settings and the command line, check them and add the defaults.

Most options have a few values.  A custom option takes data of the user's own, such as a deck, from a TOML
file that is named by its path.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from engines import GAMES, Json
from ladder.errors import NotFound, UsageProblem, short, suggest
from ladder.machine.toml import read_toml

LARGEST_FILE = 2**23
"""The most bytes of the file of a custom option: a run stores it and sends it to every worker."""

TypedOptions = dict[str, dict[str, str]]
"""The text of each option on the command line, by game and option."""


def parse_options(texts: Sequence[str], games: Sequence[str]) -> TypedOptions:
    """Parse the values of `--option`: OPTION=VALUE if *games* is one game, else GAME.OPTION=VALUE.

    Raises UsageProblem for any other form, and for an option that is given twice.
    """
    options: TypedOptions = {}
    for text in texts:
        key, equals, value = text.partition("=")
        game, dot, option = key.partition(".")
        if not dot and len(games) == 1:
            game, option = games[0], key
        if not equals or not option:
            raise UsageProblem(
                f"--option: expected GAME.OPTION=VALUE, got: {text!r}",
                "for example: --option stellar.face_down_number=three",
            )
        if game not in GAMES:
            raise NotFound(
                f"--option {text}: there is no game {game!r}{suggest(game, GAMES)}", "ladder games"
            )
        _check_name(game, option, f"--option {game}.")
        if option in options.setdefault(game, {}):
            raise UsageProblem(f"--option {game}.{option} is given twice", "give it once")
        options[game][option] = value
    return options


def check_names(game: str, options: Mapping[str, Json], where: str) -> None:
    """Raise UsageProblem for an option or a value that *game* does not have; read no files."""
    for option, value in options.items():
        _check_name(game, option, where)
        if option in GAMES[game].options:
            _check_value(game, option, value, where)


def complete(
    game: str, configured: Mapping[str, Json], home: Path, typed: Mapping[str, str]
) -> dict[str, Json]:
    """Return all rule options of *game*: *typed* before *configured* before the defaults.

    Read the files of custom options: paths in the settings start at *home*, those on the command line at the
    current folder.  Raises UsageProblem, naming the fault, for a value that the game does not accept.
    """
    options = {option: values[0] for option, values in GAMES[game].options.items()}
    for option, value in configured.items():
        options[option] = _value(game, option, value, home, f"{home / 'ladder.toml'}: games.{game}.options.")
    for option, text in typed.items():
        # What is typed is text: a number or a truth value is found by how it is spelled.
        values = {spell(value): value for value in GAMES[game].options.get(option, ())}
        options[option] = _value(game, option, values.get(text, text), Path(), f"--option {game}.")
    return options


def in_order(game: str, options: Mapping[str, Json]) -> dict[str, Json]:
    """Return *options* in the order of *game*, as bots read them: stored ones have another order."""
    known = [option for option in (*GAMES[game].options, *GAMES[game].custom) if option in options]
    return {option: options[option] for option in known} | dict(options)


def spell(value: Json) -> str:
    """Return the value of an option as a user types it."""
    return value if isinstance(value, str) else json.dumps(value, default=str)


def _check_name(game: str, option: str, where: str) -> None:
    known = [*GAMES[game].options, *GAMES[game].custom]
    if option not in known:
        raise UsageProblem(
            f"{where}{short(option)} is unknown{suggest(option, known)}",
            f"known: {', '.join(known)}" if known else f"{game} has no options",
        )


def _value(game: str, option: str, value: Json, folder: Path, where: str) -> Json:
    if option in GAMES[game].options:
        return _check_value(game, option, value, where)
    table = _read(folder / value, where + option) if isinstance(value, str) else value
    try:
        GAMES[game].custom[option](table)
    except ValueError as error:
        source = f" ({value})" if isinstance(value, str) else ""
        raise UsageProblem(f"{where}{option}{source}: {error}", "correct it and try again") from None
    return table


def _check_value(game: str, option: str, value: Json, where: str) -> Json:
    values = GAMES[game].options[option]
    # By type as well: in Python, True equals 1, and 3.0 equals 3, but bots would read another option.
    if not any(value == known and type(value) is type(known) for known in values):
        raise UsageProblem(
            f"{where}{option} cannot be {short(spell(value))}, only {' or '.join(map(spell, values))}",
            f"ladder games {game}",
        )
    return value


def _read(file: Path, what: str) -> Json:
    try:
        return read_toml(file, LARGEST_FILE)
    except (OSError, ValueError) as error:
        raise UsageProblem(
            f"{what}: {file} cannot be read: {error}", "name a TOML file; the game's page shows one"
        ) from None
