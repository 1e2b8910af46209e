"""Makes a move that was not offered."""

from manners import answer, say, second_act, wait

say(answer(second_act(), move="take 99"))
wait()
