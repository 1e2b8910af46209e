"""Opening what lies in an inbox: no entry takes more than its share of memory and time."""

import os
import resource
from pathlib import Path

import pytest
from support import ladders
from support.main_module import ladder_as_main

from ladder.admission import entry_look
from ladder.admission.submission import Submission
from ladder.errors import LadderError, RefusedBot
from ladder.home.home import Home
from ladder.home.settings import Settings
from ladder.machine.pool import Pool

HOME = Home(Path("home"), Settings())
LIMITS = (resource.RLIMIT_AS, resource.RLIMIT_CPU)


def eats_memory(home, asked):
    bytearray(2**31)
    return asked


def spins(home, asked):
    while True:
        pass


def look_at(path, tell):
    """Look at *path*, in a process of a pool; return what came of it, and whether its limits are back."""
    before = [resource.getrlimit(kind) for kind in LIMITS]
    entry_look.CPU_SECONDS = 1
    known = {"memory": eats_memory, "time": spins}
    entry_look.with_wanted_name = known.get(path.stem, entry_look.with_wanted_name)
    try:
        found = entry_look.look_at(HOME, Submission(path)).bot
    except RefusedBot as error:
        found = str(error)
    return found, before == [resource.getrlimit(kind) for kind in LIMITS]


@pytest.mark.process
def test_an_entry_that_takes_too_much_to_open_is_refused_and_the_process_goes_on(tmp_path):
    names = ["river", "memory", "time"]
    for name in names:
        (tmp_path / f"{name}.py").write_text(ladders.PLAYER)
    waiting = [tmp_path / f"{name}.py" for name in names]
    found: dict[str, tuple[str, bool] | LadderError] = {}
    with ladder_as_main(), Pool(1) as pool:
        for path, result in pool.as_done(
            look_at, lambda: waiting.pop(0) if waiting else None, lambda path, text: None
        ):
            found[path.stem] = result
    assert ("river", True) == found["river"]
    assert (f"{tmp_path}/memory.py takes more than 1 GB of memory to open", True) == found["memory"]
    assert (f"{tmp_path}/time.py takes more than 1 s of CPU time to open", True) == found["time"]


def test_memory_that_this_machine_lacks_is_not_the_bots(tmp_path, monkeypatch):
    def fail(home, asked):
        raise MemoryError

    monkeypatch.setattr(entry_look, "with_wanted_name", fail)
    with pytest.raises(MemoryError):
        entry_look.look_at(HOME, Submission(tmp_path))


@pytest.mark.parametrize("name", ["bot.tar.gz", "bot.zip"])
def test_an_archive_that_becomes_a_fifo_keeps_nobody_waiting(tmp_path, name, monkeypatch):
    os.mkfifo(tmp_path / name)
    monkeypatch.setattr(Path, "is_file", lambda path: True)
    assert entry_look.is_whole(tmp_path / name, 256), "it is refused"
