"""Adds a note of 1,001 characters."""

from manners import answer, say, second_act, wait

say(answer(second_act(), note="x" * 1001))
wait()
