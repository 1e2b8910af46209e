"""`ladder home`: the group of commands about the ladder's folder."""

from typing import TYPE_CHECKING

import typer

from ladder.cli.options import FormatOption, HomeOption, existing_home, note, print_facts, store_of

if TYPE_CHECKING:
    from ladder.home.home import Home


def home(
    context: typer.Context,
    home: HomeOption = None,
    format: FormatOption = "table",  # noqa: A002 - the option's name
) -> None:
    """Show the home.

    A home is the folder of one ladder: its settings, its bots and its results.

    Example: ladder home
    """
    if context.invoked_subcommand:
        return
    print_facts(_facts(existing_home(home)), format)
    note("a home has commands of its own", "ladder home --help")


def _facts(home: "Home") -> dict[str, str]:
    from results.storage.unrated import unrated_stores

    contents = store_of(home).contents()
    season = contents.seasons[-1]
    unrated = [*unrated_stores(home.results)]
    versions = home.roster.versions()
    matches = contents.matches(["run"]).num_rows
    size = sum(path.stat().st_size for path in home.path.rglob("*") if path.is_file())
    facts = {
        "folder": str(home.path.resolve()),
        "settings": str(home.path / "ladder.toml"),
        "bots": f"{len(home.roster.active()):,}",
        "versions of bots": f"{len(versions):,}",
        "runs": f"{len(contents.runs):,}",
        "matches": f"{matches:,}",
        "duels, unrated runs": f"{len(unrated):,}" + (f", the newest is {unrated[-1]}" if unrated else ""),
        "on disk": f"{size / 2**20:,.1f} MB",
        "unfinished": f"run {contents.unfinished_run.run}" if contents.unfinished_run else "no run",
    }
    if season.started:
        facts["season"] = f"{season.name}, which began with run {season.first_run}"
    return facts
