"""Plays on without a sin while a child writes to stderr without end."""

import os

from manners import answer, play_on, say, second_act

act = second_act()
if not os.fork():
    while True:
        os.write(2, 65_536 * b"x")
say(answer(act))
play_on()
