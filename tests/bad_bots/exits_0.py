"""Exits with status 0 instead of answering."""

from manners import second_act

second_act()
