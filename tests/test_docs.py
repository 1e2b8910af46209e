"""What the documents say is true: their commands run, their tables are complete, their links lead somewhere.

Every `ladder ...` command of the README is run once, in the order of the page, beside the bot that the page
shows and in a home where matches were played.  Only numbers differ: a large `--games`, `--matches` or `--for`
becomes a small one.  Those that name another machine are run by test_cluster, on a cluster.
"""

from __future__ import annotations

import re
import shlex
import shutil
import tomllib
from pathlib import Path

import msgspec
import pytest
from support.command_line import ENVIRONMENT, PlayedHome, typed
from support.documents import README, blocks, commands
from support.places import ROOT

from engines import GAMES
from ladder.cli import COMMANDS
from ladder.registry.manifest import Manifest, read_manifest
from ladder.settings import Settings
from results.reports.tables import LEADERBOARD

DOCUMENTS = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "engines/README.md", "results/COST.md"]
SMALLER = {
    r"--games \d+": "--games 4",
    r"--matches \d+": "--matches 100 --rounds 1",
    r"--for \w+": "--for 1s",
}


def keys(section: str) -> list[str]:
    """Return what stands in code in the first column of the table under a heading."""
    text = README.partition(f"\n## {section}\n")[2].partition("\n## ")[0]
    first = [line.split("|")[1] for line in text.splitlines() if line.startswith("| `")]
    return [key for cell in first for key in re.findall(r"`([^`]+)`", cell)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, played: PlayedHome) -> Path:
    """Return a folder with the README's bot, homes of its own and a secret."""
    path = tmp_path_factory.mktemp("reader")
    for home in ("ladder-home", "shard-1", "shard-2"):
        shutil.copytree(played.home, path / home)
    (path / "secret.txt").write_text("0123456789abcdef" * 2)
    (path / "my_bot.py").write_text(blocks("python")[0])
    cards = [f'[[cards]]\nid = "p{i}"\ntext = "A picture of {i} cats."\n' for i in range(30)]
    (path / "my-deck.toml").write_text("".join(cards))
    return path


@pytest.mark.parametrize("command", [command for command in commands() if "://" not in command])
def test_a_command_of_the_readme_runs(folder: Path, command: str) -> None:
    for pattern, smaller in SMALLER.items():
        command = re.sub(pattern, smaller, command)
    code, _, err = typed(*shlex.split(command)[1:], cwd=folder, env=ENVIRONMENT)
    assert 0 == code, err


def test_every_command_has_an_example_in_the_readme() -> None:
    names = {command.__name__ for commands in COMMANDS.values() for command in commands}
    assert names == {command.split()[1] for command in commands()}


def test_the_readme_begins_with_the_line_that_does_everything() -> None:
    first, second, *_ = blocks("sh")
    assert (
        first == "python3 -m venv .venv && .venv/bin/pip install -q . && .venv/bin/ladder run --games 1000\n"
    )
    assert second == "python3 -m venv .venv && .venv/bin/pip install -q -e '.[test]' && .venv/bin/pytest\n"


def test_the_gate_runs_the_readmes_tests_then_lint_format_and_types() -> None:
    gate = (ROOT / ".ci/run").read_text("utf-8")
    lint = ".venv/bin/ruff check\n.venv/bin/ruff format --check\n.venv/bin/mypy\n"
    assert gate.endswith(f"\n{blocks('sh')[1]}{lint}")


def test_the_bot_of_the_readme_is_small_and_the_ladder_takes_it(folder: Path) -> None:
    bot = blocks("python")[0]
    assert len([line for line in bot.splitlines() if line]) <= 10
    again = typed("submit", "my_bot.py", cwd=folder)
    assert 0 == again.code, again.err


def test_the_manifest_of_the_readme_can_be_read(tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_text(blocks("toml")[0])
    assert "my-bot" == read_manifest(tmp_path, GAMES).name


def test_the_readme_explains_every_key_of_a_manifest() -> None:
    assert set(Manifest.__struct_fields__) == set(keys("Submit your bot"))


def test_the_readme_explains_every_section_and_key_of_the_settings() -> None:
    text = README.partition("\n## Settings\n")[2].partition("\n## ")[0]
    rows = dict(re.findall(r"^\| `\[(\w+)[\].].*?` \| (.*)$", text, re.MULTILINE))
    fields = {field.name: field.type for field in msgspec.structs.fields(Settings)}
    told = {name: set(re.findall(r"`(\w+)`", row)) for name, row in rows.items()}
    for section in ("run", "limits", "allow"):
        assert set(fields[section].__struct_fields__) == told[section]
    assert {"games", "ratings"} <= set(told)


def test_the_readme_explains_every_column_of_the_leaderboard() -> None:
    text = README.partition("\n## Read the leaderboard\n")[2].partition("\n## ")[0]
    told = re.findall(
        r"`(\w+)`", "".join(line.split("|")[2] for line in text.splitlines() if line[:2] == "| ")
    )
    assert [column.key for column in LEADERBOARD] == told


def test_the_python_of_the_readme_compiles() -> None:
    for i, block in enumerate(blocks("python")):
        compile(block, f"README block {i}", "exec")


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_link_leads_somewhere(document: str) -> None:
    text = (ROOT / document).read_text("utf-8")
    folder = (ROOT / document).parent
    for target in re.findall(r"\]\((?!https://)([^)]+)\)", text):
        name, _, title = target.partition("#")
        assert (folder / name).exists(), target
        if title:
            page = (folder / name if name else ROOT / document).read_text("utf-8")
            assert title in [
                heading.lower().replace(" ", "-") for heading in re.findall(r"^#+ (.+)$", page, re.MULTILINE)
            ]


def test_the_changelog_has_an_entry_for_this_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    version = (ROOT / project["tool"]["hatch"]["version"]["path"]).read_text("utf-8").split('"')[-2]
    assert f"\n## [{version}] - " in (ROOT / "CHANGELOG.md").read_text("utf-8")
