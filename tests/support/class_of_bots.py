"""A class that hands in bots in six languages: ten broken ones, two under one name, one malicious.

Every bot plays Stellar: in Python at random, as good as it seldom plays a card face down without need, and in
other languages its first option.  A language whose program is not on this machine is left out, and the others
take its place.
"""

import shutil
import tarfile
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from support.here import PLAYER

PROGRAMS = Path(__file__).with_name("class_programs")


@dataclass(frozen=True)
class Language:
    """How a bot is written in a language: its file, its program, and its command."""

    file: str
    run: tuple[str, ...]
    needs: str
    """The program that this machine must have."""
    build: str = ""


LANGUAGES: Mapping[str, Language] = {
    "Python": Language("bot.py", ("{python}", "bot.py"), "python3"),
    "JavaScript": Language("bot.js", ("node", "bot.js"), "node"),
    "C": Language("bot.c", ("./bot",), "cc", "cc -O1 -o bot bot.c"),
    "Perl": Language("bot.pl", ("perl", "bot.pl"), "perl"),
    "Ruby": Language("bot.rb", ("ruby", "bot.rb"), "ruby"),
    "Lua": Language("bot.lua", ("lua5.4", "bot.lua"), "lua5.4"),
}


def languages_here() -> list[str]:
    """Return the languages whose programs are on this machine."""
    return [name for name, language in LANGUAGES.items() if shutil.which(language.needs)]


@dataclass(frozen=True)
class Student:
    """One submission, and what must become of it."""

    entry: str
    """Its name in the folder of submissions."""
    bot: str
    language: str
    said: str = ""
    """What must stand in the reason why it is refused; empty if it must be accepted."""


@dataclass(frozen=True)
class Class:
    """A class and its folder of submissions."""

    folder: Path
    students: list[Student]

    @property
    def accepted(self) -> list[Student]:
        """The students whose bots must be accepted."""
        return [student for student in self.students if not student.said]


def hand_in(folder: Path, size: int = 60, broken: int = 10) -> Class:
    """Write the submissions of a class of *size* to *folder*, at least 3 + *broken*; return it.

    The last one is malicious, the one before has the name of the first, and the *broken* ones, each in
    another way, stand before these.  A third of the others are folders, a third .zip, a third .tar.gz.
    """
    folder.mkdir(parents=True)
    students = []
    languages = languages_here()
    for number in range(1, size + 1):
        name, language = f"s{number:02}", languages[(number - 1) % len(languages)]
        way = number - (size - broken - 1)
        if number == size:
            write_bot(folder / name, name, "Python", program="malicious.py")
            students.append(Student(name, name, "Python"))
        elif number == size - 1:
            write_bot(folder / name, "s01", language)
            students.append(Student(name, "s01", language, "'s01' is the name of another submission, s01"))
        elif way >= 0:
            BROKEN[way].write(folder / BROKEN[way].name)
            students.append(Student(BROKEN[way].name, name, "Python", BROKEN[way].said))
        else:
            write_bot(folder / name, name, language, skill=number % 11)
            entry = pack(folder / name, number % 3) if number % 3 else name
            students.append(Student(entry, name, language))
    return Class(folder, students)


def write_bot(
    folder: Path, name: str, language: str = "Python", skill: int = 5, *, program: str = "", more: str = ""
) -> str:
    """Write a bot to *folder*, with *more* in its bot.toml; return the folder's name."""
    how = LANGUAGES[language]
    folder.mkdir(exist_ok=True)
    (folder / how.file).write_text((PROGRAMS / (program or how.file)).read_text())
    run = ", ".join(f'"{word}"' for word in (*how.run, str(skill)))
    lines = [f'name = "{name}"', f"run = [{run}]", 'games = ["stellar"]']
    lines += [f'build = "{how.build}"'] if how.build else []
    (folder / "bot.toml").write_text("\n".join([*lines, more]) + "\n")
    return folder.name


def pack(folder: Path, kind: int) -> str:
    """Replace *folder* by an archive of it, .zip (1) or .tar.gz (2); return the name of that."""
    archive = folder.with_name(folder.name + (".zip" if kind == 1 else ".tar.gz"))
    files = sorted(folder.iterdir())
    if kind == 1:
        with zipfile.ZipFile(archive, "w") as target:
            for file in files:
                target.write(file, f"{folder.name}/{file.name}")
    else:
        with tarfile.open(archive, "w:gz") as tar:
            tar.add(folder, folder.name)
    shutil.rmtree(folder)
    return archive.name


# -- what goes wrong


class Broken(NamedTuple):
    """A submission that must be refused."""

    name: str
    said: str
    """What must stand in the reason."""
    content: str | Mapping[str, str]
    """The text of its file, or the files of a folder or an archive."""

    def write(self, path: Path) -> None:
        if isinstance(self.content, str):
            path.write_text(self.content)
        elif path.suffix == ".zip":
            with zipfile.ZipFile(path, "w") as archive:
                for name, text in self.content.items():
                    archive.writestr(name, text)
        else:
            path.mkdir()
            for name, text in self.content.items():
                (path / name).write_text(text)


ANSWER = "        print(json.dumps(answer), flush=True)\n"
assert ANSWER in PLAYER
BROKEN = (
    Broken("numpy_bot.py", "keras_of_mine is not on this machine", f"import keras_of_mine\n{PLAYER}"),
    Broken("no_program", "has no bot.toml", {"program": PLAYER}),
    Broken("invents.py", "attack", PLAYER.replace('"move": move', '"move": "attack"')),
    Broken("leads_out.zip", "leads out of the folder", {"../../bot.py": PLAYER}),
    Broken("debugs.py", "log to stderr, as in", PLAYER.replace(ANSWER, f"        print('hm')\n{ANSWER}")),
    Broken("indent.py", "Python cannot read line", PLAYER.replace(ANSWER, f" {ANSWER}")),
    Broken("lost", "bto", {"bot.toml": 'name = "lost"\nrun = ["./bto"]\n', "bot": ""}),
    Broken("python2.py", "Python 2", "import sys\nfor line in sys.stdin:\n    print line\n"),
    Broken("pretty.py", "on one line", PLAYER.replace("(answer)", "(answer, indent=2)")),
    Broken("loops.py", "no answer within", PLAYER.replace(ANSWER, "        while True: pass\n")),
)
"""Ten ways to be broken, and what is said of each; a busy machine cannot judge the last."""
