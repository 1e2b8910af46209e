"""Which of many submissions gets which name."""

from pathlib import Path

from support import ladders

from ladder.admission.claims import Task, in_turn
from ladder.home.bot_life import rename
from ladder.registry.place import BotPlace


def test_a_name_that_an_author_chose_goes_before_one_that_was_derived(tmp_path):
    home = ladders.a_home(tmp_path / "home", {})

    def a_task(entry, **how):
        return Task(
            home, Path(entry), "river", BotPlace(f"/class/{entry}", entry), "", False, "none", (), **how
        )

    waiting, refused = in_turn(home, [a_task("1.py", is_derived=True), a_task("2.py")], ())
    assert {"1.py": "river-2", "2.py": "river"} == {task.path.name: task.bot for task in waiting}
    assert [] == refused


def test_a_name_of_a_file_in_an_archive_gives_way_to_all_that_no_new_bot_may_have(tmp_path):
    home = ladders.a_home(tmp_path / "home", {"Bot": {}, "mole": {}})
    rename(home, "mole", "vole")

    def a_task(name):
        path = Path(f"{name}-of-ann.zip")
        return Task(
            home, path, name, BotPlace(str(path), "ann/"), "", False, "none", (), has_name_of_file=True
        )

    waiting, refused = in_turn(home, [a_task("bot")], ())
    assert (["ann"], []) == ([task.bot for task in waiting], refused)
    waiting, refused = in_turn(home, [a_task("mole")], ())
    assert (["ann"], []) == ([task.bot for task in waiting], refused)
