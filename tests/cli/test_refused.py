"""A command that is refused says only that: no tier is tried, nothing is started, nothing changes."""

import errno
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import chdir
from pathlib import Path
from typing import Any

import pytest
from support.command_line import Said, check_refused, listing, run_here
from support.ladders import a_home, start_run

import ladder
from ladder.home.home import open_home
from ladder.home.house_bots import expecting, pending
from ladder.process import tiers
from results.storage.store import Store

Probes = list[str]
STELLAR = '[run]\ngames = ["stellar"]\n'
LACKING = f"{tiers.WARNING}\n(bwrap: not here; landlock: not here)\n{tiers.INSTALL}"
"""What is told where nothing confines."""


@pytest.fixture
def probes(monkeypatch: pytest.MonkeyPatch) -> Iterator[Probes]:
    """Return the tiers that were tried: on a machine where nothing confines."""
    found: Probes = []

    def choose(wanted: str = "auto") -> tiers.TierChoice:
        found.append(wanted)
        if wanted == "none":
            return tiers.TierChoice("none", tiers.WARNING)
        return tiers.TierChoice("none", LACKING, "bwrap: not here; landlock: not here")

    monkeypatch.setattr(tiers, "choose", choose)
    tiers.choose_once.cache_clear()
    yield found
    tiers.choose_once.cache_clear()


def refused(folder: Path, command: str) -> Said:
    """Type *command* in *folder*; see that it is two lines and changes nothing, not even the lock."""
    before = listing(folder)
    with chdir(folder):
        said = run_here(*command.split())
    first, second = said.err.splitlines()
    assert first.startswith("ladder: "), said.err
    assert second.startswith("  next: "), said.err
    assert before == listing(folder)
    return said


NAMES = [
    ("run greddy", 3, "there is no bot 'greddy' (did you mean 'greedy'?)"),
    ("run greedy@2 random", 3, "greedy has no version '2'"),
    ("run search greedy", 3, "there is no bot 'search'"),
    ("run greedy", 2, "needs 2 bots"),
    ("run --game chess", 3, "there is no game 'chess'"),
    ("run --seats 9", 2, "--seats"),
    ("run --option deck=3", 2, "deck"),
    ("run --sandbox typo", 2, "--sandbox"),
    ("run --resume", 2, "there is no unfinished run"),
    ("duel greddy random", 3, "there is no bot 'greddy' (did you mean 'greedy'?)"),
    ("duel greedy greedy", 2, "are the same version"),
    ("duel greedy random --field greddy --seats 3", 3, "there is no bot 'greddy'"),
    ("duel ./ghost.py greedy", 2, "there is no file or folder './ghost.py'"),
    ("duel ./broken greedy", 2, "names ./nothing, which is not in the snapshot"),
    ("duel greedy random --without greddy", 3, "there is no bot 'greddy'"),
    ("duel greddy random --margin 3", 3, "there is no bot 'greddy'"),
    ("duel ./fine.py ./fine.py", 2, "are the same version, fine@"),
    ("duel ./fine.py greedy --game chess", 3, "there is no game 'chess'"),
    ("play stellar greddy", 3, "there is no bot 'greddy' (did you mean 'greedy'?)"),
    ("play chess greedy", 3, "there is no game 'chess'"),
    ("play stellar greedy --seats 6", 2, "6"),
    ("play stellar ./broken", 2, "names ./nothing"),
    ("reference greddy", 3, "there is no bot 'greddy' (did you mean 'greedy'?)"),
    ("reference greedy --game chess", 2, "there is no game 'chess'"),
    ("reference ./broken", 2, "names ./nothing"),
    ("tournament new cup --game stellar greddy", 3, "there is no bot 'greddy'"),
    ("tournament new cup --game stellar --stages swis", 2, "swis"),
    ("tournament run cup", 3, "cup"),
    ("submit ./broken", 2, "names ./nothing"),
    ("try ./broken --against greddy", 3, "there is no bot 'greddy'"),
    ("check greddy", 3, "there is no file and no bot 'greddy'"),
    ("bots trial greddy", 3, "there is no bot 'greddy'"),
    ("bots house add greddy", 3, "there is no house bot 'greddy'"),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a bot, and with one that lacks its program."""
    (tmp_path / "fine.py").write_text("from protocol.client import serve\n")
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken/bot.toml").write_text('name = "broken"\nrun = ["./nothing"]\n')
    return tmp_path


@pytest.mark.parametrize("home", [False, True], ids=["no home", "home"])
@pytest.mark.parametrize(("command", "code", "message"), NAMES, ids=[command for command, *_ in NAMES])
def test_what_cannot_be_found_is_refused_before_a_tier_is_tried(
    folder: Path, probes: Probes, command: str, code: int, message: str, home: bool
) -> None:
    if home or command.startswith(("tournament run", "bots")):
        run_here("init", folder / "ladder-home")
    check_refused(refused(folder, command), code, message)
    assert [] == probes


def change(home: Path) -> None:
    (next(home.glob("bots/first/*/files")) / "player.py").write_text("other")


def ban(home: Path) -> None:
    assert 0 == run_here("bots", "ban", "first", "--why", "reads the disk", "--home", home).code


def stop(home: Path) -> None:
    start_run(open_home(home), seed=None)


def stop_and_ban(home: Path) -> None:
    stop(home)
    ban(home)


def stop_and_lose(home: Path) -> None:
    stop(home)
    shutil.rmtree(home / "bots/first")


def damage(home: Path) -> None:
    stop(home)
    (journal,) = (home / "results/journal").iterdir()
    journal.unlink()


def settings(text: str) -> Callable[[Path], None]:
    def write(home: Path) -> None:
        (home / "ladder.toml").write_text(text)

    return write


WORLDS = [
    (change, "run first last", 1, "first@"),
    (change, "duel first last", 1, "is not what was submitted"),
    (change, "play stellar first", 1, "is not what was submitted"),
    (change, "reference first", 1, "is not what was submitted"),
    (change, "tournament new cup --game stellar first last", 1, "is not what was submitted"),
    (ban, "run first last", 2, "first is banned since"),
    (ban, "duel first last", 2, "first is banned since"),
    (ban, "play stellar first", 2, "first is banned since"),
    (ban, "reference first", 2, "first is banned since"),
    (stop, "run --games 4", 2, "run 1 is not finished, and this command differs"),
    (stop, "run --resume --without greddy", 3, "greddy does not play in run 1"),
    (stop, "duel first last --rated", 2, "a rated duel has to come after it"),
    (stop, "tournament new cup --game stellar --rated", 2, "run 1 is not finished"),
    (stop_and_ban, "run --resume", 2, "is banned"),
    (stop_and_lose, "run --resume", 3, "is not in this home any more"),
    (damage, "run --resume", 4, "is damaged"),
    (settings("[run]\nmatches = 3"), "run", 2, "unknown run.matches"),
    (settings('[sandbox]\nreadable = ["/no/such"]'), "run", 2, "sandbox.readable: /no/such is not there"),
    (settings('[sandbox]\ntier = "typo"'), "duel first last", 2, "unknown tier 'typo'"),
]


@pytest.mark.parametrize(
    ("world", "command", "code", "message"),
    WORLDS,
    ids=[f"{number} {command}" for number, (_, command, *_) in enumerate(WORLDS)],
)
def test_what_a_home_does_not_allow_is_refused_before_a_tier_is_tried(
    tmp_path: Path, probes: Probes, world: Callable[[Path], None], command: str, code: int, message: str
) -> None:
    world(a_home(tmp_path / "ladder-home", settings=STELLAR).path)
    check_refused(refused(tmp_path, command), code, message)
    assert [] == probes


@pytest.mark.parametrize("command", ["run", "run --games 4", "duel first last --rated"])
def test_a_home_that_another_process_uses_is_refused_before_a_tier_is_tried(
    tmp_path: Path, probes: Probes, command: str
) -> None:
    home = a_home(tmp_path / "ladder-home", settings=STELLAR)
    with Store(home.results).lock():
        check_refused(refused(tmp_path, command), 7, "is using ladder-home/results")
    assert [] == probes


@pytest.mark.parametrize("command", ["run", "duel first last --rated"])
def test_results_that_this_user_may_not_write_are_refused_before_a_tier_is_tried(
    tmp_path: Path, probes: Probes, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = a_home(tmp_path / "ladder-home", settings=STELLAR)
    with Store(home.results).lock():
        pass

    def refuse(path: Path, flags: int) -> int:  # root may write anywhere
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))

    monkeypatch.setattr("results.storage.locking._lock", refuse)
    check_refused(refused(tmp_path, command), 1, "Permission denied")
    assert [] == probes


@pytest.mark.parametrize(
    "command",
    ["run", "run --unrated", "duel first last", "tournament new cup --game stellar"],
)
def test_where_nothing_confines_a_run_that_requires_it_is_refused_and_stores_nothing(
    tmp_path: Path, probes: Probes, command: str
) -> None:
    a_home(tmp_path / "ladder-home", settings=STELLAR)
    for tier, code, why in (("auto", 1, "(bwrap: not here"), ("none", 2, "the tier none confines nothing")):
        said = refused(tmp_path, f"{command} --require-sandbox --sandbox {tier}")
        check_refused(said, code, why)
    assert ["auto", "none"] == probes


def first(act: Any) -> Any:
    return act.choice.options[0]


def last(act: Any) -> Any:
    return act.choice.options[-1]


def test_a_run_tries_its_tier_once_and_says_what_it_lacks_before_its_first_match(
    tmp_path: Path, probes: Probes
) -> None:
    home, told = a_home(tmp_path / "home", {}, STELLAR), []
    ladder.play([first, last], game="stellar", games=2, home=home, tell=told.append)
    kinds = [type(event).__name__ for event in told]
    assert ["auto"] == probes
    assert f"warning: {LACKING}" == told[0].text
    assert kinds.index("Planned") > 0
    assert 1 == sum(LACKING in getattr(event, "text", "") for event in told)


def test_where_a_bot_has_written_it_takes_the_tier_to_tell_whether_it_may(
    tmp_path: Path, probes: Probes, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = a_home(tmp_path / "ladder-home", settings=STELLAR)
    (next(home.path.glob("bots/first/*/files")) / "cache.txt").write_text("")
    check_refused(refused(tmp_path, "run first last --seats 6"), 2, "stellar is for 2")
    assert [] == probes
    said = refused(tmp_path, "run first last --require-sandbox")
    check_refused(said, 1, "bots cannot be confined here")
    assert ["auto"] == probes
    tiers.choose_once.cache_clear()
    monkeypatch.setattr(tiers, "choose", lambda wanted: tiers.TierChoice("landlock", "weaker"))
    check_refused(refused(tmp_path, "run first last"), 1, "first@", "cache.txt")


def test_a_tournament_whose_bots_need_not_start_tries_no_tier(tmp_path: Path, probes: Probes) -> None:
    a_home(tmp_path / "ladder-home", settings=STELLAR)
    with chdir(tmp_path):
        assert 0 == run_here("tournament", "new", "cup", "--game", "stellar").code
    assert [] == probes


@pytest.mark.process
def test_a_command_that_begins_says_what_it_plays_without(tmp_path: Path, probes: Probes) -> None:
    a_home(tmp_path / "ladder-home", settings=STELLAR)
    for command in ("run first last --games 4", "duel first last --games 4", "play stellar first"):
        tiers.choose_once.cache_clear()
        with chdir(tmp_path):
            said = run_here(*command.split())
        assert said.err.startswith("warning: bots are not confined"), said.err
        assert 1 == said.err.count("bots are not confined")
    assert ["auto"] * 3 == probes


def test_a_house_bot_that_is_to_come_counts_as_known(tmp_path: Path) -> None:
    run_here("init", tmp_path / "home")
    home = open_home(tmp_path / "home")
    known = expecting(home, pending(home))
    assert [] == home.roster.versions()
    assert {"greedy", "random"} < {version.bot for version in known.roster.active()}
    assert "greedy" == known.roster.find_player("greedy@1").bot
