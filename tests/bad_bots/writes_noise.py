"""Answers with 1,000 random bytes, or as many as config["zeros"] says that are all zero."""

import random

from manners import config, say, second_act, wait

second_act()
noise = bytes(config["zeros"]) if "zeros" in config else random.Random(7).randbytes(1000)
say(noise + b"\n")
wait()
