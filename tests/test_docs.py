"""What the documents say is true: their commands run, their tables are complete, their links lead somewhere.

Every `ladder ...` command of every page is run once, beside the bot that the README shows and in a home where
matches were played.  Numbers differ: a large `--games`, `--matches` or `--for` becomes a small one.  So do
options that save work: see SMALLER.  What becomes the same is run once.
Commands that name another machine are run by test_cluster, on a cluster.
"""

import json
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from typing import get_args

import msgspec
import pyarrow as pa
import pytest
from support.command_line import ENVIRONMENT, run_apart, run_here
from support.documents import PAGES, README, anchors, blocks, commands, folder_of, rows, section
from support.need import need
from support.places import ROOT
from support.sites import in_this_process

from engines import GAMES
from ladder.cli.commands import ALIASES, COMMANDS
from ladder.home.settings import Settings
from ladder.registry.bot_manifest import BotManifest, read_manifest
from results.record import RunSettings
from results.reports.leaderboard import LATER, LEADERBOARD
from results.storage.schema import FAULTS, MATCHES, PAIRS, RATINGS, REVIEWS, RUNS, SEASONS

SMALLER = {
    r"--games \d+": "--games 4",
    # `.ci/life` lets it measure, in the compiled build; here its options must be right
    r"^(ladder bench .+)": r"\1 --help",
    r"^ladder site (\S+)( --title .*?| --private)?( --matches \d+)?$": r"ladder site \1\2 --matches 4",
    r"--for \w+": "--for 1s",
    # the number of matches that an example leaves to the ladder
    r"^(ladder run (?!.*--(?:games|for)\b).*)": r"\1 --games 4",
    # runs play one game, whose reviews are quick; one run plays all
    r"^(ladder run (?!--games 4$)(?!.*--game\b).+)": r"\1 --game stella-quest --seats 2",
    r"^ladder check my_bot.py": r"ladder check my_bot.py --game stellar",
    r"^(ladder duel greedy my_bot.py .+)": r"\1 --games 16",
    r"^(ladder tournament new .+?)( --blocks \d+)?$": r"\1 --blocks 1",
    # by then that of the example has begun
    r"^(ladder tournament remove .+)": r"\1 --help",
    # an author types it after a change
    r"^ladder try (\S+)": r"ladder try \1 --against greedy --game stellar --games 4",
    r"^ladder inbox (\S+)": r"ladder inbox \1 --once",
    # hundreds of matches, whose number is fixed
    r"^(ladder reference (?!--draw).+)": r"\1 --help",
}
APART = (
    r"bench|bots (ask|diff|house|similar|trial)|check|doctor|duel|inbox|play|reference|review|run|selftest"
    r"|submit|tournament run|try"
)
"""Commands that let bots play, or do much else, run in a process of their own; others are as quick here."""
HOME = PAGES["ladder/home/README.md"]
RESULTS = PAGES["results/README.md"]
SETTINGS = {field.name: field.type for field in msgspec.structs.fields(Settings)}


def in_code(cells):
    """Return what *cells* show as code."""
    return [code for cell in cells for code in re.findall(r"`([^`]+)`", cell)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory, played):
    """Return a folder with the README's bot, homes of its own and a secret."""
    path = tmp_path_factory.mktemp("reader")
    for home in ("ladder-home", "shard-1", "shard-2"):
        shutil.copytree(played.home, path / home)
    (path / "secret.txt").write_text("0123456789abcdef" * 2)
    (path / "my_bot.py").write_text(blocks("python")[0])
    cards = [f'[[cards]]\nid = "p{i}"\ntext = "A picture of {i} cats."\n' for i in range(30)]
    (path / "submissions").mkdir()
    (path / "inbox").mkdir()
    shutil.copy(path / "my_bot.py", path / "submissions" / "s01.py")
    (path / "my-deck.toml").write_text("".join(cards))
    return path


@pytest.fixture(scope="module")
def tabled(tmp_path_factory, played):
    """Return a folder with a home and its matches as a flat table, for programs that read them."""
    path = tmp_path_factory.mktemp("tables")
    shutil.copytree(played.home, path / "ladder-home")
    assert 0 == run_here("export", path / "seats.parquet", "--home", played.home).code
    return path


# -- commands and programs


def ends_by_itself(command):
    """Return whether *command* needs no other machine, and ends; what does not has tests of its own."""
    return "://" not in command and not command.startswith("ladder serve") and "--forever" not in command


def make_smaller(command):
    for pattern, smaller in SMALLER.items():
        command = re.sub(pattern, smaller, command)
    return command


@pytest.mark.parametrize("command", dict.fromkeys(map(make_smaller, filter(ends_by_itself, commands()))))
@pytest.mark.slow
def test_a_command_of_a_page_runs(folder, command, monkeypatch):
    monkeypatch.chdir(folder)
    words = shlex.split(command)[1:]
    with in_this_process():  # a site, too
        code, _, err = run_apart(*words, cwd=folder) if is_apart(command) else run_here(*words)
    # a duel says by its exit code which one is better
    assert code in ((0, 5, 6) if name_of(command) in ("duel", "try") else (0,)), err


def is_apart(command):
    return re.fullmatch(APART, name_of(command)) is not None


def name_of(command):
    """Return the name of a command as COMMANDS has it: `ladder verify --repair` is `home verify`."""
    first, *rest = command.split()[1:]
    both = " ".join([first, *rest[:1]])
    return ALIASES.get(first, both if both in COMMANDS else first)


def test_every_command_has_an_example_on_a_page():
    assert {*COMMANDS} == {name_of(command) for command in commands()}


@pytest.mark.tools
@pytest.mark.parametrize("program", blocks("python", RESULTS), ids=lambda text: text.split()[1])
def test_a_recipe_in_python_prints_the_bots(tabled, program):
    need(program.split()[1])
    done = subprocess.run([sys.executable, "-c", program], cwd=tabled, capture_output=True, text=True)
    assert 0 == done.returncode, done.stderr
    for bot in ("greedy", "random", "stumbler"):
        assert bot in done.stdout


@pytest.mark.process
def test_the_python_program_of_the_readme_plays_and_prints_a_leaderboard(tmp_path):
    program = blocks("python")[1]
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, env=ENVIRONMENT, capture_output=True, text=True
    )
    assert 0 == done.returncode, done.stderr
    assert "first" in done.stdout


def statements():
    return [query.strip() for block in blocks("sql", RESULTS) for query in block.split(";") if query.strip()]


@pytest.mark.tools
@pytest.mark.parametrize("query", statements())
def test_a_recipe_in_sql_finds_rows(tabled, query, monkeypatch):
    duckdb = need("duckdb")
    monkeypatch.chdir(tabled)
    assert duckdb.sql(query).fetchall()


def test_the_readme_starts_and_is_tested_with_one_line_each():
    first, *_, last = blocks("sh")
    assert blocks("sh", section(README, "Start")) == [first]
    assert (
        first
        == "python3 -m venv .venv && .venv/bin/pip install -q '.[web]' && .venv/bin/ladder run --games 1000\n"
    )
    assert last == "python3 -m venv .venv && .venv/bin/pip install -q -e '.[test]' && .venv/bin/pytest\n"


def test_the_readme_says_that_it_compiles_how_to_watch_it_and_how_to_skip_it():
    start = " ".join(section(README, "Start").split())
    assert "`pip install -q` is silent while it [compiles]" in start
    install = ".venv/bin/pip install -v '.[web]'"
    assert f"`{install}` shows what it does" in start
    assert f"`LADDER_COMPILE=never {install}` does not compile" in start
    assert f" {install} " in (ROOT / ".ci/life").read_text("utf-8")


def test_the_gate_begins_on_a_bare_machine_with_the_readmes_line_before_it_installs_anything():
    first, second, third, *rest = re.findall(r"^step .*", (ROOT / ".ci/run").read_text("utf-8"), re.MULTILINE)
    assert "step 'bare machine' .ci/bare" == first
    assert " .ci/bare --root --module " in second
    assert " pip" not in first + second
    assert third.endswith("pip install -q -e '.[test-all]'\"")
    lines = r"^python3 -m venv .* && .venv/bin/pytest$"
    assert f"grep -m 1 '{lines}' README.md" in (ROOT / ".ci/bare").read_text("utf-8")
    assert [blocks("sh")[-1].strip()] == re.findall(lines, README, re.MULTILINE)
    order = ("lint", "format", "types", "tools", "life", "compiled", "slow", "'process and tools'")
    assert [*order] == [re.sub(r"^step ('.*?'|\w+) .*", r"\1", line) for line in rest]


@pytest.mark.process
def test_the_bot_of_the_readme_is_small_and_the_ladder_takes_it(folder):
    bot = blocks("python")[0]
    assert len([line for line in bot.splitlines() if line]) <= 10
    again = run_apart("submit", "my_bot.py", cwd=folder)
    assert 0 == again.code, again.err


def test_the_python_of_the_pages_compiles():
    for name, page in PAGES.items():
        for i, block in enumerate(blocks("python", page)):
            compile(block, f"{name}, block {i}", "exec")


# -- tables


def test_the_readme_is_a_front_door():
    assert 150 >= len(README.splitlines())


def test_the_picture_of_the_readme_has_the_columns_of_a_leaderboard(played):
    real = run_here("leaderboard", "--game", "stellar", "--home", played.home).out
    drawn = blocks("")[0]
    (heading,) = (line for line in real.splitlines() if line.lstrip().startswith("#"))
    (shown,) = (line for line in drawn.splitlines() if line.lstrip().startswith("#"))
    assert [title for title in heading.split() if title != "faults"] == shown.split()  # there are none


def test_the_manifest_that_a_page_shows_can_be_read(tmp_path):
    (tmp_path / "bot.toml").write_text(blocks("toml", PAGES["ladder/registry/README.md"])[0])
    assert "my-bot" == read_manifest(tmp_path, GAMES).name


def test_every_key_of_a_manifest_is_explained():
    told = rows(section(PAGES["ladder/registry/README.md"], "Folders and `bot.toml`"))
    assert set(BotManifest.__struct_fields__) == set(in_code([row[0] for row in told]))


SECTIONS = {
    "[run]": SETTINGS["run"],
    "[limits]": SETTINGS["limits"],
    "[sandbox]": SETTINGS["sandbox"],
    "[allow]": SETTINGS["allow"],
    "[quota.NAME]": get_args(SETTINGS["quota"])[1],
    "[inbox]": SETTINGS["inbox"],
    "[notify]": SETTINGS["notify"],
    "[site]": SETTINGS["site"],
    "[ratings.NAME]": get_args(SETTINGS["ratings"])[1],
}


@pytest.mark.parametrize("heading", SECTIONS)
def test_every_key_of_the_settings_is_explained_with_its_default(heading):
    told = {key.strip("`"): default for key, default, _ in rows(section(HOME, heading))}
    fields = {
        field.name: None if field.required else field.default
        for field in msgspec.structs.fields(SECTIONS[heading])
    }
    if heading == "[limits]":
        for table in ("bots", "games"):
            del fields[table]
            assert f"`[limits.{table}.NAME]` has" in section(HOME, heading)
        del fields["remote"]
        assert "`[limits.remote]` has" in section(HOME, heading)
    assert set(fields) == set(told)
    for name, default in fields.items():
        unset = ("all", "none", "the game's", "measured", "as memory allows")
        expected = f"`{json.dumps(default)}`" if default not in ((), None) else unset
        assert told[name] in expected, name


def test_every_section_of_the_settings_is_explained():
    told = re.findall(r"^### \[(\w+)", HOME, re.MULTILINE)
    assert list(SETTINGS) == told


def test_every_column_of_the_leaderboard_is_explained():
    told = in_code([row[1] for row in rows(section(RESULTS, "Leaderboards"))])
    assert [column.key for column in (*LEADERBOARD, *LATER)] == told


SEATS = pa.schema(list(MATCHES.field("seats").type.value_type))


@pytest.mark.parametrize(
    ("heading", "schema"),
    [
        ("Runs", RUNS),
        ("Seasons", SEASONS),
        ("Matches", MATCHES),
        ("Seats", SEATS),
        ("Faults", FAULTS),
        ("Ratings", RATINGS),
        ("Pairs", PAIRS),
        ("Reviews", REVIEWS),
    ],
    ids=["runs", "seasons", "matches", "seats", "faults", "ratings", "pairs", "reviews"],
)
def test_every_column_of_a_stored_file_is_explained_with_its_type_and_unit(heading, schema):
    told = rows(section(RESULTS, heading))
    assert [[f"`{field.name}`", in_words(field.type)] for field in schema] == [row[:2] for row in told]
    for column, _, unit, meaning in told:
        assert column.endswith("_us`") == (unit == "us")
        assert meaning


def test_every_setting_of_a_stored_run_is_explained():
    told = in_code([row[0] for row in rows(section(RESULTS, "Settings of a run"))])
    assert list(RunSettings.__struct_fields__) == told


def in_words(kind):
    """Return the name of a type of columns as the page has it."""
    if pa.types.is_list(kind):
        return f"list of {in_words(kind.value_type)}"
    if pa.types.is_map(kind):
        return f"map of {kind.key_type} to {kind.item_type}"
    return "struct" if pa.types.is_struct(kind) else str(kind).partition("[")[0]


# -- links


@pytest.mark.parametrize("document", PAGES)
def test_every_link_leads_somewhere(document):
    for target in re.findall(r"\]\((?!https?://)([^)]+)\)", PAGES[document]):
        name, _, title = target.partition("#")
        path = (folder_of(document) / name).resolve() if name else ROOT / document
        assert path.exists(), target
        if title:
            assert title in anchors(path.read_text("utf-8")), target


@pytest.mark.parametrize("page", PAGES)
def test_every_page_keeps_the_width_of_the_house(page):
    """Tables and code are as wide as they must be, and so is a line that is one link or one piece of code."""
    prose = re.sub(r"^( *)```.*?^\1```$", "", PAGES[page], flags=re.MULTILINE | re.DOTALL)
    long = [line for line in prose.splitlines() if len(line) > 110 and not line.startswith("|")]
    assert [] == [line for line in long if " " in re.sub(r"`[^`]*`|\]\([^)]*\)", "", line).strip()]


def test_every_page_can_be_reached_from_the_readme():
    reached, waiting = set[str](), ["README.md"]
    while waiting:
        page = waiting.pop()
        reached.add(page)
        for target in re.findall(r"\]\((?!https?://)([^)#]+)", PAGES[page]):
            path = (folder_of(page) / target).resolve()
            name = str((path / "README.md" if path.is_dir() else path).relative_to(ROOT))
            if name in PAGES and name not in reached:
                waiting.append(name)
    assert set(PAGES) == reached


def test_the_changelog_has_an_entry_for_this_version():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    version = (ROOT / project["tool"]["hatch"]["version"]["path"]).read_text("utf-8")
    version = version.partition('__version__ = "')[2].partition('"')[0]
    assert f"\n## [{version}] - " in (ROOT / "CHANGELOG.md").read_text("utf-8")


def test_the_changelog_sorts_every_version_into_the_kinds_of_keep_a_changelog():
    for version in re.split(r"^## ", PAGES["CHANGELOG.md"], flags=re.MULTILINE)[1:]:
        kinds = re.findall(r"^### (.+)$", version, re.MULTILINE)
        order = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"]
        assert kinds == [kind for kind in order if kind in kinds]


def test_data_from_elsewhere_is_credited_in_the_licence_beside_it():
    data = [path for path in (ROOT / "engines").glob("*/*.json") if path.name != "schema.json"]
    about = {path: json.loads(path.read_text("utf-8"))["about"] for path in data}
    foreign = {path.name for path, text in about.items() if "CC BY-SA" in text or "BSD" in text}
    assert {"boards.json"} == foreign
    licence = (ROOT / "engines/starry_sky/LICENSE").read_text("utf-8")
    sources = "western_rey", "western_SnT", "CC BY-SA 4.0", "d3-celestial", "Copyright (c) 2015, Olaf Frohn"
    assert [] == [source for source in sources if source not in licence]
