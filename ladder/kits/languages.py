"""The languages of kits.  Their files are in bots/kits/NAME, in which `{{name}}` is the bot's name."""

import shutil
import tomllib
from pathlib import Path

import msgspec

from ladder.errors import UsageProblem, suggest

KITS = Path(__file__).parents[2] / "bots" / "kits"
"""The folder with the files of the kits."""


class Language(msgspec.Struct, frozen=True):
    """A language and its kit.

    *main* is the file with the strategy.  *tools* are the programs that build and run the bot, each with the
    Debian package that brings it; *install* says it for other systems.  *types_file* has the types of a view,
    and the template *types* makes it.  *shared* are files in other folders of bots/kits that belong to the
    kit as well.
    """

    name: str
    title: str
    main: str
    tools: dict[str, str] = {}
    install: str = ""
    types_file: str = ""
    types: str = ""
    aliases: tuple[str, ...] = ()
    shared: tuple[str, ...] = ()

    def missing(self) -> list[str]:
        """Return the tools that are not on this machine."""
        return [tool for tool in self.tools if not shutil.which(tool)]

    def advice(self) -> str:
        """Return how to install the tools that are missing."""
        packages = dict.fromkeys(self.tools[tool] for tool in self.missing())
        return f"apt install {' '.join(packages)}" + (f", or see {self.install}" if self.install else "")


LANGUAGES = {
    name: msgspec.convert({"name": name, **facts}, Language)
    for name, facts in tomllib.loads(Path(__file__).with_name("languages.toml").read_text("utf-8")).items()
}
"""The languages, by what is typed for them."""


def find_language(word: str) -> Language:
    """Return the language that *word* names, in any case; raise UsageProblem if there is no kit for it."""
    names = {name: each for each in LANGUAGES.values() for name in (each.name, *each.aliases)}
    if word.lower() in names:
        return names[word.lower()]
    raise UsageProblem(f"there is no kit for {word[:80]!r}{suggest(word.lower(), names)}", "ladder new")
