"""The descriptors of players, on scripted bots."""

from support.scripted import Say, ScriptedBot, Timeline
from support.seating import bot

from ladder.referee.channels import Channels, Handlers
from ladder.referee.player import Player


def test_a_player_that_is_unwatched_is_neither_waited_for_nor_heard():
    timeline = Timeline()
    channels = Channels(timeline.clock)
    link = ScriptedBot(timeline, lambda lines: [Say(b"news\n")])
    player = Player(bot("manners"), link, clock=timeline.clock)
    heard: list[Player] = []

    def hear(player, now):
        heard.append(player)

    channels.watch(player, Handlers(hear, hear, hear, hear))
    link.send(b"hello\n")
    ready = channels.wait(0)
    assert [link.stdout_fd] == ready
    channels.handle(ready, timeline.now())
    assert [player] == heard
    channels.unwatch(player)
    channels.handle(ready, timeline.now())
    assert [player] == heard, "what was ready before"
    assert [] == channels.wait(0)
