"""Writes to stdout without end, and without a newline."""

from manners import say, second_act

second_act()
while True:
    say(b"x" * 4096)
