"""Read the manifest of a bot from bot.toml, or derive it from a single script."""

import os
import re
import shutil
from collections.abc import Iterable, Sequence
from math import isfinite
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from ladder.errors import UsageProblem, first_of, short, suggest
from ladder.machine.toml import depth, read_toml
from ladder.registry.file_kinds import EXECUTABLE, TWIN, UTF_8, build_advice, kind_of, open_regular
from ladder.registry.handles import (
    LONGEST_DISPLAY,
    NAME,
    NAME_RULE,
    derive_handle,
    is_display_name,
    name_of_file,
    without_joiners,
)
from ladder.registry.shebang import interpreter_of
from protocol.messages import LARGEST

Text = Annotated[str, Meta(max_length=4_096, pattern="^[^\\x00]*$")]
Texts = Annotated[tuple[Text, ...], Meta(max_length=256)]
HOUSE = "ladder"
"""The author of the house bots."""

INTERPRETERS = {
    ".py": ("{python}", ("python", "python3")),
    ".js": ("node", ("node",)),
    ".mjs": ("node", ("node",)),
    ".sh": ("sh", ("sh", "/bin/sh")),
}
"""The interpreter of a single script, by suffix, and the names in a `#!` line that mean the same."""
OTHER_INTERPRETERS = {
    ".rb": ("ruby",),
    ".pl": ("perl",),
    ".lua": ("lua", "lua5.4", "lua5.3"),
    ".php": ("php",),
}
"""Those of scripts without a `#!` line, the first that is here."""
TEXT = ".txt"
"""The suffix that mail and browsers add to a script."""
MAIN = ("bot", "main")
"""What the program of a folder without a manifest is called, if it has several scripts."""


ODD_MANIFESTS = ("bot.toml", "bot.toml.txt")
"""Names of a manifest, in small letters, that editors of Windows give it."""
SEVERAL = (
    "an archive or folder can hold one bot: hand in each by itself; all folders in an unpacked one are"
    " taken in by: ladder submit --all FOLDER"
)
LOOKED_AT = 100
"""The most files in a folder without a manifest that are looked at, to name what they are."""
BOT_MB = 256
"""The most that the files of a bot hold, in MB, unless the settings say otherwise."""
MOST_THREADS = 1_024
CONFIG_BYTES = 2**18
"""The largest size of `config` as JSON.  Every process of the bot receives it."""
CONFIG_DEPTH = 8
"""The deepest nesting of tables and lists in `config`, itself included."""


class BotManifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of bot.toml.

    Empty `games` means every game; a `parallel` of None means the number in the bot's ready message.
    *think_ms* is no limit: adaptive runs of fast bots have shorter epochs.  *display* is the name that people
    see, in any script, beside the *name* of commands.  *seats* has the table sizes of a game, in order, where
    they are not all.  A *remote* bot runs on its author's machine, and has no `run`.  Without these four keys
    the hash of a version is as before they existed.
    """

    name: str
    run: Texts = ()
    build: Annotated[str, Meta(max_length=4_096)] | Texts = ()  # msgspec 0.22 crashes if Text is in a union
    build_timeout_s: Annotated[int, Meta(ge=1, le=86_400)] = 600
    games: Texts = ()
    env: Texts = ()
    parallel: Annotated[int, Meta(ge=1, le=1_024)] | None = None
    restart: Literal["never", "match"] = "never"
    threads: Annotated[int, Meta(ge=1, le=MOST_THREADS)] = 1
    think_ms: Annotated[int, Meta(ge=0, le=86_400_000)] | msgspec.UnsetType = msgspec.UNSET
    network: bool = False
    config: dict[str, Any] = {}
    author: Text = ""
    description: Text = ""
    display: Text | msgspec.UnsetType = msgspec.UNSET
    seats: dict[str, tuple[int, ...]] | msgspec.UnsetType = msgspec.UNSET
    remote: bool | msgspec.UnsetType = msgspec.UNSET

    def sizes_of(self, game: str) -> tuple[int, ...]:
        """Return the table sizes that it names for *game*; none stands for all."""
        return () if isinstance(self.seats, msgspec.UnsetType) else self.seats.get(game, ())

    def __post_init__(self) -> None:
        """Raise ValueError for a `config` that some languages cannot read, or a name that cannot be shown."""
        _check_config(self.config)
        if isinstance(self.build, str) and "\0" in self.build:
            raise ValueError("Expected `str` matching regex '^[^\\\\x00]*$' - at `$.build`")
        if self.display is not msgspec.UNSET and not is_display_name(self.display):
            rule = f"1 to {LONGEST_DISPLAY} characters that can be seen, no slashes, no spaces around them"
            raise ValueError(f"expected a `display` of {rule}, got: {short(repr(self.display))}")


def _check_config(config: dict[str, Any]) -> None:
    if depth(config) > CONFIG_DEPTH:
        raise ValueError(f"expected `config` nested at most {CONFIG_DEPTH} deep, got more")
    # Level by level, without recursion: a manifest is written by a stranger, and may nest as deep as TOML
    # allows.
    level: list[Any] = [config]
    while level := [inner for each in level for inner in _values(each)]:
        for value in level:
            # JavaScript and other languages read numbers as doubles, which are exact up to 2^53.
            if isinstance(value, int) and abs(value) > LARGEST:
                got = short(str(value))
                raise ValueError(f"expected whole numbers within 2**53 of zero in `config`, got: {got}")
            if isinstance(value, float) and not isfinite(value):
                raise ValueError(f"expected finite numbers in `config`, got: {value}")
    if (size := len(msgspec.json.encode(config))) > CONFIG_BYTES:
        raise ValueError(f"expected a `config` of at most {CONFIG_BYTES:,} bytes as JSON, got {size:,}")


def _values(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def read_manifest(
    path: Path, games: Iterable[str], name: str | None = None, told: list[str] | None = None
) -> BotManifest:
    """Return the manifest at *path*: a folder with a bot.toml, a manifest file, or a single script.

    A manifest file with another name than bot.toml makes another bot of the same folder.  A folder without
    one is called by its name and runs its only script, or the one that is called bot, main or __main__.
    *name* replaces the bot's name.  A name that only people can read is its `display`, and its name in
    commands is derived from it; *told* gets what was derived.
    Raises UsageProblem, with a hint what to change, for a *path* that cannot become a bot.
    """
    if not path.exists():
        raise UsageProblem(
            f"there is no file or folder {str(path)!r}", "ladder submit PATH, a script or a folder"
        )
    _check_text(path)
    told = [] if told is None else told
    file = _manifest_in(path, told) if path.is_dir() else path
    if path.is_dir() and file.is_symlink():  # to what may be another's, of which messages would tell
        raise UsageProblem(f"{file} is a link", "replace it by a copy")
    if path.is_dir() and not file.exists() and (script := _main_script(path)):
        data = _read_script(script, told) | {"name": name_of_file(path.resolve().name)}
        told.append(f"it has no bot.toml: it is called {data['name']!r} and runs {script.name}")
    elif _is_manifest(file):
        data = _mend_run(_read_toml(file), file.parent, told)
        if isinstance(said := data.get("name"), str):
            data["name"] = without_joiners(said)
    else:
        data = _read_script(file, told)
    own, wanted = data.get("name"), name or data.get("name")
    # a name that people can read and commands cannot take is the `display`; that of commands is derived from
    # it
    odd = [
        text
        for text in (wanted, own)
        if isinstance(text, str) and not NAME.fullmatch(text) and is_display_name(text)
    ]
    if odd:
        data = {"display": odd[0]} | data
        wanted = derive_handle(wanted) if wanted in odd else wanted
        told.append(f"it is shown as {data['display']!r}; commands call it {wanted}")
    return _check(data | ({"name": wanted} if wanted else {}), file, games)


def _check_text(path: Path) -> None:
    if any("\ud800" <= char <= "\udfff" for char in path.name):
        raise UsageProblem(f"the name {path.name!r} is not in UTF-8", "give it a name of letters and digits")


def check_name(name: str, where: str = "") -> None:
    """Raise UsageProblem, which says *where*, for a *name* that no bot can have."""
    if not NAME.fullmatch(name):
        rule = f"{NAME_RULE}; or any text that can be seen, of up to {LONGEST_DISPLAY} characters"
        raise UsageProblem(f"{where}{short(repr(name))} cannot be a bot's name", rule)


def source_of(path: Path) -> Path:
    """Return the folder or file to copy for *path*: the folder of a manifest, else *path* itself."""
    return path.parent if path.suffix == ".toml" and path.is_file() else path


def _manifest_in(folder: Path, told: list[str]) -> Path:
    """Return the manifest in *folder*: bot.toml, whether or not it exists, or what Windows makes of it."""
    file = folder / "bot.toml"
    if not file.exists():
        for other in sorted(folder.iterdir()):
            if other.name.lower() in ODD_MANIFESTS and other.is_file():
                told.append(f"{other.name} is read as bot.toml")
                return other
    return file


def _is_manifest(file: Path) -> bool:
    return file.suffix == ".toml" or file.name.lower() in ODD_MANIFESTS


def _mend_run(data: dict[str, Any], folder: Path, told: list[str]) -> dict[str, Any]:
    """Return *data* with a `run` in the form of Windows written as here, unless its program is here."""
    run = data.get("run")
    if not isinstance(run, list) or not run or not all(isinstance(word, str) for word in run):
        return data
    program, *rest = run
    base = re.split(r"[/\\]", program)[-1].lower().removesuffix(".exe")
    path = program.replace("\\", "/").removeprefix("./")
    # Path.exists raises where a name is too long for a file
    if os.path.exists(folder / program) or shutil.which(program):  # noqa: PTH110
        return data
    if base in ("py", "python", "pythonw", "python3"):
        # `py -3` is the launcher of Windows, with the version that it is to start
        rest = rest[1:] if rest and re.fullmatch(r"-3(\.[0-9]+)?", rest[0]) else rest
        run = ["{python}", *(_file_of(rest[0], folder) for _ in rest[:1]), *rest[1:]]
        told.append(f"its `run` names {program}; that is not here, so it runs with python3")
    elif "\\" in program and (folder / path).is_file():
        run = [f"./{path}", *rest]
        told.append(f"its `run` has backslashes, which are read as folders: ./{path}")
    return data | {"run": run}


def _file_of(word: str, folder: Path) -> str:
    """Return *word* with slashes, if that names a file in *folder* and *word* does not."""
    path = word.replace("\\", "/")
    return path if (folder / path).is_file() and not (folder / word).is_file() else word


def _read_toml(file: Path) -> dict[str, Any]:
    if not file.is_file():
        folder = file.parent
        if os.path.lexists(file):
            raise UsageProblem(f"{file} is no file", f"write a file in its place: {_EXAMPLE['run']}")
        missing = f"{folder} has no {file.name}"
        if inside := sorted(manifest.parent.name for manifest in folder.glob(f"*/{file.name}")):
            raise UsageProblem(
                f"{missing}; folders in it have one: {first_of([*map(short, inside)], 3)}", SEVERAL
            )
        name = file.resolve().parent.name
        if programs := _scripts(folder) if folder.is_dir() else []:
            # the example is for the script that comes first: any of them may be the bot
            interpreters = INTERPRETERS | OTHER_INTERPRETERS
            run = f'["{interpreters[_suffix_of(programs[0])][0]}", "{programs[0].name}"]'
            several = first_of([short(script.name) for script in programs], 3)
            raise UsageProblem(
                f"{missing}, and several scripts: {several}",
                f'write one that says which of them is started: name = "{name}", run = {run}',
            )
        others = [each.name for each in sorted(folder.glob("*/")) if each.is_dir() and _main_script(each)]
        if others[1:]:
            raise UsageProblem(
                f"{missing}; folders in it have a program each: {first_of(others, 3)}", SEVERAL
            )
        if lines := build_advice(folder):
            raise UsageProblem(missing, lines)
        for other in sorted(folder.iterdir())[:LOOKED_AT] if folder.is_dir() else ():
            if other.is_file() and (kind := kind_of(other)) and not kind.may_be_a_script:
                raise UsageProblem(f"{missing}; it holds {kind.what}, {other.name}", kind.advice)
        if folder.is_dir() and not any(folder.iterdir()):
            raise UsageProblem(f"{folder} is empty", "put the program in it, and submit again")
        raise UsageProblem(missing, f'write one: name = "{name}", run = ["./program"]')
    try:
        return read_toml(file)
    except (OSError, ValueError) as error:
        if kind := kind_of(file):
            raise UsageProblem(f"{file} is {kind.what}, not TOML", kind.advice) from None
        if "codec can't decode" in str(error):
            raise UsageProblem(f"{file} is not saved as UTF-8", UTF_8) from None
        raise UsageProblem(f"{file} is not valid TOML: {error}", _hint_on_toml(file, str(error))) from None


def _hint_on_toml(file: Path, said: str) -> str:
    """Return what to do about *file*, of which the reader of TOML has *said* what is wrong."""
    lines = file.read_text("utf-8-sig", "replace").splitlines() if file.is_file() else []
    found = re.search(r"\(at line ([0-9]+)", said)
    line = lines[int(found[1]) - 1] if found and int(found[1]) <= len(lines) else ""
    if any(quote in line for quote in "\u201c\u201d\u201e\u2018\u2019\u00ab\u00bb"):
        return "write straight quotes, as a program's editor does: " + _EXAMPLE["name"]
    if re.match(r"\s*(name|run|build|games|author|description|display)\s*=\s*\[?\s*[^\s\"'\[]", line):
        return f"texts stand in quotes: {_EXAMPLE['name']}, {_EXAMPLE['run']}"
    if "\\" in line:
        return "in TOML a backslash is written twice, or / in its place"
    return "correct it and submit again"


def _main_script(folder: Path) -> Path | None:
    """Return the script that *folder* runs if it has no manifest; None if that is not clear."""
    if any(folder.glob("*/bot.toml")):
        return None
    scripts = _scripts(folder)
    package = [file for file in scripts if file.stem == "__main__"]
    mains = [file for file in scripts if file.stem.lower() in MAIN] or package or scripts
    return mains[0] if len(mains) == 1 else None


def _scripts(folder: Path) -> list[Path]:
    """Return the scripts in *folder*, which an interpreter runs."""
    return [
        file
        for file in sorted(folder.iterdir())
        if _suffix_of(file) in INTERPRETERS | OTHER_INTERPRETERS and file.is_file() and not file.is_symlink()
    ]


def _read_script(path: Path, told: list[str]) -> dict[str, Any]:
    if not path.is_file():
        raise UsageProblem(f"{path} is neither a script nor a folder", "ladder submit PATH")
    _check_text(path)
    # A script needs no executable bit: archives and class servers lose it.
    named = interpreter_of(path, mends=True)
    suffix = path.suffix if named else _suffix_of(path)
    usual, names = INTERPRETERS.get(suffix, ("", ()))
    kind = None if named else kind_of(path)
    if kind and not (usual and kind.may_be_a_script):
        raise UsageProblem(f"{path} is {kind.what}, not a bot", kind.advice)
    name = name_of_file(Path(path.stem).stem if usual and path.suffix.lower() == TEXT else path.stem)
    # a program reads a name that begins with a dash as an option
    file = f"./{path.name}" if path.name.startswith("-") else path.name
    if usual and (not named or named[0] in names):
        return {"name": name, "run": [usual, *named[1:], file]}
    # the path of another machine, such as /usr/local/bin/python3.11, names a language that is here
    if usual and _is_elsewhere(named[0], names):
        told.append(f"its first line names {named[0]}; that is not here, so it runs with {names[-1]}")
        return {"name": name, "run": [usual, *named[1:], file]}
    if not named and (others := OTHER_INTERPRETERS.get(suffix)):
        return {"name": name, "run": [next(filter(shutil.which, others), others[0]), file]}
    if not named and not _is_program(path):
        raise UsageProblem(
            f"{path} is no program: nothing says what runs it",
            "begin it with a line such as #!/usr/bin/env python3, give it the suffix of its language, such as"
            " .py, or submit a folder with a bot.toml",
        )
    return {"name": name, "run": [f"./{path.name}"]}


def _suffix_of(script: Path) -> str:
    """Return the suffix that says what runs *script*: `.py` for Bot.PY, bot.pyw and bot.py.txt."""
    file = script.with_suffix("") if script.suffix.lower() == TEXT else script
    return "" if script.name.startswith(TWIN) else file.suffix.lower().replace(".pyw", ".py")


def _is_program(file: Path) -> bool:
    """Return whether this system can run *file*, or can once its executable bit is set."""
    if os.access(file, os.X_OK):
        return True
    with open_regular(file, follow=True) as opened:
        return opened.read(len(EXECUTABLE)) == EXECUTABLE


def _is_elsewhere(program: str, names: Sequence[str]) -> bool:
    """Return whether *program*, in the first line of a script, is a path of one of *names* on other machines.

    Raises UsageProblem for a Python 2 that is not here.
    """
    here = Path(program).exists() if "/" in program else shutil.which(program)
    base = re.split(r"[/\\]", program)[-1].lower().removesuffix(".exe")
    if here or base.rstrip("0123456789.") not in names:
        return False
    if base.startswith("python2"):
        raise UsageProblem(f"its first line asks for {base}, which is not here", "write it in Python 3")
    return True


def _check(data: dict[str, Any], file: Path, games: Iterable[str]) -> BotManifest:
    known = [field.name for field in msgspec.structs.fields(BotManifest)]
    for key in data:
        if key not in known:
            raise UsageProblem(
                f"{file}: unknown key {short(repr(key))}{suggest(key, known)}", f"known: {', '.join(known)}"
            )
    for key in ("name", "run"):
        if not data.get(key) and not (key == "run" and data.get("remote")):
            raise UsageProblem(f"{file}: the key {key!r} is missing", f"add it: {_EXAMPLE[key]}")
    try:
        manifest = msgspec.convert(data, BotManifest)
    except (msgspec.ValidationError, OverflowError) as error:
        raise UsageProblem(f"{file}: {_plainly(str(error))}", _hint(data, str(error))) from None
    check_name(manifest.name, f"{file}: ")
    if manifest.remote and (here := {"run", "build", "env", "network", "threads"} & data.keys()):
        raise UsageProblem(f"{file}: a remote bot has no `{min(here)}`: it runs elsewhere", "leave it out")
    for game in manifest.games:
        if game not in games:
            raise UsageProblem(
                f"{file}: unknown game {short(repr(game))}{suggest(game, games)}", "ladder games"
            )
    return manifest if isinstance(manifest.seats, msgspec.UnsetType) else _with_sizes(manifest, file, games)


def _with_sizes(manifest: BotManifest, file: Path, games: Iterable[str]) -> BotManifest:
    """Return *manifest* with its `seats` in order.  Raises UsageProblem for what its games do not have."""
    from engines import GAMES  # few manifests need it

    assert not isinstance(manifest.seats, msgspec.UnsetType)
    if not manifest.seats:
        raise UsageProblem(f"{file}: `seats` is empty", f"leave it out, or write: {_EXAMPLE['seats']}")
    for game, sizes in manifest.seats.items():
        if game not in (own := manifest.games or tuple(games)):
            what = f"`seats` has {short(repr(game))}, which is no game of this bot{suggest(game, own)}"
            raise UsageProblem(f"{file}: {what}", f"its games are: {', '.join(own)}")
        known = [*GAMES[game].seats]
        if not sizes or len({*sizes}) < len(sizes) or not {*sizes} <= {*known}:
            raise UsageProblem(
                f"{file}: expected sizes of {game} in `seats`, each once, got: {short(str([*sizes]))}",
                f"write some of these: seats = {{ {game} = {known} }}",
            )
    ordered = {game: tuple(sorted(sizes)) for game, sizes in sorted(manifest.seats.items())}
    return msgspec.structs.replace(manifest, seats=ordered)


def _plainly(said: str) -> str:
    """Return what msgspec *said* about a manifest in words of TOML."""
    if not (found := WRONG_TYPE.fullmatch(said)):
        return short(said, 300)
    expected, got, key = found.groups()
    # of what may be there, the first is the plain case
    return (
        f"`{key}` is {TOML_TYPES.get(got, got)}; write {TOML_TYPES.get(expected.split(' | ')[0], expected)}"
    )


def _hint(data: dict[str, Any], said: str) -> str:
    """Return what to do about *data*, of which msgspec *said* what is wrong: most often a list is missing."""
    for key in ("run", "games", "env"):
        if isinstance(value := data.get(key), str):
            words = ", ".join(msgspec.json.encode(short(word)).decode() for word in value.split())
            return f"write a list: {key} = [{words}]"
    if "$.seats" in said:
        return f"write sizes by game: {_EXAMPLE['seats']}"
    return "correct it and submit again"


WRONG_TYPE = re.compile(r"Expected `([^`]+)`, got `([^`]+)` - at `\$\.([\w\[\].]+)`")
TOML_TYPES = {
    "str": "a text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "array": "a list",
    "object": "a table",
}
"""What the types of msgspec are called here."""
_EXAMPLE = {
    "name": 'name = "river-rat"',
    "run": 'run = ["{python}", "bot.py"]',
    "seats": "seats = { stella-quest = [2] }",
}
