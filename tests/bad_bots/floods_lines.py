"""Writes answers to stdout without end, none of them asked for."""

from manners import say, second_act

second_act()
while True:
    say(100 * b'{"id":"0123456789abcdef","move":"take 1"}\n')
