"""The life of the ladder that `.ci/life` goes through has every command."""

from programs import life

from ladder.cli.commands import COMMANDS


def test_every_command_and_every_example_of_the_table_is_in_it():
    assert [] == life.problems()
    assert {*COMMANDS} == life.examples().keys()


def test_a_command_that_is_missing_is_named():
    for name, line in life.examples().items():
        missing = life.problems(tuple(step for step in life.STEPS if step.name != name))
        assert [f"ladder {name} is never typed", f"`{line}`, as the table has it, is never typed"] == missing


def test_every_command_shows_a_sign_that_it_did_its_work():
    assert [] == [
        step.line for step in life.STEPS if not (step.out or step.err or step.check or step.meanwhile)
    ]
