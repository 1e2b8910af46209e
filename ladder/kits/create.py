"""The beginning of a bot: the files of a kit, and the types of one game's view."""

import json
import sys
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from engines import GAMES
from ladder.errors import LadderError, UsageProblem
from ladder.kits.languages import KITS, Language
from ladder.kits.view_types import read_types
from ladder.registry.bot_manifest import check_name
from ladder.registry.roster import scratch

README = KITS / "README.template"


def create_bot(
    language: Language,
    name: str,
    parent: Path,
    game: str = "",
    taken: Iterable[str] = (),
    seats: Collection[int] = (),
) -> Path:
    """Make a folder for the bot *name* in *parent* and return it.

    The bot plays *game*, "" means all, at tables of *seats*, which are all where none are given.

    Raises UsageProblem for a name that no bot can have or that is *taken*, for a folder that is there
    already, for a table size that the game has not, and for a game without a schema of its view; LadderError
    if files cannot be written.  Then nothing is made.
    """
    check_name(name)
    if game and not {*seats} <= {*GAMES[game].seats}:
        known, wanted = (", ".join(map(str, sizes)) for sizes in (GAMES[game].seats, seats))
        hint = "correct --seats, or leave it out"
        raise UsageProblem(f"{game} is for {known} seats, not for {wanted}", hint)
    if name in taken:
        raise UsageProblem(
            f"there is a bot {name!r} already", "choose another name; see: ladder bots --all-versions"
        )
    folder = parent / name
    if folder.exists() or folder.is_symlink():
        raise UsageProblem(f"{folder} is there already", "choose another name, or another folder with --in")
    files = dict(_files(language, name, game, sorted({*seats})))
    try:
        parent.mkdir(parents=True, exist_ok=True)
        with scratch(parent, f"{name}.new") as staging:
            made = staging / name
            for path, text in files.items():
                file = made / path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text, "utf-8")
            made.rename(folder)  # all of it or nothing
    except OSError as error:
        raise LadderError(
            f"{folder} cannot be made: {error.strerror or error}", "choose another folder with --in"
        ) from error
    return folder


def _files(language: Language, name: str, game: str, seats: list[int]) -> Iterator[tuple[str, str]]:
    """Yield the files of the bot: paths in its folder, and texts."""
    words = {
        "name": name,
        "main": language.main,
        "title": language.title,
        "games": (f'\ngames = ["{game}"]' if game else "")
        + (f"\nseats = {{ {game} = {seats} }}" if seats else ""),
        "at_table": f" --seats {seats[0]}" if seats else "",
        "plays": game or "every game",
        "game": game or "stellar",
    }
    kit = KITS / language.name
    for path in sorted(kit.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            yield str(path.relative_to(kit)), _fill(path.read_text("utf-8"), words)
    for shared in language.shared:
        yield Path(shared).name, (KITS / shared).read_text("utf-8")
    yield "README.md", _fill(README.read_text("utf-8"), words)
    if game and language.types:
        yield language.types_file, _types_of(game, language)


def _fill(text: str, words: dict[str, str]) -> str:
    for word, meaning in words.items():
        text = text.replace(f"{{{{{word}}}}}", meaning)
    return text


def _types_of(game: str, language: Language) -> str:
    """Return the types of the view of *game* in *language*, from the schema.json beside its code."""
    from ladder.kits.type_files import write_types  # loads Jinja, which a bot for every game does not need

    module = sys.modules[type(GAMES[game]).__module__]
    path = Path(str(module.__file__)).with_name("schema.json")
    try:
        return write_types(read_types(game, json.loads(path.read_text("utf-8"))), language.types)
    except (OSError, ValueError) as error:
        raise UsageProblem(
            f"the game {game!r} has no schema that types can be made from: {error}",
            "the same command without --game; then write it into bot.toml: games",
        ) from None
