"""Answers its second request and exits at once."""

import os

from manners import answer, say, second_act

say(answer(second_act()))
os._exit(7)
