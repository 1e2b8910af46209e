"""A class that hands in bots in six languages: ten broken ones, two under one name, one malicious.

Every bot plays Stellar: in Python at random, as good as it seldom plays a card face down without need, and in
other languages its first option.  A language whose program is not on this machine is left out, and the others
take its place.
"""

from __future__ import annotations

import shutil
import tarfile
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from support.odd_class import JAVASCRIPT, REFUSED, RUBY, C

__all__ = ["Class", "Student", "hand_in", "languages_here", "write_bot"]

PYTHON = """\
import json, random, sys

skill = int(sys.argv[1])
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type":"ready","protocol":1,"view":"none"}', flush=True)
    elif message["type"] == "act":
        rng = random.Random(f"{message['seed']}/{message['step']}")
        choice = message["choice"]
        options = choice["options"]
        if rng.randrange(10) < skill:
            options = [option for option in options if not option.endswith(" down")] or options
        move = rng.choice(options) if choice["kind"] == "one" else rng.sample(options, choice["low"])
        print(json.dumps({"id": message["id"], "move": move}), flush=True)
"""
PERL = """\
use strict; use warnings; use JSON::PP;
$| = 1;
while (my $line = <STDIN>) {
  my $message = decode_json($line);
  if ($message->{type} eq "hello") { print qq({"type":"ready","protocol":1,"view":"none"}\\n) }
  next unless $message->{type} eq "act";
  my ($choice, @options) = ($message->{choice}, @{$message->{choice}{options}});
  my $move = $choice->{kind} eq "one" ? $options[0] : [@options[0 .. $choice->{low} - 1]];
  print encode_json({ id => $message->{id}, move => $move }), "\\n";
}
"""
LUA = """\
-- The keys of a message come in a fixed order, no option has an escaped character, and all choose one.
for line in io.lines() do
  if line:find('^{"type":"hello"') then
    io.write('{"type":"ready","protocol":1,"view":"none"}\\n')
  elseif line:find('^{"type":"act"') then
    local move = line:match('"options":%["([^"]*)"')
    io.write('{"id":"' .. line:match('"id":"(%x+)"') .. '","move":"' .. move .. '"}\\n')
  end
  io.flush()
end
"""


@dataclass(frozen=True)
class Language:
    """How a bot is written in a language: its file, its program, and its command."""

    file: str
    program: str
    run: tuple[str, ...]
    needs: str
    """The program that this machine must have."""
    build: str = ""


LANGUAGES: Mapping[str, Language] = {
    "Python": Language("bot.py", PYTHON, ("{python}", "bot.py"), "python3"),
    "JavaScript": Language("bot.js", JAVASCRIPT, ("node", "bot.js"), "node"),
    "C": Language("bot.c", C, ("./bot",), "cc", "cc -O1 -o bot bot.c"),
    "Perl": Language("bot.pl", PERL, ("perl", "bot.pl"), "perl"),
    "Ruby": Language("bot.rb", RUBY, ("ruby", "bot.rb"), "ruby"),
    "Lua": Language("bot.lua", LUA, ("lua5.4", "bot.lua"), "lua5.4"),
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

    @property
    def refused(self) -> list[Student]:
        """The students whose bots must be refused."""
        return [student for student in self.students if student.said]


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
            write_bot(folder / name, name, "Python", program=MALICIOUS)
            students.append(Student(name, name, "Python"))
        elif number == size - 1:
            write_bot(folder / name, "s01", language)
            students.append(Student(name, "s01", language, "'s01' is the name of another submission, s01"))
        elif way >= 0:
            BROKEN[way].make(folder / BROKEN[way].name)
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
    (folder / how.file).write_text(program or how.program)
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

MALICIOUS = """\
import glob, json, os, pathlib, random, socket, sys

def attempt(what):
    try:
        return what()
    except Exception:
        return None

def mischief():
    here = pathlib.Path(__file__).resolve()
    home = next((folder for folder in here.parents if (folder / "ladder.toml").exists()), pathlib.Path("/"))
    yield "settings", lambda: (home / "ladder.toml").read_text()
    yield "secrets", lambda: (home / "results" / "runs.parquet").read_bytes()
    yield "others", lambda: open(glob.glob(f"{home}/bots/s0*/*/files/bot.*")[0]).read()
    yield "results", lambda: (home / "results" / "mine.txt").write_text("mine")
    yield "itself", lambda: here.with_name("more.py").write_text("more")
    yield "network", lambda: socket.create_connection(("127.0.0.1", 22), 1)
    yield "environment", lambda: open(f"/proc/{os.getppid()}/environ").read() or None

done = [name for name, what in mischief() if attempt(what) is not None]
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type":"ready","protocol":1,"view":"none"}', flush=True)
    elif message["type"] == "act":
        rng = random.Random(f"{message['seed']}/{message['step']}")
        choice = message["choice"]
        options = choice["options"]
        move = rng.choice(options) if choice["kind"] == "one" else options[: choice["low"]]
        answer = {"id": message["id"], "move": move, "note": "done: " + " ".join(done)}
        print(json.dumps(answer), flush=True)
"""
"""A bot that plays, and tries what it must not; it notes what it got through with."""


BROKEN = tuple(
    next(entry for entry in REFUSED if entry.name == name)
    for name in (
        *("numpy_bot.py", "no_program", "invents.py", "leads_out.zip", "debugs.py"),
        *("typo", "lost", "loops.py", "python2.py", "broken.zip"),
    )
)
"""Ten ways to be broken."""
