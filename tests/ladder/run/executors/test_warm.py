"""What the parent of a run guesses about the processes of a worker."""

from ladder.contest.blocks import PlannedBlock
from ladder.run.executors.warm import WarmBots


def block(*bots):
    return PlannedBlock(0, 0, 0, bots)


def test_a_worker_without_processes_must_start_one_for_each_bot_and_lane():
    warm = WarmBots(64)
    assert [4, 9] == [warm.missing(block(0, 1)), warm.missing(block(0, 1, 2))]


def test_processes_of_tables_that_were_played_need_not_be_started_again():
    warm = WarmBots(64)
    warm.add(block(0, 1))
    assert [0, 2, 4] == [warm.missing(block(*bots)) for bots in ((1, 0), (1, 2), (2, 3))]
    assert 5 == warm.missing(block(0, 1, 2)), "the third lane, and the third bot"


def test_the_processes_that_have_not_played_for_longest_are_gone_first():
    warm = WarmBots(8)
    for bots in ((0, 1), (2, 3), (0, 1), (4, 5)):
        warm.add(block(*bots))
    assert [0, 4, 0] == [warm.missing(block(*bots)) for bots in ((0, 1), (2, 3), (4, 5))]
