"""`ladder home init`: make a new home."""

import os
import shlex
from pathlib import Path
from typing import Annotated

from ladder.cli.options import note
from ladder.errors import FIRST_RUN
from ladder.run.option import Argument, Option, WrongOption


def init(
    path: Annotated[
        Path | None,
        Argument("The folder to create.", metavar="FOLDER", default="$LADDER_HOME, else ladder-home"),
    ] = None,
    home: Annotated[Path | None, Option("The same as FOLDER.", metavar="FOLDER")] = None,
) -> None:
    """Make a new home.

    A home is a folder with the settings (ladder.toml), the bots and the results of one ladder. Its first run
    adds the house bots.

    Example: ladder home init my-ladder
    """
    from ladder.home.home import DEFAULT, create_home, first_house_bots, open_home

    if path and home:
        raise WrongOption("--home", "it is the same as FOLDER: give one of them")
    usual = Path(os.environ.get("LADDER_HOME") or DEFAULT)
    path = path or home or usual
    where = "" if path == usual else f" --home {shlex.quote(str(path))}"
    if (path / "ladder.toml").is_file():
        open_home(path)
        note(f"{path} is already a ladder; nothing has changed", f"{FIRST_RUN}{where}")
        return
    create_home(path, first_house_bots())
    note(f"made a new ladder in {path}; its settings are in {path / 'ladder.toml'}")
    out = f"ladder bots house remove{where}, which keeps them out"
    note("its first run adds the house bots", f"{FIRST_RUN}{where}\n        {out}")
