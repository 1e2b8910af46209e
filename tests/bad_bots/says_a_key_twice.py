"""Answers with a key that comes twice."""

from manners import answer, say, second_act, wait

given = answer(second_act())
say(b'{"id":"%b","move":"%b","move":"%b"}\n' % tuple(given[key].encode() for key in ("id", "move", "move")))
wait()
