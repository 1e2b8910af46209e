"""Raises an exception instead of answering: a traceback on stderr, exit status 1."""

from manners import second_act

raise ZeroDivisionError(second_act()["step"])
