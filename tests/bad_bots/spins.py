"""Computes without end instead of answering."""

from manners import second_act

second_act()
while True:
    pass
