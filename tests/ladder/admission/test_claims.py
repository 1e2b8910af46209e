"""Which of many submissions gets which name."""

from pathlib import Path

from support import ladders

from ladder.admission.claims import Task, in_turn
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
