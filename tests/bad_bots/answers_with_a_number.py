"""Makes a move that is a number."""

from manners import answer, say, second_act, wait

say(answer(second_act(), move=0))
wait()
