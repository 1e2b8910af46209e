"""A class that hands in bots in six languages: ten broken ones, two under one name, one malicious.

Every bot plays Stellar, at random; it is as good as it seldom plays a card face down without need.  A
language whose program is not on this machine is left out, and the others take its place.
"""

from __future__ import annotations

import shutil
import tarfile
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

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
JAVASCRIPT = """\
const skill = Number(process.argv[2]);
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "hello") console.log('{"type":"ready","protocol":1,"view":"none"}');
  if (message.type !== "act") return;
  let random = (message.seed + 31 * message.step) % 2147483647;
  const below = (n) => (random = (random * 48271) % 2147483647) % n;
  const { kind, low } = message.choice;
  let options = message.choice.options;
  const up = options.filter((option) => !option.endsWith(" down"));
  if (below(10) < skill && up.length) options = up;
  const move = kind === "one" ? options[below(options.length)] : options.slice(0, low);
  console.log(JSON.stringify({ id: message.id, move }));
}).on("close", () => process.exit(0));
"""
PERL = """\
use strict; use warnings; use JSON::PP;
$| = 1;
my $skill = $ARGV[0];
while (my $line = <STDIN>) {
  my $message = decode_json($line);
  if ($message->{type} eq "hello") { print qq({"type":"ready","protocol":1,"view":"none"}\\n) }
  next unless $message->{type} eq "act";
  srand($message->{seed} % 2147483647 + 31 * $message->{step});
  my ($choice, @options) = ($message->{choice}, @{$message->{choice}{options}});
  my @up = grep { !/ down$/ } @options;
  @options = @up if rand(10) < $skill && @up;
  my $move = $choice->{kind} eq "one" ? $options[rand @options] : [@options[0 .. $choice->{low} - 1]];
  print encode_json({ id => $message->{id}, move => $move }), "\\n";
}
"""
RUBY = """\
require "json"
$stdout.sync = true
skill = ARGV[0].to_i
while (line = $stdin.gets)
  message = JSON.parse(line)
  puts '{"type":"ready","protocol":1,"view":"none"}' if message["type"] == "hello"
  next unless message["type"] == "act"
  rng = Random.new(message["seed"] + 31 * message["step"])
  choice = message["choice"]
  options = choice["options"]
  up = options.reject { |option| option.end_with?(" down") }
  options = up if rng.rand(10) < skill && !up.empty?
  move = choice["kind"] == "one" ? options[rng.rand(options.size)] : options.first(choice["low"])
  puts JSON.generate({ "id" => message["id"], "move" => move })
end
"""
C = """\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The keys of a message come in a fixed order, and no option has an escaped character. */
static char *after(char *line, const char *key) {
    char *at = strstr(line, key);
    return at ? at + strlen(key) : 0;
}

int main(int count, char **arguments) {
    static char *options[4096];
    int skill = count > 1 ? atoi(arguments[1]) : 0;
    char *line = 0;
    size_t room = 0;
    while (getline(&line, &room, stdin) > 0) {
        if (strstr(line, "{\\"type\\":\\"hello\\"") == line)
            puts("{\\"type\\":\\"ready\\",\\"protocol\\":1,\\"view\\":\\"none\\"}");
        if (strstr(line, "{\\"type\\":\\"act\\"") == line) {
            unsigned seed = strtoul(after(line, "\\"seed\\":"), 0, 10);
            seed += 31 * atoi(after(line, "\\"step\\":"));
            int n = 0, low = 1, one = strstr(line, "\\"kind\\":\\"one\\"") != 0;
            if (!one) low = atoi(after(line, "\\"low\\":"));
            printf("{\\"id\\":\\"%.16s\\",\\"move\\":%s", after(line, "\\"id\\":\\""), one ? "" : "[");
            int careful = rand_r(&seed) % 10 < skill, all = 0;
            char *end = strchr(after(line, "\\"options\\":["), ']');
            *end = 0;
            for (char *at = strtok(after(line, "\\"options\\":["), ",\\""); at; at = strtok(0, ",\\""))
                options[all++] = at;
            for (int i = 0; i < all; i++) {
                size_t size = strlen(options[i]);
                if (careful && size > 5 && !strcmp(options[i] + size - 5, " down")) continue;
                options[n++] = options[i];
            }
            if (!n) n = all;
            if (one) printf("\\"%s\\"", options[rand_r(&seed) % n]);
            for (int i = 0; !one && i < low; i++) printf("%s\\"%s\\"", i ? "," : "", options[i]);
            puts(one ? "}" : "]}");
        }
        fflush(stdout);
    }
    return 0;
}
"""
LUA = """\
-- The keys of a message come in a fixed order, and no option has an escaped character.
local skill = tonumber(arg[1])
for line in io.lines() do
  if line:find('^{"type":"hello"') then
    io.write('{"type":"ready","protocol":1,"view":"none"}\\n')
  elseif line:find('^{"type":"act"') then
    math.randomseed(tonumber(line:match('"seed":(%d+)')) % 2147483647, tonumber(line:match('"step":(%d+)')))
    local options, up = {}, {}
    for option in line:match('"options":(%b[])'):gmatch('"([^"]*)"') do
      options[#options + 1] = option
      if not option:find(" down$") then up[#up + 1] = option end
    end
    if math.random(0, 9) < skill and #up > 0 then options = up end
    local move
    if line:find('"kind":"one"', 1, true) then
      move = '"' .. options[math.random(#options)] .. '"'
    else
      move = '["' .. table.concat(options, '","', 1, tonumber(line:match('"low":(%d+)'))) .. '"]'
    end
    io.write('{"id":"' .. line:match('"id":"(%x+)"') .. '","move":' .. move .. "}\\n")
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
            said, write = BROKEN[way]
            students.append(Student(write(folder, name), name, "Python", said))
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

READY = """\
import json, sys, time
sys.stdin.readline()
print('{"type":"ready","protocol":1,"view":"none"}', flush=True)
for line in sys.stdin:
    act = json.loads(line)
    if act["type"] != "act":
        continue
    answer = {"id": act["id"], "move": act["choice"]["options"][0]}
"""
"""The beginning of a bot that knows what to answer; what it does with the answer follows."""
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


def _program(program: str) -> Callable[[Path, str], str]:
    return lambda folder, name: write_bot(folder / name, name, program=program)


def _manifest(text: str) -> Callable[[Path, str], str]:
    def write(folder: Path, name: str) -> str:
        write_bot(folder / name, name)
        (folder / name / "bot.toml").write_text(text.format(name=name))
        return name

    return write


def _without_manifest(folder: Path, name: str) -> str:
    write_bot(folder / name, name)
    (folder / name / "bot.toml").unlink()
    (folder / name / LANGUAGES["Python"].file).rename(folder / name / "program")  # a script would be taken
    return name


def _that_leads_out(folder: Path, name: str) -> str:
    with zipfile.ZipFile(folder / f"{name}.zip", "w") as target:
        target.writestr("bot.toml", f'name = "{name}"\nrun = ["{{python}}", "bot.py"]\n')
        target.writestr("../../../bot.py", PYTHON)
    return f"{name}.zip"


SAY = "    print(json.dumps(answer), flush=True)\n"
BROKEN: tuple[tuple[str, Callable[[Path, str], str]], ...] = (
    ("stellar: start: the process ", _program("import jsno\n")),
    ("has no bot.toml", _without_manifest),
    ("stellar: illegal: expected one of", _program(READY + "    answer['move'] = 'cheat'\n" + SAY)),
    ("leads out of the folder", _that_leads_out),
    ("stellar: protocol: ", _program(READY + "    print('thinking', flush=True)\n")),
    ("the build", _manifest('name = "{name}"\nrun = ["./bot"]\nbuild = "cc -o bot bot.c"\n')),
    ("`run` is a text; write a list", _manifest('name = "{name}"\nrun = "python3 bot.py"\n')),
    ("unknown key 'nmae'", _manifest('nmae = "{name}"\nrun = ["{{python}}", "bot.py"]\n')),
    ("stellar: crash: the process ", _program(READY + "    raise SystemError('no luck')\n")),
    ("stellar: timeout: no answer within", _program(READY + "    time.sleep(600)\n")),
)
"""Ten ways to be broken: what must be said, and what writes such a submission and returns its entry."""
