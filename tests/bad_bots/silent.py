"""Reads its second request and never answers."""

from manners import second_act, wait

second_act()
wait()
