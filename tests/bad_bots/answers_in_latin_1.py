"""Answers in Latin-1."""

from manners import answer, say, second_act, wait

say(b'{"id":"%b","move":"caf\xe9"}\n' % answer(second_act())["id"].encode())
wait()
