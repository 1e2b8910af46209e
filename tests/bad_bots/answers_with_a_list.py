"""Makes a move that is a list where one option is asked for."""

from manners import answer, say, second_act, wait

act = second_act()
say(answer(act, move=act["choice"]["options"][:1]))
wait()
