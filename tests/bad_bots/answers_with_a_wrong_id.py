"""Answers with an id of its own."""

from manners import answer, say, second_act, wait

say(answer(second_act(), id="0123456789abcdef"))
wait()
