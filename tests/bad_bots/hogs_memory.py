"""Fills four times the memory it may have instead of answering."""

from manners import config, second_act, wait

second_act()
held = [b"x" * 2**20 for _ in range(4 * config["memory_mb"])]
wait()
