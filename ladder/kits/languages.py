"""The languages that there are kits for.

The files of a kit are in bots/kits/NAME.  In them, `{{name}}` is the name of the bot.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import msgspec

from ladder.errors import UsageProblem, suggest
from ladder.machine.installation import ROOT

KITS = Path(ROOT, "bots", "kits")
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
    language.name: language
    for language in (
        Language("python", "Python", "bot.py", types_file="view.py", types="python", aliases=("py",)),
        Language(
            "javascript",
            "JavaScript",
            "bot.js",
            tools={"node": "nodejs"},
            install="https://nodejs.org",
            types_file="view.d.ts",
            types="typescript",
            aliases=("js", "node"),
        ),
        Language(
            "typescript",
            "TypeScript",
            "bot.ts",
            tools={"node": "nodejs", "tsc": "node-typescript"},
            install="https://www.typescriptlang.org/download",
            types_file="view.ts",
            types="typescript",
            aliases=("ts",),
        ),
        Language(
            "csharp",
            "C#",
            "Bot.cs",
            tools={"mcs": "mono-mcs", "mono": "mono-runtime"},
            install="https://www.mono-project.com",
            types_file="View.cs",
            types="csharp",
            aliases=("c#", "cs"),
        ),
        Language(
            "go",
            "Go",
            "bot.go",
            tools={"go": "golang-go"},
            install="https://go.dev/dl",
            types_file="view.go",
            types="go",
            aliases=("golang",),
        ),
        Language("ruby", "Ruby", "bot.rb", tools={"ruby": "ruby"}, aliases=("rb",)),
        Language(
            "php",
            "PHP",
            "bot.php",
            tools={"php": "php-cli"},
            types_file="view.php",
            types="php",
        ),
        Language("perl", "Perl", "bot.pl", tools={"perl": "perl"}, aliases=("pl",)),
        Language("bash", "Bash", "bot.sh", tools={"bash": "bash", "jq": "jq"}, aliases=("sh", "shell")),
        Language(
            "c",
            "C",
            "bot.c",
            tools={"cc": "gcc"},
            types_file="view.h",
            types="c",
            shared=("shared/json.h",),
        ),
        Language(
            "cpp",
            "C++",
            "bot.cpp",
            tools={"c++": "g++"},
            types_file="view.hpp",
            types="cpp",
            aliases=("c++", "cxx"),
            shared=("shared/json.h",),
        ),
        Language(
            "java",
            "Java",
            "Bot.java",
            tools={"javac": "default-jdk-headless", "java": "default-jdk-headless"},
            install="https://adoptium.net",
            types_file="View.java",
            types="java",
        ),
        Language(
            "rust",
            "Rust",
            "src/main.rs",
            tools={"cargo": "cargo", "rustc": "rustc"},
            install="https://rustup.rs",
            types_file="src/view.rs",
            types="rust",
            aliases=("rs",),
        ),
        Language("lua", "Lua", "bot.lua", tools={"lua": "lua5.4"}, install="https://lua.org/download.html"),
    )
}
"""The languages, by what is typed for them."""


def find_language(word: str) -> Language:
    """Return the language that *word* names, in any case; raise UsageProblem if there is no kit for it."""
    names = {name: each for each in LANGUAGES.values() for name in (each.name, *each.aliases)}
    if word.lower() in names:
        return names[word.lower()]
    raise UsageProblem(f"there is no kit for {word[:80]!r}{suggest(word.lower(), names)}", "ladder new")
