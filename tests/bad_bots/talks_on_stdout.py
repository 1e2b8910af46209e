"""Logs to stdout."""

from manners import answer, say, second_act, wait

act = second_act()
say(b"thinking about it\n")
say(answer(act))
wait()
