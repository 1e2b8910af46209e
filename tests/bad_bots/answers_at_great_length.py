"""Answers in a line that is longer than lines may be."""

from manners import answer, say, second_act, wait

say(answer(second_act(), padding="x" * 70_000))
wait()
